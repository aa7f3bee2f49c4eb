"""Closed chains put together: all ways to close their loops, and how freely they move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from .. import checks
from ..engine import traced
from ..errors import InputError, brief, unknown_name
from ..loops import close_loops, mobility as mobility_at
from ..loops.assembly import AssemblyProblem, closure_at, free_rates, left_open, motor_links
from ..loops.mobility import Mobility, rank, scaled_jacobian
from ..robot import Robot
from ..text_table import columns
from ..types import Coordinates, Floats
from .places import joint_places

CLOSED = 1e-6  # what may be open of a configuration that is taken for a closed one


@dataclass(frozen=True, repr=False, eq=False)
class Assemblies(Sequence[Floats]):
    """The ways found to close a robot's loops, each a configuration (nq,): the one nearest to
    the guess first. `assemblies[1]` picks one, `assemblies.nearest(q)` the nearest to another
    place."""

    robot: Robot
    found: tuple[Floats, ...]
    held: tuple[str, ...]  # joints that were kept in place
    free: int  # rates left free when these are held: 0 where the ways are apart

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, k: int) -> Floats: ...
    @overload
    def __getitem__(self, k: slice) -> Sequence[Floats]: ...
    def __getitem__(self, k: int | slice) -> Floats | Sequence[Floats]:
        return self.found[k] if isinstance(k, slice) else self.found[k].copy()

    def __iter__(self) -> Iterator[Floats]:
        return (q.copy() for q in self.found)

    def nearest(self, q: Coordinates) -> Floats:
        """The assembly nearest to joint positions, all of them or some by name."""
        at, names = joint_places(self.robot, q, "q"), list(self.robot.coordinate_names)
        keep = [names.index(n) for n in q if n in names] if isinstance(q, Mapping) else slice(None)
        apart = [float(np.linalg.norm((x - at)[keep])) for x in self.found]
        return self.found[int(np.argmin(apart))].copy()

    def __repr__(self) -> str:
        return f"<Assemblies of {self.robot.name}: {len(self)} found>"

    def __str__(self) -> str:
        names = [n for n in self.robot.coordinate_names if n not in self._shapes]
        places = [self.robot.coordinate_names.index(n) for n in names]
        rows = [(k, *(round(float(q[i]), 9) for i in places)) for k, q in enumerate(self.found)]
        held = f" with {', '.join(self.held)} held" if self.held else ""
        lines = [
            f"{self.robot.name}: {len(self)} ways to close its loops{held}",
            *columns(("", *names), rows),
        ]
        if self.free:
            words = f"  {self.free} degrees of freedom stay: these are places of whole families"
            lines.append(f"{words}; hold more joints to tell the ways apart")
        return "\n".join(lines)

    @property
    def _shapes(self) -> list[str]:
        names = self.robot.coordinate_names
        return [names[k] for link in self.robot.links for k in range(link.d.start, link.d.stop)]


def assemble(
    robot: Robot,
    q: Coordinates | None = None,
    held: Sequence[str] | None = None,
) -> Assemblies:
    """All ways found to close the loops of a robot.

    q: where to begin (all joint positions in order, or some by name, the others as in the
    model's guess). held: joints that stay where q puts them, by default those with a motor;
    held=[] lets all of them give way. Shapes stay as they are. An InputError says which loop
    cannot close, and by how much.
    """
    _closed_chain(robot, "assemble")
    start = _start(robot, q)
    links = motor_links(robot) if held is None else _held(robot, held)
    closure = traced(lambda q: closure_at(robot, q), (robot.nq,), ("closure", robot))
    found = close_loops(AssemblyProblem(robot, links, closure), start)
    free = free_rates(robot, links)
    left = len(free) - max(rank(scaled_jacobian(robot, x.q), free) for x in found)
    names = tuple(robot.links[i].joint_name for i in sorted(links))
    return Assemblies(robot, tuple(x.q for x in found), names, left)


def mobility(robot: Robot, q: Coordinates | None = None) -> Mobility:
    """Degrees of freedom of a closed chain, its redundant rows, and what its motors can do; at
    q, in which the loops must be closed, and around it. By default where the robot stands by
    itself."""
    _closed_chain(robot, "mobility")
    at = robot.home() if q is None else robot.normalized(checks.configuration(robot, q))
    left = left_open(robot, at)
    if left > CLOSED:
        raise InputError(
            f"q of {robot.name}: its loops are open by {left:.3g} (of its size, or rad); "
            f"supple.assemble(robot, q) closes them"
        )
    return mobility_at(robot, at)


def _closed_chain(robot: Robot, what: str) -> None:
    if not checks.check_robot(robot, what).loops:
        raise InputError(f"{robot.name} has no loops: {what} is for closed chains")


def _start(robot: Robot, q: Coordinates | None) -> Floats:
    if not isinstance(q, Mapping):
        return robot.guessed if q is None else joint_places(robot, q, "q")
    given, at = joint_places(robot, q, "q"), robot.guessed
    for name in q:
        k = robot.coordinate_names.index(name)
        at[k] = given[k]
    return robot.normalized(checks.configuration(robot, at))


def _held(robot: Robot, held: Sequence[str]) -> frozenset[int]:
    """Places of the links on joints of these names."""
    joints: dict[str, list[int]] = {}
    for i, link in enumerate(robot.links):
        for name in {link.joint_name, link.joint_name.partition(".")[0]} if link.joint.nv else ():
            joints.setdefault(name, []).append(i)
    out: list[int] = []
    for name in checks.names(held, "held", repr(list(joints)[:1])):
        if name not in joints:
            raise unknown_name("joint", brief(name).strip("'"), joints, f"robot {robot.name}")
        out += joints[name]
    return frozenset(out)
