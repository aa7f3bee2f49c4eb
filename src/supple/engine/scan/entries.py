"""LLVM assembly of `kernel` and `batch`, which call `run`; and the tables it reads."""

from __future__ import annotations

from collections.abc import Sequence

from ...tracer.llvm.batches import BATCH, argument_pointers, rows_of_state
from ...tracer.llvm.builder import Builder
from ...tracer.llvm.kernels import GIVEN
from ...tracer.llvm.module import Module
from ...tracer.llvm.values import INDEX, POINTER, Value, literal, whole
from .emit import RunArguments, RunWriter
from .layout import MOST_LANES, Layout


def kernel(layout: Layout, lanes: int) -> str:
    """Assembly of `kernel`, for one state."""
    wide = lanes if layout.by_columns and layout.width >= lanes else 1
    module = _with_runs(layout, wide, lanes)
    _kernel(module, layout, wide)
    return module.text()


def batch(layout: Layout, lanes: int) -> str:
    """Assembly of `batch`, for many states; it has its own copy of `kernel`."""
    if layout.columns is not None and layout.width < lanes:
        lanes = 1
    wide = 1 if layout.chained else lanes
    module = _with_runs(layout, wide, lanes)
    _kernel(module, layout, wide)
    _batch(module, layout, lanes if layout.columns is None else 1)
    return module.text()


def _with_runs(layout: Layout, lanes: int, pack: int) -> Module:
    """Tables and `run`, for one state and for many (or columns)."""
    module = Module()
    add_runs(module, layout, lanes, pack)
    return module


def add_runs(module: Module, layout: Layout, lanes: int, pack: int) -> None:
    prefix = layout.prefix
    module.table(f"{prefix}index", "i32", [str(x) for row in layout.index for x in row])
    angles = layout.angles + layout.angles[-1:] * (-len(layout.angles) % pack)
    if angles:
        module.table(f"{prefix}angles", "i32", [str(x) for x in angles])
    if any(layout.table):
        module.table(f"{prefix}table", "double", [literal(x) for row in layout.table for x in row])
    for climb in layout.climbs:
        if climb.regular is None:
            lines = [*climb.lines, *[0] * MOST_LANES]
            module.table(f"{prefix}lines{climb.column}", "i32", [str(x) for x in lines])
    for n in sorted({1, lanes}):
        _define_run(module, layout, n, pack)


def _define_run(module: Module, layout: Layout, lanes: int, pack: int) -> None:
    given = {f"a{i}": "ptr noalias readonly" for i in range(len(layout.arguments))}
    given |= {"out": "ptr noalias", "work": "ptr noalias", "first": INDEX}
    with module.function(f"{layout.prefix}run{lanes}", given, internal=True) as (b, values):
        *arrays, out, work, first = values
        named = dict(zip(layout.arguments, arrays, strict=True))
        RunWriter(b, layout, RunArguments(named, out, work, first), lanes, pack).write()


def _call(b: Builder, lanes: int, arrays: Sequence[Value], out: Value, rest: list[Value]) -> None:
    b.call(f"@run{lanes}", *arrays, out, *rest)


def _kernel(module: Module, layout: Layout, lanes: int) -> None:
    """One state; a Jacobian takes its columns `lanes` at a time, the last ones over again."""
    with module.function("kernel", GIVEN) as (b, (inputs, out)):
        *arrays, work = argument_pointers(b, inputs, len(layout.arguments) + 1)
        if not layout.by_columns:
            _call(b, 1, arrays, out, [work, whole(0)])
            return
        step = lanes if layout.width >= lanes else 1
        last = layout.width - step
        if layout.width == 0:
            return
        with b.for_range(0, layout.width, step) as loop:
            over = b.icmp("sgt", loop.index, last)
            _call(b, step, arrays, out, [work, b.select(over, whole(last), loop.index)])


def two_runs(first: Layout, then: Layout, size: int, lanes: int, many: bool) -> str:
    """Assembly of a kernel (and a batch) whose second run takes the result of the first, `size`
    numbers, as its last argument."""
    module = Module()
    for layout in (first, then):
        add_runs(module, layout, 1, lanes)
    given = len(first.arguments)
    with module.function("kernel", GIVEN) as (b, (inputs, out)):
        *arrays, work = argument_pointers(b, inputs, given + 1)
        rest = [b.at(work, -(-size // 8) * 8), whole(0)]
        b.call(f"@{first.prefix}run1", *arrays, work, *rest)
        b.call(f"@{then.prefix}run1", *arrays, work, out, *rest)
    if many:
        batch_of_kernels(module, list(first.arguments.values()), then.total * then.width)
    return module.text()


def batch_of_kernels(module: Module, sizes: list[int], total: int) -> None:
    with module.function("batch", BATCH) as (b, (inputs, out, first, last)):
        *arrays, work = argument_pointers(b, inputs, len(sizes) + 1)
        one = b.room(POINTER, len(sizes) + 1)
        with b.for_range(first, last) as loop:
            to = b.at(out, b.mul(loop.index, total))
            rows = rows_of_state(b, arrays, sizes, loop.index)
            for i, pointer in enumerate([*rows, work]):
                b.store(pointer, b.at(one, i, POINTER))
            b.call("@kernel", one, to)


def _batch(module: Module, layout: Layout, together: int) -> None:
    sizes = list(layout.arguments.values())
    total = layout.total * max(layout.width, 1)
    with module.function("batch", BATCH) as (b, (inputs, out, first, last)):
        *arrays, work = argument_pointers(b, inputs, len(sizes) + 1)
        one, start = b.room(POINTER, len(sizes) + 1), first
        if together > 1:
            with b.for_range(first, b.sub(last, together - 1), together) as loop:
                to = b.at(out, b.mul(loop.index, total))
                rows = rows_of_state(b, arrays, sizes, loop.index)
                _call(b, together, rows, to, [work, whole(0)])
            start = loop.stopped
        with b.for_range(start, last) as rest:
            to = b.at(out, b.mul(rest.index, total))
            rows = rows_of_state(b, arrays, sizes, rest.index)
            if layout.columns is None:
                _call(b, 1, rows, to, [work, whole(0)])
            else:
                for i, pointer in enumerate([*rows, work]):
                    b.store(pointer, b.at(one, i, POINTER))
                b.call("@kernel", one, to)
