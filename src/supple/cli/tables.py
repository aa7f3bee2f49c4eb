"""Tables that fit a terminal: words and numbers stay whole, however narrow it is.

Where a table is too wide its headings are broken between words, then texts, then it is printed in
parts: each repeats the first column.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import JustifyMethod
    from rich.table import Table

_SHORT = 20  # letters of a cell that is not to be broken over lines
_NARROW = 12  # letters that a text that is broken has at least, if its words allow
Rows = Sequence[Sequence[Any]]


def fitting_tables(columns: Sequence[str], rows: Rows, width: int) -> list[Table]:
    """The table, or its parts if it is too wide."""
    cells = [[_text(cell) for cell in row] for row in rows]
    sizes = [_size(name, [row[i] for row in cells]) for i, name in enumerate(columns)]
    out = []
    for part in _parts(sizes, width):
        names = [columns[i] for i in part]
        narrow = sum(_natural(columns[i], cells, i) for i in part) + _frame(len(part)) > width
        numeric = [_numeric(rows, i) for i in part]
        out.append(_table(names, [[row[i] for i in part] for row in cells], numeric, narrow))
    return out


def _parts(sizes: Sequence[int], width: int) -> list[list[int]]:
    """Columns of each part, the first in all of them."""
    parts: list[list[int]] = [[0] if sizes else []]
    for i in range(1, len(sizes)):
        if (
            len(parts[-1]) > 1
            and sum(sizes[k] for k in [*parts[-1], i]) + _frame(len(parts[-1]) + 1) > width
        ):
            parts.append([0])
        parts[-1].append(i)
    return parts


def _frame(columns: int) -> int:
    """What stands around and between so many columns."""
    return 2 * columns + columns + 1


def _natural(name: str, cells: Sequence[Sequence[str]], i: int) -> int:
    return max([len(name), *(len(row[i]) for row in cells)])


def _size(name: str, cells: Sequence[str]) -> int:
    """The least width of a column: no word broken; short cells, and numbers, in one line."""
    longest = max((len(cell) for cell in cells), default=0)
    words = max((len(word) for cell in [name, *cells] for word in cell.split()), default=1)
    return max(words, longest if longest <= _SHORT else min(longest, _NARROW))


def _table(names: Sequence[str], cells: Rows, numeric: Sequence[bool], narrow: bool) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    out = Table(box=box.SIMPLE_HEAD)
    for i, name in enumerate(names):
        column = [row[i] for row in cells]
        short = all(len(cell) <= _SHORT for cell in column)
        head = "\n".join(wrap(name, _size(name, column)) or [""]) if narrow else name
        side: JustifyMethod = "right" if numeric[i] else "left"
        least = _size(name, column)
        out.add_column(Text(head), justify=side, overflow="fold", no_wrap=short, min_width=least)
    for row in cells:
        out.add_row(*[Text(cell) for cell in row])
    return out


def _numeric(rows: Rows, i: int) -> bool:
    return bool(rows) and all(isinstance(row[i], int | float) for row in rows)


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
