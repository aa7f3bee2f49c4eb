"""The API reference: every name of `supple/__init__.pyi`, in its order, with its own docstring.

Docstrings are plain text: `code`, [Key] of a paper, indented equations. Here they become
reStructuredText. A public name that does not get into the manual is a warning.
"""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

import supple
from citing import cited

TITLES = {
    "model": "Robots from words",
    "robot": "The robot",
    "checked": "Kinematics and dynamics",
    "closed": "Closed chains",
    "analyse": "Analysis",
    "simulation": "Simulation",
    "control": "Trajectories, shapers and controllers",
    "studies": "Torques and energy",
    "engine": "Native code",
    "symbolic": "Equations in symbols",
    "view": "Plots and views",
    "errors": "Errors and warnings",
}
log = logging.getLogger(__name__)


def names_by_room() -> dict[str, list[str]]:
    """The public names under the room of the package that makes them."""
    stub = Path(supple.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    parts = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
    return {str(part.module): [name.name for name in part.names] for part in parts}


def reference() -> str:
    """The page's text: a section for each room, in it each of its names."""
    found = names_by_room()
    rooms = [*(room for room in TITLES if room in found), *(found.keys() - TITLES.keys())]
    sections = (f"## {TITLES.get(room, room)}\n\n{_entries(found[room])}" for room in rooms)
    return "\n".join(sections)


def _entries(names: list[str]) -> str:
    return "\n".join(
        f"```{{eval-rst}}\n{_entry(name)}\n```\n" for name in sorted(names, key=_order)
    )


def _order(name: str) -> tuple[bool, str]:
    return inspect.isclass(getattr(supple, name)), name.lower()


def _entry(name: str) -> str:
    value = getattr(supple, name)
    if not inspect.isclass(value):
        return f".. autofunction:: supple.{name}"
    known = "   :members:\n   :undoc-members:\n"
    return f".. autoclass:: supple.{name}\n{known if not issubclass(value, Exception) else ''}"


def as_rst(lines: list[str]) -> list[str]:
    """Plain text as reStructuredText: paragraphs, and indented lines as they are."""
    made: list[str] = []
    verbatim = False
    for line in lines:
        if line.startswith(" "):
            made += [] if verbatim else ["", "::", ""]
        elif verbatim and line.strip():
            made.append("")
        verbatim = line.startswith(" ") or (verbatim and not line.strip())
        made.append(line if verbatim else _prose(line))
    return made


def _prose(line: str) -> str:
    """Code stays code; what reStructuredText would take for marks is escaped."""
    pieces = re.split(r"(`[^`]+`)", line)
    made = [
        f"`{piece}`"
        if piece.startswith("`") and len(piece) > 2
        else re.sub(r"([*|_\\`])", r"\\\1", piece)
        for piece in pieces
    ]
    return cited("".join(made), " :cite:p:`{}`").replace("  :cite", " :cite")


def _docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    if inspect.isclass(obj) and (obj.__doc__ or "").startswith(f"{obj.__name__}("):
        lines[:] = []  # what dataclass writes by itself
    lines[:] = as_rst(lines)


def _signature(app: Sphinx, what: str, name: str, obj: Any, *_: Any) -> tuple[str, str] | None:
    """Types as the source writes them, which is shorter than what they stand for."""
    if what not in ("function", "method", "class") or inspect.isclass(obj):
        return None
    written = inspect.signature(obj)
    if what == "method":
        written = written.replace(parameters=list(written.parameters.values())[1:])
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(written))
    arguments, _, result = text.partition(" -> ")
    return arguments, result


def _page(app: Sphinx, name: str, source: list[str]) -> None:
    source[0] = source[0].replace("{{ every public name }}", reference())


def _complete(app: Sphinx, env: Any) -> None:
    found = {key.removeprefix("supple.") for key in env.domaindata["py"]["objects"]}
    for missing in {*supple.__all__} - found - {"__version__"}:
        log.warning("the API reference has no %s", missing)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _page)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-process-signature", _signature)
    app.connect("env-check-consistency", _complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
