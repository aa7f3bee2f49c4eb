"""Terms left out: the equations get shorter, the list adds up, and its sizes are bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import sympy

import supple
from sequences import of, skew_defect
from supple.symbolic import subexpressions
from supple.symbolic.shortening.bounds import Bounds
from supple.symbolic.stumpff import function

SHORT = [name for name in supple.shipped() if supple.load(name).nv <= 6]


def states(robot: supple.Robot, count: int) -> Any:
    """(nq, count): joints anywhere, each shape moves and turns stations by a tenth at most."""
    rng = np.random.default_rng(11)
    q = rng.uniform(-np.pi, np.pi, (robot.nq, count))
    for link in robot.links:
        if link.joint.kind == "prismatic":
            q[link.q] /= np.pi
        for k in range(link.body.m):
            tips = [(at.S[k], at.Theta[k]) for at in link.body.stations.values()]
            q[link.d.start + k] *= 0.1 / np.pi / np.abs(tips).max()
    return q


def values(eq: supple.Equations, expressions: list[Any], q: Any) -> Any:
    at = {**eq.values, **dict(zip(eq.q, q, strict=True))}
    return np.array([x + 0.0 * q[0] for x in subexpressions.evaluate(expressions, at)])


def gaps(eq: supple.Equations, short: supple.Equations, q: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Of every entry of M, U, G and R: what is listed, the full values, what is missing."""
    for matrix in ("M", "U", "G", "R"):
        X = getattr(eq, matrix)
        full, less = values(eq, list(X), q), values(eq, list(getattr(short, matrix)), q)
        for k in range(len(X)):
            i, j = divmod(k, X.cols)
            place = f"{matrix}[{i + 1}]" if matrix == "G" else f"{matrix}[{i + 1},{j + 1}]"
            if j >= i or matrix == "G":
                gone = [x for x in short.left_out if x.where == place]
                yield gone, full[k], full[k] - less[k]


@pytest.mark.parametrize("share", [1e-3, 1e-2, 1e-1])
@pytest.mark.parametrize("name", SHORT)
def test_leaving_out_never_lengthens_and_errs_by_less_than_listed(name: str, share: float) -> None:
    eq = of(name)
    short = eq.without(share)
    assert all(short.operations()[n] <= eq.operations()[n] for n in ("written", "common"))
    assert all(0.0 <= x.share < share for x in short.left_out)
    q = states(eq.robot, 200)
    assert skew_defect(short, q[:, 0], np.ones(eq.robot.nv)) < 1e-12
    for gone, full, gap in gaps(eq, short, q):
        largest = np.abs(full).max()
        assert np.abs(gap).max() <= sum(x.size for x in gone) + 1e-12 * largest
        assert np.abs(gap).max() <= len(gone) * share * 1.5 * largest
        listed = values(eq, [sympy.Add(*(x.term for x in gone))], q)
        assert np.abs(gap - listed).max() <= 1e-12 * largest


def test_a_form_stays_as_it_is() -> None:
    """Leaving out takes terms out of factored sums; it multiplies nothing out."""
    eq = of("lin-lewis-rfr")
    short = eq.without(0.1)
    assert len(short.left_out) > 20
    for new, old in zip([*short.M, *short.G], [*eq.M, *eq.G], strict=True):
        sums = {len(e.args) for e in subexpressions.distinct([old]) if e.is_Add}
        assert all(len(e.args) <= max(sums) for e in subexpressions.distinct([new]) if e.is_Add)


def test_what_cannot_get_shorter_stays_and_says_so() -> None:
    eq = of("stanford")
    short = eq.without(1e-4)
    assert not short.left_out
    assert short.D == eq.D
    assert "none was left out" in short.notes[-1]


def test_bounds_hold_at_random_places() -> None:
    x, y, s = sympy.symbols("x y s")
    box = {x: (-2.0, 0.5), y: (0.2, 3.0), s: (0.0, 4.0)}
    cases = [x * y - y**2, x**2 * sympy.sin(x) / y, (x - y) ** 3, sympy.cos(x) * function(2)(s)]
    bounds = Bounds(box)
    at = bounds.states(500, np.random.default_rng(3))
    for e, value in zip(cases, subexpressions.evaluate(cases, at), strict=True):
        low, high = bounds.of(e)
        assert low <= value.min()
        assert value.max() <= high
        assert np.abs(value).max() > 0.3 * bounds.size(e)
    assert bounds.size(1 / x) == np.inf
    assert bounds.of(x**2) == (0.0, 4.0)
