"""A small dense solve in any scalar: A = L D L^T of a symmetric positive definite matrix.

No choice is made on the way, so that it can be traced; what is zero by structure folds away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Array, Scalar


@dataclass(frozen=True)
class DefiniteFactors:
    """The factors of A: L (unit, below the diagonal), D, and 1 / D."""

    L: list[list[Scalar]]
    D: list[Scalar]
    inverse: list[Scalar]

    def solve(self, B: Array) -> Array:
        """A^-1 B of a vector (n,) or of columns (n, k)."""
        n = len(self.D)
        x = [B[i] for i in range(n)]
        for i in range(n):
            for j in range(i):
                x[i] = x[i] - self.L[i][j] * x[j]
        x = [a * b for a, b in zip(x, self.inverse, strict=True)]
        for i in reversed(range(n)):
            for j in range(i + 1, n):
                x[i] = x[i] - self.L[j][i] * x[j]
        return np.array(x).reshape(B.shape)


def definite(A: Array) -> DefiniteFactors:
    """A = L D L^T; the upper half of A is not looked at."""
    L: list[list[Scalar]] = []
    D: list[Scalar] = []
    inverse: list[Scalar] = []
    for i in range(len(A)):
        row: list[Scalar] = []  # L_ij D_j
        for j in range(i):
            left = A[i, j]
            for k in range(j):
                left = left - row[k] * L[j][k]
            row.append(left)
        pivot = A[i, i]
        L.append([x * d for x, d in zip(row, inverse, strict=True)])
        for x, share in zip(row, L[i], strict=True):
            pivot = pivot - x * share
        D.append(pivot)
        inverse.append(1.0 / pivot)
    return DefiniteFactors(L, D, inverse)
