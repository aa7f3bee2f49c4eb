"""Chains of any length, rigid or flexible, for growth studies."""

from __future__ import annotations

import math
from typing import Any

from supple.model import build
from supple.robot import Robot


def flexible_chain(n: int, planes: int = 2, modes: int = 2) -> Robot:
    """n beams of 1 m, axes alternating by right angles, `modes` shapes in each plane; of first
    order, as the papers count them."""
    fields = {"bending_y": modes, "bending_z": modes} if planes == 2 else {"bending_y": modes}
    beam = {"length": 1.0, "mass": 2.0, "EI": 1e3, "modes": {"family": "clamped_free", **fields}}
    link = {"beam": beam, "hub": {"inertia": 0.01}}
    return _chain(f"flexible chain of {n}", n, link)


def rigid_chain(n: int) -> Robot:
    """n uniform rods of 0.3 m, axes alternating by right angles."""
    rod = {"mass": 1.0, "com": [0.15, 0, 0], "inertia": [1e-3, 8.5e-3, 8.5e-3], "length": 0.3}
    return _chain(f"rigid chain of {n}", n, {"rigid": rod})


def _chain(name: str, n: int, link: dict[str, Any]) -> Robot:
    joints: list[dict[str, Any]] = []
    for i in range(n):
        joint: dict[str, Any] = {"type": "revolute", "child": f"link{i}"}
        if i:
            turn = "pi/2" if i % 2 else "-pi/2"
            joint |= {"parent": f"link{i - 1}", "origin": {"rpy": [turn, 0, 0]}}
        joints.append(joint)
    links = {f"link{i}": link for i in range(n)}
    words = {"name": name, "gravity": [0, 0, -9.81], "elastic_kinematics": "first_order"}
    return build({**words, "links": links, "joints": joints})


def general_chain(n: int) -> Robot:
    """n rigid links on revolute joints: Denavit-Hartenberg lengths, offsets and twists, mass
    centres, all six moments of inertia and gravity's components not zero, no right angles."""
    links, joints = {}, []
    for i in range(n):
        moments = [0.5 + 0.1 * i, 0.6, 0.7, 0.02, -0.03, 0.05]
        body = {"mass": 2.0 + 0.1 * i, "com": [0.2, 0.1, -0.1], "inertia": moments}
        joint: dict[str, Any] = {"type": "revolute", "child": f"link{i}"}
        if i:
            alpha, a, b = 0.3 + 0.1 * i, 0.4, 0.2
            place = [a, -b * math.sin(alpha), b * math.cos(alpha)]
            joint |= {"parent": f"link{i - 1}", "origin": {"xyz": place, "rpy": [alpha, 0, 0]}}
        links[f"link{i}"] = {"rigid": body}
        joints.append(joint)
    words = {"name": f"general chain of {n}", "gravity": [0.1, 0.2, -9.8]}
    return build({**words, "links": links, "joints": joints})
