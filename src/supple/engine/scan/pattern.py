"""The robot of one link a kind: what the recursion is run on to be recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...robot import Link, Robot
from ...screws.dual import Dual
from ...types import Array, Scalar
from ..quantities import PARAMETERS
from ..robot_constants import with_link_constants
from .flatten import Levels, flatten
from .link_kinds import ConstantTable, LinkKind, is_changing
from .recorder import Recorder, ScanGraph, Source
from .task import RATES, Task


def parameter_symbols(graph: ScanGraph, task: Task) -> tuple[dict[int, Source], Array]:
    """Symbols for the parameters, with their seeds if they are differentiated."""
    return loose_symbols(graph, task, PARAMETERS, task.parameters)


def loose_symbols(
    graph: ScanGraph, task: Task, name: str, count: int
) -> tuple[dict[int, Source], Array]:
    """Symbols for numbers that belong to no link, with their seeds if they are differentiated."""
    sources: dict[int, Source] = {}
    out = np.empty(count, dtype=object)
    for i in range(count):
        x: Scalar = graph.input(f"{name}[{i}]")
        sources[x.number] = Source("parameter", name=name, place=i)
        if name in (*task.wrt, *task.along):
            seed = graph.input(f"d{name}[{i}]")
            sources[seed.number] = (
                Source("seed", name=name, place=i)
                if name in task.wrt
                else Source("parameter", name=f"d{name}", place=i)
            )
            x = Dual(x, seed)
        out[i] = x
    return sources, out


class VaryingConstants:
    """Constants that follow the parameters, in kinds of several links: a table of their own.

    `columns` holds column -> {row: value}, `row` link -> row, `place` (kind, column of the
    kind's table) -> its one or two (value, derivative) columns here.
    """

    def __init__(self, kinds: list[LinkKind], tables: list[ConstantTable]) -> None:
        self.columns: dict[int, dict[int, Scalar]] = {}
        self.row: dict[int, int] = {}
        self.place: dict[tuple[int, int], tuple[int, ...]] = {}
        for k, (kind, table) in enumerate(zip(kinds, tables, strict=True)):
            if len(kind.members) > 1:
                self._add(k, kind, table)

    def _add(self, k: int, kind: LinkKind, table: ConstantTable) -> None:
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


def pattern_robot(
    robot: Robot, record: Recorder, tables: list[ConstantTable], changing: VaryingConstants
) -> Robot:
    """The robot of one link a kind, its differing constants symbols."""
    named, links = [], record.links
    for k, table in enumerate(tables):
        symbols: dict[int, Scalar] = {}
        for c, column in enumerate(table.table):
            if (k, c) in changing.place:
                pair = [record.symbol(Source("changing", k, place=p)) for p in changing.place[k, c]]
                symbols[c] = pair[0] if len(pair) == 1 else Dual(*pair)
            elif is_changing(column[0]):
                symbols[c] = column[0]
            else:
                symbols[c] = record.symbol(Source("table", k, place=c))
        named.append(with_link_constants(links[k], table.values(symbols)))
    out = replace(robot, links=(*named, *links[len(tables) :]))
    out.__dict__["parents"] = record  # in place of the tuple of parents
    return out


def argument_symbols(record: Recorder, pattern: Robot, task: Task, name: str) -> Array:
    """An argument: symbols for every coordinate of the pattern, or the numbers of a wrench."""
    if name in task.wrenches:
        sources, wrench = loose_symbols(record.graph, task, name, 6)
        record.sources |= sources
        return wrench
    out: list[Scalar] = []
    ups = iter(pattern.links[len(record.kinds) :])
    owners = [(link, k, "own") for k, link in enumerate(pattern.links[: len(record.kinds)])]
    owners += [(next(ups), k, "parent") for k, kind in enumerate(record.kinds) if kind.parents]
    for link, k, whose in owners:
        count = (link.joint.nq if name == "q" else link.joint.nv) + link.body.m
        x: list[Scalar] = [0.0] * count
        if name != task.linear or task.chained:
            x = [record.symbol(Source("argument", k, whose, name, i)) for i in range(count)]
        if name in task.along or (name in task.columns and not task.chained):

            def read(what: str, word: str, i: int, k: int = k, whose: str = whose) -> Scalar:
                return record.symbol(Source(what, k, whose, word, i))

            moved = _moved(task, link, name, x, read)
            x = [Dual(a, b) for a, b in zip(x, moved, strict=True)]
        out += x
    return _array(out)


def _moved(
    task: Task, link: Link, name: str, x: list[Scalar], read: Callable[[str, str, int], Scalar]
) -> list[Scalar]:
    """How a link's numbers of an argument move: by a column's seeds, along a direction."""
    along = name in task.along
    if not (task.tangent and name == "q"):
        word = f"d{name}" if along else name
        return [read("argument" if along else "seed", word, i) for i in range(len(x))]
    nq, nv = link.joint.nq, link.joint.nv
    u = [
        read("argument", "dq", i) if along else read("seed", RATES, i)
        for i in range(nv + link.body.m)
    ]
    return [*link.joint.rates(_array(x[:nq]), _array(u[:nv])), *u[nv:]]


def _array(values: list[Scalar]) -> Array:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
