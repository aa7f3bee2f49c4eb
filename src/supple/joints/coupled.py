"""How a mimic stands among the cuts of closed chains: it holds no direction of space, but ties the
coordinate of one joint to that of another."""

from __future__ import annotations

from .base import Joint


class Coupled(Joint):
    kind = "mimic"
    meaning = "ties its joint to another"
    axes = (0, 1, 2, 3, 4, 5)
    coordinates = ()
    speeds = ()
    symbols = ()
