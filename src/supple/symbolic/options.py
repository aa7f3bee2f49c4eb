"""What users ask of equations, checked: one clear message for whatever is not allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from ..checks import finite_number, flag as flag, mapping, number
from ..errors import InputError, brief, unknown_name

LEVELS = (0, 1, 2, 3)


def one_of(value: object, name: str, allowed: Iterable[str]) -> str:
    """A text that is one of those allowed."""
    names = list(allowed)
    if not isinstance(value, str):
        raise InputError(f"{name} is {brief(value)}; it must be one of {', '.join(names)}")
    if value not in names:
        raise unknown_name(name, value, names)
    return value


def level(value: object) -> int:
    """How far to simplify."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value not in LEVELS:
        raise InputError(f"simplify is {brief(value)}; levels are 0, 1, 2 and 3")
    return int(value)


def share(value: object, least: str = "0 <= drop < 1") -> float:
    """Of the largest value of an entry: terms below it are left out."""
    allowed = f"a share of an entry's largest value, {least}"
    out = number(value, "drop", allowed)
    if not 0.0 <= out < 1.0 or (out == 0.0 and "<=" not in least):
        raise InputError(f"drop is {brief(value)}; it must be {allowed}")
    return out


def limit(value: object) -> int:
    """A number of operations."""
    allowed = "a whole number of operations, 1 or more"
    out = number(value, "limit", allowed)
    if not (1.0 <= out < np.inf and out == round(out)):
        raise InputError(f"limit is {brief(value)}; it must be {allowed}")
    return int(out)


def callback(value: object) -> Callable[[float], None] | None:
    """A function that is told the share done."""
    if value is None or callable(value):
        return value
    raise InputError(
        f"progress is {brief(value)}; it must be a function of the share done, or None"
    )


def chosen(parameters: object) -> frozenset[str] | None:
    """The names that stay symbols; None: all of them."""
    if isinstance(parameters, str) and parameters in ("symbolic", "numeric"):
        return None if parameters == "symbolic" else frozenset()
    wrong = InputError(
        f"parameters is {brief(parameters)}; allowed are 'symbolic', 'numeric' or a list of names"
    )
    if isinstance(parameters, str | bytes) or not isinstance(parameters, Iterable):
        raise wrong
    try:
        names = list(parameters)
    except TypeError:  # an array without axes
        raise wrong from None
    if not all(isinstance(n, str) for n in names):
        raise wrong
    return frozenset(map(str, names))


def changed(changes: Mapping[str, float] | None, known: list[str]) -> dict[str, float]:
    """Other values of some parameters."""
    example = f'{{"{known[0] if known else "m1"}": 2.0}}'
    out = {}
    for name, value in mapping(changes, "changes", "parameters to numbers", example).items():
        if not isinstance(name, str) or name not in known:
            raise unknown_name("parameter", brief(name).strip("'"), known, where="these equations")
        out[name] = finite_number(value, f"parameter {name}")
    return out
