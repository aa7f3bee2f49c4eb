"""Inverse dynamics gives the forces of a motion; forward dynamics gives the motion back.

Known answer: one undoes the other, and the forces are the sum of their parts.
Run: python examples/02_inverse_and_forward_dynamics.py
"""

import numpy as np

import supple

robot = supple.load("cibicik-arm")  # four joints, two links bend and twist
rng = np.random.default_rng(1)
q = 0.3 * rng.standard_normal(robot.nq)
q[[i for i, name in enumerate(robot.coordinate_names) if "." in name]] *= 0.02  # small bending
qd = rng.standard_normal(robot.nv)
qdd = rng.standard_normal(robot.nv)

# M qdd + C qd + gravity + elastic + damping = tau, by one sweep out and one sweep in.
tau = supple.inverse_dynamics(robot, q, qd, qdd)
back = supple.forward_dynamics(robot, q, qd, tau)
assert np.allclose(back, qdd, atol=1e-7)
print(f"{robot.name}: {robot.nv} degrees of freedom")
print(f"round trip: largest error {np.abs(back - qdd).max():.1e} of {np.abs(qdd).max():.1f}")

# The same forces from their parts.
M = supple.mass_matrix(robot, q)
parts = {
    "inertia": M @ qdd,
    "Coriolis": supple.coriolis_force(robot, q, qd),
    "gravity": supple.gravity_force(robot, q),
    "elastic and passive": supple.passive_force(robot, q, qd),
}
for name, force in parts.items():
    print(f"{name:20s} on joint2: {force[1]:12.4f} N m")
error = np.abs(sum(parts.values()) - tau).max() / np.abs(tau).max()
assert error < 1e-12
print(f"sum of the parts against the recursion: relative error {error:.1e}")

# Torques on the joints alone: one number a joint is enough.
qdd = supple.forward_dynamics(robot, robot.neutral(), np.zeros(robot.nv), [5.0, 0.0, 0.0, 0.0])
print(f"5 N m on joint1 of the resting arm: {qdd[0]:.2f} rad/s^2 at first; link 1 alone feels it,")
print("the rest follows through the twisting tube of link 2")
