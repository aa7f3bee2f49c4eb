"""The linearised equations as SymPy symbols: run the same code on symbols.

Only sine and cosine need help: NumPy asks a coordinate for them by name.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy

from ..robot import Robot
from ..types import Array, Scalar
from . import kane


class Coordinate(sympy.Symbol):  # type: ignore[misc]
    """A real symbol whose sine and cosine NumPy can take."""

    def __new__(cls, name: str) -> Coordinate:
        return super().__new__(cls, name, real=True)  # type: ignore[no-any-return]

    def sin(self) -> sympy.Expr:
        return sympy.sin(self)

    def cos(self) -> sympy.Expr:
        return sympy.cos(self)


def coordinates(names: Sequence[str]) -> Array:
    """(n,) array of coordinates with these names."""
    out = np.empty(len(names), dtype=object)
    out[:] = [Coordinate(name) for name in names]
    return out


def state(robot: Robot) -> tuple[Array, Array]:
    """Symbols q (nq,) and u (nv,), named as the robot's coordinates and speeds."""
    return coordinates(robot.coordinate_names), coordinates(
        [f"{name}_dot" for name in robot.velocity_names]
    )


def matrix(x: Array) -> sympy.Matrix:
    """As a SymPy matrix, without the ones and zeros of floating point."""
    exact = sympy.Matrix(np.atleast_2d(np.asarray(x, dtype=object)))
    return exact.applyfunc(_tidy)


def _tidy(x: Scalar) -> sympy.Expr:
    x = sympy.sympify(x)
    whole = {f: sympy.Integer(int(f)) for f in x.atoms(sympy.Float) if f == int(f)}
    return x.xreplace(whole)


def equations(robot: Robot, order: kane.Order = kane.PAPER) -> kane.KaneEquations:
    """M, C, K, D and gravity in the symbols of `state(robot)`."""
    q, u = state(robot)
    eq = kane.equations(robot, q, u, order)
    parts = (eq.M, eq.C, eq.K, eq.D, eq.gravity[:, None])
    return kane.KaneEquations(*(matrix(x) for x in parts))
