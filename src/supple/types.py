"""Names for the types that cross module borders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

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
