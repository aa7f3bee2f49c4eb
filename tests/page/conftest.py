"""A run that the tests of the page share, and one browser for all of them."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from led_runs import wandering
from studies.browser import REQUIRED, NoBrowserError, Page
from supple.view.page.document import BUILT


def missing(words):
    """A test that cannot be: passed over, or failed where the browser is required."""
    if os.environ.get("SUPPLE_BROWSER") == REQUIRED:
        pytest.fail(words)
    pytest.skip(words)


@pytest.fixture(scope="session")
def built():
    """Tests that need the page's program, made from the sources at hand."""
    if not (BUILT / "page.js").exists():
        missing("the page is not built here: python page/build.py")
    script = Path(__file__).parents[2] / "page" / "build.py"
    spec = importlib.util.spec_from_file_location("page_build", script)
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    if (BUILT / "made_from").read_text().strip() != build.fingerprint():
        missing("the page was built from other sources: python page/build.py")


@pytest.fixture(scope="session")
def run():
    """The Canadarm in space, its shapes well seen."""
    return wandering("canadarm-spatial")


@pytest.fixture(scope="session")
def page(built, tmp_path_factory):
    """page.open(path): one browser for all."""
    try:
        found = Page(tmp_path_factory.mktemp("browser"))
    except NoBrowserError as why:
        missing(str(why))
    yield found
    found.close()
