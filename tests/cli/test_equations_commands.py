"""supple equations, zeros, reproduce: what they write, and one message for a mistake."""

import json

import pytest
from typer.testing import CliRunner

from supple.cli import app


def run(*words):
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_equations_are_shown_and_counted():
    text = run("equations", "lin-lewis-rr")
    assert "M[2,2] = Izz2 + cx2**2*m2" in text
    assert "operations written out" in text
    facts = json.loads(run("equations", "lin-lewis-rr", "--json"))
    assert facts["coordinates"] == {"theta1": "joint1", "theta2": "joint2"}
    assert facts["entries"]["M[2,2]"] == "Izz2 + cx2**2*m2"


@pytest.mark.parametrize("suffix", [".py", ".c", ".jl", ".m", ".wl"])
def test_equations_are_written(tmp_path, suffix):
    tex, code = str(tmp_path / "out.tex"), str(tmp_path / f"out{suffix}")
    text = run("equations", "lin-lewis-f", "--latex", tex, "--code", code, "--drop", "1e-3")
    assert f"saved {tex}" in " ".join(text.split())
    assert (tmp_path / "out.tex").read_text().startswith(r"\documentclass")
    text = (tmp_path / f"out{suffix}").read_text()
    assert "Supple" in text
    heads = {".py": "def out(", ".c": "void out(", ".jl": "function out(", ".wl": "out[q_List"}
    assert heads.get(suffix, "] = out(q, qd, p)") in text


def test_zeros_are_shown_and_compared():
    assert "marginally stable" in " ".join(run("zeros", "lin-lewis-f").split())
    words = ("zeros", "lin-lewis-f", "--families", "pinned_pinned,clamped_free", "--modes", "2,5")
    rows = json.loads(run(*words, "--json"))
    assert [(r["family"], r["modes"], len(r["zeros"])) for r in rows] == [
        ("pinned_pinned", 2, 4),
        ("pinned_pinned", 5, 10),
        ("clamped_free", 2, 4),
        ("clamped_free", 5, 10),
    ]
    assert rows[0]["stability"].startswith("unstable")


def test_lin_lewis_is_reproduced(tmp_path):
    facts = json.loads(run("reproduce", "lin-lewis", "--json", "--out", str(tmp_path / "out")))
    tables = {table["title"][:12]: table for table in facts["tables"]}
    assert len(facts["tables"]) == 11
    names = ("4.1 rigid tw", "4.2 one flex", "4.2 the bloc", "4.2 zeros wi", "4.3 rigid an")
    book, eigenvalues, blocks, zeros, turret = (tables[name] for name in names)
    appendix, skew = tables["4.4 RFR arm,"], tables["Theorem 1: l"]
    assert all(row["ours - textbook"] == "0" for row in book["rows"])
    assert [row["the print"] for row in eigenvalues["rows"][:2]] == [
        "should be 2312.83",
        "should be 3.70e4",
    ]
    assert all(row["M_FF"] < 1e-9 and row["U_FF"] < 1e-9 for row in blocks["rows"])
    assert zeros["rows"][0]["zero dynamics"].startswith("unstable")
    assert [r["zero dynamics"][:8] for r in turret["rows"]] == ["unstable", "marginal"]
    right = [row["entry"] for row in appendix["rows"] if row["ours - printed"] == "0"]
    assert right == ["M[1,3]", "M[3,3]"]
    assert skew["rows"][0]["defect"] < 1e-14
    names = sorted(p.name for p in (tmp_path / "out").iterdir())
    assert names == ["lin-lewis-figures", "lin-lewis.html", "lin-lewis.md"]
    drawn = sorted(p.name for p in (tmp_path / "out" / "lin-lewis-figures").iterdir())
    assert drawn == ["eigenvalues.png", "zeros.png"]
    assert facts["cost"]["wall"] > 0.0
    assert len(facts["misprints"]) >= 16
    rounded = tables["4.2 clamped-"]["rows"]
    assert [row["second zero, +-j"] for row in rounded[1:]] == ["76.98", "76.96", "76.95", "76.95"]
    small = tables["4.4 insignif"]["rows"]
    assert max(row["operations"] for row in small) == small[0]["operations"]  # never longer
    for row in tables["4.3 what fle"]["rows"]:
        assert float(row["ratio"]) > 5.0


MISTAKES = [
    ("equations nobody", "no robot and no file named 'nobody'"),
    ("equations space-robot --latex out.tex", "has 32 coordinates"),
    ("equations canadarm-spatial --latex out.tex", "operations even with common subexpressions"),
    ("equations canadarm --latex out.pdf", "must end in .tex"),
    ("equations canadarm --code out.f90", "must end in one of .py, .c"),
    ("equations lin-lewis-rr --code 2dof-arm.m", "Use robot_2dof_arm.m"),
    ("equations lin-lewis-rr --code theta1.c", "cannot be named 'theta1' in c"),
    ("equations canadarm --latex none/out.tex", "there is no folder none"),
    ("equations canadarm --parameters m9", "no parameter named 'm9'"),
    ("equations canadarm --tip-angle cord", "Did you mean chord"),
    ("equations canadarm --simplify 9", "levels are 0, 1, 2 and 3"),
    ("zeros lin-lewis-f --output joint2", "no output named 'joint2'"),
    ("zeros lin-lewis-f --modes two", "expected numbers separated by commas"),
    ("zeros lin-lewis-f --families sines", "no mode family named 'sines'"),
    ("reproduce nobody", "no paper named 'nobody'"),
]


@pytest.mark.parametrize(("words", "message"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_a_mistake_is_one_message(command, tmp_path, words, message):
    done = command(*words.split())
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
