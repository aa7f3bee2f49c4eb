"""Derivatives of a graph, written into the same graph.

Forward mode carries one direction through all operations; reverse mode one weight through
them backwards. What is zero stays out, what is equal merges with what is there already.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..types import Array, Scalar
from .graph import Expression, Graph
from .operations import LEAVES, OPERATIONS, operands


def _partials(graph: Graph, n: int) -> tuple[Scalar, ...]:
    """d(node n)/d(each operand)."""
    key = graph.keys[n]
    of = [Expression(graph, k).plain() for k in operands(key)]
    return OPERATIONS[key[0]].partials(Expression(graph, n), *of)


def pushforward(graph: Graph, outputs: Sequence[Scalar], seeds: dict[int, Scalar]) -> list[Scalar]:
    """Derivative of the outputs when node n moves at the rate seeds[n]."""
    need = graph.live(outputs)
    rate: dict[int, Scalar] = dict(seeds)
    for n, key in enumerate(graph.keys[: len(need)]):
        if not need[n] or key[0] in LEAVES or n in seeds:
            continue
        rates = [rate.get(k, 0.0) for k in operands(key)]
        if all(_zero(x) for x in rates):
            continue
        terms = [p * x for p, x in zip(_partials(graph, n), rates, strict=True)]
        rate[n] = sum(terms[1:], terms[0])
    return [rate.get(x.number, 0.0) if isinstance(x, Expression) else 0.0 for x in outputs]


def pullback(
    graph: Graph, outputs: Sequence[Scalar], weights: Sequence[Scalar]
) -> dict[int, Scalar]:
    """d(sum weights . outputs)/d(node) for every live input node."""
    need = graph.live(outputs)
    bar: dict[int, Scalar] = {}
    for x, w in zip(outputs, weights, strict=True):
        if isinstance(x, Expression) and not _zero(w):
            bar[x.number] = bar.get(x.number, 0.0) + w
    for n in range(len(need) - 1, -1, -1):
        if not need[n] or graph.keys[n][0] in LEAVES or n not in bar:
            continue
        for k, p in zip(operands(graph.keys[n]), _partials(graph, n), strict=True):
            bar[k] = bar.get(k, 0.0) + p * bar[n]
    return bar


def jacobian(graph: Graph, outputs: Sequence[Scalar], inputs: Array) -> Array:
    """d outputs / d inputs: (outputs, inputs). Backwards when there are fewer outputs."""
    m, n = len(outputs), len(inputs)
    out = np.zeros((m, n), dtype=object)
    if m < n:
        for i, x in enumerate(outputs):
            bar = pullback(graph, [x], [1.0])
            out[i] = [bar.get(v.number, 0.0) for v in inputs]
        return out
    for k, v in enumerate(inputs):
        out[:, k] = pushforward(graph, outputs, {v.number: 1.0})
    return out


def slopes(graph: Graph, outputs: Sequence[Scalar], inputs: Sequence[Scalar]) -> Array:
    """d outputs / d inputs: (outputs, inputs), forwards, all directions in one walk."""
    need = graph.live(outputs)
    rates: dict[int, dict[int, Scalar]] = {x.number: {k: 1.0} for k, x in enumerate(inputs)}
    for n in [n for n, used in enumerate(need) if used and graph.keys[n][0] not in LEAVES]:
        of = operands(graph.keys[n])
        if n in rates or not any(k in rates for k in of):
            continue
        found: dict[int, Scalar] = {}
        for k, p in zip(of, _partials(graph, n), strict=True):
            if _zero(p):
                continue
            for column, x in rates.get(k, {}).items():
                found[column] = found[column] + p * x if column in found else p * x
        rates[n] = {column: x for column, x in found.items() if not _zero(x)}
    out = np.zeros((len(outputs), len(inputs)), dtype=object)
    for i, x in enumerate(outputs):
        for column, value in rates.get(x.number, {}).items() if isinstance(x, Expression) else ():
            out[i, column] = value
    return out


def substitute(graph: Graph, outputs: Sequence[Scalar], new: dict[int, Scalar]) -> list[Scalar]:
    """The outputs with node n replaced by new[n]: every operation on the way is done again."""
    need = graph.live(outputs)
    made: dict[int, Scalar] = dict(new)
    for n, key in enumerate(graph.keys[: len(need)]):
        if not need[n] or n in made or key[0] in LEAVES:
            continue
        of = operands(key)
        if any(k in made for k in of):
            x = [made.get(k, Expression(graph, k)) for k in of]
            made[n] = OPERATIONS[key[0]].symbols(np, *x)
    return [made.get(x.number, x) if isinstance(x, Expression) else x for x in outputs]


def _zero(x: Scalar) -> bool:
    return not isinstance(x, Expression) and x == 0.0
