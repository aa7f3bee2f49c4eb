"""supple reproduce: a paper again, beside what it prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .command import command
from .console import JSON, print_json, print_table, tell, tell_saved

if TYPE_CHECKING:
    from ..types import Json

FOLDER = Path("reproduction")


@command(
    "reproduce",
    "supple reproduce lin-lewis",
    "supple reproduce piedboeuf --out report",
    "supple reproduce all --out report",
)
def reproduce(
    paper: str = typer.Argument(
        help="Which paper: cibicik-egeland, lin-lewis, mohan-saha, piedboeuf, saha; or all."
    ),
    out: Path | None = typer.Option(
        None, help=f"Write pages (HTML, Markdown, figures) into this folder; of all: {FOLDER}."
    ),
    tables: bool = typer.Option(False, "--tables", help="Print every table, not only the short."),
    json: bool = JSON,
) -> None:
    """Recompute a paper beside its print: numbers, tables, figures, errata; pages with --out."""
    if paper == "all":
        _everything(out or FOLDER, json)
        return
    from ..reproduce import reproduce
    from ..reproduce.pages import facts, write

    found = facts(reproduce(paper)) if out is None else write(paper, out)
    if json:
        print_json(found)
        return
    _print(found, tables)
    tell_saved(found["saved"][:2])
    if out is None:
        tell(f"All tables and figures on one page: supple reproduce {paper} --out FOLDER")
    else:
        tell(f"saved {len(found['saved']) - 2} figures beside them; the page took "
             f"{found['cost']['wall']:.1f} s")  # fmt: skip


def _print(found: dict[str, Json], tables: bool) -> None:
    print_table("printed beside ours", *_rows(found["compared"]))
    if tables:
        for table in found["tables"]:
            columns = list(table["rows"][0]) if table["rows"] else []
            rows = [tuple(row.values()) for row in table["rows"]]
            print_table(table["title"], columns, rows, table["notes"])
    print_table("misprints", *_rows(found["misprints"]))
    print_table("disputed: computed, and found otherwise", *_rows(found["disputed"]))
    print_table("how doubtful data were read", *_rows(found["readings"]))


def _rows(items: list[dict[str, object]]) -> tuple[list[str], list[tuple[object, ...]]]:
    return (list(items[0]) if items else ["none"]), [tuple(item.values()) for item in items]


def _everything(folder: Path, json: bool) -> None:
    from ..reproduce.pages import write_all

    found = write_all(folder)
    if json:
        print_json(found)
        return
    columns = ("paper", "compared", "agree", "errata", "disputed", "wall, s", "CPU, s")
    rows = [
        (
            p["paper"],
            len(p["compared"]),
            sum(c["verdict"] == "agrees" for c in p["compared"]),
            len(p["misprints"]),
            len(p["disputed"]),
            f"{p['cost']['wall']:.1f}",
            f"{p['cost']['processor']:.1f}",
        )
        for p in found["papers"]
    ]
    notes = [f"{found['wall']:.1f} s for all, on {found['cores']} cores"]
    print_table("papers", columns, rows, notes)
    tell(f"saved {found['saved'][0]}: open it in a browser")
