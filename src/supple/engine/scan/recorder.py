"""The recursion run once on one link of each kind: its sweeps become scans.

All steps are written into one graph. A node belongs to the scan in which it was made; what a
link hands to its children or its parent goes through slots, found by running the steps until
the pattern of zeros and equal entries no longer changes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...recursion.sweep import T, Walker
from ...robot import Link
from ...tracer import Expression, Graph
from ...tracer.operations import LEAVES, Key, operands
from ...types import Array, Scalar
from .flatten import Form, Levels, Swept, flatten, unflatten
from .link_kinds import LinkKind

OUT, IN = "outward", "inward"


class ScanGraph(Graph):
    """A graph that remembers in which scan each node was made."""

    def __init__(self) -> None:
        super().__init__()
        self.scan = 0
        self.home: list[int] = []

    def node(self, key: Key) -> int:
        number = super().node(key)
        if number == len(self.home):
            self.home.append(self.scan)
        return number


class Slot(NamedTuple):
    """Values of one form that links hand on in one sweep."""

    sweep: int
    form: Form


@dataclass(frozen=True)
class Source:
    """Where an input symbol is read from.

    what: "argument" (name, place), "table" or "changing" (column), "slot" (slot, place in it),
    "item" (of a climb: slot, place in it), "sum", "parameter" (name, place: a number of no link),
    "seed" (name, place), "none" (must not be read).
    whose: "own", "parent" or the number of a child.
    """

    what: str
    kind: int = -1
    whose: str | int = "own"
    name: str = ""
    place: int = 0
    slot: Slot | None = None


Twin = float | tuple[int, int]
"""What a scalar is: a number, or the same as another (its place, sign)."""

Word = tuple[object, ...]


@dataclass
class SlotContent:
    """What goes through a slot: values of each kind of link, and which of them are alike."""

    parts: dict[Hashable, list[Scalar]] = field(default_factory=dict)  # by kind
    twins: list[Twin] = field(default_factory=list)

    def join(self, kind: Hashable, values: list[Scalar]) -> bool:
        """Take a kind's values in; whether the pattern changed."""
        self.parts[kind] = values
        old, self.twins = self.twins, []
        known: dict[Word, int] = {}
        for place, column in enumerate(zip(*self.parts.values(), strict=True)):
            before = old[place] if old else ()
            before = before[0] if isinstance(before, tuple) and before else before
            self.twins.append(_twin(known, place, before, column))
        return self.twins != old


@dataclass
class Climb:
    """Values that start at links and go on through all their ancestors.

    A link starts `items` values. At every ancestor they leave `cells`, numbers of the result.
    """

    sweep: int
    home: int  # the scan in which they start
    items: dict[int, int]  # how many, by kind
    slots: dict[Form, SlotContent] = field(default_factory=dict)
    starts: dict[tuple[int, int], tuple[Form, list[Scalar]]] = field(default_factory=dict)
    carried: dict[int, tuple[Form, list[Scalar]]] = field(default_factory=dict)
    cells: dict[int, list[Scalar]] = field(default_factory=dict)

    def join(self, form: Form, who: Hashable, values: list[Scalar]) -> bool:
        return self.slots.setdefault(form, SlotContent()).join(who, values)

    def form_at(self, kind: int, kinds: list[LinkKind]) -> Form | None:
        """In which form values come to links of this kind; None: as yet none do."""
        for k, x in enumerate(kinds):
            if kind in x.parents:
                known = self.carried.get(k) or self.starts.get((k, 0))
                if known is not None:
                    return known[0]
        return None


def _twin(known: dict[Word, int], place: int, before: object, column: tuple[Scalar, ...]) -> Twin:
    """What the scalar at this place is; those that were not alike before stay apart."""
    if not any(isinstance(x, Expression) for x in column) and len({*map(float, column)}) == 1:
        return float(column[0])
    word = (before, *[_signed(x) for x in column])
    mirror = (before, *[_signed(-x) for x in column])
    if word in known:
        return known[word], 1
    if mirror in known:
        return known[mirror], -1
    known[word] = place
    return place, 1


def _signed(x: Scalar) -> float | Word:
    if not isinstance(x, Expression):
        return float(x)
    inner = x.negated()
    return ("node", x.number, 1) if inner is None else ("node", inner, -1)


class Recorder(Walker):
    """Walks one link of each kind, and writes down what it does."""

    graph: ScanGraph
    kinds: list[LinkKind]
    dual: Levels

    def __new__(cls, links: tuple[Link, ...], *_: object, **__: object) -> Recorder:
        return super().__new__(cls, (link.parent for link in links))

    def __init__(
        self, links: tuple[Link, ...], kinds: list[LinkKind], graph: ScanGraph, dual: Levels
    ) -> None:
        self.links, self.kinds, self.graph, self.dual = links, kinds, graph, dual
        self.directions: list[str] = []
        self.sources: dict[int, Source] = {}
        self.handed: dict[Slot, SlotContent] = {}
        self.sums: dict[int, dict[int, Scalar]] = {}
        self.climbs: list[Climb] = []
        self._joined: int | None = None
        self.sweeps = 0
        self.scan_of_sweep: dict[int, int] = {}
        self._symbols: dict[Source, Expression] = {}

    def symbol(self, source: Source) -> Expression:
        """The input that stands for this source."""
        if source not in self._symbols:
            x = self.graph.input(str(source))
            self._symbols[source] = x
            self.sources[x.number] = source
        return self._symbols[source]

    @contextmanager
    def again(self, scan: int) -> Iterator[None]:
        """What is swept now joins a scan that was there before."""
        self._joined, self.graph.scan = scan, scan
        yield
        self._joined, self.graph.scan = None, len(self.directions) - 1

    def _enter(self, direction: str | None) -> int:
        if self._joined is not None:
            pass
        elif not self.directions or direction not in (None, self.directions[-1]):
            self.directions.append(direction or OUT)
            self.graph.scan = len(self.directions) - 1
        self.sweeps += 1
        self.scan_of_sweep[self.sweeps] = self.graph.scan
        return self.sweeps

    def each(self, step: Callable[[int], Swept]) -> list[Swept]:
        self._enter(None)
        return self._padded([step(k) for k in range(len(self.kinds))])

    def _padded(self, results: list[Swept]) -> list[Swept]:
        return results + [None] * (len(self) - len(results))

    def outward(self, step: Callable[[int, Swept], Swept], base: Swept) -> list[Swept]:
        sweep = self._enter(OUT)
        forms: dict[int, Form] = {}
        results: dict[int, Swept] = {}

        def one(k: int) -> bool | None:
            kind = self.kinds[k]
            parent = base
            if kind.parents:
                form = next((forms[p] for p in kind.parents if p in forms), None)
                if form is None:
                    return None
                parent = self._read(sweep, form, k, "parent")
            results[k] = step(k, parent)
            form, values = flatten(results[k], self.dual)
            forms[k] = form
            return self._hand_on(sweep, form).join(k, values)

        self._until_still(one)
        return self._padded([results[k] for k in range(len(self.kinds))])

    def inward(
        self,
        own: Callable[[int], Swept],
        carry: Callable[[int, Swept], Swept],
        close: Callable[[int, Swept], Swept],
    ) -> list[Swept]:
        sweep = self._enter(IN)
        results: dict[int, Swept] = {}

        def one(k: int) -> bool | None:
            total, kind = own(k), self.kinds[k]
            form, _ = flatten(total, self.dual)
            if kind.children and Slot(sweep, form) not in self.handed:
                return None
            for child in range(kind.children):
                total = total + self._read(sweep, form, k, child)
            results[k] = close(k, total)
            if not kind.parents:
                return False
            form, values = flatten(carry(k, results[k]), self.dual)
            return self._hand_on(sweep, form).join(k, values)

        self._until_still(one)
        return self._padded([results[k] for k in range(len(self.kinds))])

    def _until_still(self, one: Callable[[int], bool | None]) -> None:
        changed = True
        while changed:
            changed = False
            for k in range(len(self.kinds)):
                answer = one(k)
                changed = changed or answer is None or answer

    def _hand_on(self, sweep: int, form: Form) -> SlotContent:
        return self.handed.setdefault(Slot(sweep, form), SlotContent())

    def _read(self, sweep: int, form: Form, kind: int, whose: str | int) -> Swept:
        """What the parent, or a child, handed on: symbols, alike where its scalars are."""
        flat: list[Scalar] = []
        slot = Slot(sweep, form)
        for twin in self.handed[slot].twins:
            if isinstance(twin, float):
                flat.append(twin)
                continue
            x = self.symbol(Source("slot", kind, whose, place=twin[0], slot=slot))
            flat.append(x if twin[1] > 0 else -x)
        return unflatten(form, flat, self.dual)

    def climb(
        self,
        start: Callable[[int], list[Swept]],
        step: Callable[[int, Swept], tuple[Swept, Array]],
    ) -> Climb:
        """Values that start at a link, as its parent gets them, and go on through all its
        ancestors: step(a, value) = (value as the parent of a gets it, cells). What starts may
        look at all that was swept before; a step only makes sums of products with it."""
        items = {k: start(k) if x.parents else [] for k, x in enumerate(self.kinds)}
        home = max(i for i, x in enumerate(self.directions) if x in (OUT, IN))
        sweep = self._enter(f"climb{len(self.climbs)}")
        climb = Climb(sweep, home, {k: len(x) for k, x in items.items()})
        self.climbs.append(climb)
        changed = True
        while changed:
            changed = False
            for k in range(len(self.kinds)):
                changed = self._climb_past(climb, k, items[k], step) or changed
        return climb

    def _climb_past(
        self,
        climb: Climb,
        k: int,
        items: list[Swept],
        step: Callable[[int, Swept], tuple[Swept, Array]],
    ) -> bool:
        """What links of a kind start, and what they do with what comes to them; whether anything
        is new."""
        changed = False
        for number, item in enumerate(items):
            form, values = flatten(item, self.dual)
            climb.starts[k, number] = form, values
            changed = climb.join(form, (k, number), values) or changed
        coming = climb.form_at(k, self.kinds)
        if coming is None:
            return changed
        changed = changed or k not in climb.cells
        on, cells = step(k, self._item(climb, coming, k))
        climb.cells[k] = list(cells)
        if self.kinds[k].parents:
            form, values = flatten(on, self.dual)
            climb.carried[k] = form, values
            changed = climb.join(form, (k, -1), values) or changed
        return changed

    def _item(self, climb: Climb, form: Form, kind: int) -> Swept:
        flat: list[Scalar] = []
        slot = Slot(climb.sweep, form)
        for twin in climb.slots[form].twins:
            if isinstance(twin, float):
                flat.append(twin)
                continue
            x = self.symbol(Source("item", kind, place=twin[0], slot=slot))
            flat.append(x if twin[1] > 0 else -x)
        return unflatten(form, flat, self.dual)

    def places(self, scan: int, kind: int) -> list[tuple[Slot, int]]:
        """The numbers that links of this kind hand on in a scan, less those that are constant or
        the same as another."""
        return [
            (slot, place)
            for slot, handed in self.handed.items()
            if self.scan_of_sweep[slot.sweep] == scan and kind in handed.parts
            for place, twin in enumerate(handed.twins)
            if isinstance(twin, tuple) and twin[0] == place
        ]

    def moving(self, names: tuple[str, ...]) -> set[tuple[Slot, int]]:
        """The numbers handed on that follow these arguments."""
        follows = {n for n, x in self.sources.items() if x.what == "argument" and x.name in names}
        out: set[tuple[Slot, int]] = set()
        while True:
            touched = self._touched(follows)
            new = {
                (slot, place)
                for slot, handed in self.handed.items()
                for values in handed.parts.values()
                for place, x in enumerate(values)
                if isinstance(x, Expression) and touched[x.number]
            }
            if new == out:
                return out
            out = new
            follows |= {n for n, x in self.sources.items() if (x.slot, x.place) in out}

    def _touched(self, follows: set[int]) -> list[bool]:
        """Which nodes depend on these."""
        out: list[bool] = []
        for n, key in enumerate(self.graph.keys):
            out.append(
                n in follows or (key[0] not in LEAVES and any(out[k] for k in operands(key)))
            )
        return out

    def arguments(self, kind: int, whose: str, name: str) -> list[Source]:
        """The coordinates of a link, or of its parent, in an argument."""
        found = [
            x
            for x in self._symbols
            if (x.what, x.kind, x.whose, x.name) == ("argument", kind, whose, name)
        ]
        return sorted(found, key=lambda x: x.place)

    def gather(self, step: Callable[[int], tuple[Array, Array]]) -> Array:
        parts = [x for pair in self.each(step)[: len(self.kinds)] for x in pair]
        values = list(np.concatenate(parts))
        reps, ups = self.links[: len(self.kinds)], self.links[len(self.kinds) :]
        rates = len(values) == sum(link.joint.nv + link.body.m for link in reps)
        missing = sum((x.joint.nv if rates else x.joint.nq) + x.body.m for x in ups)
        out = np.empty(len(values) + missing, dtype=object)
        out[:] = values + [self.symbol(Source("none", place=i)) for i in range(missing)]
        return out

    def total(self, step: Callable[[int], T]) -> T:
        values = self.each(step)[: len(self.kinds)]
        parts = [flatten(v, self.dual) for v in values]
        sums: list[Scalar] = []
        for column in zip(*[flat for _, flat in parts], strict=True):
            if all(isinstance(v, float) and v == 0.0 for v in column):
                sums.append(0.0)
                continue
            x = self.symbol(Source("sum", place=len(self.sums)))
            self.sums[x.number] = dict(enumerate(column))
            sums.append(x)
        return unflatten(parts[0][0], sums, self.dual)  # type: ignore[no-any-return]
