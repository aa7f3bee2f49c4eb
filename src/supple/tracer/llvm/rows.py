"""Arrays with one state a row, read and written by columns."""

from __future__ import annotations

from collections.abc import Sequence

from .builder import Builder
from .values import Value, element_of, lanes_of, undefined, vector


class Rows:
    """Rows first, first + 1, ... of an array, one for each lane of a column.

    A square block of it, a register (`wide` numbers) wide or as wide as short rows are, is read row
    by row and turned on its side. `column` is the type of a column.
    """

    def __init__(
        self, b: Builder, array: Value, size: int, first: Value, wide: int, column: str
    ) -> None:
        self.b, self.size, self.column, self.lanes = b, size, column, lanes_of(column)
        self.real = element_of(column)
        self.wide = min(wide, 1 << max(size, 1).bit_length() - 1)
        self.start = b.at(array, b.mul(first, size), self.real)
        self.block = vector(self.real, self.wide)
        self._read: dict[int, Value] = {}

    def read(self, place: int) -> Value:
        """The column at `place`."""
        if place not in self._read:
            start = min(place - place % self.wide, self.size - self.wide)
            found = self._read_block(start) if self.wide > 1 else {place: self._read_one(place)}
            self._read = found | self._read
        return self._read[place]

    def _read_block(self, start: int) -> dict[int, Value]:
        parts = []
        for first in range(0, self.lanes, self.wide):
            places = [self._at(first + r, start) for r in range(self.wide)]
            parts.append(self._turned([self.b.load(self.block, at) for at in places]))
        return {start + k: self._joined([part[k] for part in parts]) for k in range(self.wide)}

    def _read_one(self, place: int) -> Value:
        b = self.b
        return b.together([b.load(self.real, self._at(lane, place)) for lane in range(self.lanes)])

    def write(self, columns: dict[int, Value]) -> None:
        """Columns by their places: blocks where they are whole, else one by one."""
        wide, left = self.wide, dict(columns)
        for start in (*range(0, self.size - wide, wide), self.size - wide):
            if wide > 1 and all(start + k in columns for k in range(wide)):
                self._write_block(start, [columns[start + k] for k in range(wide)])
                for k in range(wide):
                    left.pop(start + k, None)
        for place, column in left.items():
            for lane in range(self.lanes):
                self.b.store(self.b.extract(column, lane), self._at(lane, place))

    def _write_block(self, start: int, columns: list[Value]) -> None:
        for first in range(0, self.lanes, self.wide):
            rows = self._turned([self._part(column, first) for column in columns])
            for r, row in enumerate(rows):
                self.b.store(row, self._at(first + r, start))

    def _at(self, lane: int, place: int) -> Value:
        return self.b.at(self.start, lane * self.size + place, self.real)

    def _turned(self, rows: Sequence[Value]) -> list[Value]:
        """A square block turned on its side: halves, quarters, ... change places."""
        b, wide, out = self.b, self.wide, list(rows)
        for s in (1 << k for k in range(wide.bit_length() - 1)):
            low = [k if not k & s else wide + k - s for k in range(wide)]
            high = [k + s if not k & s else wide + k for k in range(wide)]
            for i in (i for i in range(wide) if not i & s):
                x, y = out[i], out[i + s]
                out[i], out[i + s] = b.shuffle(x, y, low), b.shuffle(x, y, high)
        return out

    def _joined(self, parts: list[Value]) -> Value:
        while len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=True)
            parts = [self.b.shuffle(x, y, range(2 * x.lanes)) for x, y in pairs]
        return parts[0]

    def _part(self, column: Value, first: int) -> Value:
        if self.lanes == self.wide:
            return column
        return self.b.shuffle(column, undefined(self.column), range(first, first + self.wide))
