"""Fixed joint: no motion."""

from __future__ import annotations

from .base import Joint


class Fixed(Joint):
    kind = "fixed"
    meaning = "does not move"
    axes = ()
    coordinates = ()
    speeds = ()
    symbols = ()
