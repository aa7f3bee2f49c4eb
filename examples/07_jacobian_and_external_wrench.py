"""The Jacobian of a station, and a force on it: virtual work says they are transposes.

Known answer: twist = J qd, forces J^T w, acceleration J qdd + dJ/dt qd.
Run: python examples/07_jacobian_and_external_wrench.py
"""

import numpy as np

import supple

robot = supple.load("piedboeuf-arm")
rng = np.random.default_rng(2)
q = np.array([0.4, 0.02, -0.01, 0.0, 0.01, 0.0])
qd = rng.standard_normal(robot.nv)

# Rows [w; v] in world axes, columns in the order of robot.velocity_names.
J = supple.jacobian(robot, q, "arm.endpoint")
print("J is", J.shape, "for", ", ".join(robot.velocity_names))
twist = supple.twist(robot, q, qd, "arm.endpoint")
assert np.allclose(J @ qd, twist)
print(f"twist = J qd to {np.abs(J @ qd - twist).max():.1e}")

# The velocity rows are the slope of the position.
h = 1e-6
ahead, behind = (supple.pose(robot, q + s * h * qd, "arm.endpoint").p for s in (1, -1))
print(
    f"v against a difference quotient: {np.abs((ahead - behind) / (2 * h) - twist[3:]).max():.0e}"
)

# A wrench [n; f] in world axes acts at the station's point: generalised forces J^T w.
w = np.array([0.0, 0.0, 0.2, 0.0, -3.0, 0.0])
still = np.zeros(robot.nv)
free = supple.inverse_dynamics(robot, q, still, still)
pushed = supple.inverse_dynamics(robot, q, still, still, external={"arm.endpoint": w})
assert np.allclose(free - pushed, J.T @ w)
print(f"motor torque without and with the push: {free[0]:.4f}, {pushed[0]:.4f} N m")
print(f"tau falls by J^T w to {np.abs(free - pushed - J.T @ w).max():.1e}")

# Its rate gives the acceleration: a = J qdd + dJ/dt qd.
qdd = rng.standard_normal(robot.nv)
a = supple.acceleration(robot, q, qd, qdd, "arm.endpoint")
Jd = supple.jacobian_rate(robot, q, qd, "arm.endpoint")
assert np.allclose(J @ qdd + Jd @ qd, a)
print(f"acceleration = J qdd + Jdot qd to {np.abs(J @ qdd + Jd @ qd - a).max():.1e}")
