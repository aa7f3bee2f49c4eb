"""Universal joint: a turn about x of its frame, then about y, which x has turned.

The rate of the first turn is no coordinate axis of the link, w = R_y^T x q1_dot + y q2_dot, so in
a tree the joint is its two turns, one after the other. As a cut it closes one turn: y of the one
side stays square to x of the other.
"""

from __future__ import annotations

from .base import Joint, JointPart


class Universal(Joint):
    kind = "universal"
    meaning = "turns about x of its frame, then about y"
    axes = (0, 1)
    coordinates = (".x", ".y")
    speeds = (".x", ".y")
    symbols = ("theta{n}_x", "theta{n}_y")
    parts = (JointPart("x", "revolute", 0), JointPart("y", "revolute", 1))
