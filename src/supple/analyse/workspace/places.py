"""Places of a map: its axes as a user gives them, the way over it, and the joints that bring a
station of the unbent robot there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ... import recursion
from ...checks import finite_number, real_numbers
from ...errors import InputError
from ...loops.assembly import moved, rate_scale
from ...loops.force_balance import HeldChain, null_space
from ...robot import Link, Robot
from ...types import Floats
from ..places import closed_places, joint_places
from ..reach import misses, size


@dataclass
class WorkspacePlaces:
    """Joint positions of the unbent robot at places of the map, near those found before."""

    robot: Robot
    station: str
    axes: tuple[str, ...]
    start: ArrayLike | Mapping[str, float] | None
    fixed: dict[str, float]

    def __post_init__(self) -> None:
        self.first = (closed_places if self.robot.loops else joint_places)(
            self.robot, self.start, "start"
        )
        for link in self.robot.links:
            self.first[link.d] = 0.0
        self.near: dict[tuple[int, ...], Floats] = {}

    def __call__(self, values: tuple[float, ...], index: tuple[int, ...]) -> Floats | None:
        q = self._joints(values) if self.axes[0] not in WORLD else self._reached(values, index)
        if q is not None:
            self.near[index] = q
        return q

    def _joints(self, values: tuple[float, ...]) -> Floats | None:
        given = dict(zip(self.axes, values, strict=True))
        if self.robot.loops:
            try:
                return closed_places(self.robot, given, "axes")
            except InputError:
                return None  # the loops do not close here
        q, told = self.first.copy(), [self.robot.coordinate_names.index(name) for name in given]
        q[told] = values
        return self.robot.unwound(q, told)

    def _reached(self, values: tuple[float, ...], index: tuple[int, ...]) -> Floats | None:
        target = np.full(3, np.nan)
        for name, value in (*zip(self.axes, values, strict=True), *self.fixed.items()):
            target[WORLD.index(name)] = value
        steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        beside = [tuple(int(a + b) for a, b in zip(index, step, strict=False)) for step in steps]
        firsts = [self.near[k] for k in dict.fromkeys(beside) if k in self.near]
        found = unbent_search(self.robot, self.station, target, [*firsts, self.first])
        return None if found is None else self.robot.unwound(found)


MOST = 20_000  # places of a map
WORLD = ("x", "y", "z")
EXAMPLE = "{'x': np.linspace(0, 1, 11), 'y': np.linspace(-1, 1, 21)}"


def axis_rows(robot: Robot, given: Mapping[str, ArrayLike]) -> dict[str, Floats]:
    """One or two rows of numbers by name, of one kind."""
    joints = [n for x in robot.links for n in _names(robot, x)]
    if not 1 <= len(given) <= 2:
        raise InputError(f"axes has {len(given)} names; a map has one or two, e.g. {EXAMPLE}")
    world = [name for name in given if name in WORLD]
    if world and len(world) != len(given):
        raise InputError(
            f"axes mixes places in the world and joints; take one kind, e.g. {EXAMPLE}"
        )
    out = {}
    for name, values in given.items():
        if name not in (*WORLD, *joints):
            raise InputError(
                f"no axis named {name!r}: an axis is x, y or z in the world, or a joint of "
                f"{robot.name}: {', '.join(joints)}"
            )
        row = real_numbers(values)
        if row.ndim != 1 or not len(row) or not np.all(np.isfinite(row)):
            raise InputError(
                f"axis {name}: give a row of finite numbers, e.g. np.linspace(0, 1, 11)"
            )
        if np.any(np.diff(row) <= 0.0):
            raise InputError(f"axis {name}: its numbers must rise")
        out[name] = row
    if np.prod([len(row) for row in out.values()]) > MOST:
        raise InputError(f"a map of more than {MOST} places; take fewer")
    return out


def one_number(name: str, value: ArrayLike) -> float:
    """Where a world coordinate is held."""
    return finite_number(value, f"axis {name}", "a finite number, or a row of them")


def _names(robot: Robot, link: Link) -> tuple[str, ...]:
    return tuple(robot.coordinate_names[link.q]) if link.joint.nv == 1 else ()


def snake(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Indices of all places, each a neighbour of the one before: the search for its joints begins
    at those of that neighbour."""
    if len(shape) == 1:
        yield from ((i,) for i in range(shape[0]))
        return
    for i in range(shape[0]):
        row = range(shape[1]) if i % 2 == 0 else reversed(range(shape[1]))
        yield from ((i, j) for j in row)


NEAR = 1e-9  # of the robot's size
STEPS = 60


def unbent_search(
    robot: Robot, station: str, target: Floats, firsts: Sequence[Floats]
) -> Floats | None:
    """The configuration near the first of these starts that leads there, or None; NaN in the
    target is free. Shapes stay at zero, loops closed."""
    far = size(robot) or 1.0
    for q in firsts:
        found = _newton(robot, station, target, q, far)
        if found is not None:
            return found
    return None


def _newton(robot: Robot, station: str, target: Floats, q: Floats, far: float) -> Floats | None:
    """Steps of the joints, damped where the Jacobian is nearly singular; halved until nearer."""
    wanted, scale = [(station, target)], rate_scale(robot)
    gap, J = misses(robot, q, wanted)
    for _ in range(STEPS):
        miss = float(np.linalg.norm(gap))
        if miss < NEAR * far:
            return q
        N = _ways(robot, q)
        A = (J @ N) / far
        damp = 1e-3 * min(1.0, miss / far)
        rows = np.vstack([A, damp * np.eye(A.shape[1])])
        right = np.concatenate([-gap / far, np.zeros(A.shape[1])])
        move = N @ np.linalg.lstsq(rows, right, rcond=1e-12)[0]
        move *= min(1.0, 0.5 / max(float(np.abs(move / scale).max()), 1e-300))
        for _ in range(12):
            new = _moved(robot, q, move)
            after = None if new is None else misses(robot, new, wanted)
            if after is not None and np.linalg.norm(after[0]) < (1.0 - 1e-4) * miss:
                break
            move = 0.5 * move
        else:
            return None
        assert new is not None
        q, (gap, J) = new, after
    return None


def _ways(robot: Robot, q: Floats) -> Floats:
    """Directions of the joints (nv, n), of closed chains those that the loops leave free."""
    joints = np.eye(robot.nv)[:, robot.joint_indices]
    if not robot.loops:
        return np.asarray(joints)
    at = HeldChain(robot)
    J = np.asarray(at.jacobian(q), dtype=float)
    scale = rate_scale(robot)[:, None]
    return np.asarray(scale * joints @ null_space(J @ (scale * joints)))


def _moved(robot: Robot, q: Floats, move: Floats) -> Floats | None:
    if not robot.loops:
        return robot.normalized(q + recursion.configuration_rate(robot, q, move))
    new = HeldChain(robot).closed(moved(robot, q, move))
    return new if new is None else _unbent(robot, new)


def _unbent(robot: Robot, q: Floats) -> Floats | None:
    """q, unless closing the loops bent a link."""
    bent = max((float(np.abs(q[x.d]).max(initial=0.0)) for x in robot.links), default=0.0)
    return q if bent < 1e-9 else None


__all__ = ["unbent_search"]
