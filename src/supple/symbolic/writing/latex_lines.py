r"""Pieces of a formula laid out on lines, as TeX lays out words: the breaks that cost least.

With s the share of a line that stays empty, a line costs s^2, and more where the next one begins
deep in brackets or with a factor. What cannot fit on any line is charged so much that it stands
on one by itself.
"""

from __future__ import annotations

from itertools import accumulate

from .latex_pieces import LatexPiece
from .tex_width import width

QUAD = 10.0  # pt of \quad
DEEPEST = 4  # quads that a line can begin with
LINE, BRACKET, OVERFULL = 0.2, 0.25, 1000.0  # prices of a line, of a bracket, of what juts out


def lines(found: list[LatexPiece], room: float) -> list[str]:
    """The pieces on lines of at most `room` pt, those after the first indented."""
    if not found:
        return []
    starts = [k for k, piece in enumerate(found) if k == 0 or piece.price is not None]
    ends = [*starts[1:], len(found)]
    far = list(accumulate((width(p.text) for p in found), initial=0.0))
    best: list[float] = []
    back: list[int] = []
    for j, end in enumerate(ends):  # best[j]: everything up to ends[j]
        costs: dict[int, float] = {}
        for i in range(j, -1, -1):
            start = starts[i]
            taken = far[end] - far[start] + _lead(found[start], start)
            costs[i] = (best[i - 1] if i else 0.0) + _price(taken, room, end == len(found))
            costs[i] += _break(found[start]) if start else 0.0
            if taken > 2.0 * room:
                break
        first = min(costs, key=lambda i: costs[i])
        best.append(costs[first])
        back.append(first)
    return _written(found, starts, ends, back)


def _price(taken: float, room: float, last: bool) -> float:
    if taken > room:
        return LINE + OVERFULL * taken / room
    return LINE + (0.0 if last else (1.0 - taken / room) ** 2)


def _break(piece: LatexPiece) -> float:
    assert piece.price is not None
    return piece.price + BRACKET * piece.depth


def _lead(piece: LatexPiece, start: int) -> float:
    """What stands before a line that begins with this piece."""
    return width(_indent(piece)) if start else 0.0


def _indent(piece: LatexPiece) -> str:
    quads = r"\quad" * min(1 + piece.depth, DEEPEST)
    return quads + (r" {}\cdot " if piece.point else " {}")


def _written(
    found: list[LatexPiece], starts: list[int], ends: list[int], back: list[int]
) -> list[str]:
    out, j = [], len(ends) - 1
    while j >= 0:
        start = starts[back[j]]
        text = " ".join(piece.text for piece in found[start : ends[j]])
        out.append(_indent(found[start]) + text if start else text)
        j = back[j] - 1
    return out[::-1]
