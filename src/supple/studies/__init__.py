"""Studies of motions and runs: torques along a motion, energy and power, identification."""

from .along_motion import TorquesAlong, inverse_along
from .energy import EnergyStudy, JointFigures, LinkFigures, energy_study
from .identification import (
    BaseParameters,
    Identified,
    base_parameters,
    identify,
    inertial_parameters,
)

__all__ = [
    "BaseParameters",
    "EnergyStudy",
    "Identified",
    "JointFigures",
    "LinkFigures",
    "TorquesAlong",
    "base_parameters",
    "energy_study",
    "identify",
    "inertial_parameters",
    "inverse_along",
]
