"""Studies of motions and runs: torques along a motion, energy and power."""

from .along_motion import TorquesAlong, inverse_along
from .energy import EnergyStudy, energy_study
from .figures import JointFigures, LinkFigures

__all__ = [
    "EnergyStudy",
    "JointFigures",
    "LinkFigures",
    "TorquesAlong",
    "energy_study",
    "inverse_along",
]
