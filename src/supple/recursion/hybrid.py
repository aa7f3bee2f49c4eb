"""Hybrid dynamics: some joints follow a given motion, the others move under their forces."""

from __future__ import annotations

import numpy as np

from ..robot import Robot
from ..types import Array
from .forward import HeldLinks, accelerations, factor, inflow, solve
from .inverse import Wrenches, inverse_dynamics, net_loads, passive_force
from .sweep import gather


def hybrid_dynamics(
    robot: Robot,
    q: Array,
    qd: Array,
    tau: Array,
    qdd: Array,
    held: HeldLinks,
    external: Wrenches | None = None,
) -> tuple[Array, Array]:
    """All accelerations and forces (nv,) when the joints of the links `held` follow a motion.

    Their accelerations are taken from `qdd`, their forces are found: the reaction that makes
    them move so. Of the other coordinates the forces are given by `tau`.
    """
    known = gather(robot.parents, lambda i: _split(robot, i, qdd, np.zeros(robot.nv), held))
    ways, at, loads = net_loads(robot, q, qd, known, robot.gravity, external or {})
    factors = factor(robot, ways, at, held)
    flows = inflow(robot, ways, factors, tau - passive_force(robot, q, qd), loads)
    found = known + accelerations(robot, solve(robot, ways, factors, flows))
    forces = inverse_dynamics(robot, q, qd, found, external)
    return found, gather(robot.parents, lambda i: _split(robot, i, forces, tau, held))


def _split(
    robot: Robot, i: int, of_held: Array, of_others: Array, held: HeldLinks
) -> tuple[Array, Array]:
    link = robot.links[i]
    return (of_held if i in held else of_others)[link.u], of_others[link.e]
