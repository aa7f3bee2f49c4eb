"""Planar joint: slides along x and y of its frame, then a turn about z, the plane's normal.

In a tree it is these three motions, one after the other, so that x and y are measured in the
joint's frame and their rates are the velocity's. As a cut it closes the two tilts and the lift.
"""

from __future__ import annotations

from .base import Joint, JointPart


class Planar(Joint):
    kind = "planar"
    meaning = "slides square to its axis and turns about it"
    axes = (2, 3, 4)
    coordinates = (".x", ".y", ".turn")
    speeds = (".x", ".y", ".turn")
    symbols = ("b{n}_x", "b{n}_y", "theta{n}")
    has_axis = True
    parts = (
        JointPart("x", "prismatic", 0),
        JointPart("y", "prismatic", 1),
        JointPart("turn", "revolute", 2),
    )
