"""Simplified equations are shorter, and the same."""

from __future__ import annotations

import numpy as np

from sequences import of, random_state


def test_simplified_equations_are_equal_and_progress_is_told() -> None:
    eq = of("lin-lewis-rr")
    told: list[float] = []
    q, qd, _ = random_state(eq.robot, np.random.default_rng(9))
    for level in (1, 2, 3):
        short = eq.simplified(level, told.append)
        for n, value in short.at(q, qd).items():
            assert np.allclose(value, eq.at(q, qd)[n], rtol=1e-13, atol=1e-13)
        assert short.operations()["written"] <= eq.operations()["written"]
    assert told[-1] == 1.0
    assert told == sorted(told[: len(told) // 3]) * 3
