"""The balance of energy, work and losses of a run."""

from __future__ import annotations

import numpy as np

from ..errors import SimulationError
from ..robot import Robot
from .check import Check, at_most
from .result import Result
from .solver import Tolerances

ENERGY = 1e-4  # imbalance, relative, that is worth a word
EXACT = 1e4  # the same in units of a small rtol, but no less than rounding, 1e-8
BENDING = 0.1  # imbalance over the energy of bending: vibration may be lost in it
NO_ENERGY = 0.1  # and that makes a run worthless


def balance(robot: Robot, run: Result, how: Tolerances) -> list[Check]:
    """The balance of energy, work and losses; linearised kinematics has no energy of its own.
    A run that hardly moves has no digits to balance."""
    error, own, still = run.energy_error, robot.kinematics.keeps_energy, _hardly(run, how.atol)
    off = f"differ by {100 * error:.2g} % of the largest of them"
    if own and error > NO_ENERGY and not still:
        raise SimulationError(
            f"the run of {robot.name} means nothing: energy, work and losses {off}. Use a smaller "
            f"rtol, or another method"
        )
    better = f"a smaller atol: {still}" if still else "a smaller rtol"
    if len(run.held.attrs.get("loops_singular", ())):
        better += "; it may have been lost where the loops are singular, then stop before that"
    if "driven" in run.held.variables:
        better += "; the acceleration of a prescribed law must be the derivative of its rate"
    remedy = f"Use {better}" if own else "Linearised kinematics keeps none; use second_order"
    words = f"energy, work and losses of the run {off}. {remedy}"
    limit = min(ENERGY, max(EXACT * how.rtol, 1e-8))
    if still or not own:
        limit = ENERGY if own else NO_ENERGY
    checks = [at_most("energy balance", error, limit, "relative", "", words)]
    return checks + (_of_bending(run, better) if own and robot.modes and not still else [])


def _of_bending(run: Result, better: str) -> list[Check]:
    """What is missing beside the energy of bending: a method that damps hides in a large motion."""
    total = run["kinetic"] + run["gravity"] + run["elastic"]
    missing = np.abs(total - total[0] - run["work"] + run["dissipated"]).max()
    most = np.abs(run["elastic"]).max(initial=0.0)
    rounding = 1e-13 * max(np.abs(run[x]).max() for x in ("kinetic", "gravity", "work"))
    if missing <= rounding or most == 0.0:
        return [Check("energy of bending", 0.0, BENDING, "missing of it", True)]
    words = (
        f"energy, work and losses differ by {missing / most:.2g} of all the energy of bending: "
        f"whether vibration dies out by itself or by the method cannot be told. Use {better}"
    )
    return [at_most("energy of bending", missing / most, BENDING, "missing of it", "", words)]


def _hardly(run: Result, atol: float) -> str:
    """What is so small that the absolute tolerance matters; empty if nothing is."""
    moved = max(float(np.abs(run[x] - run[x][0]).max(initial=0.0)) for x in ("q", "qd"))
    for size, what in ((moved, "nothing moves by"), (run.energy_moved, "no energy is")):
        if size < 1e4 * atol:
            return f"{what} more than {size:.2g}, and atol is {atol:.2g}"
    return ""
