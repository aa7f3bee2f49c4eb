"""Closed chains by hand, as the words of a model file."""

from __future__ import annotations

from typing import Any

import numpy as np


def four_bar(coupler: float = 1.0, **changes: Any) -> dict[str, Any]:
    def bar(length: float) -> dict[str, Any]:
        return {"rigid": {"mass": 1.0, "inertia": 0.1, "length": length}}

    return {
        "name": "four-bar",
        "links": {"crank": bar(0.3), "coupler": bar(coupler), "rocker": bar(0.8)},
        "joints": [
            {"name": "a", "type": "revolute", "child": "crank"},
            {"name": "b", "type": "revolute", "parent": "crank", "child": "coupler"},
            {"name": "c", "type": "revolute", "child": "rocker", "origin": {"xyz": [0.9, 0, 0]}},
        ],
        "loops": [{"name": "pin", "type": "revolute", "between": ["coupler", "rocker"]}],
        "actuated": ["a"],
        "guess": {"a": 1.0, "c": 1.5},
    } | changes


def bennett() -> dict[str, Any]:
    """Four links in space whose loop moves though counting says that it cannot: a sin beta =
    b sin alpha."""
    a, alpha, beta = 0.5, 0.6, 1.1
    b = a * np.sin(beta) / np.sin(alpha)
    body = {"mass": 1.0, "inertia": 0.1}
    links = {
        name: {"rigid": {**body, "tip": [x, 0, 0], "tip_rpy": [turn, 0, 0]}}
        for name, x, turn in (("one", b, beta), ("two", a, alpha), ("three", b, beta))
    }
    joints = [{"name": "q1", "type": "revolute", "child": "one"}]
    joints[0] |= {"origin": {"xyz": [a, 0, 0], "rpy": [alpha, 0, 0]}}
    for k, (parent, child) in enumerate((("one", "two"), ("two", "three"))):
        joint = {"name": f"q{k + 2}", "type": "revolute", "parent": parent, "child": child}
        joints.append(joint)
    loops = [{"type": "revolute", "between": ["three", "world"]}]
    t = np.tan(0.35)
    k = np.sin(0.5 * (beta + alpha)) / np.sin(0.5 * (beta - alpha))
    guess = {"q1": 0.7, "q2": 2.0 * np.arctan(k / t), "q3": -0.7}
    return {"links": links, "joints": joints, "loops": loops, "actuated": ["q1"], "guess": guess}
