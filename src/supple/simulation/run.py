"""Simulation: set the robot off, integrate, look whether the run can be believed.

simulate: start -> Experiment (torques, loads, laws) -> integrate (a Course) -> Result
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, recursion
from ..engine import traced
from ..errors import InputError, SimulationError, SuppleError, brief, caution, unknown_name
from ..loops.closed_checks import closed_robot
from ..robot import Robot
from ..types import Floats
from .by_steps import CVODE
from .check import failures, written
from .events import Event, check_events
from .inputs import check_breaks, feedforward, torque_law
from .integrate import integrate
from .integrators import METHODS as NATIVE
from .joint_laws import check_laws, law_breaks
from .law import Law, LawError, in_turn
from .loads import external_loads
from .motion import Motion, named_motion
from .observe import accelerations, asked_for, make_result, note_events, put_kept
from .prescribed import Prescribed, prescribed_motion
from .result import Result
from .run_checks import Guard, check_run
from .run_in_progress import Progress, RunInProgress
from .simulated_robot import SimulatedRobot
from .solver import Tolerances
from .start import start
from .step_checks import checks_of_steps, making
from .stick_slip import can_stick

LONGEST = 1e9  # s, thirty years
SCIPY = ("DOP853", "RK45", "Radau", "BDF", "LSODA")
METHODS = ("auto", *NATIVE, *SCIPY, CVODE)


class Interrupted(KeyboardInterrupt):
    """A run stopped by the user; `partial` holds what was reached, if anything."""

    def __init__(self, partial: Result | None) -> None:
        super().__init__("the run was interrupted")
        self.partial = partial


def simulate(
    robot: Robot,
    torque: object = None,
    duration: float | None = None,
    *,
    motion: str | Motion | None = None,
    prescribed: object = None,
    external: object = None,
    q0: ArrayLike | dict[str, float] | None = None,
    qd0: ArrayLike | dict[str, float] | None = None,
    at_rest: bool = False,
    breaks: ArrayLike | None = None,
    samples: int = 501,
    method: str = "auto",
    rtol: float = 1e-8,
    atol: float = 1e-10,
    step: float | None = None,
    events: object = None,
    keep: str | tuple[str, ...] = (),
    progress: Progress | None = None,
) -> Result:
    """Run the robot for `duration` seconds from (q0, qd0), by default neutral and at rest.

    torque: None (free), numbers, f(t), f(t, q, qd), a table (times, rows), a controller
    (supple.pd, ...), or a sum of such; one number for each joint, or nv generalised forces.
    motion: a Motion, or the name of one in the model file: its feed-forward torques are added, the
    run starts on it, and the desired path is kept beside the result.
    prescribed: joints that follow a law exactly, {joint: formula in t, table (times, positions),
    Motion, or function of t giving position, rate and acceleration}, or a motion of them all; the
    torques that make them do so are kept as "reaction".
    external: {station: force [fx, fy, fz], wrench [nx, ny, nz, fx, fy, fz], or a function of t
    giving one}, in world axes.
    q0, qd0: all coordinates, those of the joints alone, or some by name. at_rest: start with the
    shapes that gravity and loads give the robot, so that they do not ring.
    breaks: instants at which torques, loads or laws jump; those of tables and formulas are known,
    those of functions are found if they are not shorter than a 20,000th of the run, in feedback
    than a 1000th.
    method: "auto" chooses by stiffness and says what and why. Native: "explicit" (order 8),
    "rosenbrock" (order 5, stiff), "sweep" (order 3, linearly implicit, O(n)), "rk4" (needs a step).
    Of SciPy: "DOP853", "RK45", "Radau", "BDF", "LSODA". Of SUNDIALS (extra `sundials`): "CVODE".
    step: all steps of this length [s], native
    methods only; how far such steps are from the equations is told.
    events: a list of supple.Event, where the run is noted, stops, or is driven otherwise.
    keep: what else to put into the result: "acceleration", "power" (of every generalised force),
    "wrench" (at every joint), "reaction" (what bearings and cuts carry).
    Every run is looked at when it is done: `run.checks`, `run.report()`. One that stops raises a
    SimulationError with the samples up to then, `error.partial`.
    Functions must depend on their arguments alone: a solver asks out of order, and goes back.
    """
    checks.check_robot(robot, "simulation")
    wanted = wanted_motion(robot, motion)
    times = times_of(duration, wanted, robot, samples)
    how = tolerances(method, rtol, atol, step, float(times[-1]))
    kept = asked_for(keep)
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {brief(progress)}; it must be a function of the time t")
    drive = prepared(
        robot, torque, times, how, wanted, prescribed, external, breaks, q0, qd0, at_rest
    )
    return finished(drive, times, how, progress, kept, check_events(events))


def prepared(
    robot: Robot,
    torque: object,
    times: Floats,
    how: Tolerances,
    motion: object = None,
    prescribed: object = None,
    external: object = None,
    breaks: object = None,
    q0: object = None,
    qd0: object = None,
    at_rest: object = False,
) -> SimulatedRobot:
    """All that a run is given, checked and put together."""
    checks.check_robot(robot, "simulation")
    wanted, duration = wanted_motion(robot, motion), float(times[-1])
    feed = None if wanted is None else feedforward(robot, wanted)
    driven = prescribed_motion(robot, prescribed)
    told = check_breaks(breaks)
    check_laws(driven.names, driven.laws, duration, how.atol, told)
    if wanted is not None:
        check_laws(wanted.names, wanted.laws, duration, how.atol, told)
    loads = external_loads(robot, external)
    settle = loads if checks.flag(at_rest, "at_rest") else None
    q, qd = start(robot, q0, qd0, wanted, driven, settle)
    robot = closed_robot(robot, q, qd)  # refuses singular starts
    law = _off_driven(driven, torque_law(robot, torque, q, qd, duration, told))
    _look_along(law, q, qd, duration)
    made = SimulatedRobot(robot, law, driven, loads, told, wanted=wanted, q=q, qd=qd)
    made = _fed_forward(made, feed, duration, alone=torque is None)
    uncovered = [words for table in law.tables for words in table.words(duration)]
    return replace(made, words=(*made.words, *uncovered, *_smoothed(made)))


def _fed_forward(
    drive: SimulatedRobot, feed: Law | None, duration: float, alone: bool
) -> SimulatedRobot:
    """With the feed-forward torques of its motion, if it follows one, and what is to be known of
    them; `alone`: no other torques act."""
    wanted = drive.wanted
    if wanted is None or feed is None:
        return drive
    feed, words = _where_it_acts(feed, wanted, drive.driven, duration, drive.told)
    law = feed if alone else drive.law + feed
    return replace(drive, law=law, words=(*words, *_outlasting(wanted, duration)))


def _outlasting(wanted: Motion, duration: float) -> list[str]:
    """A motion by formulas goes on behind its end, which may not be meant."""
    if duration <= wanted.duration * (1.0 + 1e-9):
        return []
    later = np.linspace(wanted.duration, duration, 101)[1:]
    moved = np.abs([wanted(float(t))[1] for t in later]).max(axis=0) > 0.0
    names = [name for name, goes in zip(wanted.names, moved, strict=True) if goes]
    if not names:
        return []
    return [
        f"the motion ends at {wanted.duration:g} s and the run at {duration:g} s: its laws go on "
        f"and move {', '.join(names)} further. Let the run end with it, or give a motion that "
        f"stays at its end (cycloidal, quintic, trapezoidal)"
    ]


def _smoothed(drive: SimulatedRobot) -> list[str]:
    """Joints whose friction sticks creep where a run has no phases of standing and sliding."""
    if can_stick(drive):
        return []
    return [
        f"the friction of joint {link.joint_name} sticks; in this run it is smoothed over "
        f"{link.drive.smoothing:g} (rad/s or m/s), so the joint creeps where it would stand"
        for link in drive.robot.links
        if link.drive.sticks
    ]


def finished(
    drive: SimulatedRobot,
    times: Floats,
    how: Tolerances,
    progress: Progress | None = None,
    keep: tuple[str, ...] = (),
    events: tuple[Event, ...] = (),
) -> Result:
    """Integrate and look; what was reached is kept if the run stops, or the user stops it."""

    def remade(torque: object, t: float, q: Floats, qd: Floats) -> Law:
        law = torque_law(drive.robot, torque, q, qd, float(times[-1]), drive.told)
        return _off_driven(drive.driven, law)

    guard = Guard(drive)
    course = RunInProgress(drive, times, how, guard, progress, events, remade)
    try:
        integrate(course, drive.start())
        course.settle()
        done = _driven(course)
        run = make_result(done, course.times, course.samples(), drive.wanted, course.drove)
        note_events(run, course.event_search.found)
        run.again = partial(finished, drive, how=how, events=events)
        run.breaks = (*course.drive.breaks(course.duration), *course.leaps)
        return _looked_at(done, run, course, keep)
    except KeyboardInterrupt as error:
        if type(error) is not KeyboardInterrupt:  # a kind of its own, which somebody waits for
            raise
        raise Interrupted(_reached(course, guard)) from None
    except SimulationError as error:
        error.partial = _reached(course, guard, str(error))
        raise


def _driven(course: RunInProgress) -> SimulatedRobot:
    """The experiment with all laws that drove it."""
    drive = course.drive if course.stick_slip is None else course.stick_slip.base
    if len(course.laws) == 1:
        return drive
    return replace(drive, law=in_turn(course.laws))


def _looked_at(
    drive: SimulatedRobot, run: Result, course: RunInProgress, keep: tuple[str, ...]
) -> Result:
    """The run with what was asked for, and with what is to be known of it."""
    keeper, how = course.keeper, course.how
    _stay_definite(drive, run.time, course.samples())
    made = checks_of_steps(course)
    words = [*drive.words, *course.event_search.words()]
    if keeper is not None:
        words += keeper.words()
        run.held.attrs["closure_drift"] = keeper.drift
        run.held.attrs["motors_singular"] = np.array(keeper.singular)
        run.held.attrs["loops_singular"] = np.array(keeper.crossed)
    qdd = accelerations(drive, run)
    try:
        made += check_run(drive, run, how, qdd)
    except SimulationError as error:
        jam = "" if keeper is None else keeper.jam()
        more = f". {jam[0].upper()}{jam[1:]}" if jam else ""
        raise SimulationError(f"{error}{more}") from None
    put_kept(drive, run, keep, qdd)
    run.held.attrs |= making(course) | {"checks": written(made)}
    return tell(run, [*words, *failures(made)])


def _reached(course: RunInProgress, guard: Guard, why: str = "") -> Result | None:
    """The samples up to where a run stopped, as far as they mean something; None if there are
    none beside the start."""
    course.salvage()
    rows, drive = course.samples(), _driven(course)
    sound = next((k for k, y in enumerate(rows) if not guard.believes(y)), len(rows))
    if sound < 2:
        return None
    try:
        run = make_result(drive, course.times[:sound], rows[:sound], drive.wanted)
    except SuppleError:  # laws may have no value there: then they cannot be shown
        return None
    note_events(run, course.event_search.found)
    run.held.attrs |= making(course) | {"interrupted": 1, "stopped": why}
    return run


def tell(run: Result, words: list[str]) -> Result:
    """The run with these warnings, which the user is given too."""
    for sentence in words:
        caution(sentence)
    run.held.attrs["warnings"] = json.dumps(words)
    return run


def _off_driven(driven: Prescribed, law: Law) -> Law:
    """A torque on a prescribed joint would do nothing: it is refused whenever it appears."""
    if not driven.names:
        return law

    def checked(t: float, q: Floats, qd: Floats, *own: Floats) -> Floats:
        tau = law(t, q, qd, *own)
        for name, v in zip(driven.names, driven.rates, strict=True):
            if tau[v] != 0.0:
                raise InputError(
                    f"joint {name} is prescribed, and has a torque ({tau[v]:.6g} at t = {t:.6g} s) "
                    f"that could not act: its law says how it moves. Give it no torque, or "
                    f"prescribe another joint"
                )
        return tau

    return replace(law, force=checked)


def _look_along(law: Law, q: Floats, qd: Floats, duration: float) -> None:
    """Ask a law of time along the run, so that what is refused is refused before it."""
    for t in (0.0, *law.breaks, *np.linspace(0.0, duration, 501)) if not law.feedback else (0.0,):
        try:
            law(float(t), q, qd, law.states.start)
        except LawError as error:
            if error.final:
                raise


def _where_it_acts(
    feed: Law, wanted: Motion, driven: Prescribed, duration: float, told: tuple[float, ...]
) -> tuple[Law, list[str]]:
    """Feed-forward torques of a motion with their breaks, and a word where they do not act."""
    breaks = list(feed.breaks)
    for name, law in zip(wanted.names, wanted.laws, strict=True):
        breaks += law_breaks(law, duration, f"the law of {name}", told)
    none = np.zeros(0)  # it does not look at the state
    looks = np.array([feed(t, none, none) for t in np.linspace(0.0, duration, 101)])
    lost = [n for n, v in zip(driven.names, driven.rates, strict=True) if looks[:, v].any()]
    words = [
        f"the motion's feed-forward torque of {name} does not act: the joint is prescribed"
        for name in lost
    ]
    return replace(feed, breaks=tuple(breaks)), words


def wanted_motion(robot: Robot, motion: object) -> Motion | None:
    """The motion to follow, by its name in the model file or as it is."""
    if isinstance(motion, str):
        return named_motion(robot, motion)
    if motion is not None and not isinstance(motion, Motion):
        raise InputError(
            f"motion is {brief(motion)}; it must be the name of a motion in the model file, or a "
            f"Motion"
        )
    return motion


def times_of(duration: float | None, motion: object, robot: Robot, samples: int) -> Floats:
    """The instants to keep."""
    wanted = wanted_motion(robot, motion)
    if duration is None:
        duration = None if wanted is None else wanted.duration
    if duration is None:
        raise InputError("simulate needs a duration in seconds, e.g. duration=10.0")
    seconds = checks.number(duration, "duration", "a positive number of seconds")
    if not 0.0 < seconds <= LONGEST:
        raise InputError(
            f"duration is {seconds}; it must be a positive number of seconds, at most {LONGEST:g}"
        )
    count = checks.number(samples, "samples", "a whole number, at least 2")
    if not (count.is_integer() and 2 <= count <= 10_000_000):
        raise InputError(f"samples is {samples}; it must be a whole number, 2 to 10 000 000")
    return np.linspace(0.0, seconds, int(count))


def tolerances(
    method: str, rtol: float, atol: float, step: float | None, duration: float
) -> Tolerances:
    """How exactly to integrate, checked."""
    if not isinstance(method, str) or method not in METHODS:
        raise unknown_name("method", method, METHODS)
    relative = checks.number(rtol, "rtol", "a number between 1e-14 and 1")
    if not 1e-14 <= relative < 1.0:
        raise InputError(f"rtol is {rtol}; it must lie between 1e-14 and 1")
    absolute = checks.number(atol, "atol", "a positive number")
    if not (np.isfinite(absolute) and absolute > 0.0):
        raise InputError(f"atol is {atol}; it must be positive")
    return Tolerances(method, relative, absolute, _step(method, step, duration))


def _step(method: str, step: float | None, duration: float) -> float | None:
    """The length of all steps, where they are to be of one length."""
    if step is None:
        if method == "rk4":
            raise InputError("rk4 goes by steps of one length; give it, e.g. step=1e-3")
        return None
    if method not in NATIVE:
        raise InputError(
            f"method {method!r} chooses its own steps; steps of one length go with "
            f"{', '.join(NATIVE)}"
        )
    length = checks.number(step, "step", "a positive number of seconds")
    if not 1e-9 * duration <= length <= duration:
        raise InputError(
            f"step is {length}; it must lie between {1e-9 * duration:.3g} s and the duration, "
            f"{duration:.6g} s"
        )
    return length


def _stay_definite(drive: SimulatedRobot, times: Floats, states: Floats) -> None:
    """A linearised mass matrix may have been none of inertia on the way."""
    robot, held = drive.robot, drive.driven.held
    if not robot.kinematics.small:
        return
    kernel = traced(
        lambda q: recursion.pivots(robot, q, held), (robot.nq,), ("pivots", robot, sorted(held))
    )
    for t, y in zip(times, states, strict=True):
        q = np.ascontiguousarray(y[: robot.nq])
        if not np.all(kernel(q) > 0.0):
            words = checks.indefinite_words(robot, q, held)
            raise SimulationError(
                f"the run of {robot.name} is of no use from t = {t:.6g} s: {words}"
            )
