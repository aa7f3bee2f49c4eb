"""The whole flow on one page: model file -> Robot -> recursion -> simulation -> Result.

Every function here checks what it is given (checks.py) and hands on to the recursion, which
does not.
Configurations q have robot.nq numbers; qd, qdd and tau have robot.nv (they differ only where
a joint keeps a quaternion). `tau` may also hold the joint torques alone, one for each joint
rate: the robot's input matrix then spreads them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from . import recursion
from .checks import External, configuration, definite, finite, force, movable, velocity, wrenches
from .recursion import Pose, Sweeps
from .recursion.forward import Factor
from .recursion.mass import Composite
from .robot import Robot
from .types import Floats


def inverse_dynamics(
    robot: Robot, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, external: External = None
) -> Floats:
    """Joint and modal generalised forces that give the accelerations qdd: (nv,)."""
    return recursion.inverse_dynamics(
        robot,
        configuration(robot, q),
        velocity(robot, qd),
        velocity(robot, qdd, "qdd"),
        wrenches(robot, external),
    )


def forward_dynamics(
    robot: Robot, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, external: External = None
) -> Floats:
    """Accelerations qdd under tau: (nv,), by the three-sweep U D U^T recursion."""
    at, rates = definite(robot, movable(robot, q)), velocity(robot, qd)
    forces = force(robot, tau)
    with np.errstate(all="ignore"):
        qdd = recursion.forward_dynamics(robot, at, rates, forces, wrenches(robot, external))
    return finite(robot, qdd, "acceleration")


def forward_sweeps(
    robot: Robot, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, external: External = None
) -> list[Sweeps]:
    """The forward dynamics laid open: articulated bodies, Psi, D, phi, eta and mu of each link."""
    return recursion.forward_sweeps(
        robot,
        movable(robot, q),
        velocity(robot, qd),
        force(robot, tau),
        wrenches(robot, external),
    )


def mass_matrix(robot: Robot, q: ArrayLike) -> Floats:
    """The generalised inertia matrix: (nv, nv)."""
    return recursion.mass_matrix(robot, configuration(robot, q))


def inverse_mass_matrix(robot: Robot, q: ArrayLike) -> Floats:
    """Its explicit inverse: (nv, nv)."""
    at = definite(robot, movable(robot, q))
    with np.errstate(all="ignore"):
        return finite(robot, recursion.inverse_mass_matrix(robot, at), "inverse mass matrix")


def udu_factors(robot: Robot, q: ArrayLike) -> tuple[Floats, Floats]:
    """U (unit upper triangular, (nv, nv)) and D (nv,) with M = U diag(D) U^T."""
    return recursion.udu_factors(robot, movable(robot, q))


def composite_bodies(robot: Robot, q: ArrayLike) -> list[Composite]:
    """Composite body inertias M~_i of all links, in link axes about their joints."""
    return recursion.composite_bodies(robot, configuration(robot, q))


def articulated_bodies(robot: Robot, q: ArrayLike) -> list[Factor]:
    """Articulated body inertias M^_i of all links with their columns Psi and D."""
    return recursion.articulated_bodies(robot, movable(robot, q))[1]


def bias_force(robot: Robot, q: ArrayLike, qd: ArrayLike, external: External = None) -> Floats:
    """tau at qdd = 0: Coriolis, gravity, elasticity, damping and friction: (nv,)."""
    return recursion.bias_force(
        robot, configuration(robot, q), velocity(robot, qd), wrenches(robot, external)
    )


def coriolis_force(robot: Robot, q: ArrayLike, qd: ArrayLike) -> Floats:
    """All velocity-product terms: (nv,)."""
    return recursion.coriolis_force(robot, configuration(robot, q), velocity(robot, qd))


def gravity_force(robot: Robot, q: ArrayLike) -> Floats:
    """dV/dq of gravity: (nv,)."""
    return recursion.gravity_force(robot, configuration(robot, q))


def elastic_force(robot: Robot, q: ArrayLike) -> Floats:
    """dV/dq of bending, torsion, extension and joint springs: (nv,)."""
    return recursion.elastic_force(robot, configuration(robot, q))


def passive_force(robot: Robot, q: ArrayLike, qd: ArrayLike) -> Floats:
    """Elastic forces, damping and friction: (nv,), left-hand side."""
    return recursion.passive_force(robot, configuration(robot, q), velocity(robot, qd))


def kinetic_energy(robot: Robot, q: ArrayLike, qd: ArrayLike) -> float:
    """Kinetic energy [J]."""
    return float(recursion.kinetic_energy(robot, configuration(robot, q), velocity(robot, qd)))


def potential_energy(robot: Robot, q: ArrayLike) -> float:
    """Energy of gravity and of all that is elastic [J]."""
    return float(recursion.potential_energy(robot, configuration(robot, q)))


def pose(robot: Robot, q: ArrayLike, station: str) -> Pose:
    """Rotation R (3, 3) and position p (3,) of a station in the world."""
    return recursion.station_pose(robot, configuration(robot, q), station)


def twist(robot: Robot, q: ArrayLike, qd: ArrayLike, station: str) -> Floats:
    """Twist [w; v] of a station in world axes: (6,)."""
    at, rates = configuration(robot, q), velocity(robot, qd)
    m = recursion.station_motion(robot, at, rates, np.zeros(robot.nv), station)
    return np.concatenate([m.w, m.v])


def acceleration(robot: Robot, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, station: str) -> Floats:
    """Angular and linear acceleration [dw; a] of a station in world axes: (6,)."""
    m = recursion.station_motion(
        robot,
        configuration(robot, q),
        velocity(robot, qd),
        velocity(robot, qdd, "qdd"),
        station,
    )
    return np.concatenate([m.dw, m.a])


def twists(robot: Robot, q: ArrayLike, qd: ArrayLike) -> Floats:
    """Twists [w; v] of all link frames (at their joints) in world axes: (links, 6)."""
    return recursion.twists(robot, configuration(robot, q), velocity(robot, qd))


def jacobian(robot: Robot, q: ArrayLike, station: str) -> Floats:
    """J (6, nv): the station's twist [w; v] in world axes is J qd."""
    return recursion.station_jacobian(robot, configuration(robot, q), station)


def jacobian_rate(robot: Robot, q: ArrayLike, qd: ArrayLike, station: str) -> Floats:
    """dJ/dt (6, nv)."""
    return recursion.station_jacobian_rate(
        robot, configuration(robot, q), velocity(robot, qd), station
    )
