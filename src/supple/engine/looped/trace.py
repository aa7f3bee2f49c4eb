"""A quantity of a robot as loops over its links."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...robot import Link, Robot
from ...screws.dual import Dual
from ...types import Array, Scalar
from ..graph import Expression
from .code import Frame
from .kinds import Columns, Kind, pattern_links, sort_links, with_constants
from .plan import Result, make_plan
from .walk import Loops, PlacedGraph, Source


@dataclass(frozen=True)
class Wish:
    """What is to be made into loops."""

    run: Callable[..., Any]  # (robot, *arrays) -> result(s)
    arguments: tuple[str, ...]  # "q" is a configuration, the others are rates or forces
    results: tuple[str, ...]
    vector: bool  # whether the result has an entry for every rate
    wrt: tuple[str, ...] = ()  # not empty: the Jacobian with respect to these
    alone: frozenset[int] = frozenset()  # links that must be a kind of their own


def loops(robot: Robot, wish: Wish) -> tuple[Frame, dict[str, tuple[int, ...]]]:
    """The frame for the assembly, and the shapes of the results."""
    kinds = sort_links(robot, wish.alone)
    graph = PlacedGraph()
    links = pattern_links(robot, kinds)
    walk = Loops(links, kinds, graph, dual=bool(wish.wrt))
    tables = [Columns.of([robot.links[i] for i in kind.members]) for kind in kinds]
    pattern = _pattern(robot, walk, links, tables)
    given = [_symbols(walk, pattern, name, name in wish.wrt) for name in wish.arguments]
    values = wish.run(pattern, *given)
    values = values if len(wish.results) > 1 else (values,)
    results, shapes, total = _results(walk, robot, pattern, wish, values)
    sizes = {name: robot.nq if name == "q" else robot.nv for name in wish.arguments}
    columns, width = {}, 0
    for name in wish.wrt:
        columns[name] = width
        width += sizes[name]
    frame = Frame(
        plan=make_plan(walk, results, {}),
        arguments=sizes,
        total=total,
        index=index_rows(robot, kinds),
        table=_table(robot, kinds, tables),
        changing=(0, 0),
        columns=columns if wish.wrt else None,
        width=width,
    )
    return frame, shapes


def _pattern(robot: Robot, walk: Loops, links: tuple[Link, ...], tables: list[Columns]) -> Robot:
    """The robot of one link a kind, its differing constants symbols."""
    named = []
    for k, table in enumerate(tables):
        symbols = {c: walk.symbol(Source("table", k, place=c)) for c in range(len(table.table))}
        named.append(with_constants(links[k], table.values(symbols)))
    out = replace(robot, links=(*named, *links[len(tables) :]))
    out.__dict__["parents"] = walk  # in place of the tuple of parents
    return out


def _symbols(walk: Loops, pattern: Robot, name: str, seeded: bool) -> Array:
    """An argument: symbols for every coordinate of the pattern."""
    out: list[Scalar] = []
    ups = iter(pattern.links[len(walk.kinds) :])
    owners = [(link, k, "own") for k, link in enumerate(pattern.links[: len(walk.kinds)])]
    owners += [(next(ups), k, "parent") for k, kind in enumerate(walk.kinds) if kind.parents]
    for link, k, whose in owners:
        joint = link.joint.nq if name == "q" else link.joint.nv
        for place in range(joint + link.body.m):
            x: Scalar = walk.symbol(Source("argument", k, whose, name, place))
            if seeded:
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
    if not wish.wrt:
        return x
    return x.b if isinstance(x, Dual) else 0.0


def index_rows(robot: Robot, kinds: list[Kind]) -> list[list[int]]:
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
        rows.append([kind[i], *place, *above, 0, *children[i], *[0] * (most - len(children[i]))])
    return rows


def _table(robot: Robot, kinds: list[Kind], tables: list[Columns]) -> list[list[float]]:
    wide = max((len(t.table) for t in tables), default=0)
    rows = [[0.0] * wide for _ in robot.links]
    for kind, table in zip(kinds, tables, strict=True):
        for c, column in enumerate(table.table):
            for i, value in zip(kind.members, column, strict=True):
                if not isinstance(value, Expression):
                    rows[i][c] = float(value)
    return rows
