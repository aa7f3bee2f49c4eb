"""Insignificant terms left out, and listed with their size.

A term of M, U, G or R stands in a sum, and its sum may stand in a product. It is left out when
the whole product cannot reach `tolerance` of the largest value of its entry, at states with
joints anywhere and shapes each of which moves and turns no station by more than a tenth. The
form stays as it is: nothing is multiplied out. D is derived again from what is left of M, so
M_dot - 2 D stays skew.
[LinLewis], 4.4: "Some insignificant terms can be neglected manually"; here the list says which,
and how large they get.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import sympy
from sympy.core.parameters import distribute

from ...errors import InputError
from ...robot import Robot
from ...types import Floats
from .. import subexpressions
from ..deriving.coriolis import coriolis_forms
from ..equations import Equations, LeftOut
from ..subexpressions import tree_cost
from .bounds import Bounds, Interval

STATES = 64
LARGEST = 60_000  # operations whose terms can all be looked at
SMALL = 0.1  # metres and radians by which a shape moves and turns stations


def without_small_terms(eq: Equations, tolerance: float) -> Equations:
    """Without the terms smaller than `tolerance` of their entry; never longer than before."""
    _check(eq)
    count = 0
    for new in _candidates(eq, tolerance):
        count = count or len(new.left_out)
        if _shorter(new, eq):
            used = {e.name for e in subexpressions.distinct(new.entries) if e.is_Symbol}
            return replace(new, parameters=tuple(p for p in new.parameters if p.name in used))
    if not count:
        return eq
    note = (
        f"drop={tolerance:g}: without the {count} terms below this share the equations would not "
        f"be shorter, since D follows M; none was left out"
    )
    return replace(eq, notes=(*eq.notes, note))


def _check(eq: Equations) -> None:
    if any(link.joint.nq != link.joint.nv for link in eq.robot.links):
        raise InputError("terms cannot be dropped where a joint keeps a quaternion; use zyx angles")
    size = sum(tree_cost([*eq.M, *eq.G]))
    if size > LARGEST:
        raise InputError(
            f"drop looks at every term of M and G: {size} operations of {eq.robot.name} are "
            f"more than {LARGEST}. Use fewer modes, or parameters='numeric'"
        )


def _candidates(eq: Equations, tolerance: float) -> Iterator[Equations]:
    """Every term by itself; then terms of several entries only where all of them can spare it,
    which leaves out less but keeps what entries share."""
    alone, kept = _pruned(eq, tolerance, frozenset())
    together = _pruned(eq, tolerance, kept)[0]
    for new in (alone, together):
        if new.left_out == eq.left_out:
            continue
        for D in coriolis_forms(new):
            yield replace(new, D=D)


def _shorter(new: Equations, old: Equations) -> bool:
    now, before = new.operations(), old.operations()
    return now["written"] <= before["written"] and now["common"] <= before["common"]


def _pruned(
    eq: Equations, tolerance: float, needed: frozenset[sympy.Expr]
) -> tuple[Equations, frozenset[sympy.Expr]]:
    """The equations without small terms, D as it was, and the terms that were kept."""
    bounds = Bounds(_box(eq.robot, eq))
    states = bounds.states(STATES, np.random.default_rng(0))
    kept: set[sympy.Expr] = set()
    done: dict[sympy.Expr, _ShorterEntry] = {}
    listed: list[LeftOut] = []

    def change(name: str, i: int, j: int, e: sympy.Expr) -> sympy.Expr:
        if name not in ("M", "U", "G", "R") or e.is_Atom:
            return e
        if e not in done:
            done[e] = _entry(e, tolerance, bounds, states, needed)
            kept.update(done[e].kept)
        if j >= i or name == "G":
            place = f"{name}[{i + 1}]" if name == "G" else f"{name}[{i + 1},{j + 1}]"
            listed.extend(replace(x, where=place) for x in done[e].left_out)
        return done[e].short

    new = eq.mapped(change)
    return replace(new, left_out=(*eq.left_out, *listed)), frozenset(kept)


def _box(robot: Robot, eq: Equations) -> dict[sympy.Symbol, Interval]:
    """Limits of all symbols."""
    box: dict[sympy.Symbol, Interval] = {s: (v, v) for s, v in eq.values.items()}
    for link in robot.links:
        wide = [np.pi if axis < 3 else 1.0 for axis in link.joint.axes]
        if link.joint.nq != link.joint.nv:  # quaternions
            wide = [1.0] * link.joint.nq
        box |= {s: (-far, far) for s, far in zip(eq.q[link.q], wide, strict=True)}
        every = [np.hstack([at.S, at.Theta]) for at in link.body.stations.values()]
        reach = np.maximum(np.abs(np.hstack(every)).max(axis=1, initial=0.0), 1e-3)
        pairs = zip(eq.q[link.d], SMALL / reach, strict=True)
        box |= {s: (-far, far) for s, far in pairs}
    return box


@dataclass
class _ShorterEntry:
    """One entry as its small terms go."""

    short: sympy.Expr
    least: float  # a term below this goes
    largest: float  # of the entry's values
    bounds: Bounds
    needed: frozenset[sympy.Expr]  # terms that stay because another entry keeps them
    kept: set[sympy.Expr] = field(default_factory=set)
    left_out: list[LeftOut] = field(default_factory=list)

    def of(self, e: sympy.Expr, factors: tuple[sympy.Expr, ...] = ()) -> sympy.Expr:
        """e, which stands in a product with these factors, without its small terms."""
        if e.is_Add:
            return sympy.Add(*(self.of(x, factors) for x in e.args if self._keeps(x, factors)))
        return self._of_product(e, factors) if e.is_Mul else e

    def _of_product(self, e: sympy.Expr, factors: tuple[sympy.Expr, ...]) -> sympy.Expr:
        """Factor by factor: those before are short already, so what goes adds up to
        factors (e - short)."""
        parts = list(e.args)
        for k in range(len(parts)):
            if parts[k].is_Add:
                others = (*parts[:k], *parts[k + 1 :])
                parts[k] = self.of(parts[k], (*factors, *others))
                if parts[k] == 0:
                    return sympy.S.Zero
        return sympy.Mul(*parts)

    def _keeps(self, term: sympy.Expr, factors: tuple[sympy.Expr, ...]) -> bool:
        size = self.bounds.size(term, *factors)
        bare = term.as_coeff_Mul()[1]
        if size >= self.least or bare in self.needed:
            self.kept.add(bare)
            return True
        whole = sympy.Mul(*factors, term)
        self.left_out.append(LeftOut("", whole, size / self.largest, size))
        return False


def _entry(
    e: sympy.Expr,
    tolerance: float,
    bounds: Bounds,
    states: dict[sympy.Symbol, Floats],
    needed: frozenset[sympy.Expr],
) -> _ShorterEntry:
    (values,) = subexpressions.evaluate([e], states)
    largest = float(np.abs(values).max())
    out = _ShorterEntry(e, tolerance * largest, largest, bounds, needed)
    with distribute(False):  # 2 (a + b) stays as it is
        out.short = out.of(e)
    return out
