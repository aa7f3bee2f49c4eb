"""Agreement of arrays, shapes too: the one way to say it."""

from __future__ import annotations

from typing import Any

import numpy as np


def assert_near(
    got: Any,
    want: Any,
    tolerance: float = 1e-10,
    least: float = 1e-9,
    size: float | None = None,
) -> None:
    """The same shape, and the same numbers but for `tolerance` of the largest wanted number, or
    of `least` where all are smaller, or of `size` where it is given."""
    got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
    assert got.shape == want.shape
    if size is None:
        size = max(np.abs(want).max(initial=0.0), least)
    assert np.abs(got - want).max(initial=0.0) <= tolerance * size
