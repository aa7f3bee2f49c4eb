"""Small robots on elastic gears, whose motions have closed forms."""

from __future__ import annotations

from typing import Any

import supple

R, J, K, LOAD = 50.0, 1e-3, 500.0, 0.4
BALL_SCREW = 1200.0  # rad/m


def two_mass(kind: str = "revolute", ratio: float = R, **words: Any) -> supple.Robot:
    """A load of 0.4 kg m^2, or 0.4 kg, on a gear; no gravity."""
    drive = {"gear_ratio": ratio, "rotor_inertia": J, "stiffness": K} | words
    return supple.build(
        {
            "gravity": [0, 0, 0],
            "links": {"a": {"rigid": {"mass": LOAD, "inertia": LOAD}}},
            "joints": [{"name": "j", "type": kind, "child": "a", "drive": drive}],
        }
    )


def hanging(**words: Any) -> supple.Robot:
    """A pendulum of 2 kg, 0.5 m, that falls along -y, on a gear."""
    link = {"rigid": {"mass": 2.0, "com": [0.5, 0, 0], "inertia": 0.01}}
    joint = {"name": "j", "type": "revolute", "child": "a", **words}
    return supple.build({"gravity": [0, -9.81, 0], "links": {"a": link}, "joints": [joint]})
