"""Modes by NumPy against SciPy's."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from agree import assert_near
from supple.simulation.ringing import lowest, pencil


def test_springs_and_masses_have_the_modes_that_scipy_finds() -> None:
    rng = np.random.default_rng(4)
    A, B = rng.normal(size=(2, 7, 7))
    K, M = A @ A.T - 2.0 * np.eye(7), B @ B.T + np.diag(10.0 ** np.arange(-3.0, 4.0))
    squares, V = pencil(K, M)
    assert_near(squares, eigh(K, M, eigvals_only=True), 1e-9)
    assert_near(V.T @ M @ V, np.eye(7), 1e-10)
    assert_near(K @ V, M @ V * squares, 1e-9)
    assert lowest(K, M) == squares[0] < 0.0
