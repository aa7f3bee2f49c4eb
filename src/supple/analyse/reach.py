"""The inverse question of statics: joints that bring a station to a place, at rest, under load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, recursion
from ..errors import InputError, SimulationError, brief
from ..robot import Robot
from ..types import Floats
from .equilibrium import Equilibrium, elastic_size
from .loads import Loads, checked_loads
from .places import joint_places
from .result import Statics, judged
from .validity import refusal

TRIES = 12  # starts, the user's first; the others are tried on the unbent robot
BEST = 3  # of these, how many are tried on the bending one
SMALL = 20  # coordinates up to which a compiled tangent is worth it for as many steps
PATIENCE = 6  # steps in which a search must come a tenth nearer
Wanted = list[tuple[str, Floats]]


def reach(
    robot: Robot,
    target: Mapping[str, Sequence[float | None]],
    wrench: Loads = None,
    *,
    start: ArrayLike | Mapping[str, float] | None = None,
) -> Statics:
    """Joints and shapes at rest that bring each station to its place {station: (x, y, z)}.

    A coordinate that is None is free. `start` is where the search begins; a robot with joints
    to spare ends near it. Newton's method on places and equilibrium together; where it does not
    get there, it begins again elsewhere (the same places each time).
    """
    checks.check_robot(robot, "reach")
    if not isinstance(target, Mapping):
        raise InputError(
            f"target is {brief(target)}; give a mapping of stations to places, e.g. "
            f"{{'link3.tip': (1.0, 0.5, None)}}"
        )
    if not robot.joint_indices:
        raise InputError(f"{robot.name} has no joint that moves; there is nothing to reach with")
    wanted = [(where, _place(robot, where, place)) for where, place in target.items()]
    if not wanted:
        raise InputError("reach needs a target, e.g. {'link3.tip': (1.0, 0.5, None)}")
    at = Equilibrium(robot, checked_loads(robot, wrench), small=SMALL)
    q = joint_places(robot, start, "start")
    with np.errstate(all="ignore"):  # steps that go too far are halved
        found = _tried(at, q, wanted)
    return judged(found)


def _tried(at: Equilibrium, q: Floats, wanted: Wanted) -> Statics:
    """What is found from the first start that leads to a rest with a meaning."""
    robot, nearest, bent = at.robot, np.inf, None
    for first in _firsts(robot, q, wanted):
        try:
            found, left = _search(at, first, wanted)
        except np.linalg.LinAlgError:
            continue
        if found is not None and refusal(robot, found.q) is None:
            return found
        bent, nearest = bent or found, min(nearest, left)
    if bent is not None:
        return bent
    raise SimulationError(
        f"{robot.name} does not bring {', '.join(where for where, _ in wanted)} to its target: of "
        f"{TRIES} starts the best ends {nearest:.3g} m away. It is out of reach, or hard to find: "
        f"leave a coordinate free (None), or begin near it (start=...)"
    )


def _firsts(robot: Robot, q: Floats, wanted: Wanted) -> Iterator[Floats]:
    """q, then the best of the other starts, if bending can bridge what is left."""
    yield q
    others = sorted((_unbent(robot, x, wanted) for x in starts(robot)), key=lambda pair: pair[0])
    far = max(_size(robot, bending=True), 0.1 * _size(robot))
    yield from (x for left, x in others[:BEST] if left < far)


def _unbent(robot: Robot, q: Floats, wanted: Wanted) -> tuple[float, Floats]:
    """How near the robot comes from q as if it did not bend, and where it then is."""
    gap, J = _misses(robot, q, wanted)
    joints, step = list(robot.joint_indices), np.zeros(robot.nv)
    for _ in range(30):
        move = np.linalg.lstsq(J[:, joints], -gap, rcond=1e-3)[0]
        step[joints] = move * min(1.0, 0.5 / max(np.abs(move).max(), 1e-12))
        new = robot.normalized(q + recursion.configuration_rate(robot, q, step))
        after, J = _misses(robot, new, wanted)
        if not np.linalg.norm(after) < (1.0 - 1e-6) * np.linalg.norm(gap):
            break
        q, gap = new, after
    return float(np.linalg.norm(gap)), q


def starts(robot: Robot) -> Iterator[Floats]:
    """Places spread over the joints' range: whole turns, and slides of the robot's size."""
    random, size = np.random.default_rng(1), _size(robot) or 1.0
    for _ in range(TRIES - 1):
        new = robot.neutral()
        for link in robot.links:
            wide = [np.pi if axis < 3 else size for axis in link.joint.axes]
            if link.joint.nq != link.joint.nv:
                wide = [1.0] * 4 + [size] * (link.joint.nq - 4)
            new[link.q] = random.uniform(-1.0, 1.0, link.joint.nq) * wide
        yield robot.normalized(new)


def _size(robot: Robot, bending: bool = False) -> float:
    """How far the robot, or its links that bend, reach at most, joints that slide aside."""
    lengths = [
        max(float(np.linalg.norm(s.r0 + s.rho)) for s in link.body.stations.values())
        for link in robot.links
        if link.body.m or not bending
    ]
    return sum(lengths)


def _place(robot: Robot, where: str, place: Sequence[float | None]) -> Floats:
    robot.station(where)
    try:
        free = [x is None for x in place]
        value = np.array([np.nan if x is None else float(x) for x in place])
    except (TypeError, ValueError):
        free, value = [], np.zeros(0)
    numbers = np.isfinite(value) != free if value.shape == (3,) else np.zeros(1, dtype=bool)
    if isinstance(place, str) or not numbers.all() or all(free):
        raise InputError(
            f"target of {where} is {brief(place)}; give three numbers [x, y, z], None where it is "
            f"free"
        )
    return value


def _misses(robot: Robot, q: Floats, wanted: Wanted) -> tuple[Floats, Floats]:
    """How far the stations are off, and the Jacobian of that: (n,), (n, nv)."""
    gaps, rows = [], []
    for where, place in wanted:
        keep = np.isfinite(place)
        gaps.append((recursion.station_pose(robot, q, where).p - place)[keep])
        rows.append(recursion.station_jacobian(robot, q, where)[3:][keep])
    return np.concatenate(gaps), np.vstack(rows)


def _search(at: Equilibrium, q: Floats, wanted: Wanted) -> tuple[Statics | None, float]:
    """The rest that Newton's method finds from q, if any, and how far it stays away."""
    robot, size = at.robot, elastic_size(at.robot)
    scale = max(size(at.shape_rows(np.asarray(at.force(q), dtype=float))), 1e-12)

    def state(q: Floats) -> tuple[float, Floats, Floats, Floats]:
        gap, J = _misses(robot, q, wanted)
        left = at.shape_rows(np.asarray(at.force(q), dtype=float))
        return float(np.linalg.norm(gap)) + size(left) / scale, gap, J, left

    merit, gap, J, left = state(q)
    before = [merit]
    for iteration in range(80):
        if np.abs(gap).max() < 1e-11 and size(left) <= 1e-11 * scale:
            return at.result(q, iteration), 0.0
        K = at.shape_rows(at.slope(q, list(range(robot.nv))))
        step = np.linalg.lstsq(np.vstack([J, K]), -np.concatenate([gap, left]), rcond=1e-10)[0]
        step = step * min(1.0, 0.5 / max(np.abs(step[list(robot.joint_indices)]).max(), 1e-12))
        for _ in range(20):
            new = robot.normalized(q + recursion.configuration_rate(robot, q, step))
            after = state(new)
            if np.isfinite(after[0]) and after[0] < merit:
                break
            step = 0.5 * step
        else:
            break
        q, (merit, gap, J, left) = new, after
        before.append(merit)
        if len(before) > PATIENCE and merit > 0.9 * before[-1 - PATIENCE]:
            break
    return None, float(np.linalg.norm(gap))
