"""supple frequencies: natural frequencies at a configuration."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

from .arguments import ROBOT, Q, positions, rates_by_name
from .console import JSON, print_json, print_table

if TYPE_CHECKING:
    from ..robot import Robot

EXAMPLES = (
    "supple frequencies canadarm --locked",
    "supple frequencies canadarm --locked --q joint2=90*deg",
)


def command(
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
