"""Text lists everything; too much is told, not written."""

from __future__ import annotations

import re

import pytest

import supple
from sequences import of


def test_pretty_lists_everything() -> None:
    text = of("lin-lewis-rr").pretty()
    assert "M[2,2] = Izz2 + cx2**2*m2" in text
    assert re.search(r"g +9.81", text)


def test_large_robots_are_told_not_written() -> None:
    eq = of("canadarm")
    with pytest.raises(supple.InputError, match=r"LaTeX of .* the limit is 40"):
        eq.latex(limit=40)
    assert len(repr(eq)) < 100


def test_forty_coordinates_are_told_before_the_work() -> None:
    from studies.chains import flexible_chain

    with pytest.raises(supple.InputError, match=r"40 coordinates give \d+ operations or more"):
        supple.equations(flexible_chain(8))
