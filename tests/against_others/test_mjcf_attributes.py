"""Every attribute of MJCF that MuJoCo's schema lists, and what becomes of it: none that changes the
equations of motion is passed over in silence."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import pytest

import supple
from supple.errors import ModelError

mujoco = pytest.importorskip("mujoco", reason="MuJoCo has no wheel for this machine")

PLACE = "axisangle euler pos quat xyaxes zaxis"
SOLVER = """timestep integrator solver cone jacobian iterations tolerance ls_iterations ls_tolerance
noslip_iterations noslip_tolerance ccd_iterations ccd_tolerance sdf_initpoints sdf_iterations
impratio sleep_tolerance"""
TOUCH = """contype conaffinity condim friction solref solimp solmix margin gap priority adhesion
surfacevel"""
LOOKS = "group user rgba material castshadow"
NAMES = "name class"
TENDON = "stiffness damping frictionloss limited range armature springyield"
LIMITS = "solreflimit solimplimit margin"
ANY = "*"
FATE: dict[str, dict[str, str]] = {
    "option": {
        "read": "gravity",
        "refused": "density viscosity",
        "noted": "actuatorgroupdisable",  # actuators are
        "without effect": f"wind magnetic o_friction o_margin o_solimp o_solref {SOLVER}",
    },
    "option/flag": {
        "read": "constraint equality frictionloss limit spring damper gravity passive contact",
        "noted": "actuation",
        "without effect": """autoreset clampctrl diagexact energy eulerdamp filterparent fwdinv
            invdiscrete ipc island midphase multiccd nativeccd override refsafe sensor sleep
            speculative warmstart""",
    },
    "compiler": {"read": ANY},  # by MuJoCo's own compiler
    "joint": {
        "read": f"""type axis pos ref springref stiffness damping armature frictionloss springdamper
            {NAMES}""",
        "refused": "springyield",
        "noted": "range limited solreffriction solimpfriction actuatorfrclimited actuatorfrcrange",
        "without effect": f"group user {LIMITS} actuatorgravcomp",  # of bodies that are refused
    },
    "freejoint": {"read": "name align", "without effect": "group"},
    "geom": {
        "read": f"{PLACE} {NAMES} mass density shellinertia type size fromto mesh fitscale",
        "noted": f"{TOUCH} hfield",
        "without effect": f"{LOOKS} fluidshape fluidcoef",  # of fluids, which are refused
    },
    "inertial": {"read": f"{PLACE} mass diaginertia fullinertia"},
    "body": {
        "read": f"{PLACE} name childclass fuse",
        "refused": "gravcomp",
        "without effect": "mocap simple sleep user",
    },
    "equality/connect": {
        "read": f"{NAMES} body1 body2 anchor active",
        "refused": "site1 site2",
        "noted": "solref solimp",
    },
    "equality/joint": {
        "read": f"{NAMES} joint1 joint2 polycoef active",
        "noted": "solref solimp",
    },
    "equality/weld": {"refused": ANY},
    "equality/tendon": {"refused": ANY},
    "equality/flex": {"refused": ANY},
    "equality/flexvert": {"refused": ANY},
    "equality/flexstrain": {"refused": ANY},
    "tendon": {
        "refused": TENDON,
        "without effect": f"""{NAMES} {LOOKS} width springlength {LIMITS} solreffriction
            solimpfriction actuatorfrclimited actuatorfrcrange""",
    },
    "actuator": {"read": f"{NAMES} armature damping gear joint jointinparent", "noted": ANY},
}
FATES = {
    "tendon/spatial": "tendon",
    "tendon/fixed": "tendon",
    "default/equality": "equality/connect",
    "default/tendon": "tendon",
    "(world)body": "body",
    "(world)body/inertial": "inertial",
    "(world)body/joint": "joint",
    "(world)body/freejoint": "freejoint",
    "(world)body/geom": "geom",
    "default/joint": "joint",
    "default/geom": "geom",
}


def schema() -> dict[str, set[str]]:
    """Attributes by path of the element, from the library's own print of its schema."""
    found = sorted(Path(mujoco.__file__).parent.glob("libmujoco*"))
    if not found:
        pytest.skip("MuJoCo's library is not beside its package")
    text = ctypes.create_string_buffer(1_000_000)
    ctypes.CDLL(str(found[0])).mj_printSchema(None, text, len(text), 0, 1)
    out: dict[str, set[str]] = {}
    path: list[str] = []
    for line in text.value.decode().replace("&nbsp;", " ").splitlines():
        head = re.match(r"( *)(\S+) \([*?!R]\)(.*)", line)
        if head:
            path = [*path[: len(head[1]) // 3], head[2]]
        rest = (head[3] if head else line).split()
        out.setdefault("/".join(path[1:]), set()).update(rest)
    return out


def test_what_becomes_of_every_attribute_is_known() -> None:
    known, seen = schema(), 0
    for path, attributes in known.items():
        of = FATES.get(path, path)
        of = "actuator" if of.startswith("actuator/") and of.count("/") == 1 else of
        if of not in FATE:
            continue
        told = " ".join(FATE[of].values()).split()
        assert ANY in told or attributes <= set(told), (path, attributes - set(told))
        seen += 1
    assert seen > 30
    sections = {path for path in known if path.startswith(("equality/", "tendon/"))}
    assert {p for p in sections if p.count("/") == 1} <= {*FATE, *FATES}


MODEL = """<mujoco><option {option}/><worldbody>
<geom name="floor" type="plane" size="1 1 1" {floor}/>
<body name="a" {body}><joint name="j" axis="0 1 0" {joint}/>
<geom size=".1" {geom}/>
<body name="b" pos="0 0 1"><joint name="ball" type="ball" {ball}/><geom size=".1" {geom}/>
<site name="s"/><body name="c" pos="0 0 1"><joint name="k" type="slide"/>
<geom size=".1" {geom}/><site name="t"/></body></body></body>
<body name="free"><joint type="free" {free}/><geom size=".1" {geom}/></body></worldbody><tendon>
<fixed name="T" {tendon}><joint joint="j" coef="2"/><joint joint="k" coef="1"/></fixed></tendon>
<equality>{equality}</equality><actuator>{actuator}</actuator></mujoco>"""
SLOTS = (
    "option",
    "floor",
    "body",
    "joint",
    "geom",
    "ball",
    "free",
    "tendon",
    "equality",
    "actuator",
)
OFF = 'contype="0" conaffinity="0"'
REFUSED = (
    ("option", 'density="1"'),
    ("option", 'viscosity="1"'),
    ("body", 'gravcomp="1"'),
    ("joint", 'stiffness="2" springyield="3"'),
    ("joint", 'stiffness="2 1"'),
    ("joint", 'damping="2 1"'),
    ("ball", 'stiffness="2"'),
    ("ball", 'armature="2"'),
    ("free", 'stiffness="2"'),
    ("free", 'frictionloss="2"'),
    ("equality", '<connect site1="s" site2="t"/>'),
    ("equality", '<weld body1="a" body2="c"/>'),
    ("equality", '<joint joint1="j" joint2="k" polycoef="0 1 1 0 0"/>'),
    ("equality", '<joint joint1="j"/>'),
    ("equality", '<tendon tendon1="T"/>'),
    ("actuator", '<motor tendon="T" armature="1"/>'),
    ("actuator", '<motor tendon="T" damping="1"/>'),
    ("actuator", '<motor joint="ball" armature="1"/>'),
    ("actuator", '<motor joint="j" damping="1 2"/>'),
    *(("tendon", f'{name}="1"') for name in ("stiffness", "damping", "frictionloss", "armature")),
    ("tendon", 'limited="true" range="0 1"'),
)
NOTED = (
    ("geom", 'friction="2"', "contacts are not read"),
    ("joint", 'limited="true" range="-1 1"', "1 joints have ranges, which do not act"),
    ("joint", 'frictionloss="1" solreffriction="0.1 1"', "dry frictions are rigid: solref"),
    (
        "equality",
        '<joint joint1="j" joint2="k" solref="0.1 1"/>',
        "equalities hold rigidly: solref",
    ),
    ("actuator", '<position joint="j" kp="2"/>', "1 actuators are not read: .*; 1 of them act on"),
    ("actuator", '<motor joint="j"/>', "1 actuators are not read: torques act on joints$"),
)


def load(folder: Path, slot: str, words: str) -> supple.Robot:
    file = folder / "m.xml"
    still = {"geom": OFF, "floor": OFF}
    file.write_text(MODEL.format(**dict.fromkeys(SLOTS, "") | still | {slot: words}))
    return supple.load(file)


@pytest.mark.parametrize(("slot", "words"), REFUSED)
def test_what_acts_and_has_no_place_is_refused(tmp_path: Path, slot: str, words: str) -> None:
    with pytest.raises(ModelError, match="not taken over"):
        load(tmp_path, slot, words)


@pytest.mark.parametrize(("slot", "words", "note"), NOTED)
def test_what_acts_in_runs_of_mujoco_alone_is_noted(
    tmp_path: Path, slot: str, words: str, note: str
) -> None:
    quiet = load(tmp_path, "option", "").notes
    assert not quiet
    assert [n for n in load(tmp_path, slot, words).notes if re.search(note, n)]
