"""The inverse question of statics: joints that bring a station to a place, at rest, under load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from .. import recursion
from ..errors import InputError, SimulationError
from ..robot import Robot
from ..types import Floats
from .statics import Equilibrium, Loads, Statics, _joints, _loads, elastic_size


def reach(
    robot: Robot,
    target: Mapping[str, Sequence[float | None]],
    wrench: Loads = None,
    *,
    start: ArrayLike | Mapping[str, float] | None = None,
) -> Statics:
    """Joints and shapes at rest that bring each station to its place {station: (x, y, z)}.

    A coordinate that is None is free. `start` is where the search begins; a robot with joints
    to spare ends near it. Newton's method on places and equilibrium together.
    """
    if not isinstance(target, Mapping):
        raise InputError(
            f"target is {target!r}; give a mapping of stations to places, e.g. "
            f"{{'link3.tip': (1.0, 0.5, None)}}"
        )
    if not robot.joint_indices:
        raise InputError(f"{robot.name} has no joint that moves; there is nothing to reach with")
    wanted = [(where, _place(robot, where, place)) for where, place in target.items()]
    if not wanted:
        raise InputError("reach needs a target, e.g. {'link3.tip': (1.0, 0.5, None)}")
    at, q = Equilibrium(robot, _loads(robot, wrench)), _joints(robot, start)
    with np.errstate(all="ignore"):  # steps that go too far are halved
        return _search(at, q, wanted)


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
            f"target of {where} is {place!r}; give three numbers [x, y, z], None where it is free"
        )
    return value


def _misses(robot: Robot, q: Floats, wanted: list[tuple[str, Floats]]) -> tuple[Floats, Floats]:
    """How far the stations are off, and the Jacobian of that: (n,), (n, nv)."""
    gaps, rows = [], []
    for where, place in wanted:
        keep = np.isfinite(place)
        gaps.append((recursion.station_pose(robot, q, where).p - place)[keep])
        rows.append(recursion.station_jacobian(robot, q, where)[3:][keep])
    return np.concatenate(gaps), np.vstack(rows)


def _search(at: Equilibrium, q: Floats, wanted: list[tuple[str, Floats]]) -> Statics:
    robot, size = at.robot, elastic_size(at.robot)
    scale = max(size(at.shape_rows(np.asarray(at.force(q), dtype=float))), 1e-12)

    def state(q: Floats) -> tuple[float, Floats, Floats, Floats]:
        gap, J = _misses(robot, q, wanted)
        left = at.shape_rows(np.asarray(at.force(q), dtype=float))
        return float(np.linalg.norm(gap)) + size(left) / scale, gap, J, left

    merit, gap, J, left = state(q)
    for iteration in range(80):
        if np.abs(gap).max() < 1e-11 and size(left) <= 1e-11 * scale:
            return at.result(q, iteration)
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
    worst = wanted[0][0]
    raise SimulationError(
        f"{robot.name} does not bring {worst} to its target: {np.abs(gap).max():.3g} m are left. "
        f"It may be out of reach; leave a coordinate free (None), or begin nearer (start=...)"
    )
