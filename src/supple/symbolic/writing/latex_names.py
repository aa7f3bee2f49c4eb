"""How names of symbols look in LaTeX."""

from __future__ import annotations

import re

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
