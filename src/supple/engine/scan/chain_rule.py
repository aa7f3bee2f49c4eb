"""Derivatives of a quantity by the chain rule over the links: no sweep for every column.

A quantity of two or three sweeps is, for link i with parent p, coordinates z and children c,

    s_i = s(s_p, z_p, z_i)                      motion, outward
    f_i = f(s_p, z_p, z_i, sum_c f_c)           what it hands to its parent, inward
    m_i = m(m_p, s_p, z_p, z_i, sum_c f_c)      the motion that answers, outward (or none)
    r_i = r(m_p, s_p, z_p, z_i, sum_c f_c)      its results.

Their slopes are those of one step, and are written by the graph itself. With
W_i = sum_c df_c/ds_i and P_i = sum_c df_c/dz_i of all that i carries, the inward sweep

    df_i/ds_p = C + T W A,    df_i/dz_p = D_p + T W B_p          (A = ds_i/ds_p, B = ds_i/dz, ...)

ends in every link knowing how all beyond it answers. A load x that reaches link i from beyond
moves it by Omega_i x, whatever it came from: outward, Omega_i = A_m Omega_p T + V (T = df_i/dx,
V = dm_i/dx). Then a coordinate of link j reaches its ancestors by its column x = df_j/dz_j, which
climbs by x <- T x and leaves (E_m Omega_p T + H) x in their results; and the results of link j
reach the coordinates of its ancestors by their rows dr_j/d(m_p, s_p, z_p), which climb likewise.
There are as many steps as pairs of a link and an ancestor. Links on two branches meet where these
part: dr_i/dz_j = (dr_i/dm) Omega x_j there.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from ...lazy import cached_property
from ...tracer import slopes, substitute
from ...types import Array, Scalar
from .recorder import IN, Climb, Recorder, Slot, Source

Place = tuple[Slot, int]
"""A number that links hand on."""


@dataclass(frozen=True)
class SubtreeResponse:
    """Derivatives of what the children of a link hand to it: with respect to the link's motion (W)
    and to its coordinates (P)."""

    W: Array
    P: Array

    def __add__(self, other: SubtreeResponse) -> SubtreeResponse:
        return SubtreeResponse(self.W + other.W, self.P + other.P)


@dataclass(frozen=True)
class Row:
    """Derivatives of results with respect to a link's answering motion (m), its motion (s) and its
    coordinates (z)."""

    m: Array
    s: Array
    z: Array


@dataclass(frozen=True)
class LinkShare:
    """What one link adds to the Jacobian.

    Omega is all that its children read. `block` is dr_i/dz_i, `column` df_i/dz_i, `cells` what a
    load leaves in its results as it passes; `row` is dr_i/d(m_p, s_p, z_p). As a row passes, it
    leaves row.m @ moved.m + row.s @ moved.s + row.z, and goes on by `m`, `s`.
    """

    Omega: Array
    block: Array
    column: Array
    cells: Array
    row: Row
    moved: Row  # d(m_i, s_i)/dz_i
    m: Row  # dm_i/d(m_p, s_p, z_p)
    s: Row  # ds_i/d(m_p, s_p, z_p)


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
        self.below = record.kinds[kind].parents
        self.above = [k for k, x in enumerate(record.kinds) if kind in x.parents]
        back = record.directions.index(IN) if IN in record.directions else -1
        scans = range(len(record.directions))

        def places(scans: Sequence[int], kinds: Sequence[int]) -> list[Place]:
            found = [x for i in scans for x in record.places(i, kinds[0])] if kinds else []
            return [place for place in found if place in moving]

        first = scans[:back] if back >= 0 else scans
        last = scans[back + 1 :] if back >= 0 else ()
        self.s_out, self.m_out = places(first, [kind]), places(last, [kind])
        self.s_in, self.m_in = places(first, self.below), places(last, self.below)
        self.f_out = places([back], [kind]) if self.below and back >= 0 else []
        self.f_in = places([back], self.above) if back >= 0 else []

    def coordinates(self, whose: str) -> list[Source]:
        """Those with respect to which is differentiated."""
        record, kind = self.record, self.kind
        return [x for name in self.wrt for x in record.arguments(kind, whose, name)]

    def _symbols(self, sources: list[Source]) -> Array:
        out = np.empty(len(sources), dtype=object)
        out[:] = [self.record.symbol(source) for source in sources]
        return out

    def _from(self, places: list[Place], whose: str | int) -> Array:
        return self._symbols([Source("slot", self.kind, whose, place=p, slot=s) for s, p in places])

    @cached_property
    def inputs(self) -> dict[str, Array]:
        """Of the step: the parent's motions, the coordinates, what comes from the children."""
        return {
            "m": self._from(self.m_in, "parent"),
            "s": self._from(self.s_in, "parent"),
            "x": self._from(self.f_in, 0),
            "own": self._symbols(self.coordinates("own")),
            "parent": self._symbols(self.coordinates("parent") if self.below else []),
        }

    def _outputs(self, places: list[Place]) -> list[Scalar]:
        return [self.record.handed[slot].parts[self.kind][place] for slot, place in places]

    @cached_property
    def outputs(self) -> dict[str, list[Scalar]]:
        places = {"s": self.s_out, "f": self.f_out, "m": self.m_out}
        return {"r": self.results} | {name: self._outputs(x) for name, x in places.items()}

    @cached_property
    def _slopes(self) -> dict[tuple[str, ...], dict[tuple[str, str], Array]]:
        return {}

    def d(self, what: str, wrt: str) -> Array:
        """d(what)/d(wrt). Those of the motion are taken first, the others in a later scan."""
        which = ("s", "f") if what in ("s", "f") else ("m", "r")
        if which not in self._slopes:
            self._slopes[which] = self._taken(which)
        return self._slopes[which][what, wrt]

    def _taken(self, which: tuple[str, ...]) -> dict[tuple[str, str], Array]:
        """All slopes of these; the motion that answers is zero where they are taken."""
        graph = self.record.graph
        outputs = [x for name in which for x in self.outputs[name]]
        found = slopes(graph, outputs, [x for array in self.inputs.values() for x in array])
        zero = {x.number: 0.0 for x in self.inputs["m"]}
        if zero:
            flat = substitute(graph, list(found.ravel()), zero)
            found = np.array(flat, dtype=object).reshape(found.shape)
        out, row = {}, 0
        for what in which:
            column, rows = 0, len(self.outputs[what])
            for wrt, array in self.inputs.items():
                out[what, wrt] = found[row : row + rows, column : column + len(array)]
                column += len(array)
            row += rows
        return out

    def nothing(self) -> SubtreeResponse:
        """Of a link that carries none."""
        rows = len(self.f_in)
        own = len(self.inputs["own"])
        return SubtreeResponse(np.zeros((rows, len(self.s_out))), np.zeros((rows, own)))

    def hand_on(self, beyond: SubtreeResponse) -> SubtreeResponse:
        """How what this link hands inward answers to its parent's motion and coordinates."""
        through = self.d("f", "x") @ beyond.W
        return SubtreeResponse(
            self.d("f", "s") + through @ self.d("s", "s"),
            self.d("f", "parent") + through @ self.d("s", "parent"),
        )

    def answer(self, beyond: SubtreeResponse, Omega: Array) -> LinkShare:
        """`beyond` of this link, Omega of its parent."""
        d = self.d
        load = beyond.W @ d("s", "own") + beyond.P  # that its own coordinates call up beyond it
        column = d("f", "own") + d("f", "x") @ load
        far, on = d("r", "m") @ Omega, d("m", "m") @ Omega

        def whole(what: str, wrt: str) -> Array:
            """With what all beyond it answers to its motion."""
            return np.asarray(d(what, wrt) + d(what, "x") @ beyond.W @ d("s", wrt))

        return LinkShare(
            Omega=on @ d("f", "x") + d("m", "x"),
            block=far @ column + d("r", "own") + d("r", "x") @ load,
            column=column,
            cells=far @ d("f", "x") + d("r", "x"),
            row=Row(d("r", "m"), whole("r", "s"), whole("r", "parent")),
            moved=Row(on @ column + d("m", "own") + d("m", "x") @ load, d("s", "own"), NONE),
            m=Row(d("m", "m"), whole("m", "s"), whole("m", "parent")),
            s=Row(d("s", "m"), d("s", "s"), d("s", "parent")),
        )


NONE = np.zeros((0, 0))


@dataclass(frozen=True)
class Slopes:
    """All of a Jacobian: a block for every kind of link, and what climbs."""

    blocks: dict[int, Array]
    columns: dict[str, Climb]  # by argument: items are coordinates, cells results
    rows: Climb | None  # items are results, cells coordinates


def chain_rule(
    record: Recorder, wrt: tuple[str, ...], results: list[list[Scalar]], symmetric: bool = False
) -> Slopes:
    """The Jacobian of the results (by kind of link) of a recorded quantity. Of a symmetric one
    the columns are enough."""
    moving = record.moving(wrt)
    of = [LinkSlopes(record, k, wrt, values, moving) for k, values in enumerate(results)]
    for x in of:
        x.inputs, x.outputs  # noqa: B018  what was recorded; more is recorded from here on
    back = record.directions.index(IN) if IN in record.directions else None
    with record.again(back) if back is not None else nullcontext():
        beyond = record.inward(
            own=lambda k: of[k].nothing(),
            carry=lambda k, total: of[k].hand_on(total),
            close=lambda k, total: total,
        )
    answers = _answers(record, of, beyond)
    inward = any(x.f_in for x in of)  # else nothing comes back from what a link carries
    starts = {name: _columns(of, answers, name) for name in (wrt if inward else ())}
    columns = {name: _columns_climb(record, of, answers, x) for name, x in starts.items()}
    rows = None if symmetric else _rows_climb(record, answers)
    return Slopes({k: x.block for k, x in enumerate(answers)}, columns, rows)


def _answers(
    record: Recorder, of: list[LinkSlopes], beyond: list[SubtreeResponse]
) -> list[LinkShare]:
    """By kind; one more outward sweep, of Omega, where a motion answers."""
    if not any(x.m_out for x in of):
        return [of[k].answer(beyond[k], np.zeros((0, len(of[k].f_out)))) for k in range(len(of))]
    made: dict[int, LinkShare] = {}

    def step(k: int, Omega: Array) -> Array:
        made[k] = of[k].answer(beyond[k], Omega)
        return made[k].Omega

    record.outward(step, NONE)
    return [made[k] for k in range(len(of))]


def _columns(of: list[LinkSlopes], answers: list[LinkShare], name: str) -> list[list[Array]]:
    """The columns of an argument's coordinates, by kind."""
    out = []
    for x, answer in zip(of, answers, strict=True):
        chosen = [i for i, source in enumerate(x.coordinates("own")) if source.name == name]
        out.append(list(answer.column.T[chosen]))
    return out


def _columns_climb(
    record: Recorder, of: list[LinkSlopes], answers: list[LinkShare], starts: list[list[Array]]
) -> Climb:
    return record.climb(
        start=lambda k: starts[k], step=lambda k, x: (of[k].d("f", "x") @ x, answers[k].cells @ x)
    )


def _rows_climb(record: Recorder, answers: list[LinkShare]) -> Climb:
    def start(k: int) -> list[Row]:
        row = answers[k].row
        return [Row(*parts) for parts in zip(row.m, row.s, row.z, strict=True)]

    def step(k: int, x: Row) -> tuple[Row, Array]:
        at = answers[k]
        on = Row(
            x.m @ at.m.m,
            x.m @ at.m.s + x.s @ at.s.s,
            x.m @ at.m.z + x.s @ at.s.z,
        )
        return on, x.m @ at.moved.m + x.s @ at.moved.s + x.z

    return record.climb(start, step)
