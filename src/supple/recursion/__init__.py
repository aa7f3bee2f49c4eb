"""The heart: twists, inverse dynamics, inertia matrix, U D U^T forward dynamics, Jacobians.

Plain NumPy, generic in the scalar. No function here checks its input; the public ones in
`supple` do.
"""

from .denoc import Denoc, denoc
from .energy import elastic_energy, gravity_energy, kinetic_energy, potential_energy
from .forward import (
    Sweeps,
    accelerations_under,
    articulated_bodies,
    forward_dynamics,
    forward_sweeps,
    inverse_mass_matrix,
    pivots,
    udu_factors,
)
from .gears import rigid_gears
from .hybrid import hybrid_dynamics
from .inertial_parameters import InertialParameter, inertial_parameters
from .inverse import (
    bias_force,
    coriolis_force,
    elastic_force,
    gravity_force,
    inverse_dynamics,
    passive_force,
)
from .jacobian import station_jacobian, station_jacobian_rate
from .kinematics import (
    Pose,
    configuration_rate,
    link_poses,
    poses,
    station_motion,
    station_pose,
    twists,
)
from .mass import composite_bodies, mass_matrix
from .momentum import centre_of_mass, centre_of_mass_motion, momentum
from .motors import motor_torque
from .regressor import known_force, regressor
from .stiffness import damping_matrix, shape_stiffness, stiffness_matrix

__all__ = [
    "Denoc",
    "InertialParameter",
    "Pose",
    "Sweeps",
    "accelerations_under",
    "articulated_bodies",
    "bias_force",
    "centre_of_mass",
    "centre_of_mass_motion",
    "composite_bodies",
    "configuration_rate",
    "coriolis_force",
    "damping_matrix",
    "denoc",
    "elastic_energy",
    "elastic_force",
    "forward_dynamics",
    "forward_sweeps",
    "gravity_energy",
    "gravity_force",
    "hybrid_dynamics",
    "inertial_parameters",
    "inverse_dynamics",
    "inverse_mass_matrix",
    "kinetic_energy",
    "known_force",
    "link_poses",
    "mass_matrix",
    "momentum",
    "motor_torque",
    "passive_force",
    "pivots",
    "poses",
    "potential_energy",
    "regressor",
    "rigid_gears",
    "shape_stiffness",
    "station_jacobian",
    "station_jacobian_rate",
    "station_motion",
    "station_pose",
    "stiffness_matrix",
    "twists",
    "udu_factors",
]
