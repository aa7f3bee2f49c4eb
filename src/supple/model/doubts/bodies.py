"""Inertias that no body can have; bodies of finite elements that do not stiffen."""

from __future__ import annotations

import numpy as np

from ..faults import Faults
from ..inertia import inertia_tensor
from .subject import Subject


def doubt_bodies(subject: Subject, faults: Faults) -> None:
    """Of a body's principal moments A <= B <= C, C = int x^2 + y^2 is at most A + B."""
    for name, link in subject.links.items():
        for part in ("rigid", "hub", "payload"):
            words = getattr(link, part)
            if words is None or words.inertia is None:
                continue
            tensor = inertia_tensor(words.inertia)
            size = float(np.abs(tensor).max()) or 1.0
            a, b, c = np.linalg.eigvalsh(tensor / size)
            if c > (a + b) * (1.0 + 1e-6):
                faults.add(
                    ("links", name, part, "inertia"),
                    f"no body has the principal moments {a * size:.4g}, {b * size:.4g}, "
                    f"{c * size:.4g}: the largest "
                    f"is more than the sum of the others",
                    "harmless in a plane, where one of them counts; in space it is a slip",
                )


def doubt_parts(subject: Subject, faults: Faults) -> None:
    """Second-order kinematics asks for products of shapes, which matrices alone do not give."""
    for link in subject.robot.links:
        words = subject.links.get(link.name)
        if words is None or words.body is None or not link.body.m:
            continue
        if subject.robot.kinematics.second and not len(link.body.E):
            faults.add(
                ("links", link.name, "body"),
                f"{link.name} has no geometric stiffening: it does not get stiffer when it turns "
                f"fast or is pulled, nor softer when it is pushed",
                "give stiffening, or Standard Input Data with Ct, Cr and Oe of order 1; harmless "
                "where loads along the link are far below those that buckle it",
            )
