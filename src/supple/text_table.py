"""Tables as plain text."""

from __future__ import annotations

from collections.abc import Sequence


def columns(names: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """The lines of a table: names above a rule, numbers to the right, words to the left."""
    cells = [[_cell(x) for x in row] for row in rows]
    wide = [max(len(c) for c in column) for column in zip(names, *cells, strict=True)]
    right = [
        bool(rows) and all(isinstance(r[k], int | float) for r in rows) for k in range(len(names))
    ]

    def line(texts: Sequence[str]) -> str:
        parts = [
            t.rjust(w) if r else t.ljust(w) for t, w, r in zip(texts, wide, right, strict=True)
        ]
        return "  " + "  ".join(parts).rstrip()

    return [line(names), "  " + "-" * (sum(wide) + 2 * len(wide) - 2), *map(line, cells)]


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
