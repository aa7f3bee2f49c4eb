"""G1, the group of dual rotations X = (A, theta~ A).

A in SO(3) is the rigid rotation, theta the small elastic one after it: R^ = A + e theta~ A.
    product     X1 X2 = (A1 A2, (theta_1 + A1 theta_2)~ A1 A2)
    identity    X_I   = (1, 0)
    inverse     X^-1  = (A^T, -(A^T theta)~ A^T)
    algebra     g1    : dual vectors, [a]^ = a~ with bracket a x b
    adjoint     Ad(X) = X:  [X w]^ = X [w]^ X^-1
    exp(u + e w)      = (exp u~, (Psi_l(u) w)~ exp u~)
    log X             = u + e Psi_l(u)^-1 theta,  u~ = log A
A product of two elements is an element, products associate, X X_I = X_I X = X and
X X^-1 = X_I. Stored are A and theta, so the dual part is a skew matrix times A whatever
rounding does; only A drifts off SO(3), by some 1e-17 a product. `renormalised` brings it back
in one step; once every hundred products keeps it within 1e-14.
Reference: [CibicikEgeland], eqs. (8)-(13), (31)-(34), (128)-(137).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np

from ...types import Array
from ..algebra import skew
from .array import DualArray
from .so3 import (
    left_jacobian,
    left_jacobian_inverse,
    orthogonal,
    rotation_exp,
    rotation_log,
)


@dataclass(frozen=True, eq=False)
class DualRotation:
    """An element of G1: the rotation A (3, 3) and the small angles theta (3,) after it."""

    A: Array
    theta: Array

    __array_ufunc__ = None

    @classmethod
    def identity(cls) -> DualRotation:
        return cls(np.eye(3), np.zeros(3))

    @classmethod
    def exp(cls, u: DualArray) -> DualRotation:
        """Of the dual vector u + e w. Reference: eq. (136)."""
        return cls(rotation_exp(u.r), left_jacobian(u.r) @ u.d)

    @classmethod
    def of(cls, X: Array) -> DualRotation:
        """From the (6, 6) matrix of eq. (8)."""
        A = np.asarray(X[:3, :3])
        t = X[3:, :3] @ A.T
        return cls(A, 0.5 * np.array([t[2, 1] - t[1, 2], t[0, 2] - t[2, 0], t[1, 0] - t[0, 1]]))

    def log(self) -> DualArray:
        """u + e w with exp(u + e w) = X and |u| <= pi; numbers only. Reference: eq. (137)."""
        u = rotation_log(self.A)
        return DualArray(u, left_jacobian_inverse(u) @ self.theta)

    @overload
    def __matmul__(self, other: DualRotation) -> DualRotation: ...
    @overload
    def __matmul__(self, other: DualArray | Array) -> DualArray: ...
    def __matmul__(self, other: DualRotation | DualArray | Array) -> DualRotation | DualArray:
        """The group's product; or the dual vectors in the columns of `other`, turned."""
        if isinstance(other, DualRotation):
            return DualRotation(self.A @ other.A, self.theta + self.A @ other.theta)
        return self.array() @ other

    def inverse(self) -> DualRotation:
        """Reference: eq. (32)."""
        return DualRotation(self.A.T, -(self.A.T @ self.theta))

    def array(self) -> DualArray:
        """The dual matrix A + e theta~ A."""
        return DualArray(self.A, skew(self.theta) @ self.A)

    def matrix(self) -> Array:
        """The (6, 6) matrix of eq. (8)."""
        return self.array().matrix()

    def adjoint(self) -> DualArray:
        """Ad(X) = X. Reference: eq. (12)."""
        return self.array()

    def right_velocity(self, omega: Array, theta_dot: Array) -> DualArray:
        """w^ with X_dot = X [w^]^, from omega~ = A^T A_dot and the rate of theta.

        Reference: eqs. (9)-(11).
        """
        return DualArray(np.asarray(omega), self.A.T @ theta_dot)

    def renormalised(self) -> DualRotation:
        """The same with A moved onto SO(3)."""
        return DualRotation(orthogonal(self.A), self.theta)
