"""supple reproduce: a paper's tables again, beside the printed values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from .console import JSON, print_json, print_table, tell

EXAMPLES = (
    "supple reproduce lin-lewis",
    "supple reproduce piedboeuf --out report",
)


def command(
    paper: str = typer.Argument(
        help="Which paper: cibicik-egeland, lin-lewis, mohan-saha, piedboeuf, saha."
    ),
    out: Path | None = typer.Option(None, help="Write report.md and figures into this folder."),
    json: bool = JSON,
) -> None:
    """Recompute a paper's tables, side by side with its print, and name the misprints."""
    from ..reproduce import reproduce

    report = reproduce(paper)
    saved = [] if out is None else _write(report, out)
    if json:
        print_json(_facts(report, saved))
        return
    for table in report.tables:
        print_table(table.title, table.columns, table.rows)
        for note in table.notes:
            tell(f"  {note}")
    rows = [(m.where, m.printed, m.correct) for m in report.misprints]
    print_table("misprints", ("where", "printed", "correct"), rows)
    for path in saved:
        typer.echo(f"saved {path}")


def _write(report: Any, folder: Path) -> list[str]:
    from ..files import make_folder, write_whole

    make_folder(folder)
    text = write_whole(folder / "report.md", report.markdown())
    return [str(text), *(str(figure.save(folder)) for figure in report.figures)]


def _facts(report: Any, saved: list[str]) -> dict[str, Any]:
    return {
        "paper": report.paper,
        "title": report.title,
        "tables": [
            {
                "title": t.title,
                "rows": [dict(zip(t.columns, row, strict=True)) for row in t.rows],
                "notes": list(t.notes),
            }
            for t in report.tables
        ],
        "misprints": [
            {"where": m.where, "printed": m.printed, "correct": m.correct} for m in report.misprints
        ],
        "saved": saved,
    }
