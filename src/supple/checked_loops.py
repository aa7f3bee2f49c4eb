"""Closed chains for everyday use: arguments checked, results looked at.

Forward and inverse dynamics, wrenches and all that open robots have too are in `checked`; here
is what only loops have.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .checks import (
    External,
    configuration,
    definite,
    finite_results,
    force,
    looped,
    movable,
    vector,
    velocity,
    wrenches,
)
from .errors import InputError
from .loops import cuts, dynamics as closed, subsystems as branches
from .loops.actuation import closing_accelerations, closing_rates, cut_forces, motor_places
from .loops.closed_checks import check_closed, closed_robot, driven_robot
from .loops.closure import closure_jacobian as loop_jacobian, closure_residual
from .loops.parallel import Parallel, regular_parallel
from .loops.reduced import Reduced, reduced as reduced_equations
from .loops.rows import kept_rows
from .loops.wrenches import cut_wrenches as all_cut_wrenches
from .robot import Robot
from .types import Coordinates, Floats


@finite_results("closure")
def closure(robot: Robot, q: Coordinates) -> Floats:
    """How far the loops of a closed chain are open at q: (rows,)."""
    return closure_residual(looped(robot), configuration(robot, q))


@finite_results("Jacobian")
def closure_jacobian(robot: Robot, q: Coordinates) -> Floats:
    """J (rows, nv) of a closed chain: its loops open at the rates J qd."""
    return loop_jacobian(looped(robot), configuration(robot, q))


@finite_results("multipliers")
def multipliers(
    robot: Robot, q: Coordinates, qd: ArrayLike, tau: ArrayLike, external: External = None
) -> Floats:
    """Forces and moments at the cuts of a closed chain that moves under tau: (rows,), loop by
    loop, its closed turns then its closed slides: what the first side puts on the second, in
    the first side's axes. Where several would do (a planar loop in space), the smallest."""
    at, rates = definite(robot, movable(robot, q)), velocity(robot, qd)
    given, loads = force(robot, tau), wrenches(robot, external)
    return closed.multipliers(closed_robot(looped(robot), at, rates), at, rates, given, loads)


@finite_results("wrenches")
def cut_wrenches(
    robot: Robot, q: Coordinates, qd: ArrayLike, qdd: ArrayLike, external: External = None
) -> Floats:
    """Moment and force [n; f] that each cut puts on the link of its second side, at that side's
    point, in world axes: (loops, 6); the link of the first side gets the opposite."""
    at, rates = configuration(looped(robot), q), velocity(robot, qd)
    given, loads = velocity(robot, qdd, "qdd"), wrenches(robot, external)
    ready = driven_robot(robot, at, rates, given)
    return all_cut_wrenches(ready, at, cut_forces(ready, at, rates, given, loads))


@finite_results("Jacobian")
def platform_jacobian(robot: Robot, q: Coordinates) -> Floats:
    """J (6, motors) of a parallel robot: its platform's twist [w; v] in world axes from the
    motors' rates, by eliminating all other joints leg by leg."""
    at = configuration(looped(robot), q)
    check_closed(robot, at, np.zeros(robot.nv))
    return regular_parallel(robot, at).J


@finite_results("matrices")
def parallel(robot: Robot, q: Coordinates) -> Parallel:
    """The matrices N_l, N_c, N_d of a parallel robot, its platform's Jacobian J and the map K
    from the motors' rates to all rates."""
    at = configuration(looped(robot), q)
    check_closed(robot, at, np.zeros(robot.nv))
    return regular_parallel(robot, at)


@finite_results("equations")
def reduced(robot: Robot, q: Coordinates, qd: ArrayLike, external: External = None) -> Reduced:
    """The equations I u_dot + h = K^T tau of a closed chain in independent coordinates u, as many
    as it has degrees of freedom; qd = K u, qdd = K u_dot + k."""
    at, rates = configuration(looped(robot), q), velocity(robot, qd)
    return reduced_equations(closed_robot(robot, at, rates), at, rates, wrenches(robot, external))


@finite_results("motion")
def complete_motion(
    robot: Robot, q: Coordinates, rates: ArrayLike, accelerations: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """qd and qdd (nv,) of all joints from those of the motors, in the order of their joints: what
    keeps the loops closed. Shapes stay as they are."""
    at, motors = configuration(looped(robot), q), motor_places(robot)
    names = tuple(robot.velocity_names[k] for k in motors)
    given = vector(rates, "rates", len(motors), names, robot)
    more = np.zeros(len(motors)) if accelerations is None else accelerations
    second = vector(more, "accelerations", len(motors), names, robot)
    ready = closed_robot(robot, at, np.zeros(robot.nv))
    others = len(robot.joint_indices) - len(motors)
    if others != len(kept_rows(ready)):
        raise InputError(
            f"{robot.name} has {others} joint coordinates without motors, its loops give "
            f"{len(kept_rows(ready))}: the motors do not decide the motion of the rest"
        )
    chosen, still = [*motors, *robot.mode_indices], np.zeros(robot.modes)
    qd = closing_rates(ready, at, np.concatenate([given, still]), chosen)
    qdd = closing_accelerations(ready, at, qd, np.concatenate([second, still]), chosen)
    return qd, qdd


def cut_choices(robot: Robot) -> list[cuts.CutChoice]:
    """Joints at which a closed chain may be cut open, those first that leave the smallest systems
    of equations to its subsystems."""
    return cuts.cut_choices(looped(robot))


def subsystems(robot: Robot, base: str | None = None) -> tuple[branches.Subsystem, ...]:
    """The branches of the tree that the cuts leave, and which of them are determinate."""
    return branches.subsystems(looped(robot), base)


def solution_order(robot: Robot, base: str | None = None) -> tuple[branches.Step, ...]:
    """In which order the subsystems' equations give the forces of motors and cuts."""
    return branches.order_of_solution(looped(robot), base)
