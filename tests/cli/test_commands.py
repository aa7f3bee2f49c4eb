"""Every command does its work for every shipped robot; --json is JSON with the known keys."""

import json
import math
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import supple
from shipped_robots import CLOSED, OPEN
from supple.cli import app
from supple.model.explain import TOPICS, titles
from supple.simulation.integrators import integrator
from supple.tracer import quickly

ROBOTS = supple.shipped()
QUICK = ("--duration", "0.02", "--samples", "3", "--rtol", "1e-5")


def run(*words):
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_robots_lists_all():
    rows = json.loads(run("robots", "--json"))
    assert [row["name"] for row in rows] == ROBOTS
    assert set(rows[0]) == {"name", "links", "degrees_of_freedom", "modes", "mass", "description"}
    text = run("robots")
    assert all(name in text for name in ROBOTS)


@pytest.mark.parametrize("name", OPEN)
def test_show(name):
    facts, robot = json.loads(run("show", name, "--json")), supple.load(name)
    assert facts["coordinates"] == list(robot.coordinate_names)
    assert len(facts["frequencies_joints_free_rad_s"]) == robot.nv
    assert facts["mass"] == pytest.approx(robot.mass)
    assert set(facts["links"][0]) >= {"name", "parent", "joint", "joint_type", "modes", "stations"}
    assert all(link.name in run("show", name) for link in robot.links)


@pytest.mark.parametrize("name", CLOSED)
def test_show_of_a_closed_chain(name):
    facts, robot = json.loads(run("show", name, "--json")), supple.load(name)
    closed = facts["closed"]
    assert [loop["name"] for loop in closed["loops"]] == [loop.name for loop in robot.loops]
    assert facts["degrees_of_freedom"] == robot.nv - supple.mobility(robot).rank
    assert closed["actuated"] == list(robot.actuated)
    assert len(facts["frequencies_joints_free_rad_s"]) == facts["degrees_of_freedom"]
    assert list(closed["home"].values()) == robot.home().tolist()
    text = run("show", name)
    assert all(loop.name in text for loop in robot.loops)
    assert "closure equations" in text


@pytest.mark.parametrize("name", ROBOTS)
def test_frequencies(name):
    robot = supple.load(name)
    freedom = supple.mobility(robot).degrees_of_freedom if robot.loops else robot.nv
    free = json.loads(run("frequencies", name, "--json"))
    assert [set(row) for row in free] == [{"mode", "rad_s", "hertz"}] * freedom
    assert len(json.loads(run("frequencies", name, "--json", "--locked"))) == robot.modes + len(
        robot.gears
    )
    where = ",".join(str(x) for x in robot.home())
    assert json.loads(run("frequencies", name, "--json", "--q", where)) == free


@pytest.mark.parametrize("name", CLOSED)
def test_zeros_of_a_closed_chain_are_those_of_its_motors(name):
    (facts,) = json.loads(run("zeros", name, "--json"))
    robot = supple.load(name)
    assert facts["outputs"] == [robot.velocity_names[k] for k in robot.motor_indices]
    assert len(facts["zeros"]) == 2 * robot.modes


def test_joints_by_name_let_the_loops_put_the_others(tmp_path):
    words = ("--q", "crank_joint=0.8", "--load", "coupler.tip=1,-2,0", "--json")
    picture = tmp_path / "rest.png"
    facts = json.loads(run("statics", "four-bar-flexible", *words, "--plot", str(picture)))
    assert facts["joints"]["crank_joint"] == 0.8
    assert list(facts["torques"]) == ["crank_joint"]
    assert facts["residual"] < 1e-12
    assert picture.stat().st_size > 10_000


@pytest.mark.parametrize("name", ROBOTS)
def test_simulate(name, tmp_path):
    out = tmp_path / "run.nc"
    integrator("explicit")  # as usual: it stays in this process
    with quickly():  # the command is what is tried here, on code that runs for a moment
        report = json.loads(run("simulate", name, *QUICK, "--json", "--out", str(out)))
    keys = {"robot", "input", "duration", "wall_seconds", "energy_error", "coordinates", "saved"}
    keys |= {"method", "warnings", "checks"}
    assert set(report) == keys
    assert report["saved"] == [str(out)]
    assert report["energy_error"] < 1e-3
    assert supple.load_result(out).robot_name == name


@pytest.mark.parametrize("name", ROBOTS)
def test_check_passes_every_shipped_file(name):
    from importlib.resources import files

    path = files("supple") / "robots" / f"{name}.yaml"
    assert ": ok (" in run("check", str(path))
    report = json.loads(run("check", str(path), "--json"))
    assert (report["ok"], report["errors"]) == (True, [])
    assert bool(supple.load(name).loops) == (name in CLOSED)


@pytest.mark.parametrize("topic", TOPICS)
def test_help_explains_every_key_within_eighty_columns(topic):
    lines = run("help", topic).splitlines()
    assert lines[0] == f"{topic}: {titles()[topic]}"
    assert max(len(line) for line in lines) <= 80
    for key in TOPICS[topic].model_fields:
        assert key == "order" or any(re.match(rf"  {key}( \[|:)", line) for line in lines)
    assert any(line.startswith("Other topics: ") for line in lines)


def test_a_topic_may_be_asked_for_in_the_plural():
    assert run("help", "loops") == run("help", "loop")


def test_the_template_of_a_closed_chain_is_right(tmp_path):
    file = tmp_path / "closed.yaml"
    run("new", str(file), "--closed")
    report = json.loads(run("check", str(file), "--json"))
    assert report["ok"]
    assert report["warnings"] == []
    assert "3 degrees of freedom, 1 loop)" in run("check", str(file))


def test_help_lists_the_topics_one_line_each():
    lines = run("help").splitlines()
    assert max(len(line) for line in lines) <= 80
    assert [line.split()[0] for line in lines if line.startswith("  ")] == list(TOPICS)


def test_a_new_file_is_right_and_runs(tmp_path):
    path = str(tmp_path / "arm.yaml")
    assert "wrote" in run("new", path)
    assert ": ok (two-link-arm, 2 links, 5 degrees of freedom)" in run("check", path)
    assert "energy imbalance" in run("simulate", path, *QUICK, "--plot", str(tmp_path / "a.svg"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.svg", "arm.yaml"]


def test_tables_drive_a_robot(tmp_path):
    path = tmp_path / "drive.csv"
    path.write_text("t,joint1,joint3\n0,0,0\n0.01,1e-4,0\n0.02,0,0\n")
    for option in ("--torque", "--trajectory"):
        report = json.loads(run("simulate", "canadarm", option, str(path), "--json"))
        assert report["duration"] == 0.02
        assert path.name in report["input"]


def test_a_motion_no_motion_and_rigid_links_are_told(tmp_path):
    assert "motion 'paper'" in json.loads(run("simulate", "puma", *QUICK, "--json"))["input"]
    assert "free" in json.loads(run("simulate", "puma", "--free", *QUICK, "--json"))["input"]
    rigid = run("simulate", "canadarm", "--kinematics", "rigid", *QUICK, "--json")
    assert len(json.loads(rigid)["coordinates"]) == 3


def test_statics_of_every_robot_and_its_plot(tmp_path, reference):
    for name in ROBOTS:
        facts = json.loads(run("statics", name, "--json", "--points", "3"))
        assert facts["torques"]
        assert facts["stable"]
    picture = tmp_path / "rest.png"
    words = ("statics", "piedboeuf-arm", "--q", "30*deg", "--load", "arm.endpoint=0,-2.46,0")
    facts = json.loads(run(*words, "--json", "--plot", str(picture)))
    assert picture.stat().st_size > 10_000
    parts = {"x", "position", "deflection", "curvature", "force", "moment", "elastic_moment"}
    assert set(facts["links"]["arm"]) == parts
    named = ["arm", "arm.endpoint", "arm.gauge1", "arm.gauge2", "arm.gauge3"]
    assert list(facts["stations"]) == named
    assert [g["station"] for g in facts["gauges"]] == ["arm.gauge1", "arm.gauge2", "arm.gauge3"]
    assert "k_z" in run(*words)
    linear = json.loads(run(*words, "--linear", "--json"))
    rows = reference("piedboeuf_statics")["rows"]
    (row,) = (r for r in rows if (r["theta_deg"], r["fey"]) == (30, -2.46))
    assert linear["torques"]["motor"] == pytest.approx(row["O2"]["T"], abs=1e-9)


def test_statics_says_when_a_link_bends_too_far():
    words = ("statics", "piedboeuf-arm", "--q", "30*deg", "--load", "arm.endpoint=0,-9,0")
    (told,) = json.loads(run(*words, "--json"))["warnings"]
    assert "link arm bends by a slope of" in told
    assert f"warning: {told}" in CliRunner().invoke(app, list(words)).stderr


def test_statics_finds_the_joints_of_a_place():
    words = ("--load", "arm.endpoint=0,-1,0", "--reach", "arm.endpoint=-,0.1,-")
    facts = json.loads(run("statics", "piedboeuf-arm", *words, "--q", "0.3", "--json"))
    assert facts["stations"]["arm.endpoint"][1] == pytest.approx(0.1, abs=1e-9)


def test_frequencies_of_a_turning_arm():
    slow, fast = (
        json.loads(run("frequencies", "piedboeuf-arm", "--rate", f"motor={w}", "--json"))
        for w in (0.0, 30.0)
    )
    assert fast[0]["rad_s"] > slow[0]["rad_s"]
    assert "motor at 30" in run("frequencies", "piedboeuf-arm", "--rate", "motor=30")


def test_simulate_follows_a_shaped_motion_with_feedback(tmp_path):
    path = tmp_path / "way.csv"
    path.write_text("t,joint1,joint2\n0,0,0\n0.5,0.1,0\n1,0.2,0\n", encoding="utf-8")
    words = ("--pd", "400,40", "--shaper", "zvd=9.0,0.05")
    report = json.loads(
        run("simulate", "lin-lewis-rr", "--trajectory", str(path), *words, "--json")
    )
    assert report["input"].endswith("shaped by zvd=9.0,0.05, feedback 400,40")
    assert report["duration"] == pytest.approx(1.0 + 2 * math.pi / 9.0 / math.sqrt(1 - 0.05**2))
    assert report["coordinates"][0]["end"] == pytest.approx(0.2, abs=1e-2)
    held = json.loads(
        run("simulate", "lin-lewis-rr", "--pd", "1e4,300", "--q0", "0.3,0.2", "--json")
    )
    assert held["input"] == "feedback 1e4,300"
    assert held["coordinates"][0]["end"] == pytest.approx(0.3, abs=1e-2)


def test_simulate_prescribes_joints(tmp_path):
    out = tmp_path / "run.nc"
    words = ("--prescribe", "motor=0.3*(1 - cos(t))", "--out", str(out), *QUICK)
    facts = json.loads(run("simulate", "piedboeuf-arm", *words, "--json"))
    assert "prescribed motor" in facts["input"]
    assert supple.load_result(out)["reaction"].shape == (3, 1)


def test_every_command_is_in_the_readme_and_in_the_guide():
    root = Path(__file__).parents[2]
    readme, guide = (root / name for name in ("README.md", "docs/guide.md"))
    names = [command.name for command in app.registered_commands]
    assert f"supple {' | '.join(names)}\n" in readme.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `supple (\w+)", guide.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(names)
