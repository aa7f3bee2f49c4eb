"""supple bench: what a robot's quantities cost on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from ..errors import InputError
from .command import command
from .console import JSON, interruptible, print_json, print_table

if TYPE_CHECKING:
    from ..analyse.cost import Cost
    from ..robot import Robot

MOST = 600.0  # seconds
COUNTS = {
    "mult": "multiplications",
    "add": "additions",
    "div": "divisions",
    "sin-cos": "sincos",
    "other": "other",
}
TIMES = ("call [µs]", "out= [µs]", "batch [µs]", "compile [ms]", "found [ms]")


@command(
    "bench",
    "supple bench puma",
    "supple bench canadarm --quantity forward_dynamics --seconds 2",
)
def bench(
    robot: str = typer.Argument("canadarm", help="A shipped name, or a model file."),
    quantity: list[str] = typer.Option(
        [],
        help="What to measure: a name that supple.compile takes, or one with _derivatives after "
        "it; default: the main ones. Repeatable.",
    ),
    seconds: float = typer.Option(0.5, help="Time for each quantity, compiling apart."),
    json: bool = JSON,
) -> None:
    """Operations of a robot's quantities, and what they take on this machine."""
    from ..model import load

    if not 0.0 < seconds <= MOST:
        raise InputError(f"--seconds {seconds:g}: expected more than 0, at most {MOST:g}")
    arm = load(robot)
    found = _measured(arm, quantity, seconds)
    if json:
        print_json({"robot": arm.name, "quantities": [_facts(x) for x in found]})
        return
    title = f"{arm.name}: {len(arm.links)} links, {arm.nv} degrees of freedom, on this machine"
    print_table(title, ("quantity", *COUNTS, *TIMES), [_row(x) for x in found], _notes(found))


def _measured(arm: Robot, quantities: list[str], seconds: float) -> list[Cost]:
    from ..analyse.cost import MAIN, costs

    with interruptible():  # what is compiled for this goes away with it
        return costs(arm, quantities or MAIN, seconds)


def _row(cost: Cost) -> tuple[object, ...]:
    counts = [cost.operations[name] for name in COUNTS.values()]
    calls = [_three(1e6, t) for t in (cost.call, cost.out, cost.batch)]
    return (cost.quantity, *counts, *calls, _three(1e3, cost.compiled), _three(1e3, cost.found))


def _three(unit: float, seconds: float | None) -> float | str:
    """In thousandths or millionths, three digits."""
    return "" if seconds is None else float(f"{unit * seconds:.3g}")


def _facts(cost: Cost) -> dict[str, object]:
    return {
        "quantity": cost.quantity,
        "station": cost.station,
        "operations": cost.operations,
        "call_s": cost.call,
        "call_out_s": cost.out,
        "batch_s_a_state": cost.batch,
        "batch_states": cost.states,
        "compile_s": cost.compiled,
        "found_s": cost.found,
    }


def _notes(found: list[Cost]) -> list[str]:
    states = sorted({x.states for x in found})
    places = sorted({x.station for x in found if x.station})
    return [
        *(f"station: {place}" for place in places),
        "mult, add, div, sin-cos (pairs), other: operations of one evaluation",
        "call: gives a new array; out=: writes to one at hand (of one result)",
        f"batch: a state among {' or '.join(map(str, states))} together, on one core",
        "compile: with an empty cache; found: the same from the cache, as in the next process",
        "times are the best of many calls; --seconds sets how long each quantity is measured",
    ]
