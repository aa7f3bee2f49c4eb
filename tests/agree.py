"""Agreement of arrays, relative to the largest entry."""

from __future__ import annotations

from typing import Any

import numpy as np


def assert_near(got: Any, want: Any, tolerance: float) -> None:
    """The same shape, and the same numbers but for `tolerance` of the largest."""
    got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
    assert got.shape == want.shape
    size = max(np.abs(want).max(initial=0.0), 1e-9)
    assert np.abs(got - want).max(initial=0.0) <= tolerance * size
