"""Motors of a closed chain that bring stations to their places, at rest.

Newton's method on the loops: steps along all directions that they leave free, motors and all,
until the stations are there and what the motors do not hold is in balance (`loops.force_balance`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..loops.assembly import AssemblyProblem, descend, moved, rate_scale
from ..loops.force_balance import Balance, HeldChain
from ..robot import Robot
from ..types import Floats
from .closed_equilibrium import chain_statics
from .result import Statics
from .targets import Wanted, misses, residual_length, starts

BEST = 3  # of the other starts, how many are tried on the bending chain
FARTHEST = 0.3  # step [rad, robot's size]: far steps lead to other ways of closing
THERE = 1e-11
HALVINGS = 20
PATIENCE = 6  # steps in which a search must come a tenth nearer


def closed_firsts(robot: Robot, q: Floats, wanted: Wanted) -> Iterator[Floats]:
    """q, then the best of the other closed places, as if nothing bent."""
    yield q
    closed = (descend(AssemblyProblem(robot), x) for x in starts(robot))
    others = [_unbent(robot, x.q, wanted) for x in closed if x.closed]
    yield from (x for _, x in sorted(others, key=lambda pair: pair[0])[:BEST])


def _unbent(robot: Robot, q: Floats, wanted: Wanted) -> tuple[float, Floats]:
    """How near the chain comes from q as if it did not bend, and where it then is."""
    stiff = HeldChain(robot, tuple(robot.mode_indices))
    gap, J = misses(robot, q, wanted)
    for _ in range(40):
        ways = stiff.directions(np.asarray(stiff.jacobian(q), dtype=float))
        step = _limited(robot, ways @ np.linalg.lstsq(J @ ways, -gap, rcond=1e-3)[0])
        new = stiff.closed(moved(robot, q, step))
        if new is None:
            break
        after, slope = misses(robot, new, wanted)
        if not np.linalg.norm(after) < (1.0 - 1e-6) * np.linalg.norm(gap):
            break
        q, gap, J = new, after, slope
    return float(np.linalg.norm(gap)), q


def _limited(robot: Robot, step: Floats) -> Floats:
    far = float(np.abs(step / rate_scale(robot)).max(initial=0.0))
    return np.asarray(step * min(1.0, FARTHEST / max(far, 1e-300)))


def closed_search(chain: HeldChain, q: Floats, wanted: Wanted) -> tuple[Statics | None, float]:
    """The rest that is found from q, if any, and how far the stations stay away."""
    robot, free = chain.robot, HeldChain(chain.robot)
    here, (gap, J) = chain.balance(q), misses(robot, q, wanted)
    length = residual_length(robot, q, here.N)

    def merit(here: Balance, gap: Floats) -> float:
        return float(np.linalg.norm(gap)) + length(here.T, here.left)

    before = [merit(here, gap)]
    for iteration in range(80):
        ways = free.directions(np.asarray(free.jacobian(q), dtype=float))
        K = chain.stiffness(q, here, ways)
        weight = 1.0 / np.maximum(np.abs(K).max(axis=1, initial=0.0), 1e-300)
        A, b = np.vstack([J @ ways, weight[:, None] * K]), np.append(gap, weight * here.left)
        step = _limited(robot, ways @ np.linalg.lstsq(A, -b, rcond=1e-10)[0])
        near = float(np.abs(step / rate_scale(robot)).max(initial=0.0)) < THERE
        if np.abs(gap).max() < THERE and near:
            return chain_statics(chain, q, here, iteration), 0.0
        for _ in range(HALVINGS):
            new = free.closed(moved(robot, q, step))
            if new is not None:
                after, (apart, slope) = chain.balance(new), misses(robot, new, wanted)
                if near or merit(after, apart) < before[-1]:
                    break
            step = 0.5 * step
        else:
            break
        q, here, gap, J = new, after, apart, slope
        before.append(merit(here, gap))
        if len(before) > PATIENCE and before[-1] > 0.9 * before[-1 - PATIENCE] and not near:
            break
    return None, float(np.linalg.norm(gap))
