"""When the package is built, the 3D page's program is built with it (`page/build.py`).

Where that does not work (no network, no Node for the machine) the package is made without it and
says so: `supple view` tells then how to get it. SUPPLE_PAGE=no leaves it out on purpose.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "page"))
import build  # noqa: E402


class PageHook(BuildHookInterface):
    """Called by hatchling for wheels, editable ones too, and source distributions."""

    def dependencies(self) -> list[str]:
        return [] if os.environ.get("SUPPLE_PAGE") == "no" else build.requirements()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if os.environ.get("SUPPLE_PAGE") != "no" and not build.is_built():
            try:
                build.build()
            except (build.NotBuiltError, OSError) as error:
                self.app.display_warning(f"supple is made without its 3D page: {error}")
        if build.is_built():
            build_data["artifacts"].append("/src/supple/view/built/*")
