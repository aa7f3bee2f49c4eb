"""Derivatives of a graph, written into the same graph.

Forward mode carries one direction through all operations; reverse mode one weight through
them backwards. What is zero stays out, what is equal merges with what is there already.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..types import Array, Scalar
from .graph import Expression, Graph


def _partials(graph: Graph, n: int) -> tuple[Scalar, Scalar]:
    """d(node n)/d(its operands)."""
    op, a, b = graph.keys[n]
    x = Expression(graph, int(a))
    me = Expression(graph, n)
    if op == "+":
        return 1.0, 1.0
    if op == "-":
        return 1.0, -1.0
    if op == "*":
        return Expression(graph, b)._plain(), x._plain()
    if op == "neg":
        return -1.0, 0.0
    if op == "1/":
        return -(me * me), 0.0
    if op == "sin":
        return x.cos(), 0.0
    if op == "cos":
        return -x.sin(), 0.0
    if op == "sqrt":
        return 0.5 / me, 0.0
    return 1.0 - me * me, 0.0  # tanh


def pushforward(graph: Graph, outputs: Sequence[Scalar], seeds: dict[int, Scalar]) -> list[Scalar]:
    """Derivative of the outputs when node n moves at the rate seeds[n]."""
    need = graph.live(outputs)
    rate: dict[int, Scalar] = dict(seeds)
    for n in range(len(need)):
        op, a, b = graph.keys[n]
        if not need[n] or op in ("const", "input") or n in seeds:
            continue
        da, db = rate.get(int(a), 0.0), rate.get(b, 0.0) if b >= 0 else 0.0
        if _zero(da) and _zero(db):
            continue
        pa, pb = _partials(graph, n)
        rate[n] = pa * da + pb * db
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
        op, a, b = graph.keys[n]
        if not need[n] or op in ("const", "input") or n not in bar:
            continue
        pa, pb = _partials(graph, n)
        bar[int(a)] = bar.get(int(a), 0.0) + pa * bar[n]
        if b >= 0:
            bar[b] = bar.get(b, 0.0) + pb * bar[n]
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


def substitute(graph: Graph, outputs: Sequence[Scalar], new: dict[int, Scalar]) -> list[Scalar]:
    """The outputs with node n replaced by new[n]: every operation on the way is done again."""
    need = graph.live(outputs)
    made: dict[int, Scalar] = dict(new)
    for n in range(len(need)):
        op, a, b = graph.keys[n]
        if not need[n] or n in made or op in ("const", "input"):
            continue
        if int(a) not in made and b not in made:
            continue
        x = made.get(int(a), Expression(graph, int(a)))
        y = made.get(b, Expression(graph, b)) if b >= 0 else None
        made[n] = _again(op, x, y)
    return [made.get(x.number, x) if isinstance(x, Expression) else x for x in outputs]


def _again(op: str, x: Scalar, y: Scalar) -> Scalar:
    if op == "+":
        return x + y
    if op == "-":
        return x - y
    if op == "*":
        return x * y
    if op == "neg":
        return -x
    return 1.0 / x if op == "1/" else getattr(np, op)(x)


def _zero(x: Scalar) -> bool:
    return not isinstance(x, Expression) and x == 0.0
