"""The API reference: every public name with its own docstring.

Docstrings are plain text: `code`, [Key] of a paper, indented equations. Here they become
reStructuredText. A public name that does not get into the manual is a warning.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

import supple
from citing import cited
from public_names import reference

log = logging.getLogger(__name__)


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
    if what not in ("function", "method", "class") or _fault(obj):
        return None
    written = inspect.signature(obj)
    if what == "method":
        written = written.replace(parameters=list(written.parameters.values())[1:])
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(written))
    arguments, _, result = text.replace("<factory>", "...").partition(" -> ")
    return arguments, "" if what == "class" else result


def _fault(obj: Any) -> bool:
    return inspect.isclass(obj) and issubclass(obj, BaseException)


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
