"""Shared by all tests: hypothesis settings, reference data, small helpers."""

from __future__ import annotations

import json
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


@pytest.fixture(scope="session")
def reference() -> Any:
    """reference("saha_puma") -> the reference file's content."""

    def read(name: str) -> Any:
        return json.loads((Path(__file__).parent / "data" / f"{name}.json").read_text())

    return read
