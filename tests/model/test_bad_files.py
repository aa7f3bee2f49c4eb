"""Every wrong model file gives one ModelError: place, key, what was given, what is allowed."""

import random
from itertools import pairwise

import pytest

import supple
from supple import InputError, ModelError
from supple.model.yaml import LARGEST

ARM = """\
name: arm
links:
  upper:
    beam: {length: 1, mass: 2, EI: 10, modes: {bending_y: 2}}
    stations: {mid: {x: 0.5}}
  lower:
    rigid: {mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1], length: 0.4}
joints:
  - {name: a, type: revolute, child: upper}
  - {name: b, type: revolute, parent: upper, child: lower}
"""
PAYLOAD = "    payload: {mass: 1, at: mdi}\n    stations: {"
TUBE = "density: 1, E: 1, section: {shape: tube, diameter: 0.1, wall: 0.05}"
FUNCTION = "bending_y: {functions: ['%s']}"

# (what is replaced, by what, the key blamed, words of the message, words of the help)
CASES = [
    ("bending_y: 2", "torsoin: 1", "links.upper.beam.modes.torsoin", "unknown key", "torsion?"),
    ("com:", "centre:", "links.lower.rigid.centre", "unknown key 'centre'", "keys here are: com"),
    ("{length: 1,", "{", "links.upper.beam.length", "missing key 'length'", "mass, EI"),
    ("mass: 2", "mass: -2", "links.upper.beam.mass", "greater than 0, got -2", ""),
    ("mass: 1", "mass: -1", "links.lower.rigid.mass", "equal to 0, got -1", ""),
    ("mass: 2", "mass: seventy", "links.upper.beam.mass", "be a number, got 'seventy'", ""),
    ("mass: 2", "mass: true", "links.upper.beam.mass", "be a number, got true", ""),
    ("mass: 2", "mass: &m true", "links.upper.beam.mass", "be a number, got true", ""),
    ("mass: 2", "mass: !!bool yes", "links.upper.beam.mass", "be a number, got true", ""),
    ("mass: 2", "mass: .nan", "links.upper.beam.mass", "finite number, got nan", ""),
    ("mass: 2", "mass: -.inf", "links.upper.beam.mass", "finite number, got -inf", ""),
    ("mass: 2", "mass: 1e999", "links.upper.beam.mass", "finite number, got inf", ""),
    ("EI: 10", "EI: 0", "links.upper.beam.EI", "greater than 0, got 0", ""),
    ("EI: 10", "EI: -1", "links.upper.beam.EI", "greater than 0, got -1", ""),
    ("EI: 10", "EI: [1, -1]", "links.upper.beam.EI.1", "greater than 0, got -1", ""),
    ("EI: 10", "EI: [1]", "links.upper.beam.EI", "a number, [root, tip], or a table", ""),
    ("EI: 10", "EI: {x: [0, 1], vale: [1, 1]}", "links.upper.beam.EI.vale", "unknown", "value?"),
    ("EI: 10", "EI: {x: [1, 0], value: [1, 1]}", "links.upper.beam.EI", "x must increase", ""),
    ("EI: 10", "EI: {x: [0, 1], value: [0, 0]}", "links.upper.beam.EI", "zero everywhere", ""),
    ("EI: 10", "E: 10", "links.upper.beam.modes.bending_y", "need the stiffness EI", ""),
    ("[0.1, 0.1, 0.1]", "[1, 2]", "links.lower.rigid.inertia", "[xx, yy, zz]", ""),
    ("[0.1, 0.1, 0.1]", "{xx: 1}", "links.lower.rigid.inertia", "got {xx: 1}", ""),
    ("[0.1, 0.1, 0.1]", "[1, b, 1]", "links.lower.rigid.inertia.1", "a number, got 'b'", ""),
    ("[0.1, 0.1, 0.1]", "[1, 1, -1]", "links.lower.rigid.inertia", "positive definite", "centre"),
    ("[0.1, 0.1, 0.1]", "[1, 1, 1, 5, 0, 0]", "links.lower.rigid.inertia", "moment -4", ""),
    ("[0.1, 0.1, 0.1]", "[[1, 2, 0], [0, 1, 0], [0, 0, 1]]", "", "not symmetric", ""),
    ("bending_y: 2", "bending_y: -1", "links.upper.beam.modes.bending_y", "got -1", ""),
    ("bending_y: 2", "bending_y: two", "", "be a whole number, got 'two'", ""),
    ("bending_y: 2", "bending_y: 1.5", "", "be a whole number, got 1.5", ""),
    ("bending_y: 2", "bending_y: [1]", "", "a whole number, or a mapping", ""),
    ("bending_y: 2", "bending_y: 2, count: 3", "links.upper.beam.modes", "to one field", ""),
    ("bending_y: 2", "bending_y: {cout: 2}", "", "unknown key 'cout'", "count?"),
    ("bending_y: 2", "bending_y: 2, order: [axial]", "", "unknown key 'order'", ""),
    ("bending_y: 2", "bending_y: 2, family: clampd_free", "", "'polynomial'", "clamped_free?"),
    ("bending_y: 2", FUNCTION % "x+1", "", "1 at x = 0; a shape must vanish", ""),
    ("bending_y: 2", FUNCTION % "x**2+", "", "cannot be read; allowed are x, L", ""),
    ("bending_y: 2", FUNCTION % "foo(x)", "", "'foo' is not known; allowed", ""),
    ("bending_y: 2", FUNCTION % "0*x", "links.upper", "moves no inertia", "differ from zero"),
    ("bending_y: 2", "torsion: 1", "links.upper.beam.modes.torsion", "GJ, or G", ""),
    ("EI: 10, modes: {bending_y: 2}", "GJ: 1, modes: {torsion: 1}", "", "polar_inertia", ""),
    ("mass: 2, EI: 10", TUBE, "links.upper.beam.section.wall", "0.05 is too thick", ""),
    ("mass: 2", "mass: 2, density: 1", "links.upper.beam.density", "got mass and density", ""),
    ("child: lower", "child: lowr", "joints.1.child", "names no link: 'lowr'", "lower?"),
    ("parent: upper", "parent: tower", "joints.1.parent", "names no link: 'tower'", ""),
    ("child: upper", "child: upper, parent: lower", "joints.0.parent", "cycle: lower ->", "world"),
    ("parent: upper", "parent: lower", "joints.1.parent", "cycle: lower -> lower", ""),
    ("  lower:", "  upper:", "upper", "duplicate key 'upper'", "once"),
    ("name: b", "name: a", "joints.1.name", "two joints are named 'a'", "rename"),
    ("child: lower", "child: upper", "joints.1.child", "already carried by joint 'a'", "one joint"),
    ("name: b", "name: b, axis: [0, 0, 0]", "joints.1.axis", "the axis is zero", "[0, 0, 1]"),
    ("name: b", "name: b, axis: z", "joints.1.axis", "list of three numbers, got 'z'", ""),
    ("name: b", "name: b, axis: [0, 1]", "joints.1.axis", "three numbers, got [0, 1]", ""),
    ("name: b", "name: b, at: mdi", "joints.1.at", "no station 'mdi'", "did you mean mid?"),
    ("name: b", "name: b.c", "joints.1.name", "no blanks and no dots, got 'b.c'", ""),
    ("name: b, type: revolute", "name: b, type: revolut", "joints.1.type", "", "revolute?"),
    ("name: b, type: revolute", "name: b", "joints.1.type", "missing key 'type'", ""),
    ("name: b", "name: b, friction: 3", "joints.1.friction", "a mapping of keys, got 3", ""),
    ("mid:", "'m d':", "links.upper.stations.m d", "no blanks and no dots, got 'm d'", ""),
    ("x: 0.5", "x: 1.5", "links.upper.stations.mid.x", "beyond the beam's length 1", "0 to 1"),
    ("    stations: {", PAYLOAD, "links.upper.payload.at", "no station 'mdi'", "mid?"),
    ("name: arm", "elastic_kinematics: frst_order", "", "'linearized'", "first_order?"),
    ("name: arm", "elastic_columns: papre", "elastic_columns", "", "paper?"),
    ("name: arm", "elastic_columns: paper", "elastic_columns", "linearised", "linearized"),
    ("name: arm", "actuated: [a]", "actuated", "has no loops", "close a chain"),
    ("name: arm", "guess: {a: 1}", "guess", "has no loops", "close a chain"),
    ("name: arm", "gravity: 9.81", "gravity", "list of three numbers, got 9.81", ""),
    ("name: arm", "supple: 2", "supple", "should be 1, got 2", ""),
    (
        "name: arm",
        "motions: {go: {duration: 1, joints: {c: t}}}",
        "motions.go.joints.c",
        "",
        "a, b",
    ),
    ("name: arm", "motions: {go: {duration: 1, joints: {a: t+}}}", "", "cannot be read", ""),
    ("name: arm", "dh: {convention: saha, rows: [{a: 1}]}", "dh", "not both", ""),
]


def _driven(*cases: tuple[str, str, str, str]) -> list[tuple[str, str, str, str, str]]:
    """Words of joint b, the key of it that is blamed, what is said, what is advised."""
    return [("name: b", f"name: b, {w}", f"joints.1.{key}", a, b) for w, key, a, b in cases]


ELASTIC = "stiffness: 1, rotor_inertia: 1"
CASES += _driven(
    ("drive: 3", "drive", "a mapping of keys, got 3", ""),
    ("drive: {gear_ratio: -2}", "drive.gear_ratio", "greater than 0, got -2", ""),
    ("drive: {gear: 2}", "drive.gear", "unknown key 'gear'", "gear_ratio"),
    ("drive: {stiffness: 1}", "drive.stiffness", "needs an inertia", "rotor_inertia"),
    ("drive: {backlash: 1}", "drive.backlash", "only an elastic gear", "add stiffness"),
    ("drive: {damping: 1}", "drive.damping", "only an elastic gear", "the joint's own"),
    ("drive: {friction: {coulomb: 1}}", "drive.friction", "only an elastic", "add stiffness"),
    ("drive: {speed_limit: 1}", "drive.speed_limit", "fades", "add torque_limit"),
    ("drive: {full_torque_speed: 1}", "drive.full_torque_speed", "belongs", "add speed_limit"),
    (
        "drive: {torque_limit: 1, speed_limit: 2, full_torque_speed: 2}",
        "drive.full_torque_speed",
        "it is 2, not below speed_limit, 2",
        "lower",
    ),
    ("rotor_inertia: 1, drive: {}", "rotor_inertia", "belongs to its drive", "gear ratio"),
    (f"drive: {{{ELASTIC}, friction: {{static: 1}}}}", "drive.friction.static", "stick", "add"),
    ("friction: {static: 1}", "friction.static", "can stick", "add stick: true"),
    ("friction: {stick: 1.5}", "friction.stick", "true or false, got 1.5", ""),
    ("friction: {stick: true}", "friction.stick", "without dry friction", "coulomb"),
    (
        "friction: {stick: true, coulomb: 2, static: 1}",
        "friction.static",
        "static friction is 1, less than coulomb, 2",
        "at least",
    ),
    ("stops: {lower: 1, stiffness: 1}", "stops.upper", "missing key 'upper'", "lower"),
    ("stops: {lower: 0, upper: 1}", "stops.stiffness", "missing key 'stiffness'", "upper"),
    ("stops: {lower: 1, upper: 1, stiffness: 1}", "stops.upper", "leave no room to move", "below"),
    ("stops: {lower: 2, upper: 1, stiffness: 1}", "stops.upper", "is 2, upper 1", "below"),
    ("stops: {lower: 0, upper: 1, stiffness: -1}", "stops.stiffness", "greater than 0", ""),
)
BALL = "name: b, type: spherical"
CASES += [
    ("name: b, type: revolute", f"{BALL}, drive: {{}}", "joints.1.drive", "a drive", "prismatic"),
    (
        "name: b, type: revolute",
        f"{BALL}, stops: {{lower: 0, upper: 1, stiffness: 1}}",
        "joints.1.stops",
        "cannot have stops",
        "revolute and prismatic",
    ),
    (
        "name: b, type: revolute",
        f"{BALL}, friction: {{coulomb: 1, stick: true}}",
        "joints.1.friction.stick",
        "one coordinate",
        "",
    ),
]


CLOSED = """\
name: linkage
links:
  crank: {rigid: {mass: 1, inertia: 1, length: 0.3}}
  coupler: {rigid: {mass: 1, inertia: 1, length: 1}}
  rocker: {rigid: {mass: 1, inertia: 1, length: 0.8}}
  plate: {rigid: {mass: 1, inertia: 1}}
joints:
  - {name: a, type: revolute, child: crank}
  - {name: b, type: revolute, parent: crank, child: coupler}
  - {name: c, type: revolute, child: rocker, origin: {xyz: [0.9, 0, 0]}}
  - {name: d, type: fixed, parent: rocker, child: plate}
loops:
  - {name: pin, type: revolute, between: [coupler.tip, rocker.tip]}
actuated: [a]
guess: {a: 1.0, c: 1.5}
"""
PIN = "{name: pin, type: revolute, between: [coupler.tip, rocker.tip]}"
BOTH = f"{PIN}\n  - {PIN}"

STOPS = "stops: {lower: -0.5, upper: 0.5, stiffness: 1}"

CLOSED_CASES = [
    ("{name: a,", f"{{name: a, {STOPS},", "guess.a", "beyond the stops of 'a'", "-0.5 and 0.5"),
    ("coupler.tip,", "copler.tip,", "loops.0.between.0", "names no link: 'copler'", "coupler?"),
    ("rocker.tip", "rocker.tap", "loops.0.between.1", "'rocker' has no station 'tap'", "tip?"),
    ("rocker.tip", "world.tip", "loops.0.between.1", "'world' has no station", "are: origin"),
    ("rocker.tip", "coupler", "loops.0.between", "closes 'coupler' on itself", "two different"),
    ("coupler.tip", "plate", "loops.0.between", "do not move against each other", "leave"),
    (", rocker.tip]", "]", "loops.0.between", "a list of two stations, got ['coupler.tip']", ""),
    ("rocker.tip", "5", "loops.0.between.1", "should be text, got 5", ""),
    (PIN, BOTH, "loops.1.name", "two loops are named 'pin'", "rename"),
    ("pin, type: revolute", "pin, type: hinge", "loops.0.type", "'universal'", ""),
    ("pin, type: revolute", "pin, type: floating", "loops.0.type", "got 'floating'", ""),
    ("pin, type: revolute", "pin", "loops.0.type", "missing key 'type'", ""),
    ("name: pin,", "name: pin, axis: [0, 0, 0],", "loops.0.axis", "axis is zero", ""),
    (
        "name: pin, type: revolute",
        "name: pin, type: spherical, axis: [1, 0, 0]",
        "loops.0.axis",
        "a spherical loop cannot have axis",
        "planar loops can",
    ),
    (
        "name: pin, type: revolute",
        "name: pin, type: prismatic, second_axis: [1, 0, 0]",
        "loops.0.second_axis",
        "a prismatic loop cannot have second_axis",
        "revolute, cylindrical and planar",
    ),
    ("name: pin,", "name: pin, axes: [1, 0, 0],", "loops.0.axes", "unknown key 'axes'", "axis?"),
    ("length: 1}", "length: 9}", "loops.0", "pin stays open by 7", "lengths"),
    ("actuated: [a]", "actuated: [e]", "actuated.0", "no joint named 'e'", "joints are: a, b, c"),
    ("actuated: [a]", "actuated: [a, b, a]", "actuated.2", "'a' is named twice", "once"),
    ("actuated: [a]", "actuated: [d]", "actuated.0", "'d' is fixed", ""),
    ("actuated: [a]", "actuated: a", "actuated", "should be a list, got 'a'", ""),
    ("guess: {a:", "guess: {e:", "guess.e", "no joint named 'e'", "coordinates are: a, b, c"),
    ("{a: 1.0", "{a: [1, 2]", "guess.a", "has one; got 2 numbers", ""),
    ("{a: 1.0", "{a: much", "guess.a", "be a number, got 'much'", ""),
    ("{a: 1.0", "{a: 1e12", "guess.a", "the guess is 1e+12, beyond 1e+09", ""),
    ("{a: 1.0", "{a: .inf", "guess.a", "finite number, got inf", ""),
]


def told_once(path, text, key, message, help):
    """The file with this text has one fault, with these words at this place."""
    path.write_text(text)
    with pytest.raises(ModelError) as error:
        supple.load(path)
    (fault,) = error.value.faults
    assert key in ("", fault.key)
    assert message in fault.message
    assert help in fault.help
    assert fault.text == path.read_text().splitlines()[fault.line - 1]
    assert "pec" not in fault.message  # no word of pydantic's, such as LinkSpec


@pytest.mark.parametrize(("old", "new", "key", "message", "help"), CASES)
def test_a_wrong_word_is_told_once_with_its_place(tmp_path, old, new, key, message, help):
    told_once(tmp_path / "arm.yaml", ARM.replace(old, new, 1), key, message, help)


@pytest.mark.parametrize(("old", "new", "key", "message", "help"), CLOSED_CASES)
def test_a_wrong_word_of_a_loop_is_told_once_with_its_place(tmp_path, old, new, key, message, help):
    assert old in CLOSED
    told_once(tmp_path / "linkage.yaml", CLOSED.replace(old, new, 1), key, message, help)


TEXTS = {
    "": "the file is empty",
    "# only a comment\n": "the file is empty",
    "- 1\n- 2\n": "got a list",
    "hello\n": "got 'hello'",
    "42\n": "got '42'",
    "name: x\n": "at least one link",
    "links: {a: [}\n": "not valid YAML",
    "links:\n\tupper: 1\n": "a tab cannot indent",
    "name: *x\n": "undefined alias 'x'",
    "name: a\n---\nname: b\n": "one document",
    "a: " + "[" * 1000 + "]" * 1000: "nested too deeply",
    "a: " + "[" * 100 + "]" * 100: "nested too deeply",
    "links: {}\nname: \x00\n": "special characters are not allowed",
    "links:\njoints: []\n": "mapping of keys, got nothing",
    "dh: {convention: saha, rows: []}\n": "list of at least 1, got []",
    "dh: {convention: saha, rows: [{mass: 1, com: [1, 0, 0]}]}\n": "convention has no 'com'",
    "dh: {convention: craig, rows: [{mass: 1}]}\n": "'saha', 'standard' or 'modified'",
    "dh: {convention: saha, rows: [{mass: 1, inertia: [1, 1, -1]}]}\n": "positive definite",
    "dh: {convention: saha, rows: [{name: a}, {name: a}]}\n": "two links are named 'a'",
    "links: {a: {}}\njoints: [{type: revolute, child: a}]\n": "moves no inertia",
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_file_that_is_no_model_is_told_once(tmp_path, text):
    path = tmp_path / "arm.yaml"
    path.write_text(text)
    with pytest.raises(ModelError) as error:
        supple.load(path)
    (fault,) = error.value.faults
    assert TEXTS[text] in fault.message
    assert str(error.value).endswith("1 error; nothing was run. See supple help model.")


def test_aliases_that_multiply_are_refused(tmp_path):
    rows = ["a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    rows += [f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]" for a, b in pairwise("abcdefgh")]
    (tmp_path / "bomb.yaml").write_text("\n".join(rows))
    with pytest.raises(ModelError, match="aliases multiply"):
        supple.load(tmp_path / "bomb.yaml")


def test_junk_a_folder_and_nothing_are_refused(tmp_path):
    (tmp_path / "junk.yaml").write_bytes(random.Random(0).randbytes(10_000_000))
    (tmp_path / "binary.yaml").write_bytes(random.Random(0).randbytes(LARGEST // 2))
    with pytest.raises(ModelError, match=r"larger than 0\.2 MB, the most a model file may have"):
        supple.load(tmp_path / "junk.yaml")
    with pytest.raises(ModelError, match="not text"):
        supple.load(tmp_path / "binary.yaml")
    with pytest.raises(ModelError, match="folder"):
        supple.load(tmp_path)
    with pytest.raises(ModelError, match="No such file"):
        supple.load(tmp_path / "none.yaml")


@pytest.mark.parametrize("name", ["a\0b", "a\0b.yaml", "a" * 300, "a" * 300 + ".yaml", ""])
def test_a_name_that_no_file_can_have_is_refused(name):
    with pytest.raises(ModelError) as error:
        supple.load(name)
    assert "\0" not in str(error.value)
    assert len(error.value.faults) == 1


@pytest.mark.parametrize("bad", [None, 5, b"puma", ["puma"], {"links": {}}])
def test_only_a_name_or_a_path_is_loaded(bad):
    with pytest.raises(InputError, match=r"supple\.load takes the name of .*supple\.build"):
        supple.load(bad)


def test_an_unknown_shipped_robot_names_the_near_one():
    with pytest.raises(ModelError, match="no robot and no file named 'canadram'") as error:
        supple.load("canadram")
    assert error.value.faults[0].help == "did you mean canadarm?"
    with pytest.raises(ModelError, match=r"shipped robots: canadarm, .*stanford"):
        supple.load("zzz")


SEVERAL = """\
name: arm
gravity: [0, 0]
links:
  upper:
    beam: {length: -3.0, mass: two, EI: [1, -1], modes: {bending_y: 2, torsoin: 1}}
  lower:
    rigid: {mass: 1, inertia: [1, 1, -1]}
joints:
  - {name: a, type: revolut, child: upper}
  - {name: b, type: revolute, parent: uper, child: lower}
"""


def test_all_faults_of_a_file_are_told_at_once_in_its_order():
    from supple.model.yaml import parse

    with pytest.raises(ModelError) as error:
        supple.build(parse(SEVERAL, "arm.yaml"))
    assert [fault.key for fault in error.value.faults] == [
        "gravity",
        "links.upper.beam.length",
        "links.upper.beam.mass",
        "links.upper.beam.EI.1",
        "links.upper.beam.modes.torsoin",
        "links.lower.rigid.inertia",
        "joints.0.type",
        "joints.1.parent",
    ]
    assert error.value.summary == "arm.yaml: 8 errors; nothing was run."


def test_the_look_of_a_fault():
    from supple.model.yaml import parse

    with pytest.raises(ModelError) as error:
        supple.build(parse(ARM.replace("bending_y: 2", "bending_y: 2, torsoin: 1"), "arm.yaml"))
    assert str(error.value) == (
        "error: unknown key 'torsoin'\n"
        "  --> arm.yaml:4:62  (links.upper.beam.modes.torsoin)\n"
        "   4 |     beam: {length: 1, mass: 2, EI: 10, modes: {bending_y: 2, torsoin: 1}}\n"
        "     |" + " " * 62 + "^  help: did you mean torsion?\n"
        "\n"
        "arm.yaml: 1 error; nothing was run. See supple help model."
    )


def test_the_caret_stands_under_the_key_after_wide_letters_and_on_long_lines():
    from supple.errors import Fault

    wide = Fault("m", (), 1, 4, "腕: x").lines("f")
    assert wide[3].index("^") == len("     | ") + 4
    long = Fault("m", (), 1, 3001, "a" * 3000 + "Xb\x1b[31m" + "c" * 3000).lines("f")
    assert long[2][long[3].index("^")] == "X"
    assert len(long[2]) < 160
    assert "\x1b" not in long[2]


def test_anchors_merge_keys_and_unicode_names_work():
    from supple.model.yaml import parse

    text = ARM.replace("  upper:\n", "  upper: &u\n").replace("lower", "腕")
    text = text.replace("joints:\n", "  größe: {<<: *u}\njoints:\n")
    text += "  - {name: c, type: prismatic, parent: 腕, child: größe}\n"
    robot = supple.build(parse(text))
    assert robot.coordinate_names[-2:] == ("größe.bending_y1", "größe.bending_y2")
    with pytest.raises(ModelError) as error:  # the anchor's fault is told once
        supple.build(parse(text.replace("mass: 2", "mass: -2")))
    assert len(error.value.faults) == 1


def test_a_fault_in_what_is_merged_is_shown_once_where_it_is_written():
    from supple.model.yaml import parse

    text = ARM.replace("  upper:\n", "  upper: &u\n    beems: 1\n")
    text = text.replace("joints:\n", "  other: {<<: *u}\njoints:\n")
    with pytest.raises(ModelError) as error:
        supple.build(parse(text))
    (line,) = (i for i, words in enumerate(text.splitlines(), start=1) if "beems" in words)
    faults = [(x.line, x.column, x.message) for x in error.value.faults]
    assert [x for x in faults if "beems" in x[2]] == [(line, 5, "unknown key 'beems'")]


def test_an_unknown_key_does_not_hide_a_cycle_of_joints() -> None:
    bar = {"rigid": {"mass": 1, "inertia": 0.1}}
    joints = [{"type": "revolute", "child": c, "parent": p} for c, p in ("ab", "ba")]
    with pytest.raises(ModelError) as caught:
        supple.build({"links": {"a": bar, "b": bar}, "joints": joints, "gravityy": 1})
    first, second = (fault.message for fault in caught.value.faults)
    assert "unknown key 'gravityy'" in first
    assert "the joints form a cycle" in second
