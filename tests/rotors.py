"""An undamped rotor in one mode a plane: what turns with it is a closed form.

x_dd - 2 W y_d + (w1^2 - W^2) x = 0,    y_dd + 2 W x_d + (w2^2 - W^2) y = 0
"""

from __future__ import annotations

from typing import Any

import numpy as np

import supple


def rotor(**beam: Any) -> supple.Robot:
    """A shaft along the axis it turns about, with a point mass at its end; no gravity."""
    words = {"length": 0.5, "mass": 0.1, "EIz": 200.0, "EIy": 320.0, "rotary_inertia": False}
    words |= {"modes": {"bending_y": 1, "bending_z": 1}, **beam}
    link = {"beam": words, "hub": {"inertia": 0.1}, "payload": {"mass": 2.0}}
    joint = {"name": "spin", "type": "revolute", "axis": [1, 0, 0], "child": "shaft"}
    return supple.build(
        {"name": "rotor", "gravity": [0, 0, 0], "links": {"shaft": link}, "joints": [joint]}
    )


def rotor_growth(w: np.ndarray, W: float) -> float:
    """The growth rate at the speed W, w at rest: positive between the two alone."""
    one, two = w[:2] ** 2
    left = np.sqrt((one - two) ** 2 + 8.0 * W**2 * (one + two)) - (one + two + 2.0 * W**2)
    return float(np.sqrt(max(0.5 * left, 0.0)))
