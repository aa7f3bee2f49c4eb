"""Six-dimensional inertias: how they turn and shift.

Twist [w; v] at a point, wrench [n; f] at the same point:
    n = I w + H v,    f = H^T w + M v.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Array, Scalar
from .algebra import blocks, cross, crossed, mirror, outer, skew
from .rotation import Rotation

_DIAGONAL = np.eye(3, dtype=bool)


@dataclass(frozen=True, eq=False)
class ArticulatedInertia:
    """A general symmetric 6x6 inertia in blocks I, H, M."""

    I: Array  # noqa: E741
    H: Array
    M: Array

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.I + other.I, self.H + other.H, self.M + other.M)

    def turned(self, R: Rotation) -> ArticulatedInertia:
        """The same inertia seen from the frame in which R was turned."""
        return ArticulatedInertia(R.symmetric(self.I), R.general(self.H), R.symmetric(self.M))

    def shifted(self, r: Array) -> ArticulatedInertia:
        """About the point from which the old one lies at r: v_old = v + w x r.

        H' = H + r~ M,   I' = I + r~ H'^T + (r~ H^T)^T.
        """
        H = self.H + crossed(r, self.M)
        both = self.H + H
        G, G1, D = crossed(r, self.H.T), crossed(r, H.T), crossed(r, both.T)
        return ArticulatedInertia(self.I + mirror(np.where(_DIAGONAL, D, G1 + G.T)), H, self.M)

    def matrix(self) -> Array:
        """The full (6, 6) matrix."""
        return blocks([self.I, self.H], [self.H.T, self.M])

    @classmethod
    def of(cls, X: Array) -> ArticulatedInertia:
        """From the leading 6x6 of a larger symmetric matrix."""
        return cls(X[:3, :3], X[:3, 3:6], X[3:6, 3:6])


@dataclass(frozen=True, eq=False)
class RigidInertia:
    """The inertia of a rigid (or momentarily rigid) body: I about the point, h = m c, m."""

    I: Array  # noqa: E741
    h: Array
    m: Scalar

    def __add__(self, other: RigidInertia) -> RigidInertia:
        return RigidInertia(self.I + other.I, self.h + other.h, self.m + other.m)

    def turned(self, R: Rotation) -> RigidInertia:
        return RigidInertia(R.symmetric(self.I), R.forth(self.h), self.m)

    def shifted(self, r: Array) -> RigidInertia:
        """I' = I + (2 h.r + m r.r) 1 - (h r^T + r h^T + m r r^T)."""
        g = self.h + self.m * r
        t = self.h @ r + g @ r
        both = outer(r, g) + outer(self.h, r)
        return RigidInertia(self.I + mirror(t * np.eye(3) - both), g, self.m)

    def wrench(self, w: Array, v: Array) -> tuple[Array, Array]:
        """Momentum (n, f) of the twist (w, v)."""
        return self.I @ w + cross(self.h, v), self.m * v - cross(self.h, w)

    def matrix(self) -> Array:
        H = skew(self.h)
        return blocks([self.I, H], [H.T, self.m * np.eye(3)])
