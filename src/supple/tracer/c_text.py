"""A program as text for others: C and CUDA."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .operations import OPERATIONS, operands
from .program import Program

Place = Callable[[str, int], str]
"""(array, place) -> where that number is, in C."""


def _statements(p: Program, arguments: Sequence[str], real: str, place: Place) -> list[str]:
    """One assignment an operation, then the results."""
    suffix = "f" if real == "float" else ""
    out = []
    for n, key in enumerate(p.ops):
        op, a, b = key
        if op == "const":
            right = f"{float(a)!r}{suffix}"
        elif op == "input":
            right = place(arguments[int(a)], b)
        else:
            right = OPERATIONS[op].c_text([f"v{k}" for k in operands(key)], suffix)
        out.append(f"const {real} v{n} = {right};")
    for k, x in enumerate(p.outputs):
        value = f"{x!r}{suffix}" if isinstance(x, float) else f"v{x}"
        out.append(f"{place('out', k)} = {value};")
    return out


def c_source(p: Program, name: str, arguments: Sequence[str]) -> str:
    """A C99 function of plain arrays."""
    heads = ", ".join(f"const double *restrict {a}" for a in arguments)
    lines = _statements(p, arguments, "double", lambda array, k: f"{array}[{k}]")
    body = "\n    ".join(lines)
    sizes = ", ".join(f"{a}[{n}]" for a, n in zip(arguments, p.sizes, strict=True))
    return (
        f"/* {name}: {sizes} -> out[{len(p.outputs)}]; written by Supple. */\n"
        f"#include <math.h>\n\nvoid {name}({heads}, double *restrict out)\n{{\n    {body}\n}}\n"
    )


def cuda_source(p: Program, name: str, arguments: Sequence[str], dtype: str) -> str:
    """A CUDA kernel, one thread a state; arrays hold one state a column (coalesced)."""
    heads = ", ".join(f"const {dtype} *__restrict__ {a}" for a in arguments)
    lines = _statements(p, arguments, dtype, lambda array, k: f"{array}[{k} * n + i]")
    body = "\n        ".join(lines)
    return (
        f"/* {name}: one thread a state, element k of state i at [k * n + i]; by Supple. */\n"
        f'extern "C" __global__ void {name}({heads}, {dtype} *__restrict__ out, long long n)\n{{\n'
        f"    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;\n"
        f"         i += (long long)gridDim.x * blockDim.x) {{\n        {body}\n    }}\n}}\n"
    )
