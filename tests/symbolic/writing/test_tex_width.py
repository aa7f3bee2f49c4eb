"""Widths of formulas against TeX's own."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from latex_reader import rows
from sequences import of
from supple.symbolic.writing.latex_names import latex_name
from supple.symbolic.writing.tex_width import width

SEEN = {
    r"m_{p3}": 17.39,
    r"\dot{\theta}_{12}^{2}": 13.17,
    r"\frac{L_{1}^{2} \rho A_{1}}{3}": 30.85,
    r"L_{3} m_{p3} + c_{x3} m_{3}": 67.52,
    r"\Bigl(\theta_{2} - \theta_{3} + \frac{\varphi_{2,v1} v_{2,1}}{L_{2}}\Bigr)": 94.48,
    r"\sin^{2}(\theta_{1}) \cos(\theta_{2} + \theta_{3})": 87.14,
    r"\varphi'^{\mathrm{root}}_{1,v1} \bar{\chi}_{y1,v1w1}": 59.41,
    r"\tanh\Bigl(\frac{\dot{\theta}_{1}}{v_{s1}}\Bigr) f_{c1}": 60.41,
    r"\max(0, q_{l1} - \theta_{1}) \cdot 2.5": 88.76,
    r"\biggl(\bigl((a) b\bigr)\biggr)": 41.24,
    r"\psi_{1,\alpha 1w2} c_{2}(\alpha_{1,1}^{2})": 66.36,
    r"M_{1,1} = EI_{z1} k_{1,v1v1} + \nu_{3,x} \omega_{3,y}": 129.32,
}
"""What pdfTeX 1.40 says of boxes of these formulas, in pt."""


@pytest.mark.parametrize("formula", SEEN)
def test_widths_are_those_that_tex_printed(formula: str) -> None:
    assert SEEN[formula] <= width(formula) <= 1.06 * SEEN[formula] + 2.0


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not on the PATH")
def test_widths_of_whole_documents_are_those_of_tex(tmp_path: Path) -> None:
    """Every line and every name of three arms: never less, 4% more on average."""
    found = [line for name in ("lin-lewis-rfr", "lin-lewis-rf") for line in rows(of(name).latex())]
    found += rows(of("canadarm").latex(abbreviate=True))
    formulas = [re.sub(r"[&]|\\notag", " ", line) for line in found]
    formulas += [latex_name(p.name) for p in of("piedboeuf-arm").parameters]
    seen = widths(formulas, tmp_path)
    ratios = [width(f) / w for f, w in zip(formulas, seen, strict=True) if w > 40.0]
    assert all(w <= width(f) for f, w in zip(formulas, seen, strict=True))
    assert max(ratios) < 1.12
    assert sum(ratios) / len(ratios) < 1.05


def widths(formulas: list[str], folder: Path) -> list[float]:
    """In pt, by TeX."""
    lines = [rf"\setbox0=\hbox{{$\displaystyle {f}$}}\typeout{{W \the\wd0}}" for f in formulas]
    head, tail = r"\documentclass{article}\usepackage{amsmath}\begin{document}", r"\end{document}"
    (folder / "w.tex").write_text("\n".join([head, *lines, tail]))
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "w.tex"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    found = [float(x) for x in re.findall(r"^W ([\d.]+)pt", done.stdout, re.MULTILINE)]
    assert len(found) == len(formulas)
    return found
