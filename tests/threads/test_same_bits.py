"""A state has the same results, to the last bit, alone, in any row of a batch, on any threads."""

from __future__ import annotations

import numpy as np
import pytest

import supple


@pytest.mark.parametrize("what", ["forward_dynamics", "mass_matrix"])
@pytest.mark.parametrize(
    "name", ["space-robot", "canadarm-spatial", "stewart", "four-bar-flexible"]
)
def test_rows_of_batches_are_single_calls(name: str, what: str) -> None:
    """The rows that are left over after the last full vector, too: they run through other code."""
    robot, rng = supple.load(name), np.random.default_rng(0)
    f = supple.compile(robot, what, unroll=True)
    state = {name: 0.1 * rng.normal(size=(617, n)) for name, n in f.arguments.items()}
    state["q"] += robot.neutral()
    whole = f.batch(*state.values(), threads=1)
    alone = np.array([f(*row) for row in zip(*state.values(), strict=True)])
    assert whole.tobytes() == alone.tobytes()
    for threads in (2, 3, 5):
        assert f.batch(*state.values(), threads=threads).tobytes() == whole.tobytes()
