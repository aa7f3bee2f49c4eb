"""The graph on which equations are written: its inputs have names and meanings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isclose

import numpy as np

from ...errors import unknown_name
from ...tracer import Expression, Graph, evaluate, pushforward
from ...types import Array, Floats, Scalar


@dataclass(frozen=True)
class Parameter:
    """A named constant: its value and what it stands for.

    `kind` is "model" for what the model file says, "integral" for an integral of mode shapes
    or a value of one; `exact` is its closed form as text, where it has one.
    """

    name: str
    value: float
    meaning: str
    kind: str = "model"
    exact: str = ""


@dataclass(frozen=True)
class Series:
    """The Stumpff functions of one argument, as symbols of the graph."""

    s: Expression
    c: dict[int, Expression]


class NamedGraph:
    """A graph, the parameters met so far, and the functions that stay functions."""

    def __init__(self, chosen: frozenset[str] | None) -> None:
        self.graph = Graph()
        self.chosen = chosen  # None: all of them are symbols
        self.parameters: dict[str, Parameter] = {}
        self.nodes: dict[str, Scalar] = {}
        self._series: dict[int, Series] = {}

    def variables(self, names: Iterable[str]) -> Array:
        """Coordinates or rates."""
        out = np.array([self.graph.input(name) for name in names], dtype=object)
        return out.reshape(-1)

    def parameter(self, p: Parameter) -> Scalar:
        """A symbol for the parameter, or its value where no symbol is wanted; a zero is zero."""
        if p.value == 0.0:
            return 0.0
        while p.name in self.parameters:
            if isclose(self.parameters[p.name].value, p.value, rel_tol=1e-12):
                return self.nodes[p.name]
            p = replace(p, name=f"{p.name}_2")  # the name is taken by something else
        self.parameters[p.name] = p
        symbolic = self.chosen is None or p.name in self.chosen
        self.nodes[p.name] = self.graph.input(p.name) if symbolic else p.value
        return self.nodes[p.name]

    def check_chosen(self) -> None:
        """Every name asked for must be the name of a parameter."""
        for name in sorted(self.chosen or ()):
            if name not in self.parameters:
                raise unknown_name("parameter", name, self.parameters, where="this robot")

    def stumpff(self, s: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """c1, c2, c3 of s, which stay names: their series would bury the equations."""
        c = self.series(s).c
        return c[1], c[2], c[3]

    def series(self, s: Expression) -> Series:
        if s.number not in self._series:
            c = {k: self.graph.input(f"c{k}#{s.number}") for k in range(1, 8)}
            self._series[s.number] = Series(s, c)
        return self._series[s.number]

    @property
    def all_series(self) -> list[Series]:
        return list(self._series.values())

    def along(self, outputs: list[Scalar], rates: dict[int, Scalar]) -> list[Scalar]:
        """Derivative of the outputs when the inputs (by node) move at these rates.

        c_k'(s) = (k c_{k+2} - c_{k+1}) / 2.
        """
        seeds = dict(rates)
        for one in self.all_series:
            (speed,) = pushforward(self.graph, [one.s], rates)
            if isinstance(speed, Expression):
                for k in range(1, 6):  # c4 and c5 are there after a first derivative
                    slope = 0.5 * (float(k) * one.c[k + 2] - one.c[k + 1])
                    seeds[one.c[k].number] = slope * speed
        return pushforward(self.graph, outputs, seeds)

    def numbers(self, X: Array) -> Floats:
        """The values of expressions of parameters alone, in the shape of X."""
        X = np.asarray(X, dtype=object)
        known = self.parameters
        values = [known[n].value if n in known else 0.0 for n in self.graph.inputs]
        return np.array(evaluate(self.graph, list(X.ravel()), values), dtype=float).reshape(X.shape)
