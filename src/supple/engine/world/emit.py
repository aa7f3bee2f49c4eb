"""Assembly of stages, of matrices made of pairs of links, and of what is done with them.

A field has `lanes` places before its first link (the last of them is the world's) and is filled up
to whole vectors behind its last one. Matrices in the work space have rows of whole vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...tracer.llvm.builder import Builder
from ...tracer.llvm.kernels import write_program
from ...tracer.llvm.values import INDEX, POINTER, REAL, Value, constant, vector, whole
from .stages import ACROSS, OUT, Sheet, Stage, SummedFields, WorldPlace

Columns = tuple[int, ...]


@dataclass(frozen=True)
class Tree:
    """Parents of links (-1: the world), and the first link behind all that each carries."""

    parents: tuple[int, ...]
    ends: tuple[int, ...]
    middle: int

    @property
    def is_chain(self) -> bool:
        return all(p == i - 1 for i, p in enumerate(self.parents))


@dataclass(frozen=True)
class Pairs:
    """Entry (i, j): lower[0] of i . lower[1] of j where i is beyond j, upper[0] of i . upper[1] of
    j where j is i or beyond it."""

    lower: tuple[Columns, Columns]
    upper: tuple[Columns, Columns]


@dataclass(frozen=True)
class Matrix:
    """Where a matrix is: entry (i, j) at i * row + j. Exact: nothing behind its rows is touched."""

    start: Value
    row: int
    exact: bool


class Writer:
    """Writes the stages of one sheet, and more."""

    def __init__(self, b: Builder, sheet: Sheet, tree: Tree, work: Value, lanes: int) -> None:
        self.b, self.sheet, self.tree, self.work, self.lanes = b, sheet, tree, work, lanes
        self.n = len(tree.parents)
        self.wide = -(-self.n // lanes) * lanes
        self.stride = self.wide + lanes
        self.vector, self.align = vector(REAL, lanes), 8  # who calls may lend any work space
        self.table = Value("@table", POINTER)

    # fields

    def at(self, column: int, link: Value | int) -> Value:
        start = column * self.stride + self.lanes
        place = start + link if isinstance(link, int) else self.b.add(link, start)
        return self.b.at(self.work, place)

    def copy(self, name: str, array: Value) -> None:
        """An argument into its field."""
        b, (column,) = self.b, self.sheet.columns(name)
        whole_blocks = self.n // self.lanes * self.lanes
        for j in range(0, whole_blocks, self.lanes):
            b.store(b.load(self.vector, b.at(array, j)), self.at(column, j), self.align)
        for j in range(whole_blocks, self.n):
            b.store(b.load(REAL, b.at(array, j)), self.at(column, j))

    def set_world(self, name: str, values: Sequence[float]) -> None:
        for column, value in zip(self.sheet.columns(name), values, strict=True):
            self.b.store(constant(float(value)), self.at(column, -1))

    # stages

    def run(self, stage: Stage | SummedFields) -> None:
        if isinstance(stage, SummedFields):
            self._sums(stage)
        elif stage.direction == ACROSS:
            with self.b.for_range(0, self.n, self.lanes) as loop:
                self._step(stage, loop.index, self.lanes)
        else:
            span = (0, self.n, 1) if stage.direction == OUT else (self.n - 1, -1, -1)
            with self.b.for_range(*span) as loop:
                self._step(stage, loop.index, 1)

    def _step(self, stage: Stage, link: Value, lanes: int) -> None:
        b, kind = self.b, vector(REAL, lanes)
        parent = self.parent(link) if stage.direction != ACROSS else link

        def load(_: int, place: int) -> Value:
            x = stage.loads[place]
            if x.whose == "middle":
                return b.splat(b.load(REAL, self.at(x.column, self.tree.middle)), lanes)
            return b.load(kind, self._place(x, parent if x.whose == "parent" else link))

        values = write_program(b, stage.program, load, kind)
        for place, value in zip(stage.stores, values, strict=True):
            pointer = self._place(place, parent if place.whose == "parent" else link)
            if place.whose == "parent":
                value = b.fadd(b.load(REAL, pointer), value)
            b.store(value, pointer)

    def _place(self, x: WorldPlace, link: Value) -> Value:
        if x.area == "work":
            return self.at(x.column, link)
        return self.b.at(self.table, self.b.add(link, x.column * self.wide))

    def parent(self, link: Value) -> Value:
        b = self.b
        if self.tree.is_chain:
            return b.sub(link, 1)
        return b.load(INDEX, b.at(Value("@parents", POINTER), link, INDEX))

    def _sums(self, sums: SummedFields) -> None:
        b, outward = self.b, sums.direction == OUT
        span = (0, self.n, 1) if outward else (self.n - 1, -1, -1)
        with b.for_range(*span) as loop:
            link, parent = loop.index, self.parent(loop.index)
            for column in sums.columns:
                own, other = self.at(column, link), self.at(column, parent)
                total = b.fadd(b.load(REAL, own), b.load(REAL, other))
                b.store(total, own if outward else other)

    # matrices

    def pairs(self, pairs: Pairs, to: Matrix) -> None:
        """Columns a vector at a time; rows above them, beside them and below them."""
        for first in range(0, self.n, self.lanes):
            last = min(first + self.lanes, self.n)
            sides = self._columns(pairs.upper[1], first), self._columns(pairs.lower[1], first)
            for begin, end in ((0, first), (first, last), (last, self.n)):
                if begin == end:
                    continue
                with self.b.for_range(begin, end) as loop:
                    which = (begin >= first, begin < last)
                    value = self._entry(pairs, sides, which, first, loop.index)
                    self._store(value, to, loop.index, first)

    def _columns(self, columns: Columns, first: int) -> list[Value]:
        return [self.b.load(self.vector, self.at(k, first), self.align) for k in columns]

    def _entry(
        self,
        pairs: Pairs,
        sides: tuple[list[Value], list[Value]],
        which: tuple[bool, bool],
        first: int,
        i: Value,
    ) -> Value:
        b, zero = self.b, constant(0.0, self.vector)
        lower = self._product(pairs.lower[0], sides[1], i) if which[0] and sides[1] else zero
        upper = self._product(pairs.upper[0], sides[0], i) if which[1] else zero
        numbers, row = self._numbers(first), b.splat(i, self.lanes)
        if not self.tree.is_chain:
            ends = Value("@ends", POINTER)
            end = b.splat(b.load(INDEX, b.at(ends, i, INDEX)), self.lanes)
            upper = b.select(b.icmp("slt", numbers, end), upper, zero)
            ends_there = b.load(numbers.type, b.at(ends, first, INDEX))
            lower = b.select(b.icmp("sgt", ends_there, row), lower, zero)
        if which == (True, True):
            return b.select(b.icmp("slt", numbers, row), lower, upper)
        return lower if which[0] else upper

    def _product(self, rows: Columns, columns: list[Value], i: Value) -> Value:
        b = self.b
        return self._dot([b.splat(b.load(REAL, self.at(k, i)), self.lanes) for k in rows], columns)

    def _store(self, value: Value, to: Matrix, i: Value, first: int) -> None:
        b = self.b
        pointer = b.at(to.start, b.add(b.mul(i, to.row), first))
        count = self.n - first
        if not to.exact:
            b.store(value, pointer, self.align)
        elif count >= self.lanes:
            b.store(value, pointer)
        else:
            b.masked_store(value, pointer, count)

    @property
    def places(self) -> range:
        """Where the vectors of a row begin."""
        return range(0, self.n, self.lanes)

    def add_diagonal(self, to: Matrix, values: Sequence[Value | None]) -> None:
        b = self.b
        for i, value in enumerate(values):
            if value is not None:
                at = b.at(to.start, i * to.row + i)
                b.store(b.fadd(b.load(REAL, at), value), at)

    def inverse(self, room: Sequence[Matrix], pivots: int, to: Matrix) -> None:
        """The inverse of M = U D U^T, of U (the first room) what is right of the diagonal and of D
        the inverse (field `pivots`): V = U^-1 from its last row on, then V^T D^-1 V."""
        b, (U, V, scaled) = self.b, room
        for i in range(self.n - 1, -1, -1):
            share = b.splat(b.load(REAL, self.at(pivots, i)), self.lanes)
            for j in self._from(i):
                row = self._unit(i, j)
                for k in (k for k in range(self.n - 1, i, -1) if j in self._from(k)):
                    weight = b.splat(b.load(REAL, b.at(U.start, i * U.row + k)), self.lanes)
                    line = b.load(self.vector, b.at(V.start, k * V.row + j), self.align)
                    row = b.fsub(row, b.fmul(weight, line))
                b.store(row, b.at(V.start, i * V.row + j), self.align)
                b.store(b.fmul(share, row), b.at(scaled.start, i * V.row + j), self.align)
        for i in range(0, self.n, 4):
            self._squares(V, scaled, range(i, min(i + 4, self.n)), to)

    def _squares(self, V: Matrix, scaled: Matrix, rows: range, to: Matrix) -> None:
        """Rows of V^T scaled."""
        b, zero = self.b, constant(0.0, self.vector)
        totals = {(i, j): zero for i in rows for j in self.places}
        for k in range(rows[-1] + 1):
            lines = {
                j: b.load(self.vector, b.at(scaled.start, k * V.row + j), self.align)
                for j in self._from(k)
            }
            for i in (i for i in rows if i >= k):
                share = b.splat(b.load(REAL, b.at(V.start, k * V.row + i)), self.lanes)
                for j, line in lines.items():
                    totals[i, j] = b.fadd(totals[i, j], b.fmul(share, line))
        for (i, j), value in totals.items():
            self._store(value, to, whole(i), j)

    def _from(self, i: int) -> range:
        """The vectors of a row from its diagonal on."""
        return range(i - i % self.lanes, self.n, self.lanes)

    def _unit(self, i: int, first: int) -> Value:
        """A vector of row i of the identity."""
        lanes = ", ".join(f"double {float(first + k == i)}" for k in range(self.lanes))
        return Value(f"<{lanes}>" if self.lanes > 1 else str(float(i == first)), self.vector)

    def _dot(self, x: Sequence[Value], y: Sequence[Value]) -> Value:
        b, (first, *rest) = self.b, [self.b.fmul(u, v) for u, v in zip(x, y, strict=True)]
        for part in rest:
            first = b.fadd(first, part)
        return first

    def _numbers(self, first: int) -> Value:
        """The numbers of a vector of columns."""
        listed = ", ".join(f"i64 {first + k}" for k in range(self.lanes))
        return Value(f"<{listed}>" if self.lanes > 1 else str(first), vector(INDEX, self.lanes))

    def copied(self, of: Matrix, to: Matrix) -> None:
        b = self.b
        with b.for_range(0, self.n) as loop:
            line = b.at(of.start, b.mul(loop.index, of.row))
            for j in self.places:
                self._store(b.load(self.vector, b.at(line, j), self.align), to, loop.index, j)

    def times(self, of: Matrix, x: int, to: int) -> None:
        """Field `to`: the product of a matrix (symmetric) with the field x."""
        b = self.b
        for j in self.places:
            starts = [b.at(of.start, k * of.row + j) for k in range(self.n)]
            lines = [b.load(self.vector, start, self.align) for start in starts]
            shares = [b.splat(b.load(REAL, self.at(x, k)), self.lanes) for k in range(self.n)]
            b.store(self._dot(shares, lines), self.at(to, j), self.align)

    def product(self, left: Matrix, right: Matrix, to: Matrix) -> None:
        """Less left right, some rows at a time."""
        places = self.places
        together = max(1, min(4, 24 // len(places)))
        done = self.n - self.n % together
        if done:
            with self.b.for_range(0, done, together) as loop:
                self._row_products(left, right, to, loop.index, together)
        if done < self.n:
            with self.b.for_range(done, self.n) as loop:
                self._row_products(left, right, to, loop.index, 1)

    def _row_products(
        self, left: Matrix, right: Matrix, to: Matrix, first: Value, count: int
    ) -> None:
        b, places = self.b, self.places
        lines = [b.at(left.start, b.mul(b.add(first, r), left.row)) for r in range(count)]
        totals = [[constant(0.0, self.vector)] * len(places) for _ in lines]
        for k in range(self.n):
            there = [
                b.load(self.vector, b.at(right.start, k * right.row + j), self.align)
                for j in places
            ]
            for r, line in enumerate(lines):
                share = b.splat(b.load(REAL, b.at(line, k)), self.lanes)
                totals[r] = [
                    b.fsub(t, b.fmul(share, x)) for t, x in zip(totals[r], there, strict=True)
                ]
        for r, total in enumerate(totals):
            for j, value in zip(places, total, strict=True):
                self._store(value, to, b.add(first, r), j)
