"""From a Python function of arrays to native code. Nothing here knows a robot.

    function      run once on symbols (`trace`)
      -> graph          every operation written down, equal ones once (`graph`)
      -> derivatives    written into the same graph (`derivatives`)
      -> program        what the results need, in order (`program`; a long one in `program_parts`)
      -> native code    LLVM for one state or many (`llvm`), loaded (`machine`), kept on disk
                        (`cache`), called from Python (`function`, `fast_call`, `checked_call`)
      -> C, CUDA        text (`c_text`); SymPy, CasADi: the program run on their symbols (`algebra`)

What an operation is (its value, derivative, instruction, text, cost) is one row of
`operations`: that table is all there is to change to add one.
"""

from . import cache
from .derivatives import jacobian, pullback, pushforward, slopes, substitute
from .function import Function, make
from .graph import NUMBER, Expression, Graph, evaluate
from .machine import assemble, host, quickly
from .program import Program
from .recipe import FunctionFacts, Recipe, StraightLine
from .trace import Slope, Tangent, Tangents, Trace, traced_arrays

__all__ = [
    "NUMBER",
    "Expression",
    "Function",
    "FunctionFacts",
    "Graph",
    "Program",
    "Recipe",
    "Slope",
    "StraightLine",
    "Tangent",
    "Tangents",
    "Trace",
    "assemble",
    "cache",
    "evaluate",
    "host",
    "jacobian",
    "make",
    "pullback",
    "pushforward",
    "quickly",
    "slopes",
    "substitute",
    "traced_arrays",
]
