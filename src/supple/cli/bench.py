"""supple bench: operation counts and times against peers."""

from __future__ import annotations

from pathlib import Path

import typer

from .console import JSON, print_json, print_table


def command(
    operations: bool = typer.Option(False, "--operations", help="Count operations only."),
    instructions: bool = typer.Option(
        False, "--instructions", help="Count machine instructions only."
    ),
    kinematics: bool = typer.Option(
        False, "--kinematics", help="second_order against first_order only."
    ),
    growth: bool = typer.Option(False, "--growth", help="Chains of 10 to 1000 links only."),
    out: Path | None = typer.Option(None, "--out", help="Write all tables and a plot there."),
    seconds: float = typer.Option(1.5, help="Time for each comparison."),
    json: bool = JSON,
) -> None:
    """Measure Supple against the peers that are installed, in one run, as ratios."""
    from ..bench import STUDIES, write_report

    asked = {
        "operations": operations,
        "papers": operations,
        "instructions": instructions,
        "kinematics": kinematics,
        "growth": growth,
    }
    names = [name for name, wanted in asked.items() if wanted] or ["ratios"]
    if out is not None or names == ["ratios"]:
        _need_peer()
    if out is not None:
        text = write_report(out, seconds)
        print_json({"folder": str(out), "ratios": text}) if json else typer.echo(text)
        return
    tables = {name: STUDIES[name](seconds) for name in names}
    if json:
        print_json({name: table.records() for name, table in tables.items()})
        return
    for table in tables.values():
        print_table(table.title, table.columns, table.rows)
        for note in table.notes:
            typer.echo(f"{note}\n")


def _need_peer() -> None:
    from ..errors import SuppleError

    try:
        import pinocchio  # noqa: F401
    except ImportError:
        raise SuppleError(
            "supple bench compares with Pinocchio, which is not installed: "
            "pip install 'supple[bench]'; or count with --operations"
        ) from None
