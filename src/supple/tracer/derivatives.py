"""Derivatives of a graph, written into the same graph.

Forward mode carries one direction through all operations; reverse mode one weight through
them backwards. What is zero stays out, what is equal merges with what is there already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from ..types import Array, Scalar
from .graph import Expression, Graph
from .operations import LEAVES, OPERATIONS, operands


@dataclass
class _Partials:
    """d(node n)/d(each operand), made when they are first asked for."""

    graph: Graph
    known: dict[int, tuple[Scalar, ...]] = field(default_factory=dict)

    def __getitem__(self, n: int) -> tuple[Scalar, ...]:
        if n not in self.known:
            graph, key = self.graph, self.graph.keys[n]
            of = [Expression(graph, k).plain() for k in operands(key)]
            self.known[n] = OPERATIONS[key[0]].partials(Expression(graph, n), *of)
        return self.known[n]


def _made(graph: Graph, outputs: Sequence[Scalar]) -> list[int]:
    """The nodes that the outputs need, in order, inputs and constants left out."""
    need = graph.live(outputs)
    return [n for n in compress(range(len(need)), need) if graph.keys[n][0] not in LEAVES]


def pushforward(graph: Graph, outputs: Sequence[Scalar], seeds: dict[int, Scalar]) -> list[Scalar]:
    """Derivative of the outputs when node n moves at the rate seeds[n]."""
    return _pushed(graph, outputs, seeds, _made(graph, outputs), _Partials(graph))


def _pushed(
    graph: Graph,
    outputs: Sequence[Scalar],
    seeds: dict[int, Scalar],
    made: list[int],
    partials: _Partials,
) -> list[Scalar]:
    rate: dict[int, Scalar] = dict(seeds)
    for n in made:
        if n in seeds:
            continue
        of = operands(graph.keys[n])
        if all(k not in rate or _zero(rate[k]) for k in of):
            continue
        terms = [p * rate.get(k, 0.0) for p, k in zip(partials[n], of, strict=True)]
        rate[n] = sum(terms[1:], terms[0])
    return [rate.get(x.number, 0.0) if isinstance(x, Expression) else 0.0 for x in outputs]


def pullback(
    graph: Graph, outputs: Sequence[Scalar], weights: Sequence[Scalar]
) -> dict[int, Scalar]:
    """d(sum weights . outputs)/d(node) for every live input node."""
    return _pulled(graph, outputs, weights, _Partials(graph))


def _pulled(
    graph: Graph, outputs: Sequence[Scalar], weights: Sequence[Scalar], partials: _Partials
) -> dict[int, Scalar]:
    bar: dict[int, Scalar] = {}
    for x, w in zip(outputs, weights, strict=True):
        if isinstance(x, Expression) and not _zero(w):
            bar[x.number] = bar.get(x.number, 0.0) + w
    for n in reversed(_made(graph, outputs)):
        if n not in bar:
            continue
        for k, p in zip(operands(graph.keys[n]), partials[n], strict=True):
            bar[k] = bar.get(k, 0.0) + p * bar[n]
    return bar


def jacobian(graph: Graph, outputs: Sequence[Scalar], inputs: Array) -> Array:
    """d outputs / d inputs: (outputs, inputs). Backwards when there are fewer outputs."""
    m, n = len(outputs), len(inputs)
    out, partials = np.zeros((m, n), dtype=object), _Partials(graph)
    if m < n:
        for i, x in enumerate(outputs):
            bar = _pulled(graph, [x], [1.0], partials)
            out[i] = [bar.get(v.number, 0.0) for v in inputs]
        return out
    made = _made(graph, outputs)
    for k, v in enumerate(inputs):
        out[:, k] = _pushed(graph, outputs, {v.number: 1.0}, made, partials)
    return out


def slopes(graph: Graph, outputs: Sequence[Scalar], inputs: Sequence[Scalar]) -> Array:
    """d outputs / d inputs: (outputs, inputs), forwards, all directions in one walk."""
    partials = _Partials(graph)
    rates: dict[int, dict[int, Scalar]] = {x.number: {k: 1.0} for k, x in enumerate(inputs)}
    for n in _made(graph, outputs):
        of = operands(graph.keys[n])
        if n in rates or not any(k in rates for k in of):
            continue
        found: dict[int, Scalar] = {}
        for k, p in zip(of, partials[n], strict=True):
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
    other: dict[int, Scalar] = dict(new)
    for n in _made(graph, outputs):
        key = graph.keys[n]
        of = operands(key)
        if n not in other and any(k in other for k in of):
            x = [other.get(k, Expression(graph, k)) for k in of]
            other[n] = OPERATIONS[key[0]].symbols(np, *x)
    return [other.get(x.number, x) if isinstance(x, Expression) else x for x in outputs]


def _zero(x: Scalar) -> bool:
    return not isinstance(x, Expression) and x == 0.0
