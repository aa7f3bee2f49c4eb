"""The spatial integrals of a beam's mode shapes, done once, without units.

With xi = x / L, weights that integrate to one and ^ for derivatives with respect to xi,

    a_k  = int phi_k            b_k  = int xi phi_k          e_jk = int phi_j phi_k
    h_k  = int f_k              h_jk = int f_j f_k           (f: how far a section turns)
    k_jk = int phi_j^'' phi_k^''                             (phi^' in torsion and extension)
of second order, with n derivatives of displacements in the pair (torsion has none),

    psi_jk = L^(n-1) S2_jk,  chi_jk = L^n Theta2_jk          (of a section: position and angles)
    f_jk = int psi_jk        fx_jk = int xi psi_jk           ch_jk = int chi_jk
and what makes a beam of them are its mass m, length L, stiffness EI, GJ or EA, and the second
moments of its sections' mass.
Reference: [LinLewis], eqs. (9), (16), (21).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...bodies import FIELDS, Basis, Beam, ElasticField
from ...bodies.beam import quadrature
from ...bodies.section_kinematics import Grid, end_tensors, rows
from ...errors import InputError
from ...lazy import cached_property
from ...types import Floats

TIGHT = 1e-9  # integrals that change by more than this with finer quadrature are not integrals


@dataclass(frozen=True)
class Shape:
    """One mode shape: its field, its number there, and the directions it acts in."""

    field: str
    number: int

    @property
    def kind(self) -> ElasticField:
        return FIELDS[self.field]

    @property
    def label(self) -> str:
        return f"{self.kind.letter}{self.number}"

    @property
    def bends(self) -> bool:
        return self.kind.bends

    @property
    def moves(self) -> Floats:
        """Direction of the displacement."""
        return self.kind.move

    @property
    def turns(self) -> Floats:
        """Axis about which a section turns."""
        return np.asarray(self.kind.twist + self.kind.slope)


@dataclass(frozen=True)
class Integrals:
    """All integrals of one beam."""

    beam: Beam
    base: Basis
    second: bool = False  # whether products of shapes move it

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        return tuple(Shape(f.name, k + 1) for f in self.base.fields for k in range(f.count))

    @cached_property
    def _points(self) -> tuple[Floats, Floats]:
        return quadrature(self.beam, max((f.count for f in self.base.fields), default=0))

    def _rows(self, x: Floats, derivative: int) -> Floats:
        """phi_k or its derivative with respect to xi: (m, len(x))."""
        scale = self.beam.length**derivative
        rows = [s(x, derivative) * scale for s in self.base.shapes]
        return np.concatenate(rows) if rows else np.zeros((0, len(x)))

    def _turn_rows(self, x: Floats) -> Floats:
        """f_k: phi_k^' in bending, phi_k in torsion, nothing in extension."""
        bends = np.array([s.bends for s in self.shapes], dtype=bool)
        twists = np.array([s.kind.rotates for s in self.shapes], dtype=bool)
        phi, slope = self._rows(x, 0), self._rows(x, 1)
        return np.where(bends[:, None], slope, np.where(twists[:, None], phi, 0.0))

    @cached_property
    def mass(self) -> float:
        x, weight = self._points
        return float(self.beam.mass(x) @ weight)

    @cached_property
    def _mass_weight(self) -> Floats:
        x, weight = self._points
        return np.asarray(self.beam.mass(x) * weight / self.mass)

    @cached_property
    def along(self) -> tuple[float, float]:
        """int xi and int xi^2 of the mass: 1/2 and 1/3 where it is uniform."""
        xi = self._points[0] / self.beam.length
        if flat(self.beam.mass(self._points[0])):
            return 0.5, 1.0 / 3.0
        return float(self._mass_weight @ xi), float(self._mass_weight @ xi**2)

    @cached_property
    def a(self) -> Floats:
        return self._rows(self._points[0], 0) @ self._mass_weight

    @cached_property
    def b(self) -> Floats:
        x = self._points[0]
        return self._rows(x, 0) @ (self._mass_weight * x / self.beam.length)

    @cached_property
    def e(self) -> Floats:
        phi = self._rows(self._points[0], 0)
        return _clean((phi * self._mass_weight) @ phi.T)

    @cached_property
    def sections(self) -> Floats:
        """Second moments (about no axis: int rho s s^T) of the sections per length, mean: (3,)."""
        if self.beam.turning is None:
            return np.zeros(3)
        sigma = self._sigma()
        mean = sigma @ self._points[1] / self.beam.length
        return np.where(np.abs(mean) > 1e-14 * np.abs(mean).max(initial=0.0), mean, 0.0)

    def _sigma(self) -> Floats:
        assert self.beam.turning is not None
        J = np.array([j(self._points[0]) for j in self.beam.turning])
        return np.asarray(0.5 * J.sum(axis=0) - J)

    @cached_property
    def _section_weights(self) -> Floats:
        """(3, points), each integrating to one where there is inertia."""
        mean = np.where(self.sections == 0.0, np.inf, self.sections)
        if self.beam.turning is None:
            return np.zeros((3, len(self._points[0])))
        return np.asarray(self._sigma() * self._points[1] / (mean[:, None] * self.beam.length))

    @cached_property
    def h1(self) -> Floats:
        """(3, m)."""
        return self._section_weights @ self._turn_rows(self._points[0]).T

    @cached_property
    def h2(self) -> Floats:
        """(3, m, m)."""
        f = self._turn_rows(self._points[0])
        return np.array([_clean((f * w) @ f.T) for w in self._section_weights])

    def stiffness(self, field: str) -> float:
        """Mean of E I, G J or E A."""
        x, weight = self._points
        return float(self.beam.stiffness[field](x) @ weight / self.beam.length)

    @cached_property
    def k(self) -> Floats:
        x, weight = self._points
        out = np.zeros((len(self.shapes), len(self.shapes)))
        for field in {s.field for s in self.shapes}:
            here = np.array([s.field == field for s in self.shapes])
            strain = self._rows_of(field, x)
            w = self.beam.stiffness[field](x) * weight / (self.stiffness(field) * self.beam.length)
            out[np.ix_(here, here)] = (strain * w) @ strain.T
        return _clean(out)

    def _rows_of(self, field: str, x: Floats) -> Floats:
        order = 2 if FIELDS[field].bends else 1
        for f, s in zip(self.base.fields, self.base.shapes, strict=True):
            if f.name == field:
                return np.asarray(s(x, order) * self.beam.length**order)
        return np.zeros((0, len(x)))

    def at(self, x: float) -> tuple[Floats, Floats]:
        """phi_k and phi_k^' at a point: (m,), (m,)."""
        where = np.array([x])
        return self._rows(where, 0)[:, 0], self._rows(where, 1)[:, 0]

    @cached_property
    def orders(self) -> npt.NDArray[np.int_]:
        """(m, m): derivatives with respect to x in the product of two shapes."""
        one = np.array([int(not s.kind.rotates) for s in self.shapes], dtype=int)
        return np.asarray(one[:, None] + one[None, :])

    @cached_property
    def _products(self) -> tuple[Floats, Floats]:
        """psi and chi at every point: (m, m, points, 3)."""
        m, points = len(self.shapes), len(self._points[0])
        psi, chi = np.zeros((m, m, points, 3)), np.zeros((m, m, points, 3))
        for row in rows(self.base, Grid(*self._points)) if self.second else ():
            psi[row.k], chi[row.k] = row.S2, row.Theta2
        return self._without_units(psi, chi)

    def products_at(self, x: float) -> tuple[Floats, Floats]:
        """psi and chi of the section at x: (m, m, 3)."""
        end = end_tensors(self.beam, self.base, x * self.second)
        psi, chi = self._without_units(end.S2, end.Theta2)
        return self._tidy(psi), self._tidy(chi)

    def _tidy(self, table: Floats) -> Floats:
        """Zeros where only rounding of products is left."""
        size = max(np.abs(part).max(initial=0.0) for part in self._products)
        return np.where(np.abs(table) > 1e-13 * size, table, 0.0)

    def _without_units(self, S2: Floats, Theta2: Floats) -> tuple[Floats, Floats]:
        n = self.orders.reshape(*self.orders.shape, *(1,) * (S2.ndim - 2))
        return S2 * self.beam.length ** (n - 1.0), Theta2 * self.beam.length ** (n * 1.0)

    @cached_property
    def f(self) -> Floats:
        """(m, m, 3)."""
        return self._tidy(np.einsum("jkgi,g->jki", self._products[0], self._mass_weight))

    @cached_property
    def fx(self) -> Floats:
        """(m, m, 3)."""
        weight = self._mass_weight * self._points[0] / self.beam.length
        return self._tidy(np.einsum("jkgi,g->jki", self._products[0], weight))

    def chi(self, axis: int) -> Floats:
        """(m, m, 3), weighted by the sections' inertia along one direction."""
        return self._tidy(np.einsum("jkgi,g->jki", self._products[1], self._section_weights[axis]))

    def check(self, link: str) -> None:
        """The integrals must not change when the quadrature is refined."""
        finer = Integrals(_refined(self.beam), self.base)
        for name in ("e", "k"):
            with np.errstate(all="ignore"):
                coarse, fine = np.diag(getattr(self, name)), np.diag(getattr(finer, name))
                off = ~(np.abs(fine - coarse) <= TIGHT * np.abs(fine))
            if off.any():
                raise self._not_integrable(link, name, int(np.argmax(off)), coarse, fine)
        self._check_kinks(link)

    def _check_kinks(self, link: str) -> None:
        """int phi'' must be the whole change of phi': a slope that jumps has no curvature."""
        x, weight = self._points
        ends = np.array([0.0, self.beam.length])
        for field in {s.field for s in self.shapes if s.bends}:
            rows = [k for k, s in enumerate(self.shapes) if s.field == field]
            slope = self._rows(ends, 1)[rows]
            change = self._rows_of(field, x) @ weight / self.beam.length
            size = np.abs(self._rows(x, 1)[rows]).max(axis=1)
            off = np.abs(change - (slope[:, 1] - slope[:, 0])) > 1e-4 * size
            if off.any():
                shape = self.shapes[rows[int(np.argmax(off))]]
                raise InputError(
                    f"link {link}: {shape.field} shape {shape.number} cannot be integrated: its "
                    f"slope jumps between 0 and L, so int phi''^2 has no value; give a function "
                    f"with a continuous slope"
                )

    def _not_integrable(
        self, link: str, name: str, k: int, coarse: Floats, fine: Floats
    ) -> InputError:
        shape = self.shapes[k]
        what = "phi^2" if name == "e" else "phi''^2" if shape.bends else "phi'^2"
        return InputError(
            f"link {link}: {shape.field} shape {shape.number} cannot be integrated: int {what} is "
            f"{coarse[k]:.6g} with one quadrature and {fine[k]:.6g} with a finer one; a shape "
            f"needs a finite integral of {what}, so no pole and no kink between 0 and L. Give "
            f"another function, or use family finite_elements"
        )


def _refined(beam: Beam) -> Beam:
    """The same beam with more quadrature points: breaks in the middle of every stretch."""
    from dataclasses import replace

    from ...bodies import Profile, ProfileSum

    ends = [0.0, *beam.breaks, beam.length]
    thirds = [a + (b - a) * f for a, b in itertools.pairwise(ends) for f in (0.31, 0.73)]
    nodes = np.array(sorted({*ends, *thirds}))
    nothing = Profile(nodes, np.zeros(len(nodes)))
    return replace(beam, mass=ProfileSum(((1.0, beam.mass), (0.0, nothing))))


def flat(values: Floats) -> bool:
    return bool(np.ptp(values) <= 1e-14 * np.abs(values).max())


def _clean(A: Floats) -> Floats:
    """Quadrature noise where orthogonality makes a zero is made that zero."""
    size = np.sqrt(np.abs(np.diag(A)))
    limit = 1e-14 * np.sqrt(len(A) or 1) * np.outer(size, size)
    return np.where(np.abs(A) <= limit, 0.0, A)
