"""What a function is to first order in the elastic states, by complex steps."""

from __future__ import annotations

from typing import Any

import numpy as np

import supple
from complex_steps import STEP


def split(robot: supple.Robot, x: Any, part: str) -> tuple[Any, Any]:
    """x without its elastic entries, and these entries alone."""
    elastic = np.zeros(len(x))
    for link in robot.links:
        elastic[getattr(link, part)] = x[getattr(link, part)]
    return x - elastic, elastic


def expanded(f: Any, *parts: tuple[Any, Any]) -> Any:
    """f to first order: f(x0) + df(x0) e for arguments x0 + e, both from one run."""
    found = np.asarray(f(*(stepped(x, e) for x, e in parts)))
    return found.real + along(found)


def stepped(x: Any, e: Any) -> Any:
    """x, moved along e by an imaginary step so short that its square is nothing."""
    return x + STEP * 1j * np.asarray(e)


def along(found: Any) -> Any:
    """The derivative along e of what was found at `stepped(x, e)`, exact to rounding."""
    return np.imag(found) / STEP
