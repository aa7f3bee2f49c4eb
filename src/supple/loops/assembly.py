"""Close the loops: find the coordinates that bring the sides of every cut together.

Levenberg's method on the closure, from the guess and then from other starts; some coordinates
may be held. A closed place at which a cut is turned by half a turn (its sines vanish too) does
not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .. import recursion
from ..errors import SimulationError
from ..robot import Robot
from ..types import Floats
from .closure import closure_jacobian, closure_residual, loop_rows

CLOSED = 1e-12  # what may be left open [m, rad]
STEPS = 200
STARTS = 24  # tried after the guess


@dataclass(frozen=True)
class Assembly:
    """A configuration with all loops closed, and what is left open."""

    q: Floats
    residual: float


def close_loops(
    robot: Robot, guess: Floats, held: Sequence[int] = (), seed: int = 0
) -> list[Assembly]:
    """All ways found to close the loops, the nearest to the guess first; `held` are places in
    the velocity whose coordinates stay. SimulationError where there is none."""
    rng = np.random.default_rng(seed)
    free = [k for k in range(robot.nv) if k not in held]
    found: list[Assembly] = []
    best = (np.inf, guess)
    for start in range(STARTS + 1):
        q = robot.normalized(guess)
        if start:
            step = np.zeros(robot.nv)
            step[free] = rng.uniform(-np.pi, np.pi, len(free)) * _reach(robot)[free]
            q = robot.normalized(q + recursion.configuration_rate(robot, q, step))
        q, left = _descend(robot, q, free)
        best = min(best, (left, q), key=lambda x: x[0])
        if left <= CLOSED and not any(_same(robot, q, other.q) for other in found):
            found.append(Assembly(q, left))
    if not found:
        raise SimulationError(_open_words(robot, best[1]))
    return found


def _reach(robot: Robot) -> Floats:
    """How far starts are spread: turns by half a turn, slides by the robot's size, shapes not."""
    size = max((float(np.linalg.norm(link.mount.r0)) for link in robot.links), default=1.0)
    out = np.zeros(robot.nv)
    for link in robot.links:
        out[link.u] = [1.0 if axis < 3 else size / np.pi for axis in link.joint.axes]
    return out


def _descend(robot: Robot, q: Floats, free: list[int]) -> tuple[Floats, float]:
    """Levenberg's method until the loops are closed or nothing gets better."""
    damping = 1e-3
    r = np.asarray(closure_residual(robot, q), dtype=float)
    for _ in range(STEPS):
        if np.abs(r).max(initial=0.0) <= 1e-15:
            break
        J = np.asarray(closure_jacobian(robot, q), dtype=float)[:, free]
        step = np.zeros(robot.nv)
        A = J.T @ J + damping * damping * np.eye(len(free))
        step[free] = np.linalg.solve(A, -J.T @ r)
        new = robot.normalized(q + recursion.configuration_rate(robot, q, step))
        after = np.asarray(closure_residual(robot, new), dtype=float)
        if np.linalg.norm(after) < np.linalg.norm(r):
            q, r, damping = new, after, max(0.2 * damping, 1e-9)
        elif damping > 1e3 or np.abs(step).max() < 1e-15:
            break
        else:
            damping *= 4.0
    return q, float(np.abs(r).max(initial=0.0))


def _same(robot: Robot, q: Floats, other: Floats) -> bool:
    """Whether two configurations are one, whole turns apart or not."""
    for link in robot.links:
        a, b = q[link.q], other[link.q]
        gap = np.abs(a - b)
        if link.joint.nq == 1 and link.joint.axes[0] < 3:
            gap = np.abs(np.exp(1j * a) - np.exp(1j * b))
        elif link.joint.nq > link.joint.nv:
            gap = np.minimum(gap, np.abs(a + b))
        if gap.max(initial=0.0) > 1e-6:
            return False
    shapes = [k for link in robot.links for k in range(link.d.start, link.d.stop)]
    return bool(np.abs(q - other)[shapes].max(initial=0.0) < 1e-6)


def _open_words(robot: Robot, q: Floats) -> str:
    """Which loop stays open, and by how much."""
    r = np.abs(np.asarray(closure_residual(robot, q), dtype=float))
    sizes = [float(r[rows].max(initial=0.0)) for rows in loop_rows(robot)]
    worst = int(np.argmax(sizes))
    return (
        f"the loops of {robot.name} do not close: loop {robot.loops[worst].name} stays open by "
        f"{sizes[worst]:.3g} (m or rad) at the best of {STARTS + 1} starts. Look at the lengths, "
        f"or give a better guess"
    )
