"""The same function as C, CUDA and SymPy text."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import supple
from supple.engine.quantities import BEAMS, CUTS, QUANTITIES
from supple.tracer import c_text

NOT_OF = {
    "lin-lewis-rr": {*CUTS, *BEAMS},
    "five-bar": {"inverse_mass_matrix", "udu_factors", "bias_force", *BEAMS},
}


compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror"]


@compiler
@pytest.mark.parametrize("most", [c_text.MOST, 100])
def test_c_source_compiles_and_agrees(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole and in parts."""
    monkeypatch.setattr(c_text, "MOST", most)
    f = supple.compile(supple.load("canadarm-spatial"), "inverse_dynamics")
    (tmp_path / "f.c").write_text(f.c_source())
    command = ["cc", *STRICT, "-O1", "-shared", "-fPIC", "-o", "f.so", "f.c", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert (f.c_source().count("static void") > 5) == (most < 1000)
    c = ctypes.CDLL(str(tmp_path / "f.so"))
    rng = np.random.default_rng(0)
    x, out = [0.1 * rng.normal(size=15) for _ in range(3)], np.empty(15)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*x, out)]
    c.inverse_dynamics(*pointers)
    assert np.abs(out - f(*x)).max() < 1e-12 * np.abs(out).max()


@compiler
@pytest.mark.parametrize("name", ["lin-lewis-rr", "five-bar"])
def test_the_c_of_every_quantity_passes_a_strict_compiler(name: str, tmp_path: Path) -> None:
    """An argument that a quantity does not need is said to be so."""
    robot, texts = supple.load(name), []
    for what, quantity in QUANTITIES.items():
        if what in NOT_OF[name]:
            continue
        station = robot.links[-1].name if quantity.station else None
        f = supple.compile(robot, what, station=station)
        texts.append(f.c_source().replace(f"void {f.name}(", f"void {f.name}{len(texts)}("))
        texts += [f.jacobian("q").c_source()] if what == "gravity_force" else []
    (tmp_path / "all.c").write_text("\n".join(texts))
    subprocess.run(["cc", *STRICT, "-fsyntax-only", "all.c"], cwd=tmp_path, check=True)


def test_cuda_source_is_one_kernel_a_state() -> None:
    f = supple.compile(supple.load("puma"), "forward_dynamics")
    text = f.cuda_source("float")
    assert 'extern "C" __global__ void forward_dynamics(const float *__restrict__ q' in text
    assert "q[1 * n + i]" in text
    assert "sinf(" in text
    assert text.count("{") == text.count("}")
    with pytest.raises(supple.InputError, match="double"):
        f.cuda_source("half")


def test_sympy_expressions_agree() -> None:
    f = supple.compile(supple.load("lin-lewis-rfr"), "mass_matrix")
    M = f.to_sympy()["M"]
    q = np.array([0.3, -0.4, 0.05, 0.7])
    names = {f"q{i}": v for i, v in enumerate(q)}
    values = np.array(M.subs(names).tolist(), dtype=float)
    assert np.abs(values - f(q)).max() < 1e-12


def test_sympy_has_the_fractions_that_floats_stand_for() -> None:
    """One way from the graph to SymPy: whole numbers and small fractions, no 0.5 and 1.0."""
    import sympy

    from supple.tracer import Graph
    from supple.tracer.in_sympy import in_sympy

    graph = Graph()
    x = graph.input("x")
    half, third, rest, plain = in_sympy(
        graph, [0.5 * x + 1.0, x / 3.0, 0.1 * x, 2.0], lambda n: sympy.Symbol("x")
    )
    X = sympy.Symbol("x")
    assert half == X / 2 + 1
    assert rest == sympy.Float(0.1) * X
    assert (third, plain) == (X / 3, 2)
