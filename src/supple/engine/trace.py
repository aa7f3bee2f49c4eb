"""A traced function: its graph, its symbols, its results, and how to differentiate it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..types import Array, Scalar
from .derive import jacobian, pushforward
from .graph import Graph
from .program import Program, program

Slope = Callable[[Graph, dict[str, Array], list[Scalar], str], Array]
"""(graph, inputs, flat results, argument) -> d results / d argument."""


@dataclass(frozen=True)
class Trace:
    """Inputs and results by name, in order."""

    graph: Graph
    inputs: dict[str, Array]
    results: dict[str, Array]
    slope: Slope | None = None  # a shorter way to the Jacobian, where one is known

    @property
    def flat(self) -> list[Scalar]:
        return [x for value in self.results.values() for x in np.ravel(value)]

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        return tuple(np.shape(v) for v in self.results.values())

    def program(self) -> Program:
        return program(self.graph, self.flat, list(self.inputs.values()))

    def jacobian(self, *wrt: str) -> Trace:
        """d(results)/d(wrt): each result gets a last axis, of all arguments in wrt in turn."""
        parts = [self._slope(name) for name in wrt]
        return Trace(self.graph, self.inputs, self._split(np.hstack(parts), "_".join(wrt)))

    def hessian_vector(self, wrt: str) -> Trace:
        """The Jacobian's change along a direction v of wrt: inputs get "v", shapes stay those
        of the Jacobian."""
        first = self.jacobian(wrt)
        v = self.graph.vector("v", len(self.inputs[wrt]))
        seeds = {x.number: d for x, d in zip(self.inputs[wrt], v, strict=True)}
        flat = np.array(pushforward(self.graph, first.flat, seeds), dtype=object)
        results, at = {}, 0
        for name, value in first.results.items():
            results[name] = flat[at : at + value.size].reshape(value.shape)
            at += value.size
        return Trace(self.graph, {**self.inputs, "v": v}, results)

    def _slope(self, wrt: str) -> Array:
        if self.slope is not None:
            return self.slope(self.graph, self.inputs, self.flat, wrt)
        return jacobian(self.graph, self.flat, self.inputs[wrt])

    def _split(self, rows: Array, wrt: str) -> dict[str, Array]:
        out, at = {}, 0
        for name, value in self.results.items():
            size = int(np.size(value))
            part = rows[at : at + size].reshape((*np.shape(value), rows.shape[1]))
            out[f"d{name}_d{wrt}"] = part
            at += size
        return out


def traced_arrays(
    function: Callable[..., Any],
    sizes: dict[str, int],
    names: tuple[str, ...],
    slope: Slope | None = None,
) -> Trace:
    """Run `function` on symbols of these sizes."""
    graph = Graph()
    inputs = {name: graph.vector(name, size) for name, size in sizes.items()}
    values = function(*inputs.values())
    if len(names) == 1:
        values = (values,)
    arrays = {name: np.asarray(v, dtype=object) for name, v in zip(names, values, strict=True)}
    return Trace(graph, inputs, arrays, slope)
