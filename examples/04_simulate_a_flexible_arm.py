"""Simulate a flexible arm: a torque pulse, a feedback law, and a motion of the model file.

Known answer: after 200 N m for 1 s the angular momentum about the base is 200 N m s.
Run: python examples/04_simulate_a_flexible_arm.py
"""

import tempfile
from pathlib import Path

import numpy as np

import supple

robot = supple.load("canadarm").with_modes(1)  # one shape a link: quicker, a little coarser


def pulse(t):
    """One torque for each joint [N m]."""
    return [200.0 if t < 1.0 else 0.0, 0.0, 0.0]


run = supple.simulate(robot, pulse, 4.0, samples=201)
tip = run.data["deflection"].sel(link="link1", axis="y")
momentum = (supple.mass_matrix(robot, run["q"][-1]) @ run["qd"][-1])[0]
assert abs(momentum - 200.0) < 1e-4
assert run.energy_error < 1e-9
print(f"pulse: joint1 ends at {run['joint1'][-1]:.4f} rad")
print(f"       link 1 bends by at most {float(np.abs(tip).max()):.4f} m at its tip")
print(f"       energy balance closes to {run.energy_error:.1e}")

joints = robot.joint_indices
kp, kd = np.array([20e3, 6e3, 200.0]), np.array([30e3, 8e3, 300.0])


def hold(t, q, qd):
    """A joint spring and damper in software: q and qd are the whole state."""
    return -kp * (q[joints] - [0.1, 0.0, 0.0]) - kd * qd[joints]


run = supple.simulate(robot, hold, 8.0, samples=201, rtol=1e-6)
print(f"feedback: joint1 goes to {run['joint1'][-1]:.4f} rad (target 0.1)")

run = supple.simulate(robot, motion="paper", samples=201)
late = run["q"][-1, joints] - run["desired"][-1]
print(f"motion: after 10 s the joints miss the desired path by {np.round(late, 4)} rad")

with tempfile.TemporaryDirectory() as folder:
    path = run.save(Path(folder) / "run.nc")
    picture = run.plot(Path(folder) / "run.png")
    again = supple.load_result(path)
    print(f"saved {path.name} and {picture.name}; read back {len(again.time)} instants")
