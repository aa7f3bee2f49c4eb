"""Numbers of a body that agree to rounding, made equal.

A beam has the same integral in many places: the work of a bending shape in y and in z, a
product of shapes and a moment of another. Sums in another order leave them apart by their last
digits; then what the equations multiply by them is computed twice. Of numbers that agree, the
first stands for all: a mass and the places of the stations are what the user gave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..types import Floats
from .body import Body
from .station import Station

ROUNDING = 4e-15
"""How far numbers may lie apart, as a share of them, and be one: some twenty roundings."""

_MOMENTS = ("c0", "c1", "c2", "W0", "N0", "P", "Q", "Mdd", "K", "D")
_FIELDS = ("E", "e", "x", "s", "z", "remainder_c1", "remainder_N0", "remainder_Q")


def agreeing(body: Body) -> Body:
    """The body with one number for all of its own that agree but for rounding and sign."""
    names, stations = (*_MOMENTS, *_FIELDS), body.stations
    nodes = [(name, vector) for vector in Station.VECTORS for name in stations]
    given = [np.array(body.mass), *(getattr(stations[name], vector) for name, vector in nodes)]
    made = made_equal([*given, *(getattr(body, name) for name in names)])
    vectors: dict[str, Any] = {name: {} for name in stations}
    for (name, vector), value in zip(nodes, made[1:], strict=False):
        vectors[name][vector] = value
    numbers: Any = dict(zip(names, made[len(given) :], strict=True))
    numbers["stations"] = {name: replace(stations[name], **vectors[name]) for name in stations}
    return replace(body, **numbers)


def made_equal(arrays: Sequence[Floats]) -> list[Floats]:
    """The arrays with one size for all sizes that agree but for rounding: that of the first of
    them. Signs stay."""
    every = np.abs(np.concatenate([np.ravel(array) for array in arrays]))
    sizes, places = np.unique(every, return_index=True)
    kept, done = sizes.copy(), 0
    for first in np.flatnonzero(np.diff(sizes) <= ROUNDING * sizes[:-1]):
        if first >= done:
            done = int(np.searchsorted(sizes, sizes[first] * (1.0 + ROUNDING), side="right"))
            kept[first:done] = every[places[first:done].min()]
    return [np.copysign(kept[np.searchsorted(sizes, np.abs(array))], array) for array in arrays]
