"""Euler-Bernoulli beams: from a section and mode shapes to the integrals of a modal body.

The beam runs along its own x axis. A section at x moves by u = (u, v, w) and turns by
theta = (alpha, -w', v'): axial extension u, bending v (plane xy) and w (plane xz), torsion
alpha. A section with inertia carries its mass points at s = (0, y, z), displaced by
theta x s + 1/2 theta x (theta x s). Of second order (`section_kinematics`), the
axis is foreshortened and theta itself has products of shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from ..frozen import Frozen
from ..modes import Family, Line, Shapes, scaled
from ..modes.quadrature import line_points
from ..types import Floats
from .body import Body
from .elastic_fields import FIELDS, ElasticField
from .mass_properties import MassProperties
from .profile import Along
from .section_kinematics import EndTensors, SecondDerivatives, end_tensors, grid, rows
from .station import Station
from .visual import Outline


@dataclass(frozen=True)
class FieldShapes:
    """Shapes of one elastic field: which, how many, which family, how scaled."""

    name: str
    count: int
    family: Family
    scale: str = "raw"

    @property
    def kind(self) -> ElasticField:
        return FIELDS[self.name]


@dataclass(frozen=True, eq=False)
class Beam(Frozen):
    """What a beam is made of, along x in [0, length]."""

    length: float
    mass: Along  # per length
    stiffness: dict[str, Along]  # by field: E Iz, E Iy, G J, E A
    turning: tuple[Along, Along, Along] | None = None  # section inertia about x, y, z per length
    tip_angle: str = "slope"  # or "chord": [LinLewis] turns the tip by v(L)/L
    tip: MassProperties | None = None  # the body at the tip, for families that know of it
    per_length: bool = False  # whether the user gave the mass per length
    outline: Outline | None = None  # what its sections look like, where that is known

    @property
    def breaks(self) -> tuple[float, ...]:
        parts = [self.mass, *self.stiffness.values(), *(self.turning or ())]
        inner = {b for p in parts for b in p.breaks}
        return tuple(sorted(b for b in inner if 0.0 < b < self.length))

    def line(self, field: str) -> Line:
        """What a mode family may know of the beam for one field."""
        kind = FIELDS[field]
        mass = self.turning[0] if kind.rotates and self.turning else self.mass
        along = (mass, self.stiffness[field], self.breaks)
        return Line(self.length, *along, *self._tip(kind), bending=kind.bends)

    def _tip(self, field: ElasticField) -> tuple[float, float, float]:
        """Mass, inertia and offset of the tip body as one field meets them."""
        if self.tip is None:
            return 0.0, 0.0, 0.0
        mass, (x, y, z), inertia = self.tip.mass, self.tip.com, self.tip.inertia
        about = field.turn_axis
        if about is None:
            return mass, 0.0, 0.0
        if field.rotates:
            return float(inertia[about, about] + mass * (y * y + z * z)), 0.0, 0.0
        return mass, float(inertia[about, about]), float(x)


@dataclass(frozen=True)
class Basis:
    """All shapes of a beam together: displacement and rotation of any section."""

    fields: tuple[FieldShapes, ...]
    shapes: tuple[Shapes, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{f.name}{k + 1}" for f in self.fields for k in range(f.count))

    def displacement(self, x: Floats) -> Floats:
        """(m, len(x), 3)."""
        parts = [s(x)[:, :, None] * f.kind.move for f, s in self._pairs()]
        return np.concatenate([np.zeros((0, len(x), 3)), *parts])

    def rotation(self, x: Floats, derivative: int = 0) -> Floats:
        """(m, len(x), 3), or its derivative along x: curvature and twist."""
        parts = [_turn(f.kind, s, x, derivative) for f, s in self._pairs()]
        return np.concatenate([np.zeros((0, len(x), 3)), *parts])

    def stretch(self, x: Floats) -> Floats:
        """(m, len(x)): axial strain u'."""
        parts = [
            s(x, 1) if f.kind.stretches else np.zeros((s.count, len(x))) for f, s in self._pairs()
        ]
        return np.concatenate([np.zeros((0, len(x))), *parts])

    def _pairs(self) -> list[tuple[FieldShapes, Shapes]]:
        return list(zip(self.fields, self.shapes, strict=True))


def _turn(kind: ElasticField, shapes: Shapes, x: Floats, derivative: int) -> Floats:
    """(count, len(x), 3): phi about `twist` and phi' about `slope`, where they turn at all."""
    out = np.zeros((shapes.count, len(x), 3))
    if kind.rotates:
        out = out + shapes(x, derivative)[:, :, None] * kind.twist
    if kind.bends:
        out = out + shapes(x, derivative + 1)[:, :, None] * kind.slope
    return out


def basis(beam: Beam, fields: tuple[FieldShapes, ...]) -> Basis:
    """The shape functions a beam is asked to have."""
    shapes = []
    for f in fields:
        line = beam.line(f.name)
        shapes.append(scaled(f.family.shapes(f.count, line), line, f.scale))
    return Basis(fields, tuple(shapes))


def quadrature(beam: Beam, count: int) -> tuple[Floats, Floats]:
    """Gauss points and weights on each smooth stretch, enough for `count` modes."""
    return line_points(Line(beam.length, beam.mass, beam.mass, beam.breaks), count)


def beam_body(beam: Beam, base: Basis, start: Floats, R: Floats, second: bool = False) -> Body:
    """Integrals about the link origin of a beam that starts at `start`, turned by R; with
    products of shapes in its kinematics (`second`) or without."""
    points = grid(beam, base, beam.length)
    x, weight = points.x, points.weight
    dm = beam.mass(x) * weight
    X = np.outer(x, [1.0, 0.0, 0.0]) @ R.T + start  # (g, 3)
    S = base.displacement(x) @ R.T  # (m, g, 3)
    P = _products(S * dm[:, None], S)
    N0, W0 = np.einsum("gi,kgj,g->kij", X, S, dm), np.einsum("gi,gj,g->ij", X, X, dm)
    sigma = second_moments(beam, x, weight)  # (g, 3, 3) of the sections, in beam axes
    of_shapes = _shape_products(rows(base, points) if second else (), len(S), X, dm, sigma, R)
    Q = of_shapes.Q
    if beam.turning is not None:
        dP, dN, dQ = _section(sigma, base, x, R)
        P, N0, W0, Q = P + dP, N0 + dN, W0 + R @ sigma.sum(axis=0) @ R.T, Q + dQ
    Mdd = np.einsum("lkii->lk", P)
    K = clean(_stiffness(beam, base, x, weight))
    return Body(
        mass=float(dm.sum()),
        c0=X.T @ dm,
        c1=np.einsum("kgi,g->ki", S, dm),
        c2=clean(of_shapes.c2),
        W0=W0,
        N0=clean(N0),
        P=clean(P),
        Q=clean(Q),
        Mdd=clean(Mdd),
        K=K,
        D=np.zeros_like(K),
        stations={
            "root": beam_station(beam, base, 0.0, start, R),
            "tip": beam_station(beam, base, beam.length, start, R, of_shapes.end),
        },
        shape_names=base.names,
        root_slope=_root_slope(base, R),
        E=_whitening(x, dm, sigma.sum(axis=0), start, R) if second else np.zeros((0, 4)),
    )


@dataclass(frozen=True)
class ShapeProducts:
    """c2 = int S2 dm, Q = int X S2^T dm + int s (theta_2 x s)^T, and S2, Theta2 of the tip in
    beam axes: what products of shapes add."""

    c2: Floats
    Q: Floats
    end: EndTensors


def _shape_products(
    products: Iterable[SecondDerivatives], m: int, X: Floats, dm: Floats, sigma: Floats, R: Floats
) -> ShapeProducts:
    c2, Q, end = np.zeros((m, m, 3)), np.zeros((m, m, 3, 3)), EndTensors.none(m)
    spread = np.einsum("gii->ig", sigma)  # sigma is diagonal
    for row in products:
        end.take(row)
        S2 = row.S2 @ R.T
        c2[row.k] = dm @ S2
        Q[row.k] = (X.T * dm) @ S2
        if np.any(spread):
            turn = np.einsum("lini->lin", _skews(spread @ row.Theta2))
            Q[row.k] += R @ turn @ R.T
    return ShapeProducts(c2, Q, end)


def _whitening(x: Floats, dm: Floats, sigma: Floats, start: Floats, R: Floats) -> Floats:
    """E with E G E^T = 1 for the affine fields (1, X): G = int rho [1; X] [1; X]^T.

    Their part along the beam comes from its mass on the axis, that across from its sections.
    """
    mass, first, second = dm.sum(), dm @ x, dm @ x**2 + sigma[0, 0]
    # columns: 1, x, y, z in beam axes from its start
    fields = [
        np.array([1.0, 0.0, 0.0, 0.0]) / sqrt(mass),
        np.array([-first / mass, 1.0, 0.0, 0.0]) / sqrt(second - first**2 / mass),
    ]
    for k in (1, 2):
        if sigma[k, k] > 0.0:
            fields.append(np.eye(4)[k + 1] / sqrt(sigma[k, k]))
    back = np.eye(4)  # (1, X - start) in beam axes from (1, X)
    back[1:, 0], back[1:, 1:] = -R.T @ start, R.T
    return np.array(fields) @ back


def beam_station(
    beam: Beam, base: Basis, x: float, start: Floats, R: Floats, end: EndTensors | None = None
) -> Station:
    """The node at x; the chord choice turns it by its deflection over its distance. `end`: what
    products of shapes do there, if they count."""
    here = np.array([x])
    S, Theta = base.displacement(here)[:, 0], base.rotation(here)[:, 0]
    end = end or EndTensors.none(len(S))
    S2, Theta2 = end.S2, end.Theta2
    if beam.tip_angle == "chord" and x > 0.0:
        chord = np.zeros_like(Theta)
        chord[:, 0] = Theta[:, 0]
        chord[:, 1], chord[:, 2] = -S[:, 2] / x, S[:, 1] / x
        Theta, Theta2 = chord, np.zeros_like(Theta2)
    r0 = start + R @ np.array([x, 0.0, 0.0])
    S2, Theta2 = clean(S2) @ R.T, clean(Theta2) @ R.T
    return Station(r0, S @ R.T, Theta @ R.T, R0=R, S2=S2, Theta2=Theta2, x=x)


@dataclass(frozen=True, eq=False)
class BeamLine(Frozen):
    """A link's beam in the axes of its body: its shapes, where it starts, how it is turned,
    whether products of shapes count, and where its stations are. The recursions need integrals of
    it alone; what is read or drawn along a link (shape, curvature, section forces, strain) needs
    the line itself."""

    beam: Beam
    base: Basis
    start: Floats
    R: Floats
    second: bool
    stations: Mapping[str, tuple[float, Floats]]  # x along the beam, offset in section axes

    def turned(self, R: Floats) -> BeamLine:
        """The line seen from axes turned by R."""
        return replace(self, start=self.start @ R, R=R.T @ self.R)

    def station(self, x: float) -> Station:
        """The node at x."""
        end = end_tensors(self.beam, self.base, x) if self.second else None
        return beam_station(self.beam, self.base, x, self.start, self.R, end)

    def curvature(self, d: Floats, x: Floats) -> Floats:
        """(n, 3): twist alpha', and the curvatures -w'' and v'', in section axes."""
        return np.asarray(np.einsum("k,kgi->gi", d, self.base.rotation(x, 1)))

    def stretch(self, d: Floats, x: Floats) -> Floats:
        """(n,): axial strain."""
        return np.asarray(d @ self.base.stretch(x))

    def moment(self, d: Floats, x: Floats) -> Floats:
        """(n, 3): torque GJ alpha', bending moments EIy kappa_y and EIz kappa_z."""
        factors = np.zeros((len(x), 3))
        for name, stiffness in self.beam.stiffness.items():
            axis = FIELDS[name].turn_axis
            if axis is not None:
                factors[:, axis] = stiffness(x)
        return np.asarray(self.curvature(d, x) * factors)


def second_moments(beam: Beam, x: Floats, weight: Floats) -> Floats:
    """(g, 3, 3): int rho s s^T dA of each section, 1/2 tr(J) 1 - J, times its weight."""
    sigma = np.zeros((len(x), 3, 3))
    if beam.turning is not None:
        J = np.array([j(x) * weight for j in beam.turning])  # (3, g)
        for k in range(3):
            sigma[:, k, k] = 0.5 * J.sum(axis=0) - J[k]
    return sigma


def _skews(vectors: Floats) -> Floats:
    """(..., 3) -> (..., 3, 3): the matrices v~."""
    out = np.zeros((*vectors.shape, 3))
    out[..., 2, 1], out[..., 0, 2], out[..., 1, 0] = np.moveaxis(vectors, -1, 0)
    return np.asarray(out - np.swapaxes(out, -1, -2))


def _section(sigma: Floats, base: Basis, x: Floats, R: Floats) -> tuple[Floats, Floats, Floats]:
    """Contributions of the sections' own inertia to P, N0 and Q (first-order turns)."""
    t = _skews(base.rotation(x))  # (m, g, 3, 3)
    m, points = t.shape[:2]
    ts = t @ sigma  # sigma is symmetric
    P = _products(_rows_last(ts), _rows_last(t))
    N0 = np.einsum("gij,kgnj->kin", sigma, t)
    # sigma (t_k t_l)^T, in (k, l, n, i) first, then made symmetric in k and l
    tt = _products(_rows_last(t), ts.reshape(m, 3 * points, 3)).transpose(0, 1, 3, 2)
    Q = 0.5 * (tt + tt.transpose(1, 0, 2, 3))
    P, N0, Q = (R @ A @ R.T for A in (P, N0, Q))
    return P, N0, Q


def _rows_last(t: Floats) -> Floats:
    """(m, g, 3, 3) -> (m, 3 g, 3): points and columns together, rows last."""
    return t.swapaxes(2, 3).reshape(len(t), 3 * t.shape[1], 3)


def _products(A: Floats, B: Floats) -> Floats:
    """sum over g of A[k, g, i] B[l, g, j]: (k, l, i, j), as one product of matrices."""
    flat = [X.transpose(0, 2, 1).reshape(3 * len(X), X.shape[1]) for X in (A, B)]
    return (flat[0] @ flat[1].T).reshape(len(A), 3, len(B), 3).swapaxes(1, 2)


def _stiffness(beam: Beam, base: Basis, x: Floats, weight: Floats) -> Floats:
    m = sum(f.count for f in base.fields)
    K, first = np.zeros((m, m)), 0
    for f, s in zip(base.fields, base.shapes, strict=True):
        strain = s(x, 2 if f.kind.bends else 1)
        part = slice(first, first + f.count)
        K[part, part] = (strain * (beam.stiffness[f.name](x) * weight)) @ strain.T
        first += f.count
    return K


def _root_slope(base: Basis, R: Floats) -> Floats | None:
    slope = base.rotation(np.array([0.0]))[:, 0] @ R.T
    return slope if np.any(np.abs(slope) > 1e-12) else None


def clean(A: Floats, relative: float = 1e-14) -> Floats:
    """Quadrature noise where orthogonality makes a zero is made that zero."""
    top = np.abs(A).max(initial=0.0)
    if A.ndim == 2:
        size = np.sqrt(np.abs(np.diag(A)))
        limit = relative * sqrt(len(A) or 1) * np.outer(size, size)
    else:
        limit = np.full(A.shape, relative * top)
    return np.where(np.abs(A) <= limit, 0.0, A)
