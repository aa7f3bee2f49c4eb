"""Chains of any length, rigid or flexible, for growth studies."""

from __future__ import annotations

from typing import Any

import numpy as np

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


def general_chain(n: int) -> Robot:
    """n rigid links with nothing aligned: axes, placements, mass centres and inertias general,
    no two alike."""
    rng = np.random.default_rng(n)
    links, joints = {}, []
    for i in range(n):
        A = rng.normal(size=(3, 3))
        inertia = 0.01 * (A @ A.T + np.eye(3))
        centre = rng.uniform(-0.2, 0.2, 3)
        links[f"link{i}"] = {
            "rigid": {
                "mass": rng.uniform(0.5, 2.0),
                "com": centre.tolist(),
                "inertia": inertia.tolist(),
            }
        }
        place = {"xyz": rng.uniform(-0.3, 0.3, 3).tolist(), "rpy": rng.uniform(-2, 2, 3).tolist()}
        joint = {"type": "revolute", "child": f"link{i}", "axis": rng.normal(size=3).tolist()}
        joints.append(joint | {"origin": place} | ({"parent": f"link{i - 1}"} if i else {}))
    words = {"name": f"general chain of {n}", "gravity": [0, 0, -9.81]}
    return build({**words, "links": links, "joints": joints})


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
