"""supple campbell: frequencies against the steady speed of a joint."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .arguments import ROBOT, Q, check_figure, chosen_robot, number_between, positions
from .console import JSON, PLOT, WIDTH, print_json, print_table, tell_saved

if TYPE_CHECKING:
    from ..analyse import Campbell
    from ..types import Floats

EXAMPLES = (
    "supple campbell lin-lewis-f --to 20 --plot campbell.png",
    "supple campbell lin-lewis-rf --joint azimuth --to 100*rpm --order 1 --order 2",
)


def command(
    robot: str = ROBOT,
    joint: str = typer.Option("", help="The joint that turns; default: the first."),
    to: str = typer.Option("10", help="The fastest speed [rad/s]; 100*rpm for turns a minute."),
    start: str = typer.Option("0", help="The slowest speed."),
    steps: int = typer.Option(25, help="How many speeds, 2 to 2000."),
    order: list[float] = typer.Option([1.0, 2.0, 3.0], help="Engine orders. Repeatable."),
    q: list[str] = Q,
    kinematics: str | None = typer.Option(None, help="Elastic kinematics, e.g. second_order."),
    plot: Path | None = PLOT,
    width: str = WIDTH,
    json: bool = JSON,
) -> None:
    """Frequencies of the links while a joint turns steadily; critical speeds of engine orders."""
    import numpy as np

    from ..analyse import campbell

    check_figure(plot, width)
    arm = chosen_robot(robot, kinematics)
    turning = joint or next((x.joint_name for x in arm.links if x.joint.nv == 1), "")
    count = number_between("--steps", steps, 2, 2000)
    speeds = np.linspace(_speed("--start", start), _speed("--to", to), count)
    found = campbell(arm, turning, speeds, q=positions(arm, q), orders=order)
    saved = [] if plot is None else [str(found.plot(plot, width=width))]
    if json:
        print_json({**_facts(found), "saved": saved})
        return
    _print(found)
    tell_saved(saved)


def _speed(option: str, text: str) -> float:
    """A speed in rad/s; `rpm` is 2 pi/60."""
    import re

    from .arguments import numbers

    (value, *more) = numbers(option, re.sub(r"\brpm\b", "(pi/30)", text))
    if more:
        from ..errors import InputError

        raise InputError(f"{option} {text!r}: expected one speed")
    return value


def _print(found: Campbell) -> None:
    import numpy as np

    places = np.unique(np.linspace(0, len(found.speeds) - 1, min(7, len(found.speeds))).astype(int))
    columns = ("mode", *(f"at {found.speeds[k]:.4g}" for k in places))
    growth = found.data["growth"].values
    rows = [
        (name, *(_cell(found.omega[k, i], growth[k, i]) for k in places))
        for i, name in enumerate(found.modes)
    ]
    title = f"{found.robot.name}: frequencies [rad/s] at speeds of {found.joint} [rad/s]"
    print_table(title, columns, rows)
    if found.crossings:
        crossed = [
            (c.speed, 30 * c.speed / np.pi, c.order, f"{c.mode} {c.whirl}", c.omega)
            for c in found.crossings
        ]
        print_table(
            "critical speeds", ("rad/s", "turns/min", "order", "mode", "frequency"), crossed
        )
    if found.unstable:
        ranges = [(u.first, u.last, u.growth, u.speed, u.coordinate) for u in found.unstable]
        heads = ("from rad/s", "to rad/s", "growth 1/s", "at rad/s", "mostly")
        print_table("speeds at which a small push grows", heads, ranges)


def _cell(omega: float, growth: float) -> float | str:
    """A frequency; in words what does not vibrate."""
    if omega == omega:
        return float(omega)
    return "grows" if growth > 0.0 else "-"


def _facts(found: Campbell) -> dict[str, object]:
    import numpy as np

    def plain(values: Floats) -> list[list[float | None]]:
        return [[float(x) if np.isfinite(x) else None for x in row] for row in values]

    return {
        "robot": found.robot.name,
        "joint": found.joint,
        "speeds": found.speeds.tolist(),
        "modes": list(found.modes),
        "omega": plain(found.omega),
        "damping": plain(found.data["damping"].values),
        "growth": plain(found.data["growth"].values),
        "whirl": plain(found.data["whirl"].values),
        "crossings": [asdict(x) for x in found.crossings],
        "unstable": [asdict(x) for x in found.unstable],
        "warnings": list(found.warnings),
    }
