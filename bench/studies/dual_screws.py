"""Derivatives of all dual projection matrices of the 4-DOF arm as symbols, by the
geometric operator and by differentiation, in one run.

The geometric operator (eqs. 76-79) against symbolic differentiation: by each coordinate and the
chain rule, as in [CibicikEgeland] (11 s against 181 s in MATLAB), and once by time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

import supple
from supple.bodies import Station
from supple.formulations import at_station, projections, station_rate, symbols
from supple.screws.dual import DualArray

from .table import Table

robot = supple.load("cibicik-arm")
q, u = symbols.state(robot)
t = sp.Symbol("t")


def node(i: int) -> Station:
    """The mass centre of a rigid link, a point x with symbolic mode shapes of an elastic one."""
    m = robot.links[i].body.m
    if m == 0:
        c = robot.links[i].body.c0 / robot.links[i].body.mass
        return Station(c, np.zeros((0, 3)), np.zeros((0, 3)))
    S, Theta = np.zeros((m, 3), dtype=object), np.zeros((m, 3), dtype=object)
    for k, name in enumerate(robot.links[i].body.shape_names):
        value, slope = sp.symbols(f"{name}_{i} d{name}_{i}", real=True)
        if name.startswith("torsion"):
            Theta[k, 0] = value
        elif name.startswith("bending_y"):
            S[k, 1], Theta[k, 2] = value, slope
        else:
            S[k, 2], Theta[k, 1] = value, -slope
    return Station(np.array([sp.Symbol("x", real=True), 0, 0]), S, Theta)


def matrices() -> list[DualArray]:
    """P^_1 ... P^_4 (6, 16). Reference: eqs. (119)-(122)."""
    P = projections(robot, q)
    return [at_station(robot, i, node(i), P[i], q)[0] for i in range(4)]


def geometric(P: list[DualArray]) -> list[DualArray]:
    return [station_rate(robot, i, node(i), P[i], u) for i in range(4)]


def by_entry(P: list[DualArray], rate: Callable[[Any], Any]) -> list[DualArray]:
    each = np.vectorize(lambda x: rate(sp.sympify(x)), otypes=[object])
    return [DualArray(each(p.r), each(p.d)) for p in P]


def chain_rule(x: Any) -> Any:
    """sum dx/dq_k u_k over the coordinates that occur."""
    there = x.free_symbols
    return sp.Add(*(x.diff(a) * b for a, b in zip(q, u, strict=True) if a in there))


MOVING = {a: sp.Function(a.name)(t) for a in q}
SPEEDS = {sp.Derivative(f, t): b for f, b in zip(MOVING.values(), u, strict=True)}
BACK = {f: a for a, f in MOVING.items()}


def by_time(x: Any) -> Any:
    """dx/dt with coordinates that are functions of time."""
    return x.xreplace(MOVING).diff(t).xreplace(SPEEDS).xreplace(BACK)


def clocked(f: Callable[[list[DualArray]], Any]) -> tuple[float, Any]:
    """Best of three, SymPy's memory wiped before each."""
    best = float("inf")
    for _ in range(3):
        sp.core.cache.clear_cache()
        P = matrices()
        start = time.perf_counter()
        out = f(P)
        best = min(best, time.perf_counter() - start)
    return best, out


def numbers(P: list[DualArray]) -> Any:
    """At a random state, to compare."""
    rng = np.random.default_rng(0)
    flat = sp.Matrix([sp.sympify(x) for p in P for part in (p.r, p.d) for x in part.flat])
    free = sorted(flat.free_symbols, key=lambda s: s.name)
    values = {s.name: rng.normal() for s in sorted({*free, *q, *u}, key=lambda s: s.name)}
    return np.array(sp.lambdify(free, flat)(*(values[s.name] for s in free)), dtype=float)


def size(P: list[DualArray]) -> int:
    return sum(sp.count_ops(x) for p in P for part in (p.r, p.d) for x in part.flat)


def study(_: float) -> list[Table]:
    fast, ours = clocked(geometric)
    slow, theirs = clocked(lambda P: by_entry(P, chain_rule))
    once, others = clocked(lambda P: by_entry(P, by_time))
    assert np.allclose(numbers(ours), numbers(theirs), rtol=1e-11, atol=1e-11)
    assert np.allclose(numbers(ours), numbers(others), rtol=1e-11, atol=1e-11)
    columns = ("derivatives of P1 ... P4 as symbols", "seconds", "operations", "times slower")
    found = (
        ("geometric operator", fast, ours),
        ("diff and the chain rule", slow, theirs),
        ("diff by time", once, others),
    )
    return [Table(columns, [(name, s, size(P), s / fast) for name, s, P in found])]
