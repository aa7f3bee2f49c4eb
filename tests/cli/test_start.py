"""Help costs nothing; Ctrl-C leaves at once, or saves what was reached."""

import signal
import subprocess
import sys

import pytest

import supple
from platforms import SIGNALS
from supple import cli

HEAVY = ("numpy", "scipy", "matplotlib", "xarray", "sympy", "pydantic", "llvmlite", "h5py")
WITH_MODULES = """
import sys
from supple.cli import main
try:
    main()
finally:
    print("loaded:", *sorted(set(sys.modules) & set(%r)), file=sys.stderr)
"""
INTERRUPT_AT = """
import os, signal, sys
class Finder:
    def find_spec(self, name, *rest):
        if name == %r:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from supple.cli import main
main()
"""


@pytest.mark.parametrize("words", [["--help"], ["--version"], []])
def test_help_imports_nothing_heavy(words):
    code = WITH_MODULES % (HEAVY,)
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1].strip() == "loaded:"


def test_a_run_imports_no_more_than_it_needs():
    """xarray brings pandas, and Dask where there is one; SciPy's linear algebra takes as long."""
    code = WITH_MODULES % (("scipy", "matplotlib", "xarray", "pandas", "dask", "sympy", "h5py"),)
    words = [sys.executable, "-c", code, "simulate", "lin-lewis-f", "--duration", "0.1"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "checks passed" in done.stdout
    assert done.stderr.splitlines()[-1].strip() == "loaded:"


@SIGNALS
@pytest.mark.parametrize("module", ["typer", "rich", "numpy", "pydantic", "llvmlite", "ruamel"])
def test_an_interrupt_while_starting_leaves_at_once(started, tmp_path, module):
    words = ("simulate", "canadarm", "--out", "run.nc")
    process = started(*words, code=INTERRUPT_AT % module)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.strip() == "interrupted; nothing was saved."
    assert not list(tmp_path.iterdir())


@SIGNALS
@pytest.mark.slow
def test_an_interrupted_run_is_saved_as_far_as_it_came(started, tmp_path):
    words = "simulate canadarm --rtol 1e-12 --duration 500 --samples 50001"
    process = started(*words.split(), "--out", "run.nc", "--plot", "run.png")
    assert process.stderr.readline() == "simulating canadarm ...\n"  # after a second of the run
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err.strip().startswith("interrupted; the first ")
    assert err.strip().endswith("s were saved to run.nc.")
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]
    run = supple.load_result(tmp_path / "run.nc")
    assert run.interrupted
    assert 0 < run.time[-1] < 500


@SIGNALS
@pytest.mark.slow
def test_an_interrupted_run_without_a_target_leaves_nothing(started, tmp_path):
    process = started("simulate", "canadarm", "--rtol", "1e-12", "--duration", "500")
    assert process.stderr.readline() == "simulating canadarm ...\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err.strip().endswith("s; nothing was saved.")
    assert not list(tmp_path.iterdir())


def test_a_second_ctrl_c_does_not_disturb_the_clearing_up():
    before = signal.signal(signal.SIGINT, cli._leave)
    try:
        cli.unwind_on_interrupt()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
