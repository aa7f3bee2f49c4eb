"""The text of the API reference: every name of `supple/__init__.pyi` under the room of the package
that makes it, rooms in the order of use."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import supple

TITLES = {
    "model": "Robots from words",
    "robot": "The robot",
    "checked": "Kinematics and dynamics",
    "checked_loops": "Closed chains",
    "analyse": "Analysis",
    "simulation": "Simulation",
    "control": "Trajectories, shapers and controllers",
    "studies": "Torques and energy",
    "engine": "Native code",
    "symbolic": "Equations in symbols",
    "view": "Plots and views",
    "errors": "Errors and warnings",
}


def names_by_room() -> dict[str, list[str]]:
    stub = Path(supple.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    parts = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
    return {str(part.module): [name.name for name in part.names] for part in parts}


def reference() -> str:
    """A section for each room, in it functions, then classes."""
    found = names_by_room()
    rooms = [*(room for room in TITLES if room in found), *sorted(found.keys() - TITLES.keys())]
    return "\n".join(f"## {TITLES.get(room, room)}\n\n{_entries(found[room])}" for room in rooms)


def _entries(names: list[str]) -> str:
    order = sorted(names, key=lambda name: (inspect.isclass(getattr(supple, name)), name.lower()))
    return "\n".join(f"```{{eval-rst}}\n{_entry(name)}\n```\n" for name in order)


def _entry(name: str) -> str:
    value = getattr(supple, name)
    if not inspect.isclass(value):
        return f".. autofunction:: supple.{name}"
    members = "" if issubclass(value, Exception) else "   :members:\n   :undoc-members:\n"
    return f".. autoclass:: supple.{name}\n{members}"
