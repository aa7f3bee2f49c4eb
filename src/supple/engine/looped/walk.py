"""The recursion run once on one link of each kind: its sweeps become loops.

All steps are written into one graph. A node belongs to the loop in which it was made; what a
link hands to its children or its parent goes through slots, found by running the steps until
the pattern of zeros and equal entries no longer changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...recursion.sweep import Walker
from ...robot import Link
from ...types import Array, Scalar
from ..graph import Expression, Graph, Key
from .kinds import Kind
from .leaves import Form, Levels, flatten, unflatten

OUT, IN = "outward", "inward"


class PlacedGraph(Graph):
    """A graph that remembers in which loop each node was made."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = 0
        self.home: list[int] = []

    def node(self, key: Key) -> int:
        number = super().node(key)
        if number == len(self.home):
            self.home.append(self.loop)
        return number


@dataclass(frozen=True)
class Source:
    """Where an input symbol is read from.

    what: "argument" (name, place), "table" or "changing" (column), "slot" (sweep, form, leaf),
    "sum", "parameter" (place), "seed" (name, place), "none" (must not be read).
    whose: "own", "parent" or the number of a child.
    """

    what: str
    kind: int = -1
    whose: str | int = "own"
    name: Any = None
    place: int = 0


@dataclass
class Slots:
    """What links hand on in one sweep, for values of one form: each scalar is a number, or
    another scalar's twin (leaf, sign)."""

    form: Form
    parts: dict[int, list[Scalar]] = field(default_factory=dict)  # by kind
    twins: list[float | tuple[int, int]] = field(default_factory=list)

    def join(self, kind: int, values: list[Scalar]) -> bool:
        """Take a kind's values in; whether the pattern changed."""
        self.parts[kind] = values
        old = self.twins
        known: dict[Any, int] = {}
        twins: list[float | tuple[int, int]] = []
        for leaf, column in enumerate(zip(*self.parts.values(), strict=True)):
            held = [x for x in column if isinstance(x, Expression)]
            if not held and all(float(x) == float(column[0]) for x in column):
                twins.append(float(column[0]))
                continue
            before = old[leaf] if old else ()
            before = before[0] if isinstance(before, tuple) and before else before
            word = (before, *[_signed(x) for x in column])
            mirror = (before, *[_signed(-x) for x in column])
            if word in known:
                twins.append((known[word], 1))
            elif mirror in known:
                twins.append((known[mirror], -1))
            else:
                known[word] = leaf
                twins.append((leaf, 1))
        self.twins = twins
        return twins != old


def _signed(x: Scalar) -> Any:
    if not isinstance(x, Expression):
        return float(x)
    inner = x._inner()
    return ("node", x.number, 1) if inner is None else ("node", inner, -1)


class Loops(Walker):
    """Walks one link of each kind."""

    graph: PlacedGraph
    kinds: list[Kind]
    dual: Levels

    def __new__(cls, links: tuple[Link, ...], *_: Any, **__: Any) -> Loops:
        return super().__new__(cls, (link.parent for link in links))

    def __init__(
        self, links: tuple[Link, ...], kinds: list[Kind], graph: PlacedGraph, dual: Levels
    ) -> None:
        self.links, self.kinds, self.graph, self.dual = links, kinds, graph, dual
        self.directions: list[str] = []
        self.sources: dict[int, Source] = {}
        self.slots: dict[tuple[int, Form], Slots] = {}
        self.sums: dict[int, dict[int, Scalar]] = {}
        self.sweeps = 0
        self.loop_of_sweep: dict[int, int] = {}
        self._symbols: dict[Source, Expression] = {}

    def symbol(self, source: Source) -> Expression:
        """The input that stands for this source."""
        if source not in self._symbols:
            x = self.graph.input(str(source))
            self._symbols[source] = x
            self.sources[x.number] = source
        return self._symbols[source]

    def _enter(self, direction: str | None) -> int:
        if not self.directions or direction not in (None, self.directions[-1]):
            self.directions.append(direction or OUT)
            self.graph.loop = len(self.directions) - 1
        self.sweeps += 1
        self.loop_of_sweep[self.sweeps] = self.graph.loop
        return self.sweeps

    def each(self, step: Callable[[int], Any]) -> list[Any]:
        self._enter(None)
        return self._padded([step(k) for k in range(len(self.kinds))])

    def _padded(self, results: list[Any]) -> list[Any]:
        return results + [None] * (len(self) - len(results))

    def outward(self, step: Callable[[int, Any], Any], base: Any) -> list[Any]:
        sweep = self._enter(OUT)
        forms: dict[int, Form] = {}
        results: dict[int, Any] = {}

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
            return self._slots(sweep, form).join(k, values)

        self._until_still(one)
        return self._padded([results[k] for k in range(len(self.kinds))])

    def inward(
        self,
        own: Callable[[int], Any],
        carry: Callable[[int, Any], Any],
        close: Callable[[int, Any], Any],
    ) -> list[Any]:
        sweep = self._enter(IN)
        results: dict[int, Any] = {}

        def one(k: int) -> bool | None:
            total, kind = own(k), self.kinds[k]
            form, _ = flatten(total, self.dual)
            if kind.children and (sweep, form) not in self.slots:
                return None
            for child in range(kind.children):
                total = total + self._read(sweep, form, k, child)
            results[k] = close(k, total)
            if not kind.parents:
                return False
            form, values = flatten(carry(k, results[k]), self.dual)
            return self._slots(sweep, form).join(k, values)

        self._until_still(one)
        return self._padded([results[k] for k in range(len(self.kinds))])

    def _until_still(self, one: Callable[[int], bool | None]) -> None:
        changed = True
        while changed:
            changed = False
            for k in range(len(self.kinds)):
                answer = one(k)
                changed = changed or answer is None or answer

    def _slots(self, sweep: int, form: Form) -> Slots:
        return self.slots.setdefault((sweep, form), Slots(form))

    def _read(self, sweep: int, form: Form, kind: int, whose: str | int) -> Any:
        flat: list[Scalar] = []
        for twin in self.slots[sweep, form].twins:
            if isinstance(twin, float):
                flat.append(twin)
                continue
            x = self.symbol(Source("slot", kind, whose, (sweep, form), twin[0]))
            flat.append(x if twin[1] > 0 else -x)
        return unflatten(form, flat, self.dual)

    def gather(self, step: Callable[[int], tuple[Array, Array]]) -> Array:
        parts = [x for pair in self.each(step)[: len(self.kinds)] for x in pair]
        values = list(np.concatenate(parts))
        reps, ups = self.links[: len(self.kinds)], self.links[len(self.kinds) :]
        rates = len(values) == sum(link.joint.nv + link.body.m for link in reps)
        missing = sum((x.joint.nv if rates else x.joint.nq) + x.body.m for x in ups)
        out = np.empty(len(values) + missing, dtype=object)
        out[:] = values + [self.symbol(Source("none", place=i)) for i in range(missing)]
        return out

    def total(self, step: Callable[[int], Scalar]) -> Scalar:
        values = self.each(step)[: len(self.kinds)]
        parts = [flatten(v, self.dual)[1] for v in values]
        sums: list[Scalar] = []
        for column in zip(*parts, strict=True):
            if all(isinstance(v, float) and v == 0.0 for v in column):
                sums.append(0.0)
                continue
            x = self.symbol(Source("sum", place=len(self.sums)))
            self.sums[x.number] = dict(enumerate(column))
            sums.append(x)
        return unflatten(("scalar",), sums, self.dual)
