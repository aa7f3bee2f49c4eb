"""The recipe of a scan: one step for each kind of link, run over the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from ...errors import InputError
from ...tracer import About, Recipe, Trace
from ...tracer.machine import host
from .entries import batch, kernel
from .layout import KIND, Layout
from .make import make_scan
from .plan import Block
from .task import Task


class Scan(Recipe):
    """Its code stays small however long the robot is. `whole` traces it as straight-line code,
    for who asks for that."""

    def __init__(self, task: Task, whole: Callable[[], Trace]) -> None:
        self._task, self._whole = task, whole

    @cached_property
    def _made(self) -> tuple[Layout, dict[str, tuple[int, ...]]]:
        return make_scan(self._task)

    def trace(self) -> Trace:
        whole = self._whole()
        return whole.jacobian(*self._task.wrt) if self._task.wrt else whole

    def about(self) -> About:
        layout, shapes = self._made
        wrt = "_".join(self._task.wrt)
        if self._task.columns:
            shapes = {
                f"d{name}_d{wrt}" if wrt else name: (*s, layout.width) for name, s in shapes.items()
            }
        work = layout.work * (host().lanes if layout.by_columns else 1)  # side by side
        return About(layout.arguments, shapes, _operations(layout), work, unrolled=False)

    def kernel(self, lanes: int) -> str:
        return kernel(self._made[0], lanes)

    def batch(self, lanes: int) -> str:
        return batch(self._made[0], lanes)

    def jacobian(self, *wrt: str) -> Recipe:
        if self._task.columns:
            raise InputError(
                "a scan is differentiated once; compile(..., unroll=True) gives more derivatives"
            )
        return Scan(replace(self._task, wrt=wrt), self._whole)

    def hessian_vector(self, wrt: str) -> Recipe:
        raise InputError(
            "a scan has no second derivatives; compile(..., unroll=True) gives hessian_vector"
        )


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
