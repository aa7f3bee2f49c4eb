"""Symbols for coordinates and rates, and how everything looks in LaTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..robot import Link, Robot
from .integrals import LETTERS

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
_LATEX = {
    "theta": r"\theta",
    "om": r"\omega",
    "ve": r"\nu",
    "al": r"\alpha",
    "rhoA": r"\rho A",
    "phi": r"\varphi",
    "dphi": r"\varphi'",
    "phi0": r"\varphi^{0}",
    "dphi0": r"\varphi'^{0}",
    "psi": r"\psi",
    "chi": r"\chi",
    "fx": r"f^{\xi}",
    "EIz": "EI_z",
    "EIy": "EI_y",
    "rIx": r"\rho I_x",
    "rIy": r"\rho I_y",
    "rIz": r"\rho I_z",
}
_PARTS = re.compile(r"^([A-Za-z]+?)(0(?=\d)|x\w+?o(?=\d))?(\d+)(?:_(\w+))?$")


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


def latex_name(name: str) -> str:
    r"""theta1_dot -> \dot{\theta}_{1}, e2_v1v2 -> e_{2,v1v2}."""
    rate = name.endswith("_dot")
    found = _PARTS.match(name.removesuffix("_dot"))
    if found is None:
        return name.replace("_", r"\_")
    head, more, number, index = found.groups()
    letter = _LATEX.get(head, head if len(head) == 1 else rf"\mathit{{{head}}}")
    letter = letter + ("^{0}" if more == "0" else f"^{{{more}}}" if more else "")
    letter = rf"\dot{{{letter}}}" if rate else letter
    below = number + (f",{_index(index)}" if index else "")
    return f"{{{letter}}}_{{{below}}}"


def _index(index: str) -> str:
    return index.replace("al", r"\alpha ").replace("_", ",")
