"""LLVM assembly of `run`: the scans over the links, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...tracer.llvm.builder import Builder
from ...tracer.llvm.elementary import know_sincos, sincos
from ...tracer.llvm.kernels import write_program
from ...tracer.llvm.values import INDEX, POINTER, REAL, Value, constant, vector, whole
from .layout import (
    CHANGING,
    CHILDREN,
    KIND,
    PARENT,
    PARENT_Q,
    PARENT_V,
    START_Q,
    START_V,
    ClimbLayout,
    Layout,
    own_angles,
)
from .plan import Address, Block
from .recorder import IN


@dataclass(frozen=True)
class RunArguments:
    """What `run` is given."""

    arrays: dict[str, Value]
    out: Value
    work: Value
    first: Value  # the first column of those it is to make


class RunWriter:
    """Writes one `run`. In a batch the lanes are states, in a Jacobian columns."""

    def __init__(
        self, b: Builder, layout: Layout, given: RunArguments, lanes: int, pack: int
    ) -> None:
        self.b, self.layout, self.plan, self.given = b, layout, layout.plan, given
        self.lanes, self.pack, self.align = lanes, pack, 8 * lanes
        self.kind = vector(REAL, lanes)
        self.waves_first = lanes == 1 and pack > 1 and len(layout.angles) > 1
        names = (f"@{layout.prefix}{name}" for name in ("table", "index", "angles"))
        self.table, self.index, self.angles = (Value(name, POINTER) for name in names)
        self.shared: dict[int, Value] = {}  # what is computed before the scans
        self.link = whole(0)  # the link at hand, and what is known of it:
        self.known: dict[tuple[str, str | int], Value] = {}

    def write(self) -> None:
        for k in range(self.plan.sums):
            self._store(Address("sum", k), constant(0.0, self.kind))
        self._block(self.plan.before)
        if self.waves_first:
            self._take_waves()
        if self.layout.scattered:
            self._clear()
        first = len(self.plan.directions) - len(self.plan.climbs)
        for scan, direction in enumerate(self.plan.directions[:first]):
            self._scan(scan, direction)
        for number in range(len(self.plan.climbs)):
            self._climb(number, first + number)
        self._block(self.plan.after)

    def _clear(self) -> None:
        """Zero in all of the result."""
        with self.b.for_range(0, self.layout.total * self.layout.width) as loop:
            self.b.store(constant(0.0), self.b.at(self.given.out, loop.index))

    def _climb(self, number: int, scan: int) -> None:
        """From the last link to the first: all items of what it carries pass it."""
        b, layout = self.b, self.layout.climbs[number]
        blocks = {k: block for (at, k), block in self.plan.blocks.items() if at == scan}
        if not blocks or not layout.count:
            return
        with b.for_range(len(self.layout.index) - 1, -1, -1) as loop:
            self.link, self.known = loop.index, {}
            begin, end = self._index(layout.column + 1), self._index(layout.column + 2)
            cases, last = {k: b.label("kind") for k in blocks}, b.label("end")
            passing = b.label("passing")
            b.go_if(b.icmp("slt", begin, end), passing, last)
            b.begin(passing)
            b.switch(self._index(KIND), cases, last)
            outside = dict(self.known)
            for k, block in blocks.items():
                b.begin(cases[k])
                self.known = dict(outside)
                ItemsWriter(self, layout, number, block).write(begin, end)
                b.go(last)
            b.begin(last)

    def start_of(self, name: str) -> Value:
        return self._start(name, "own")

    def own_value(self, address: Address) -> Value:
        """A number of the link at hand."""
        return self._load(address)

    def _take_waves(self) -> None:
        """All sines and cosines of joint angles, `pack` at a time."""
        b, q = self.b, self.given.arrays["q"]
        with b.for_range(0, len(self.layout.angles), self.pack) as loop:
            numbers = [b.at(self.angles, b.add(loop.index, k), "i32") for k in range(self.pack)]
            places = [self._whole(at) for at in numbers]
            angles = b.together([b.load(REAL, b.at(q, place)) for place in places])
            for wave, values in enumerate(sincos(b, angles)):
                for lane, place in enumerate(places):
                    at = b.at(self.given.work, b.add(place, self._wave_start(wave)))
                    b.store(b.extract(values, lane), at)

    def _whole(self, pointer: Value) -> Value:
        """A number of a table of whole numbers."""
        return self.b.convert("sext", self.b.load("i32", pointer, align=4), INDEX)

    def _wave_start(self, wave: int) -> int:
        """Where all sines (0) or cosines (1) begin in the work space."""
        return self.layout.waves + wave * self.layout.arguments["q"]

    def _wave(self, place: int, wave: int) -> Value:
        """A sine or cosine taken before the scans."""
        b = self.b
        at = b.add(self._start("q", "own"), self._wave_start(wave) + place)
        return b.load(REAL, b.at(self.given.work, at))

    def _scan(self, scan: int, direction: str) -> None:
        """A loop over the links: each takes the step of its kind."""
        b, n = self.b, len(self.layout.index)
        blocks = {k: block for (at, k), block in self.plan.blocks.items() if at == scan}
        if not blocks or n == 0:
            return
        span = (n - 1, -1, -1) if direction == IN else (0, n, 1)
        with b.for_range(*span) as loop:
            self.link, self.known = loop.index, {}
            cases, end = {k: b.label("kind") for k in blocks}, b.label("end")
            b.switch(self._index(KIND), cases, end)
            outside = dict(self.known)
            for k, block in blocks.items():
                b.begin(cases[k])
                self.known = dict(outside)
                self._block(block)
                b.go(end)
            b.begin(end)

    def _block(self, block: Block) -> None:
        def load(argument: int, _: int) -> Value:
            return self._load(block.loads[argument])

        def waves(at: Mapping[int, Value]) -> None:
            for n, place in own_angles(block) if self.waves_first else ():
                know_sincos(self.b, at[n], (self._wave(place, 0), self._wave(place, 1)))

        values = write_program(self.b, block.program, load, self.kind, waves)
        for address, value in zip(block.stores, values, strict=True):
            if address.area == "shared":
                self.shared[address.place] = value
            elif address.area in ("out", "result"):
                self._put_out(address, value)
            elif address.area in ("block", "fixed"):
                self._put_block(address, value)
            elif address.area == "start":
                self._start_item(address, value)
            else:
                self._store(address, value, add=address.area == "sum")

    def _index(self, column: int) -> Value:
        """A number of the link's row in the index."""
        key = ("index", column)
        if key not in self.known:
            b = self.b
            row = b.mul(self.link, len(self.layout.index[0]))
            self.known[key] = self._whole(b.at(self.index, b.add(row, column), "i32"))
        return self.known[key]

    def _start(self, name: str, whose: str | int) -> Value:
        """Where the link's (or its parent's) coordinates begin in an argument or result."""
        as_q = name in self.layout.spaced
        if whose == "parent":
            return self._index(PARENT_Q if as_q else PARENT_V)
        return self._index(START_Q if as_q else START_V)

    def _load(self, address: Address) -> Value:
        b, area, place = self.b, address.area, address.place
        if area == "shared":
            return self.shared[place]
        if area == "argument":
            at = b.add(self._start(address.name, address.whose), place)
            return self._number(address.name, at)
        if area == "parameter":
            return self._number(address.name, whole(place))
        if area == "seed":
            return self._seed(address)
        if area == "table":
            at = b.add(b.mul(self.link, self.layout.wide), place)
            return b.splat(b.load(REAL, b.at(self.table, at)), self.lanes)
        return b.load(self.kind, self._work(address), self.align)

    def _number(self, name: str, address: Value) -> Value:
        """A number of an argument: the same for all columns, one a lane for states."""
        b, array = self.b, self.given.arrays[name]
        if self.lanes == 1 or self.layout.columns is not None:
            return b.splat(b.load(REAL, b.at(array, address)), self.lanes)
        size = self.layout.arguments[name]
        places = [b.at(array, b.add(address, lane * size)) for lane in range(self.lanes)]
        return b.together([b.load(REAL, place) for place in places])

    def _seed(self, address: Address) -> Value:
        """1 in the lane whose column is this coordinate's, else 0."""
        b, columns = self.b, self.layout.columns
        assert columns is not None
        at = whole(address.place)
        if address.name not in self.layout.loose:
            at = b.add(self._start(address.name, address.whose), at)
        ahead = b.sub(b.add(at, columns[address.name]), self.given.first)
        lanes = ", ".join(f"i64 {lane}" for lane in range(self.lanes))
        numbers = Value(f"<{lanes}>" if self.lanes > 1 else "0", vector(INDEX, self.lanes))
        mine = b.icmp("eq", b.splat(ahead, self.lanes), numbers)
        return b.select(mine, constant(1.0, self.kind), constant(0.0, self.kind))

    def _work(self, address: Address) -> Value:
        """Pointer into the work space."""
        b, plan, work = self.b, self.plan, self.given.work
        if address.area == "sum":
            return b.at(work, address.place, self.kind)
        if address.area == "changing":
            own = address.whose == "own"
            row = self._index(CHANGING) if own else whole(int(address.whose))
            at = b.add(b.mul(row, self.layout.changing[1]), plan.sums + address.place)
            return b.at(work, at, self.kind)
        key = ("region", address.whose)
        if key not in self.known:
            at = b.add(b.mul(self._whose(address.whose), plan.stride), self.layout.base)
            self.known[key] = b.at(work, at, self.kind)
        return b.at(self.known[key], address.place, self.kind)

    def _whose(self, whose: str | int) -> Value:
        if whose == "own":
            return self.link
        return self._index(PARENT if whose == "parent" else CHILDREN + int(whose))

    def _store(self, address: Address, value: Value, add: bool = False) -> None:
        b, pointer = self.b, self._work(address)
        if add:
            value = b.fadd(b.load(self.kind, pointer, self.align), value)
        b.store(value, pointer, self.align)

    def _put_out(self, address: Address, value: Value) -> None:
        b, out, place = self.b, self.given.out, whole(address.place)
        if address.area == "out":
            place = b.add(self._start("v", "own"), place)
        if self.layout.columns is not None:
            at = b.add(b.mul(place, self.layout.width), self.given.first)
            b.store(value, b.at(out, at))
            return
        for lane in range(self.lanes):
            one = value if self.lanes == 1 else b.extract(value, lane)
            b.store(one, b.at(out, b.add(place, lane * self.layout.total)))

    def _put_block(self, address: Address, value: Value) -> None:
        """A number of a Jacobian, between the link's results and its own coordinates."""
        b, layout = self.b, self.layout
        assert layout.columns is not None
        row = whole(address.place)
        if address.area == "block":
            row = b.add(self._start("v", "own"), row)
        column = b.add(self._start(address.name, "own"), layout.columns[address.name])
        at = b.add(b.add(b.mul(row, layout.width), column), int(address.whose))
        b.store(value, b.at(self.given.out, at))

    def _start_item(self, address: Address, value: Value) -> None:
        b, number = self.b, int(address.name)
        climb = self.layout.climbs[number]
        at = self.layout.items_at(number) + address.place * climb.padded + int(address.whose)
        b.store(value, b.at(self.given.work, b.add(self._index(climb.column), at)))


class ItemsWriter:
    """Items of a climb pass a link, `pack` side by side."""

    def __init__(self, run: RunWriter, climb: ClimbLayout, number: int, block: Block) -> None:
        self.run, self.b, self.climb, self.block = run, run.b, climb, block
        self.pack, self.kind = run.pack, vector(REAL, run.pack)
        self.items = run.layout.items_at(number)
        self.width = run.layout.width

    def write(self, begin: Value, end: Value) -> None:
        b = self.b
        own = {
            n: b.splat(self.run.own_value(address), self.pack)
            for n, address in enumerate(self.block.loads)
            if address.area != "item"
        }
        starts = {x.name: self.run.start_of(x.name or "v") for x in self._cells()}
        rest = b.bits("and", b.sub(end, begin), self.pack - 1)
        stop = b.sub(end, rest)
        with b.for_range(begin, stop, self.pack) as loop:
            self._group(loop.index, None, own, starts)
        some, done = b.label("some"), b.label("done")
        b.go_if(b.icmp("ne", rest, 0), some, done)
        b.begin(some)
        self._group(stop, rest, own, starts)
        b.go(done)
        b.begin(done)

    def _cells(self) -> list[Address]:
        return [x for x in self.block.stores if x.area == "cell"]

    def _group(
        self, first: Value, count: Value | None, own: dict[int, Value], starts: dict[str, Value]
    ) -> None:
        """`pack` items from the first on; only `count` of them where there are fewer."""
        b = self.b

        def load(argument: int, _: int) -> Value:
            if argument in own:
                return own[argument]
            return b.load(self.kind, self._item(self.block.loads[argument].place, first))

        values = write_program(b, self.block.program, load, self.kind)
        for address, value in zip(self.block.stores, values, strict=True):
            if address.area == "cell":
                self._put_cell(address, value, first, count, starts[address.name])
            else:
                self._put_item(self._item(address.place, first), value, count)

    def _item(self, place: int, first: Value) -> Value:
        at = self.b.add(first, self.items + place * self.climb.padded)
        return self.b.at(self.run.given.work, at)

    def _put_item(self, pointer: Value, value: Value, count: Value | None) -> None:
        b = self.b
        if count is not None:
            lanes = ", ".join(f"i64 {lane}" for lane in range(self.pack))
            numbers = Value(f"<{lanes}>", vector(INDEX, self.pack))
            mine = b.icmp("slt", numbers, b.splat(count, self.pack))
            value = b.select(mine, value, b.load(self.kind, pointer))
        b.store(value, pointer)

    def _put_cell(
        self, address: Address, value: Value, first: Value, count: Value | None, start: Value
    ) -> None:
        b, out, place = self.b, self.run.given.out, b_add(self.b, start, address.place)
        columns = self.run.layout.columns
        assert columns is not None
        if not self.climb.planned.columns:  # items are rows
            place = b_add(b, place, columns[address.name])
            self._scatter(value, first, count, lambda line: b.add(line, place))
            return
        row = b.mul(place, self.width)
        if count is None and self.climb.regular is not None and self.climb.regular[1] == 1:
            at = b.add(b.add(row, first), self.climb.regular[0])
            b.store(value, b.at(out, at))
        else:
            self._scatter(value, first, count, lambda line: b.add(row, line))
        if self.climb.planned.mirrored:
            self._scatter(value, first, count, lambda line: b.add(b.mul(line, self.width), place))

    def _scatter(
        self,
        value: Value,
        first: Value,
        count: Value | None,
        place: Callable[[Value], Value],
    ) -> None:
        """Each lane to its own place; those that are no item to where nobody reads."""
        b = self.b
        nowhere = b.at(self.run.given.work, self.run.layout.work - 1)
        for lane in range(self.pack):
            pointer = b.at(self.run.given.out, place(self._line(first, lane)))
            if count is not None:
                pointer = b.select(b.icmp("sgt", count, lane), pointer, nowhere)
            b.store(b.extract(value, lane), pointer)

    def _line(self, first: Value, lane: int) -> Value:
        b, regular = self.b, self.climb.regular
        item = b.add(first, lane)
        if regular is not None:
            return b.add(b.mul(item, regular[1]), regular[0])
        table = Value(f"@{self.run.layout.prefix}lines{self.climb.column}", POINTER)
        return b.convert("sext", b.load("i32", b.at(table, item, "i32"), align=4), INDEX)


def b_add(b: Builder, x: Value, number: int) -> Value:
    return b.add(x, number) if number else x
