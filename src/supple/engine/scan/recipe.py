"""The recipe of a scan: one step for each kind of link, run over the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from ...errors import InputError
from ...lazy import cached_property
from ...tracer import FunctionFacts, Recipe, Trace
from ...tracer.machine import host
from ...tracer.recipe import OtherJacobian
from ...tracer.trace import NO_TANGENTS, Tangents
from .entries import batch, kernel, two_runs
from .layout import KIND, Layout
from .make import make_scan
from .plan import Block
from .task import Task


class Scan(Recipe):
    """Its code stays small however long the robot is. `whole` traces it as straight-line code,
    for who asks for that; `other` may know a better Jacobian."""

    def __init__(
        self,
        task: Task,
        whole: Callable[[], Trace],
        other: OtherJacobian | None = None,
        tangents: Tangents = NO_TANGENTS,
    ) -> None:
        self._task, self._whole, self._other = task, whole, other
        self.tangents = tangents

    @cached_property
    def _made(self) -> tuple[Layout, dict[str, tuple[int, ...]]]:
        return make_scan(self._task)

    def trace(self) -> Trace:
        whole, task = self._whole(), self._task
        if task.along:
            return whole.jvp(task.along, self.moved(task.tangent))
        ways = self.moved(task.tangent)
        return whole.jacobian(*task.wrt, tangents=ways) if task.wrt else whole

    def about(self) -> FunctionFacts:
        layout, shapes = self._made
        wrt = "_".join(self._task.wrt)
        if self._task.columns:
            shapes = {
                f"d{name}_d{wrt}" if wrt else name: (*s, layout.width) for name, s in shapes.items()
            }
        if self._task.along:
            shapes = {f"d{name}": shape for name, shape in shapes.items()}
        work = layout.work * (host().lanes if layout.by_columns else 1)  # side by side
        return FunctionFacts(layout.arguments, shapes, _operations(layout), work, unrolled=False)

    def kernel(self, lanes: int) -> str:
        return kernel(self._made[0], lanes)

    def batch(self, lanes: int) -> str:
        return batch(self._made[0], lanes)

    def jacobian(self, *wrt: str, tangent: bool = False) -> Recipe:
        self._once()
        usual = self._usual_jacobian(*wrt, tangent=tangent)
        return (self._other(wrt, usual, tangent) if self._other is not None else None) or usual

    def jvp(self, *wrt: str, tangent: bool = False) -> Recipe:
        if self._task.columns or self._task.along:
            return super().jvp(*wrt, tangent=tangent)
        return self._scan_of(replace(self._task, along=wrt, tangent=tangent))

    def _scan_of(self, task: Task) -> Recipe:
        return Scan(task, self._whole, tangents=self.tangents)

    def _once(self) -> None:
        if self._task.columns or self._task.along:
            raise InputError(
                "a scan is differentiated once; compile(..., unroll=True) gives more derivatives"
            )

    def hessian(self, *wrt: str) -> Recipe:
        raise InputError(
            "a scan has no second derivatives; compile(..., unroll=True) gives hessian"
        )

    def _usual_jacobian(self, *wrt: str, tangent: bool) -> Recipe:
        then = self._task.slopes
        if then is not None and not tangent and not then.loose & {*wrt}:
            return AnswerSlopes(self._task, replace(then, wrt=wrt), self._whole, self.tangents)
        return self._scan_of(replace(self._task, wrt=wrt, tangent=tangent))

    def hessian_vector(self, wrt: str) -> Recipe:
        raise InputError(
            "a scan has no second derivatives; compile(..., unroll=True) gives hessian_vector"
        )


class AnswerSlopes(Recipe):
    """Slopes of the forward dynamics: a scan that finds the accelerations, then one that has the
    slopes at them (`engine.forward_correction`)."""

    def __init__(
        self, first: Task, then: Task, whole: Callable[[], Trace], tangents: Tangents
    ) -> None:
        self._first, self._then, self._whole, self.tangents = first, then, whole, tangents

    @cached_property
    def _made(self) -> tuple[Layout, Layout, int]:
        first, shapes = make_scan(self._first)
        ((size,),) = shapes.values()
        return replace(first, prefix="a_"), replace(make_scan(self._then)[0], prefix="b_"), size

    def trace(self) -> Trace:
        return self._whole().jacobian(*self._then.wrt)

    def about(self) -> FunctionFacts:
        first, then, size = self._made
        name = f"d{self._first.results[0]}_d{'_'.join(self._then.wrt)}"
        counts = Counter(_operations(first))
        counts.update(_operations(then))
        work = size + 8 + max(first.work, then.work)
        return FunctionFacts(
            first.arguments, {name: (size, then.width)}, dict(counts), work, unrolled=False
        )

    def kernel(self, lanes: int) -> str:
        return two_runs(*self._made, lanes, many=False)

    def batch(self, lanes: int) -> str:
        return two_runs(*self._made, lanes, many=True)

    def jacobian(self, *wrt: str, tangent: bool = False) -> Recipe:
        return Scan(self._then, self._whole).jacobian(*wrt, tangent=tangent)

    def hessian(self, *wrt: str) -> Recipe:
        return Scan(self._then, self._whole).hessian(*wrt)

    def hessian_vector(self, wrt: str) -> Recipe:
        return Scan(self._then, self._whole).hessian_vector(wrt)


def _operations(layout: Layout) -> dict[str, int]:
    """Of one evaluation: each block counts for every link of its kind, or every item that passes
    one."""
    total: Counter[str] = Counter()
    plan = layout.plan
    scans = len(plan.directions) - len(plan.climbs)
    for (scan, kind), block in plan.blocks.items():
        times = 0
        for i, row in enumerate(layout.index):
            if row[KIND] == kind:
                climb = layout.climbs[scan - scans] if scan >= scans else None
                times += 1 if climb is None else climb.end[i] - climb.begin[i]
        _count(total, block, times)
    for block in (plan.before, plan.after):
        _count(total, block, 1)
    rounds = layout.width if layout.by_columns else 1
    return {name: count * rounds for name, count in total.items()}


def _count(total: Counter[str], block: Block, times: int) -> None:
    for name, count in block.program.operations().items():
        total[name] += times * count
