"""The gallery: each script of examples/ is run when the manual is built, and shown with what it
prints and with a picture of what it made."""

from __future__ import annotations

import ast
import io
import runpy
import subprocess
import sys
import tempfile
import warnings
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sphinx.application import Sphinx

import supple
from outputs import MADE
from pictures import picture

EXAMPLES = Path(__file__).parents[2] / "examples"


def scripts() -> list[Path]:
    return sorted(EXAMPLES.glob("[0-9]*.py"))


def gallery(made: Path) -> str:
    """The page's text: small pictures that lead to a section for each script."""
    parts = [_shown(path, made) for path in scripts()]
    cards = "\n".join(card for card, _ in parts)
    return f"::::{{container}} gallery\n{cards}\n::::\n\n" + "\n".join(text for _, text in parts)


def _shown(path: Path, made: Path) -> tuple[str, str]:
    """The card and the section of one script."""
    source = path.read_text(encoding="utf-8")
    says = str(ast.get_docstring(ast.parse(source)))
    title, image = (
        path.stem[3:].replace("_", " ").capitalize().replace("campbell", "Campbell"),
        f"{path.stem}.png",
    )
    printed = _run(path, made / image)
    label = f"example-{path.stem}"
    card = (
        f":::{{container}} card\n[![{title}]({MADE}/{image})](#{label})\n\n[{title}](#{label})\n:::"
    )
    about = says.split("\n\nRun:")[0]
    text = f"({label})=\n## {title}\n\n{about}\n\n![{title}]({MADE}/{image})\n\n"
    code = f"```{{literalinclude}} ../examples/{path.name}\n:language: python\n```\n\n"
    return card, f"{text}{code}```{{code-block}} text\n:class: output\n{printed.rstrip()}\n```\n"


def _run(path: Path, image: Path) -> str:
    """What a script prints. One that starts processes of its own is a process of its own."""
    apart = 'if __name__ == "__main__"' in path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        with redirect_stdout(io.StringIO()) as out, warnings.catch_warnings():
            warnings.simplefilter("ignore", supple.SuppleWarning)
            with patch("sys.argv", [str(path)]):  # a script's own words, not the manual's
                names = runpy.run_path(str(path), run_name="example" if apart else "__main__")
        picture(path.stem, names).savefig(image, dpi=110)
        return _process(path) if apart else out.getvalue()


def _process(path: Path) -> str:
    words = [sys.executable, str(path)]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=300).stdout


def _page(app: Sphinx, name: str, source: list[str]) -> None:
    if "{{ gallery }}" in source[0]:
        made = Path(app.srcdir) / MADE
        made.mkdir(exist_ok=True)
        source[0] = source[0].replace("{{ gallery }}", gallery(made))


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
