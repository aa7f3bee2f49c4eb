"""A report as pages: one HTML file and one Markdown file a paper, and an index over all.

formulas   formulas in plain letters -> HTML
pictures   figures by the house's style sheet: SVG that follows the page's colours, PNG
html       the page of a paper
markdown   the same as text, figures inside
index      the page over all papers
writing    a paper computed, drawn, timed and written
everything all papers, as many side by side as there are cores
"""

from __future__ import annotations

from .everything import write_all
from .writing import facts, write

__all__ = ["facts", "write", "write_all"]
