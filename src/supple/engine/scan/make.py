"""A quantity of a robot as a scan: all its pieces, in order."""

from __future__ import annotations

import numpy as np

from ...robot import Link, Robot
from ...screws.dual import Dual
from ...types import Array, Scalar
from .climbs import climb_layouts, slope_results
from .layout import Layout
from .link_kinds import ConstantTable, LinkKind, is_changing, pattern_links, sort_links
from .pattern import VaryingConstants, argument_symbols, parameter_symbols, pattern_robot
from .plan import PlannedClimb, ScanResult, make_plan
from .recorder import Recorder, ScanGraph
from .task import RATES, Task

Shapes = dict[str, tuple[int, ...]]


def make_scan(task: Task) -> tuple[Layout, Shapes]:
    """The layout for the assembly, and the shapes of the results."""
    graph = ScanGraph()
    sources, given = parameter_symbols(graph, task)
    robot = task.robot(given)
    kinds = sort_links(robot, task.alone)
    record = Recorder(pattern_links(robot, kinds), kinds, graph, dual=task.levels(robot))
    record.sources |= sources
    tables = [ConstantTable.of([robot.links[i] for i in kind.members]) for kind in kinds]
    changing = VaryingConstants(kinds, tables)
    pattern = pattern_robot(robot, record, tables, changing)
    results, shapes, total = _results(record, robot, pattern, task, _run(task, record, pattern))
    columns, width = _columns(task, robot)
    climbs: list[PlannedClimb] = []
    if task.chained:
        results, climbs = slope_results(record, task, results)
    plan = make_plan(record, results, changing.columns, climbs)
    index = index_rows(robot, kinds, changing.row)
    layout = Layout(
        plan=plan,
        arguments=task.sizes(robot),
        total=total,
        index=index,
        table=_table(robot, kinds, tables),
        changing=(len(changing.row), len(changing.columns)),
        loose=task.loose,
        spaced=task.spaced,
        columns=columns if task.columns else None,
        width=width,
        chained=task.chained,
        climbs=climb_layouts(plan, robot, kinds, index, columns, width),
        scattered=task.chained and not _is_chain(robot, task),
    )
    return layout, shapes


def _is_chain(robot: Robot, task: Task) -> bool:
    """Every link lies on the way of all links after it."""
    return task.vector and all(link.parent == i - 1 for i, link in enumerate(robot.links))


def _run(task: Task, record: Recorder, pattern: Robot) -> tuple[Array, ...]:
    """The recursion on the pattern robot, recorded."""
    names = (*task.arguments, *task.hidden)
    values = task.run(pattern, *[argument_symbols(record, pattern, task, x) for x in names])
    if not record.directions:  # it took no step: what was given is handed on
        record.each(lambda k: None)
    return values if isinstance(values, tuple) else (values,)


def _columns(task: Task, robot: Robot) -> tuple[dict[str, int], int]:
    """Where the columns of each argument begin, and how many there are."""
    sizes = {**task.sizes(robot), RATES: robot.nv}
    columns, width = {}, 0
    for name in (RATES if task.tangent and x == "q" else x for x in task.columns):
        columns[name] = width
        width += sizes.get(name, robot.nv)
    return columns, width


def _results(
    record: Recorder, robot: Robot, pattern: Robot, task: Task, values: tuple[Array, ...]
) -> tuple[list[ScanResult], Shapes, int]:
    """Where every result goes. A Jacobian keeps the dual parts."""
    if task.vector:
        links = pattern.links[: len(record.kinds)]
        return _by_links(task, links, values[0]), {task.results[0]: (robot.nv,)}, robot.nv
    target = min(task.alone, default=-1)
    kind = next((k for k, x in enumerate(record.kinds) if target in x.members), -1)
    arrays = [np.asarray(value, dtype=object) for value in values]
    flat = [x for array in arrays for x in array.ravel()]
    out = [ScanResult(_kept(x, task), kind, place, fixed=True) for place, x in enumerate(flat)]
    shapes = {name: x.shape for name, x in zip(task.results, arrays, strict=True)}
    return out, shapes, len(flat)


def _by_links(task: Task, links: tuple[Link, ...], value: Array) -> list[ScanResult]:
    """An entry for every rate: each link writes its own."""
    out = []
    for k, link in enumerate(links):
        places = [*range(link.u.start, link.u.stop), *range(link.e.start, link.e.stop)]
        for place, at in enumerate(places):
            out.append(ScanResult(_kept(value[at], task), k, place, fixed=False))
    return out


def _kept(x: Scalar, task: Task) -> Scalar:
    if not (task.columns or task.along) or task.chained:
        return x
    return x.b if isinstance(x, Dual) else 0.0


def index_rows(robot: Robot, kinds: list[LinkKind], changing: dict[int, int]) -> list[list[int]]:
    """For each link: kind, start of its block in q and in v, parent, starts of the parent's
    blocks, row in the table of changing constants, children."""
    kind = {i: k for k, x in enumerate(kinds) for i in x.members}
    children: list[list[int]] = [[] for _ in robot.links]
    for i, link in enumerate(robot.links):
        if link.parent >= 0:
            children[link.parent].append(i)
    most = max((len(c) for c in children), default=0)
    rows = []
    for i, link in enumerate(robot.links):
        up = robot.links[link.parent] if link.parent >= 0 else None
        place = [link.q.start, link.u.start]
        above = [link.parent, up.q.start, up.u.start] if up is not None else [0, 0, 0]
        rest = [0] * (most - len(children[i]))
        rows.append([kind[i], *place, *above, changing.get(i, 0), *children[i], *rest])
    return rows


def _table(robot: Robot, kinds: list[LinkKind], tables: list[ConstantTable]) -> list[list[float]]:
    wide = max((len(t.table) for t in tables), default=0)
    rows = [[0.0] * wide for _ in robot.links]
    for kind, table in zip(kinds, tables, strict=True):
        for c, column in enumerate(table.table):
            for i, value in zip(kind.members, column, strict=True):
                if not is_changing(value):
                    rows[i][c] = float(value)
    return rows
