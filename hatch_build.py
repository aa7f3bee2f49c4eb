"""When the package is built, the 3D page's program is built with it (`page/build.py`).

Where that does not work (no network, no Node for the machine) nothing is built, and the message
says how to do without: SUPPLE_PAGE=no leaves the page out. A warning would not be seen, for pip
shows what a build says only where it fails.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def _build() -> Any:
    """page/build.py as a module: other packages are called `build` too."""
    path = Path(__file__).parent / "page" / "build.py"
    spec = importlib.util.spec_from_file_location("supple_page_build", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = _build()


class PageHook(BuildHookInterface):
    """Called by hatchling for wheels, editable ones too, and source distributions."""

    def dependencies(self) -> list[str]:
        return [] if os.environ.get("SUPPLE_PAGE") == "no" else build.requirements()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if os.environ.get("SUPPLE_PAGE") != "no" and not build.is_built():
            try:
                build.build()
            except (build.NotBuiltError, OSError) as error:
                self.app.abort(
                    f"the 3D page of supple could not be built: {error}\n\nThat needs Node "
                    f"and the npm registry once. Without the page: set SUPPLE_PAGE=no and "
                    f"install again; everything but `supple view` in a browser works then."
                )
        if build.is_built():
            build_data["artifacts"].append("/src/supple/view/built/*")
