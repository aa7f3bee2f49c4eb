"""The material points of a beam as a recursion sees them, and the load that their motion asks for.

A point of the axis stands for its section. A vector field on the beam is kept as (points, 4, 3):
its value on the axis, and its slopes along the three directions s across and along the section;
`gram` (points, 4, 4) holds the masses and the second moments int rho s s^T that go with them.
The point (X, s) is at X + u + r2:

    u  = S d + theta x s                                     theta = Theta d
    r2 = 1/2 S2 d d + theta_2 x s + 1/2 theta x (theta x s)

With the accelerations y0 = a + U X, y1 of u and y2 of r2, the integrals of a body are those of

    f = y0 + y1 + y2
    n = X x (y0 + y1 + y2) + u x (y0 + y1 + y2*) + r2 x y0 + r2* x (y1 + y2*)

where r2* is the affine field with the moments of r2 (`body`). It stands where it decides terms
of third and higher order; so the whole beam asks for exactly what the recursion says of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Array, Floats
from .beam import BeamLine, second_moments
from .body import Acceleration, Body
from .section_kinematics import E1, Grid


@dataclass(frozen=True)
class FieldMotion:
    """A field (points, 4, 3) along a motion: its value, rate and second rate."""

    value: Array
    rate: Array
    second: Array

    def acceleration(self, x: Acceleration) -> Array:
        """U r + 2 w x r_dot + r_ddot."""
        return self.value @ x.U.T + np.cross(x.w + x.w, self.rate) + self.second


@dataclass(frozen=True)
class MaterialPoints:
    """Material points with their masses, and how they are displaced."""

    gram: Floats  # (g, k, k), k = 4, or 1 where sections have no inertia
    X: Floats  # (g, k, 3)
    u: FieldMotion
    r2: FieldMotion
    affine: FieldMotion

    def load(self, x: Acceleration) -> tuple[Array, Array]:
        """Moment about O and force (g, 3) that each point of the axis asks for."""
        turn = self.X @ x.U.T
        y0 = np.concatenate([turn[:, :1] + x.a, turn[:, 1:]], axis=1)
        y1, y2, ya = (part.acceleration(x) for part in (self.u, self.r2, self.affine))
        whole = y0 + y1 + y2
        n = self._turn(self.X, whole) + self._turn(self.u.value, y0 + y1 + ya)
        n = n + self._turn(self.r2.value, y0) + self._turn(self.affine.value, y1 + ya)
        return n, self.gram[:, 0, :1] * whole[:, 0]

    def _turn(self, r: Array, y: Array) -> Array:
        """int r x y over each section."""
        return np.asarray(np.cross(r, self.gram @ y).sum(axis=1))


def beam_points(
    body: Body, line: BeamLine, points: Grid, d: Array, dd: Array, ddd: Array
) -> MaterialPoints:
    """The points of a grid that covers the beam from its root."""
    sigma = second_moments(line.beam, points.x, points.weight)  # in beam axes
    mass = line.beam.mass(points.x) * points.weight
    X = line.start + np.outer(points.x, line.R[:, 0])
    gram = np.zeros((len(points.x), 4, 4))
    gram[:, 0, 0], gram[:, 1:, 1:] = mass, line.R @ sigma @ line.R.T
    S, Theta = line.base.displacement(points.x) @ line.R.T, line.base.rotation(points.x) @ line.R.T
    turns = [np.tensordot(rate, Theta, 1) for rate in (d, dd, ddd)]
    moves = [np.tensordot(rate, S, 1) for rate in (d, dd, ddd)]
    u = FieldMotion(*(_spread(a, t) for a, t in zip(moves, turns, strict=True)))
    r2 = _second(line, points, (d, dd, ddd), turns)
    return _lean(MaterialPoints(gram, _places(X), u, r2, _affine(body, X, d, dd, ddd)))


def payload_points(
    body: Body, line: BeamLine, k: int, d: Array, dd: Array, ddd: Array
) -> MaterialPoints:
    """The payload number k on the line: a point mass on the axis, or one on a rigid beam."""
    x, payload = body.carried[k]
    station = line.station(x)
    X, none = payload.com[None], np.zeros((1, 3))
    gram = np.zeros((1, 4, 4))
    gram[0, 0, 0] = payload.mass
    gram[0, 1:, 1:] = payload.second_moment() - payload.mass * np.outer(payload.com, payload.com)
    moves = [np.tensordot(rate, station.S[:, None], 1) for rate in (d, dd, ddd)]
    u = FieldMotion(*(_spread(a, none) for a in moves))

    def pair(a: Array, b: Array) -> Array:
        return _spread(np.tensordot(a, np.tensordot(b, station.S2[:, :, None], 1), 1), none)

    r2 = FieldMotion(*_product(pair, d, dd, ddd))
    return _lean(MaterialPoints(gram, _places(X), u, r2, _affine(body, X, d, dd, ddd)))


def _product(pair: object, d: Array, dd: Array, ddd: Array) -> tuple[Array, Array, Array]:
    """1/2 B(d, d) of a symmetric bilinear B, its rate and second rate."""
    assert callable(pair)
    return 0.5 * pair(d, d), pair(d, dd), pair(d, ddd) + pair(dd, dd)


def _spread(value: Array, turn: Array) -> Array:
    """(g, 4, 3): a vector on the axis, and turn x s across the section."""
    slopes = [np.cross(turn, e) for e in np.eye(3)]
    return np.stack([value, *slopes], axis=1)


def _places(X: Floats) -> Floats:
    """(g, 4, 3): X + s."""
    unit = np.broadcast_to(np.eye(3), (len(X), 3, 3))
    return np.concatenate([X[:, None], unit], axis=1)


def _second(
    line: BeamLine, points: Grid, rates: tuple[Array, ...], turns: list[Array]
) -> FieldMotion:
    """r2 of every point: of the axis and its turn (second order), and of turned sections."""
    if not line.second and line.beam.turning is None:
        return _nothing(len(points.x))
    t, td, tdd = (_spread(0.0 * turn, turn) for turn in turns)  # theta x s

    def twice(turn: Array, field: Array) -> Array:
        return np.cross(turn[:, None], field)

    sections = (
        0.5 * twice(turns[0], t),
        0.5 * (twice(turns[0], td) + twice(turns[1], t)),
        0.5 * (twice(turns[0], tdd) + twice(turns[2], t)) + twice(turns[1], td),
    )
    if not line.second:
        return FieldMotion(*sections)

    def pair(a: Array, b: Array) -> Array:
        return _spread(*(points.running(v) @ line.R.T for v in _bent(line, points, a, b)))

    axis = _product(pair, *rates)
    return FieldMotion(*(a + b for a, b in zip(axis, sections, strict=True)))


def axis(line: BeamLine, points: Grid, x: Floats, d: Array) -> tuple[Array, Array]:
    """Place and angle (n, 3) of the sections at x, the ends of the grid's panels, in link axes."""
    u, theta = (np.tensordot(d, f(x), 1) for f in (line.base.displacement, line.base.rotation))
    if line.beam.tip_angle == "chord":
        far = np.where(x > 0.0, x, 1.0)
        theta = np.stack([theta[:, 0], -u[:, 2] / far, u[:, 1] / far], axis=1)
    if line.second:
        u2, theta2 = (0.5 * points.ends(v) for v in _bent(line, points, d, d))
        u, theta = u + u2, theta if line.beam.tip_angle == "chord" else theta + theta2
    return line.start + (np.outer(x, E1) + u) @ line.R.T, theta @ line.R.T


def _bent(line: BeamLine, points: Grid, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Slopes along x of S2_kl a_k b_l and Theta2_kl a_k b_l, in beam axes, as
    `section_kinematics.rows` has them."""
    base, x = line.base, points.x
    (t, s), (kappa, lam) = (
        [np.tensordot(rate, part, 1) for rate in (a, b)]
        for part in (base.rotation(x), base.rotation(x, 1))
    )
    long, wide = (np.tensordot(rate, base.stretch(x), 1)[:, None] for rate in (a, b))
    turn = 0.5 * (np.cross(t, lam) + np.cross(s, kappa))
    te, se = np.cross(t, E1), np.cross(s, E1)
    slope = (
        np.cross(points.running(turn), E1)
        + 0.5 * (np.cross(t, se) + np.cross(s, te))
        + long * se
        + wide * te
    )
    return slope, turn


def _affine(body: Body, X: Floats, d: Array, dd: Array, ddd: Array) -> FieldMotion:
    """r2*: [1; X]^T E^T z_kl d_k d_l / 2."""
    if not len(body.E):
        return _nothing(len(X))

    def pair(a: Array, b: Array) -> Array:
        A = body.E.T @ np.tensordot(a, np.tensordot(b, body.z, 1), 1)  # (4, 3)
        slopes = np.broadcast_to(A[1:], (len(X), 3, 3))
        return np.concatenate([(A[0] + X @ A[1:])[:, None], slopes], axis=1)

    return FieldMotion(*_product(pair, d, dd, ddd))


def _nothing(points: int) -> FieldMotion:
    none = np.zeros((points, 4, 3))
    return FieldMotion(none, none, none)


def _lean(all_points: MaterialPoints) -> MaterialPoints:
    """Without slopes across sections that have no inertia."""
    if np.any(all_points.gram[:, 1:, 1:]):
        return all_points

    def axis(m: FieldMotion) -> FieldMotion:
        return FieldMotion(m.value[:, :1], m.rate[:, :1], m.second[:, :1])

    parts = (axis(m) for m in (all_points.u, all_points.r2, all_points.affine))
    return MaterialPoints(all_points.gram[:, :1, :1], all_points.X[:, :1], *parts)
