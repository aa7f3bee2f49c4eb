"""From a graph to machine code in this process, through LLVM; no compiler is needed.

A kernel is `void f(double *in0, double *in1, ..., double *out)`: straight-line code, one
instruction a live node.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..types import Array, Floats, Scalar
from .graph import Expression, Graph

_BINARY = {"+": "fadd contract", "-": "fsub contract", "*": "fmul contract"}
_CALLS = {"sin": "llvm.sin.f64", "cos": "llvm.cos.f64", "sqrt": "llvm.sqrt.f64"}


class Kernel:
    """A compiled function of some arrays to one flat array. It keeps its machine code alive."""

    def __init__(self, engine: Any, address: int, sizes: tuple[int, ...], size: int) -> None:
        self._engine = engine
        self.sizes = sizes
        self.size = size
        pointers = [ctypes.c_void_p] * (len(sizes) + 1)
        self._call = ctypes.CFUNCTYPE(None, *pointers)(address)

    def __call__(self, *arrays: Floats) -> Floats:
        """Arrays of float64, contiguous, of the sizes traced; the result is new."""
        out = np.empty(self.size)
        self._call(*[a.ctypes.data for a in arrays], out.ctypes.data)
        return out


def traced(function: Callable[..., Array], sizes: Sequence[int]) -> Kernel:
    """Run `function` once on symbols of these sizes and compile what it wrote down."""
    graph = Graph()
    arguments = [graph.vector(f"x{i}", size) for i, size in enumerate(sizes)]
    outputs = list(np.ravel(function(*arguments)))
    engine, address = _compile(_module(graph, outputs, sizes))
    return Kernel(engine, address, tuple(sizes), len(outputs))


def _module(graph: Graph, outputs: Sequence[Scalar], sizes: Sequence[int]) -> str:
    """LLVM assembly of the kernel."""
    where = [(i, k) for i, size in enumerate(sizes) for k in range(size)]
    need = graph.live(outputs)
    name: dict[int, str] = {}
    body: list[str] = []
    for n, (op, a, b) in enumerate(graph.keys):
        if not need[n]:
            continue
        if op == "const":
            name[n] = _literal(float(a))
            continue
        name[n] = f"%v{n}"
        if op == "input":
            i, k = where[int(a)]
            body.append(f"%p{n} = getelementptr double, ptr %in{i}, i64 {k}")
            body.append(f"%v{n} = load double, ptr %p{n}, align 8")
        elif op in _BINARY:
            body.append(f"%v{n} = {_BINARY[op]} double {name[int(a)]}, {name[b]}")
        elif op == "neg":
            body.append(f"%v{n} = fneg double {name[int(a)]}")
        elif op == "1/":
            body.append(f"%v{n} = fdiv double 1.0, {name[int(a)]}")
        elif op == "tanh":  # 1 - 2 / (exp(2 x) + 1)
            body.append(f"%a{n} = fadd double {name[int(a)]}, {name[int(a)]}")
            body.append(f"%b{n} = call double @llvm.exp.f64(double %a{n})")
            body.append(f"%c{n} = fadd double %b{n}, 1.0")
            body.append(f"%d{n} = fdiv double 2.0, %c{n}")
            body.append(f"%v{n} = fsub double 1.0, %d{n}")
        else:
            body.append(f"%v{n} = call double @{_CALLS[op]}(double {name[int(a)]})")
    for k, x in enumerate(outputs):
        value = name[x.number] if isinstance(x, Expression) else _literal(float(x))
        body.append(f"%o{k} = getelementptr double, ptr %out, i64 {k}")
        body.append(f"store double {value}, ptr %o{k}, align 8")
    used = [*_CALLS.values(), "llvm.exp.f64"]
    declared = "\n".join(f"declare double @{f}(double)" for f in used)
    pointers = ", ".join([*(f"ptr noalias %in{i}" for i in range(len(sizes))), "ptr noalias %out"])
    lines = "\n  ".join(body)
    return f"{declared}\ndefine void @kernel({pointers}) {{\n  {lines}\n  ret void\n}}\n"


def _literal(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"a constant of the equations is {value}")
    return f"0x{np.float64(value).view(np.uint64):016X}"


@cache
def _start() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _compile(text: str) -> tuple[Any, int]:
    import llvmlite.binding as llvm

    _start()
    module = llvm.parse_assembly(text)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=1,
    )
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine, engine.get_function_address("kernel")
