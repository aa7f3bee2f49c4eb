"""Text, LaTeX and code say the same as the matrices; too much is told, not written."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple

sys.path.insert(0, str(Path(__file__).parent))
from sequences import of, random_state


def state(robot: supple.Robot) -> tuple[Any, Any]:
    return random_state(robot, np.random.default_rng(9))[:2]


@pytest.mark.parametrize("name", ["lin-lewis-rfr", "piedboeuf-arm"])
def test_latex_is_a_whole_document(name: str) -> None:
    text = supple.equations(supple.load(name).with_modes(1), drop=0.001).latex()
    assert text.startswith(r"\documentclass")
    assert text.rstrip().endswith(r"\end{document}")
    for a, b in ((r"\begin{", r"\end{"), ("{", "}")):
        assert text.replace(r"\{", "").count(a) == text.replace(r"\}", "").count(b)
    assert text.count("$") % 2 == 0
    assert r"\ddot q" in text
    assert "Left out" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX on this machine")
@pytest.mark.parametrize("name", ["lin-lewis-rfr", "piedboeuf-arm", "canadarm", "puma"])
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    (tmp_path / "e.tex").write_text(of(name).latex())
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "e.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "e.pdf").stat().st_size > 10_000


def test_pretty_lists_everything() -> None:
    text = of("lin-lewis-rr").pretty()
    assert "M[2,2] = Izz2 + cx2**2*m2" in text
    assert re.search(r"g +9.81", text)


def test_simplified_equations_are_equal_and_progress_is_told() -> None:
    eq = of("lin-lewis-rr")
    told: list[float] = []
    q, qd = state(eq.robot)
    for level in (1, 2, 3):
        short = eq.simplified(level, told.append)
        for n, value in short.at(q, qd).items():
            assert np.allclose(value, eq.at(q, qd)[n], rtol=1e-13, atol=1e-13)
        assert short.operations()["written"] <= eq.operations()["written"]
    assert told[-1] == 1.0
    assert told == sorted(told[: len(told) // 3]) * 3


def test_large_robots_are_told_not_written() -> None:
    eq = of("canadarm")
    with pytest.raises(supple.InputError, match=r"LaTeX of .* the limit is 40"):
        eq.latex(limit=40)
    assert len(repr(eq)) < 100


def test_forty_coordinates_are_told_before_the_work() -> None:
    from supple.bench.chains import flexible_chain

    with pytest.raises(supple.InputError, match=r"40 coordinates give \d+ operations or more"):
        supple.equations(flexible_chain(8))
