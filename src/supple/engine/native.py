"""Any function of arrays, traced once and run as machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..types import Array, Floats
from . import cache
from .function import make
from .recipes import Straight
from .trace import Trace, traced_arrays

Kernel = Callable[..., Floats]


def traced(
    function: Callable[..., Array], sizes: Sequence[int], known: tuple[object, ...] = ()
) -> Kernel:
    """Run `function` once on symbols of these sizes and compile what it wrote down.

    `known`: what names the function's meaning (a word, a robot); then its code may come from
    the cache, untraced.
    """
    names = {f"x{i}": size for i, size in enumerate(sizes)}

    def trace() -> Trace:
        return traced_arrays(function, names, ("out",))

    if known:
        return make("kernel", cache.key(cache.fingerprint(known), tuple(sizes)), Straight(trace))
    ready = trace()
    return make("kernel", cache.key("program", ready.program().digest), Straight(lambda: ready))
