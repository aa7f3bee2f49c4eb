"""supple bench: operation counts and times against peers."""

from __future__ import annotations

from dataclasses import asdict
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
    from ..bench import (
        growth_rows,
        instruction_rows,
        operation_rows,
        order_rows,
        ratio_rows,
        write_report,
    )
    from ..bench.order import COLUMNS
    from ..errors import SuppleError

    if kinematics:
        costs = order_rows(seconds)
        if json:
            print_json([dict(zip(COLUMNS, row, strict=True)) for row in costs])
        else:
            print_table("forward dynamics", COLUMNS, costs)
        return
    if operations:
        rows = operation_rows()
        names = ("robot", "quantity", "mult", "add", "div", "printed mult", "printed add", "where")
        if json:
            print_json([dict(zip(names, row, strict=True)) for row in rows])
        else:
            print_table("operations of one evaluation", names, rows)
        return
    if instructions:
        counted = instruction_rows()
        names4 = ("robot", "quantity", "instructions", "a state in a batch")
        if json:
            print_json([dict(zip(names4, row, strict=True)) for row in counted])
        else:
            print_table("machine instructions of one evaluation", names4, counted)
        return
    if growth:
        lengths = growth_rows(seconds)
        if json:
            print_json([asdict(row) for row in lengths])
        else:
            names7 = ("chain", "links", "ns a link", "compile [s]", "found [ms]", "Pinocchio")
            rows7 = [
                (r.chain, r.links, r.nanoseconds, r.compile_s, r.cached_ms, r.peer or "")
                for r in lengths
            ]
            print_table("forward dynamics of long chains", names7, rows7)
        return
    try:
        import pinocchio  # noqa: F401
    except ImportError:
        raise SuppleError(
            "supple bench compares with Pinocchio, which is not installed: "
            "pip install 'supple[bench]'; or count with --operations"
        ) from None
    if out is not None:
        typer.echo(write_report(out, seconds))
        return
    measured = ratio_rows(seconds)
    if json:
        keys = [(r.what, r.ours, r.peer, r.ratio, r.versus) for r in measured]
        names5 = ("what", "ours_us", "peer_us", "ratio", "versus")
        print_json([dict(zip(names5, row, strict=True)) for row in keys])
        return
    table = [(r.what, r.ours, r.peer, r.versus, f"{r.ratio:.1f}x") for r in measured]
    print_table("measured in one run", ("what", "ours [us]", "peer [us]", "peer", "faster"), table)
