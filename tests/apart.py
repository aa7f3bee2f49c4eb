"""Whether a figure can be read: no words on data, on each other, or cut off."""

from __future__ import annotations


def overlaps(figure):
    """Pairs of words that meet, words that lie on data, words that leave the figure."""
    figure.draw_without_rendering()
    found = [axes for axes in figure.axes if axes.get_visible()]
    data = [axes.get_window_extent() for axes in found]
    words = [(text, box) for axes in found for text, box in _words(axes) if box.width * box.height]
    whole, out = figure.bbox, []
    for i, (text, box) in enumerate(words):
        if box.x0 < whole.x0 or box.x1 > whole.x1 or box.y0 < whole.y0 or box.y1 > whole.y1:
            out.append((text, "is cut off"))
        out += [(text, "is on data") for other in data if box.overlaps(other)]
        out += [(text, other) for other, place in words[:i] if box.overlaps(place)]
    return out


def _words(axes):
    texts = [axes.xaxis.label, axes.yaxis.label, axes.yaxis.get_offset_text(), axes._left_title]
    yield from ((text.get_text(), text.get_window_extent()) for text in texts)
    if axes.get_legend():
        yield "legend", axes.get_legend().get_window_extent()
