"""The range of a joint and of its motor, as a model file states it. These numbers exert no force:
stops and drives do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Least and largest coordinate, largest torque or force, largest rate; None: not told."""

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None
