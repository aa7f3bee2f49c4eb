"""A serial robot of any length whose constants hold nothing that could be saved."""

from __future__ import annotations

import math

from ...model import build
from ...robot import Robot


def general_chain(n: int) -> Robot:
    """n rigid links on revolute joints: Denavit-Hartenberg lengths, offsets and twists, mass
    centres, all six moments of inertia and gravity's components not zero, no right angles, no
    two alike."""
    links, joints = {}, []
    for i in range(n):
        moments = [3.0 + _spread(i, k) for k in range(3)]
        products = [0.05 + 0.1 * _spread(i, k) for k in range(3, 6)]
        centre = [0.1 + 0.2 * _spread(i, k) for k in range(6, 9)]
        body = {"mass": 2.0 + _spread(i, 9), "com": centre, "inertia": [*moments, *products]}
        joint: dict[str, object] = {"type": "revolute", "child": f"link{i}"}
        if i:
            alpha, a, b = (0.2 + _spread(i, k) for k in range(10, 13))
            place = [a, -b * math.sin(alpha), b * math.cos(alpha)]
            joint |= {"parent": f"link{i - 1}", "origin": {"xyz": place, "rpy": [alpha, 0, 0]}}
        links[f"link{i}"] = {"rigid": body}
        joints.append(joint)
    words = {"name": f"general chain of {n}", "gravity": [0.1, 0.2, -9.8]}
    return build({**words, "links": links, "joints": joints})


def _spread(i: int, k: int) -> float:
    """Numbers between 0 and 1, no two alike: multiples of the golden ratio without their whole
    part."""
    return (13 * i + k + 1) * 0.6180339887498949 % 1.0
