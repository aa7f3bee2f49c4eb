"""Functions with a kink: the same of floats, of expressions and of dual numbers."""

from __future__ import annotations

import math

import pytest

from supple.screws import larger, positive, smaller, step
from supple.screws.dual import Dual, Elastic
from supple.tracer import Graph, evaluate


@pytest.mark.parametrize(("a", "b"), [(1.0, 2.0), (2.0, 1.0), (-1.0, -3.0), (0.0, 0.0)])
def test_numbers_and_expressions(a: float, b: float) -> None:
    graph = Graph()
    x, y = graph.input("x"), graph.input("y")
    out = [larger(x, y), smaller(x, y), larger(x, b), larger(a, y), positive(x), step(x)]
    wanted = [max(a, b), min(a, b), max(a, b), max(a, b), max(a, 0.0), float(a > 0.0)]
    assert evaluate(graph, out, [a, b]) == wanted
    assert [larger(a, b), smaller(a, b), positive(a), step(a)] == [*wanted[:2], *wanted[4:]]


@pytest.mark.parametrize("kind", [Dual, Elastic])
def test_the_slope_is_that_of_the_larger_one_and_at_the_kink_that_of_the_side_at_rest(kind) -> None:
    near, far = kind(1.0, 5.0), kind(2.0, 7.0)
    assert larger(near, far) == larger(far, near) == far
    assert smaller(near, far) == smaller(far, near) == near
    assert larger(near, 3.0) == kind(3.0, 0.0) == larger(3.0, near)
    assert positive(kind(0.0, 4.0)) == kind(0.0, 0.0)
    assert step(far) == kind(1.0, 0.0)


def test_a_dual_number_may_be_over_others() -> None:
    inner, outer = Dual(2.0, 1.0), Elastic(Dual(1.0, 3.0), 0.5)
    assert larger(inner, outer) == larger(outer, inner) == Elastic(inner, Dual(0.0, 0.0))


def test_what_is_no_number_stays_none() -> None:
    for a, b in ((math.nan, 1.0), (1.0, math.nan)):
        assert math.isnan(larger(a, b))
