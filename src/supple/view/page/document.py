"""One self-contained file: markup, style, program and data, nothing fetched from anywhere.

Its content-security policy lets only this program and this style run, told by their digests.
Data are no program: names of a model stand in it as JSON without a `<`, and the page shows them
as text only.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from pathlib import Path

from ...errors import SuppleError
from .numbers import Numbers

BUILT = Path(__file__).parents[1] / "built"
TEMPLATE = Path(__file__).with_name("template.html")


class PageNotBuiltError(SuppleError):
    """The page's program was not built when Supple was installed."""

    def __init__(self) -> None:
        super().__init__(
            "the 3D page is not part of this installation: its program is put together from "
            "three.js when Supple is installed, and was left out then (SUPPLE_PAGE=no). Install "
            "again without that, `pip install --force-reinstall --no-deps .` in Supple's folder, "
            "or run `python page/build.py` there. Everything else works"
        )


def program() -> tuple[str, str]:
    """The page's program and style."""
    try:
        texts = [(BUILT / name).read_text(encoding="utf-8") for name in ("page.js", "page.css")]
    except OSError:
        raise PageNotBuiltError from None
    return texts[0], texts[1]


def document(title: str, data: dict[str, object], numbers: Numbers) -> str:
    """The whole page."""
    script, style = program()
    parts = {
        "title": html.escape(title),
        "policy": html.escape(_policy(script, style), quote=True),
        "style": style,
        "script": script,
        "data": as_json({**data, "arrays": numbers.listed}),
        "numbers": numbers.block(),
    }
    return _filled(TEMPLATE.read_text(encoding="utf-8"), parts)


def as_json(data: dict[str, object]) -> str:
    """JSON that stands inside a script element whatever names are in it."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        f"img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _filled(template: str, parts: dict[str, str]) -> str:
    """Each mark {{name}} once, in one pass: what is put in is not looked at again."""
    out, rest = [], template
    while "{{" in rest:
        before, _, after = rest.partition("{{")
        name, _, rest = after.partition("}}")
        out += [before, parts[name]]
    return "".join([*out, rest])
