"""How much a station gives way to small forces, joints (of closed chains and elastic gears:
motors) held.

    C = J S^-1 J^T      [m/N],       displacement = C f

J over the shapes (and joints behind elastic gears), S their tangent stiffness under the loads; of
closed chains along the directions that the loops leave free. The stiffness along a direction n is
1/(n^T C n), from 1/(largest eigenvalue of C) to 1/(smallest); rigid directions have no bound.
"""

from __future__ import annotations

import numpy as np

from ... import recursion
from ...types import Floats
from ..closed_equilibrium import held_chain
from ..equilibrium import Equilibrium
from ..result import Statics


def compliance(rest: Statics, station: str) -> Floats:
    """C (3, 3) [m/N] of a station at rest, joints (motors) held."""
    robot, q = rest.robot, rest.q
    J = np.asarray(recursion.station_jacobian(robot, q, station), dtype=float)[3:]
    if not len(rest.stiffness):
        return np.zeros((3, 3))
    if not robot.loops:
        pushed = Equilibrium(robot, {}).shape_rows(J.T)
        return np.asarray(J[:, robot.free_indices] @ np.linalg.solve(rest.stiffness, pushed))
    held = held_chain(robot, q, rest.wrench).balance(q)
    S = np.asarray(held.T.T @ np.eye(robot.nv)) @ J.T
    return np.asarray(J @ held.N @ np.linalg.solve(_same(rest, held.N), S))


def _same(rest: Statics, N: Floats) -> Floats:
    """The stiffness along the directions N, which span what rest.ways does."""
    assert rest.ways is not None
    turn = np.linalg.lstsq(rest.ways, N, rcond=None)[0]
    return np.asarray(turn.T @ rest.stiffness @ turn)


def stiffness(give: float, most: float) -> float:
    """1/compliance, without bound where there is none but rounding."""
    return float(1.0 / give) if give > 1e-12 * most and give > 0.0 else np.inf


__all__ = ["compliance", "stiffness"]
