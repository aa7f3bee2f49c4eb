"""supple zeros: zero dynamics of chosen outputs, and their stability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from .arguments import ROBOT, Q, numbers, positions
from .console import JSON, print_json, print_table

if TYPE_CHECKING:
    from ..analyse.zeros import Zeros
    from ..robot import Robot

EXAMPLES = (
    "supple zeros lin-lewis-f",
    "supple zeros lin-lewis-f --output link1.tip.y --modes 2,4,6",
)


def command(
    robot: str = ROBOT,
    output: list[str] = typer.Option(
        [], help="Outputs held at zero, e.g. joint1 or link1.tip.y; default: all joints."
    ),
    input: list[str] = typer.Option([], help="Joints that are driven; default: all."),
    q: list[str] = Q,
    families: str = typer.Option("", help="Compare mode families: pinned_pinned,clamped_free."),
    modes: str = typer.Option("", help="Compare numbers of modes: 2,5,10,15."),
    json: bool = JSON,
) -> None:
    """Zeros of the robot at rest, their stability, and the eigenvalues of M_FF^-1 U_FF."""
    from ..analyse.zeros import zeros
    from ..errors import InputError
    from ..model import load

    arm = load(robot)
    outputs = list(output) or None
    if not families and not modes:
        found = zeros(arm, outputs, inputs=list(input) or None, q=positions(arm, q))
        rows = [("as the model says", arm.modes, found)]
    elif q or input:
        raise InputError(
            "--families and --modes compare at rest, all joints driven; leave out --q, --input"
        )
    else:
        rows = _compared(arm, families, modes, outputs)
    if json:
        print_json([_facts(family, count, found) for family, count, found in rows])
        return
    for family, count, found in rows:
        _print(f"{arm.name}, {family}, modes {count}: {found.stability}", found)


def _compared(
    arm: Robot, families: str, modes: str, outputs: list[str] | None
) -> list[tuple[str, int, Zeros]]:
    """(family, number of modes, zeros) for each of the families and numbers."""
    from ..analyse.zeros import compare

    counts = [int(x) for x in numbers("--modes", modes)] if modes else [2]
    names = [x.strip() for x in families.split(",")] if families else _families(arm)
    return [(x.family, x.count, x.result) for x in compare(arm, names, counts, outputs)]


def _print(title: str, found: Zeros) -> None:
    values = list(found.eigenvalues)
    table = [
        (i + 1, _complex(z), f"{values[i]:.9g}" if i < len(values) else "")
        for i, z in enumerate(found.zeros)
    ]
    outputs = ", ".join(found.outputs)
    print_table(title, ("", f"zeros of {outputs}", "eigenvalues of M_FF^-1 U_FF"), table)


def _families(arm: Robot) -> list[str]:
    """The family the model has, for a comparison of numbers alone."""
    lines = [link.body.line for link in arm.links if link.body.line is not None]
    named = [field.family.name for line in lines for field in line.base.fields]
    return named[:1] or ["orthogonal"]


def _facts(family: str, count: int, found: Zeros) -> dict[str, object]:
    return {
        "family": family,
        "modes": count,
        "stability": found.stability,
        "outputs": list(found.outputs),
        "inputs": list(found.inputs),
        "zeros": [[float(z.real), float(z.imag)] for z in found.zeros],
        "eigenvalues": [float(x) for x in found.eigenvalues],
    }


def _complex(z: complex) -> str:
    if z.imag == 0.0:
        return f"{z.real:.9g}"
    real = "" if z.real == 0.0 else f"{z.real:.9g} "
    return f"{real}{'+' if z.imag > 0 else '-'} j{abs(z.imag):.9g}"
