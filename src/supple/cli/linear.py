"""supple linearise, bode, zeros: a robot near an operating point as a linear system."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import InputError
from .arguments import (
    KINEMATICS,
    ROBOT,
    Q,
    check_figure,
    check_file,
    chosen_robot,
    numbers,
    positions,
    rates_by_name,
    wrenches,
)
from .command import command
from .console import JSON, PLOT, WIDTH, give, print_json, print_table, tell_saved

if TYPE_CHECKING:
    from ..analyse import LinearModel
    from ..analyse.zeros import Zeros
    from ..robot import Robot
    from ..types import Floats

INPUT = typer.Option([], help="Joints, or STATION.fx ... nz; default: all motors. Repeatable.")
OUTPUT = typer.Option(
    [],
    help="Coordinates, STATION.x ... rz, STATION.strain; .rate or .acceleration after it. "
    "Default: joints and the last tip. Repeatable.",
)
HELD = typer.Option([], help="A joint that is held, or kept at its rate. Repeatable.")
RATE = typer.Option([], help="JOINT=RATE: the joint turns steadily. Repeatable.")
LOAD = typer.Option([], help="STATION=fx,fy,fz or a wrench, all the time. Repeatable.")
COLUMNS = ("output", "input", "unit", "rad_s", "gain", "phase_deg")  # of bode


@command(
    "linearise",
    "supple linearise canadarm --q 0,30*deg,0",
    "supple linearise canadarm --input joint1 --output link3.tip.y --out model.npz",
)
def linearise(
    robot: str = ROBOT,
    q: list[str] = Q,
    rate: list[str] = RATE,
    input: list[str] = INPUT,
    output: list[str] = OUTPUT,
    held: list[str] = HELD,
    load: list[str] = LOAD,
    kinematics: str | None = KINEMATICS,
    matrices: bool = typer.Option(False, "--matrices", help="Print A, B, C and D."),
    out: Path | None = typer.Option(None, help="Save A, B, C, D and names here (.npz, .json)."),
    json: bool = JSON,
) -> None:
    """Poles and transfer functions at rest under gravity, or where joints turn steadily."""
    check_file(out, (".npz", ".json"))
    model = made(robot, q, rate, input, output, held, load, kinematics)
    facts = _facts(model)
    saved = [] if out is None else [str(_save(facts, out))]
    give(json, saved, lambda: facts, lambda: _print(model, matrices))


def made(
    name: str,
    q: list[str],
    rate: list[str],
    inputs: list[str],
    outputs: list[str],
    held: list[str],
    load: list[str],
    kinematics: str | None,
) -> LinearModel:
    """The linear model that the options ask for."""
    from ..analyse import linearise

    arm = chosen_robot(name, kinematics)
    return linearise(
        arm,
        positions(arm, q),
        rates_by_name(rate) or None,
        inputs=inputs or None,
        outputs=outputs or None,
        held=held,
        external=wrenches(load),
    )


def _print(model: LinearModel, matrices: bool) -> None:
    from ..analyse.linear.model import mostly, pole_text

    rows = [(pole_text(p), p.omega, p.hertz, p.damping, mostly(p)) for p in model.modes()]
    title = f"{model.robot.name}, linear, {model.stability}: {len(model.A)} states"
    columns = ("pole", "rad/s", "Hz", "damping", "kinetic energy mostly in")
    print_table(title, columns, rows)
    pairs = [model.transfer_function(y, u) for u in model.inputs for y in model.outputs]
    texts = [(g.output, g.input, str(g).partition(" = ")[2]) for g in pairs if g.gain]
    if texts:
        print_table("transfer functions", ("output", "input", ""), texts)
    for name in "ABCD" if matrices else "":
        side = model.states if name in "AB" else model.outputs
        top = model.states if name in "AC" else model.inputs
        numbers = zip(side, getattr(model, name), strict=True)
        print_table(name, ("", *top), [(n, *map(float, row)) for n, row in numbers])


def _facts(model: LinearModel) -> dict[str, object]:
    return {
        "robot": model.robot.name,
        "stability": model.stability,
        "equilibrium": model.equilibrium,
        "warnings": list(model.warnings),
        "states": list(model.states),
        "inputs": list(model.inputs),
        "outputs": list(model.outputs),
        "units": {"inputs": list(model.units[0]), "outputs": list(model.units[1])},
        **{name: getattr(model, name).tolist() for name in ("A", "B", "C", "D", "drift")},
        **{name: getattr(model, name).tolist() for name in ("q", "qd", "tau")},
        "poles": [
            {
                "real": p.value.real,
                "imaginary": p.value.imag,
                "count": p.count,
                "rad_s": p.omega,
                "hertz": p.hertz,
                "damping": p.damping,
                "shares": p.shares,
            }
            for p in model.modes()
        ],
    }


def _save(facts: dict[str, object], path: Path) -> Path:
    import json

    import numpy as np

    from ..files import write_whole

    if path.suffix.lower() == ".json":
        return write_whole(path, json.dumps(facts, indent=2, allow_nan=False))
    names = ("A", "B", "C", "D", "drift", "q", "qd", "tau", "states", "inputs", "outputs")
    arrays: dict[str, Any] = {name: np.asarray(facts[name]) for name in names}
    return write_whole(path, lambda file: np.savez(file, **arrays))


@command(
    "bode",
    "supple bode canadarm --input joint1 --plot bode.pdf --width single",
    "supple bode canadarm --input joint1 --output link3.tip.y --w 1,10,100",
)
def bode(
    robot: str = ROBOT,
    q: list[str] = Q,
    rate: list[str] = RATE,
    input: list[str] = INPUT,
    output: list[str] = OUTPUT,
    held: list[str] = HELD,
    load: list[str] = LOAD,
    kinematics: str | None = KINEMATICS,
    w: str = typer.Option("", "--w", help="Frequencies [rad/s] of the table: 1,10,100."),
    plot: Path | None = PLOT,
    width: str = WIDTH,
    json: bool = JSON,
) -> None:
    """Frequency response: a table at some frequencies, and its plot."""
    check_figure(plot, width)
    model = made(robot, q, rate, input, output, held, load, kinematics)
    rows = _rows(model, _chosen(model, w))
    saved = [] if plot is None else [str(model.bode(plot, width=width))]
    if json:
        values = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
        about = {"robot": model.robot.name, "stability": model.stability}
        print_json({**about, "response": values, "saved": saved})
        return
    print_table(f"{model.robot.name}: frequency response, {model.stability}", COLUMNS, rows)
    tell_saved(saved)


def _chosen(model: LinearModel, w: str) -> Floats:
    """The frequencies of the table: those asked for, or nine over all that its plot shows."""
    import numpy as np

    from ..view.bode import frequencies_of

    grid = frequencies_of(model)
    return np.array(numbers("--w", w)) if w else np.geomspace(grid[0], grid[-1], 9)


def _rows(model: LinearModel, at: Floats) -> list[tuple[str, str, str, float, float, float]]:
    """A row for each input, output and frequency, as `COLUMNS` names it."""
    import numpy as np

    from ..view.bode import gain_unit

    response = model.frequency_response(at)
    return [
        (
            model.outputs[i],
            model.inputs[j],
            gain_unit(model, i, j),
            float(x),
            float(abs(response[k, i, j])),
            float(np.degrees(np.angle(response[k, i, j]))),
        )
        for j in range(len(model.inputs))
        for i in range(len(model.outputs))
        for k, x in enumerate(at)
    ]


@command(
    "zeros",
    "supple zeros lin-lewis-f",
    "supple zeros lin-lewis-f --output link1.tip.y --modes 2,4,6",
)
def zeros(
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
        print_json([_zeros_facts(family, count, found) for family, count, found in rows])
        return
    for family, count, found in rows:
        _print_zeros(f"{arm.name}, {family}, modes {count}: {found.stability}", found)


def _compared(
    arm: Robot, families: str, modes: str, outputs: list[str] | None
) -> list[tuple[str, int, Zeros]]:
    """(family, number of modes, zeros) for each of the families and numbers."""
    from ..analyse.zeros import compare

    counts = [int(x) for x in numbers("--modes", modes)] if modes else [2]
    names = [x.strip() for x in families.split(",")] if families else _families(arm)
    return [(x.family, x.count, x.result) for x in compare(arm, names, counts, outputs)]


def _print_zeros(title: str, found: Zeros) -> None:
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


def _zeros_facts(family: str, count: int, found: Zeros) -> dict[str, object]:
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
