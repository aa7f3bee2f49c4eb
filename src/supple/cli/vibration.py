"""supple frequencies, campbell: natural frequencies, at rest and against a joint's speed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..errors import InputError
from .arguments import (
    ROBOT,
    Q,
    check_figure,
    chosen_robot,
    number_between,
    numbers,
    positions,
    rates_by_name,
)
from .command import command
from .console import JSON, PLOT, WIDTH, give, print_json, print_table

if TYPE_CHECKING:
    from ..analyse import Campbell
    from ..robot import Robot
    from ..types import Floats


@command(
    "frequencies",
    "supple frequencies canadarm --locked",
    "supple frequencies canadarm --locked --q joint2=90*deg",
)
def frequencies(
    robot: str = ROBOT,
    q: list[str] = Q,
    locked: bool = typer.Option(
        False, "--locked", help="Hold all joints (of closed chains and elastic gears: motors)."
    ),
    rate: list[str] = typer.Option(
        [], help="JOINT=RATE: the joint turns steadily, the others are held. Repeatable."
    ),
    json: bool = JSON,
) -> None:
    """Natural frequencies of the robot at rest in a configuration."""
    from ..analyse import frequencies
    from ..model import load

    arm = load(robot)
    rates = rates_by_name(rate)
    found = frequencies(arm, positions(arm, q), locked=locked, rates=rates or None)
    rows = [
        (i + 1, float(w), float(h))
        for i, (w, h) in enumerate(zip(found.omega, found.hertz, strict=True))
    ]
    if json:
        print_json([{"mode": i, "rad_s": w, "hertz": h} for i, w, h in rows])
        return
    held = f"{'motors' if arm.loops or arm.gears else 'joints'} locked" if locked else "joints free"
    if rates:
        held = "turning: " + ", ".join(f"{k} at {v:g}" for k, v in rates.items())
    notes = frequency_notes(arm, found.omega, locked, bool(rates))
    print_table(f"{arm.name}, {held}", ("mode", "rad/s", "Hz"), rows, notes)


def frequency_notes(
    robot: Robot, omega: Iterable[float], locked: bool = False, turning: bool = False
) -> list[str]:
    """What the numbers mean where that is not plain."""
    floats = any(link.joint.nv == 6 for link in robot.links)
    base = " (the floating base too)" if floats else ""
    notes = []
    if turning:
        notes.append(f"joints turn as told, the others are held{base}; only shapes vibrate")
    elif locked and (robot.loops or robot.gears):
        notes.append("locked: the motors are held where they are; what they leave free vibrates")
    elif locked:
        notes.append(f"locked: all joints are held where they are{base}; only shapes vibrate")
    if any(w < 0.0 for w in omega):
        notes.append(
            "negative: no vibration; a small push grows like exp(|rad/s| t), the robot falls away"
        )
    if any(w == 0.0 for w in omega):
        notes.append("zero: it moves freely, nothing brings it back")
    return notes


@command(
    "campbell",
    "supple campbell lin-lewis-f --to 20 --plot campbell.png",
    "supple campbell lin-lewis-rf --joint azimuth --to 100*rpm --order 1 --order 2",
)
def campbell(
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
    give(json, saved, lambda: _facts(found), lambda: _print(found))


def _speed(option: str, text: str) -> float:
    """A speed in rad/s; `rpm` is 2 pi/60."""
    (value, *more) = numbers(option, re.sub(r"\brpm\b", "(pi/30)", text))
    if more:
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
