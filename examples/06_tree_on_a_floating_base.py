"""A free-flying platform with two flexible arms: momentum and energy are conserved.

Known answer: no drift, whatever the motors do.
Run: python examples/06_tree_on_a_floating_base.py
"""

import numpy as np

import supple

robot = supple.load("space-robot")
print(f"{robot.name}: {robot.nq} configuration numbers, {robot.nv} rates")
print("base:", ", ".join(robot.coordinate_names[:7]), "|", ", ".join(robot.velocity_names[:6]))


def momentum(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """Angular momentum about the world's origin and linear momentum, in world axes.

    The first six rows of M qd are the momentum of the whole tree about the bus' origin, in
    the axes of the bus.
    """
    n, f = np.split((supple.mass_matrix(robot, q) @ qd)[:6], 2)
    bus = supple.pose(robot, q, "bus.origin")
    f = bus.R @ f
    return np.concatenate([bus.R @ n + np.cross(bus.p, f), f])


def motors(t):
    """Inner torques only: they cannot change the momentum of the whole."""
    tau = np.zeros(robot.nv)
    for name, size in (("left_yaw", 2.0), ("right_pitch", -3.0), ("right_elbow", 1.0)):
        tau[robot.velocity_names.index(name)] = size * np.sin(2.0 * t)
    return tau


qd0 = np.zeros(robot.nv)
qd0[:6] = 0.02, -0.01, 0.03, 0.01, 0.0, -0.02
run = supple.simulate(robot, motors, 3.0, qd0=qd0, samples=31)

history = np.array([momentum(q, qd) for q, qd in zip(run["q"], run["qd"], strict=True)])
drift = np.abs(history - history[0]).max(axis=0)
assert drift.max() < 1e-8
print(f"angular momentum {np.round(history[0, :3], 3)} N m s, drift {drift[:3].max():.1e}")
print(f"linear momentum  {np.round(history[0, 3:], 3)} N s, drift {drift[3:].max():.1e}")
print(f"work of the motors {run['work'][-1]:.4f} J, lost to damping {run['dissipated'][-1]:.4f} J")
assert run.energy_error < 1e-9
print(f"energy balance closes to {run.energy_error:.1e}")
bend = run.data["deflection"].sel(link="left_fore")
print(f"tip of left_fore deflects by {1e3 * float(np.abs(bend).max()):.3f} mm at most")
