"""Steps of all links, traced once: what they read and write are fields, a number for every link."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ...tracer import Graph, Program
from ...tracer.program import program
from ...types import Array, Floats

Values = dict[str, Array]
ACROSS, OUT, IN = "across", "outward", "inward"


@dataclass(frozen=True)
class WorldPlace:
    """Of a number: in the work space or in the table of constants; of the link, its parent, or
    the link in the middle."""

    area: str  # "work" or "table"
    column: int
    whose: str = "own"


@dataclass(frozen=True)
class Stage:
    """A program for every link: side by side (across), or in order (outward, inward). What an
    inward one stores at a parent is added there."""

    direction: str
    program: Program
    loads: tuple[WorldPlace, ...]
    stores: tuple[WorldPlace, ...]


@dataclass(frozen=True)
class SummedFields:
    """Fields that are added up, outward or inward."""

    direction: str
    columns: tuple[int, ...]


class Sheet:
    """Fields, constants and stages. Constants that all links share are numbers."""

    def __init__(self, constants: Mapping[str, Floats], fields: Mapping[str, int]) -> None:
        self.constants = {name: x.reshape(len(x), -1) for name, x in constants.items()}
        self.start: dict[str, int] = {}
        self.size: dict[str, int] = {}
        self.count = 0
        self.table: list[Floats] = []
        self.stages: list[Stage | SummedFields] = []
        for name, size in fields.items():
            self.field(name, size)

    def field(self, name: str, size: int) -> None:
        self.start[name], self.size[name] = self.count, size
        self.count += size

    def columns(self, name: str) -> tuple[int, ...]:
        return tuple(range(self.start[name], self.start[name] + self.size[name]))

    def add(self, direction: str, step: Callable[[StageReader], Values]) -> None:
        """A stage; what it gives for the first time are new fields. "+x" is added to the parent's
        field x."""
        read = StageReader(self)
        values = step(read)
        stores, flat = [], []
        for name, value in values.items():
            whose, name = ("parent", name[1:]) if name[0] == "+" else ("own", name)
            if name not in self.start:
                self.field(name, len(value))
            stores += [WorldPlace("work", column, whose) for column in self.columns(name)]
            flat += list(value)
        made = program(read.graph, flat, [np.array(read.symbols, dtype=object)])
        self.stages.append(Stage(direction, made, tuple(read.places), tuple(stores)))

    def sum(self, direction: str, *names: str) -> None:
        columns = [column for name in names for column in self.columns(name)]
        self.stages.append(SummedFields(direction, tuple(columns)))

    def constant(self, values: Floats) -> float | WorldPlace:
        if np.all(values == values[0]):
            return float(values[0])
        for column, known in enumerate(self.table):
            if np.array_equal(known, values):
                return WorldPlace("table", column)
        self.table.append(values)
        return WorldPlace("table", len(self.table) - 1)


class StageReader:
    """What a stage asks for: fields of a link, as symbols."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.graph = sheet, Graph()
        self.places: list[WorldPlace] = []
        self.symbols: list[object] = []

    def __call__(self, name: str) -> Array:
        constants = self.sheet.constants.get(name)
        if constants is None:
            return self._symbols([WorldPlace("work", k) for k in self.sheet.columns(name)])
        found = [self.sheet.constant(column) for column in constants.T]
        out = np.empty(len(found), dtype=object)
        out[:] = [x if isinstance(x, float) else self._symbol(x) for x in found]
        return out

    def parent(self, name: str) -> Array:
        return self._symbols([WorldPlace("work", k, "parent") for k in self.sheet.columns(name)])

    def middle(self, name: str) -> Array:
        """Of the link in the middle, for all."""
        return self._symbols([WorldPlace("work", k, "middle") for k in self.sheet.columns(name)])

    def _symbols(self, places: list[WorldPlace]) -> Array:
        out = np.empty(len(places), dtype=object)
        out[:] = [self._symbol(place) for place in places]
        return out

    def _symbol(self, place: WorldPlace) -> object:
        if place not in self.places:
            self.places.append(place)
            self.symbols.append(self.graph.input(str(place)))
        return self.symbols[self.places.index(place)]
