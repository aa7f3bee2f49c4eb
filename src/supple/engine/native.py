"""Any function of arrays, traced once and run as machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..types import Array, Floats
from .function import make
from .trace import traced_arrays

Kernel = Callable[..., Floats]


def traced(function: Callable[..., Array], sizes: Sequence[int]) -> Kernel:
    """Run `function` once on symbols of these sizes and compile what it wrote down."""
    names = {f"x{i}": size for i, size in enumerate(sizes)}
    return make("kernel", traced_arrays(function, names, ("out",), None))
