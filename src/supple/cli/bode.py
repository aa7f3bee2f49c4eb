"""supple bode: gain and phase of a robot near an operating point."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .arguments import KINEMATICS, ROBOT, Q, check_figure, numbers
from .console import JSON, PLOT, WIDTH, print_json, print_table, tell_saved
from .linearise import HELD, INPUT, LOAD, OUTPUT, RATE, made

if TYPE_CHECKING:
    from ..analyse import LinearModel
    from ..types import Floats

COLUMNS = ("output", "input", "unit", "rad_s", "gain", "phase_deg")
EXAMPLES = (
    "supple bode canadarm --input joint1 --plot bode.pdf --width single",
    "supple bode canadarm --input joint1 --output link3.tip.y --w 1,10,100",
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
