"""The modal body: all that a recursion may know of a link.

A material point sits at r(d) = X + sum_k S_k d_k + 1/2 sum_kl q_kl d_k d_l in the link frame
(z along the joint axis, origin O on it). The body's motion is that of the frame, [w; v] at O,
and the shape rates d_dot. What the recursions need are moments of r and of its derivatives,
integrated once over the body:

    mass           int rho
    c0, c1, c2     int rho X, int rho S_k, int rho q_kl             (first moment)
    W0             int rho X X^T                                    (second moment)
    N0[k]          int rho X S_k^T
    P[l, k]        int rho S_l S_k^T
    Q[k, l]        int rho X q_kl^T
    Mdd            int rho S_k . S_l                                (modal mass)
    K, D           stiffness and damping of the shape coordinates

A rigid body has no shapes (m = 0) and needs no other code. Kinetic energy is right to second
order in (d, d_dot) together. Of q it sees c2 and Q alone; so a body whose axis moves by
products of shapes takes for q the affine field with these moments. With g = E [1; X] scaled
so that int rho g g^T = 1, a point of the axis is at

    r = g^T y(d) + S d,   y = x + 1/2 z_kl d_k d_l,   x, z_kl = int rho g (X, q_kl)^T,

and with s_k = int rho g S_k^T all moments of r follow. What of the moments does not come from
the fields (rigid parts; everything in a first-order body, which has none) is in the `remainder`.
Of this motion the energy is exact: mass matrices are positive definite at any deflection,
which those of a truncated energy are not.
Reference: [MohanSaha], eqs. (19)-(25), written with moments; erratum: (24b) lacks a factor 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..frozen import Frozen, frozen
from ..lazy import cached_property
from ..screws import axial, blocks, cross, crossed, less, mirror, outer, skew, weighted
from ..types import Array, Floats
from .mass_properties import MassProperties, RigidPart
from .station import Station, quadratic_form

if TYPE_CHECKING:
    from .beam import BeamLine


@dataclass(frozen=True, eq=False)
class Body(Frozen):
    """Constant integrals of one link, in the link frame, with its stations."""

    mass: float
    c0: Floats  # (3,)
    c1: Floats  # (m, 3)
    c2: Floats  # (m, m, 3)
    W0: Floats  # (3, 3)
    N0: Floats  # (m, 3, 3)
    P: Floats  # (m, m, 3, 3)
    Q: Floats  # (m, m, 3, 3)
    Mdd: Floats  # (m, m)
    K: Floats  # (m, m)
    D: Floats  # (m, m)
    stations: Mapping[str, Station]
    shape_names: tuple[str, ...] = ()
    root_slope: Floats | None = None  # (m, 3) root rotation of each shape; None: clamped
    # what the body is made of, where that is known; no recursion reads it
    line: BeamLine | None = field(default=None, repr=False, compare=False)
    parts: tuple[RigidPart, ...] = field(default=(), repr=False, compare=False)
    # affine fields of the axis, and what is left of the moments without their share
    E: Floats = field(default_factory=lambda: np.zeros((0, 4)))  # (a, 4)
    e: Floats = None  # type: ignore[assignment]  # (a,) int rho g; these follow from E
    x: Floats = None  # type: ignore[assignment]  # (a, 3)
    s: Floats = None  # type: ignore[assignment]  # (m, a, 3)
    z: Floats = None  # type: ignore[assignment]  # (m, m, a, 3)
    remainder_c1: Floats = None  # type: ignore[assignment]  # (m, 3)
    remainder_N0: Floats = None  # type: ignore[assignment]  # (m, 3, 3)
    remainder_Q: Floats = None  # type: ignore[assignment]  # (m, m, 3, 3)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.e is None:
            for name, value in _shares(self).items():
                object.__setattr__(self, name, frozen(value))

    @property
    def m(self) -> int:
        """Number of shape coordinates."""
        return len(self.c1)

    @property
    def carried(self) -> tuple[tuple[float, MassProperties], ...]:
        """Payloads that the body took in along its line: x, and their numbers in its axes."""
        places = [(part, self.stations[part.station]) for part in self.parts if part.station]
        return tuple(
            (at.x, part.properties.moved(at.r0 + at.rho, at.R0))
            for part, at in places
            if at.x is not None
        )

    @cached_property
    def remainder_c0(self) -> Array:
        """c0 without the share of the fields."""
        return frozen(less(self.c0, self.e @ self.x), own=True)

    @cached_property
    def remainder_W0(self) -> Array:
        """W0 without it."""
        return frozen(less(self.W0, self.x.T @ self.x), own=True)

    @cached_property
    def remainder_mass(self) -> Array:
        """The mass without it."""
        return frozen(less(self.mass, self.e @ self.e), own=True)

    @cached_property
    def without_shapes(self) -> Moments:
        """The moments of a body that has no shapes: they never change."""
        made = _moments(self, np.zeros(0))
        return replace(made, **{name: frozen(value) for name, value in vars(made).items()})

    def changed(self, **moments: Any) -> Body:
        """A body with other moments, fields or stations; what follows from them follows."""
        follow: dict[str, Any] = dict.fromkeys(_FOLLOW)
        return replace(self, **follow, **moments)


_FOLLOW = ("e", "x", "s", "z", "remainder_c1", "remainder_N0", "remainder_Q")


def _shares(body: Body) -> dict[str, Floats]:
    """The moments of a body's fields, and the remainder of its own."""
    E = body.E
    first = np.concatenate([body.c1[:, None], body.N0], axis=1)  # (m, 4, 3)
    second = np.concatenate([body.c2[:, :, None], body.Q], axis=2)  # (m, m, 4, 3)
    s, z = E @ first, E @ second
    e, x = field_places(E)
    remainder = (body.c1, body.N0, body.Q)
    if len(E):
        remainder = (
            less(body.c1, np.einsum("a,kai->ki", e, s)),
            less(body.N0, np.einsum("ai,kaj->kij", x, s)),
            less(body.Q, np.einsum("ai,klaj->klij", x, z)),
        )
    return dict(zip(_FOLLOW, (e, x, s, z, *remainder), strict=True))


def field_places(E: Floats) -> tuple[Floats, Floats]:
    """e = int rho g and x = int rho g X^T of the fields: [e, x] = E G = (E^+)^T."""
    if not E.size:
        return np.zeros(len(E)), np.zeros((len(E), 3))
    if not np.isfinite(E).all():  # LAPACK would search for ever
        return np.full(len(E), np.nan), np.full((len(E), 3), np.nan)
    G = np.asarray(np.linalg.pinv(E, rcond=1e-12).T, dtype=float)
    return less(G[:, 0], 0.0), less(G[:, 1:], 0.0)


@dataclass(frozen=True)
class Moments:
    """The moments at a deformed shape d: of the whole body, of its fields, and the remainder."""

    body: Body
    mc: Array  # (3,)    int rho r
    C: Array  # (m, 3)  d mc / d d_k
    y: Array  # (a, 3)  x + 1/2 z d d
    s: Array  # (a, 3)  s_k d_k
    z: Array  # (m, a, 3)  dy/dd_k
    remainder: Array  # (3,)    int rho r without the fields
    W: Array  # (3, 3)  int rho r r^T without them
    N: Array  # (m, 3, 3)  int rho r (dr/dd_k)^T without them

    @cached_property
    def blocks(self) -> tuple[Array, Array, Array, Array]:
        """What `inertia_blocks` gives."""
        return frozen(_inertia_blocks(self), own=True)

    @cached_property
    def inertia(self) -> Array:
        """What `full_inertia` gives."""
        (inertia, CN, CF, Md), H = self.blocks, skew(self.mc)
        rows = [inertia, H, CN], [H.T, self.body.mass * np.eye(3), CF], [CN.T, CF.T, Md]
        return frozen(blocks(*rows), own=True)


def moments(body: Body, d: Array) -> Moments:
    """Moments of `body` at shape d: (m,)."""
    return _moments(body, d) if len(d) else body.without_shapes


def _moments(body: Body, d: Array) -> Moments:
    z = weighted(d, body.z.swapaxes(0, 1))
    y, s = body.x + 0.5 * weighted(d, z), weighted(d, body.s)
    C = body.c1 + weighted(body.e, z.swapaxes(0, 1))
    remainder = body.remainder_c0 + weighted(d, body.remainder_c1)
    mc = remainder + weighted(body.e, y + s)
    linear = body.remainder_N0 + weighted(d, body.P)
    second = weighted(d, 0.5 * body.remainder_Q.swapaxes(0, 1))
    W = body.remainder_W0 + weighted(d, body.remainder_N0.swapaxes(1, 2) + linear)
    W = W + weighted(d, second + second.swapaxes(1, 2))
    N = linear + second + second
    return Moments(body, mc, C, y, s, z, remainder, mirror(W), N)


def inertia_blocks(now: Moments) -> tuple[Array, Array, Array, Array]:
    """I (3, 3), CN (3, m), CF (3, m) and Md (m, m) of the body's (6+m) inertia matrix.

    That matrix has besides H = mc~ and the mass times the identity.
    """
    return now.blocks


def _inertia_blocks(now: Moments) -> tuple[Array, Array, Array, Array]:
    both = now.y + now.s
    W = np.zeros((3, 3))
    for y, s, whole in zip(now.y, now.s, both, strict=True):
        W = W + (outer(y, whole) + outer(s, y))
    W = now.W + W
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = W.tolist()
    inertia = np.array([[yy + zz, -xy, -xz], [-yx, xx + zz, -yz], [-zx, -zy, xx + yy]])
    m = now.body.m
    CN = [
        axial(now.N[k].T) + _turns(now.y, now.body.s[k]) + _turns(both, now.z[k]) for k in range(m)
    ]
    return inertia, np.array(CN).reshape(m, 3).T, now.C.T, modal_mass(now)


def modal_mass(now: Moments) -> Array:
    """Md (m, m): int rho (dr/dd_k) . (dr/dd_l)."""
    s, z = now.body.s, now.z
    if not s.size:
        return mirror(now.body.Mdd)
    return mirror(now.body.Mdd + (_works(z, z) + (_works(s, z) + _works(z, s))))


def full_inertia(now: Moments) -> Array:
    """The (6+m, 6+m) matrix M(d) with T = 1/2 t^T M t, t = [w; v; d_dot]."""
    return now.inertia


@dataclass(frozen=True)
class Acceleration:
    """How the link frame moves: w, the field U = w~ w~ + dw~, and the acceleration a of O."""

    w: Array
    U: Array
    a: Array


def inertia_wrench(now: Moments, x: Acceleration, dd: Array, ddd: Array) -> tuple[Array, ...]:
    """Moment n about O, force f and modal forces e that the motion asks for.

    With y = a + U r + 2 w x r_dot + r_ddot the acceleration of a material point:
        f = int rho y,   n = int rho r x y,   e_k = int rho (dr/dd_k) . y
    """
    body, w2 = now.body, x.w + x.w
    A, B = _field_accelerations(now, x, dd, ddd)
    f, T, e = body.remainder_mass * x.a + x.U @ now.remainder, x.U @ now.W, np.zeros(0)
    if body.m:
        f = f + cross(w2, weighted(dd, body.remainder_c1))  # Coriolis: 2 w x int rho r_dot
        f = f + weighted(ddd, body.remainder_c1)
        N, V = now.N.swapaxes(1, 2), weighted(dd, body.remainder_Q.swapaxes(0, 1))
        T = T + crossed(w2, weighted(dd, N)) + (weighted(ddd, N) + weighted(dd, V.swapaxes(1, 2)))
        e = body.remainder_c1 @ x.a + _traces(x.U, now.N)
        e = e + _gyration(weighted(dd, body.P)) @ w2  # gyroscopic: 2 w . int rho r_dot x S_k
        if len(A):
            e = e + (_works(now.z, A[None]) + _works(body.s, B[None]))[:, 0]
        e = e + body.Mdd @ ddd
    f = f + weighted(body.e, A)
    n = axial(T) + _turns(now.y, A) + _turns(now.s, B) + cross(now.remainder, x.a)
    return n, f, e


def _field_accelerations(
    now: Moments, x: Acceleration, dd: Array, ddd: Array
) -> tuple[Array, Array]:
    """int rho g (a + U r + 2 w x r_dot + r_ddot) of the whole axis (A), and without S d (B)."""
    body, w2 = now.body, x.w + x.w
    if not len(body.e):
        return now.y, now.y
    B = outer(body.e, x.a) + now.y @ x.U.T
    if not body.m:
        return B, B
    B = B + crossed(w2, weighted(dd, now.z).T).T
    B = B + quadratic_form(body.z, dd) + weighted(ddd, now.z)
    still = now.s @ x.U.T + crossed(w2, weighted(dd, body.s).T).T + weighted(ddd, body.s)
    return B + still, B


def _traces(U: Array, N: Array) -> Array:
    """tr(U N_k) = sum_ij U_ij N_kji: (m,)."""
    return sum((N[:, :, i] @ U[i] for i in range(3)), np.zeros(len(N)))


def _gyration(V: Array) -> Array:
    """int rho r_dot x S_k from V_k = int rho r_dot S_k^T: (m, 3)."""
    lower, upper = V[:, (1, 2, 0), (2, 0, 1)], V[:, (2, 0, 1), (1, 2, 0)]
    return np.asarray(lower - upper)


def _turns(places: Array, vectors: Array) -> Array:
    """sum_a y_a x v_a."""
    return sum((cross(y, v) for y, v in zip(places, vectors, strict=True)), np.zeros(3))


def _works(u: Array, v: Array) -> Array:
    """sum_a u_ka . v_na: (m, n), of vectors u (m, a, 3) and v (n, a, 3)."""
    return sum((u[:, a] @ v[:, a].T for a in range(u.shape[1])), np.zeros((len(u), len(v))))
