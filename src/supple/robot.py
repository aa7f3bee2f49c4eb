"""The frozen robot: links in tree order, nothing else. It holds no state.

Coordinates run link by link in file order: the joint's, then the link's shapes in the order
of its mode list. The configuration q has `nq` numbers, the velocity qd (and qdd, tau) `nv`;
they differ only where a joint keeps a quaternion (4 numbers for 3 rates).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .bodies import Body, Station, Visual, without_shapes as body_without_shapes
from .bodies.rigid import still
from .elastic_kinematics import KINEMATICS, RIGID, ElasticKinematics
from .errors import InputError, counted
from .frozen import Frozen, frozen
from .joints import Drive, Gear, Joint, Limits
from .lazy import cached_property
from .text_table import columns
from .types import Array, Floats

if TYPE_CHECKING:
    from .view.page import View

Made = TypeVar("Made")
LISTED = 40  # links that a printed robot lists


@dataclass(frozen=True, eq=False, repr=False)
class Link(Frozen):
    """One link with the joint that carries it."""

    name: str
    parent: int  # index of the parent link, -1 for the world
    mount: Station  # where on the parent the joint sits, with the joint's own placement
    joint_name: str
    joint: Joint
    drive: Drive
    body: Body
    frame: Floats = field(default_factory=lambda: np.eye(3))  # user's link axes in ours
    role: str = "link"  # or "hub", "payload": rides on its parent; "helper": between parts;
    # "rotor": of the motor of an elastic gear
    q: slice = field(default_factory=lambda: slice(0, 0))  # joint configuration
    d: slice = field(default_factory=lambda: slice(0, 0))  # shape coordinates, in the configuration
    u: slice = field(default_factory=lambda: slice(0, 0))  # joint rates
    e: slice = field(default_factory=lambda: slice(0, 0))  # shape rates, in the velocity
    # of no weight for the equations
    limits: Limits | None = field(default=None, compare=False)
    visuals: tuple[Visual, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        shapes = f", {counted(self.body.m, 'shape')}" if self.body.m else ""
        return f"<Link {self.name} on {self.joint.kind} joint {self.joint_name}{shapes}>"


@dataclass(frozen=True, eq=False, repr=False)
class Loop(Frozen):
    """A closed loop, cut at a joint between two stations.

    Each side is a link (-1: the world) and a station on it, turned so that the joint's axis is
    z. The joint's axes are free; the complement is closed. With a ratio it is no cut but a tie
    (a mimic): the coordinate of the second link's joint is ratio times that of the first one's,
    and offset.
    """

    name: str
    first: tuple[int, Station]
    second: tuple[int, Station]
    joint: Joint
    kept: tuple[int, ...] | None = None  # its independent closed directions; None: to be found
    joints_hold: bool = True  # whether joints alone close all of them; else shapes take part
    ratio: float | None = None
    offset: float = 0.0

    @property
    def is_tie(self) -> bool:
        """Whether it ties two joints' coordinates, and closes no loop in space."""
        return self.ratio is not None

    def __repr__(self) -> str:
        return f"<Loop {self.name} closed by a {self.joint.kind} joint>"


@dataclass(frozen=True, eq=False)
class MotionFormulas(Frozen):
    """A motion that a robot's model keeps: how long it lasts, and a formula in t by joint."""

    duration: float
    joints: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class MotionTargets(Frozen):
    """A motion from place to place: its kind ("cycloidal", "quintic", "trapezoidal"), the targets
    (the last place, or first and last) by joint, and the kind's own numbers by name."""

    kind: str
    to: Mapping[str, float | tuple[float, float]]
    numbers: Mapping[str, float | Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class MotionPoints(Frozen):
    """A motion through points, by splines: times, and places by joint."""

    times: tuple[float, ...]
    places: Mapping[str, tuple[float, ...]]


KeptMotion = MotionFormulas | MotionTargets | MotionPoints


@dataclass(frozen=True, eq=False, repr=False)
class Robot(Frozen):
    """A checked robot. Make one with `supple.load` or `supple.build`.

    Links may as well be made of bodies by hand (`place_coordinates` numbers them). Such a robot
    has no `spec`: it computes as any other does, but cannot be changed by its words.
    """

    name: str
    links: tuple[Link, ...]
    gravity: Floats
    elastic_kinematics: str
    elastic_columns: str = "exponential"  # or "paper", of linearised nodes
    gears: tuple[Gear, ...] = ()  # elastic ones: each a motor with a coordinate of its own
    loops: tuple[Loop, ...] = ()  # cuts of closed chains; the links are the tree they leave
    actuated: tuple[str, ...] = None  # type: ignore[assignment]  # joints with a motor; None: all
    guess: Mapping[str, float] = field(default_factory=dict)  # coordinates near which they close
    # of no weight for the equations
    units: str = field(default="SI", compare=False)
    description: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)
    massless: tuple[str, ...] = field(default=(), compare=False)  # rates that move no inertia
    motions: Mapping[str, KeptMotion] = field(default_factory=dict, compare=False)
    spec: Mapping[str, Any] | None = field(default=None, compare=False)  # its model's words
    folder: str = field(default="", compare=False)  # where files that they name are

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.actuated is None:
            moving = [i for i, link in enumerate(self.links) if link.joint.nv]
            tied = {loop.second[0] for loop in self.loops if loop.is_tie}
            free = [i for i in moving if i not in self.geared and i not in tied]
            names = tuple(self.links[i].joint_name for i in free)
            object.__setattr__(self, "actuated", names)

    def __repr__(self) -> str:
        return f"<Robot {self.name}: {counted(len(self.links), 'link')}, {self._freedom}>"

    @property
    def _freedom(self) -> str:
        """How it may move, in words."""
        if not self.loops:
            return f"{counted(self.nv, 'degree')} of freedom"
        return f"{self.nv} coordinates of its tree, closed by {counted(len(self.loops), 'loop')}"

    def __str__(self) -> str:
        """The robot as a short table, a row for each link."""
        shown = self.links if len(self.links) <= LISTED else self.links[: LISTED - 5]
        lines = [
            f"{self.name}: {self._freedom.partition(', ')[0]}, {self.modes} of them shapes; "
            f"kinematics {self.elastic_kinematics}, mass {self.mass:.6g}",
            *columns(("link", "on", "joint", "type", "mass", "shapes"), [*map(self._row, shown)]),
        ]
        more = len(self.links) - len(shown)
        lines += [f"  ... {more} more: robot.links"] if more else []
        if self.loops:
            lines += columns(("loop", "joint", "first", "second"), [*map(self.cut, self.loops)])
            lines.append(f"  motors at: {', '.join(self.actuated) or 'none'}")
        return "\n".join(lines)

    def cut(self, loop: Loop) -> tuple[str, ...]:
        """A loop in words: its name, its joint, and the links it joins."""
        sides = [self.links[i].name if i >= 0 else "world" for i, _ in (loop.first, loop.second)]
        return loop.name, loop.joint.kind, *sides

    def _row(self, link: Link) -> tuple[object, ...]:
        parent = self.links[link.parent].name if link.parent >= 0 else "world"
        fields: dict[str, int] = {}
        for shape in link.body.shape_names:
            field = shape.rstrip("0123456789")
            fields[field] = fields.get(field, 0) + 1
        shapes = ", ".join(f"{count} {field}" for field, count in fields.items())
        kind = link.joint.kind
        return link.name, parent, link.joint_name, kind, float(link.body.mass), shapes

    @property
    def kinematics(self) -> ElasticKinematics:
        """What follows from `elastic_kinematics`."""
        return KINEMATICS[self.elastic_kinematics]

    @cached_property
    def nq(self) -> int:
        """Size of the configuration."""
        return sum(link.joint.nq + link.body.m for link in self.links)

    @cached_property
    def nv(self) -> int:
        """Size of the velocity: the degrees of freedom."""
        return sum(link.joint.nv + link.body.m for link in self.links)

    @cached_property
    def modes(self) -> int:
        """Number of shape coordinates."""
        return sum(link.body.m for link in self.links)

    @property
    def mass(self) -> float:
        """Total mass."""
        return sum(link.body.mass for link in self.links)

    @cached_property
    def parents(self) -> tuple[int, ...]:
        return tuple(link.parent for link in self.links)

    @cached_property
    def bare(self) -> Robot:
        """The same robot without its frames: links at the end of a branch that have no mass and
        do not move on their own. Its coordinates and equations are the same."""
        kept = set(range(len(self.links)))
        held = {i for loop in self.loops for i, _ in (loop.first, loop.second)}
        held |= {i for gear in self.gears for i in (gear.motor, gear.link)}
        for i in reversed(range(len(self.links))):
            link = self.links[i]
            empty = not (link.joint.nv or link.body.m or link.body.mass or link.body.W0.any())
            if empty and i not in held and not any(self.links[k].parent == i for k in kept):
                kept.discard(i)
        if len(kept) == len(self.links) or not kept:
            return self
        place = {-1: -1} | {i: n for n, i in enumerate(sorted(kept))}
        links = tuple(
            replace(self.links[i], parent=place[self.links[i].parent]) for i in sorted(kept)
        )
        loops = tuple(
            replace(
                x, first=(place[x.first[0]], x.first[1]), second=(place[x.second[0]], x.second[1])
            )
            for x in self.loops
        )
        gears = tuple(replace(x, motor=place[x.motor], link=place[x.link]) for x in self.gears)
        return replace(self, links=links, loops=loops, gears=gears)

    @cached_property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the configuration's numbers, in order."""
        return self._names(lambda joint: joint.coordinates)

    @cached_property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of the velocity's numbers, in order; equal to the coordinates' names but for
        quaternion joints."""
        return self._names(lambda joint: joint.speeds)

    def _names(self, of: Callable[[Joint], Sequence[str]]) -> tuple[str, ...]:
        out: list[str] = []
        for link in self.links:
            out += [link.joint_name + suffix for suffix in of(link.joint)]
            out += [f"{link.name}.{shape}" for shape in link.body.shape_names]
        return tuple(out)

    @property
    def joint_indices(self) -> list[int]:
        """Positions of the joint rates in the velocity: qd[robot.joint_indices] holds them."""
        return [i for link in self.links for i in range(link.u.start, link.u.stop)]

    @cached_property
    def geared(self) -> frozenset[int]:
        """Places of the links that an elastic gear drives: their motors are links of their own."""
        return frozenset(gear.link for gear in self.gears)

    @property
    def motor_indices(self) -> list[int]:
        """Positions in the velocity of the rates that have motors: of a closed chain those of
        `actuated`, of others all joint rates but those that elastic gears drive."""
        links = [x for i, x in enumerate(self.links) if i not in self.geared]
        driven = [x for x in links if not self.loops or x.joint_name in self.actuated]
        return [i for link in driven for i in range(link.u.start, link.u.stop)]

    @property
    def free_indices(self) -> list[int]:
        """Positions in the velocity of the rates without motors: shapes, joints that elastic
        gears drive, and of a closed chain all joints that are not `actuated`."""
        motors = set(self.motor_indices)
        return [i for i in range(self.nv) if i not in motors]

    def unwound(self, q: Floats, keep: Collection[int] = ()) -> Floats:
        """q with the motors of elastic gears where these are not wound up; those whose place in
        q is to be kept stay, and the joint follows."""
        out = np.array(q, dtype=float)
        for gear in self.gears:
            motor, joint = self.links[gear.motor].q.start, self.links[gear.link].q.start
            if motor not in keep:
                out[motor] = gear.ratio * out[joint]
            elif joint not in keep:
                out[joint] = out[motor] / gear.ratio
        return out

    @property
    def mode_indices(self) -> list[int]:
        """Positions of the shape rates in the velocity: qd[robot.mode_indices] holds them."""
        return [i for link in self.links for i in range(link.e.start, link.e.stop)]

    def home(self) -> Floats:
        """Where the robot stands unless told otherwise: (nq,). The undisplaced, undeformed
        configuration; of a closed chain the one nearest to its guess in which the loops close."""
        return self._home.copy()

    @cached_property
    def _home(self) -> Floats:
        if not self.loops:
            return self.neutral()
        from .loops import home

        told = [self.coordinate_names.index(n) for n in self.guess if n in self.coordinate_names]
        joints = [self.links[gear.link].q.start for gear in self.gears]
        return self.unwound(home(self), {*told, *joints})

    @property
    def guessed(self) -> Floats:
        """The undeformed configuration that the model's guess gives: (nq,)."""
        q, names = self.neutral(), self.coordinate_names
        for name, value in self.guess.items():
            if name in names:
                q[names.index(name)] = value
        return self.normalized(q)

    def neutral(self) -> Floats:
        """The undisplaced, undeformed configuration: (nq,); loops need not be closed in it."""
        q = np.zeros(self.nq)
        for link in self.links:
            q[link.q] = link.joint.neutral()
        return q

    def normalized(self, q: Floats) -> Floats:
        """The same configuration with unit quaternions; NaN stays NaN."""
        from .checks import real_numbers, vector

        out = real_numbers(q)
        if out.shape != (self.nq,):
            out = vector(q, "q", self.nq, self.coordinate_names, self)  # says what is wrong
        for link in self.links:
            out[link.q] = link.joint.normalized(out[link.q])
        return out

    def normalized_rows(self, q: Floats) -> Floats:
        """The same of many configurations (states, nq)."""
        out = np.array(q)
        for link in self.links:
            if link.joint.nq != link.joint.nv:
                out[:, link.q] = [link.joint.normalized(x) for x in out[:, link.q]]
        return out

    @cached_property
    def input_matrix(self) -> Floats:
        """B (nv, number of joint rates): generalised force B tau of joint torques tau.

        A torque works on the turn of the link's root: where shapes turn the root (pinned
        modes), it drives them too, by phi'(0).
        Reference: [LinLewis], B^T = [1 phi_1'(0) ... phi_s'(0)].
        """
        B = np.zeros((self.nv, len(self.joint_indices)))
        column = 0
        for link in self.links:
            for axis, row in zip(link.joint.axes, range(link.u.start, link.u.stop), strict=True):
                B[row, column] = 1.0
                slope = link.body.root_slope
                if slope is not None and axis < 3:
                    B[link.e, column] = slope[:, axis]
                column += 1
        return frozen(B, own=True)

    def index(self, link: str) -> int:
        """Position of the link with this name."""
        from .errors import unknown_name

        for i, candidate in enumerate(self.links):
            if isinstance(link, str) and candidate.name == link:
                return i
        raise unknown_name("link", link, [x.name for x in self.links], where=f"robot {self.name}")

    def station(self, where: str) -> tuple[int, Station]:
        """Link index and station for "link", "link.station"; a link alone means its tip (or
        its origin when it has none)."""
        from .errors import InputError, brief, unknown_name

        if not isinstance(where, str):
            raise InputError(
                f"station is {brief(where)}; it must be text: a link, or link.station, e.g. "
                f"{self.links[-1].name!r}"
            )
        name, at = split_station_name(where, [link.name for link in self.links])
        i = self.index(name)
        stations = self.links[i].body.stations
        if not at:
            at = "tip" if "tip" in stations else "origin"
        if at not in stations:
            raise unknown_name("station", at, list(stations), where=f"link {name}")
        return i, stations[at]

    def replace(self, **changes: object) -> Robot:
        """A robot with some top-level keys of its model changed, e.g.
        `robot.replace(elastic_kinematics="rigid", gravity=(0, 0, -9.81))`."""
        from .model import replaced

        return replaced(self, changes)

    @property
    def parameter_names(self) -> list[str]:
        """Numbers of the robot's model, by name: "upper.beam.mass", "elbow.stiffness", ..."""
        from .model.parameters import parameter_names

        return parameter_names(self)

    def with_parameters(self, values: Mapping[str, float]) -> Robot:
        """A robot with some numbers of its model changed, e.g.
        `robot.with_parameters({"upper.beam.mass": 12.0})`."""
        from .model.parameters import with_parameters

        return with_parameters(self, values)

    def view(self) -> View:
        """The robot in three dimensions, with sliders for its coordinates, and its modes: the
        last line of a notebook's cell shows itself, `robot.view().show()` opens the browser, and
        `robot.view().save("robot.html")` writes a file."""
        from .view.page import view_of

        return view_of(self)

    def with_modes(self, *args: object, **changes: object) -> Robot:
        """A robot with other mode shapes: `with_modes(3)`, `with_modes(family="orthogonal")`,
        `with_modes("upper", bending_y=3, torsion=1)`."""
        from .model import with_modes

        return with_modes(self, *args, **changes)


def remembered(make: Callable[[Robot], Made]) -> Callable[[Robot], Made]:
    """A decorator: what `make` computes of a robot is kept with it, as cached properties are."""
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def known(robot: Robot) -> Made:
        if name not in vars(robot):
            vars(robot)[name] = make(robot)
        return vars(robot)[name]  # type: ignore[no-any-return]

    return known


def split_station_name(where: str, links: Collection[str]) -> tuple[str, str]:
    """The link and what follows it in "link.station"; of links whose own names have dots
    (finger_0.1) the longest that fits."""
    fits = [name for name in links if where == name or where.startswith(f"{name}.")]
    name = max(fits, key=len) if fits else where.partition(".")[0]
    return name, where[len(name) + 1 :]


def place_coordinates(links: list[Link]) -> tuple[Link, ...]:
    """Number the coordinates: link by link, joint first, then shapes."""
    out, iq, iv = [], 0, 0
    for link in links:
        if link.joint.parts:
            raise InputError(
                f"link {link.name} hangs on a {link.joint.kind} joint, which in a tree is "
                f"{len(link.joint.parts)} joints in turn: give each of them a link of its own"
            )
        nq, nv, m = link.joint.nq, link.joint.nv, link.body.m
        out.append(
            replace(
                link,
                q=slice(iq, iq + nq),
                d=slice(iq + nq, iq + nq + m),
                u=slice(iv, iv + nv),
                e=slice(iv + nv, iv + nv + m),
            )
        )
        iq, iv = iq + nq + m, iv + nv + m
    return tuple(out)


def without_shapes(robot: Robot) -> Robot:
    """The same robot with links that do not bend."""
    links = [
        replace(link, mount=still(link.mount), body=body_without_shapes(link.body))
        for link in robot.links
    ]
    loops = [
        replace(
            loop,
            first=(loop.first[0], still(loop.first[1])),
            second=(loop.second[0], still(loop.second[1])),
            kept=None,
            joints_hold=True,  # bending may have opened more directions
        )
        for loop in robot.loops
    ]
    return replace(
        robot,
        links=place_coordinates(links),
        loops=tuple(loops),
        elastic_kinematics=RIGID,
        spec=None,
    )


__all__ = [
    "Array",
    "Link",
    "Loop",
    "MotionFormulas",
    "MotionPoints",
    "MotionTargets",
    "Robot",
    "place_coordinates",
    "split_station_name",
    "without_shapes",
]
