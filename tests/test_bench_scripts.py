"""The scripts in bench/ still run: each once, on its smallest case."""

import importlib.util
import platform
import shutil
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


def script(name):
    spec = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_equations():
    bench = script("equations")
    row = bench.compared(1).split("|")
    assert float(row[-2]) < 1e-12  # SymPy's own equations are ours
    assert float(bench.counts("lin-lewis-rfr").split("|")[-2]) < 3.0


def test_dual_screws():
    bench = script("dual_screws")
    P = bench.matrices()
    assert bench.size(bench.geometric(P)) < bench.size(bench.by_entry(P, bench.chain_rule))


HERE = sys.platform == "linux" and platform.machine() == "x86_64" and shutil.which("gcc")


@pytest.mark.skipif(not HERE, reason="makes libraries for Linux on x86-64 with gcc")
def test_far(tmp_path):
    bench = script("far_prepare")
    bench.ROBOTS, bench.STATES = ("lin-lewis-rr",), 5
    bench.prepare(tmp_path)
    found = {path.name for path in tmp_path.iterdir()}
    assert {"far_run.py", "model.npz", "lin-lewis-rr_avx512.so", "lin-lewis-rr_float.cu"} <= found
