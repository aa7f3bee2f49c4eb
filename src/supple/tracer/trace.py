"""A traced function: its graph, its symbols, its results, and how to differentiate it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

from ..types import Array, Scalar
from .derivatives import jacobian, pushforward
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
    def shapes(self) -> dict[str, tuple[int, ...]]:
        return {name: np.shape(v) for name, v in self.results.items()}

    def program(self) -> Program:
        return program(self.graph, self.flat, list(self.inputs.values()))

    def jacobian(self, *wrt: str) -> Trace:
        """d(results)/d(wrt): each result gets a last axis, of all arguments in wrt in turn."""
        rows, word = np.hstack([self._slope(name) for name in wrt]), "_".join(wrt)
        shapes = {f"d{x}_d{word}": (*shape, rows.shape[1]) for x, shape in self.shapes.items()}
        return Trace(self.graph, self.inputs, _arrays(rows.ravel(), shapes))

    def hessian_vector(self, wrt: str) -> Trace:
        """The Jacobian's change along a direction v of wrt: inputs get "v", shapes stay those
        of the Jacobian."""
        first = self.jacobian(wrt)
        v = self.graph.vector("v", len(self.inputs[wrt]))
        seeds = {x.number: d for x, d in zip(self.inputs[wrt], v, strict=True)}
        flat = np.array(pushforward(self.graph, first.flat, seeds), dtype=object)
        return Trace(self.graph, {**self.inputs, "v": v}, _arrays(flat, first.shapes))

    def _slope(self, wrt: str) -> Array:
        if self.slope is not None:
            return self.slope(self.graph, self.inputs, self.flat, wrt)
        return jacobian(self.graph, self.flat, self.inputs[wrt])


def places(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, slice]:
    """Where each result lies in the row of all their numbers."""
    out, at = {}, 0
    for name, shape in shapes.items():
        out[name] = slice(at, at + prod(shape))
        at += prod(shape)
    return out


def _arrays(flat: Array, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Array]:
    return {name: flat[where].reshape(shapes[name]) for name, where in places(shapes).items()}


def traced_arrays(
    function: Callable[..., Array | tuple[Array, ...]],
    sizes: dict[str, int],
    names: tuple[str, ...],
    slope: Slope | None = None,
) -> Trace:
    """Run `function` on symbols of these sizes."""
    graph = Graph()
    inputs = {name: graph.vector(name, size) for name, size in sizes.items()}
    values = function(*inputs.values())
    each = [values] if len(names) == 1 else list(values)
    arrays = {name: np.asarray(v, dtype=object) for name, v in zip(names, each, strict=True)}
    return Trace(graph, inputs, arrays, slope)
