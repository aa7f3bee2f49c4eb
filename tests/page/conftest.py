"""Runs that the tests of the page share, and one browser for all of them."""

from __future__ import annotations

import os

import pytest

from led_runs import wandering
from supple.view.page.document import BUILT


@pytest.fixture(scope="session")
def built():
    """Tests that need the page's program."""
    if not (BUILT / "page.js").exists():
        words = "the page is not built here: python page/build.py"
        if os.environ.get("SUPPLE_BROWSER") == "required":
            pytest.fail(words)
        pytest.skip(words)


@pytest.fixture(scope="session")
def run():
    """The Canadarm in space, its shapes well seen."""
    return wandering("canadarm-spatial")


@pytest.fixture(scope="session")
def page(built, tmp_path_factory):
    """page.open(path): one browser for all."""
    from browser import Page, start

    driver = start(tmp_path_factory.mktemp("browser"))
    yield Page(driver)
    driver.quit()
