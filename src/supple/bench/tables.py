"""Each study as a table: for a terminal, a file or a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .growth import Length, growth_rows
from .instructions import instruction_rows
from .operations import OPERATION_NOTES, PAPER_NOTES, operation_rows, paper_rows
from .order import COLUMNS, order_rows
from .ratios import Row, ratio_rows


@dataclass(frozen=True)
class Table:
    """Named columns; `source` is what the rows were made of, `notes` what must be known to
    read them."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    source: Sequence[Any] = ()
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def markdown(self) -> str:
        lines = ["| " + " | ".join(self.columns) + " |", "|" + "---|" * len(self.columns)]
        lines += ["| " + " | ".join(_text(x) for x in row) + " |" for row in self.rows]
        return "\n".join([*lines, *(f"\n{note}" for note in self.notes)]) + "\n"


def _text(cell: Any) -> str:
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:.0f}" if abs(cell) >= 100.0 else f"{cell:.3g}"


def ratios(seconds: float) -> Table:
    measured: list[Row] = ratio_rows(seconds)
    columns = ("what", "ours [µs]", "peer [µs]", "peer", "times faster")
    rows = [(r.what, r.ours, r.peer, r.versus, r.ratio) for r in measured]
    return Table("measured in one run", columns, rows, measured)


def growth(seconds: float) -> Table:
    measured: list[Length] = growth_rows(seconds)
    columns = ("chain", "links", "ns a link", "Pinocchio", "faster", "compile [s]", "found [ms]")
    rows = []
    for r in measured:
        peer = (r.peer, r.peer / r.nanoseconds) if r.peer else ("", "")
        rows.append((r.chain, r.links, r.nanoseconds, *peer, r.compile_s, r.cached_ms))
    return Table("forward dynamics of long chains", columns, rows, measured)


def operations(_: float) -> Table:
    columns = ("robot", "quantity", "mult", "add", "div", "printed", "where")
    return Table(
        "operations of one evaluation", columns, [*operation_rows()], notes=OPERATION_NOTES
    )


def papers(_: float) -> Table:
    columns = ("printed in", "n", "algorithm", "mult", "add")
    return Table("the papers' tables, and ours", columns, [*paper_rows()], notes=PAPER_NOTES)


def instructions(_: float) -> Table:
    columns = ("robot", "quantity", "instructions", "a state in a batch")
    return Table("machine instructions of one evaluation", columns, [*instruction_rows()])


def kinematics(seconds: float) -> Table:
    return Table("forward dynamics", COLUMNS, [*order_rows(seconds)])


STUDIES: dict[str, Callable[[float], Table]] = {
    "ratios": ratios,
    "growth": growth,
    "operations": operations,
    "papers": papers,
    "instructions": instructions,
    "kinematics": kinematics,
}
"""By name; each takes the seconds for one comparison."""
