"""The recursion's functions for everyday use: arguments checked, results looked at.

Each checks what it is given (checks.py) and hands on to the recursion, which does not; numbers
too large to compute with are refused instead of returned as infinities.
Configurations q have robot.nq numbers; qd, qdd and tau have robot.nv (they differ only where
a joint keeps a quaternion). `tau` may also hold the joint torques alone, one for each joint
rate: the robot's input matrix then spreads them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from . import recursion
from .checks import (
    External,
    check_robot,
    configuration,
    definite,
    finite_results,
    force,
    massive,
    movable,
    on_beam,
    velocity,
    wrenches,
)
from .errors import InputError
from .loops import dynamics as closed
from .loops.actuation import inverse_dynamics as closed_inverse_dynamics
from .loops.closed_checks import closed_robot, driven_robot
from .loops.sections import section_forces as sections_of_beams
from .loops.wrenches import joint_wrenches as all_joint_wrenches
from .recursion import Denoc, Pose, Sweeps
from .recursion.forward import Factor
from .recursion.mass import Composite
from .robot import Robot
from .types import Coordinates, Floats


@finite_results("forces")
def inverse_dynamics(
    robot: Robot, q: Coordinates, qd: ArrayLike, qdd: ArrayLike, external: External = None
) -> Floats:
    """Joint and modal generalised forces that give the accelerations qdd: (nv,).

    Of closed chains: forces of the joints with motors (`robot.actuated`), the smallest where
    several would do; the motion must agree with the loops.
    """
    at, rates = configuration(robot, q), velocity(robot, qd)
    given, loads = velocity(robot, qdd, "qdd"), wrenches(robot, external)
    return closed_inverse_dynamics(driven_robot(robot, at, rates, given), at, rates, given, loads)


@finite_results("acceleration")
def forward_dynamics(
    robot: Robot, q: Coordinates, qd: ArrayLike, tau: ArrayLike, external: External = None
) -> Floats:
    """Accelerations qdd under tau: (nv,), by the three-sweep U D U^T recursion; the loops of
    closed chains stay closed."""
    at, rates = definite(robot, movable(robot, q)), velocity(robot, qd)
    given, loads = force(robot, tau), wrenches(robot, external)
    return closed.forward_dynamics(closed_robot(robot, at, rates), at, rates, given, loads)


@finite_results("wrenches")
def joint_wrenches(
    robot: Robot, q: Coordinates, qd: ArrayLike, qdd: ArrayLike, external: External = None
) -> Floats:
    """Moment and force [n; f] that the joint of each link puts on it, about the link's joint, in
    world axes: (links, 6); drive and reaction together. Of closed chains the motion must agree
    with the loops; where several wrenches would do, those of the smallest multipliers."""
    at, rates = configuration(robot, q), velocity(robot, qd)
    given, loads = velocity(robot, qdd, "qdd"), wrenches(robot, external)
    return all_joint_wrenches(driven_robot(robot, at, rates, given), at, rates, given, loads)


@finite_results("section forces")
def section_forces(
    robot: Robot,
    q: Coordinates,
    qd: ArrayLike,
    qdd: ArrayLike,
    station: str,
    external: External = None,
) -> tuple[Floats, Floats]:
    """Force and moment (3,) each that the part beyond puts on the section of a beam at a station,
    in section axes (x along the beam): pull and shear forces; torque and bending moments about y
    and z. Of closed chains those for which the motors alone drive this motion."""
    at, rates = configuration(robot, q), velocity(robot, qd)
    given, loads = velocity(robot, qdd, "qdd"), wrenches(robot, external)
    where, ready = on_beam(robot, station), driven_robot(robot, at, rates, given)
    return sections_of_beams(ready, at, rates, given, where, loads)


@finite_results("matrices")
def denoc(robot: Robot, q: Coordinates, qd: ArrayLike) -> Denoc:
    """The matrices N_l, N_d, M, W, E, I and C of the decoupled natural orthogonal complement; of
    closed chains those of the tree that the cuts leave."""
    at, rates = configuration(robot, q), velocity(robot, qd)
    if robot.kinematics.small:
        raise InputError(
            f"{robot.name} has linearised kinematics, whose twists are of two orders; "
            f"use elastic_kinematics first_order or second_order for these matrices"
        )
    return recursion.denoc(robot, at, rates)


@finite_results("acceleration")
def forward_sweeps(
    robot: Robot, q: Coordinates, qd: ArrayLike, tau: ArrayLike, external: External = None
) -> list[Sweeps]:
    """The forward dynamics laid open: articulated bodies, Psi, D, phi, eta and mu of each link."""
    return recursion.forward_sweeps(
        robot,
        movable(robot, q),
        velocity(robot, qd),
        force(robot, tau),
        wrenches(robot, external),
    )


@finite_results("regressor")
def regressor(robot: Robot, q: Coordinates, qd: ArrayLike, qdd: ArrayLike) -> Floats:
    """Y (nv, parameters) with tau = Y pi: forces as a linear function of the robot's inertial
    and elastic numbers; `supple.inertial_parameters` has their names and values. Forces of stops
    and elastic gears are not in it. Of closed chains it is that of the tree that the cuts leave."""
    at, rates = configuration(robot, q), velocity(robot, qd)
    return recursion.regressor(robot, at, rates, velocity(robot, qdd, "qdd"))


@finite_results("mass matrix")
def mass_matrix(robot: Robot, q: Coordinates) -> Floats:
    """The generalised inertia matrix: (nv, nv)."""
    return recursion.mass_matrix(robot, configuration(robot, q))


@finite_results("inverse mass matrix")
def inverse_mass_matrix(robot: Robot, q: Coordinates) -> Floats:
    """Its explicit inverse: (nv, nv)."""
    return recursion.inverse_mass_matrix(robot, definite(robot, movable(robot, q)))


@finite_results("factors")
def udu_factors(robot: Robot, q: Coordinates) -> tuple[Floats, Floats]:
    """U (unit upper triangular, (nv, nv)) and D (nv,) with M = U diag(D) U^T."""
    return recursion.udu_factors(robot, definite(robot, movable(robot, q)))


@finite_results("inertia")
def composite_bodies(robot: Robot, q: Coordinates) -> list[Composite]:
    """Composite body inertias M~_i of all links, in link axes about their joints."""
    return recursion.composite_bodies(robot, configuration(robot, q))


@finite_results("inertia")
def articulated_bodies(robot: Robot, q: Coordinates) -> list[Factor]:
    """Articulated body inertias M^_i of all links with their columns Psi and D."""
    return recursion.articulated_bodies(robot, movable(robot, q))[1]


@finite_results("forces")
def bias_force(robot: Robot, q: Coordinates, qd: ArrayLike, external: External = None) -> Floats:
    """tau at qdd = 0: Coriolis, gravity, elasticity, damping and friction: (nv,)."""
    return recursion.bias_force(
        robot, configuration(robot, q), velocity(robot, qd), wrenches(robot, external)
    )


@finite_results("forces")
def coriolis_force(robot: Robot, q: Coordinates, qd: ArrayLike) -> Floats:
    """All velocity-product terms: (nv,)."""
    return recursion.coriolis_force(robot, configuration(robot, q), velocity(robot, qd))


@finite_results("forces")
def gravity_force(robot: Robot, q: Coordinates) -> Floats:
    """dV/dq of gravity: (nv,)."""
    return recursion.gravity_force(robot, configuration(robot, q))


@finite_results("forces")
def elastic_force(robot: Robot, q: Coordinates) -> Floats:
    """dV/dq of bending, torsion, extension and joint springs: (nv,)."""
    return recursion.elastic_force(robot, configuration(robot, q))


@finite_results("forces")
def passive_force(robot: Robot, q: Coordinates, qd: ArrayLike) -> Floats:
    """Elastic forces, damping and friction: (nv,), left-hand side."""
    return recursion.passive_force(robot, configuration(robot, q), velocity(robot, qd))


@finite_results("forces")
def motor_torque(robot: Robot, qd: ArrayLike, tau: ArrayLike) -> Floats:
    """What the motors give, (nv,), when tau is asked of them at the rates qd: no more than their
    torque limits, and nothing that would make them faster than their speed limits."""
    check_robot(robot)
    return recursion.motor_torque(robot, velocity(robot, qd), force(robot, tau))


@finite_results("energy")
def kinetic_energy(robot: Robot, q: Coordinates, qd: ArrayLike) -> float:
    """Kinetic energy [J]."""
    return float(recursion.kinetic_energy(robot, configuration(robot, q), velocity(robot, qd)))


@finite_results("energy")
def potential_energy(robot: Robot, q: Coordinates) -> float:
    """Energy of gravity and of all that is elastic [J]."""
    return float(recursion.potential_energy(robot, configuration(robot, q)))


@finite_results("centre of mass")
def centre_of_mass(robot: Robot, q: Coordinates) -> Floats:
    """Centre of mass of the whole robot in the world: (3,)."""
    return recursion.centre_of_mass(massive(robot), configuration(robot, q))


@finite_results("centre of mass")
def centre_of_mass_motion(
    robot: Robot, q: Coordinates, qd: ArrayLike, qdd: ArrayLike
) -> tuple[Floats, Floats, Floats]:
    """Position, velocity and acceleration of the centre of mass of the whole robot in the world:
    (3,) each."""
    at, rates = configuration(massive(robot), q), velocity(robot, qd)
    return recursion.centre_of_mass_motion(robot, at, rates, velocity(robot, qdd, "qdd"))


@finite_results("momentum")
def momentum(robot: Robot, q: Coordinates, qd: ArrayLike) -> Floats:
    """Momentum of the whole robot in world axes, [angular about the world's origin; linear]:
    (6,). Rotors of rigid drives take no part in it."""
    return recursion.momentum(robot, configuration(robot, q), velocity(robot, qd))


@finite_results("pose")
def pose(robot: Robot, q: Coordinates, station: str) -> Pose:
    """Rotation R (3, 3) and position p (3,) of a station in the world."""
    return recursion.station_pose(robot, configuration(robot, q), station)


@finite_results("twist")
def twist(robot: Robot, q: Coordinates, qd: ArrayLike, station: str) -> Floats:
    """Twist [w; v] of a station in world axes: (6,)."""
    at, rates = configuration(robot, q), velocity(robot, qd)
    m = recursion.station_motion(robot, at, rates, np.zeros(robot.nv), station)
    return np.concatenate([m.w, m.v])


@finite_results("acceleration")
def acceleration(
    robot: Robot, q: Coordinates, qd: ArrayLike, qdd: ArrayLike, station: str
) -> Floats:
    """Angular and linear acceleration [dw; a] of a station in world axes: (6,)."""
    m = recursion.station_motion(
        robot,
        configuration(robot, q),
        velocity(robot, qd),
        velocity(robot, qdd, "qdd"),
        station,
    )
    return np.concatenate([m.dw, m.a])


@finite_results("twists")
def twists(robot: Robot, q: Coordinates, qd: ArrayLike) -> Floats:
    """Twists [w; v] of all link frames (at their joints) in world axes: (links, 6)."""
    return recursion.twists(robot, configuration(robot, q), velocity(robot, qd))


@finite_results("Jacobian")
def jacobian(robot: Robot, q: Coordinates, station: str) -> Floats:
    """J (6, nv): the station's twist [w; v] in world axes is J qd."""
    return recursion.station_jacobian(robot, configuration(robot, q), station)


@finite_results("rate of the Jacobian")
def jacobian_rate(robot: Robot, q: Coordinates, qd: ArrayLike, station: str) -> Floats:
    """dJ/dt (6, nv)."""
    return recursion.station_jacobian_rate(
        robot, configuration(robot, q), velocity(robot, qd), station
    )
