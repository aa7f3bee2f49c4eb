"""Closed chains: how their loops close, and how they move on the tree that the cuts leave.

loops of the robot                       cuts between two stations (`..robot.Loop`)
  -> residual, Jacobian, acceleration    of all cuts by one outward sweep (`closure`)
  -> a closed place                      from a guess (`assembly`), and how freely it moves
                                         (`mobility`)
  -> independent rows                    found once, by numbers (`rows`)
  -> accelerations and multipliers       on the tree's factors (`dynamics`)
  -> forces of the motors                and at the cuts (`actuation`), or subsystem by subsystem
                                         (`subsystems`), or in the motors' coordinates (`parallel`)
  -> wrenches at every joint             (`wrenches`)
"""

from .assembly import OpenLoopError, close_loops, home
from .closure import closure_jacobian, closure_residual
from .mobility import Mobility, degrees_of_freedom, mobility

__all__ = [
    "Mobility",
    "OpenLoopError",
    "close_loops",
    "closure_jacobian",
    "closure_residual",
    "degrees_of_freedom",
    "home",
    "mobility",
]
