"""[Saha] in a page or a docstring is a link to the work of that key in references.bib."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pybtex.plugin import register_plugin
from pybtex.style.formatting.plain import Style
from pybtex.style.labels import BaseLabelStyle
from sphinx.application import Sphinx

KEYS = re.findall(
    r"^@\w+\{(\w+),",
    (Path(__file__).parents[1] / "references.bib").read_text(encoding="utf-8"),
    re.MULTILINE,
)
CODE = r"```.*?^```|`[^`\n]*`|\$[^$\n]*\$"
CITED = re.compile(rf"(?P<code>{CODE})|\[(?P<key>{'|'.join(KEYS)})\](?![(\[:])", re.M | re.S)


def cited(text: str, role: str) -> str:
    """The text with each [Key] outside of code as a role; `role` has a place for the key."""
    return CITED.sub(lambda found: found["code"] or role.format(found["key"]), text)


class KeyLabels(BaseLabelStyle):  # type: ignore[misc]
    """Works are called by their keys, as in the sources."""

    def format_labels(self, sorted_entries: Any) -> Any:
        return (entry.key for entry in sorted_entries)


class ByKey(Style):  # type: ignore[misc]
    default_label_style = KeyLabels


def _page(app: Sphinx, name: str, source: list[str]) -> None:
    source[0] = cited(source[0], "{{cite:p}}`{}`")


def setup(app: Sphinx) -> dict[str, Any]:
    register_plugin("pybtex.style.formatting", "by_key", ByKey)
    app.connect("source-read", _page, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
