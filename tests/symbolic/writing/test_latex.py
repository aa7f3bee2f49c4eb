"""The LaTeX document is whole, and compiles where there is TeX."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import supple
from sequences import of


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
