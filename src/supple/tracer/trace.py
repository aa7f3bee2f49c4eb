"""A traced function: its graph, its symbols, its results, and how to differentiate it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from types import MappingProxyType

import numpy as np

from ..errors import interrupts_unchanged
from ..lazy import cached_property
from ..types import Array, Scalar
from .derivatives import jacobian, pullback, pushforward, slopes
from .graph import Graph
from .program import Program, program

Slope = Callable[[Graph, dict[str, Array], list[Scalar], str], Array]
"""(graph, inputs, flat results, argument) -> d results / d argument."""


@dataclass(frozen=True)
class Tangent:
    """An argument that moves by `size` rates u: x_dot = rates(x, u), linear in u. A unit quaternion
    of four numbers has three."""

    size: int
    rates: Callable[[Array, Array], Array]


Tangents = Mapping[str, Tangent]
"""By argument; those that are not named move by rates of their own numbers."""

NO_TANGENTS: Tangents = MappingProxyType({})


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
        return self._program

    @cached_property
    def _program(self) -> Program:
        return program(self.graph, self.flat, list(self.inputs.values()))

    def jacobian(self, *wrt: str, tangents: Tangents = NO_TANGENTS) -> Trace:
        """d(results)/d(wrt): each result gets a last axis, of all arguments in wrt in turn, or of
        the rates of those that have tangents."""
        parts = [self._by_rates(self._slope(name), name, tangents) for name in wrt]
        rows, word = np.hstack(parts), "_".join(wrt)
        shapes = {f"d{x}_d{word}": (*shape, rows.shape[1]) for x, shape in self.shapes.items()}
        return Trace(self.graph, self.inputs, _arrays(rows.ravel(), shapes))

    def jvp(self, wrt: Sequence[str], tangents: Tangents = NO_TANGENTS) -> Trace:
        """J v, forwards: an argument d(name) for each in wrt, results d(result)."""
        ways: dict[str, Array] = {}
        seeds: dict[int, Scalar] = {}
        for name in wrt:
            x, along = self.inputs[name], tangents.get(name)
            v = ways[f"d{name}"] = self.graph.vector(f"d{name}", along.size if along else len(x))
            moved = along.rates(x, v) if along else v
            seeds |= {a.number: rate for a, rate in zip(x, moved, strict=True)}
        flat: Array = np.array(pushforward(self.graph, self.flat, seeds), dtype=object)
        shapes = {f"d{x}": shape for x, shape in self.shapes.items()}
        return Trace(self.graph, self.inputs | ways, _arrays(flat, shapes))

    def vjp(self, wrt: Sequence[str], tangents: Tangents = NO_TANGENTS) -> Trace:
        """J^T w, backwards, all in one walk: an argument (result)_bar for each result, its numbers
        row by row, and results (name)_bar."""
        sizes = {f"{x}_bar": prod(shape) for x, shape in self.shapes.items()}
        weights = {name: self.graph.vector(name, size) for name, size in sizes.items()}
        bar = pullback(self.graph, self.flat, [w for v in weights.values() for w in v])
        out = {}
        for name in wrt:
            slope = np.array([bar.get(x.number, 0.0) for x in self.inputs[name]], dtype=object)
            out[f"{name}_bar"] = self._by_rates(slope, name, tangents)
        return Trace(self.graph, self.inputs | weights, out)

    def hessian(self, *wrt: str) -> Trace:
        """d^2(results)/d(wrt)^2: two more axes; one half is computed, the other is the same."""
        first, word = self.jacobian(*wrt), "_".join(wrt)
        x = np.concatenate([self.inputs[name] for name in wrt])
        n = len(x)
        H = slopes(self.graph, first.flat, list(x)).reshape(-1, n, n)
        low = np.tril_indices(n, -1)
        H[:, low[0], low[1]] = H[:, low[1], low[0]]
        shapes = {f"d2{r}_d{word}_d{word}": (*shape, n, n) for r, shape in self.shapes.items()}
        return Trace(self.graph, self.inputs, _arrays(H.ravel(), shapes))

    def hessian_vector(self, wrt: str) -> Trace:
        """The Jacobian's change along a direction v of wrt: inputs get "v", shapes stay those
        of the Jacobian."""
        first = self.jacobian(wrt)
        v = self.graph.vector("v", len(self.inputs[wrt]))
        seeds = {x.number: d for x, d in zip(self.inputs[wrt], v, strict=True)}
        flat = np.array(pushforward(self.graph, first.flat, seeds), dtype=object)
        return Trace(self.graph, {**self.inputs, "v": v}, _arrays(flat, first.shapes))

    def _by_rates(self, slope: Array, name: str, tangents: Tangents) -> Array:
        """A slope by the numbers of an argument as one by its rates."""
        if name not in tangents:
            return slope
        along, x = tangents[name], self.inputs[name]
        ways = [along.rates(x, e) for e in np.eye(along.size)]
        return np.asarray(slope @ np.array(ways, dtype=object).T)

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
    with interrupts_unchanged():
        values = function(*inputs.values())
    each = [values] if len(names) == 1 else list(values)
    arrays = {name: np.asarray(v, dtype=object) for name, v in zip(names, each, strict=True)}
    return Trace(graph, inputs, arrays, slope)
