"""A user's mistake is one message on standard error, exit code 2, and no file left behind."""

import json

import pytest

ARM = """\
links:
  upper:
    beam: {length: -3.0, mass: 2, EI: 1, modes: {bending_y: 2, torsoin: 1}}
joints:
  - {type: revolute, child: uper}
"""
LOOK = """\
error: input should be greater than 0, got -3.0
  --> arm.yaml:3:12  (links.upper.beam.length)
   3 |     beam: {length: -3.0, mass: 2, EI: 1, modes: {bending_y: 2, torsoin: 1}}
     |            ^

error: unknown key 'torsoin'
  --> arm.yaml:3:64  (links.upper.beam.modes.torsoin)
   3 |     beam: {length: -3.0, mass: 2, EI: 1, modes: {bending_y: 2, torsoin: 1}}
     |                                                                ^  help: did you mean torsion?

error: the joint names no link: 'uper'
  --> arm.yaml:5:22  (joints.0.child)
   5 |   - {type: revolute, child: uper}
     |                      ^  help: did you mean upper?

arm.yaml: 3 errors; nothing was run. See supple help model.
"""


@pytest.mark.parametrize(
    "words", [("check",), ("show",), ("simulate", "--out", "run.nc"), ("frequencies",)]
)
def test_the_faults_of_a_file_look_like_this(command, tmp_path, words):
    (tmp_path / "arm.yaml").write_text(ARM)
    done = command(words[0], "arm.yaml", *words[1:])
    assert (done.returncode, done.stdout, done.stderr) == (2, "", LOOK)
    assert [p.name for p in tmp_path.iterdir()] == ["arm.yaml"]


def test_a_process_of_its_own_says_the_same(process, tmp_path):
    (tmp_path / "arm.yaml").write_text(ARM)
    done = process("check", "arm.yaml")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", LOOK)
    unknown = process("statics", "piedboeuf-arm", "--load", "arm.endpiont=0,0,1")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "Did you mean endpoint" in unknown.stderr


def test_check_tells_the_faults_as_json_too(command, tmp_path):
    (tmp_path / "arm.yaml").write_text(ARM)
    done = command("check", "arm.yaml", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["ok"], len(report["errors"])) == (2, False, 3)
    assert set(report["errors"][0]) == {"message", "key", "line", "column", "help"}


MISTAKES = [
    ("check none.yaml", "No such file or directory --> none.yaml help: supple new"),
    ("show canadram", "did you mean canadarm?"),
    ("simulate none.yaml", "No such file"),
    ("simulate canadarm --out none/run.nc", "there is no folder none"),
    ("simulate canadarm --plot none/run.png", "there is no folder none"),
    ("simulate canadarm --out run.csv", "file type '.csv' is not known; use .nc"),
    ("simulate canadarm --plot run.gif", "file type '.gif' is not known; use .png"),
    ("simulate canadarm --plot run", "file type '' is not known; use .png"),
    ("simulate canadarm --out .", "it is a folder"),
    ("simulate canadarm --motion dance", "no motion named 'dance'"),
    ("simulate canadarm --pd 50", "--pd '50': expected KP,KD"),
    ("simulate canadarm --pd high,low", "--pd 'high,low': expected KP,KD"),
    ("simulate canadarm --shaper zvd", "--shaper 'zvd': expected KIND=OMEGA"),
    ("simulate canadarm --shaper zx=3", "no shaper named 'zx'"),
    ("simulate canadarm --free --shaper zv=3", "give --motion or --trajectory"),
    ("simulate canadarm --method RK54", "Did you mean RK45?"),
    ("simulate canadarm --duration -1", "duration is -1.0"),
    ("simulate canadarm --samples 1", "samples is 1"),
    ("simulate canadarm --rtol 0", "rtol is 0"),
    ("simulate canadarm --kinematics stiff", "'linearized' or 'rigid', got 'stiff'"),
    ("simulate canadarm --torque none.csv", "cannot read none.csv: No such file"),
    ("simulate canadarm --torque bad.csv", "bad.csv:3: joint1 is 'x', not a number"),
    ("simulate canadarm --trajectory bad.csv", "bad.csv:3: joint1 is 'x', not a number"),
    ("simulate canadarm --motion paper --free", "give one of --torque"),
    ("frequencies canadarm --q 1,2", "got 2 numbers; canadarm has 3 joint positions (joint1"),
    ("zeros canadarm --q 1,2", "and 9 coordinates in all"),
    ("frequencies canadarm --q jiont1=1", "Did you mean joint1?"),
    ("frequencies canadarm --q joint1=x", "x is no number"),
    ("frequencies canadarm --q joint1=1,joint1=2", "joint1 is given twice"),
    ("frequencies canadarm --q joint1=1,2", "numbers and NAME=VALUE do not go together"),
    ("frequencies canadarm --q joint1=1e999", "q of joint1 is inf; it must be a finite number"),
    ("frequencies canadarm --json=1", "does not take a value"),
    ("frequencies canadarm --q a,b", "expected numbers separated by commas"),
    ("frequencies canadarm --q nan,0,0,0,0,0,0,0,0", "expected numbers separated by commas"),
    ("help dance", "no topic named 'dance'"),
    ("new there.yaml", "exists already; choose another name, or --force"),
    ("new none/arm.yaml", "cannot write none/arm.yaml"),
    ("dance", "No such command 'dance'"),
    ("plot canadarm dance", "no plot named 'dance'"),
    ("plot canadarm modes,dance", "no plot named 'dance'"),
    ("plot none.nc torque", "there is no such file"),
    ("plot canadarm modes --out a.gif", "file type '.gif' is not known; use .png"),
    ("plot canadarm modes --width wide", "no --width named 'wide'; there are: screen, double"),
    ("map canadarm --out map.txt", "file type '.txt' is not known; use .csv"),
    ("plot canadarm modes --frames 3", "--frames is not for modes; it is for: sticks"),
    ("plot canadarm sticks --plane up", "no plane to draw in named 'up'"),
    ("plot puma modes", "puma has no modes that vibrate with its joints locked"),
    ("bode canadarm --plot a.png --width wide", "no --width named 'wide'"),
]


LONG = "a" * 300
MISTAKES += [
    (f"show {LONG}", "no robot and no file named 'aaa"),
    (f"show {LONG}.yaml", "too long"),
    (f"check {LONG}.yaml", "too long"),
    (f"new {LONG}.yaml", "too long"),
    (f"simulate canadarm --out {LONG}.nc", "too long"),
    (f"simulate canadarm --plot {LONG}.png", "too long"),
    (f"simulate canadarm --torque {LONG}.csv", "too long"),
    (f"frequencies {LONG}", "no robot and no file named 'aaa"),
]


def lines(done):
    return done.stderr.splitlines()


@pytest.mark.parametrize(("words", "message"), MISTAKES, ids=[m[0][:60] for m in MISTAKES])
def test_a_mistake_is_one_message(command, tmp_path, words, message):
    (tmp_path / "bad.csv").write_text("t,joint1\n0,0\n1,x\n")
    (tmp_path / "there.yaml").write_text("mine")
    done = command(*words.split())
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
    assert sum(line.lower().lstrip("╭─ ").startswith("error") for line in lines(done)) == 1
    assert "Traceback" not in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.csv", "there.yaml"]
    assert (tmp_path / "there.yaml").read_text() == "mine"


def test_new_overwrites_when_told_to(command, tmp_path):
    (tmp_path / "arm.yaml").write_text("mine")
    assert command("new", "arm.yaml", "--force").returncode == 0
    assert command("check", "arm.yaml").returncode == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("statics", "piedboeuf-arm", "--load", "arm.endpoint"), "STATION=numbers"),
        (("statics", "piedboeuf-arm", "--load", "arm.endpiont=0,0,1"), "Did you mean endpoint"),
        (("statics", "piedboeuf-arm", "--q", "a"), "numbers separated by commas"),
        (("statics", "piedboeuf-arm", "--q", "1,2"), "piedboeuf-arm has 1 joint positions"),
        (("statics", "piedboeuf-arm", "--points", "1"), "at least 2"),
        (("statics", "piedboeuf-arm", "--reach", "arm.endpoint=9,9,-"), "out of reach"),
        (("simulate", "piedboeuf-arm", "--prescribe", "motor"), "JOINT=FORMULA"),
        (("frequencies", "piedboeuf-arm", "--rate", "motor=fast"), "JOINT=RATE"),
        (("frequencies", "piedboeuf-arm", "--rate", "moter=1"), "Did you mean motor"),
        (("reproduce", "piedbeuf"), "Did you mean piedboeuf"),
    ],
)
def test_mistakes_in_statics_and_laws(command, words, message):
    done = command(*words)
    assert done.returncode == (3 if "reach" in message else 2)  # 3: there is no answer
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("error") == 1


def test_an_option_of_robots_plots_is_not_taken_for_a_run(command, tmp_path):
    made = command(
        "simulate", "lin-lewis-f", "--duration", "0.02", "--samples", "3", "--out", "r.nc"
    )
    assert made.returncode == 0
    done = command("plot", "r.nc", "torque", "--count", "3")
    assert done.returncode == 2
    told = "--count is not for torque; it is for: plots of a robot: modes, convergence, frequency"
    assert told in " ".join(done.stderr.replace("│", " ").split())
