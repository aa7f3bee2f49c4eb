"""Values of a sweep as flat lists of scalars, and back."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from ...screws.dual import Dual
from ...types import Scalar

Form = tuple[Any, ...]
"""How a value is built from its scalars; equal forms hold the same number of them."""

Levels = tuple[type[Dual], ...]
"""Kinds of dual numbers that a value's scalars are, the outermost first: each gives two."""


def flatten(value: Any, dual: Levels) -> tuple[Form, list[Scalar]]:
    """(form, scalars) of a dataclass, array, tuple or scalar."""
    if isinstance(value, np.ndarray):
        flat = [x for item in value.ravel() for x in _scalars(item, dual)]
        return ("array", value.shape), flat
    if is_dataclass(value) and not isinstance(value, Dual):
        parts = [flatten(getattr(value, f.name), dual) for f in fields(value)]
        return ("class", type(value), tuple(f for f, _ in parts)), _joined(parts)
    if isinstance(value, tuple):
        parts = [flatten(item, dual) for item in value]
        return ("tuple", tuple(f for f, _ in parts)), _joined(parts)
    return ("scalar",), _scalars(value, dual)


def unflatten(form: Form, flat: list[Scalar], dual: Levels) -> Any:
    """The value of this form; takes its scalars from the front of `flat`."""
    kind = form[0]
    if kind == "array":
        out = np.empty(form[1], dtype=object)
        out.ravel()[:] = [_take(flat, dual) for _ in range(out.size)]
        return out
    if kind == "class":
        return form[1](*[unflatten(part, flat, dual) for part in form[2]])
    if kind == "tuple":
        return tuple(unflatten(part, flat, dual) for part in form[1])
    return _take(flat, dual)


def _joined(parts: list[tuple[Form, list[Scalar]]]) -> list[Scalar]:
    return [x for _, flat in parts for x in flat]


def _scalars(x: Scalar, dual: Levels) -> list[Scalar]:
    if not dual:
        return [x]
    kind, *rest = dual
    a, b = (x.a, x.b) if type(x) is kind else (x, 0.0)
    return [*_scalars(a, tuple(rest)), *_scalars(b, tuple(rest))]


def _take(flat: list[Scalar], dual: Levels) -> Scalar:
    if not dual:
        return flat.pop(0)
    kind, *rest = dual
    a, b = _take(flat, tuple(rest)), _take(flat, tuple(rest))
    return a if isinstance(b, float) and b == 0.0 else kind(a, b)
