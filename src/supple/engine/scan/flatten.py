"""Values of a sweep as flat lists of scalars, and back."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias

import numpy as np

from ...screws.dual import Dual
from ...types import Scalar

Swept: TypeAlias = Any
"""What a step hands on: a dataclass, an array, a tuple or a scalar."""

Levels = tuple[type[Dual], ...]
"""Kinds of dual numbers that a value's scalars are, the outermost first: each gives two."""


@dataclass(frozen=True)
class Form:
    """How a value is built from its scalars; equal forms hold the same number of them."""

    kind: str  # "scalar", "array", "tuple" or "class"
    shape: tuple[int, ...] = ()  # of an array
    parts: tuple[Form, ...] = ()  # of a tuple or a dataclass
    cls: type | None = None


SCALAR = Form("scalar")


def flatten(value: Swept, dual: Levels) -> tuple[Form, list[Scalar]]:
    """(form, scalars) of a dataclass, array, tuple or scalar."""
    if isinstance(value, np.ndarray):
        flat = [x for item in value.ravel() for x in _scalars(item, dual)]
        return Form("array", shape=value.shape), flat
    if isinstance(value, tuple):
        forms, flat = _flatten_each(value, dual)
        return Form("tuple", parts=forms), flat
    if is_dataclass(value) and not isinstance(value, Dual):
        forms, flat = _flatten_each([getattr(value, f.name) for f in fields(value)], dual)
        return Form("class", parts=forms, cls=type(value)), flat
    return SCALAR, _scalars(value, dual)


def _flatten_each(
    values: list[Swept] | tuple[Swept, ...], dual: Levels
) -> tuple[tuple[Form, ...], list[Scalar]]:
    parts = [flatten(item, dual) for item in values]
    return tuple(form for form, _ in parts), [x for _, flat in parts for x in flat]


def unflatten(form: Form, flat: list[Scalar], dual: Levels) -> Swept:
    """The value of this form; takes its scalars from the front of `flat`."""
    if form.kind == "array":
        out = np.empty(form.shape, dtype=object)
        out.ravel()[:] = [_take(flat, dual) for _ in range(out.size)]
        return out
    if form.kind == "scalar":
        return _take(flat, dual)
    parts = [unflatten(part, flat, dual) for part in form.parts]
    return tuple(parts) if form.cls is None else form.cls(*parts)


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
