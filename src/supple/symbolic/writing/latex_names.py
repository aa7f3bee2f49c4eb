"""How names of symbols look in LaTeX."""

from __future__ import annotations

import re

_LETTERS = {
    "theta": r"\theta",
    "om": r"\omega",
    "ve": r"\nu",
    "al": r"\alpha",
    "rhoA": r"\rho A",
    "phi": r"\varphi",
    "dphi": r"\varphi'",
    "psi": r"\psi",
    "chi": r"\chi",
    "ch": r"\bar{\chi}",
    "fx": r"f^{\xi}",
    "q0": r"\bar{q}",
    "EI": "EI",
    "GJ": "GJ",
    "EA": "EA",
    "rI": r"\rho I",
}
_NAME = re.compile(r"([A-Za-z]+?)(0(?=\d)|x[\dabc]*o(?=\d))?(c\d+[ab]|\d*)(?:_(\w+))?")
"""Head, a place on the beam, the number of the link (or of a cut and its side), index."""
_PARTS = re.compile(r"(EI|rI|ch|[A-Za-z])([hpr]?[xyz]{0,2}|[cdglstu])")
"""A letter, and which of its kind: mp, Izz, chy, ks."""


def latex_name(name: str) -> str:
    r"""theta1_dot -> \dot{\theta}_{1}, mp3 -> m_{p3}, e2_v1v2 -> e_{2,v1v2}."""
    rate = name.endswith("_dot")
    found = _NAME.fullmatch(name.removesuffix("_dot"))
    if found is None:
        return rf"\mathit{{{name.replace('_', ',')}}}"
    head, place, number, index = found.groups()
    letter, which = _letter(head, place or "")
    letter = rf"\dot{{{letter}}}" if rate else letter
    below = ",".join(x for x in (which + number, _index(index or "")) if x)
    return f"{letter}_{{{below}}}" if below else letter


def _letter(head: str, place: str) -> tuple[str, str]:
    """The letter, and what stands before the number below it."""
    if head + place in _LETTERS:
        return _LETTERS[head + place], ""
    parts = _PARTS.fullmatch(head)
    letter, which = (head, "") if head in _LETTERS or parts is None else parts.groups()
    shown = _LETTERS.get(letter, letter if len(letter) == 1 else rf"\mathit{{{letter}}}")
    if place == "0":
        return (rf"{shown}^{{\mathrm{{root}}}}", "") if head in _LETTERS else (shown, which + "0,")
    return shown + (rf"^{{\mathrm{{at}}\,{place[1:-1]}}}" if place else ""), which


def _index(index: str) -> str:
    return index.replace("al", r"\alpha ").replace("_", ",")
