"""supple bench: operation counts and times against peers."""

from __future__ import annotations

import typer

from .console import JSON, print_json, print_table


def command(
    operations: bool = typer.Option(False, "--operations", help="Count operations only."),
    kinematics: bool = typer.Option(
        False, "--kinematics", help="second_order against first_order only."
    ),
    seconds: float = typer.Option(1.5, help="Time for each comparison."),
    json: bool = JSON,
) -> None:
    """Measure Supple against Pinocchio (if installed) in one run, as ratios."""
    from ..bench import operation_rows, order_rows, ratio_rows
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
    try:
        import pinocchio  # noqa: F401
    except ImportError:
        raise SuppleError(
            "supple bench compares with Pinocchio, which is not installed: "
            "pip install 'supple[bench]'; or count with --operations"
        ) from None
    measured = ratio_rows(seconds)
    if json:
        keys = [(r.what, r.ours, r.peer, r.ratio, r.versus) for r in measured]
        names5 = ("what", "ours_us", "peer_us", "ratio", "versus")
        print_json([dict(zip(names5, row, strict=True)) for row in keys])
        return
    table = [(r.what, r.ours, r.peer, f"{r.ratio:.1f}x") for r in measured]
    versus = measured[0].versus
    print_table(f"against {versus}", ("what", "ours [us]", "peer [us]", "faster"), table)
