"""An arm as the energies see it: inertias, joints, and the way from link to link.

All of any scalar: numbers, or symbols of a graph.
Reference: [LinLewis], eqs. (2)-(6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..joints import Joint
from ..types import Array, Floats, Scalar
from .turns import (
    AngleTurn,
    Chain,
    ElasticAngle,
    MatrixTurn,
    StumpffSeries,
    applied,
    constant,
    expanded,
    nonzero,
)


@dataclass(frozen=True)
class ArmFields:
    """The affine fields g by which products of shapes move a body: of each its weight
    1 / int rho g^2, and s_k = int rho g S_k, z_kl = int rho g q_kl. No two overlap."""

    weight: Array  # (a,)
    s: Array  # (m, a, 3)
    z: Array  # (m, m, a, 3)

    @classmethod
    def none(cls, m: int) -> ArmFields:
        """A body that moves by no products of shapes."""
        return cls(np.zeros(0), np.zeros((m, 0, 3)), np.zeros((m, m, 0, 3)))


@dataclass(frozen=True)
class Inertia:
    """Moments of a modal body, of any scalar: as in `bodies.Body`, with the inertia tensor I0
    of the undeformed body about O instead of its second moment."""

    mass: Scalar
    c0: Array
    c1: Array
    c2: Array
    I0: Array
    N0: Array
    P: Array
    Q: Array
    Mdd: Array
    fields: ArmFields

    @property
    def m(self) -> int:
        return len(self.c1)


@dataclass(frozen=True)
class Mount:
    """Where a joint sits: as `bodies.Station`, of any scalar."""

    r0: Array
    S: Array
    Theta: Array
    S2: Array
    Theta2: Array
    rho: Array
    R0: Floats


@dataclass(frozen=True)
class ArmPart:
    """A link: its inertia, its joint and where that sits, its places in q and qd."""

    parent: int
    inertia: Inertia
    joint: Joint
    mount: Mount
    rotor: Scalar
    q: slice
    d: slice
    u: slice
    e: slice


@dataclass(frozen=True)
class Arm:
    """All that the energies need. `series(s)` gives the Stumpff functions c1, c2, c3."""

    parts: Sequence[ArmPart]
    gravity: Array
    nv: int
    series: StumpffSeries
    kept: ElasticAngle = "exact"


@dataclass(frozen=True)
class ChildFrame:
    """From a link's origin to that of a link it carries, in link axes."""

    r: Array  # (3,) where the origin is
    chain: Chain  # rotation of the carried link
    v: Array  # (3, nv) columns of the shape rates: its velocity
    w: Array  # (3, nv) and its angular velocity


def child_frame(arm: Arm, part: ArmPart, q: Array) -> ChildFrame:
    """Reference: [LinLewis], eqs. (2)-(4), case 2: theta* = theta + Delta theta."""
    mount, nv = part.mount, arm.nv
    slide, turn = _placed(part.joint, q[part.q])
    rest = mount.rho + (applied(constant(mount.R0), slide) if nonzero(slide) else 0.0)
    v, w = np.zeros((3, nv), dtype=object), np.zeros((3, nv), dtype=object)
    if part.parent < 0 or not len(mount.S):
        return ChildFrame(mount.r0 + rest, (*constant(mount.R0), *turn), v, w)
    carrier = arm.parts[part.parent]
    d = q[carrier.d]
    moved, S = quadratic(mount.S, mount.S2, d)
    theta, Theta = quadratic(mount.Theta, mount.Theta2, d)
    bend, J = _bend(arm, mount, theta)
    w[:, carrier.e] = J @ Theta.T if J is not None else Theta.T
    v[:, carrier.e] = S.T
    if nonzero(rest):
        rest = applied(bend, rest)
        v = v + crossed(w, rest)
    return ChildFrame(mount.r0 + moved + rest, (*bend, *constant(mount.R0), *turn), v, w)


def quadratic(A: Array, B: Array, d: Array) -> tuple[Array, Array]:
    """A_k d_k + 1/2 B_kl d_k d_l and its slopes A_k + B_kl d_l, for symmetric B."""
    ks = range(len(d))
    value = total((d[k] * A[k] for k in ks), np.zeros(A.shape[1:]))
    value = total((pair(d, j, k) * B[j, k] for k in ks for j in range(k + 1)), value)
    slopes = [A[k] + total(d[j] * B[k, j] for j in ks) for k in ks]
    return value, np.array(slopes, dtype=object).reshape(A.shape)


def pair(d: Array, j: int, k: int) -> Scalar:
    """The weight of a symmetric second-order term: d_k^2 / 2, or d_j d_k."""
    return 0.5 * (d[k] * d[k]) if j == k else d[j] * d[k]


def total(terms: Iterable[Array | Scalar], out: Array | Scalar = 0.0) -> Array | Scalar:
    """out and all terms."""
    for term in terms:
        out = out + term
    return out


def _bend(arm: Arm, mount: Mount, theta: Array) -> tuple[Chain, Array | None]:
    """The elastic turn of a node by its angles, and their left Jacobian (None: one axis)."""
    parts = (mount.Theta, mount.Theta2)
    axes = [k for k in range(3) if any(nonzero(part[..., k]) for part in parts)]
    if not axes:
        return (), None
    if len(axes) == 1:
        return (AngleTurn(axes[0], 0.0, theta[axes[0]], arm.kept),), None
    R, J = expanded(theta, arm.kept, arm.series)
    return (MatrixTurn(R),), J


def _placed(joint: Joint, q: Array) -> tuple[Array, Chain]:
    """Displacement and rotation of a joint."""
    slide, angle, matrix = joint.position(q), joint.angle(q), joint.matrix(q)
    chain: Chain = () if matrix is None else (MatrixTurn(matrix),)
    if angle is not None:
        chain = (AngleTurn(2, angle),)
    return np.zeros(3) if slide is None else slide, chain


def crossed(W: Array, r: Array) -> Array:
    """Columns w x r."""
    x, y, z = r
    return np.array([W[1] * z - W[2] * y, W[2] * x - W[0] * z, W[0] * y - W[1] * x], dtype=object)
