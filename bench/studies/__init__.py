"""The studies behind the project's figures, one a file: `study(seconds)` gives its tables.

Times are measured in turns in one run and given as ratios: absolute ones depend on the machine
and on who else uses it.
"""

from __future__ import annotations

from importlib import import_module

from .table import Table

STUDIES = (
    "ratios",
    "growth",
    "sizes",
    "forms",
    "calls",
    "operations",
    "papers",
    "instructions",
    "kinematics",
    "equations",
    "dual_screws",
    "closed_chains",
    "long_closed_runs",
    "simulation",
    "page",
    "first_picture",
    "urdf",
    "sweeps",
    "kills",
    "products",
    "float32",
)
"""Names of the files here, and of their results."""


def study(name: str, seconds: float) -> list[Table]:
    """The tables of a study; `seconds`: for one comparison, where times are compared."""
    tables: list[Table] = import_module(f"{__name__}.{name}").study(seconds)
    return tables


__all__ = ["STUDIES", "Table", "study"]
