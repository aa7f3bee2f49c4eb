"""supple simulate: run a robot, print a summary, save the run and its plot."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..errors import InputError, SimulationError
from .arguments import ROBOT, check_figure, chosen_robot, positions, start_rates, wrenches
from .command import command
from .console import (
    JSON,
    PLOT,
    WIDTH,
    interruptible,
    print_json,
    print_table,
    progress_bar,
    say,
    tell,
    tell_saved,
)

if TYPE_CHECKING:
    from ..robot import Robot
    from ..simulation import Result
    from ..simulation.law import Law
    from ..simulation.motion import Motion
    from ..types import Floats


@command(
    "simulate",
    "supple simulate canadarm --out run.nc --plot run.png",
    "supple simulate canadarm --q0 0.3,0,0 --pd 900,600 --duration 5 --report",
    'supple simulate piedboeuf-arm --prescribe "motor=0.3*sin(t)" --duration 2',
)
def simulate(
    robot: str = ROBOT,
    torque: Path | None = typer.Option(
        None, help="CSV of joint torques: columns t and joint names."
    ),
    trajectory: Path | None = typer.Option(
        None, help="CSV of desired joint positions: feed-forward torques of the rigid robot."
    ),
    motion: str | None = typer.Option(None, help="A motion that the model file holds."),
    pd: str | None = typer.Option(
        None, help="KP,KD: feedback of all motors to the motion, or to where the run starts."
    ),
    shaper: str | None = typer.Option(
        None, help="zv, zvd or ei=OMEGA[,DAMPING]: the motion leaves this mode (rad/s) at rest."
    ),
    prescribe: list[str] = typer.Option(
        [], help="JOINT=FORMULA in t: the joint follows it, its torque is found. Repeatable."
    ),
    load: list[str] = typer.Option(
        [], help="STATION=fx,fy,fz or STATION=nx,ny,nz,fx,fy,fz, world axes, constant. Repeatable."
    ),
    q0: list[str] = typer.Option(
        [],
        help="Start: joint positions or all coordinates, numbers with commas (pi and deg "
        "allowed), or NAME=VALUE. Repeatable.",
    ),
    qd0: list[str] = typer.Option([], help="Rates at the start, in the same way."),
    at_rest: bool = typer.Option(
        False, "--at-rest", help="Start with the shapes that gravity and loads give at rest."
    ),
    free: bool = typer.Option(False, "--free", help="No torque, even if the file has a motion."),
    duration: float | None = typer.Option(None, help="Seconds; default: that of the input."),
    samples: int = typer.Option(501, help="Number of saved instants."),
    method: str = typer.Option(
        "auto",
        help="auto, explicit, rosenbrock, sweep, rk4; DOP853, RK45, Radau, BDF, LSODA; CVODE.",
    ),
    rtol: float = typer.Option(1e-8, help="Relative tolerance."),
    step: float | None = typer.Option(None, help="Make all steps this long, in seconds."),
    kinematics: str | None = typer.Option(None, help="Elastic kinematics, e.g. rigid."),
    out: Path | None = typer.Option(None, help="Save the run here (netCDF)."),
    plot: Path | None = PLOT,
    width: str = WIDTH,
    keep: list[str] = typer.Option(
        [], help="Also save: acceleration, power, wrench or reaction. Repeatable."
    ),
    report: bool = typer.Option(False, "--report", help="Show every check of the run."),
    json: bool = JSON,
) -> None:
    """Simulate a robot. Without input it follows the first motion of its file, or moves freely."""
    from ..simulation import simulate

    _check_options((torque, trajectory, motion, free or None), out)
    check_figure(plot, width)
    arm = chosen_robot(robot, kinematics)
    driven, loads = _laws(prescribe), wrenches(load)
    source = _input(arm, torque, trajectory, motion, free or bool(driven))
    start = positions(arm, q0, "--q0")
    if shaper is not None:
        source = source.shaped(shaper)
    if pd is not None:
        source = source.fed_back(arm, pd, start)
    length = next(x for x in (duration, source.duration, 10.0) if x is not None)
    what = source.until(length) + (f", prescribed {', '.join(driven)}" if driven else "")
    began, saved = time.perf_counter(), list[str]()
    with _interruptible(out, saved):
        with progress_bar(f"simulating {arm.name}", length) as bar:
            run = simulate(
                arm,
                source.torque,
                length,
                motion=source.motion,
                prescribed=driven or None,
                external=loads or None,
                q0=start,
                qd0=start_rates(arm, qd0),
                at_rest=at_rest,
                samples=samples,
                method=method,
                rtol=rtol,
                keep=tuple(keep),
                step=step,
                progress=bar,
            )
        took = time.perf_counter() - began
        _save(run, out, plot, width, saved)
    _tell(run, what, took, saved, json, report)


def _save(run: Result, out: Path | None, plot: Path | None, width: str, saved: list[str]) -> None:
    """The run and its figure; `saved` holds what there is if the next is interrupted."""
    if out is not None:
        saved.append(str(run.save(out)))
    if plot is not None:
        saved.append(str(run.plot(plot, width=width)))


def _check_options(inputs: tuple[object, ...], out: Path | None) -> None:
    """One input at the most, and files that can be written."""
    from ..files import RUNS, check_target

    if sum(x is not None for x in inputs) > 1:
        raise typer.BadParameter("give one of --torque, --trajectory, --motion, --free")
    if out is not None:
        check_target(out, RUNS)


@contextmanager
def _interruptible(out: Path | None, saved: list[str]) -> Iterator[None]:
    """What there is of a run that stops is kept, and so said; Ctrl-C leaves with code 130."""
    from ..simulation import Interrupted

    with interruptible(saved):
        try:
            yield
        except Interrupted as stop:
            _keep(stop.partial, out, "interrupted")
            raise typer.Exit(130) from None
        except SimulationError as error:
            if out is not None or error.partial is not None:
                _keep(error.partial, out, "stopped")
            raise


@dataclass(frozen=True)
class _Input:
    """What moves the robot, for how long, in words."""

    words: str
    torque: Law | None = None
    motion: Motion | None = None
    duration: float | None = None

    def shaped(self, words: str) -> _Input:
        """The motion shaped by KIND=OMEGA or KIND=OMEGA,DAMPING."""
        from ..control import shaped, shaper

        kind, mark, rest = words.partition("=")
        how = "KIND=OMEGA or KIND=OMEGA,DAMPING (rad/s, ratio), e.g. zvd=12.5,0.02"
        if not mark:
            raise InputError(f"--shaper {words!r}: expected {how}")
        if self.motion is None:
            raise InputError("--shaper shapes a motion; give --motion or --trajectory")
        numbers = _numbers("--shaper", rest, (1, 2), how)
        motion = shaped(self.motion, shaper(kind.strip(), *numbers))
        return replace(
            self, words=f"{self.words}, shaped by {words}", motion=motion, duration=motion.duration
        )

    def fed_back(self, robot: Robot, gains: str, q0: object) -> _Input:
        """With KP,KD on all motors: to the motion, or to where the run starts."""
        from ..control import pd
        from ..control.controlled_coordinates import controlled_coordinates
        from ..simulation.start import start_position

        kp, kd = _numbers("--pd", gains, (2,), "KP,KD, e.g. 200,20")
        target: Motion | Floats | None = self.motion
        if target is None and q0 is not None:
            target = controlled_coordinates(robot).C @ start_position(robot, q0)
        law = pd(robot, kp, kd, target)
        both = law if self.torque is None else self.torque + law
        free = self.torque is None and self.motion is None
        words = f"feedback {gains}" if free else f"{self.words}, feedback {gains}"
        return replace(self, words=words, torque=both)

    def until(self, end: float) -> str:
        """In words, and that it goes on if the run ends before it does."""
        cut = self.duration is not None and end < self.duration * (1.0 - 1e-9)
        return self.words + (f" (which go on to {self.duration:g} s)" if cut else "")


def _input(
    robot: Robot, torque: Path | None, trajectory: Path | None, motion: str | None, free: bool
) -> _Input:
    from ..simulation.inputs import motion_file, torque_file
    from ..simulation.motion import named_motion

    if torque is not None:
        law, seconds = torque_file(robot, torque)
        return _Input(f"torques of {torque}", law, duration=seconds)
    if trajectory is not None:
        path = motion_file(robot, trajectory)
        return _Input(f"feed-forward along {trajectory}", None, path, path.duration)
    found = None if free else named_motion(robot, motion)
    if found is None:
        return _Input("free motion, no torque")
    name = motion or next(iter(robot.motions))
    words = f"feed-forward along motion {name!r} of its file"
    return _Input(words, None, found, found.duration)


def _laws(words: list[str]) -> dict[str, str]:
    """JOINT=FORMULA, one for each joint."""
    out = {}
    for text in words:
        name, mark, law = text.partition("=")
        if not mark or not name.strip() or not law.strip():
            raise InputError(f"--prescribe {text!r}: expected JOINT=FORMULA, e.g. joint1=0.5*t**2")
        if name.strip() in out:
            raise InputError(f"--prescribe names joint {name.strip()} twice; give it one law")
        out[name.strip()] = law.strip()
    return out


def _keep(partial: Result | None, out: Path | None, how: str) -> None:
    reached = 0.0 if partial is None else float(partial.time[-1])
    if partial is None or out is None:
        hint = "; --out FILE keeps it" if partial is not None and how == "stopped" else ""
        say(f"\n{how} at t = {reached:.4g} s; nothing was saved{hint}.")
        return
    partial.save(out)
    say(f"\n{how}; the first {reached:.4g} s were saved to {out}.")


def _tell(run: Result, what: str, took: float, saved: list[str], json: bool, whole: bool) -> None:
    if json:
        print_json(_plain(run, what, took, saved))
        return
    title = f"{run.robot_name}: {run.time[-1]:g} s, {what}"
    print_table(title, ("coordinate", "start", "end", "largest"), run.summary())
    from ..simulation.check import verdict

    tell(f"energy imbalance {run.energy_error:.1e} relative; {took:.1f} s of computing")
    for line in (run.report() if whole else verdict(run)).splitlines():
        tell(line)
    tell_saved(saved)


def _plain(run: Result, what: str, took: float, saved: list[str]) -> dict[str, object]:
    """The run as JSON shows it."""
    return {
        "robot": run.robot_name,
        "input": what,
        "duration": float(run.time[-1]),
        "wall_seconds": round(took, 3),
        "energy_error": run.energy_error,
        "method": run.held.attrs["method"],
        "warnings": list(run.warnings),
        "checks": [check.plain for check in run.checks],
        "coordinates": [
            {"name": n, "start": a, "end": b, "largest": c} for n, a, b, c in run.summary()
        ],
        "saved": saved,
    }


def _numbers(option: str, text: str, counts: tuple[int, ...], how: str) -> list[float]:
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) not in counts:
        raise InputError(f"{option} {text!r}: expected {how}")
    return values
