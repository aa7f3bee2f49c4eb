"""The equations as a function in other languages.

Each takes the configuration, the rates and the parameters and gives M, D, U, G and B, then R,
friction, rest, contact, closure, J and gamma where the robot has them.
"""

from __future__ import annotations

import re

from ...errors import InputError, brief
from .. import options, subexpressions
from ..equations import MATRICES, Equations
from ..shortening.common_terms import common
from ..stumpff import Stumpff
from .function_to_write import FunctionToWrite
from .languages import LANGUAGES
from .plain_text import shown

LONGEST = 63  # letters of a name that MATLAB tells apart
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def source(eq: Equations, language: str, name: str | None = None) -> str:
    """The text of a function in this language."""
    options.one_of(language, "language", LANGUAGES)
    name = f"{repaired(eq.robot.name)[:50]}_equations" if name is None else name
    check_name(name, language, eq)
    names = shown(eq)
    steps, reduced = common([getattr(eq, n) for n in names])
    used = [*(e for _, e in steps), *(x for X in reduced for x in X)]
    series = sorted({e.k for e in subexpressions.distinct(used) if isinstance(e, Stumpff)})
    function = FunctionToWrite(eq, name, steps, dict(zip(names, reduced, strict=True)), series)
    return str(LANGUAGES[language].written(function))


def repaired(name: str) -> str:
    """The nearest name that a function can have: 2dof-arm -> robot_2dof_arm."""
    text = "".join(c if c.isalnum() and c.isascii() else "_" for c in name)
    return (text if text[:1].isalpha() else f"robot_{text}")[:LONGEST]


def check_name(name: str, language: str, eq: Equations) -> None:
    """A function can have this name in that language, beside the symbols of the equations."""
    if not isinstance(name, str):
        raise InputError(f"name is {brief(name)}; the name of a function must be text")
    rule = "a letter, then letters, digits and _"
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        fit = f"{rule}, {LONGEST} at most, such as {repaired(name)!r}"
        raise InputError(f"a function cannot be named {brief(name)}; it must have {fit}")
    taken = {*eq.symbols, "q", "qd", "p", *MATRICES}
    series = re.fullmatch(r"stumpff\d+|t\d+", name)
    if name in taken or name in LANGUAGES[language].RESERVED or series:
        raise InputError(
            f"a function of these equations cannot be named {name!r} in {language}: it means "
            f"something there already. Use another name, such as {name + '_equations'!r}"
        )
