"""Places that stations are to come to, and where a search for them begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from .. import recursion
from ..errors import InputError, brief
from ..robot import Robot
from ..types import Floats
from .result import own_stiffness

TRIES = 12  # starts, the user's first; the others are tried on the unbent robot
Wanted = list[tuple[str, Floats]]
"""Stations with their places (3,); no number where a coordinate is free."""


def place(robot: Robot, where: str, given: Sequence[float | None]) -> Floats:
    robot.station(where)
    try:
        free = [x is None for x in given]
        value = np.array([np.nan if x is None else float(x) for x in given])
    except (TypeError, ValueError):
        free, value = [], np.zeros(0)
    numbers = np.isfinite(value) != free if value.shape == (3,) else np.zeros(1, dtype=bool)
    if isinstance(given, str) or not numbers.all() or all(free):
        raise InputError(
            f"target of {where} is {brief(given)}; give three numbers [x, y, z], None where it is "
            f"free"
        )
    return value


def misses(robot: Robot, q: Floats, wanted: Wanted) -> tuple[Floats, Floats]:
    """How far the stations are off, and the Jacobian of that: (n,), (n, nv)."""
    gaps, rows = [], []
    for where, at in wanted:
        keep = np.isfinite(at)
        gaps.append((recursion.station_pose(robot, q, where).p - at)[keep])
        rows.append(recursion.station_jacobian(robot, q, where)[3:][keep])
    return np.concatenate(gaps), np.vstack(rows)


def residual_length(robot: Robot, q: Floats, N: Floats) -> Callable[[Floats, Floats], float]:
    """A measure [m] of the forces g left along directions: how far a station moves at most with the
    energy that g would store in links and springs, sqrt(g^T (N^T (K + M) N)^-1 g). M is for joints
    that hang free. It does not depend on the forces left at q, which may be rounding alone."""
    W = own_stiffness(robot, q) + np.asarray(recursion.mass_matrix(robot, q), dtype=float)
    scale = np.array([size(robot)] * 3 + [1.0] * 3)[:, None]
    places = [f"{link.name}.{name}" for link in robot.links for name in link.body.stations]
    J = np.vstack([scale * recursion.station_jacobian(robot, q, where) for where in places]) @ N
    moves = np.linalg.norm(J @ np.linalg.lstsq(N.T @ W @ N, J.T, rcond=None)[0], 2)

    def length(directions: Floats, left: Floats) -> float:
        stored = left @ np.linalg.lstsq(directions.T @ W @ directions, left, rcond=None)[0]
        return float(np.sqrt(abs(moves * stored)))

    return length


def starts(robot: Robot) -> Iterator[Floats]:
    """Places spread over the joints' range: whole turns, and slides of the robot's size."""
    random, far = np.random.default_rng(1), size(robot) or 1.0
    for _ in range(TRIES - 1):
        new = robot.neutral()
        for link in robot.links:
            wide = [np.pi if axis < 3 else far for axis in link.joint.axes]
            if link.joint.nq != link.joint.nv:
                wide = [1.0] * 4 + [far] * (link.joint.nq - 4)
            new[link.q] = random.uniform(-1.0, 1.0, link.joint.nq) * wide
        yield robot.normalized(new)


def size(robot: Robot, bending: bool = False) -> float:
    """How far the robot, or its links that bend, reach at most, joints that slide aside."""
    lengths = [
        max(float(np.linalg.norm(s.r0 + s.rho)) for s in link.body.stations.values())
        for link in robot.links
        if link.body.m or not bending
    ]
    return sum(lengths)
