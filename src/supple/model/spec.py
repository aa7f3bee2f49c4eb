"""The words of a model file: what keys there are and what each may hold."""

from __future__ import annotations

import ast
import math
import operator
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Strict,
    Tag,
    create_model,
    model_validator,
)

from ..bodies import FIELDS
from ..elastic_kinematics import DEFAULT, KINEMATICS
from ..finite_elements.limits import MOST_SHAPES
from ..finite_elements.methods import DEFAULT_METHOD, LOAD_PATTERN, METHODS
from ..joints import KINDS
from ..modes import SCALES
from ..modes.families import FAMILIES, options_of

T = TypeVar("T")

_OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def number(value: T) -> T | str | float:
    """Numbers may be written as arithmetic with pi and deg: `pi/2`, `-30*deg`."""
    if isinstance(value, bool):
        return str(value).lower()  # pydantic would take true for 1
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        return math.inf if value > 0 else -math.inf
    if not isinstance(value, str) or not value.strip():
        return value

    def walk(node: ast.AST) -> float:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return float(node.value)
        if isinstance(node, ast.Name) and node.id in ("pi", "deg"):
            return math.pi if node.id == "pi" else math.pi / 180.0
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            inner = walk(node.operand)
            return -inner if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return float(_OPERATORS[type(node.op)](walk(node.left), walk(node.right)))
        raise ValueError

    try:
        return walk(ast.parse(value.strip(), mode="eval").body)
    except (ValueError, SyntaxError, ArithmeticError, RecursionError, MemoryError):
        return value  # pydantic then says that it is not a number


Number = Annotated[float, BeforeValidator(number), Field(allow_inf_nan=False)]
Positive = Annotated[Number, Field(gt=0)]
NotNegative = Annotated[Number, Field(ge=0)]


def _listed(count: int, what: str) -> BeforeValidator:
    """The value must be a list of so many items; `what` says so in words."""

    def check(value: T) -> T:
        if not (isinstance(value, list | tuple) and len(value) == count):
            raise ValueError(f"input should be {what}")
        return value

    return BeforeValidator(check)


Vector = Annotated[list[Number], _listed(3, "a list of three numbers")]
Count = Annotated[int, Strict(), Field(ge=0, le=60)]
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\s.]+(\.\d[^\s.]*)*$")]

MESH = r"(?i)\.(stl|obj|dae|ply|gltf|glb)$"
"""How the name of a mesh ends."""

VISUAL_SHAPES = ("mesh", "box", "cylinder", "capsule", "sphere")

ALONG_AXIS = [name for name, kind in KINDS.items() if kind.has_axis and len(kind.axes) == 1]
"""Joints that turn about an axis or slide along it: those that a table may have."""

CLOSING = [name for name, kind in KINDS.items() if len(kind.axes) < 6]
"""Joints that leave something closed: those that a loop may have."""

if TYPE_CHECKING:  # words out of registers, which a type checker does not read
    JointName = str
    RowJointName = str
    LoopJointName = str
    Coordinates = str
    FamilyName = str
    ScaleName = str
    KinematicsName = str
    MethodName = str
else:
    JointName, RowJointName = Literal[*KINDS], Literal[*ALONG_AXIS]
    LoopJointName = Literal[*CLOSING]
    Coordinates = Literal[
        "quaternion", *(name for kind in KINDS.values() for name in kind.as_turns)
    ]
    FamilyName, ScaleName = Literal[*FAMILIES], Literal[*SCALES]
    KinematicsName = Literal[*KINEMATICS]
    MethodName = Literal[*METHODS]


class Spec(BaseModel):
    """Base of all: unknown keys, infinities and NaN are faults. Validators are built when they are
    first needed, once."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)


class Table(Spec):
    """A property tabulated along the beam, linear in between."""

    x: Annotated[list[Number], Field(min_length=2)]
    value: Annotated[list[NotNegative], Field(min_length=2)]

    @model_validator(mode="after")
    def _same_length(self) -> Table:
        if len(self.x) != len(self.value):
            raise ValueError(f"x has {len(self.x)} entries and value {len(self.value)}")
        if any(b <= a for a, b in zip(self.x, self.x[1:], strict=False)):
            raise ValueError("x must increase")
        if not any(self.value):
            raise ValueError("value is zero everywhere")
        return self


def _one_of(kind: Callable[[object], str | None], allowed: str) -> Discriminator:
    """Which way of writing a value was meant, so that only its faults are told."""
    return Discriminator(kind, custom_error_type="shape", custom_error_message=allowed)


def _guess_kind(value: object) -> str | None:
    return "<list>" if isinstance(value, list | tuple) else "<number>"


def _along_kind(value: object) -> str | None:
    if isinstance(value, list | tuple):
        return "<list>" if len(value) == 2 else None
    return "<table>" if isinstance(value, dict | Table) else "<number>"


def _inertia_kind(value: object) -> str | None:
    if not isinstance(value, list | tuple):
        return None if isinstance(value, dict) else "<number>"
    rows = len(value) == 3 and any(isinstance(row, list | tuple) for row in value)
    return "<rows>" if rows else {3: "<list>", 6: "<list>"}.get(len(value))


def _count_kind(value: object) -> str | None:
    if isinstance(value, list | tuple):
        return None
    return "<options>" if isinstance(value, dict | FieldModes) else "<number>"


TAGS = ("<number>", "<list>", "<table>", "<rows>", "<options>")
Along = Annotated[
    Annotated[Positive, Tag("<number>")]
    | Annotated[list[Positive], Tag("<list>")]
    | Annotated[Table, Tag("<table>")],
    _one_of(_along_kind, "input should be a number, [root, tip], or a table with x and value"),
]
"""A number, [root, tip] for a linear taper, or a table {x: [...], value: [...]}."""

Inertia = Annotated[
    Annotated[NotNegative, Tag("<number>")]
    | Annotated[list[Number], Tag("<list>")]
    | Annotated[list[Vector], Tag("<rows>")],
    _one_of(
        _inertia_kind,
        "input should be a number, [xx, yy, zz], [xx, yy, zz, xy, xz, yz], or three rows of three",
    ),
]
"""A number (the same about every axis), [xx, yy, zz], [xx, yy, zz, xy, xz, yz], or rows."""


def _limit_kind(value: object) -> str | None:
    return "<options>" if isinstance(value, dict) else "<number>"


Target = Annotated[
    Annotated[Number, Tag("<number>")]
    | Annotated[list[Number], _listed(2, "[first, last]"), Tag("<list>")],
    _one_of(_guess_kind, "input should be a number, or [first, last]"),
]
"""The last place of a joint, or its first and its last."""

Limit = Annotated[
    Annotated[Positive, Tag("<number>")] | Annotated[dict[str, Positive], Tag("<options>")],
    _one_of(_limit_kind, "input should be a number, or a mapping of joints to numbers"),
]
"""A number for all joints, or one for each."""

Guess = Annotated[
    Annotated[Number, Tag("<number>")] | Annotated[list[Number], Tag("<list>")],
    _one_of(_guess_kind, "input should be a number, or a list of numbers"),
]
"""A number, or a list of them for a joint of several coordinates."""


class Section(Spec):
    """A cross-section by its dimensions; a two-number list tapers from root to tip."""

    shape: Literal["circle", "tube", "rectangle", "box"]
    diameter: Along | None = None
    wall: Along | None = None
    width: Along | None = None  # along y
    height: Along | None = None  # along z


HOLDS: dict[str, Any] = {"number": Number, "not_negative": NotNegative, "formulas": list[str]}


def _family_options() -> dict[str, Any]:
    """The options of all families, none of which must be given."""
    found = {key: option for name in FAMILIES for key, option in options_of(name).items()}
    holds = {key: option.metadata["holds"] for key, option in found.items()}
    types = {k: Literal[h] if isinstance(h, tuple) else HOLDS[h] for k, h in holds.items()}
    return {key: (kind | None, None) for key, kind in types.items()}


FamilyOptions: Any = create_model("FamilyOptions", __base__=Spec, **_family_options())


class FieldModes(FamilyOptions):
    """Mode shapes of one elastic field."""

    count: Count = 1
    family: FamilyName | None = None
    scale: ScaleName | None = None


ModeCount = Annotated[
    Annotated[Count, Tag("<number>")] | Annotated[FieldModes, Tag("<options>")],
    _one_of(_count_kind, "input should be a whole number, or a mapping with count, family, ..."),
]
_COUNTS: dict[str, Any] = dict.fromkeys(FIELDS, (ModeCount | None, None))
FieldCounts: Any = create_model("FieldCounts", __base__=FieldModes, **_COUNTS)


class Modes(FieldCounts):
    """How a beam bends: how many shapes of which fields; the other keys hold for all of them.

    Coordinates follow the order in which the fields stand in the file.
    """

    order: Annotated[list[str], Field(exclude=True, alias="<order>")] = []

    @model_validator(mode="before")
    @classmethod
    def _keep_order(cls, data: object) -> object:
        if isinstance(data, dict) and "count" in data:
            raise ValueError("count belongs to one field, e.g. bending_y: 2")
        if isinstance(data, dict):
            return {**data, "<order>": [key for key in data if key in FIELDS]}
        return data


class Damping(Spec):
    """Damping: a ratio for each mode of the link clamped at its joint with its payload, Rayleigh's
    a M + b K of the beam or part itself, or both, which add up."""

    ratio: Annotated[NotNegative, Field(lt=1)] = 0.0
    rayleigh: Annotated[list[NotNegative], _listed(2, "a list of two numbers, [a, b]")] = [0.0, 0.0]


class BeamSpec(Spec):
    """An Euler-Bernoulli beam along its own x axis."""

    length: Positive
    start: Vector = [0.0, 0.0, 0.0]
    rpy: Vector = [0.0, 0.0, 0.0]
    mass: Positive | None = None
    mass_per_length: Along | None = None
    density: Positive | None = None
    added_mass_per_length: Along | None = None
    area: Along | None = None
    section: Section | None = None
    EI: Along | None = None
    EIy: Along | None = None
    EIz: Along | None = None
    E: Positive | None = None
    I: Along | None = None  # noqa: E741
    Iy: Along | None = None
    Iz: Along | None = None
    GJ: Along | None = None
    G: Positive | None = None
    J: Along | None = None
    nu: Annotated[Number, Field(gt=-1, lt=0.5)] | None = None
    EA: Along | None = None
    polar_inertia: Along | None = None
    rotary_inertia: bool | None = None
    modes: Modes = Modes()
    damping: Damping = Damping()
    tip_angle: Literal["slope", "chord"] = "slope"


def _node_set(value: object) -> object:
    """Whole numbers; a name is left to the mesh to know."""
    one = isinstance(value, int) and not isinstance(value, bool)
    if one or isinstance(value, str):
        return value
    many = value if isinstance(value, list | tuple) else ()
    if many and all(isinstance(x, int) and not isinstance(x, bool) for x in many):
        return list(many)
    raise ValueError("input should be a node's number, a list of them, or the name of a node set")


NodeSet = Annotated[int | list[int] | str, BeforeValidator(_node_set)]
"""A node's number, a list of them, or the name of a node set."""

FileName = Annotated[str, Field(min_length=1, max_length=400)]
Load = Annotated[str, Field(pattern=LOAD_PATTERN)]


class FileUnits(Spec):
    """The units that matrices and nodes are in, in metres and kilograms; time is in seconds."""

    length: Positive = 1.0
    mass: Positive = 1.0


class BodySpec(Spec):
    """A part from a finite-element program: Standard Input Data, or matrices reduced here. Its
    origin, the middle of its root, is the link's, moved by start; its axes are turned by rpy."""

    file: FileName
    mass: FileName | None = None
    nodes: FileName | None = None
    freedoms: FileName | None = None
    root: NodeSet | None = None
    stations: dict[Name, NodeSet] = {}
    method: MethodName = DEFAULT_METHOD
    modes: Count | None = None
    keep: Annotated[int, Strict(), Field(ge=1, le=MOST_SHAPES)] | None = None
    damping: Damping | None = None
    stiffening: dict[Load, FileName] = {}
    units: FileUnits = FileUnits()
    start: Vector = [0.0, 0.0, 0.0]
    rpy: Vector = [0.0, 0.0, 0.0]


class MassSpec(Spec):
    """Mass, mass centre and inertia about it."""

    mass: NotNegative = 0.0
    com: Vector = [0.0, 0.0, 0.0]
    inertia: Inertia | None = None


class RigidSpec(MassSpec):
    """A rigid link; `tip` (or `length` along x) says where the next joint sits."""

    length: Positive | None = None
    tip: Vector | None = None
    tip_rpy: Vector = [0.0, 0.0, 0.0]


class PayloadSpec(MassSpec):
    """A body fixed to a station; com and inertia in the station's axes."""

    mass: Positive
    at: str | None = None


class StationSpec(Spec):
    """A named point: on a beam at `x`, then `offset` and `rpy` in the section's axes."""

    x: NotNegative | None = None
    offset: Vector = [0.0, 0.0, 0.0]
    rpy: Vector = [0.0, 0.0, 0.0]


class Origin(Spec):
    """Placement in the parent station's frame."""

    xyz: Vector = [0.0, 0.0, 0.0]
    rpy: Vector = [0.0, 0.0, 0.0]


class VisualSpec(Spec):
    """What a link looks like: one shape, or a mesh, placed in the link's axes."""

    mesh: Annotated[str, Field(max_length=1000, pattern=MESH)] | None = None
    scale: Vector = [1.0, 1.0, 1.0]
    box: Vector | None = None
    cylinder: Annotated[list[Positive], _listed(2, "a list of two numbers")] | None = None
    capsule: Annotated[list[Positive], _listed(2, "a list of two numbers")] | None = None
    sphere: Positive | None = None
    origin: Origin = Origin()
    color: Annotated[list[NotNegative], _listed(4, "a list of four numbers")] | None = None
    collision: bool = False

    @model_validator(mode="after")
    def _one_shape(self) -> VisualSpec:
        given = [key for key in VISUAL_SHAPES if getattr(self, key) is not None]
        if len(given) != 1:
            many = " and ".join(given) or "none"
            raise ValueError(f"a visual has one of {', '.join(VISUAL_SHAPES)}; given: {many}")
        return self


class LinkSpec(Spec):
    """A link: rigid parts, and a beam or a body of finite elements."""

    rigid: RigidSpec | None = None
    beam: BeamSpec | None = None
    body: BodySpec | None = None
    hub: MassSpec | None = None
    payload: PayloadSpec | None = None
    stations: dict[Name, StationSpec] = {}
    visuals: list[VisualSpec] = []


class Friction(Spec):
    """Coulomb + viscous; the sign function is tanh(rate / smoothing)."""

    coulomb: NotNegative = 0.0
    viscous: NotNegative = 0.0
    smoothing: Positive = 1e-3
    stick: bool = False
    static: NotNegative | None = None


class DriveSpec(Spec):
    """A motor and its gear. Data of the motor (rotor, limits, friction) are as seen at the
    motor; data of the gear (stiffness, damping, backlash) as seen at the joint. With a
    stiffness the gear is elastic, and the motor's angle is a coordinate of its own, JOINT.motor.
    """

    gear_ratio: Positive = 1.0
    rotor_inertia: NotNegative = 0.0
    stiffness: Positive | None = None
    damping: NotNegative = 0.0
    backlash: NotNegative = 0.0
    friction: Friction = Friction()
    torque_limit: Positive | None = None
    speed_limit: Positive | None = None
    full_torque_speed: NotNegative | None = None


class StopsSpec(Spec):
    """Compliant stops of a joint: beyond them a spring pushes back."""

    lower: Number
    upper: Number
    stiffness: Positive
    damping: NotNegative = 0.0


class Passive(Spec):
    """What acts on a joint by itself."""

    stiffness: NotNegative = 0.0
    rest: Number = 0.0
    damping: NotNegative = 0.0
    friction: Friction = Friction()
    rotor_inertia: NotNegative = 0.0
    drive: DriveSpec | None = None
    stops: StopsSpec | None = None


class LimitsSpec(Spec):
    """The range of a joint, and the most its motor gives. They are kept and shown, and do not act:
    stops and a drive's torque_limit do."""

    lower: Number | None = None
    upper: Number | None = None
    effort: NotNegative | None = None
    velocity: NotNegative | None = None


class MimicSpec(Spec):
    """A joint without a motor of its own, tied to another: q = ratio q_other + offset."""

    joint: str
    ratio: Number = 1.0
    offset: Number = 0.0


class JointSpec(Passive):
    """A joint: it carries `child` at station `at` of `parent`."""

    type: JointName
    child: str
    parent: str = "world"
    name: Name | None = None
    at: str | None = None
    axis: Vector = [0.0, 0.0, 1.0]
    origin: Origin = Origin()
    coordinates: Coordinates = "quaternion"
    limits: LimitsSpec | None = None
    mimic: MimicSpec | None = None

    @property
    def label(self) -> str:
        """Its name; of one without, that of its link."""
        return self.name or f"{self.child}_joint"


class RowBeam(BeamSpec):
    """A beam in a row of a table, which says where it starts, how it is turned and how long it
    is: `length` may be left out, `start` and `rpy` are not to be given."""

    length: Positive | None = None  # type: ignore[assignment]


class DHRow(Passive):
    """One link of a Denavit-Hartenberg table: rigid by mass, r or com, and inertia; or bending
    by beam, with hub."""

    name: Name | None = None
    joint: RowJointName = ALONG_AXIS[0]
    a: Number = 0.0
    alpha: Number = 0.0
    b: Number = 0.0
    theta: Number = 0.0
    mass: NotNegative = 0.0
    r: Vector | None = None
    com: Vector | None = None
    inertia: Inertia | None = None
    beam: RowBeam | None = None
    hub: MassSpec | None = None
    payload: PayloadSpec | None = None
    stations: dict[Name, StationSpec] = {}


class DHTable(Spec):
    """A serial robot by its table.

    saha, standard: T = Rz(theta) Tz(b) Tx(a) Rx(alpha), link data in the distal frame; saha
    gives r from the mass centre to that frame's origin, standard gives com from the origin.
    A beam runs along x of the distal frame over the length a, from b on the joint's axis.
    modified (Craig): T = Rx(alpha) Tx(a) Rz(theta) Tz(b), link data in the link's own frame.
    A beam runs along its x over the length a of the next row.
    """

    convention: Literal["saha", "standard", "modified"]
    rows: Annotated[list[DHRow], Field(min_length=1)]


class LoopSpec(Spec):
    """A closed loop, cut at a joint between two stations. The joint's frame is that of the first
    station, moved by origin; the second station is what the joint carries: with the joint at
    zero its axes are those of the joint's frame."""

    type: LoopJointName
    between: Annotated[list[str], _listed(2, "a list of two stations")]
    name: Name | None = None
    axis: Vector = [0.0, 0.0, 1.0]
    second_axis: Vector | None = None
    origin: Origin = Origin()


class MotionSpec(Spec):
    """A desired motion, in one of six ways: joints (a formula in t for each joint that moves);
    cycloidal, quintic or trapezoidal (from place to place); through (points at given times, by
    splines); table (points in a CSV file)."""

    duration: Positive | None = None
    joints: dict[str, Annotated[str, BeforeValidator(str)]] | None = None
    cycloidal: dict[str, Target] | None = None
    quintic: dict[str, Target] | None = None
    trapezoidal: dict[str, Target] | None = None
    start: NotNegative | None = None
    rate: Limit | None = None
    acceleration: Limit | None = None
    through: dict[str, list[Number]] | None = None
    times: list[Number] | None = None
    table: str | None = None

    @model_validator(mode="after")
    def _one_way(self) -> MotionSpec:
        given = [key for key in type(self).model_fields if getattr(self, key) is not None]
        ways = [key for key in given if key in MOTIONS]
        if len(ways) != 1:
            raise ValueError(
                f"a motion is said by one of {', '.join(MOTIONS)}"
                + (f", not by {' and '.join(ways)}" if ways else "")
            )
        needs, may = MOTIONS[ways[0]]
        for key in needs:
            if key not in given:
                raise ValueError(f"a motion by {ways[0]} needs {key}")
        for key in given:
            if key not in (ways[0], *needs, *may):
                raise ValueError(f"a motion by {ways[0]} has no {key}")
        return self


MOTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "joints": (("duration",), ()),
    "cycloidal": (("duration",), ("start",)),
    "quintic": (("duration",), ("start",)),
    "trapezoidal": (("rate", "acceleration"), ("start",)),
    "through": (("times",), ()),
    "table": ((), ()),
}
"""Ways to write a motion: the keys that go with each, needed and allowed."""


class RobotSpec(Spec):
    """A whole robot."""

    supple: Literal[1] = 1
    name: str = "robot"
    description: str = ""
    source: str = ""
    notes: list[str] = []
    units: str = "SI"
    gravity: Vector = [0.0, 0.0, -9.81]
    elastic_kinematics: KinematicsName = DEFAULT
    elastic_columns: Literal["exponential", "paper"] = "exponential"
    as_given: bool = False
    links: dict[Name, LinkSpec] = {}
    joints: list[JointSpec] = []
    dh: DHTable | None = None
    motions: dict[Name, MotionSpec] = {}
    loops: list[LoopSpec] = []
    actuated: list[str] | None = None
    guess: dict[str, Guess] = {}
