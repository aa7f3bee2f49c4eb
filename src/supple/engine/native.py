"""Any function of arrays, traced once and run as machine code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import numpy as np

from ..types import Array, Floats
from . import llvm
from .machine import Code, assemble, host
from .program import Program, program, trace

_KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


class Kernel:
    """A compiled function of some arrays to one flat array."""

    def __init__(self, what: Program) -> None:
        self.program = what
        self._code: Code = assemble(llvm.kernel(what, host().lanes))
        self._call = _KERNEL(self._code.address("kernel"))

    def __call__(self, *arrays: Floats) -> Floats:
        """Arrays of float64, contiguous, of the sizes traced; the result is new."""
        out = np.empty(len(self.program.outputs))
        pointers = (ctypes.c_void_p * len(arrays))(*[a.ctypes.data for a in arrays])
        self._call(ctypes.addressof(pointers), out.ctypes.data)
        return out


def traced(function: Callable[..., Array], sizes: Sequence[int]) -> Kernel:
    """Run `function` once on symbols of these sizes and compile what it wrote down."""
    graph, _, outputs = trace(function, sizes)
    return Kernel(program(graph, outputs, sizes))
