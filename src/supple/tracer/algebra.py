"""A program run again on the symbols of other packages: SymPy, CasADi."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from ..errors import SuppleError
from ..types import Scalar
from .operations import OPERATIONS, operands
from .program import Program
from .trace import Trace, places

if TYPE_CHECKING:
    import casadi
    import sympy


def replay(p: Program, inputs: Sequence[Sequence[Scalar]], functions: ModuleType) -> list[Scalar]:
    """The outputs for other inputs; `functions` has their sin, cos, sqrt, ..."""
    at: list[Scalar] = []
    for key in p.ops:
        op, a, b = key
        if op == "const":
            at.append(float(a))
        elif op == "input":
            at.append(inputs[int(a)][b])
        else:
            at.append(OPERATIONS[op].symbols(functions, *[at[k] for k in operands(key)]))
    return [x if isinstance(x, float) else at[x] for x in p.outputs]


def to_sympy(trace: Trace) -> dict[str, sympy.Array | sympy.Expr]:
    """Each result as a SymPy array in symbols named like the arguments."""
    import sympy

    from .in_sympy import in_sympy

    named = {x.number: f"{name}{i}" for name, v in trace.inputs.items() for i, x in enumerate(v)}
    values = in_sympy(trace.graph, trace.flat, lambda n: sympy.Symbol(named[n]))
    out, shapes = {}, trace.shapes
    for name, where in places(shapes).items():
        part = values[where]
        out[name] = sympy.Array(part, shapes[name]) if shapes[name] else part[0]
    return out


def to_casadi(trace: Trace, name: str) -> casadi.Function:
    """A CasADi Function with the same arguments; matrices come out row by row as columns."""
    try:
        import casadi
    except ImportError:
        raise SuppleError("to_casadi needs CasADi: pip install 'supple[casadi]'") from None
    symbols = [casadi.SX.sym(n, len(v)) for n, v in trace.inputs.items()]
    rows = [[s[i] for i in range(s.numel())] for s in symbols]
    values = replay(trace.program(), rows, casadi)
    outputs = []
    for shape, where in zip(trace.shapes.values(), places(trace.shapes).values(), strict=True):
        flat = casadi.vertcat(*values[where])
        outputs.append(casadi.reshape(flat, shape[1], shape[0]).T if len(shape) == 2 else flat)
    return casadi.Function(name, symbols, outputs, list(trace.inputs), list(trace.results))
