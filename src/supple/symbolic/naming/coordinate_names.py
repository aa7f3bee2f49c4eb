"""Symbols for coordinates and rates."""

from __future__ import annotations

from dataclasses import dataclass

from ...robot import Link, Robot
from ..shapes.integrals import LETTERS

_JOINT = {
    "revolute": ("theta{n}",),
    "prismatic": ("b{n}",),
    "fixed": (),
    "spherical": ("p{n}_w", "p{n}_x", "p{n}_y", "p{n}_z"),
    "floating": ("p{n}_w", "p{n}_x", "p{n}_y", "p{n}_z", "r{n}_x", "r{n}_y", "r{n}_z"),
}
_SPEED = {
    "spherical": ("om{n}_x", "om{n}_y", "om{n}_z"),
    "floating": ("om{n}_x", "om{n}_y", "om{n}_z", "ve{n}_x", "ve{n}_y", "ve{n}_z"),
}


@dataclass(frozen=True)
class Names:
    """Names of q and qd in the equations, in the robot's order."""

    q: tuple[str, ...]
    qd: tuple[str, ...]


def coordinate_names(robot: Robot) -> Names:
    """theta, b for joints; v, w, al, u for shapes: link number, then mode number."""
    q: list[str] = []
    qd: list[str] = []
    for i, link in enumerate(robot.links):
        n = str(i + 1)
        joint = [x.format(n=n) for x in _JOINT[link.joint.kind]]
        speeds = _SPEED.get(link.joint.kind)
        shapes = _shapes(link, n)
        q += joint + shapes
        qd += [x.format(n=n) for x in speeds] if speeds else [f"{x}_dot" for x in joint]
        qd += [f"{x}_dot" for x in shapes]
    return Names(tuple(q), tuple(qd))


def _shapes(link: Link, n: str) -> list[str]:
    out = []
    for k, name in enumerate(link.body.shape_names or [""] * link.body.m):
        field, number = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
        out.append(f"{LETTERS.get(field, 'd')}{n}_{number or k + 1}")
    return out
