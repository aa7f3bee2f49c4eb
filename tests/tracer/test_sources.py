"""The same function as C, CUDA and SymPy text."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import supple


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")
def test_c_source_compiles_and_agrees(tmp_path: Path) -> None:
    f = supple.compile(supple.load("canadarm-spatial"), "inverse_dynamics")
    (tmp_path / "f.c").write_text(f.c_source())
    command = ["cc", "-std=c99", "-O1", "-shared", "-fPIC", "-o", "f.so", "f.c", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    c = ctypes.CDLL(str(tmp_path / "f.so"))
    rng = np.random.default_rng(0)
    x, out = [0.1 * rng.normal(size=15) for _ in range(3)], np.empty(15)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*x, out)]
    c.inverse_dynamics(*pointers)
    assert np.abs(out - f(*x)).max() < 1e-12 * np.abs(out).max()


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
