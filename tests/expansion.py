"""What a function is to first order in the elastic states, by dual numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

import supple
from supple.screws.dual import Dual, seed


def split(robot: supple.Robot, x: Any, part: str) -> tuple[Any, Any]:
    """x without its elastic entries, and these entries alone."""
    elastic = np.zeros(len(x))
    for link in robot.links:
        elastic[getattr(link, part)] = x[getattr(link, part)]
    return x - elastic, elastic


def expanded(f: Any, *parts: tuple[Any, Any]) -> Any:
    """f to first order: f(x0) + df(x0) e for arguments x0 + e, both from one run."""
    found = f(*(seed(x, e) for x, e in parts))
    flat = [v.a + v.b if isinstance(v, Dual) else v for v in np.ravel(found)]
    return np.array(flat).reshape(np.shape(found))
