"""The same program as text for others: C, CUDA, SymPy, CasADi."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .program import Program

if TYPE_CHECKING:
    from .trace import Trace

_C = {"+": "+", "-": "-", "*": "*"}


def _statements(p: Program, real: str, load: str, store: str) -> list[str]:
    """One assignment an operation; `load` and `store` have {argument}, {place}, {value}."""
    suffix = "f" if real == "float" else ""
    out = []
    for n, (op, a, b) in enumerate(p.ops):
        if op == "const":
            right = f"{float(a)!r}{suffix}"
        elif op == "input":
            right = load.format(argument=int(a), place=b)
        elif op in _C:
            right = f"v{int(a)} {op} v{b}"
        elif op == "neg":
            right = f"-v{int(a)}"
        elif op == "1/":
            right = f"1.0{suffix} / v{int(a)}"
        else:
            right = f"{op}{suffix}(v{int(a)})"
        out.append(f"const {real} v{n} = {right};")
    for k, x in enumerate(p.outputs):
        value = f"{x!r}{suffix}" if isinstance(x, float) else f"v{x}"
        out.append(store.format(place=k, value=value))
    return out


def c_source(p: Program, name: str, arguments: list[str]) -> str:
    """A C99 function of plain arrays."""
    heads = ", ".join(f"const double *restrict {a}" for a in arguments)
    lines = _statements(p, "double", "in{argument}[{place}]", "out[{place}] = {value};")
    body = "\n    ".join(lines)
    for i, a in enumerate(arguments):
        body = body.replace(f" in{i}[", f" {a}[")
    sizes = ", ".join(f"{a}[{n}]" for a, n in zip(arguments, p.sizes, strict=True))
    return (
        f"/* {name}: {sizes} -> out[{len(p.outputs)}]; written by Supple. */\n"
        f"#include <math.h>\n\nvoid {name}({heads}, double *restrict out)\n{{\n    {body}\n}}\n"
    )


def cuda_source(p: Program, name: str, arguments: list[str], dtype: str) -> str:
    """A CUDA kernel, one thread a state; arrays hold one state a column (coalesced)."""
    heads = ", ".join(f"const {dtype} *__restrict__ {a}" for a in arguments)
    lines = _statements(
        p, dtype, "in{argument}[{place} * n + i]", "out[{place} * n + i] = {value};"
    )
    body = "\n        ".join(lines)
    for i, a in enumerate(arguments):
        body = body.replace(f" in{i}[", f" {a}[")
    return (
        f"/* {name}: one thread a state, element k of state i at [k * n + i]; by Supple. */\n"
        f'extern "C" __global__ void {name}({heads}, {dtype} *__restrict__ out, long long n)\n{{\n'
        f"    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;\n"
        f"         i += (long long)gridDim.x * blockDim.x) {{\n        {body}\n    }}\n}}\n"
    )


def _replay(p: Program, inputs: list[list[Any]], functions: Any) -> list[Any]:
    """Run the program on other symbols."""
    at: list[Any] = []
    for op, a, b in p.ops:
        if op == "const":
            at.append(float(a))
        elif op == "input":
            at.append(inputs[int(a)][b])
        elif op == "+":
            at.append(at[int(a)] + at[b])
        elif op == "-":
            at.append(at[int(a)] - at[b])
        elif op == "*":
            at.append(at[int(a)] * at[b])
        elif op == "neg":
            at.append(-at[int(a)])
        elif op == "1/":
            at.append(1.0 / at[int(a)])
        else:
            at.append(getattr(functions, op)(at[int(a)]))
    return [x if isinstance(x, float) else at[x] for x in p.outputs]


def to_sympy(trace: Trace) -> dict[str, Any]:
    """Each result as a SymPy array in symbols named like the arguments."""
    import sympy

    from .in_sympy import in_sympy

    named = {x.number: f"{name}{i}" for name, v in trace.inputs.items() for i, x in enumerate(v)}
    values = in_sympy(trace.graph, trace.flat, lambda n: sympy.Symbol(named[n]))
    out, at = {}, 0
    for name, shape in zip(trace.results, trace.shapes, strict=True):
        size = 1
        for n in shape:
            size *= n
        part = values[at : at + size]
        out[name] = sympy.Array(part, shape) if shape else part[0]
        at += size
    return out


def to_casadi(trace: Trace, name: str) -> Any:
    """A CasADi Function with the same arguments; matrices come out row by row as columns."""
    try:
        import casadi
    except ImportError:
        from ..errors import SuppleError

        raise SuppleError("to_casadi needs CasADi: pip install 'supple[casadi]'") from None
    symbols = [casadi.SX.sym(n, len(v)) for n, v in trace.inputs.items()]
    rows = [[s[i] for i in range(s.numel())] for s in symbols]
    values = _replay(trace.program(), rows, casadi)
    outputs, at = [], 0
    for shape in trace.shapes:
        size = 1
        for n in shape:
            size *= n
        flat = casadi.vertcat(*values[at : at + size])
        if len(shape) == 2:
            flat = casadi.reshape(flat, shape[1], shape[0]).T
        outputs.append(flat)
        at += size
    return casadi.Function(name, symbols, outputs, list(trace.inputs), list(trace.results))
