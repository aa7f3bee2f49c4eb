"""An arm at rest under load, the way back, and what turning does to its stiffness.

Known answers: the blade lags by 0.57375 m, and stands at 3.5160 sqrt(EI / (rho A L^4)).
Run: python examples/09_statics_and_stiffening.py
"""

import numpy as np

import supple

arm = supple.load("piedboeuf-arm")  # second-order kinematics, an offset tool, three gauges
push = {"arm.endpoint": [0.0, -4.19, 0.0]}  # a force in world axes; six numbers are a wrench

rest = supple.statics(arm, {"motor": np.deg2rad(45)}, push)
print(f"motor torque {rest.torques['motor']:.4f} N m, stable: {rest.stable}")
bent = rest.along()["arm"]  # under the loads of this rest
moved = 1e3 * bent.deflection[-1]
print(f"tip moved by {moved[1]:.1f} mm across and {moved[0]:.1f} mm along the link")
print(f"bending moment at the root {bent.moment[0, 2]:.3f} N m")
print(f"curvature at gauge 1 {rest.gauge('arm.gauge1').curvature[2]:.4f} 1/m")

# The way back: which angle brings the endpoint to this height under the same load?
found = supple.reach(arm, {"arm.endpoint": (None, 0.3, None)}, push, start={"motor": 0.5})
print(f"endpoint at y = 0.3 m: motor at {np.rad2deg(found.q[0]):.3f} deg")

# Without foreshortening the same question has another answer, and a warning.
first = arm.replace(elastic_kinematics="first_order")
tip = supple.statics(first, rest.q[:1], push).along()["arm"].deflection[-1, 1]
print(f"first_order puts the tip {(tip - bent.deflection[-1, 1]) * 1e3:.1f} mm off")

# A joint that follows a law: its reaction torque is part of the result.
beam = {"length": 10.0, "mass_per_length": 1.2, "EI": 1.4e4, "modes": {"bending_y": 3}}
blade = supple.build(
    {
        "name": "blade",
        "gravity": [0, 0, 0],
        "links": {"blade": {"beam": beam}},
        "joints": [{"name": "hub", "type": "revolute", "child": "blade"}],
    }
)
law = "0.4*(t**2/2 + (7.5/pi)**2*(cos(pi*t/7.5) - 1))"  # 6 rad/s in 15 s
run = supple.simulate(blade, duration=15.0, prescribed={"hub": law}, samples=301)
lag = -run["deflection"][:, 0, 1].min()
assert abs(lag - 0.57375) < 0.01 * 0.57375
print(f"spin-up: tip lags by {-run['deflection'][:, 0, 1].min():.4f} m at most")
print(f"hub torque up to {run['reaction'].max():.1f} N m")
still = supple.frequencies(blade, rates={"hub": 0.0}).omega[0]
assert abs(still / (3.5160 * np.sqrt(1.4e4 / (1.2 * 10.0**4))) - 1) < 1e-3
for speed in (0.0, 3.0, 6.0):
    print(f"{speed} rad/s: {supple.frequencies(blade, rates={'hub': speed}).omega[0]:.4f} rad/s")
