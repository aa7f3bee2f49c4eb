"""Shared by all tests: hypothesis settings, reference data, small helpers."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile(
    "supple", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.load_profile("supple")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests keep compiled code in a folder of their own."""
    os.environ["SUPPLE_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def reference() -> Any:
    """reference("saha_puma") -> the reference file's content."""

    def read(name: str) -> Any:
        return json.loads((Path(__file__).parent / "data" / f"{name}.json").read_text())

    return read
