"""Any function of arrays, traced once and run as machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from numpy.typing import ArrayLike

from ..tracer import StraightLine, Trace, cache, make, traced_arrays
from ..types import Array, Floats
from .fingerprint import fingerprint, function_fingerprint


class Kernel(Protocol):
    """A compiled function with one result (a `Function`, in fact)."""

    def __call__(self, *arrays: ArrayLike, out: Floats | None = None) -> Floats: ...
    def jacobian(self, *wrt: str) -> Kernel: ...
    def batch(self, *arrays: ArrayLike) -> Floats: ...
    def operations(self) -> dict[str, int]: ...


def traced(
    function: Callable[..., Array], sizes: Sequence[int], known: tuple[object, ...] = ()
) -> Kernel:
    """Run `function` once on symbols of these sizes and compile what it wrote down.

    `known`: what names the function's meaning (a word, a robot); then its code may come from
    the cache, untraced. What the function took in where it was defined is part of the name. A
    function from outside the package, whose text may change unseen, is traced all the same.
    """
    names = {f"x{i}": size for i, size in enumerate(sizes)}

    def trace() -> Trace:
        return traced_arrays(function, names, ("out",))

    meaning = function_fingerprint(function) if known else None
    if meaning is not None:
        key = cache.key("function", meaning, fingerprint(known), tuple(sizes))
        out = make("kernel", key, StraightLine(trace))
    else:
        ready = trace()
        key = cache.key("program", ready.program().digest)
        out = make("kernel", key, StraightLine(lambda: ready))
    out.made_by = traced, (function, sizes, known)
    return out
