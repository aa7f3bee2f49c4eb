"""Generated functions run in their language and say what the matrices say."""

from __future__ import annotations

import copy
import ctypes
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from sequences import of, random_state
from supple.symbolic.writing.languages import c
from supple.symbolic.writing.plain_text import shown

NAMES = ["lin-lewis-rfr", "piedboeuf-arm", "canadarm", "lin-lewis-rf"]
RUN = ["10", *NAMES]  # arm 10 turns about many axes, with springs, dampers and friction


def state(robot: supple.Robot) -> tuple[Any, Any]:
    return random_state(robot, np.random.default_rng(9))[:2]


@pytest.mark.parametrize("name", RUN)
def test_python_runs_and_agrees(name: str) -> None:
    eq = of(name)
    scope: dict[str, Any] = {}
    exec(eq.code("python"), scope)
    q, qd = state(eq.robot)
    made = scope[f"{re.sub('[^a-zA-Z0-9]', '_', eq.robot.name)}_equations"]
    for value, wanted in zip(made(q, qd), eq.at(q, qd).values(), strict=False):
        assert np.allclose(value.reshape(wanted.shape), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")
@pytest.mark.parametrize(("name", "letters"), [*((n, 10**9) for n in RUN[:3]), ("canadarm", 900)])
def test_c_compiles_and_agrees(
    name: str, letters: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole and in pieces."""
    monkeypatch.setattr(c, "PIECE", letters)
    eq = of(name)
    (tmp_path / "f.c").write_text(eq.code("c"))
    assert ("static void" in (tmp_path / "f.c").read_text()) == (letters < 1000)
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(
        ["cc", *strict, "-shared", "-fPIC", "-o", "f.so", "f.c", "-lm"], cwd=tmp_path, check=True
    )
    library = ctypes.CDLL(str(tmp_path / "f.so"))
    q, qd = state(eq.robot)
    wanted = eq.at(q, qd)
    p = np.array([x.value for x in eq.parameters])
    text = (tmp_path / "f.c").read_text()
    name_c, heads = re.search(r"^void (\w+)\((.*)\)", text, re.M).groups()  # type: ignore[union-attr]
    names = re.findall(r"double \*(\w+)", heads)[3:]
    out = {n: np.empty(wanted[n].size) for n in names}
    arrays = [q, qd, p, *out.values()]
    getattr(library, name_c)(*(ctypes.c_void_p(a.ctypes.data) for a in arrays))
    for n in names:
        assert np.allclose(out[n], wanted[n].ravel(), rtol=1e-12, atol=1e-12)


def one_sided() -> tuple[supple.Equations, Any, Any]:
    """A gear with backlash on its flank, and a joint beyond its stop."""
    words = copy.deepcopy(dict(supple.load("flexible-joint-arm").spec))
    words["joints"][0]["drive"]["backlash"] = 0.01
    eq = supple.equations(supple.build(words))
    return eq, np.array([10.0, 0.2, -200.0, -2.6]), np.array([3.0, -1.0, 0.5, 0.7])


def test_what_acts_on_one_side_is_written_in_every_language() -> None:
    eq, q, qd = one_sided()
    scope: dict[str, Any] = {}
    wanted = eq.at(q, qd)
    assert np.count_nonzero(wanted["contact"]) == 3
    force = supple.inverse_dynamics(eq.robot, q, qd, qd)
    assert np.allclose(eq.inverse_dynamics(q, qd, qd), force, rtol=1e-12)
    exec(eq.code("python", "f"), scope)
    made = dict(zip(shown(eq), scope["f"](q, qd), strict=True))
    assert np.allclose(made["contact"].ravel(), wanted["contact"], rtol=1e-12)
    assert np.allclose(made["U"], wanted["U"], rtol=1e-12)
    for language in ("c", "julia", "matlab", "mathematica"):
        called = {"c": "fmax(0, ", "mathematica": "Max[0, "}.get(language, "max(0, ")
        assert eq.code(language).count(called) >= 6
    assert "Max(0, " in eq.pretty()
    assert r"s(q, \dot q)" in eq.latex()


@pytest.mark.parametrize("language", ["julia", "matlab"])
@pytest.mark.parametrize("name", NAMES[:2])
def test_julia_and_matlab_say_the_same(name: str, language: str) -> None:
    """Their arithmetic is Python's but for dots, powers and brackets: run it as that."""
    eq = of(name)
    q, qd = state(eq.robot)
    wanted = eq.at(q, qd)
    scope: dict[str, Any] = {k: getattr(np, k) for k in ("sin", "cos", "tanh", "sqrt")}
    scope |= {s.name: v for s, v in zip((*eq.q, *eq.qd), (*q, *qd), strict=True)}
    scope |= {p.name: p.value for p in eq.parameters}
    from supple.symbolic.stumpff import stumpff

    scope |= {f"stumpff{k}": lambda s, k=k: stumpff(k, s) for k in range(1, 8)}
    scope |= {n: np.zeros(np.shape(w) or 1) for n, w in wanted.items()}
    steps = 0
    for line in eq.code(language).splitlines():
        found = re.match(r"^    (t\d+|[A-Z]+[\[(]\d+, \d+[\])]) = (.*?);?$", line)
        if found is None:
            continue
        left, right = found.groups()
        right = right.replace(".^", "**").replace(".*", "*").replace("./", "/").replace("^", "**")
        value = eval(right, {"__builtins__": {}}, scope)
        place = re.match(r"([A-Z]+).(\d+), (\d+)", left)
        steps += 1
        if place is None:
            scope[left] = value
        else:
            target, i, j = place.group(1), int(place.group(2)) - 1, int(place.group(3)) - 1
            at = i if scope[target].ndim == 1 else (i, j)
            scope[target][at] = value
    assert steps > 10
    for n in ("M", "D", "U", "G"):
        assert np.allclose(scope[n], wanted[n], rtol=1e-12, atol=1e-12), n


@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="no GNU Octave on this machine")
@pytest.mark.parametrize("name", [*RUN[:3], "stanford"])
def test_matlab_runs_in_octave(name: str, tmp_path: Path) -> None:
    """Called by the file's name: as in the model, with a vector, with a struct."""
    eq = of(name)
    (tmp_path / "arm.m").write_text(eq.code("matlab", "arm"))
    q, qd = state(eq.robot)
    first = eq.parameters[0]
    doubled = {first.name: 2.0 * first.value}
    vector = [doubled.get(p.name, p.value) for p in eq.parameters]
    struct = f", struct('{first.name}', {vector[0]!r})"
    for more, changes in (("", {}), (f", {vector!r}", doubled), (struct, doubled)):
        wanted = eq.at(q, qd, changes)
        names = re.findall(r"\w+", (tmp_path / "arm.m").read_text().partition("]")[0])[1:]
        text = f"[{', '.join(names)}] = arm({q.tolist()}, {qd.tolist()}{more});"
        text += "".join(f"printf('%.17g ', {n}');" for n in names)
        words = ["octave-cli", "--eval", text]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
        flat = np.concatenate([wanted[n].ravel() for n in names])
        assert np.allclose(np.array(done.stdout.split(), dtype=float), flat, rtol=1e-12, atol=1e-12)


def test_a_matlab_file_defines_the_function_it_is_named_after() -> None:
    text = of("lin-lewis-rfr").code("matlab", "my_arm")
    assert text.startswith("function [M, D, U, G, B] = my_arm(q, qd, p)\n%my_arm ")
    opened = len(re.findall(r"^ *(?:function|if|for)\b", text, re.MULTILINE))
    assert opened == len(re.findall(r"^ *end$", text, re.MULTILINE))
    assert "numel(q) ~= 4" in text
    assert re.search(r"^% +1  theta1: joint1$", text, re.MULTILINE)


LANGUAGES = ("python", "c", "julia", "matlab", "mathematica")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_function_has_the_name_that_was_asked_for(language: str) -> None:
    eq = of("lin-lewis-rr")
    head = {"c": "void arm_(", "mathematica": "arm[q_List", "matlab": "] = arm_("}
    assert head.get(language, "arm_(") in eq.code(language, "arm_")
    for bad in ("2dof-arm", "a b", "", "_x", "a" * 70, 3):
        with pytest.raises(supple.InputError, match="name"):
            eq.code(language, bad)
    for taken in ("theta1", "m1", "M", "t0", "for" if language != "mathematica" else "Module"):
        with pytest.raises(supple.InputError, match="something there already"):
            eq.code(language, taken)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_the_model_end_no_comment(language: str) -> None:
    bad = 'a */ b """ c *) d \\ e'
    eq = of("lin-lewis-rr")
    text = replace(eq, robot=replace(eq.robot, name=bad)).code(language, "arm")
    assert bad not in text
    marks = {"python": '"""', "c": "*/", "mathematica": "*)", "julia": '"""', "matlab": '"""'}
    assert text.count(marks[language]) == eq.code(language, "arm").count(marks[language])


def test_mathematica_says_the_same() -> None:
    """SymPy reads it back, line by line."""
    from sympy import Symbol, lambdify
    from sympy.parsing.mathematica import parse_mathematica

    eq = of("lin-lewis-rfr")
    q, qd = state(eq.robot)
    text = eq.code("mathematica", "arm").replace("$", "zz")
    values = dict(zip((s.name for s in (*eq.q, *eq.qd)), (*q, *qd), strict=True))
    values |= {p.name: p.value for p in eq.parameters}
    scope = {k.replace("_", "zz"): v for k, v in values.items()}

    def value(line: str) -> float:
        e = parse_mathematica(line)
        free = sorted(s.name for s in e.free_symbols)
        return float(lambdify([Symbol(n) for n in free], e)(*(scope[n] for n in free)))

    for left, right in re.findall(r"^  (t\d+) = (.*);$", text, re.MULTILINE):
        scope[left] = value(right)
    rows = text.partition('"M" -> {')[2].partition("}}")[0].split("},")
    M = [[value(x) for x in row.strip(" \n{").split(", ")] for row in rows]
    assert np.allclose(M, eq.at(q, qd)["M"], rtol=1e-12, atol=1e-12)


def test_mathematica_has_no_underscores_and_closed_brackets() -> None:
    text = of("piedboeuf-arm").code("mathematica").partition("*)")[2]
    assert all(text.count(a) == text.count(b) for a, b in ("[]", "{}", "()"))
    assert not re.findall(r"\w_(?!\])", re.sub(r"\[s_\]|\[q_List, qd_List, p_:", "", text))
    assert not re.findall(r"\de[-+]?\d", text)
    assert "stumpff" not in text or "stumpff2[s_] :=" in text
