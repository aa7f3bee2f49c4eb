"""Shared by all tests: hypothesis settings, little garbage collection, one cache of compiled code,
reference data."""

from __future__ import annotations

import gc
import json
import os
import sys
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent))
for library in ("OPENBLAS", "OMP", "MKL"):  # before NumPy is loaded: threads that wait for each
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")  # other cost more than small matrices
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each process that tests start would compile
sys.dont_write_bytecode = False  # all sources again: half of its time
for size in ("COLUMNS", "LINES"):  # readline puts them there for the processes of pytest-xdist
    os.environ.pop(size, None)

if "mix_stderr" in signature(CliRunner).parameters:  # Click 8.1: stdout has stderr in it
    CliRunner.__init__.__defaults__ = (*CliRunner.__init__.__defaults__[:-1], False)

settings.register_profile(
    "supple", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.load_profile("supple")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Any, log: Any) -> Any:
    """Tests of one file run in one process: they share the robots that they build."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False  # the file with most tests is not the longest one
    return LoadFileScheduling(config, log)


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Studies are kept in Parquet files, for which not every machine has a library."""
    if find_spec("pyarrow") is None:
        reason = pytest.mark.skip(reason="pyarrow has no wheel for this machine")
        for item in items:
            if item.path.parent.name == "sweeps":
                item.add_marker(reason)


def pytest_collection_finish() -> None:
    """What collecting has loaded stays to the end: no search for garbage need look through it
    again, and one after every 200 000 new objects is enough: graphs have as many."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests keep compiled code in a folder of their own, one for all processes of a session; or
    in $SUPPLE_CACHE, where the next session finds what the sources at hand have made."""
    if os.environ.get("SUPPLE_CACHE"):
        return
    base = tmp_path_factory.getbasetemp()
    whole = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    os.environ["SUPPLE_CACHE"] = str(whole / "cache")


@pytest.fixture(scope="session")
def reference() -> Any:
    """reference("saha_puma") -> the reference file's content."""

    def read(name: str) -> Any:
        return json.loads((Path(__file__).parent / "data" / f"{name}.json").read_text())

    return read
