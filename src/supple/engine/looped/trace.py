"""A quantity of a robot as loops over its links."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...robot import Link, Robot
from ...screws.dual import Dual, Elastic
from ...types import Array, Scalar
from ..constants import with_constants
from .code import Frame
from .kinds import Columns, Kind, is_changing, pattern_links, sort_links
from .leaves import Levels, flatten
from .plan import Result, make_plan
from .walk import Loops, PlacedGraph, Source

PARAMETERS = "parameters"


@dataclass(frozen=True)
class Wish:
    """What is to be made into loops."""

    run: Callable[..., Any]  # (robot, *arrays) -> result(s)
    robot: Callable[[Array], Robot]  # of its parameters (of none, where there are none)
    arguments: tuple[str, ...]  # "q" is a configuration, the others are rates or forces
    results: tuple[str, ...]
    vector: bool  # whether the result has an entry for every rate
    parameters: int = 0  # how many; they make one more argument, the last
    wrt: tuple[str, ...] = ()  # not empty: the Jacobian with respect to these
    linear: str = ""  # or: how the result follows this further argument, from zero
    alone: frozenset[int] = frozenset()  # links that must be a kind of their own

    @property
    def hidden(self) -> tuple[str, ...]:
        return (self.linear,) if self.linear else ()

    @property
    def columns(self) -> tuple[str, ...]:
        """What the columns of the result run over, if it has columns."""
        return self.wrt or self.hidden


def loops(wish: Wish) -> tuple[Frame, dict[str, tuple[int, ...]]]:
    """The frame for the assembly, and the shapes of the results."""
    graph = PlacedGraph()
    sources, given = _parameters(graph, wish)
    robot = wish.robot(given)
    kinds = sort_links(robot, wish.alone)
    links = pattern_links(robot, kinds)
    walk = Loops(links, kinds, graph, dual=_levels(robot, wish))
    walk.sources |= sources
    tables = [Columns.of([robot.links[i] for i in kind.members]) for kind in kinds]
    changing = Changing(robot, kinds, tables)
    pattern = _pattern(robot, walk, links, tables, changing)
    arrays = [_symbols(walk, pattern, wish, name) for name in (*wish.arguments, *wish.hidden)]
    values = wish.run(pattern, *arrays)
    values = values if len(wish.results) > 1 else (values,)
    results, shapes, total = _results(walk, robot, pattern, wish, values)
    sizes = {name: robot.nq if name == "q" else robot.nv for name in wish.arguments}
    if wish.parameters:
        sizes[PARAMETERS] = wish.parameters
    columns, width = {}, 0
    for name in wish.columns:
        columns[name] = width
        width += sizes.get(name, robot.nv)
    frame = Frame(
        plan=make_plan(walk, results, changing.columns),
        arguments=sizes,
        total=total,
        index=index_rows(robot, kinds, changing.row),
        table=_table(robot, kinds, tables),
        changing=(len(changing.row), len(changing.columns)),
        parameters=PARAMETERS if wish.parameters else "",
        columns=columns if wish.columns else None,
        width=width,
    )
    return frame, shapes


def _levels(robot: Robot, wish: Wish) -> Levels:
    """What the recursion runs on: linearised, differentiated, both, or neither."""
    linear = (Elastic,) if robot.elastic_kinematics == "linearized" else ()
    return (*linear, Dual) if wish.columns else linear


def _parameters(graph: PlacedGraph, wish: Wish) -> tuple[dict[int, Source], Array]:
    """Symbols for the parameters, with their seeds if they are differentiated."""
    sources: dict[int, Source] = {}
    out = np.empty(wish.parameters, dtype=object)
    for i in range(wish.parameters):
        x: Scalar = graph.input(f"{PARAMETERS}[{i}]")
        sources[x.number] = Source("parameter", place=i)
        if PARAMETERS in wish.wrt:
            seed = graph.input(f"d{PARAMETERS}[{i}]")
            sources[seed.number] = Source("seed", name=PARAMETERS, place=i)
            x = Dual(x, seed)
        out[i] = x
    return sources, out


class Changing:
    """Constants that follow the parameters, in kinds of several links: a table of their own.

    `columns` holds column -> {row: value}, `row` link -> row, `place` (kind, column of the
    kind's table) -> its one or two (value, derivative) columns here.
    """

    def __init__(self, robot: Robot, kinds: list[Kind], tables: list[Columns]) -> None:
        self.columns: dict[int, dict[int, Scalar]] = {}
        self.row: dict[int, int] = {}
        self.place: dict[tuple[int, int], tuple[int, ...]] = {}
        for k, (kind, table) in enumerate(zip(kinds, tables, strict=True)):
            if len(kind.members) > 1:
                self._add(k, kind, table)

    def _add(self, k: int, kind: Kind, table: Columns) -> None:
        used = 0
        for c, column in enumerate(table.table):
            if not is_changing(column[0]):
                continue
            levels: Levels = (Dual,) if isinstance(column[0], Dual) else ()
            parts = [flatten(x, levels)[1] for x in column]
            self.place[k, c] = tuple(range(used, used + len(parts[0])))
            used += len(parts[0])
            for i, values in zip(kind.members, parts, strict=True):
                row = self.row.setdefault(i, len(self.row))
                for at, value in zip(self.place[k, c], values, strict=True):
                    self.columns.setdefault(at, {})[row] = value


def _pattern(
    robot: Robot,
    walk: Loops,
    links: tuple[Link, ...],
    tables: list[Columns],
    changing: Changing,
) -> Robot:
    """The robot of one link a kind, its differing constants symbols."""
    named = []
    for k, table in enumerate(tables):
        symbols: dict[int, Scalar] = {}
        for c, column in enumerate(table.table):
            if (k, c) in changing.place:
                pair = [walk.symbol(Source("changing", k, place=p)) for p in changing.place[k, c]]
                symbols[c] = pair[0] if len(pair) == 1 else Dual(*pair)
            elif is_changing(column[0]):
                symbols[c] = column[0]
            else:
                symbols[c] = walk.symbol(Source("table", k, place=c))
        named.append(with_constants(links[k], table.values(symbols)))
    out = replace(robot, links=(*named, *links[len(tables) :]))
    out.__dict__["parents"] = walk  # in place of the tuple of parents
    return out


def _symbols(walk: Loops, pattern: Robot, wish: Wish, name: str) -> Array:
    """An argument: symbols for every coordinate of the pattern."""
    out: list[Scalar] = []
    ups = iter(pattern.links[len(walk.kinds) :])
    owners = [(link, k, "own") for k, link in enumerate(pattern.links[: len(walk.kinds)])]
    owners += [(next(ups), k, "parent") for k, kind in enumerate(walk.kinds) if kind.parents]
    for link, k, whose in owners:
        joint = link.joint.nq if name == "q" else link.joint.nv
        for place in range(joint + link.body.m):
            x: Scalar = 0.0
            if name != wish.linear:
                x = walk.symbol(Source("argument", k, whose, name, place))
            if name in wish.columns:
                x = Dual(x, walk.symbol(Source("seed", k, whose, name, place)))
            out.append(x)
    array = np.empty(len(out), dtype=object)
    array[:] = out
    return array


def _results(
    walk: Loops, robot: Robot, pattern: Robot, wish: Wish, values: tuple[Any, ...]
) -> tuple[list[Result], dict[str, tuple[int, ...]], int]:
    """Where every result goes. A Jacobian keeps the dual parts."""
    out: list[Result] = []
    if wish.vector:
        (value,) = values
        for k, link in enumerate(pattern.links[: len(walk.kinds)]):
            places = [*range(link.u.start, link.u.stop), *range(link.e.start, link.e.stop)]
            for place, at in enumerate(places):
                out.append(Result(_kept(value[at], wish), k, place, fixed=False))
        return out, {wish.results[0]: (robot.nv,)}, robot.nv
    shapes, total = {}, 0
    target = min(wish.alone, default=-1)
    kind = next((k for k, x in enumerate(walk.kinds) if target in x.members), -1)
    for name, value in zip(wish.results, values, strict=True):
        array = np.asarray(value, dtype=object)
        shapes[name] = array.shape
        for x in array.ravel():
            out.append(Result(_kept(x, wish), kind, total, fixed=True))
            total += 1
    return out, shapes, total


def _kept(x: Scalar, wish: Wish) -> Scalar:
    if not wish.columns:
        return x
    return x.b if isinstance(x, Dual) else 0.0


def index_rows(robot: Robot, kinds: list[Kind], changing: dict[int, int]) -> list[list[int]]:
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


def _table(robot: Robot, kinds: list[Kind], tables: list[Columns]) -> list[list[float]]:
    wide = max((len(t.table) for t in tables), default=0)
    rows = [[0.0] * wide for _ in robot.links]
    for kind, table in zip(kinds, tables, strict=True):
        for c, column in enumerate(table.table):
            for i, value in zip(kind.members, column, strict=True):
                if not is_changing(value):
                    rows[i][c] = float(value)
    return rows
