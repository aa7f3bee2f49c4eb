"""Mode shapes given by the user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import ClassVar

import numpy as np

from ..expressions import FUNCTIONS, derivatives, parse
from ..frozen import Portable
from .base import Array, Family, Line, Shapes, option
from .quadrature import gauss

Given = str | tuple[Callable[[float], float], ...]
Chain = list[Callable[[Array], Array]]


@dataclass(frozen=True)
class Functions(Portable, Family):
    """Each function a text in x [m] and L, or callables (phi, phi', phi''[, phi''']) of x [m].

    Texts such as "(x/L)**2 * (3 - x/L)" are parsed against a list of allowed names and
    differentiated exactly. `root_values(shapes)` tells what they are at the joint.
    """

    functions: tuple[Given, ...] = option(
        "formulas",
        f"Your shapes as formulas in x and L, with pi, + - * / **, {', '.join(FUNCTIONS)}. "
        "They vanish at x = 0 and have no kinks.",
        '["(x/L)**2*(3 - x/L)/2"]',
    )
    name: ClassVar[str] = "functions"
    meaning: ClassVar[str] = "are your formulas"
    listed: ClassVar[str] = "functions"

    def __post_init__(self) -> None:
        if isinstance(self.functions, str) or not self.functions:
            raise ValueError(f"functions is {self.functions!r}; it must be a list of functions")
        object.__setattr__(self, "functions", tuple(self.functions))
        for given in self.functions:
            if isinstance(given, str):
                parse(given)
            elif not (isinstance(given, tuple) and all(callable(f) for f in given)):
                raise ValueError(f"function {given!r} must be a text or a tuple of callables")

    def shapes(self, count: int, line: Line) -> Shapes:
        if count > len(self.functions):
            raise ValueError(f"{count} modes asked for, but {len(self.functions)} functions given")
        given = (self, max(count, 0), line.length, line.order)
        highest = min([line.order + 1, *(len(chain) - 1 for chain in _chains(*given))])
        shapes = Shapes(count, partial(_rows, *given), highest)
        self._check_finite(shapes, line)
        self._check_smooth(shapes, line)
        return shapes

    def _check_finite(self, shapes: Shapes, line: Line) -> None:
        """No value is infinite, and the integrals of the squares settle as the points get
        denser: beside a pole they grow without end."""
        x = np.linspace(0.0, line.length, 33)
        rules = [gauss(np.linspace(0.0, line.length, n + 1), 20) for n in (8, 17, 35)]
        for d in range(line.order + 1):
            for points in (x, *(rule[0] for rule in rules)):
                bad = np.argwhere(~np.isfinite(shapes(points, d)))
                if len(bad):
                    k, i = bad[0]
                    raise ValueError(f"{self._what(k, d)} is not finite at x = {points[i]:g}")
            with np.errstate(all="ignore"):
                squares = np.array([shapes(points, d) ** 2 @ w for points, w in rules])
                low, high = squares.min(axis=0), squares.max(axis=0)
                settled = high - low <= 0.05 * high
            for k in map(int, np.flatnonzero(~settled)):
                raise ValueError(
                    f"{self._what(k, d)} has a pole on the beam, or varies too fast: the integral "
                    f"of its square is {low[k]:.3g} or {high[k]:.3g}, as the points lie; it must "
                    f"be finite from x = 0 to {line.length:g}"
                )

    def _check_smooth(self, shapes: Shapes, line: Line) -> None:
        """Each derivative integrates to the change of the one before: no kinks, no jumps, and
        callables belong together."""
        ends = np.array([0.0, line.length])
        x, w = gauss(np.linspace(0.0, line.length, 36), 20)
        for d in range(line.order):
            values = shapes(ends, d)
            change, rate = values[:, 1] - values[:, 0], shapes(x, d + 1)
            left, size = np.abs(rate @ w - change), np.abs(rate) @ w + np.abs(change)
            for k in map(int, np.flatnonzero(left > 1e-3 * size)):
                raise ValueError(
                    f"{self._what(k, d)} changes by {change[k]:.3g} from x = 0 to {line.length:g}, "
                    f"but its derivative integrates to {rate[k] @ w:.3g}: it has a kink or a jump, "
                    f"or varies too fast"
                )

    def _what(self, k: int, d: int) -> str:
        return f"function {self.functions[k]!r}" + (f", derivative {d}," if d else "")


def _rows(
    family: Functions, count: int, length: float, order: int, x: Array, derivative: int
) -> Array:
    chains = _chains(family, count, length, order)
    with np.errstate(all="ignore"):
        rows = [chain[derivative](x) for chain in chains]
    return np.array(rows, dtype=float).reshape(len(chains), len(x))


@lru_cache(maxsize=256)
def _chains(family: Functions, count: int, length: float, order: int) -> list[Chain]:
    return [_chain(given, length, order) for given in family.functions[:count]]


def _chain(given: Given, length: float, order: int) -> Chain:
    """[phi, phi', ...] as functions of x: (n,)."""
    if isinstance(given, str):
        return list(derivatives(given, length, order + 1))
    if len(given) < order + 1:
        needed = "(phi, phi', phi'')" if order == 2 else "(phi, phi')"
        raise ValueError(f"{len(given)} callables given for a function; at least {needed} needed")
    return [_one_by_one(f) for f in given]


def _one_by_one(f: Callable[[float], float]) -> Callable[[Array], Array]:
    return lambda x: np.array([float(f(float(value))) for value in x])
