"""A closed chain: the five-bar of Saha falls freely, through a place in which its motors lose hold.

Known answer: the distal links come into one line at 1.3667184 s.
Run: python examples/10_closed_chain_in_free_fall.py
"""

import tempfile
import warnings
from pathlib import Path

import numpy as np

import supple

robot = supple.load("five-bar")
print(supple.mobility(robot, robot.home()))

# Only the motors are placed; the loop puts the elbows where they belong.
start = {"motor1": np.deg2rad(80), "motor2": np.deg2rad(70)}
with warnings.catch_warnings(record=True):  # simulate warns of what is printed below
    warnings.simplefilter("always")
    run = supple.simulate(robot, None, 1.6, q0=start, samples=1601, rtol=1e-10)
print(f"\nreleased at rest: energy balance closes to {run.energy_error:.0e}")
print(f"the loop was never open by more than {np.abs(run['closure']).max():.0e} m")
for words in run.warnings:
    print(f"warning: {words}")

# The two distal links turn by these angles; stretched into one line they are pi apart.
apart = run["motor1"] + run["elbow1"] - run["motor2"] - run["elbow2"]
bend = np.sin(apart)
last = int(np.flatnonzero(bend[:-1] * bend[1:] < 0)[0])  # the sample before the sign changes
share = bend[last] / (bend[last] - bend[last + 1])
singular = run.time[last] + share * (run.time[last + 1] - run.time[last])
assert abs(singular - 1.3667184) < 1e-5
print(f"\nthe distal links are in one line at t = {singular:.4f} s")

# There the motors hold nothing: the platform moves while they stand still.
q = run["q"][last]
held = supple.closure_jacobian(robot, q)[:, [1, 3]]  # of the elbows
values = np.linalg.svd(held, compute_uv=False)
print(f"one sample before, the loop holds the elbows by {values.round(3)}")

# The force in the pin that closes the loop (the paper's Lagrange multipliers).
force = run.data["multipliers"].sel(cut=["point.fx", "point.fy"])
size = np.linalg.norm(force, axis=1)
print(f"the pin carries at most {size.max():.1f} N, at t = {run.time[size.argmax()]:.2f} s")

with tempfile.TemporaryDirectory() as folder:
    picture = run.plot(Path(folder) / "fall.png")
    print(f"drew the run into {picture.name}")
