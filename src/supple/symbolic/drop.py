"""Insignificant terms left out, and listed with their size.

Terms of M, U, G and R are compared with the largest of their entry over many states: joints
anywhere, shapes that move a tip by a tenth of a unit. D is derived again from what is left of
M, so M_dot - 2 D stays skew. [LinLewis], 4.4: "Some insignificant terms can be neglected
manually"; here the list says which, and how large they get.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import sympy

from ..errors import InputError
from ..types import Floats
from . import walk
from .equations import Equations, LeftOut, tree_cost

STATES = 64
LARGEST = 60_000  # operations that can be multiplied out


def dropped(eq: Equations, tolerance: float) -> Equations:
    """Without the terms smaller than `tolerance` of the largest in their entry."""
    if not 0.0 < tolerance < 1.0:
        raise InputError(f"drop is {tolerance!r}; it is a share of the largest term, below 1")
    if any(link.joint.nq != link.joint.nv for link in eq.robot.links):
        raise InputError("terms cannot be dropped where a joint keeps a quaternion; use zyx angles")
    size = sum(tree_cost([*eq.M, *eq.G]))
    if size > LARGEST:
        raise InputError(
            f"drop multiplies out all terms of M and G: {size} operations of {eq.robot.name} are "
            f"more than {LARGEST}. Use fewer modes, or parameters='numeric'"
        )
    states = _states(eq)
    listed: list[LeftOut] = []

    def change(name: str, i: int, j: int, e: Any) -> Any:
        if name not in ("M", "U", "G", "R") or e.is_Atom:
            return e
        kept, out = _split(e, tolerance, states)
        if j >= i or name == "G":
            place = f"{name}[{i + 1}]" if name == "G" else f"{name}[{i + 1},{j + 1}]"
            listed.extend(LeftOut(place, term, share) for term, share in out)
        return kept

    new = eq.mapped(change)
    new = replace(new, D=christoffel(new), left_out=(*eq.left_out, *listed))
    used = {e.name for e in walk.distinct(new.entries) if e.is_Symbol}
    return replace(new, parameters=tuple(p for p in new.parameters if p.name in used))


def _states(eq: Equations) -> dict[Any, Floats]:
    """Values of all symbols at the states that decide what is small."""
    rng = np.random.default_rng(0)
    values: dict[Any, Floats] = {s: np.full(STATES, v) for s, v in eq.values.items()}
    robot = eq.robot
    q = np.array([robot.neutral()] * STATES)
    for link in robot.links:
        wide = np.pi if link.joint.kind == "revolute" else 1.0
        q[:, link.q] = rng.uniform(-wide, wide, (STATES, link.joint.nq))
        tip = link.body.stations.get("tip")
        if link.body.m and tip is not None:
            reach = np.maximum(np.abs(np.hstack([tip.S, tip.Theta])).max(axis=1), 1e-3)
            q[:, link.d] = rng.uniform(-0.1, 0.1, (STATES, link.body.m)) / reach
    values |= {s: q[:, k] for k, s in enumerate(eq.q)}
    return values | {s: rng.uniform(-1.0, 1.0, STATES) for s in eq.qd}


def _split(
    e: Any, tolerance: float, states: dict[Any, Floats]
) -> tuple[Any, list[tuple[Any, float]]]:
    terms = sympy.Add.make_args(sympy.expand(e))
    sizes = [float(np.abs(v).max()) for v in walk.evaluate(list(terms), states)]
    top = max(sizes)
    shares = [size / top if top else 0.0 for size in sizes]
    out = [(t, s) for t, s in zip(terms, shares, strict=True) if s < tolerance]
    if not out:
        return e, []
    return sympy.Add(*(t for t, s in zip(terms, shares, strict=True) if s >= tolerance)), out


def christoffel(eq: Equations) -> Any:
    """D_ab = sum_c 1/2 (dM_ab/dq_c + dM_ac/dq_b - dM_bc/dq_a) qd_c, by SymPy."""
    n = eq.M.rows
    slope = [
        [[eq.M[min(a, b), max(a, b)].diff(c) for c in eq.q] for b in range(n)] for a in range(n)
    ]
    half = sympy.Rational(1, 2)

    def entry(a: int, b: int) -> Any:
        return sympy.Add(
            *(
                half * (slope[a][b][c] + slope[a][c][b] - slope[b][c][a]) * eq.qd[c]
                for c in range(n)
            )
        )

    return sympy.ImmutableMatrix(n, n, entry)
