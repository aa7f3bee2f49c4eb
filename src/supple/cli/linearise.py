"""supple linearise: a robot near an operating point as a linear system; poles, zeros, matrices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .arguments import KINEMATICS, ROBOT, Q, chosen_robot, positions, rates_by_name, wrenches
from .console import JSON, print_json, print_table, tell_saved

if TYPE_CHECKING:
    from ..analyse import LinearModel

INPUT = typer.Option([], help="Joints, or STATION.fx ... nz; default: all motors. Repeatable.")
OUTPUT = typer.Option(
    [],
    help="Coordinates, STATION.x ... rz, STATION.strain; .rate or .acceleration after it. "
    "Default: joints and the last tip. Repeatable.",
)
HELD = typer.Option([], help="A joint that is held, or kept at its rate. Repeatable.")
RATE = typer.Option([], help="JOINT=RATE: the joint turns steadily. Repeatable.")
LOAD = typer.Option([], help="STATION=fx,fy,fz or a wrench, all the time. Repeatable.")

EXAMPLES = (
    "supple linearise canadarm --q 0,30*deg,0",
    "supple linearise canadarm --input joint1 --output link3.tip.y --out model.npz",
)


def command(
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
    from ..files import check_target

    if out is not None:
        check_target(out, (".npz", ".json"))
    model = made(robot, q, rate, input, output, held, load, kinematics)
    facts = _facts(model)
    saved = [] if out is None else [str(_save(facts, out))]
    if json:
        print_json({**facts, "saved": saved})
        return
    _print(model, matrices)
    tell_saved(saved)


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
