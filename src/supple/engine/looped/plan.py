"""From a graph over kinds of links to blocks of code: what runs in which loop, what is kept in
memory between them, and where everything is read and written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...types import Scalar
from ..graph import Expression, Key
from ..program import Output, Program
from .walk import Loops, Source

BEFORE, AFTER = -1, -2  # owners of nodes that belong to no kind of link


@dataclass(frozen=True)
class Address:
    """A place in memory. area: "argument", "seed" (name, whose), "table", "changing" (column),
    "work" (whose), "sum", "out" (in the link's block), "result" (anywhere)."""

    area: str
    place: int
    name: str = ""
    whose: str | int = "own"


@dataclass(frozen=True)
class Block:
    """A straight-line program with the places of its inputs and outputs."""

    program: Program
    loads: tuple[Address, ...]
    stores: tuple[Address, ...]


@dataclass(frozen=True)
class Result:
    """A result: written by links of a kind into their own block (kind >= 0, fixed False), or
    to one place."""

    value: Scalar
    kind: int
    place: int
    fixed: bool


@dataclass(frozen=True)
class Plan:
    """Loops in order; in each, a block for every kind that has something to do there."""

    directions: tuple[str, ...]
    blocks: dict[tuple[int, int], Block]
    before: Block
    after: Block
    stride: int  # doubles of work space a link
    sums: int


def make_plan(walk: Loops, results: Sequence[Result], changing: dict[int, Any]) -> Plan:
    return _Planner(walk, results, changing).plan()


class _Planner:
    def __init__(self, walk: Loops, results: Sequence[Result], changing: dict[int, Any]) -> None:
        self.walk, self.results, self.changing = walk, results, changing
        self.keys: list[Key] = walk.graph.keys
        self.last = max(len(walk.directions) - 1, 0)
        self.owner = self._owners()
        self.done: dict[tuple[int, int], set[int]] = {}  # (loop, owner): nodes computed there
        self.read: dict[tuple[int, int], set[int]] = {}  # nodes read there
        self.write: dict[tuple[int, int], list[tuple[Address, Scalar]]] = {}
        self.saved: dict[int, set[int]] = {}  # by kind
        self.slot_at: dict[tuple[Any, int], int] = {}
        self.summed: set[tuple[int, int]] = set()

    def plan(self) -> Plan:
        for result in self.results:
            self._put_result(result)
        for column, values in self.changing.items():
            for row, value in values.items():
                self._put(0, BEFORE, Address("changing", column, whose=row), value)
        places = self._save_places()
        return Plan(
            tuple(self.walk.directions),
            {at: self._block(at, places) for at in sorted(self._used()) if at[1] >= 0},
            self._block((0, BEFORE), places),
            self._block((0, AFTER), places),
            self.stride,
            len(self.walk.sums),
        )

    def _owners(self) -> list[int]:
        out: list[int] = []
        for n, (op, a, b) in enumerate(self.keys):
            if op == "const":
                out.append(BEFORE)
            elif op == "input":
                out.append(self._source_owner(self.walk.sources.get(n)))
            else:
                x = out[int(a)]
                y = out[b] if b >= 0 else BEFORE
                out.append(y if x == BEFORE else x if y == BEFORE else max(x, y))
        return out

    def _source_owner(self, source: Source | None) -> int:
        if source is None or source.what == "parameter":
            return BEFORE
        return AFTER if source.what == "sum" else source.kind

    def _put_result(self, result: Result) -> None:
        area = "result" if result.fixed else "out"
        owner = result.kind
        if owner < 0:
            owner = AFTER if self._is(result.value, AFTER) else BEFORE
        self._put(self._loop_of(result.value), owner, Address(area, result.place), result.value)

    def _is(self, value: Scalar, owner: int) -> bool:
        return isinstance(value, Expression) and self.owner[value.number] == owner

    def _loop_of(self, value: Scalar) -> int:
        if not isinstance(value, Expression) or self.keys[value.number][0] in ("const", "input"):
            return self.last
        return self.walk.graph.home[value.number]

    def _put(self, loop: int, owner: int, address: Address, value: Scalar) -> None:
        at = (loop if owner >= 0 else 0, owner)
        self.write.setdefault(at, []).append((address, value))
        if isinstance(value, Expression):
            self._want(value.number, at)

    def _want(self, number: int, at: tuple[int, int]) -> None:
        """Node `number` is needed in the block `at`, and all that it needs."""
        stack = [(number, at)]
        while stack:
            n, at = stack.pop()
            loop, owner = at
            done, read = self.done.setdefault(at, set()), self.read.setdefault(at, set())
            if n in done or n in read:
                continue
            op, a, b = self.keys[n]
            if op == "const":
                done.add(n)
            elif self.owner[n] == BEFORE and owner != BEFORE:
                read.add(n)  # computed before the loops
                stack.append((n, (0, BEFORE)))
            elif op == "input":
                read.add(n)
                self._feed(self.walk.sources[n])
            elif op != "neg" and owner >= 0 and self.walk.graph.home[n] != loop:
                read.add(n)
                home = (self.walk.graph.home[n], owner)
                self.saved.setdefault(owner, set()).add(n)
                stack.append((n, home))
            else:
                done.add(n)
                stack += [(int(a), at)] + ([(b, at)] if b >= 0 else [])

    def _feed(self, source: Source) -> None:
        """Make sure that what is read there is written."""
        if source.what == "slot":
            self._feed_slot(source)
        elif source.what == "sum":
            number = self.walk.symbol(source).number
            for kind, value in self.walk.sums[number].items():
                if (kind, number) not in self.summed:
                    self.summed.add((kind, number))
                    self._put(self._loop_of(value), kind, Address("sum", source.place), value)
        elif source.what == "none":
            raise AssertionError("a loop reads what its parent has not got")

    def _feed_slot(self, source: Source) -> None:
        key = (source.name, source.place)
        if key in self.slot_at:
            return
        place = self.slot_at[key] = len(self.slot_at)
        sweep, _ = source.name
        for kind, values in self.walk.slots[source.name].parts.items():
            value = values[source.place]
            self._put(self.walk.loop_of_sweep[sweep], kind, Address("work", place), value)

    def _used(self) -> set[tuple[int, int]]:
        return {at for at, nodes in self.done.items() if nodes} | set(self.write)

    def _save_places(self) -> dict[tuple[int, int], int]:
        """Where each kind keeps what later loops need: after all slots."""
        slots = len(self.slot_at)
        places = {
            (kind, n): slots + i
            for kind, nodes in self.saved.items()
            for i, n in enumerate(sorted(nodes))
        }
        self.stride = max([slots, *[p + 1 for p in places.values()]])
        return places

    def _block(self, at: tuple[int, int], places: dict[tuple[int, int], int]) -> Block:
        loop, owner = at
        ops: list[Key] = []
        number: dict[int, int] = {}
        loads: list[Address] = []
        done, read = self.done.get(at, set()), self.read.get(at, set())
        for n in sorted(done | read):
            op, a, b = self.keys[n]
            number[n] = len(ops)
            if n in read:
                ops.append(("input", len(loads), 0))
                loads.append(self._address(n, owner, places))
            elif op == "const":
                ops.append((op, a, b))
            else:
                ops.append((op, number[int(a)], number[b] if b >= 0 else -1))
        stores = list(self.write.get(at, ()))
        for n in sorted(self.saved.get(owner, ())):
            if self.walk.graph.home[n] == loop:
                stores.append((Address("work", places[owner, n]), Expression(self.walk.graph, n)))
        if owner == BEFORE:
            stores += [
                (Address("shared", n), Expression(self.walk.graph, n))
                for n in sorted(self._shared())
            ]
        ends: list[Output] = [
            number[v.number] if isinstance(v, Expression) else float(v) for _, v in stores
        ]
        program = Program(tuple(ops), tuple(ends), (1,) * len(loads))
        return Block(program, tuple(loads), tuple(address for address, _ in stores))

    def _shared(self) -> set[int]:
        """Nodes computed before the loops and read inside them."""
        return {
            n
            for at, nodes in self.read.items()
            if at[1] != BEFORE
            for n in nodes
            if self.owner[n] == BEFORE
        }

    def _address(self, n: int, owner: int, places: dict[tuple[int, int], int]) -> Address:
        if self.owner[n] == BEFORE and owner != BEFORE:
            return Address("shared", n)
        if self.keys[n][0] != "input":
            return Address("work", places[owner, n])
        source = self.walk.sources[n]
        if source.what == "slot":
            return Address("work", self.slot_at[source.name, source.place], whose=source.whose)
        if source.what in ("argument", "seed"):
            return Address(source.what, source.place, source.name, source.whose)
        area = {"table": "table", "changing": "changing", "sum": "sum", "parameter": "parameter"}
        return Address(area[source.what], source.place, str(source.name or ""))
