"""Equations in symbols against SymPy's LagrangesMethod, in one run.

The same planar arm and the same Lagrangian: flexible links with two clamped-free shapes each,
all constants symbols. SymPy is given T and V as Supple has them. The arm of three links takes
SymPy a minute or more.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import sympy as sp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

import supple
from supple.engine import Request, trace_quantity
from supple.tracer import jacobian

from .table import Table

Row = tuple[Any, ...]


def arm(links: int) -> supple.Robot:
    words: dict[str, Any] = {"name": f"arm{links}", "gravity": [0, -9.81, 0]}
    words["elastic_kinematics"] = "first_order"  # that of the Lagrangian below
    beam: dict[str, Any] = {"length": 1.0, "mass": 2.0, "EI": 50.0}
    beam |= {"modes": {"bending_y": 2, "family": "clamped_free"}}
    words["links"] = {f"link{i}": {"beam": beam} for i in range(links)}
    words["joints"] = [
        {"type": "revolute", "child": f"link{i}", "parent": f"link{i - 1}" if i else "world"}
        for i in range(links)
    ]
    return supple.build(words)


def ours(robot: supple.Robot) -> tuple[float, supple.Equations]:
    sp.core.cache.clear_cache()
    start = time.perf_counter()
    eq = supple.equations(robot)
    return time.perf_counter() - start, eq


def lagrangian(eq: supple.Equations) -> tuple[Any, list[Any], list[Any]]:
    """L = T - V from absolute positions, as one would write it by hand: every point's velocity
    by differentiating its position, the integrals taken shape by shape."""
    n = len(eq.robot.links)
    t = dynamicsymbols._t
    q = [dynamicsymbols(s.name) for s in eq.q]
    names = {s.name: s for s in eq.values}
    T, V, angle = sp.S.Zero, sp.S.Zero, sp.S.Zero
    p = sp.zeros(2, 1)
    g = names["g"]
    for i in range(1, n + 1):
        theta, d = q[3 * i - 3], q[3 * i - 2 : 3 * i]
        angle = angle + theta
        L, m = names[f"L{i}"], names[f"m{i}"]
        e, f = sp.Matrix([sp.cos(angle), sp.sin(angle)]), sp.Matrix([-sp.sin(angle), sp.cos(angle)])
        u, w = p.diff(t), angle.diff(t)
        a = [sp.Symbol(f"a{i}_v{k}") for k in (1, 2)]
        b = [names[f"b{i}_v{k}"] for k in (1, 2)]
        s = [names[f"e{i}_v{k}v{k}"] for k in (1, 2)]
        mean = sum(a[k] * d[k] for k in (0, 1))
        # int of |u + w x r + r_dot|^2 over the beam, r = xi L e + phi d f
        first = L / 2 * e + mean * f
        T += m / 2 * (u.dot(u) + 2 * u.dot(first.diff(t)))
        T += (
            m
            / 2
            * (w**2 * L**2 / 3 + sum(s[k] * (w**2 * d[k] ** 2 + d[k].diff(t) ** 2) for k in (0, 1)))
        )
        T += m * w * L * sum(b[k] * d[k].diff(t) for k in (0, 1))
        V += m * g * (p + first)[1]
        EI = names[f"EIz{i}"] / L**3
        V += EI / 2 * sum(names[f"k{i}_v{k}v{k}"] * d[k - 1] ** 2 for k in (1, 2))
        if i < n:
            phi = [names[f"phi{i}_v{k}"] for k in (1, 2)]
            slope = [names[f"dphi{i}_v{k}"] / L for k in (1, 2)]
            p = p + L * e + sum(phi[k] * d[k] for k in (0, 1)) * f
            angle = angle + sum(slope[k] * d[k] for k in (0, 1))
    return T - V, q, [x.diff(t) for x in q]


def theirs(eq: supple.Equations) -> tuple[float, Any, Any, list[Any]]:
    L, q, qd = lagrangian(eq)
    sp.core.cache.clear_cache()
    start = time.perf_counter()
    method = LagrangesMethod(L, q)
    method.form_lagranges_equations()
    M, f = method.mass_matrix, method.forcing
    return time.perf_counter() - start, M, f, [*q, *qd]


def same(eq: supple.Equations, M: Any, f: Any, states: list[Any]) -> float:
    """Largest relative difference of M and of all other forces at a random state."""
    rng = np.random.default_rng(0)
    n = len(eq.q)
    q, qd = 0.3 * rng.normal(size=n), rng.normal(size=n)
    values = {s.name: v for s, v in eq.values.items()}
    a = {f"a{i}_v{k}": values[f"a{i}_v{k}"] for i in range(1, n // 3 + 1) for k in (1, 2)}
    here = {**dict(zip(states[n:], qd, strict=True)), **dict(zip(states[:n], q, strict=True))}
    constants = {sp.Symbol(k): v for k, v in {**values, **a}.items()}
    F = sp.lambdify([states, list(constants)], [M, f], cse=True)
    order = [*(here[s] for s in states[:n]), *(here[s] for s in states[n:])]
    M2, f2 = F(order, list(constants.values()))
    x = eq.at(q, qd)
    bias = x["D"] @ qd + x["U"] @ q + x["G"]
    return float(
        max(
            np.abs(np.array(M2) - x["M"]).max() / np.abs(x["M"]).max(),
            np.abs(np.ravel(f2) + bias).max() / np.abs(bias).max(),
        )
    )


def compared(links: int) -> Row:
    robot = arm(links)
    mine, eq = ours(robot)
    other, M, f, states = theirs(eq)
    count = sum(sp.count_ops(x) for x in [*M, *f])
    size = eq.operations()
    error = same(eq, M, f, states)
    times = (mine, other, other / mine)
    return (f"{links} flexible links, 2 shapes each", *times, size["common"], count, error)


def single(count: int) -> Row:
    robot = supple.load("lin-lewis-f").with_modes(count)
    seconds, eq = ours(robot)
    return (f"one link, {count} shapes", seconds, eq.operations()["common"])


def counts(name: str) -> Row:
    """Operations beside the recursion's own trace of the same matrices, M and 1/2 dh/dqd."""
    robot = supple.load(name)
    seconds, eq = ours(robot)
    h, M = (trace_quantity(Request(robot, what)) for what in ("coriolis_force", "mass_matrix"))
    D = jacobian(h.graph, h.flat, h.inputs["qd"])
    recursion = sum(M.graph.operations(M.flat).values())
    recursion += sum(h.graph.operations(list((0.5 * D).ravel())).values())
    size = eq.operations()
    return (name, seconds, size["written"], size["common"], recursion, size["common"] / recursion)


RACE = ("arm", "ours [s]", "LagrangesMethod [s]", "times faster", "operations", "theirs", "differ")
ALONE = ("arm", "seconds", "operations")
SIZES = ("robot", "seconds", "written out", "common terms shared", "recursion, M and D", "ratio")


def study(_: float) -> list[Table]:
    robots = ("lin-lewis-rfr", "canadarm", "puma", "stanford")
    return [
        Table(RACE, [compared(n) for n in (1, 2, 3)]),
        Table(ALONE, [single(n) for n in (2, 15)]),
        Table(SIZES, [counts(name) for name in robots]),
    ]
