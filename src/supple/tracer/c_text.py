"""A program as text for others: C and CUDA."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .operations import OPERATIONS, operands
from .program import Program
from .program_parts import in_parts

MOST = 2000  # operations of a C function: compilers need much longer for one than for two halves

Place = Callable[[str, int], str]
"""(array, place) -> where that number is, in C."""


def _statements(
    p: Program, arguments: Sequence[str], real: str, place: Place, targets: Sequence[str]
) -> list[str]:
    """One assignment an operation, then the results to their targets."""
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
    for target, x in zip(targets, p.outputs, strict=True):
        value = f"{x!r}{suffix}" if isinstance(x, float) else f"v{x}"
        out.append(f"{target} = {value};")
    return out


def c_source(p: Program, name: str, arguments: Sequence[str], real: str = "double") -> str:
    """A C99 function of plain arrays; a long one calls its parts, which compilers take sooner."""
    sizes = ", ".join(f"{a}[{n}]" for a, n in zip(arguments, p.sizes, strict=True))
    head = (
        f"/* {name}: {sizes} -> out[{len(p.outputs)}]; written by Supple. */\n#include <math.h>\n\n"
    )
    targets = [f"out[{k}]" for k in range(len(p.outputs))]
    if len(p.ops) <= MOST:
        return head + _function(f"void {name}", p, arguments, targets, real)
    return head + _in_parts(p, name, arguments, real)


def _in_parts(p: Program, name: str, arguments: Sequence[str], real: str) -> str:
    """The parts as functions of their own, and the one that calls them in turn."""
    parts, size = in_parts(p, MOST)
    texts, calls = [], []
    for k, part in enumerate(parts, 1):
        targets = [f"{array}[{place}]" for array, place in part.targets]
        function = f"static void {name}_part{k}"
        texts.append(_function(function, part.program, [*arguments, "work"], targets, real))
        calls.append(f"    {name}_part{k}({', '.join(arguments)}, work, out);")
    body = "\n".join([f"    {real} work[{size}];", *calls])
    return "\n".join([*texts, f"void {name}({_heads(arguments, real)})\n{{\n{body}\n}}\n"])


def _function(
    name: str, p: Program, arguments: Sequence[str], targets: Sequence[str], real: str
) -> str:
    """One C function; arguments that it does not need are said to be so."""
    lines = _statements(p, arguments, real, lambda array, k: f"{array}[{k}]", targets)
    used = {arguments[int(a)] for op, a, _ in p.ops if op == "input"}
    used |= {target.partition("[")[0] for target in targets}
    unused = [f"(void){a};" for a in (*arguments, "out") if a not in used]
    body = "\n    ".join([*unused, *lines])
    return f"{name}({_heads(arguments, real)})\n{{\n    {body}\n}}\n"


def _heads(arguments: Sequence[str], real: str) -> str:
    """Parameters of a C function: arguments are read, work space and results written."""
    heads = [
        f"{real} *restrict {a}" if a == "work" else f"const {real} *restrict {a}" for a in arguments
    ]
    return ", ".join([*heads, f"{real} *restrict out"])


def cuda_source(p: Program, name: str, arguments: Sequence[str], dtype: str) -> str:
    """A CUDA kernel, one thread a state; arrays hold one state a column (coalesced)."""
    heads = ", ".join(f"const {dtype} *__restrict__ {a}" for a in arguments)
    targets = [f"out[{k} * n + i]" for k in range(len(p.outputs))]
    lines = _statements(p, arguments, dtype, lambda array, k: f"{array}[{k} * n + i]", targets)
    body = "\n        ".join(lines)
    return (
        f"/* {name}: one thread a state, element k of state i at [k * n + i]; by Supple. */\n"
        f'extern "C" __global__ void {name}({heads}, {dtype} *__restrict__ out, long long n)\n{{\n'
        f"    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;\n"
        f"         i += (long long)gridDim.x * blockDim.x) {{\n        {body}\n    }}\n}}\n"
    )
