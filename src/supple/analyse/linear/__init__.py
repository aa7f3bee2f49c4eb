"""Robots linearised: state spaces, poles, zeros, transfer functions, frequency responses.

joints, rates, torques, loads             -> an operating point      (`operating_point`)
  -> directions that loops and held
     joints leave free                    x = [dz, dz/dt]            (`operating_point`)
  -> inputs and outputs by name                                      (`signals`)
  -> A, B, C, D by dual numbers                                      (`linearise`)
  -> LinearModel                          poles (`poles`), zeros (`transmission`), responses
"""

from .linearise import linearise
from .model import LinearModel
from .poles import Pole
from .transmission import TransferFunction

__all__ = ["LinearModel", "Pole", "TransferFunction", "linearise"]
