"""A mimic, listed among the cuts of closed chains: it closes no direction in space, but ties the
coordinate of one joint to that of another."""

from __future__ import annotations

from .base import Joint


class MimicTie(Joint):
    kind = "mimic"
    meaning = "ties its joint to another"
    axes = (0, 1, 2, 3, 4, 5)
    coordinates = ()
    speeds = ()
    symbols = ()
