"""From a graph over kinds of links to blocks of code: what runs in which scan, what is kept in
memory between them, and where everything is read and written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...tracer import Expression, Program
from ...tracer.operations import LEAVES, OPERATIONS, Key, operands, renumbered
from ...tracer.program import Output
from ...types import Scalar
from .recorder import Climb, Recorder, Slot, Source

BEFORE, AFTER = -1, -2  # owners of nodes that belong to no kind of link


@dataclass(frozen=True)
class Address:
    """A place in memory. area: "argument", "seed" (name, whose), "table", "changing" (column),
    "work" (whose), "sum", "out" (in the link's block), "result" (anywhere); "block" (row of the
    link's block; argument `name` and number `whose` of the column), "fixed" (the same, row
    anywhere). Of climbs: "start" (place, climb `name`, item `whose`), "item" (place), "cell" (place
    in the link's coordinates of the argument `name`)."""

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
class ScanResult:
    """A result: written by links of a kind into their own block (kind >= 0, fixed False), or
    to one place."""

    value: Scalar
    kind: int
    place: int
    fixed: bool
    address: Address | None = None  # where, if it is neither


@dataclass(frozen=True)
class Cell:
    """A number of a Jacobian that a link writes at an item of a climb: its place in the link's
    coordinates of the argument `name` ("": of the rates)."""

    value: Scalar
    name: str
    place: int


@dataclass(frozen=True)
class PlannedClimb:
    """What climbs, and where it leaves its cells (by kind); in the plan also the numbers of an
    item. Items are coordinates of the argument `columns`, or (where that is "") results."""

    climb: Climb
    cells: dict[int, list[Cell]]
    columns: str = ""
    fixed: bool = False  # those results belong to no link
    mirrored: bool = False  # the cells stand on both sides of the diagonal
    height: int = 0

    @property
    def items(self) -> dict[int, int]:
        return self.climb.items


@dataclass(frozen=True)
class Plan:
    """Scans in order; in each, a block for every kind that has something to do there."""

    directions: tuple[str, ...]
    blocks: dict[tuple[int, int], Block]  # by (scan, kind)
    before: Block
    after: Block
    stride: int  # doubles of work space a link
    sums: int
    climbs: tuple[PlannedClimb, ...] = ()  # those scans that come last


VaryingValues = dict[int, dict[int, Scalar]]
"""Constants that follow the parameters: column -> {row: value}."""

At = tuple[int, int]
"""(scan, owner): where a block stands. The owner is a kind of link, BEFORE or AFTER."""


def make_plan(
    record: Recorder,
    results: Sequence[ScanResult],
    changing: VaryingValues,
    climbs: Sequence[PlannedClimb] = (),
) -> Plan:
    return _Planner(record, results, changing, climbs).plan()


class _Planner:
    def __init__(
        self,
        record: Recorder,
        results: Sequence[ScanResult],
        changing: VaryingValues,
        climbs: Sequence[PlannedClimb],
    ) -> None:
        self.record, self.results, self.changing = record, results, changing
        self.climbs = {x.climb.sweep: x for x in climbs}
        self.keys: list[Key] = record.graph.keys
        self.last = max(len(record.directions) - len(record.climbs) - 1, 0)
        self.item_at: dict[Slot, dict[int, int]] = {}
        self.owner = self._owners()
        self.wanted: list[tuple[int, At]] = []  # nodes, and the blocks that need them
        self.done: dict[At, set[int]] = {}  # nodes computed there
        self.read: dict[At, set[int]] = {}  # nodes read there
        self.write: dict[At, list[tuple[Address, Scalar]]] = {}
        self.saved: dict[int, set[int]] = {}  # by kind
        self.slot_at: dict[tuple[Slot, int], int] = {}
        self.summed: set[tuple[int, int]] = set()

    def plan(self) -> Plan:
        for result in self.results:
            self._put_result(result)
        for column, values in self.changing.items():
            for row, value in values.items():
                self._put(0, BEFORE, Address("changing", column, whose=row), value)
        for climb in self.climbs.values():
            self._put_cells(climb)
        self._fill()
        places = self._save_places()
        return Plan(
            tuple(self.record.directions),
            {at: self._block(at, places) for at in sorted(self._used()) if at[1] >= 0},
            self._block((0, BEFORE), places),
            self._block((0, AFTER), places),
            self.stride,
            len(self.record.sums),
            tuple(replace(x, height=self._height(x)) for x in self.climbs.values()),
        )

    def _put_cells(self, planned: PlannedClimb) -> None:
        scan = self.record.scan_of_sweep[planned.climb.sweep]
        for kind, cells in planned.cells.items():
            for cell in cells:
                self._put(scan, kind, Address("cell", cell.place, cell.name), cell.value)

    def _height(self, planned: PlannedClimb) -> int:
        """Numbers of an item, in the form that has the most."""
        sweep = planned.climb.sweep
        return max((len(at) for slot, at in self.item_at.items() if slot.sweep == sweep), default=0)

    def _owners(self) -> list[int]:
        out: list[int] = []
        for n, key in enumerate(self.keys):
            if key[0] == "input":
                out.append(self._source_owner(self.record.sources.get(n)))
            else:
                owners = [out[k] for k in operands(key) if out[k] != BEFORE]
                out.append(max(owners, default=BEFORE))
        return out

    def _source_owner(self, source: Source | None) -> int:
        if source is None or source.what == "parameter":
            return BEFORE
        return AFTER if source.what == "sum" else source.kind

    def _put_result(self, result: ScanResult) -> None:
        area = "result" if result.fixed else "out"
        owner = result.kind
        if owner < 0:
            owner = AFTER if self._is(result.value, AFTER) else BEFORE
        address = result.address or Address(area, result.place)
        self._put(self._scan_of(result.value), owner, address, result.value)

    def _is(self, value: Scalar, owner: int) -> bool:
        return isinstance(value, Expression) and self.owner[value.number] == owner

    def _scan_of(self, value: Scalar) -> int:
        if not isinstance(value, Expression) or self.keys[value.number][0] in LEAVES:
            return self.last
        return self.record.graph.home[value.number]

    def _put(self, scan: int, owner: int, address: Address, value: Scalar) -> None:
        at = (scan if owner >= 0 else 0, owner)
        self.write.setdefault(at, []).append((address, value))
        if isinstance(value, Expression):
            self.wanted.append((value.number, at))

    def _fill(self) -> None:
        """Put all that is wanted into its blocks, and all that it needs in turn."""
        stack = self.wanted
        while stack:
            n, at = stack.pop()
            scan, owner = at
            done, read = self.done.setdefault(at, set()), self.read.setdefault(at, set())
            if n in done or n in read:
                continue
            op = self.keys[n][0]
            if op == "const":
                done.add(n)
            elif self.owner[n] == BEFORE and owner != BEFORE:
                read.add(n)  # computed before the scans
                stack.append((n, (0, BEFORE)))
            elif op == "input":
                read.add(n)
                self._feed(self.record.sources[n])
            elif OPERATIONS[op].cost and owner >= 0 and self.record.graph.home[n] != scan:
                read.add(n)
                home = (self.record.graph.home[n], owner)
                self.saved.setdefault(owner, set()).add(n)
                stack.append((n, home))
            else:
                done.add(n)
                stack += [(k, at) for k in operands(self.keys[n])]

    def _feed(self, source: Source) -> None:
        """Make sure that what is read there is written."""
        if source.what == "slot":
            self._feed_slot(source)
        elif source.what == "item":
            self._feed_item(source)
        elif source.what == "sum":
            number = self.record.symbol(source).number
            for kind, value in self.record.sums[number].items():
                if (kind, number) not in self.summed:
                    self.summed.add((kind, number))
                    self._put(self._scan_of(value), kind, Address("sum", source.place), value)
        elif source.what == "none":
            raise AssertionError("a scan reads what its parent has not got")

    def _feed_slot(self, source: Source) -> None:
        slot = source.slot
        assert slot is not None
        if (slot, source.place) in self.slot_at:
            return
        place = self.slot_at[slot, source.place] = len(self.slot_at)
        scan = self.record.scan_of_sweep[slot.sweep]
        for kind, values in self.record.handed[slot].parts.items():
            assert isinstance(kind, int)
            self._put(scan, kind, Address("work", place), values[source.place])

    def _feed_item(self, source: Source) -> None:
        """A number of what climbs is written where it starts, and by all that it passes."""
        slot = source.slot
        assert slot is not None
        at = self.item_at.setdefault(slot, {})
        if source.place in at:
            return
        place = at[source.place] = len(at)
        climb = self.climbs[slot.sweep].climb
        scan, name = self.record.scan_of_sweep[slot.sweep], str([*self.climbs].index(slot.sweep))
        for (kind, item), (form, values) in climb.starts.items():
            if form == slot.form:
                address = Address("start", place, name, item)
                self._put(climb.home, kind, address, values[source.place])
        for kind, (form, values) in climb.carried.items():
            if form == slot.form:
                self._put(scan, kind, Address("item", place), values[source.place])

    def _used(self) -> set[At]:
        return {at for at, nodes in self.done.items() if nodes} | set(self.write)

    def _save_places(self) -> dict[tuple[int, int], int]:
        """Where each kind keeps what later scans need: after all slots."""
        slots = len(self.slot_at)
        places = {
            (kind, n): slots + i
            for kind, nodes in self.saved.items()
            for i, n in enumerate(sorted(nodes))
        }
        self.stride = max([slots, *[p + 1 for p in places.values()]])
        return places

    def _block(self, at: At, places: dict[tuple[int, int], int]) -> Block:
        ops: list[Key] = []
        number: dict[int, int] = {}
        loads: list[Address] = []
        done, read = self.done.get(at, set()), self.read.get(at, set())
        for n in sorted(done | read):
            number[n] = len(ops)
            if n in read:
                ops.append(("input", len(loads), 0))
                loads.append(self._address(n, at[1], places))
            else:
                ops.append(renumbered(self.keys[n], number))
        stores = self._stores(at, places)
        ends: list[Output] = [
            number[v.number] if isinstance(v, Expression) else float(v) for _, v in stores
        ]
        program = Program(tuple(ops), tuple(ends), (1,) * len(loads))
        return Block(program, tuple(loads), tuple(address for address, _ in stores))

    def _stores(self, at: At, places: dict[tuple[int, int], int]) -> list[tuple[Address, Scalar]]:
        """What a block writes: what was asked for, what later scans need, what all share."""
        (scan, owner), graph = at, self.record.graph
        out = list(self.write.get(at, ()))
        for n in sorted(self.saved.get(owner, ())):
            if graph.home[n] == scan:
                out.append((Address("work", places[owner, n]), Expression(graph, n)))
        if owner == BEFORE:
            out += [(Address("shared", n), Expression(graph, n)) for n in sorted(self._shared())]
        return out

    def _shared(self) -> set[int]:
        """Nodes computed before the scans and read inside them."""
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
        source = self.record.sources[n]
        if source.what == "item":
            assert source.slot is not None
            return Address("item", self.item_at[source.slot][source.place])
        if source.slot is not None:
            return Address("work", self.slot_at[source.slot, source.place], whose=source.whose)
        if source.what in ("argument", "seed"):
            return Address(source.what, source.place, source.name, source.whose)
        return Address(source.what, source.place, source.name)  # table, changing, sum, parameter
