"""Closed chains: how their loops close, and how they move on the tree that the cuts leave.

loops of the robot                       cuts between two stations (`..robot.Loop`)
  -> residual, Jacobian, acceleration    of all cuts by one outward sweep (`closure`)
  -> a closed place                      from a guess (`assembly`)
  -> independent rows                    found once, by numbers (`rows`)
  -> accelerations and multipliers       on the tree's factors (`dynamics`)
  -> forces of the motors                and at the cuts (`actuation`)
"""
