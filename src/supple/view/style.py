"""The one style sheet of all plots: pages of a screen and of a journal, colours, legends, files.

A function that draws is marked `@styled`: it takes `width="screen"`, "double" or "single", and
runs with the sheet of that page in force. Inside, `page()` tells what page it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from os import PathLike
from textwrap import fill
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ..errors import unknown_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

Colour = str | tuple[float, float, float]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito's palette without its yellow: told apart by the colour-blind, seen on white."""
INK, GREY, PALE, BLANK = "#3d3d3d", "#8a8a8a", "#c4c4c4", "#ececec"
LISTED = 24  # names that a legend holds
ASIDE = 4.5  # inches: panels from here on have their legend beside them, narrower ones above


@dataclass(frozen=True)
class Page:
    """Where a figure is to be read."""

    inches: float  # wide
    columns: int  # of panels
    font: float  # points
    line: float  # points
    dpi: int
    headed: bool  # with a title over all; in print the caption says it


PAGES = {
    "screen": Page(13.0, 2, 10.0, 1.3, 120, True),
    "double": Page(7.16, 2, 8.0, 1.0, 300, False),
    "single": Page(3.5, 1, 8.0, 1.0, 300, False),
}
"""By name; of journals: one column, or the whole width of two."""
_page: ContextVar[Page] = ContextVar("page", default=PAGES["screen"])


def page() -> Page:
    """The page that is being drawn."""
    return _page.get()


def style_sheet(chosen_page: Page) -> dict[str, object]:
    """All that differs from Matplotlib's own settings. Fonts are embedded: TrueType in PDF,
    outlines in SVG."""
    from matplotlib.rcsetup import cycler

    return {
        "axes.prop_cycle": cycler(color=COLOURS),
        "font.size": chosen_page.font,
        "axes.labelsize": chosen_page.font,
        "axes.titlesize": chosen_page.font,
        "axes.titlelocation": "left",
        "figure.titlesize": chosen_page.font + 2,
        "figure.titleweight": "bold",
        **dict.fromkeys(
            ("xtick.labelsize", "ytick.labelsize", "legend.fontsize"), chosen_page.font - 1
        ),
        "legend.frameon": False,
        "lines.linewidth": chosen_page.line,
        "axes.linewidth": 0.7,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.xmargin": 0.0,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.formatter.useoffset": False,
        "axes.formatter.limits": (-3, 4),
        "grid.color": "#e4e4e4",
        "grid.linewidth": 0.6,
        "figure.dpi": chosen_page.dpi,
        "savefig.dpi": "figure",
        "pdf.fonttype": 42,
        "ps.fonttype": 42,
        "svg.fonttype": "path",
        "svg.hashsalt": "supple",
    }


@contextmanager
def sheet(width: str = "screen") -> Iterator[Page]:
    """The style sheet in force, whatever the user's own settings are."""
    from matplotlib.style import context

    if not isinstance(width, str) or width not in PAGES:
        raise unknown_name("width of a figure", width, PAGES)
    at = PAGES[width]
    token = _page.set(at)
    try:
        with context(["default", style_sheet(at)]):
            yield at
    finally:
        _page.reset(token)


def styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """A function that draws, with `width` to choose the page."""

    @wraps(draw)
    def drawn(*args: object, width: str = "screen", **options: object) -> Figure:
        with sheet(width):
            return _literal(draw(*args, **options))

    return drawn


def _literal(figure: Figure) -> Figure:
    """Names of a model are shown as they are: a `$` in one begins no formula."""
    for text in _words(figure):
        text.set_parse_math(False)
    return figure


def _words(artist: Artist) -> Iterator[Text]:
    """All texts but the numbers at the axes, which may be formulas (powers of ten)."""
    from matplotlib.axis import Axis
    from matplotlib.text import Text

    if isinstance(artist, Text):
        yield artist
    for child in [artist.label] if isinstance(artist, Axis) else artist.get_children():
        yield from _words(child)


def new_figure(size: tuple[float, float], title: str = "", tall: float = 0.72) -> Figure:
    """An empty figure: of this size [in] on a screen; in print as wide as the page, and as high
    as keeps the proportion, but not lower than `tall` times the page's width or this height."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    at, (wide, high) = page(), size
    if not at.headed:
        wide, high = at.inches, max(high * at.inches / wide, min(high, tall * at.inches))
    figure = _figure_class()(figsize=(wide, high), layout="constrained")
    FigureCanvasAgg(figure)
    if title and at.headed:
        figure.suptitle(title)
    return figure


def _figure_class() -> type[Figure]:
    """A Figure that is saved by the sheet it was drawn by, and the same bytes every time."""
    from matplotlib.figure import Figure

    class Styled(Figure):
        drawn_on = page()

        def savefig(self, fname: str | PathLike[str] | IO[bytes], **options: Any) -> None:
            from matplotlib.style import context

            kind = options.get("format") or str(fname).rpartition(".")[2]
            dates = {"pdf": "CreationDate", "svg": "Date"}
            if kind in dates:
                options.setdefault("metadata", {dates[kind]: None})
            with context(["default", style_sheet(self.drawn_on)]):
                super().savefig(fname, **options)

    return Styled


def looks(count: int) -> list[tuple[Colour, str]]:
    """As many pairs of colour and line style, all different; dashes mean something else."""
    if count <= 2 * len(COLOURS):
        pairs = [(colour, style) for style in ("-", "-.") for colour in COLOURS]
        return list(pairs[:count])
    return [(colour, "-") for colour in run_of_colours(count)]


def colours(count: int) -> list[Colour]:
    """As many colours, all different and dark enough for white paper: chosen ones, or for many a
    run from dark blue to light green, which the colour-blind tell by its brightness."""
    if count <= len(COLOURS):
        return list(COLOURS[:count])
    return run_of_colours(count)


def run_of_colours(count: int, name: str = "viridis", last: float = 0.85) -> list[Colour]:
    """Along a map of colours whose brightness rises."""
    from matplotlib import colormaps

    return [(r, g, b) for r, g, b, _ in colormaps[name](np.linspace(0.0, last, count))]


def paler(colour: Colour) -> Colour:
    """Half way to white."""
    from matplotlib.colors import to_rgb

    r, g, b = (0.55 * x + 0.45 for x in to_rgb(colour))
    return r, g, b


def label(quantity: str, unit: str = "", inches: float = 2.2) -> str:
    """ "quantity [unit]" in lines that are no longer than an axis of so many inches."""
    words = f"{quantity} [{unit}]" if unit else quantity
    letters = max(12, int(inches * 72.0 / (0.54 * page().font)))
    tied = words.replace(" [", "\0[").replace(f"[{unit}]", f"[{unit.replace(' ', chr(0))}]")
    return fill(tied, letters, break_long_words=False).replace("\0", " ")


def legend(axes: Axes, inches: float) -> None:
    """Names beside the data, or above them where the panel (of so many inches) is narrow."""
    shown, names = axes.get_legend_handles_labels()
    if not names:
        return
    if len(names) > LISTED:  # colours run along the robot: a few names tell the way
        keep = np.unique(np.linspace(0, len(names) - 1, 12).astype(int))
        count = len(names)
        shown, names = [shown[i] for i in keep], [names[i] for i in keep]
        names[-1] += f"\n({count} curves)"
    size = page().font - (2.5 if len(names) > 12 else 2 if page().headed else 1)
    top = 1.0 if not _factor(axes) else 1.09
    if inches >= ASIDE:
        place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.03)}
        columns = 2 if len(names) > 12 else 1
    else:
        place = {"loc": "lower left", "bbox_to_anchor": (0.0, top), "columnspacing": 1.0}
        columns = _abreast(names, size, inches)
    axes.legend(
        shown, names, fontsize=size, ncols=columns, borderaxespad=0.2, handlelength=1.6, **place
    )


def _factor(axes: Axes) -> bool:
    """Whether a power of ten stands over the vertical axis."""
    ticks = axes.yaxis.get_major_formatter()
    if axes.get_yscale() == "linear":
        ticks.set_locs(list(axes.yaxis.get_majorticklocs()))
    return bool(ticks.get_offset())


def _abreast(names: Sequence[str], size: float, inches: float) -> int:
    """How many names stand side by side above a panel."""
    longest = max(len(line) for name in names for line in name.splitlines())
    each = (0.55 * longest + 3.6) * size / 72.0
    most = int(np.clip((inches - 0.75) / each, 1, min(len(names), 6)))
    return -(-len(names) // -(-len(names) // most))  # rows filled evenly
