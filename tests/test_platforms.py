"""What other systems lack, hidden: the package imports and works, the tests are collected."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HIDDEN = """
import os, signal, sys
for module, names in (
    (os, "fork forkpty geteuid getpgid killpg mkfifo register_at_fork sched_getaffinity setsid"),
    (signal, "SIGALRM SIGHUP SIGKILL SIGVTALRM alarm pthread_sigmask setitimer"),
):
    for name in names.split():
        vars(module).pop(name, None)
sys.modules.update(dict.fromkeys(("fcntl", "grp", "pwd", "resource", "termios")))
sys.modules.update(dict.fromkeys(("mujoco", "pinocchio", "pyarrow", "sksundae")))
"""
NAMED = re.compile(r"\bos\.|signal|fcntl|resource|mujoco|pinocchio|pyarrow|sksundae")


def without(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python where these names are hidden before anything else is imported."""
    (tmp_path / "hidden.py").write_text(HIDDEN)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, *words],
        **{"env": {**os.environ, "PYTHONPATH": paths, "SUPPLE_CACHE": str(tmp_path / "cache")}},
        **{"capture_output": True, "text": True, "check": False, "cwd": HERE.parent},
    )


def test_every_module_imports_and_a_robot_runs_on_a_system_that_is_not_posix(
    tmp_path: Path,
) -> None:
    code = """import hidden, pkgutil, importlib, supple
for found in pkgutil.walk_packages(supple.__path__, "supple."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
home = supple.tracer.cache.folder()
run = supple.simulate(supple.load("lin-lewis-rr"), None, 0.01, samples=2)
print(run.save(home / "run.nc").name, len(list(home.glob("*.supple"))) > 0)
"""
    done = without(tmp_path, "-c", code)
    assert (done.stdout.split(), done.stderr) == (["run.nc", "True"], "")


@pytest.mark.slow
def test_tests_are_collected_on_a_system_that_is_not_posix(tmp_path: Path) -> None:
    """All that name what is hidden; nothing is to be noticed by the others."""
    files = [str(p) for p in HERE.rglob("test_*.py") if NAMED.search(p.read_text(encoding="utf-8"))]
    assert len(files) > 20
    options = ("-p", "hidden", "-p", "no:cacheprovider", "--collect-only", "-qq")
    done = without(tmp_path, "-m", "pytest", *options, *files)
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_tests_can_be_installed_wherever_supple_can() -> None:
    """As the table says that `python bench/wheels.py` made."""
    text = (HERE.parent / "bench/results/wheels.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:]]
    cells = {(row[0], row[1]): row[2:] for row in rows if row}
    assert len(cells) == 10
    for platform in {platform for platform, _ in cells}:
        pairs = zip(cells[platform, "core"], cells[platform, "test"], strict=True)
        assert [core for core, test in pairs if core == "ok" != test] == []
