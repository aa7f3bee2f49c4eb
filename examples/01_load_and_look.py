"""Load a shipped robot, see what it is made of, and ask where its points are.

Known answer: rigid links of 6, 7 and 2 m, bent by 90 deg at the second joint, end at (6, 9).
Run: python examples/01_load_and_look.py
"""

import numpy as np

import supple

print("shipped robots:", ", ".join(supple.shipped()))

robot = supple.load("canadarm")
print(f"{robot.name}: {len(robot.links)} links, nq = {robot.nq}, nv = {robot.nv}")
print("coordinates:", ", ".join(robot.coordinate_names))

# Joints first in each link, then the link's shapes. Set two of them by name.
q = robot.neutral()
names = list(robot.coordinate_names)
q[names.index("joint2")] = np.pi / 2
q[names.index("link1.bending_y1")] = 0.05

for station in ("link1", "link2", "link3.tip"):
    print(f"{station:10s} at {np.round(supple.pose(robot, q, station).p, 4)} m")

# A robot does not change; `replace` and `with_modes` make another one.
rigid = robot.replace(elastic_kinematics="rigid")
finer = robot.with_modes(4, family="orthogonal", scale="tip")
assert np.allclose(supple.pose(rigid, [0, np.pi / 2, 0], "link3.tip").p, [6, 9, 0])
assert (rigid.nv, robot.nv, finer.nv) == (3, 9, 15)
print(f"rigid: {rigid.nv} degrees of freedom; four shapes a link: {finer.nv}")
