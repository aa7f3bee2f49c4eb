"""Figures by the house's style sheet: SVG that takes the page's colours, light or dark, and PNG."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from html import escape

from ...view.style import COLOURS, INK, new_figure, sheet
from ..report import Figure

GRID = "#e4e4e4"
NAMED = {INK: "currentColor", GRID: "var(--grid)", "#000000": "currentColor"} | {
    colour: f"var(--c{k})" for k, colour in enumerate(COLOURS[:6])
}
"""Colours of a drawing that the page chooses: text, grid and lines."""


@dataclass(frozen=True)
class Picture:
    """A figure drawn: SVG for pages, PNG for what shows no SVG."""

    figure: Figure
    svg: str
    png: bytes


def picture(figure: Figure) -> Picture:
    """Drawn once, as wide as a page of two columns."""
    from matplotlib.style import context

    inks = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
    with sheet("double"), context(dict.fromkeys(inks, INK)):
        canvas = new_figure(figure.size)
        figure.draw(canvas.subplots(*figure.grid))
        return Picture(figure, _svg(canvas, figure), _png(canvas))


def _png(canvas: object) -> bytes:
    file = io.BytesIO()
    canvas.savefig(file, format="png", dpi=150)  # type: ignore[attr-defined]
    return file.getvalue()


def _svg(canvas: object, figure: Figure) -> str:
    file = io.BytesIO()
    canvas.savefig(file, format="svg", transparent=True)  # type: ignore[attr-defined]
    text = file.getvalue().decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'\b(id="|href="#|url\(#)', rf"\1{figure.name}-", text)
    for colour, name in NAMED.items():
        text = re.sub(rf"(?<=[: \"]){colour}\b", name, text)
    label = escape(f"{figure.label}: {figure.caption}".rstrip(": "), quote=True)
    return text.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
