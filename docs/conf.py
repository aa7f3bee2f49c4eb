"""How the manual is built: python -m sphinx -W --keep-going -n docs FOLDER (pip install '.[docs]').

Everything that it shows is made or read when it is built; the pages need no network.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import supple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project, author = "Supple", "The Supple developers"
version = release = supple.__version__
copyright = author
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinxcontrib.bibtex",
    "mathml",
    "citing",
    "outputs",
    "reference",
    "gallery",
    "claims",
    "words",
]
exclude_patterns = ["_ext", "_made", "*.ipynb"]
suppress_warnings = ["bibtex.missing_field"]  # what could not be checked is left out

myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
html_math_renderer = "mathml"
bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "by_key"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_type_aliases = {"Floats": "Floats"}
toc_object_entries_show_parents = "hide"
python_maximum_signature_line_length = 88
nitpick_ignore_regex = [("py:.*", ".*")]  # types of other packages: no network is asked

html_theme = "furo"
html_title = f"Supple {release}"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
pygments_style, pygments_dark_style = "friendly", "native"


def _pages_there(app: object, name: str, source: list[str]) -> None:
    """The table of contents may name pages that are still to come."""
    if name == "index":
        there = {path.stem for path in Path(__file__).parent.glob("*.md")}
        lines = source[0].splitlines()
        source[0] = "\n".join(x for x in lines if not re.fullmatch(r"\w+", x) or x in there)


def setup(app: Any) -> None:
    app.connect("source-read", _pages_there)
