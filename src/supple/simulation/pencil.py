"""The pencil K - w^2 M of springs and masses, by NumPy: SciPy's linear algebra takes longer to
import than most runs to make."""

from __future__ import annotations

import numpy as np

from ..types import Floats


def pencil(K: Floats, M: Floats) -> tuple[Floats, Floats]:
    """w^2, rising, and V with K V = M V diag(w^2) and V^T M V = 1: with M = L L^T these are the
    eigenvalues of L^-1 K L^-T, and V = L^-T times its vectors."""
    inverse = np.linalg.inv(np.linalg.cholesky(M))
    A = inverse @ K @ inverse.T
    squares, vectors = np.linalg.eigh(0.5 * (A + A.T))
    return squares, inverse.T @ vectors


def lowest(K: Floats, M: Floats) -> float:
    """The lowest eigenvalue of K v = lambda M v."""
    return float(pencil(K, M)[0][0])
