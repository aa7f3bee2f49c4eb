"""Quantities of a robot as compiled functions.

    robot + name of a quantity            (`quantities`, `request`)
      -> fewer numbers                    hidden inertia moved (`base_inertia`), other shape
                                          coordinates (`shape_coordinates`)
      -> numbers of the model as symbols  where they are arguments (`dependence`)
      -> straight-line code               the recursion traced as it is (`..tracer`)
         or a scan                        one step for each kind of link, looped over (`scan`)
         or products of pairs             of rigid links, in the axes of the world (`world`)
      -> Function                         found again by what the robot is (`fingerprint`)

`compile` goes all the way; `traced` takes any function of arrays.
"""

from ..tracer import Expression, Function, Graph, cache, evaluate
from .compiling import compile
from .quantities import BEAMS, CUTS, QUANTITIES
from .request import Request, trace_quantity
from .trace_function import Kernel, traced

__all__ = [
    "BEAMS",
    "CUTS",
    "QUANTITIES",
    "Expression",
    "Function",
    "Graph",
    "Kernel",
    "Request",
    "cache",
    "compile",
    "evaluate",
    "trace_quantity",
    "traced",
]
