"""Derivatives of a quantity by the chain rule over the links: no sweep for every column.

A quantity of two sweeps is, for link i with parent p, coordinates z and children c,

    s_i = s(s_p, z_p, z_i)                      motion, outward
    f_i = f(s_p, z_p, z_i, sum_c f_c)           what it hands to its parent, inward
    r_i = r(s_p, z_p, z_i, sum_c f_c)           its results.

Their slopes are those of one step, and are written by the graph itself. With
W_i = sum_c df_c/ds_i and P_i = sum_c df_c/dz_i of all that i carries, the inward sweep

    df_i/ds_p = C + T W A,    df_i/dz_p = D_p + T W B_p          (A = ds_i/ds_p, B = ds_i/dz, ...)

ends in every link knowing how all beyond it answers. Then a coordinate of link j reaches its
ancestors by its column x = df_j/dz_j, carried on by x <- T x, and the results of link j reach
the coordinates of its ancestors by their rows y = dr_j/ds_p, carried on by y <- y A: two climbs,
of as many steps as there are pairs of a link and an ancestor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...tracer import jacobian
from ...types import Array, Scalar
from .recorder import IN, OUT, Climb, Recorder, Slot, Source

Place = tuple[Slot, int]
"""A number that links hand on."""


@dataclass(frozen=True)
class Beyond:
    """How what comes to a link from its children answers to its motion (W) and to its own
    coordinates (P)."""

    W: Array
    P: Array

    def __add__(self, other: Beyond) -> Beyond:
        return Beyond(self.W + other.W, self.P + other.P)


@dataclass(frozen=True)
class Answer:
    """How a link moves by a load that reaches it (Omega), the block of its own coordinates, and
    what a load leaves in them as it passes."""

    Omega: Array
    block: Array
    cells: Array


class LinkSlopes:
    """Slopes of one link's step, of one kind of link."""

    def __init__(
        self,
        record: Recorder,
        kind: int,
        wrt: tuple[str, ...],
        results: list[Scalar],
        moving: set[Place],
    ) -> None:
        self.record, self.kind, self.wrt, self.results = record, kind, wrt, results
        self.children = record.kinds[kind].children
        below = record.kinds[kind].parents
        above = [k for k, x in enumerate(record.kinds) if kind in x.parents]

        def places(direction: str, kinds: Sequence[int]) -> list[Place]:
            found = record.places(direction, kinds[0]) if kinds else []
            return [place for place in found if place in moving]

        self.has_parent = bool(below)
        self.led = places(OUT, below)  # its parent's motion
        self.motion = places(OUT, [kind])  # its own
        self.handed = places(IN, [kind]) if below else []  # to its parent
        self.taken = places(IN, above)  # from its children

    def coordinates(self, whose: str) -> list[Source]:
        """Those with respect to which is differentiated."""
        return [
            source for name in self.wrt for source in self.record.arguments(self.kind, whose, name)
        ]

    def _inputs(self, sources: list[Source]) -> Array:
        out = np.empty(len(sources), dtype=object)
        out[:] = [self.record.symbol(source) for source in sources]
        return out

    def _from(self, places: list[Place], whose: str | int) -> Array:
        return self._inputs([Source("slot", self.kind, whose, place=p, slot=s) for s, p in places])

    def _slope(self, outputs: list[Scalar], inputs: Array) -> Array:
        return jacobian(self.record.graph, outputs, inputs)

    def _outputs(self, places: list[Place]) -> list[Scalar]:
        return [self.record.handed[slot].parts[self.kind][place] for slot, place in places]

    @cached_property
    def _moved(self) -> list[Scalar]:
        return self._outputs(self.motion)

    @cached_property
    def _hands(self) -> list[Scalar]:
        return self._outputs(self.handed)

    @cached_property
    def _state(self) -> Array:
        return self._from(self.led, "parent")

    @cached_property
    def _load(self) -> Array:
        return self._from(self.taken, 0) if self.children else np.zeros(0, dtype=object)

    @cached_property
    def own(self) -> Array:
        return self._inputs(self.coordinates("own"))

    @cached_property
    def parents(self) -> Array:
        return self._inputs(self.coordinates("parent") if self.has_parent else [])

    # of the motion that it passes on
    @cached_property
    def A(self) -> Array:
        return self._slope(self._moved, self._state)

    @cached_property
    def B(self) -> Array:
        return self._slope(self._moved, self.own)

    @cached_property
    def B_parent(self) -> Array:
        return self._slope(self._moved, self.parents)

    @cached_property
    def V(self) -> Array:
        return self._slope(self._moved, self._load)

    # of what it hands inward
    @cached_property
    def T(self) -> Array:
        return self._slope(self._hands, self._load)

    @cached_property
    def C(self) -> Array:
        return self._slope(self._hands, self._state)

    @cached_property
    def D(self) -> Array:
        return self._slope(self._hands, self.own)

    @cached_property
    def D_parent(self) -> Array:
        return self._slope(self._hands, self.parents)

    # of its results
    @cached_property
    def H(self) -> Array:
        return self._slope(self.results, self._load)

    @cached_property
    def E(self) -> Array:
        return self._slope(self.results, self._state)

    @cached_property
    def G(self) -> Array:
        return self._slope(self.results, self.own)

    @cached_property
    def G_parent(self) -> Array:
        return self._slope(self.results, self.parents)

    def nothing(self) -> Beyond:
        """Of a link that carries none."""
        rows = len(self.taken)
        return Beyond(np.zeros((rows, len(self.motion))), np.zeros((rows, len(self.own))))

    def hand_on(self, beyond: Beyond) -> Beyond:
        """How what this link hands inward answers to its parent's motion and coordinates."""
        if not self.children:
            return Beyond(self.C, self.D_parent)
        through = self.T @ beyond.W
        return Beyond(self.C + through @ self.A, self.D_parent + through @ self.B_parent)

    def answer(self, beyond: Beyond) -> Array:
        """How what comes from the children answers to this link's own coordinates."""
        return beyond.W @ self.B + beyond.P

    def column(self, beyond: Beyond) -> Array:
        """df_i/dz_i: what it hands inward for each of its own coordinates."""
        return self.D + self.T @ self.answer(beyond) if self.children else self.D

    def block(self, beyond: Beyond) -> Array:
        """dr_i/dz_i."""
        return self.G + self.H @ self.answer(beyond) if self.children else self.G

    def answers(self, below: Array) -> Answer:
        """See `answer_rule`; `below` is Omega of its parent."""
        T, H, V = self.T, self.H, self.V
        if not self.has_parent:
            return Answer(V, self.G, H)
        through = self.E @ below
        return Answer(self.A @ below @ T + V, through @ self.D + self.G, through @ T + H)

    def rows(self, beyond: Beyond) -> tuple[Array, Array]:
        """dr_i/ds_p and, directly, dr_i/dz_p."""
        if not self.children:
            return self.E, self.G_parent
        through = self.H @ beyond.W
        return self.E + through @ self.A, self.G_parent + through @ self.B_parent


@dataclass(frozen=True)
class Slopes:
    """All of a Jacobian: a block for every kind of link, and what climbs."""

    blocks: dict[int, Array]
    columns: dict[str, Climb]  # by argument: items are coordinates, cells results
    rows: Climb | None  # items are results, cells coordinates


def link_slopes(
    record: Recorder, wrt: tuple[str, ...], results: list[list[Scalar]]
) -> list[LinkSlopes]:
    moving = record.moving(wrt)
    return [LinkSlopes(record, k, wrt, values, moving) for k, values in enumerate(results)]


def chain_rule(
    record: Recorder, wrt: tuple[str, ...], results: list[list[Scalar]], symmetric: bool = False
) -> Slopes:
    """The Jacobian of the results (by kind of link) of a recorded quantity of two sweeps. Of a
    symmetric one the columns are enough."""
    of = link_slopes(record, wrt, results)
    beyond = record.inward(
        own=lambda k: of[k].nothing(),
        carry=lambda k, total: of[k].hand_on(total),
        close=lambda k, total: total,
    )
    blocks = {k: x.block(beyond[k]) for k, x in enumerate(of)}
    inward = any(x.taken for x in of)  # else nothing comes back from what a link carries
    starts = {name: _columns(of, beyond, name) for name in (wrt if inward else ())}
    rows = (
        []
        if symmetric
        else [list(zip(*x.rows(b), strict=True)) for x, b in zip(of, beyond, strict=False)]
    )
    columns = {name: _columns_climb(record, of, start) for name, start in starts.items()}
    return Slopes(blocks, columns, _rows_climb(record, of, rows) if rows else None)


def _columns(of: list[LinkSlopes], beyond: list[Beyond], name: str) -> list[list[Array]]:
    """The columns of an argument's coordinates, by kind."""
    out = []
    for x, b in zip(of, beyond, strict=False):
        chosen = [i for i, source in enumerate(x.coordinates("own")) if source.name == name]
        out.append(list(x.column(b).T[chosen]))
    return out


def _columns_climb(record: Recorder, of: list[LinkSlopes], starts: list[list[Array]]) -> Climb:
    return record.climb(start=lambda k: starts[k], step=lambda k, x: (of[k].T @ x, of[k].H @ x))


def _rows_climb(
    record: Recorder, of: list[LinkSlopes], starts: list[list[tuple[Array, Array]]]
) -> Climb:
    def step(k: int, x: tuple[Array, Array]) -> tuple[tuple[Array, Array], Array]:
        return (x[0] @ of[k].A, x[0] @ of[k].B_parent), x[0] @ of[k].B + x[1]

    return record.climb(start=lambda k: starts[k], step=step)


def answer_rule(record: Recorder, wrt: tuple[str, ...], results: list[list[Scalar]]) -> Slopes:
    """The symmetric matrix of answers to unit forces, M^-1, of a chain: loads x go inward first,
    motion comes outward after them,

        x_p = T x_i,    s_i = A s_p + V x_i,    r_i = E s_p + H x_i.

    A load that reaches link i moves it by s_i = Omega_i x_i, whatever it came from: from the
    base outward, Omega_i = A Omega_p T + V. So a force at a link far out leaves
    r_i = (E Omega_p T + H) x_i in each of its ancestors, as it climbs.
    """
    of = link_slopes(record, wrt, results)
    none = np.zeros((0, 0))
    answers = record.outward(lambda k, below: of[k].answers(below.Omega), Answer(none, none, none))
    starts = [list(x.D.T) for x in of]
    climb = record.climb(
        start=lambda k: starts[k], step=lambda k, x: (of[k].T @ x, answers[k].cells @ x)
    )
    blocks = {k: answers[k].block for k in range(len(of))}
    (name,) = wrt
    return Slopes(blocks, {name: climb}, None)
