"""Names for the types that cross module borders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .errors import InputError

Array: TypeAlias = npt.NDArray[Any]
"""An array of floats, or of any scalar the recursion is generic in (dtype object)."""

Floats: TypeAlias = npt.NDArray[np.float64]
Coordinates: TypeAlias = "npt.ArrayLike | Mapping[str, float]"
"""A configuration as users give it: all coordinates, those of the joints, or some by name."""
Scalar: TypeAlias = Any
"""A float, or a symbol, a dual number, a node of a traced graph."""

Json: TypeAlias = Any
"""What a JSON text holds, as `json.loads` gives it."""

Word: TypeAlias = "str | int | float | bool | Sequence[Word] | Mapping[str, Word] | None"
"""What a key of a model file holds; the words of a model are a `Mapping[str, Word]`."""


def refuse_masked(value: object, name: str = "an array") -> None:
    """An InputError where numbers are masked: those under a mask are not to be computed with."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise InputError(f"{name} has masked entries; fill or drop them (numpy.ma.filled)")
    if isinstance(value, list | tuple):
        for part in value:
            if isinstance(part, list | tuple | np.ma.MaskedArray):
                refuse_masked(part, name)
