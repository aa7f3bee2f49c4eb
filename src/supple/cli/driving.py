"""--pd and --shaper of `supple simulate`: feedback, and motions that leave no vibration behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:
    from ..robot import Robot
    from ..simulation.law import Law
    from ..simulation.motion import Motion


def feedback(robot: Robot, gains: str, motion: Motion | None, q0: object) -> Law:
    """KP,KD on all motors: to the motion, or to where the run starts."""
    from ..control import pd
    from ..control.controlled_coordinates import controlled_coordinates
    from ..simulation.start import start_position

    kp, kd = _numbers("--pd", gains, (2,), "KP,KD, e.g. 200,20")
    if motion is not None or q0 is None:
        return pd(robot, kp, kd, motion)
    return pd(robot, kp, kd, controlled_coordinates(robot).C @ start_position(robot, q0))


def shaped_motion(motion: Motion | None, words: str) -> Motion:
    """KIND=OMEGA or KIND=OMEGA,DAMPING applied to the motion."""
    from ..control import shaped, shaper

    kind, mark, rest = words.partition("=")
    how = "KIND=OMEGA or KIND=OMEGA,DAMPING (rad/s, ratio), e.g. zvd=12.5,0.02"
    if not mark:
        raise InputError(f"--shaper {words!r}: expected {how}")
    if motion is None:
        raise InputError("--shaper shapes a motion; give --motion or --trajectory")
    numbers = _numbers("--shaper", rest, (1, 2), how)
    return shaped(motion, shaper(kind.strip(), *numbers))


def _numbers(option: str, text: str, counts: tuple[int, ...], how: str) -> list[float]:
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) not in counts:
        raise InputError(f"{option} {text!r}: expected {how}")
    return values
