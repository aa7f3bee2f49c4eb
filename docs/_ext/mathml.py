"""Formulas as MathML, which browsers draw by themselves: no script, no network.

The letters are those of STIX Two Math, which the package ziamath brings, so formulas look the same
on every machine. A formula that cannot be converted as it should be is a warning.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging

FONT = "STIXTwoMath-Regular.ttf"
SPACE = "http://www.w3.org/1998/Math/MathML"
PRIMED = re.compile(r"('+)\^(\{[^{}]*\}|\\[A-Za-z]+|\w)")  # v'^T is v^{'T} to TeX
MATRIX = re.compile(r"\\begin\{bmatrix\}.*?\\end\{bmatrix\}", re.DOTALL)
ACCENTS = {"~": "\u02dc", "^": "\u02c6", "\u00a8": "\u00a8", "\u02d9": "\u02d9", "\u02d8": "\u02d8"}
CHILDREN = {"msup": 2, "msub": 2, "msubsup": 3, "mover": 2, "munder": 2, "mfrac": 2, "mroot": 2}
log = logging.getLogger(__name__)
ElementTree.register_namespace("", SPACE)


def mathml(latex: str, display: str) -> str:
    """The formula as a <math> element, its LaTeX kept beside it for those who copy it."""
    primed = PRIMED.sub(lambda m: "^{" + r"\prime " * len(m[1]) + m[2] + "}", latex)
    whole = MATRIX.sub(lambda m: f"{{{m[0]}}}", primed)
    math = ElementTree.fromstring(convert(whole, display=display))
    for element in math.iter():
        _mend(element, element.tag.removeprefix(f"{{{SPACE}}}"), latex)
    math.set("alttext", latex)
    return ElementTree.tostring(math, encoding="unicode")


def _mend(element: ElementTree.Element, kind: str, latex: str) -> None:
    """Accents close to their letter, primes of a readable size; nothing unknown, nothing lost."""
    if (element.text or "").startswith("\\"):
        raise ValueError(f"unknown command {element.text} in the formula {latex}")
    if len(element) != CHILDREN.get(kind, len(element)):
        raise ValueError(f"<{kind}> with {len(element)} parts in the formula {latex}")
    if kind == "mover" and (sign := element[1].text or "") in ACCENTS:
        element.set("accent", "true")
        element[1].text = ACCENTS[sign]
    if set(element.text or "") == {"\u2032"}:
        element.set("class", "prime")


def _written(translator: Any, node: nodes.Element, display: str) -> None:
    try:
        text = mathml(node.astext(), display)
    except Exception as error:  # whatever a formula provokes is the page's fault
        log.warning("%s: %s", type(error).__name__, error, location=node)
        text = translator.encode(node.astext())
    block = display == "block"
    translator.body.append(f'<div class="math">{text}</div>' if block else text)
    raise nodes.SkipNode


def _inline(translator: Any, node: nodes.Element) -> None:
    _written(translator, node, "inline")


def _block(translator: Any, node: nodes.Element) -> None:
    _written(translator, node, "block")


def _font(app: Sphinx, error: Exception | None) -> None:
    import ziamath

    found = next(Path(ziamath.__file__).parent.rglob(FONT))
    if not error and app.builder.format == "html":
        shutil.copy(found, Path(app.outdir) / "_static" / FONT)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("build-finished", _font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
