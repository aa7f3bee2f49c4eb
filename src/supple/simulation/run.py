"""Simulation: set the robot off, integrate, look whether the run can be believed.

simulate: start -> Experiment (torques, loads, laws) -> Course (integrate.py) -> Result
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, recursion
from ..engine import traced
from ..errors import InputError, SimulationError, brief, caution, unknown_name
from ..loops.sound import closed_robot
from ..robot import Robot
from ..types import Floats
from .experiment import Experiment
from .inputs import check_breaks, feedforward, torque_law
from .integrate import ALLOWED, Course, Progress
from .integrators import METHODS as NATIVE
from .joint_laws import check_laws, law_breaks
from .law import Law, LawError
from .loads import external_loads
from .motion import Motion, named_motion
from .observe import make_result
from .prescribed import Prescribed, prescribed_motion
from .result import Result
from .solver import Tolerances
from .start import at_rest as settled, start
from .watch import Guard, findings

LONGEST = 1e9  # s, thirty years
TOGETHER = 100.0  # gaps of all steps together, in units of the tolerance
SCIPY = ("DOP853", "RK45", "Radau", "BDF", "LSODA")
METHODS = ("auto", *NATIVE, *SCIPY)


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
    progress: Progress | None = None,
) -> Result:
    """Run the robot for `duration` seconds from (q0, qd0), by default neutral and at rest.

    torque: None (free), numbers, f(t), f(t, q, qd), or a table (times, rows); one number for
    each joint, or nv generalised forces. motion: a Motion, or the name of one in the model
    file: its feed-forward torques are added, the run starts on it, and the desired path is kept
    beside the result.
    prescribed: joints that follow a law exactly, {joint: formula in t, table (times, positions)
    or function of t giving position, rate and acceleration}, or a motion; the torques that make
    them do so are kept as "reaction".
    external: {station: force [fx, fy, fz], wrench [nx, ny, nz, fx, fy, fz], or a function of t
    giving one}, in world axes.
    q0, qd0: all coordinates, those of the joints alone, or some by name. at_rest: start with the
    shapes that gravity and loads give the robot, so that they do not ring.
    breaks: instants at which torques, loads or laws jump; those of tables and formulas are known,
    those of functions are found if they are not shorter than a 20,000th of the run, in feedback
    than a 1000th.
    method: "auto" chooses by stiffness and says what and why. Native: "explicit" (order 8),
    "rosenbrock" (order 5, stiff), "sweep" (order 3, linearly implicit, O(n)), "rk4" (needs a step).
    Of SciPy: "DOP853", "RK45", "Radau", "BDF", "LSODA". step: all steps of this length [s], native
    methods only; how far such steps are from the equations is told.
    Functions must depend on their arguments alone: a solver asks out of order, and goes back.
    """
    wanted = _wanted(robot, motion)
    times = times_of(duration, wanted, robot, samples)
    how = tolerances(method, rtol, atol, step, float(times[-1]))
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {brief(progress)}; it must be a function of the time t")
    drive = prepared(
        robot, torque, times, how, wanted, prescribed, external, breaks, q0, qd0, at_rest
    )
    return _run(drive, times, how, progress)


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
) -> Experiment:
    """All that a run is given, checked and put together."""
    checks.check_robot(robot, "simulation")
    wanted, duration = _wanted(robot, motion), float(times[-1])
    feed = None if wanted is None else feedforward(robot, wanted)
    driven = prescribed_motion(robot, prescribed)
    told = check_breaks(breaks)
    check_laws(driven.names, driven.laws, duration, how.atol, told)
    if wanted is not None:
        check_laws(wanted.names, wanted.laws, duration, how.atol, told)
    loads = external_loads(robot, external)
    q, qd = start(robot, q0, qd0, wanted, driven)
    q = checks.definite(robot, robot.normalized(checks.movable(robot, q)), driven.held)
    if checks.flag(at_rest, "at_rest"):
        q = settled(robot, q, loads)
    robot = closed_robot(robot, q, qd)  # refuses singular starts
    law = _off_driven(driven, torque_law(robot, torque, q, qd, duration, told))
    _look_along(law, q, qd, duration)
    words: list[str] = []
    if wanted is not None and feed is not None:
        feed, words = _where_it_acts(feed, wanted, driven, duration, told)
        law = feed if torque is None else law + feed
    return Experiment(
        robot, law, driven, loads, told, wanted=wanted, q=q, qd=qd, words=tuple(words)
    )


def _run(drive: Experiment, times: Floats, how: Tolerances, progress: Progress | None) -> Result:
    """Integrate and look; what was reached is kept if the user interrupts."""
    course, wanted = Course(drive, times, how, Guard(drive), progress), drive.wanted
    try:
        course.run(np.concatenate([drive.q, drive.qd, [0.0, 0.0]]))
    except KeyboardInterrupt:
        reached = None
        if len(course.states) > 1:
            done = len(course.states)
            reached = make_result(drive, times[:done], np.array(course.states), wanted)
            reached.data.attrs["interrupted"] = 1
        raise Interrupted(reached) from None
    course.settle()
    states = np.array(course.states)
    _stay_definite(drive, times, states)
    run = make_result(drive, times, states, wanted)
    words = [*drive.words, *(_too_long(course) or _adding_up(course))]
    if course.keeper is not None:
        words = words + course.keeper.words()
        run.data.attrs["closure_drift"] = course.keeper.drift
        run.data.attrs["motors_singular"] = np.array(course.keeper.singular)
        run.data.attrs["loops_singular"] = np.array(course.keeper.crossed)
    return _told(run, course, words + findings(drive, run, how.atol))


def _too_long(course: Course) -> list[str]:
    """Steps of one length that do not satisfy the equations."""
    if course.how.step is None or course.largest_gap <= ALLOWED:
        return []
    return [
        f"steps of {course.how.step:.3g} s by {course.method} leave the equations of motion open "
        f"by {course.largest_gap:.3g} tolerances (rtol {course.how.rtol:g}). Take shorter steps, "
        f"or leave their length to the method"
    ]


def _adding_up(course: Course) -> list[str]:
    """Gaps of the steps that are all on one side: each within the tolerance, together not."""
    robot = course.drive.robot
    names = (*robot.coordinate_names, *(f"d/dt {n}" for n in robot.velocity_names))
    gaps = np.abs(course.all_gaps[: len(names)])
    rounding = max(1.0, 1e-11 / course.how.rtol)  # no digits are left to add up
    if gaps.max(initial=0.0) <= TOGETHER * rounding:
        return []
    worst = int(np.argmax(gaps))
    return [
        f"errors of the steps add up: {names[worst]} is off by about {gaps[worst]:.3g} tolerances. "
        f"Torques, loads or laws are rougher than the steps can follow (switching, quantised, "
        f"noisy): name their jumps (breaks), make them smooth, or use a smaller rtol"
    ]


def _told(run: Result, course: Course, words: list[str]) -> Result:
    """The run with what is to be known of it, which is said as well."""
    for sentence in words:
        caution(sentence)
    how = [f"{which} from {t:.4g} s ({why})" for t, which, why in course.methods]
    run.data.attrs |= {
        "warnings": json.dumps(words),
        "method": "; ".join(how),
        "steps": course.steps,
        "steps_redone": course.redone,
        "defect": course.largest_gap,
    }
    return run


def _off_driven(driven: Prescribed, law: Law) -> Law:
    """A torque on a prescribed joint would do nothing: it is refused whenever it appears."""
    if not driven.names:
        return law

    def checked(t: float, q: Floats, qd: Floats) -> Floats:
        tau = law(t, q, qd)
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
            law(float(t), q, qd)
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


def _wanted(robot: Robot, motion: object) -> Motion | None:
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
    wanted = _wanted(robot, motion)
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


def _stay_definite(drive: Experiment, times: Floats, states: Floats) -> None:
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
