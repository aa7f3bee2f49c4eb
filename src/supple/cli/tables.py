"""Tables that fit a terminal: words and numbers stay whole, however narrow it is.

Where a table is too wide its headings are broken between words, then texts, then it is printed in
parts: each repeats the first column. Only what is wider than the terminal by itself is broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import JustifyMethod
    from rich.table import Table

_SHORT = 20  # letters of a cell that is not to be broken over lines
_NARROW = 12  # letters that a text that is broken has at least, if its words allow
Rows = Sequence[Sequence[object]]


def fitting_tables(columns: Sequence[str], rows: Rows, width: int) -> list[Table]:
    """The table, or its parts if it is too wide."""
    cells = [[_text(cell) for cell in row] for row in rows]
    found = [[name, *(row[i] for row in cells)] for i, name in enumerate(columns)]
    least = [_least(column) for column in found]
    out = []
    for part in _parts(least, width):
        natural = [max(map(len, found[i])) for i in part]
        sizes = _widths([least[i] for i in part], natural, width - _frame(len(part)))
        out.append(_table([found[i] for i in part], sizes, [_numeric(rows, i) for i in part]))
    return out


def _parts(least: Sequence[int], width: int) -> list[list[int]]:
    """Columns of each part, the first in all of them."""
    parts: list[list[int]] = [[0] if least else []]
    for i in range(1, len(least)):
        wider = [*parts[-1], i]
        if len(wider) > 2 and sum(least[k] for k in wider) + _frame(len(wider)) > width:
            parts.append([0])
        parts[-1].append(i)
    return parts


def _frame(columns: int) -> int:
    """What stands around and between so many columns."""
    return 3 * columns + 1


def _least(column: Sequence[str]) -> int:
    """The least width of a column, its head first: no word broken; short cells in one line."""
    longest = max((len(cell) for cell in column[1:]), default=0)
    words = max((len(word) for cell in column for word in cell.split()), default=1)
    return max(words, longest if longest <= _SHORT else min(longest, _NARROW))


def _widths(least: Sequence[int], natural: Sequence[int], room: int) -> list[int]:
    """Widths that fill the room: from the least on, the narrowest first that wants more."""
    out = list(least)
    while sum(out) > room and max(out) > 1:
        out[out.index(max(out))] -= 1  # wider than the terminal even so
    while sum(out) < room:
        hungry = [k for k in range(len(out)) if out[k] < natural[k]]
        if not hungry:
            break
        out[min(hungry, key=lambda k: out[k])] += 1
    return out


def _table(
    columns: Sequence[Sequence[str]], sizes: Sequence[int], numeric: Sequence[bool]
) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    out = Table(box=box.SIMPLE_HEAD)
    for column, size, right in zip(columns, sizes, numeric, strict=True):
        side: JustifyMethod = "right" if right else "left"
        head = Text(fill(column[0], size))
        out.add_column(head, justify=side, overflow="fold", min_width=size, max_width=size)
    for row in zip(*(column[1:] for column in columns), strict=True):
        out.add_row(*[Text(cell) for cell in row])
    return out


def _numeric(rows: Rows, i: int) -> bool:
    return bool(rows) and all(isinstance(row[i], int | float) for row in rows)


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
