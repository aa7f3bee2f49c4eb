"""The LaTeX document says what the matrices say, on lines that fit, and compiles where there is
TeX."""

from __future__ import annotations

import copy
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import supple
from agree import assert_near
from latex_reader import Reader, blocks, entries, rows
from sequences import of, random_state
from supple.symbolic.naming.coordinate_names import coordinate_names
from supple.symbolic.writing.latex import NUMBER, PAGE
from supple.symbolic.writing.latex_names import latex_name
from supple.symbolic.writing.tex_width import width

PAPER = ["lin-lewis-f", "lin-lewis-rf", "lin-lewis-rfr", "lin-lewis-rr"]
TEX = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not on the PATH")


MATRICES = {
    "M": "M",
    "D": "D",
    "U": "U",
    "G": "G",
    "B": "B",
    "R": "R",
    "f": "friction",
    "s": "contact",
}


@pytest.mark.parametrize("abbreviate", [False, True])
@pytest.mark.parametrize("name", [*PAPER, "piedboeuf-arm", "flexible-joint-arm"])
def test_what_is_written_is_what_the_matrices_say(name: str, abbreviate: bool) -> None:
    """Every entry read back from the page, number by number."""
    robot = supple.load(name)
    eq = supple.equations(robot.with_modes(1) if robot.mode_indices else robot)
    q, qd, _ = random_state(eq.robot, np.random.default_rng(3))
    values = {latex_name(s.name): float(x) for s, x in eq.values.items()}
    for symbols, numbers in ((eq.q, q), (eq.qd, qd)):
        pairs = zip(symbols, numbers, strict=True)
        values |= {latex_name(s.name): float(x) for s, x in pairs}
    wanted, read = eq.at(q, qd), 0
    for left, right in entries(eq.latex(limit=10**6, abbreviate=abbreviate)):
        value = Reader(right, values).sum()
        letter, place = re.fullmatch(r"(\w+)_\{([\d,]+)\}", left).groups()  # type: ignore[union-attr]
        if letter == "t":
            values[left] = value
        elif letter in MATRICES:
            at = tuple(int(k) - 1 for k in place.split(","))
            assert_near(value, wanted[MATRICES[letter]][at], 1e-11)
            read += 1
    found = sum(np.count_nonzero(np.triu(wanted[n])) for n in "MUR")
    found += sum(np.count_nonzero(wanted[n]) for n in ("D", "G", "B", "friction", "contact"))
    assert read >= found > 0


@pytest.mark.parametrize("name", [*PAPER, "five-bar"])
def test_no_line_is_wider_than_the_page(name: str) -> None:
    """By the widths that are TeX's own (`test_tex_width.py`), with room for the number."""
    text = of(name).latex()
    assert len(rows(text)) >= 10
    for block in blocks(text):
        left = max(width(line.partition("&")[0]) for line in block)
        for line in block:
            assert left + width(line.partition("&")[2]) <= PAGE - NUMBER + 0.1, line


def test_lines_begin_with_a_sign_and_end_with_the_number() -> None:
    text = of("lin-lewis-rfr").latex()
    later = [line for line in rows(text) if line.startswith("&")]
    assert len(later) > 50
    assert all(re.match(r"&(\\quad)+ \{\}[-+] ", line) for line in later)
    found = [line for _, right in entries(text) for line in right.strip().split("\n")]
    ends = [right.strip().split("\n")[-1] for _, right in entries(text)]
    assert sum(r"\notag" in line for line in found) == len(found) - len(ends)
    assert not any(r"\notag" in line for line in ends)


def test_names_have_real_subscripts() -> None:
    shown = {"mp3": "m_{p3}", "Izz1": "I_{zz1}", "cpx2": "c_{px2}", "EIz2": "EI_{z2}"}
    shown |= {"theta1_dot": r"\dot{\theta}_{1}", "e2_v1v2": "e_{2,v1v2}", "Jr1": "J_{r1}"}
    shown |= {"phi01_v1": r"\varphi^{\mathrm{root}}_{1,v1}", "q02": r"\bar{q}_{2}", "g": "g"}
    assert {name: latex_name(name) for name in shown} == shown


def test_no_two_names_look_alike() -> None:
    """All coordinates and rates that ship, and every parameter of robots of every kind."""
    kinds = ("piedboeuf-arm", "canadarm", "five-bar", "four-bar-flexible", "flexible-joint-arm")
    names = {p.name for name in (*kinds, "10") for p in of(name).parameters}
    for name in supple.shipped():
        both = coordinate_names(supple.load(name))
        names |= {*both.q, *both.qd}
    assert len({latex_name(name) for name in names}) == len(names) > 100


def test_terms_have_names_only_when_asked_for() -> None:
    eq = of("canadarm")
    with pytest.raises(supple.InputError, match=r"\d+ operations written out.*--abbreviate"):
        eq.latex()
    assert "Common terms" in eq.latex(abbreviate=True)
    assert "t_{0} &= " in of("lin-lewis-rr").latex(abbreviate=True)
    assert "t_{0}" not in of("lin-lewis-rr").latex()


def nasty() -> supple.Robot:
    """Two arms in one whose names hold all that TeX obeys, and letters that it lacks."""
    words = copy.deepcopy(dict(supple.load("lin-lewis-rf").spec))
    text = repr(words)
    for old, new in (("barrel", "Träger_%#&$^~{}\\\\ω中<|>" + "x" * 35), ("turret", "a--b_#1'`\"")):
        assert old in text
        text = text.replace(f"'{old}'", repr(new.replace("\\\\", "\\")))
    return supple.build(eval(text))


@pytest.mark.parametrize("name", [*PAPER[:3], "odd names"])
def test_latex_is_a_whole_document(name: str) -> None:
    robot = nasty() if name == "odd names" else supple.load(name)
    text = supple.equations(robot.with_modes(1), drop=0.001).latex()
    assert text.isascii()
    assert text.startswith(r"\documentclass")
    assert text.rstrip().endswith(r"\end{document}")
    plain = re.sub(r"\\[{}$%#&_]", "", text)
    for a, b in ((r"\begin{", r"\end{"), ("{", "}"), ("(", ")")):
        assert plain.count(a) == plain.count(b)
    assert plain.count("$") % 2 == 0
    assert not re.search("[%#~]", plain)
    assert "Left out" in text or name == "lin-lewis-f"


@TEX
@pytest.mark.parametrize("name", [*PAPER, "five-bar", "canadarm", "odd names"])
def test_tex_makes_pages_without_an_overfull_line(name: str, tmp_path: Path) -> None:
    eq = supple.equations(nasty()) if name == "odd names" else of(name)
    (tmp_path / "e.tex").write_text(eq.latex(abbreviate=name == "canadarm"))
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "e.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "e.log").read_text(errors="replace")
    assert "Overfull" not in log
    assert (tmp_path / "e.pdf").stat().st_size > 10_000
