"""The climbs of a Jacobian (`chain_rule`): their results, and their items in order."""

from __future__ import annotations

from collections.abc import Sequence

from ...robot import Robot
from ...types import Scalar
from .chain_rule import Slopes, chain_rule
from .layout import START_Q, START_V, ClimbLayout
from .link_kinds import LinkKind
from .plan import Address, Cell, Plan, PlannedClimb, ScanResult
from .recorder import Recorder
from .task import Task


def slope_results(
    record: Recorder, task: Task, results: list[ScanResult]
) -> tuple[list[ScanResult], list[PlannedClimb]]:
    """In place of the results their slopes: blocks on the diagonal, and what climbs."""
    values: list[list[Scalar]] = [[] for _ in record.kinds]
    for result in results:
        values[result.kind].append(result.value)
    fixed = not task.vector
    slopes = chain_rule(record, task.columns, values, task.symmetric)
    names = {k: _names(record, task, k) for k in range(len(record.kinds))}
    blocks = [
        ScanResult(x, k, 0, fixed, Address("fixed" if fixed else "block", row, *names[k][c]))
        for k, block in slopes.blocks.items()
        for row, line in enumerate(block)
        for c, x in enumerate(line)
    ]
    return blocks, _planned(slopes, names, task)


def _names(record: Recorder, task: Task, kind: int) -> list[tuple[str, int]]:
    """(argument, place) of each column of a link."""
    return [
        (source.name, source.place)
        for name in task.columns
        for source in record.arguments(kind, "own", name)
    ]


def _planned(
    slopes: Slopes, names: dict[int, list[tuple[str, int]]], task: Task
) -> list[PlannedClimb]:
    out = []
    for name, climb in slopes.columns.items():
        cells = {
            k: [Cell(x, "", place) for place, x in enumerate(found)]
            for k, found in climb.cells.items()
        }
        out.append(PlannedClimb(climb, cells, columns=name, mirrored=task.symmetric))
    if slopes.rows is not None:
        cells = {
            k: [Cell(x, *at) for x, at in zip(found, names[k], strict=True)]
            for k, found in slopes.rows.cells.items()
        }
        out.append(PlannedClimb(slopes.rows, cells, fixed=not task.vector))
    return out


def climb_layouts(
    plan: Plan,
    robot: Robot,
    kinds: list[LinkKind],
    index: list[list[int]],
    columns: dict[str, int],
    width: int,
) -> tuple[ClimbLayout, ...]:
    """Where every climb has its items; their places are added to the links' rows of the index."""
    out = []
    kind = {i: k for k, x in enumerate(kinds) for i in x.members}
    for planned in plan.climbs:
        counts = [planned.items[kind[i]] for i in range(len(index))]
        own, begin, end = _ranges(robot, counts)
        lines = [0] * sum(counts)
        for i, row in enumerate(index):
            for item in range(counts[i]):
                lines[own[i] + item] = _line(planned, row, item, columns, width)
        at = len(index[0])
        for i, row in enumerate(index):
            row += [own[i], begin[i], end[i]]
        out.append(ClimbLayout(planned, own, begin, end, lines, at))
    return tuple(out)


def _line(
    planned: PlannedClimb, row: Sequence[int], item: int, columns: dict[str, int], width: int
) -> int:
    """An item's column of the result, or the start of its row."""
    if planned.columns:
        start = row[START_Q if planned.columns == "q" else START_V]
        return columns[planned.columns] + start + item
    return (item if planned.fixed else row[START_V] + item) * width


def _ranges(robot: Robot, counts: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Items in the order of a walk that ends a branch before it takes the next."""
    children: list[list[int]] = [[] for _ in robot.links]
    roots: list[int] = []
    for i, link in enumerate(robot.links):
        (children[link.parent] if link.parent >= 0 else roots).append(i)
    own, end = [0] * len(counts), [0] * len(counts)
    place, stack = 0, [(i, False) for i in reversed(roots)]
    while stack:
        i, left = stack.pop()
        if left:
            end[i] = place
            continue
        own[i], place = place, place + counts[i]
        stack.append((i, True))
        stack += [(c, False) for c in reversed(children[i])]
    return own, [a + n for a, n in zip(own, counts, strict=True)], end
