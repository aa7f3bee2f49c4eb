"""LLVM assembly of `run`: the scans over the links, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
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
    Layout,
    own_angles,
)
from .plan import Address, Block
from .recorder import IN

_TABLE, _INDEX, _ANGLES = (Value(f"@{name}", POINTER) for name in ("table", "index", "angles"))


@dataclass(frozen=True)
class Given:
    """What `run` is given."""

    arrays: dict[str, Value]
    out: Value
    work: Value
    first: Value  # the first column of those it is to make


class RunWriter:
    """Writes one `run`. In a batch the lanes are states, in a Jacobian columns."""

    def __init__(self, b: Builder, layout: Layout, given: Given, lanes: int, pack: int) -> None:
        self.b, self.layout, self.plan, self.given = b, layout, layout.plan, given
        self.lanes, self.pack, self.align = lanes, pack, 8 * lanes
        self.kind = vector(REAL, lanes)
        self.waves_first = lanes == 1 and pack > 1 and len(layout.angles) > 1
        self.shared: dict[int, Value] = {}  # what is computed before the scans
        self.link = whole(0)  # the link at hand, and what is known of it:
        self.known: dict[tuple[str, str | int], Value] = {}

    def write(self) -> None:
        for k in range(self.plan.sums):
            self._store(Address("sum", k), constant(0.0, self.kind))
        self._block(self.plan.before)
        if self.waves_first:
            self._take_waves()
        for scan, direction in enumerate(self.plan.directions):
            self._scan(scan, direction)
        self._block(self.plan.after)

    def _take_waves(self) -> None:
        """All sines and cosines of joint angles, `pack` at a time."""
        b, q = self.b, self.given.arrays["q"]
        with b.for_range(0, len(self.layout.angles), self.pack) as loop:
            numbers = [b.at(_ANGLES, b.add(loop.index, k), "i32") for k in range(self.pack)]
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
            else:
                self._store(address, value, add=address.area == "sum")

    def _index(self, column: int) -> Value:
        """A number of the link's row in the index."""
        key = ("index", column)
        if key not in self.known:
            b = self.b
            row = b.mul(self.link, len(self.layout.index[0]))
            self.known[key] = self._whole(b.at(_INDEX, b.add(row, column), "i32"))
        return self.known[key]

    def _start(self, name: str, whose: str | int) -> Value:
        """Where the link's (or its parent's) coordinates begin in an argument or result."""
        if whose == "parent":
            return self._index(PARENT_Q if name == "q" else PARENT_V)
        return self._index(START_Q if name == "q" else START_V)

    def _load(self, address: Address) -> Value:
        b, area, place = self.b, address.area, address.place
        if area == "shared":
            return self.shared[place]
        if area == "argument":
            at = b.add(self._start(address.name, address.whose), place)
            return self._number(address.name, at)
        if area == "parameter":
            return self._number(self.layout.parameters, whole(place))
        if area == "seed":
            return self._seed(address)
        if area == "table":
            at = b.add(b.mul(self.link, self.layout.wide), place)
            return b.splat(b.load(REAL, b.at(_TABLE, at)), self.lanes)
        return b.load(self.kind, self._work(address), self.align)

    def _number(self, name: str, at: Value) -> Value:
        """A number of an argument: the same for all columns, one a lane for states."""
        b, array = self.b, self.given.arrays[name]
        if self.lanes == 1 or self.layout.columns is not None:
            return b.splat(b.load(REAL, b.at(array, at)), self.lanes)
        size = self.layout.arguments[name]
        places = [b.at(array, b.add(at, lane * size)) for lane in range(self.lanes)]
        return b.together([b.load(REAL, place) for place in places])

    def _seed(self, address: Address) -> Value:
        """1 in the lane whose column is this coordinate's, else 0."""
        b, columns = self.b, self.layout.columns
        assert columns is not None
        at = whole(address.place)
        if address.name != self.layout.parameters:
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
