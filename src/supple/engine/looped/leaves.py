"""Values of a sweep as flat lists of scalars, and back."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from ...screws.dual import Dual
from ...types import Scalar

Form = tuple[Any, ...]
"""How a value is built from its scalars; equal forms hold the same number of them."""


def flatten(value: Any, dual: bool) -> tuple[Form, list[Scalar]]:
    """(form, scalars) of a dataclass, array, tuple or scalar. With `dual`, every scalar is a
    dual number and gives two."""
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


def unflatten(form: Form, flat: list[Scalar], dual: bool) -> Any:
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


def _scalars(x: Scalar, dual: bool) -> list[Scalar]:
    if not dual:
        return [x]
    return [x.a, x.b] if isinstance(x, Dual) else [x, 0.0]


def _take(flat: list[Scalar], dual: bool) -> Scalar:
    a = flat.pop(0)
    if not dual:
        return a
    b = flat.pop(0)
    return a if isinstance(b, float) and b == 0.0 else Dual(a, b)
