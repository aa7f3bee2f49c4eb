"""The recipe of a matrix, or of derivatives of the dynamics, in the axes of the world."""

from __future__ import annotations

from collections import Counter

from ...robot import Robot
from ...tracer import FunctionFacts, Recipe, Trace
from ...tracer.llvm.batches import argument_pointers
from ...tracer.llvm.kernels import GIVEN
from ...tracer.llvm.module import Module
from ...tracer.llvm.values import literal
from ..scan.entries import batch_of_kernels
from .body import KernelBody
from .emit import Writer
from .plan import WorldPlan
from .stages import Stage

RESULTS = {
    "mass_matrix": "M",
    "inverse_mass_matrix": "inverse",
    "inverse_dynamics": "tau",
    "forward_dynamics": "qdd",
}
MOST_LANES = 8


class World(Recipe):
    """What it cannot give (a trace, more derivatives) the `other` recipe of the same function
    does."""

    def __init__(self, robot: Robot, what: str, wrt: tuple[str, ...], other: Recipe) -> None:
        self._plan, self._other = WorldPlan(robot, what, wrt), other

    def trace(self) -> Trace:
        return self._other.trace()

    def jacobian(self, *wrt: str, tangent: bool = False) -> Recipe:
        return self._other.jacobian(*wrt, tangent=tangent)

    def jvp(self, *wrt: str, tangent: bool = False) -> Recipe:
        return self._other.jvp(*wrt, tangent=tangent)

    def hessian_vector(self, wrt: str) -> Recipe:
        return self._other.hessian_vector(wrt)

    def about(self) -> FunctionFacts:
        plan, n = self._plan, self._plan.robot.nv
        name = RESULTS[plan.what]
        if plan.wrt:
            name = f"d{name}_d{'_'.join(plan.wrt)}"
        arguments = dict.fromkeys(plan.arguments, n)
        wide = -(-n // MOST_LANES) * MOST_LANES
        work = plan.sheet.count * (wide + MOST_LANES) + 4 * wide * n  # fields, matrices
        return FunctionFacts(
            arguments, {name: (n, plan.width)}, self._operations(), work, unrolled=False
        )

    def _operations(self) -> dict[str, int]:
        plan, n, total = self._plan, self._plan.robot.nv, Counter[str]()
        for stage in plan.sheet.stages:
            if isinstance(stage, Stage):
                for name, count in stage.program.operations().items():
                    total[name] += n * count
            else:
                total["additions"] += (n - 1) * len(stage.columns)
        cells = sum(
            len(p.lower[0]) * (n * (n - 1) // 2) + len(p.upper[0]) * (n * (n + 1) // 2)
            for p in plan.pairs.values()
        )
        if plan.inverts:
            cells += n**3 // 6 + n**3 // 3
        if plan.forward and plan.sloped:
            cells += n**3 * len({"q", "qd"} & set(plan.wrt))
        total["multiplications"] += cells
        total["additions"] += cells
        return dict(total)

    def kernel(self, lanes: int) -> str:
        return self._module(lanes).text()

    def batch(self, lanes: int) -> str:
        module, plan = self._module(lanes), self._plan
        n = plan.robot.nv
        batch_of_kernels(module, [n] * len(plan.arguments), n * plan.width)
        return module.text()

    def _module(self, lanes: int) -> Module:
        module, plan = Module(), self._plan
        n, sheet, tree = plan.robot.nv, plan.sheet, plan.tree
        rest = [0] * (-n % lanes)
        table = [literal(x) for column in sheet.table for x in (*column, *map(float, rest))]
        if table:
            module.table("table", "double", table)
        if not tree.is_chain:
            module.table("parents", "i64", [str(x) for x in tree.parents])
            module.table("ends", "i64", [str(x) for x in (*tree.ends, *rest)])
        with module.function("kernel", GIVEN) as (b, (inputs, out)):
            *arrays, work = argument_pointers(b, inputs, len(plan.arguments) + 1)
            writer = Writer(b, sheet, tree, work, lanes)
            KernelBody(plan, writer, dict(zip(plan.arguments, arrays, strict=True)), out).write()
        return module
