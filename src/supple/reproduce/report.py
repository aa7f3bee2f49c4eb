"""What a reproduction of a paper holds: tables, misprints, figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..files import write_whole


@dataclass(frozen=True)
class ReportTable:
    """A table with our values beside the printed ones; `notes` stand below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Misprint:
    """What the paper prints wrongly: where, what, what is right."""

    where: str
    printed: str
    correct: str


@dataclass(frozen=True)
class Figure:
    """A figure by name; `draw(axes)` draws it on matplotlib axes, or on a grid of them."""

    name: str
    draw: Callable[..., None]
    grid: tuple[int, int] = (1, 1)  # rows, columns
    size: tuple[float, float] = (7.0, 4.5)  # in

    def save(self, folder: Path) -> Path:
        from matplotlib.figure import Figure as Canvas

        canvas = Canvas(figsize=self.size, layout="constrained")
        self.draw(canvas.subplots(*self.grid))
        return write_whole(folder / f"{self.name}.png", lambda file: canvas.savefig(file, dpi=150))


@dataclass(frozen=True)
class Report:
    """A whole paper."""

    paper: str
    title: str
    tables: tuple[ReportTable, ...]
    misprints: tuple[Misprint, ...]
    figures: tuple[Figure, ...] = ()

    def markdown(self) -> str:
        """The report as a text that can be kept."""
        lines = [f"# {self.title}", ""]
        for table in self.tables:
            lines += [f"## {table.title}", "", *_markdown(table.columns, table.rows), ""]
            lines += [f"{note}\n" for note in table.notes]
        rows = [(m.where, m.printed, m.correct) for m in self.misprints]
        lines += ["## Misprints", "", *_markdown(("where", "printed", "correct"), rows), ""]
        return "\n".join(lines)


def _markdown(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    def line(cells: Sequence[object]) -> str:
        return "| " + " | ".join(shown(c).replace("|", "\\|") for c in cells) + " |"

    return [line(columns), "|" + "---|" * len(columns), *(line(row) for row in rows)]


def shown(cell: object) -> str:
    """A cell as text."""
    return f"{cell:.9g}" if isinstance(cell, float) else str(cell)
