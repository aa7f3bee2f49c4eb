"""G2, the group of dual homogeneous transformations Y = (X, v).

X in G1 turns, the dual vector v = r + e d shifts: r the rigid, d the elastic displacement.
    product     Y1 Y2 = (X1 X2, v1 + X1 v2)
    identity    Y_I   = (X_I, 0)
    inverse     Y^-1  = (X^-1, -X^-1 v)
    algebra     g2    : dual twists t = [w; v]
    adjoint     Ad(Y) = [[X, 0], [v~ X, X]]
    exp [Om; v0]      = (exp Om, Psi_l(Om) v0)
    log Y             = [Om; Psi_l(Om)^-1 v],  Om = log X
where Psi_l of the dual vector u + e w is the dual matrix Psi_l(u) + e Q(u, w). A product of
two elements is an element, products associate, and Y Y^-1 = Y_I.
Reference: [CibicikEgeland], eqs. (14)-(21), (50)-(55), (138)-(145); erratum: the last entry
of (141) is 1, not 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...types import Array
from .array import DualArray, DualLike, hstack, vector as dual_vector, vstack, wedge
from .rotation import DualRotation
from .so3 import left_jacobian, left_jacobian_inverse, left_jacobian_slope


@dataclass(frozen=True, eq=False)
class DualTransform:
    """An element of G2: where a frame stands, to first order in the elastic displacement."""

    X: DualRotation
    v: DualArray

    @classmethod
    def identity(cls) -> DualTransform:
        return cls(DualRotation.identity(), DualArray.of(np.zeros(3)))

    @classmethod
    def shift(cls, v: DualLike) -> DualTransform:
        """A frame moved by v and not turned."""
        return cls(DualRotation.identity(), DualArray.of(v))

    @classmethod
    def rigid(cls, R: Array, r: Array | None = None) -> DualTransform:
        """An element of SE(3): nothing elastic in it."""
        zero = np.zeros(3)
        return cls(DualRotation(R, zero), DualArray.of(zero if r is None else r))

    @classmethod
    def elastic(cls, r: Array, theta: Array, d: Array) -> DualTransform:
        """The end of a link: undeformed at r, moved by d, turned by theta.

        Reference: [CibicikEgeland], eq. (45).
        """
        return cls(DualRotation(np.eye(3), theta), DualArray(r, d))

    @classmethod
    def exp(cls, t: DualArray) -> DualTransform:
        """Of the dual twist t = [Om; v0]. Reference: eqs. (141)-(143)."""
        return cls(DualRotation.exp(t[:3]), dual_left_jacobian(t[:3]) @ t[3:])

    @classmethod
    def of(cls, Y: Array) -> DualTransform:
        """From the (7, 7) matrix of eq. (14)."""
        return cls(DualRotation.of(Y[:6, :6]), dual_vector(Y[:6, 6]))

    def log(self) -> DualArray:
        """The dual twist [Om; v0] with exp = Y; numbers only. Reference: eq. (145)."""
        Om = self.X.log()
        return vstack([Om, dual_left_jacobian_inverse(Om) @ self.v])

    def __matmul__(self, other: DualTransform) -> DualTransform:
        return DualTransform(self.X @ other.X, self.v + self.X @ other.v)

    def inverse(self) -> DualTransform:
        """Reference: eq. (51)."""
        X = self.X.inverse()
        return DualTransform(X, -(X @ self.v))

    def point(self, p: DualLike) -> DualArray:
        """The point p of the inner frame, seen from the outer one."""
        return self.v + self.X @ DualArray.of(p)

    def matrix(self) -> Array:
        """The (7, 7) matrix of eq. (14)."""
        row = np.array([[0.0] * 6 + [1.0]])
        return np.vstack([np.column_stack([self.X.matrix(), self.v.matrix()]), row])

    def adjoint(self) -> DualArray:
        """Ad(Y), a dual (6, 6) matrix: twists of the inner frame seen from the outer one.

        Reference: eq. (19).
        """
        X = self.X.array()
        zero = DualArray.of(np.zeros((3, 3)))
        return vstack([hstack([X, zero]), hstack([wedge(self.v) @ X, X])])

    def right_velocity(self, omega: Array, theta_dot: Array, v_dot: DualLike) -> DualArray:
        """The dual twist t = [w^; X^-1 v_dot] with Y_dot = Y [t]^, from omega~ = A^T A_dot and the
        rates of theta and of v. Reference: eqs. (15)-(17)."""
        own = self.X.right_velocity(omega, theta_dot)
        return vstack([own, self.X.inverse() @ DualArray.of(v_dot)])

    def renormalised(self) -> DualTransform:
        """The same with the rotation moved onto SO(3)."""
        return DualTransform(self.X.renormalised(), self.v)


def twist_matrix(t: DualArray) -> Array:
    """[t]^, the (7, 7) matrix of the algebra g2. Reference: eqs. (16), (53)."""
    top = np.column_stack([wedge(t[:3]).matrix(), t[3:].matrix()])
    return np.vstack([top, np.zeros((1, 7))])


def dual_left_jacobian(Om: DualArray) -> DualArray:
    """Psi_l of G1. Reference: eqs. (142)-(144)."""
    return DualArray(left_jacobian(Om.r), left_jacobian_slope(Om.r, Om.d))


def dual_left_jacobian_inverse(Om: DualArray) -> DualArray:
    """(P + e Q)^-1 = P^-1 - e P^-1 Q P^-1."""
    P = left_jacobian_inverse(Om.r)
    return DualArray(P, -(P @ left_jacobian_slope(Om.r, Om.d) @ P))
