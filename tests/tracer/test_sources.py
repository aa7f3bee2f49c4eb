"""The same function as C, CUDA and SymPy text."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import supple
from supple.checks import check_robot
from supple.engine import QUANTITIES, Request, trace_quantity
from supple.engine.quantities import check_quantity
from supple.loops.rows import settled
from supple.tracer import c_text
from supple.tracer.c_text import c_source

compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")
SOME = ("forward_dynamics", "coriolis_force", "motor_torque", "jacobian_rate", "closure")
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


def sources(name: str) -> Iterator[str]:
    """The C of all that can be asked of a shipped robot, of a large one of some; each function
    with its own name."""
    robot = settled(supple.load(name))
    for what, quantity in QUANTITIES.items():
        if robot.nv > 12 and what not in SOME:
            continue
        station = robot.links[-1].name if quantity.station else None
        try:
            check_quantity(robot, what, station)
            check_robot(robot, what)
            made = [trace_quantity(Request(robot, what, station))]
        except supple.InputError:  # it has no such quantity
            continue
        made += [made[0].jacobian("q")] if what == "gravity_force" else []
        for k, trace in enumerate(made):
            function = f"{name}_{what}{k}".replace("-", "_")
            yield c_source(trace.program(), function, list(trace.inputs))


@compiler
def test_the_c_of_every_quantity_passes_a_strict_compiler(tmp_path: Path) -> None:
    """An argument that a quantity does not need is said to be so, in each of its parts too."""
    texts = [text for name in supple.shipped() for text in sources(name)]
    assert len(texts) > 230
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
