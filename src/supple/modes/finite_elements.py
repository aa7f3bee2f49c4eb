"""Modes of a non-uniform beam by p-version finite elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from math import ceil, factorial
from typing import ClassVar

import numpy as np
from numpy.polynomial import legendre

from .base import Array, Family, Line, Shapes, option
from .quadrature import gauss

Evaluate = Callable[[Array, int], Array]

_DEGREE = 19
_POINTS = 32
_ROOTS = ("clamped", "pinned")


@dataclass(frozen=True)
class FiniteElements(Family):
    """Modes of a beam with any mass(x), stiffness(x), breaks and tip body.

    int k phi^(n) psi^(n) dx = w^2 [int m phi psi dx + tip],     n = 2 in bending, else 1
    tip = m_t (phi + e phi')(psi + e psi') + J_t phi' psi'       at x = L

    On each element the strain phi^(n) is a polynomial of degree 19; phi is its n-fold integral
    from the root, so it is smooth across elements (the space of Hermite or hat functions with
    bubbles, in a basis where the stiffness is nearly diagonal). With stiffness R^T R and mass
    A^T A the frequencies are 1 / singular values of A R^-1: no digits are lost by squaring.

    Scale: int m phi^2 dx + tip = 1, phi(L) > 0. `root="pinned"` frees the slope in bending and
    leaves the rigid rotation out: it is the joint's coordinate.
    """

    root: str = option(
        _ROOTS,
        "whether the root is clamped (default) or pinned.",
        "pinned",
        default="clamped",
    )
    name: ClassVar[str] = "finite_elements"
    meaning: ClassVar[str] = "are modes of the beam as it is"

    def __post_init__(self) -> None:
        if self.root not in _ROOTS:
            raise ValueError(f"root is {self.root!r}; allowed are {', '.join(_ROOTS)}")

    def shapes(self, count: int, line: Line) -> Shapes:
        from scipy.linalg import qr, solve_triangular, svd  # slow to import

        nodes, order = mesh(line, count), line.order
        x, w = gauss(nodes, _POINTS)
        A = _mass_rows(line, x, w, lambda x, d: basis(x, nodes, d, order).T)
        slope = np.zeros(A.shape[1])
        if self.root == "pinned" and line.bending:
            rigid = _mass_rows(line, x, w, lambda x, d: _rotation(x, d)[:, None])[:, 0]
            slope = rigid @ A / (rigid @ rigid)
            A = A - np.outer(rigid, slope)
        strain = basis(x, nodes, order, order).T
        R = qr(np.sqrt(w * line.stiffness(x))[:, None] * strain, mode="r")[0][: A.shape[1]]
        _, singular, Vt = svd(solve_triangular(R, A.T, trans="T").T, full_matrices=False)
        c = solve_triangular(R, Vt[:count].T / singular[:count])
        formula = partial(_integrals, nodes, order, slope)
        shapes = Shapes(count, partial(formula, c), order + 1, omegas=1.0 / singular[:count])
        return replace(shapes, formula=partial(formula, c * _signs(shapes, nodes)))


def _integrals(
    nodes: Array, order: int, slope: Array, c: Array, x: Array, derivative: int
) -> Array:
    flexible: Array = c.T @ basis(x, nodes, derivative, order)
    return flexible - np.outer(slope @ c, _rotation(x, derivative))


def mesh(line: Line, count: int) -> Array:
    """Element ends: at the breaks, and between them at equal steps of the phase of the waves.

    The phase is int (m / k)^(1/4) dx in bending, int (m / k)^(1/2) dx else.
    """
    pieces = []
    for a, b in pairwise(line.ends):
        x = np.linspace(a, b, 401)
        middle = 0.5 * (x[1:] + x[:-1])
        m, k = line.mass(middle), line.stiffness(middle)
        if not ((m > 0.0) & (k > 0.0)).all():
            raise ValueError(f"mass and stiffness must be positive between x = {a:g} and {b:g}")
        wave = (m / k) ** (0.5 / line.order)
        pieces.append((x, np.append(0.0, np.cumsum(wave * np.diff(x)))))
    whole = sum(phase[-1] for _, phase in pieces)
    wanted = max(4, ceil(count / 2))
    nodes = [np.zeros(1)]
    for x, phase in pieces:
        steps = ceil(wanted * phase[-1] / whole - 1e-9)
        inner = np.interp(np.linspace(0.0, phase[-1], steps + 1)[1:-1], phase, x)
        nodes.append(np.append(inner, x[-1]))
    return np.concatenate(nodes)


def basis(x: Array, nodes: Array, derivative: int, order: int) -> Array:
    """(elements * 20, len(x)): functions whose strain is one Legendre polynomial on one element.

    Before its element a function is zero; beyond, it goes on with no strain.
    """
    values = np.zeros((len(nodes) - 1, _DEGREE + 1, len(x)))
    element = np.clip(np.searchsorted(nodes, x, side="right") - 1, 0, len(nodes) - 2)
    for i, (a, b) in enumerate(pairwise(nodes)):
        half, inside, beyond = (b - a) / 2.0, element == i, element > i
        local = (x[inside] - a) / half - 1.0
        if local.size:
            values[i][:, inside] = legendre.legval(local, _coefficients(order - derivative, half))
        for d in range(derivative, order):
            end = _coefficients(order - d, half).sum(axis=0)
            power = (x[beyond] - b) ** (d - derivative) / factorial(d - derivative)
            values[i][:, beyond] += np.outer(end, power)
    return values.reshape(-1, len(x))


def _coefficients(integrals: int, half: float) -> Array:
    """Legendre coefficients, one column a polynomial, integrated from the left end that often
    on an element of length 2 half."""
    return np.asarray(_unit_coefficients(integrals) * half**integrals)


@cache
def _unit_coefficients(integrals: int) -> Array:
    one = np.eye(_DEGREE + 1)
    if integrals < 0:
        return np.asarray(legendre.legder(one, -integrals), dtype=float)
    return np.asarray(legendre.legint(one, integrals, lbnd=-1), dtype=float)


def _mass_rows(line: Line, x: Array, w: Array, phi: Evaluate) -> Array:
    """A with |A c|^2 = int m phi^2 dx + tip, for phi(x, derivative): (len(x), n)."""
    rows = [np.sqrt(w * line.mass(x))[:, None] * phi(x, 0)]
    L = np.array([line.length])
    if line.bending:
        rows.append(np.sqrt(line.tip_mass) * (phi(L, 0) + line.tip_offset * phi(L, 1)))
        rows.append(np.sqrt(line.tip_inertia) * phi(L, 1))
    else:
        rows.append(np.sqrt(line.tip_mass) * phi(L, 0))
    return np.concatenate(rows)


def _signs(shapes: Shapes, nodes: Array) -> Array:
    """+1 or -1 for each shape: the sign of phi(L), or of the largest phi where the tip rests."""
    phi = shapes(np.linspace(0.0, nodes[-1], 16 * len(nodes)))
    largest = np.take_along_axis(phi, np.abs(phi).argmax(axis=1, keepdims=True), 1)[:, 0]
    tip = phi[:, -1]
    return np.sign(np.where(np.abs(tip) > 1e-9 * np.abs(largest), tip, largest))


def _rotation(x: Array, derivative: int) -> Array:
    """phi = x and its derivatives."""
    return x if derivative == 0 else np.full_like(x, 1.0 if derivative == 1 else 0.0)
