"""An arm as the energies see it: inertias, joints, and the way from link to link.

All of any scalar: numbers, or symbols of a graph.
Reference: [LinLewis], eqs. (2)-(6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..joints import Joint
from ..screws import quaternion_matrix
from ..types import Array, Floats, Scalar
from .turns import Chain, ElasticAngle, Full, Turn, applied, constant, expanded, nonzero


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

    @property
    def m(self) -> int:
        return len(self.c1)


@dataclass(frozen=True)
class Mount:
    """Where a joint sits: as `bodies.Station`, of any scalar."""

    r0: Array
    S: Array
    Theta: Array
    rho: Array
    R0: Floats


@dataclass(frozen=True)
class Part:
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

    parts: Sequence[Part]
    gravity: Array
    nv: int
    series: Callable[[Scalar], tuple[Scalar, Scalar, Scalar]]
    kept: ElasticAngle = "exact"


@dataclass(frozen=True)
class Hop:
    """From a link's origin to that of a link it carries, in link axes."""

    r: Array  # (3,) where the origin is
    chain: Chain  # rotation of the carried link
    v: Array  # (3, nv) columns of the shape rates: its velocity
    w: Array  # (3, nv) and its angular velocity


def hop_to(arm: Arm, part: Part, q: Array) -> Hop:
    """Reference: [LinLewis], eqs. (2)-(4), case 2: theta* = theta + Delta theta."""
    mount, nv = part.mount, arm.nv
    slide, turn = _placed(part.joint, q[part.q])
    rest = mount.rho + (applied(constant(mount.R0), slide) if nonzero(slide) else 0.0)
    v, w = np.zeros((3, nv), dtype=object), np.zeros((3, nv), dtype=object)
    if part.parent < 0 or not len(mount.S):
        return Hop(mount.r0 + rest, (*constant(mount.R0), *turn), v, w)
    carrier = arm.parts[part.parent]
    d = q[carrier.d]
    bend, J = _bend(arm, mount, d)
    w[:, carrier.e] = J @ mount.Theta.T if J is not None else mount.Theta.T
    v[:, carrier.e] = mount.S.T
    if nonzero(rest):
        rest = applied(bend, rest)
        v = v + crossed(w, rest)
    return Hop(mount.r0 + d @ mount.S + rest, (*bend, *constant(mount.R0), *turn), v, w)


def _bend(arm: Arm, mount: Mount, d: Array) -> tuple[Chain, Array | None]:
    """The elastic turn of a node and the left Jacobian of its angles (None: one axis)."""
    axes = [k for k in range(3) if nonzero(mount.Theta[:, k])]
    if not axes:
        return (), None
    theta = d @ mount.Theta
    if len(axes) == 1:
        return (Turn(axes[0], 0.0, theta[axes[0]], arm.kept),), None
    R, J = expanded(theta, arm.kept, arm.series)
    return (Full(R),), J


def _placed(joint: Joint, q: Array) -> tuple[Array, Chain]:
    """Displacement and rotation of a joint."""
    still: Array = np.zeros(3)
    if joint.kind == "revolute":
        return still, (Turn(2, q[0]),)
    if joint.kind == "prismatic":
        return np.array([0.0, 0.0, q[0]], dtype=object), ()
    if joint.kind == "fixed":
        return still, ()
    slide = q[4:] if joint.kind == "floating" else still
    return slide, (Full(quaternion_matrix(q[:4])),)


def crossed(W: Array, r: Array) -> Array:
    """Columns w x r."""
    x, y, z = r
    return np.array([W[1] * z - W[2] * y, W[2] * x - W[0] * z, W[0] * y - W[1] * x], dtype=object)
