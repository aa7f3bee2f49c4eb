"""A difference and its opposite are one operation."""

import numpy as np

from supple.tracer import Graph, evaluate
from supple.tracer.program import program


def _traced(outputs):
    graph = Graph()
    a, b, c = (graph.input(name) for name in "abc")
    ends = outputs(a, b, c)
    made = program(graph, ends, [np.array([a, b, c], dtype=object)])
    values = evaluate(graph, ends, [2.0, 5.0, 7.0])
    return made, values


def test_an_opposite_alone_is_the_difference_the_other_way_round():
    made, values = _traced(lambda a, b, c: [-(a - b)])
    assert [op for op, *_ in made.ops if op != "input"] == ["-"]
    assert values == [3.0]


def test_a_product_with_either_is_one_product():
    made, values = _traced(lambda a, b, c: [c + (a - b) * c, c + (-(a - b)) * c])
    assert made.operations()["additions"] == 3
    assert made.operations()["multiplications"] == 1
    assert values == [-14.0, 28.0]


def test_both_as_results_cost_one_subtraction():
    made, values = _traced(lambda a, b, c: [a - b, -(a - b), (b - a) * c])
    assert made.operations()["additions"] == 1
    assert values == [-3.0, 3.0, 21.0]


def test_an_opposite_taken_twice_is_swapped_once():
    made, values = _traced(lambda a, b, c: [-(a - b), np.sqrt(-(a - b)) + c])
    assert made.operations()["additions"] == 2
    assert "neg" not in [op for op, *_ in made.ops]
    assert np.allclose(values, [3.0, np.sqrt(3.0) + 7.0], rtol=1e-15)
