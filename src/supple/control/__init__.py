"""What makes a robot do what it should: trajectories, shapers, controllers.

    trajectories    cycloidal, quintic, trapezoidal, through: motions of the joints
    shapers         a motion or torque that leaves no vibration behind
    tracking        pd, pid, computed_torque, gravity_compensation: laws of state and reference;
                    limited: what motors give at most
    lqr             gains of least cost

All are laws of `simulation`: they add up, and become part of the run's native code.
"""

from ..simulation.trajectories import cycloidal, quintic, through, trapezoidal
from .lqr import Regulator, lqr
from .shapers import Shaper, shaped, shaper
from .tracking import Limited, computed_torque, gravity_compensation, limited, pd, pid

__all__ = [
    "Limited",
    "Regulator",
    "Shaper",
    "computed_torque",
    "cycloidal",
    "gravity_compensation",
    "limited",
    "lqr",
    "pd",
    "pid",
    "quintic",
    "shaped",
    "shaper",
    "through",
    "trapezoidal",
]
