"""Simulation: integrate the forward dynamics, sample it, say what happened.

State: configuration, velocity, and the work done by torques and lost to damping, so that the
energy balance of a run can be checked to the integrator's accuracy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, recursion
from ..engine import Kernel, traced
from ..errors import InputError, SimulationError, SuppleError, brief, unknown_name
from ..robot import Robot
from ..types import Array, Floats
from .inputs import Torque, feedforward, torque_law
from .motion import Motion, named_motion
from .prescribed import Prescribed, check_laws, prescribed_motion
from .result import Result, make_result

METHODS = ("auto", "DOP853", "RK45", "Radau", "BDF", "LSODA")
Progress = Callable[[float], None]
STALL = 10_000  # steps in which a run must get on by 1e-5 of its length


class Interrupted(KeyboardInterrupt):
    """A run stopped by the user; `partial` holds what was reached, if anything."""

    def __init__(self, partial: Result | None) -> None:
        super().__init__("the run was interrupted")
        self.partial = partial


@dataclass(frozen=True)
class Tolerances:
    """How exactly to integrate."""

    method: str = "auto"
    rtol: float = 1e-8
    atol: float = 1e-10


def simulate(
    robot: Robot,
    torque: Any = None,
    duration: float | None = None,
    *,
    motion: str | Motion | None = None,
    prescribed: Any = None,
    q0: ArrayLike | None = None,
    qd0: ArrayLike | None = None,
    samples: int = 501,
    method: str = "auto",
    rtol: float = 1e-8,
    atol: float = 1e-10,
    progress: Progress | None = None,
) -> Result:
    """Run the robot for `duration` seconds from (q0, qd0), by default neutral and at rest.

    torque: None (free), numbers, f(t), f(t, q, qd), or a table (times, rows); one number for
    each joint, or nv generalised forces. motion: a Motion, or the name of one in the model
    file: its feed-forward torques are added, and the desired path is kept beside the result.
    prescribed: joints that follow a law exactly, {joint: formula in t, table (times, positions)
    or function of t giving position, rate and acceleration}, or a motion; the torques that make
    them do so are kept as "reaction".
    """
    checks.check_robot(robot)
    wanted = _wanted(robot, motion)
    length = duration if duration is not None else (wanted.duration if wanted else None)
    times = _times(length, samples)
    how = _tolerances(method, rtol, atol)
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {brief(progress)}; it must be a function of the time t")
    driven = prescribed_motion(robot, prescribed)
    check_laws(driven, float(times[-1]))
    q = robot.neutral() if q0 is None else checks.configuration(robot, q0)
    if q0 is None and wanted is not None:
        q = _start(robot, wanted, q)
    qd = np.zeros(robot.nv) if qd0 is None else checks.velocity(robot, qd0, "qd0")
    driven.put(0.0, q, qd, np.zeros(robot.nv))
    q = checks.definite(robot, robot.normalized(checks.movable(robot, q)), driven.held)
    law = _drive(robot, torque_law(robot, torque, q, qd), torque is None, wanted)
    drive = Drive(robot, law, driven)
    t, y = _integrate(
        drive,
        np.concatenate([q, qd, [0.0, 0.0]]),
        times,
        how,
        progress,
        lambda times, states: make_result(robot, law, times, states, wanted, driven),
    )
    _stay_definite(drive, t, y)
    return make_result(robot, law, t, y, wanted, driven)


def _wanted(robot: Robot, motion: str | Motion | None) -> Motion | None:
    """The motion to follow, by its name in the model file or as it is."""
    if isinstance(motion, str):
        return named_motion(robot, motion)
    if motion is not None and not isinstance(motion, Motion):
        raise InputError(
            f"motion is {brief(motion)}; it must be the name of a motion in the model file, or a "
            f"Motion"
        )
    return motion


def _times(duration: float | None, samples: int) -> Floats:
    """The instants to keep."""
    if duration is None:
        raise InputError("simulate needs a duration in seconds, e.g. duration=10.0")
    seconds = checks.number(duration, "duration", "a positive number of seconds")
    if not (np.isfinite(seconds) and seconds > 0.0):
        raise InputError(f"duration is {seconds}; it must be a positive number of seconds")
    count = checks.number(samples, "samples", "a whole number, at least 2")
    if not (count.is_integer() and 2 <= count <= 10_000_000):
        raise InputError(f"samples is {samples}; it must be a whole number, 2 to 10 000 000")
    return np.linspace(0.0, seconds, int(count))


def _tolerances(method: str, rtol: float, atol: float) -> Tolerances:
    """How exactly to integrate, checked."""
    if not isinstance(method, str) or method not in METHODS:
        raise unknown_name("method", method, METHODS)
    relative = checks.number(rtol, "rtol", "a number between 1e-14 and 1")
    if not 1e-14 <= relative < 1.0:
        raise InputError(f"rtol is {rtol}; it must lie between 1e-14 and 1")
    absolute = checks.number(atol, "atol", "a positive number")
    if not (np.isfinite(absolute) and absolute > 0.0):
        raise InputError(f"atol is {atol}; it must be positive")
    return Tolerances(method, relative, absolute)


def _drive(robot: Robot, given: Torque, free: bool, wanted: Motion | None) -> Torque:
    if wanted is None:
        return given
    feed = feedforward(robot, wanted)
    if free:
        return feed
    return lambda t, q, qd: given(t, q, qd) + feed(t, q, qd)


def _start(robot: Robot, wanted: Motion, q: Floats) -> Floats:
    """Start where the desired motion starts."""
    start = dict(zip(wanted.names, wanted(0.0)[0], strict=True))
    for link in robot.links:
        if link.joint_name in start:
            q[link.q] = start[link.joint_name]
    return q


def state_kernel(robot: Robot, held: frozenset[int] = frozenset()) -> Kernel:
    """Native (state, tau, accelerations of held joints) -> d(state)/dt, traced from the
    recursion."""
    nq, nv = robot.nq, robot.nv

    def rate(y: Array, tau: Array, known: Array) -> Array:
        q, qd = y[:nq], y[nq : nq + nv]
        if held:
            qdd, tau = recursion.hybrid_dynamics(robot, q, qd, tau, known, held)
        else:
            qdd = recursion.forward_dynamics(robot, q, qd, tau)
        lost = recursion.passive_force(robot, q, qd) - recursion.elastic_force(robot, q)
        qdot = recursion.configuration_rate(robot, q, qd)
        return np.concatenate([qdot, qdd, [tau @ qd, lost @ qd]])

    return traced(rate, (nq + nv + 2, nv, nv), ("state", robot, sorted(held)))


@dataclass(frozen=True)
class Drive:
    """A robot with its torques and its prescribed joints."""

    robot: Robot
    law: Torque
    driven: Prescribed

    def rate(self) -> Callable[[float, Floats], Floats]:
        """d(state)/dt as a function of time and state."""
        kernel, nq, nv = state_kernel(self.robot, self.driven.held), self.robot.nq, self.robot.nv
        known = np.zeros(nv)

        def rate(t: float, y: Floats) -> Floats:
            y = np.array(y)
            q, qd = y[:nq], y[nq : nq + nv]
            self.driven.put(t, q, qd, known)
            return kernel(y, np.ascontiguousarray(self.law(t, q, qd)), known)

        return rate


def _integrate(
    drive: Drive,
    y0: Floats,
    times: Floats,
    how: Tolerances,
    progress: Progress | None,
    partial: Callable[[Floats, Floats], Result],
) -> tuple[Floats, Floats]:
    """Step SciPy's solver and sample its dense output."""
    from scipy import integrate

    robot, rate, nq = drive.robot, drive.rate(), drive.robot.nq
    checks.finite(robot, rate(0.0, y0), "acceleration")  # a solver would search for ever
    method = choose_method(robot, y0[:nq], float(times[-1])) if how.method == "auto" else how.method
    solver = getattr(integrate, method)(
        rate, 0.0, y0, float(times[-1]), rtol=max(how.rtol, 2.3e-14), atol=how.atol
    )
    out, done = [y0], 1
    steps, mark = 0, 0.0
    try:
        while solver.status == "running":
            message = _step(solver)
            if solver.status == "failed" or not np.all(np.isfinite(solver.y)):
                raise _failure(drive, solver, message)
            if done < len(times) and solver.t >= times[done]:
                dense = solver.dense_output()
                until = int(np.searchsorted(times, solver.t, side="right"))
                out += list(dense(times[done:until]).T)
                done = until
            if progress is not None:
                progress(float(solver.t))
            steps += 1
            if steps % STALL == 0:
                if solver.t - mark < 1e-5 * times[-1]:
                    raise _failure(drive, solver, "it makes no headway")
                mark = solver.t
    except KeyboardInterrupt:
        reached = partial(times[:done], np.array(out[:done])) if done > 1 else None
        if reached is not None:
            reached.data.attrs["interrupted"] = 1
        raise Interrupted(reached) from None
    return times, np.array(out)


def _stay_definite(drive: Drive, times: Floats, states: Floats) -> None:
    """A linearised mass matrix may have been none of inertia on the way."""
    robot, held = drive.robot, drive.driven.held
    if robot.elastic_kinematics != "linearized":
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


def _step(solver: Any) -> str | None:
    """One step; what the solver's own algebra cannot do is a failed step."""
    try:
        return solver.step()  # type: ignore[no-any-return]
    except SuppleError:
        raise
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        solver.status = "failed"
        return "the state is no longer finite"


def _failure(drive: Drive, solver: Any, message: str | None) -> SimulationError:
    robot, held, y = drive.robot, drive.driven.held, solver.y
    names = [*robot.coordinate_names, *(f"d/dt {n}" for n in robot.velocity_names)]
    finite = np.nan_to_num(np.abs(y[: len(names)]), nan=np.inf)
    worst = names[int(np.argmax(finite))]
    reason = (message or "the state is no longer finite").rstrip(".").lower()
    lock = checks.locked_joint(robot, y[: robot.nq], near=0.01)
    if lock is not None:
        return SimulationError(
            f"the run of {robot.name} stopped at t = {solver.t:.6g} s: {checks.lock_words(lock)}"
        )
    words = checks.indefinite_words(robot, y[: robot.nq], held, share=0.05)
    if words:
        return SimulationError(f"the run of {robot.name} stopped at t = {solver.t:.6g} s: {words}")
    return SimulationError(
        f"the run of {robot.name} stopped at t = {solver.t:.6g} s: {reason}. The largest state is "
        f"{worst}. Look at the torques, at the damping, or try method='Radau'."
    )


def choose_method(robot: Robot, q: Floats, duration: float) -> str:
    """An explicit method while the fastest mode turns a bearable number of times; it keeps
    lightly damped vibration. Beyond that an implicit one."""
    if not robot.modes and not any(link.drive.stiffness for link in robot.links):
        return "DOP853"
    M = recursion.mass_matrix(robot, q)
    K = np.zeros_like(M)
    damping = np.zeros_like(M)
    for link in robot.links:
        K[link.e, link.e] = link.body.K
        damping[link.e, link.e] = link.body.D
        for i in range(link.u.start, link.u.stop):
            K[i, i] = link.drive.stiffness
            damping[i, i] = link.drive.damping + link.drive.viscous
    inverse = np.linalg.inv(M)
    fastest = np.sqrt(float(np.abs(np.linalg.eigvals(inverse @ K)).max()))
    decay = float(np.abs(np.linalg.eigvals(inverse @ damping)).max())
    return "DOP853" if max(fastest, decay) * duration < 3e5 else "Radau"
