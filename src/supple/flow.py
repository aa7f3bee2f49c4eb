"""The whole flow on one page: model file -> Robot -> recursion -> simulation -> Result.

Every function here checks what it is given and hands on to the recursion, which does not.
Configurations q have robot.nq numbers; qd, qdd and tau have robot.nv (they differ only where
a joint keeps a quaternion). `tau` may also hold the joint torques alone, one for each joint
rate: the robot's input matrix then spreads them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import recursion
from .errors import InputError
from .recursion import Pose, Sweeps
from .recursion.forward import Factor
from .recursion.mass import Composite
from .robot import Robot
from .types import Floats

External = Mapping[str, ArrayLike] | None
"""Wrenches [nx, ny, nz, fx, fy, fz] in world axes by station name, e.g. {"link3.tip": ...}."""


def configuration(robot: Robot, q: ArrayLike) -> Floats:
    """q checked: (nq,), finite, quaternions not zero."""
    value = _vector(q, "q", robot.nq, robot.coordinate_names, robot)
    for link in robot.links:
        if link.joint.nq != link.joint.nv:
            part = value[link.q][:4]
            if not 1e-6 < float(part @ part) < 1e6:
                raise InputError(
                    f"q of joint {link.joint_name}: quaternion {part.tolist()} has no direction; "
                    f"give (w, x, y, z) of length 1"
                )
    return value


def velocity(robot: Robot, qd: ArrayLike, name: str = "qd") -> Floats:
    """qd, qdd or tau checked: (nv,), finite."""
    return _vector(qd, name, robot.nv, robot.velocity_names, robot)


def force(robot: Robot, tau: ArrayLike) -> Floats:
    """Generalised force: (nv,), or the joint torques alone, spread by the input matrix."""
    joints = len(robot.joint_indices)
    try:
        shape = np.shape(tau)
    except ValueError:  # rows of different lengths
        shape = ()
    if shape == (joints,) and joints != robot.nv:
        names = tuple(robot.velocity_names[i] for i in robot.joint_indices)
        return np.asarray(robot.input_matrix @ _vector(tau, "tau", joints, names, robot))
    return velocity(robot, tau, "tau")


def _vector(value: ArrayLike, name: str, size: int, names: tuple[str, ...], robot: Robot) -> Floats:
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise InputError(
            f"{name} of {robot.name}: expected {size} numbers, got {value!r}"
        ) from None
    if array.shape != (size,):
        raise InputError(
            f"{name} of {robot.name} has shape {array.shape}, expected ({size},): "
            f"{', '.join(names[:12])}{', ...' if size > 12 else ''}"
        )
    bad = np.flatnonzero(~np.isfinite(array))
    if len(bad):
        raise InputError(
            f"{name} of {robot.name}: {names[bad[0]]} is {array[bad[0]]}; numbers must be finite"
        )
    return array


def _wrenches(robot: Robot, external: External) -> dict[str, Floats]:
    out = {}
    for where, wrench in (external or {}).items():
        robot.station(where)
        names = ("nx", "ny", "nz", "fx", "fy", "fz")
        out[where] = _vector(wrench, f"external wrench at {where}", 6, names, robot)
    return out


def inverse_dynamics(
    robot: Robot, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, external: External = None
) -> Floats:
    """Joint and modal generalised forces that give the accelerations qdd: (nv,)."""
    return recursion.inverse_dynamics(
        robot,
        configuration(robot, q),
        velocity(robot, qd),
        velocity(robot, qdd, "qdd"),
        _wrenches(robot, external),
    )


def forward_dynamics(
    robot: Robot, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, external: External = None
) -> Floats:
    """Accelerations qdd under tau: (nv,), by the three-sweep U D U^T recursion."""
    return recursion.forward_dynamics(
        robot,
        configuration(robot, q),
        velocity(robot, qd),
        force(robot, tau),
        _wrenches(robot, external),
    )


def forward_sweeps(
    robot: Robot, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, external: External = None
) -> list[Sweeps]:
    """The forward dynamics laid open: articulated bodies, Psi, D, phi, eta and mu of each link."""
    return recursion.forward_sweeps(
        robot,
        configuration(robot, q),
        velocity(robot, qd),
        force(robot, tau),
        _wrenches(robot, external),
    )


def mass_matrix(robot: Robot, q: ArrayLike) -> Floats:
    """The generalised inertia matrix: (nv, nv)."""
    return recursion.mass_matrix(robot, configuration(robot, q))


def inverse_mass_matrix(robot: Robot, q: ArrayLike) -> Floats:
    """Its explicit inverse: (nv, nv)."""
    return recursion.inverse_mass_matrix(robot, configuration(robot, q))


def udu_factors(robot: Robot, q: ArrayLike) -> tuple[Floats, Floats]:
    """U (unit upper triangular, (nv, nv)) and D (nv,) with M = U diag(D) U^T."""
    return recursion.udu_factors(robot, configuration(robot, q))


def composite_bodies(robot: Robot, q: ArrayLike) -> list[Composite]:
    """Composite body inertias M~_i of all links, in link axes about their joints."""
    return recursion.composite_bodies(robot, configuration(robot, q))


def articulated_bodies(robot: Robot, q: ArrayLike) -> list[Factor]:
    """Articulated body inertias M^_i of all links with their columns Psi and D."""
    return recursion.articulated_bodies(robot, configuration(robot, q))[1]


def bias_force(robot: Robot, q: ArrayLike, qd: ArrayLike, external: External = None) -> Floats:
    """tau at qdd = 0: Coriolis, gravity, elasticity, damping and friction: (nv,)."""
    return recursion.bias_force(
        robot, configuration(robot, q), velocity(robot, qd), _wrenches(robot, external)
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
    still = np.zeros(robot.nv)
    m = recursion.station_motion(
        robot, configuration(robot, q), velocity(robot, qd), still, station
    )
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
