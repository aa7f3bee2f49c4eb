"""Second-order kinematics of a beam's sections, with curvatures and twist as coordinates.

A section at x has turned by theta_1 = (alpha, -w', v') to first order; its curvature and twist
kappa = theta_1' are exact, in section axes. From R' = R kappa~ and r' = (1 + u') R e_1 follow

    theta_2(x) = 1/2 int_0^x theta_1 x kappa
    r_2(x)     = int_0^x theta_2 x e_1 + 1/2 theta_1 x (theta_1 x e_1) + u' theta_1 x e_1

R = exp(theta~) with theta = theta_1 + theta_2 is a true rotation and equals (16) to second
order; r is (18), with extension as well. Both are quadratic in the shapes d:
r_2 = 1/2 S2_kl d_k d_l, theta_2 = 1/2 Theta2_kl d_k d_l.
Reference: [Piedboeuf], eqs. (11)-(18), (57)-(66); errata: (24), (63), (65).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..modes import Line
from ..modes.quadrature import POINTS, line_points
from ..types import Floats

if TYPE_CHECKING:
    from .beam import Basis, Beam

E1 = np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True)
class Grid:
    """Gauss points and weights on [0, x], panel by panel."""

    x: Floats
    weight: Floats

    def running(self, f: Floats) -> Floats:
        """int_0^x f at every point of the grid; f: (..., points, 3)."""
        shape = (*f.shape[:-2], -1, POINTS, 3)
        half = 0.5 * self.weight.reshape(-1, POINTS).sum(axis=1)[:, None, None]
        parts = f.reshape(shape)
        inside = half * (_RUNNING @ parts)
        whole = (self.weight.reshape(-1, POINTS)[:, :, None] * parts).sum(axis=-2)
        before = np.cumsum(whole, axis=-2) - whole
        return np.asarray((inside + before[..., None, :]).reshape(f.shape))

    def ends(self, f: Floats) -> Floats:
        """int_0^x f at the ends of the panels, the first included; f: (points, 3)."""
        parts = (self.weight[:, None] * f).reshape(-1, POINTS, 3).sum(axis=1)
        return np.concatenate([np.zeros((1, 3)), np.cumsum(parts, axis=0)])

    def total(self, f: Floats) -> Floats:
        """int_0^x f over the whole grid: (..., 3)."""
        return np.asarray(self.weight @ f)


def _running_weights() -> Floats:
    """(points, points): int_{-1}^{t_i} of the polynomial that is one at t_j, zero at the others."""
    legendre = np.polynomial.legendre
    t, w = legendre.leggauss(POINTS)
    n = np.arange(POINTS)
    values = legendre.legvander(t, POINTS - 1)  # P_n(t_j)
    coefficients = (values * w[:, None]).T * (n[:, None] + 0.5)  # Legendre series of each
    return np.asarray(legendre.legval(t, legendre.legint(coefficients, lbnd=-1)).T)


_RUNNING = _running_weights()


def grid(beam: Beam, base: Basis, x: float) -> Grid:
    """Points on [0, x], enough for products of the beam's shapes."""
    count = max((f.count for f in base.fields), default=0)
    inner = tuple(b for b in beam.breaks if b < x)
    return Grid(*line_points(Line(x, beam.mass, beam.mass, inner), count))


@dataclass(frozen=True)
class SecondDerivatives:
    """Second derivatives by d_k and every d_l, at every point of a grid: (m, points, 3)."""

    k: int
    points: Grid
    Theta2: Floats
    dS2: Floats  # their slopes along x
    dTheta2: Floats

    @property
    def S2(self) -> Floats:
        return self.points.running(self.dS2)


def rows(base: Basis, points: Grid) -> Iterator[SecondDerivatives]:
    """One row for each shape k of the beam."""
    t, kappa, stretch = (
        base.rotation(points.x),
        base.rotation(points.x, 1),
        base.stretch(points.x)[:, :, None],
    )
    te = _cross_x(t)
    for k in range(len(t)):
        dTheta2 = 0.5 * (_cross(t[k], kappa) + _cross(t, kappa[k]))
        Theta2 = points.running(dTheta2)
        dS2 = _cross_x(Theta2) + 0.5 * (_cross(t[k], te) + _cross(t, te[k]))
        dS2 = dS2 + stretch[k] * te + stretch * te[k]
        yield SecondDerivatives(k, points, Theta2, dS2, dTheta2)


def _cross(a: Floats, b: Floats) -> Floats:
    """a x b along the last axis, with less ado than np.cross."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[..., i] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    return out


def _cross_x(a: Floats) -> Floats:
    """a x e_1 = (0, a_z, -a_y) along the last axis."""
    out = np.zeros(a.shape)
    out[..., 1], out[..., 2] = a[..., 2], -a[..., 1]
    return out


@dataclass(frozen=True)
class EndTensors:
    """S2 and Theta2 (m, m, 3) of the section at the end of a grid, in beam axes."""

    S2: Floats
    Theta2: Floats

    @classmethod
    def none(cls, m: int) -> EndTensors:
        return cls(np.zeros((m, m, 3)), np.zeros((m, m, 3)))

    def take(self, row: SecondDerivatives) -> None:
        """One row more."""
        self.S2[row.k] = row.points.total(row.dS2)
        self.Theta2[row.k] = row.points.total(row.dTheta2)


def end_tensors(beam: Beam, base: Basis, x: float) -> EndTensors:
    """Of the section at x."""
    out = EndTensors.none(sum(f.count for f in base.fields))
    for row in rows(base, grid(beam, base, x)) if x > 0.0 else ():
        out.take(row)
    return out
