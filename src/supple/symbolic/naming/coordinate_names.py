"""Symbols for coordinates and rates."""

from __future__ import annotations

from dataclasses import dataclass

from ...bodies import FIELDS
from ...robot import Link, Robot


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
        joint = [x.format(n=n) for x in link.joint.symbols]
        speeds = link.joint.speed_symbols
        shapes = _shapes(link, n)
        q += joint + shapes
        qd += [x.format(n=n) for x in speeds] if speeds else [f"{x}_dot" for x in joint]
        qd += [f"{x}_dot" for x in shapes]
    return Names(tuple(q), tuple(qd))


def _shapes(link: Link, n: str) -> list[str]:
    out = []
    for k, name in enumerate(link.body.shape_names or [""] * link.body.m):
        field, number = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
        letter = FIELDS[field].letter if field in FIELDS else "d"
        out.append(f"{letter}{n}_{number or k + 1}")
    return out
