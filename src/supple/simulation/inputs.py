"""What drives a robot: nothing, functions, tables, or feed-forward torques of a motion."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from pathlib import Path

import numpy as np

from .. import checks, recursion
from ..checks import all_finite, check_robot, force, input_columns, numbers, real_numbers
from ..csv_columns import read_columns
from ..errors import FileError, InputError, brief, let_signals_through, unknown_name
from ..recursion.gears import rigid_gears
from ..robot import Robot, remembered, without_shapes
from ..tracer.machine import quickly
from ..types import Array, Floats, Scalar
from .bent_feedforward import bent_feedforward
from .breaks import TooRoughError, find_breaks
from .closed_motion import closed_feedforward
from .law import HeldTable, Law, LawError, TorqueSource, TraceableLaw, constant, follows
from .motion import Motion, check_times, columns_motion, motion_names

MEMORY = (
    "gives two answers at the same t, q and qd: it draws at random, or keeps a memory of its own "
    "(an integrator, a counter, the time of the last call). A solver asks out of order, and goes "
    "back; so a law must depend on its arguments alone. Give noise as a table (times, rows)"
)
DYNAMICS_MODELS = ("rigid", "flexible")
LOOKS = 200  # instants at which what was traced is compared
STATE_NAMES = ("q", "qd", "dq", "qdot", "q_dot", "x", "v", "pos", "vel", "position", "velocity")


def torque_law(
    robot: Robot, given: object, q: Floats, qd: Floats, duration: float, told: Sequence[float] = ()
) -> Law:
    """Whatever the user gave as torque, as a law; functions are tried at the start (q, qd).
    told: breaks that the user names; of functions of time alone others are looked for."""
    if given is None:
        return constant(np.zeros(robot.nv))
    if isinstance(given, Law):
        return given
    if isinstance(given, TorqueSource):
        made = partial(torque_law, q=q, qd=qd, duration=duration, told=told)
        law = given.law(robot, partial(made, robot), duration)
        anew = lambda one, other: made(other, given.of(one, other))  # noqa: E731
        return law if law.anew is None else replace(law, anew=anew)
    if isinstance(given, tuple) and len(given) == 2 and not _two_numbers(given):
        return table(robot, *given)
    if callable(given):
        law = _function(robot, given, q, qd)
        called = "torque(t, q, qd)" if law.feedback else "torque(t)"
        check_memory(called, lambda t, more: law(t, q + more, qd + more), duration)
        found = _breaks(_AtStart(law, q, qd, duration), duration, called, told, law.feedback)
        return replace(law, breaks=found)
    return constant(force(robot, given))


def check_breaks(given: object) -> tuple[float, ...]:
    """Instants at which a law jumps, as the user tells them."""
    if given is None:
        return ()
    times = real_numbers(given)
    if times.ndim != 1 or not np.all(np.isfinite(times)):
        raise InputError(f"breaks is {brief(given)}; it must be a list of times in seconds")
    return tuple(float(t) for t in times)


def _two_numbers(pair: tuple[object, object]) -> bool:
    """Two torques rather than a table (times, rows)."""
    first, second = (not isinstance(x, list | tuple | str) and checks.shape(x) == () for x in pair)
    if first != second:
        raise InputError(
            f"torque is {brief(pair)}; a pair is either two numbers, or a table (times, rows)"
        )
    return first


def _function(robot: Robot, function: Callable[..., object], q: Floats, qd: Floats) -> Law:
    of_state = takes_state(function) and not _of_time_alone(function, q, qd)
    called = f"torque(t{', q, qd' if of_state else ''})"
    try:
        first = numbers(function(0.0, q.copy(), qd.copy()) if of_state else function(0.0))
    except Exception as error:
        let_signals_through(error)
        raise InputError(f"{called} failed at t = 0: {type(error).__name__}: {error}") from error
    force(robot, first)  # says what is wrong with its size
    spread = None if first.shape == (robot.nv,) else _spread(robot, first.size)
    law = _UsersFunction(function, called, of_state, first.shape, spread)

    def of(t: Scalar, q: Array, qd: Array, numbers: Array) -> Array:
        value = np.array(
            function(t, q.copy(), qd.copy()) if of_state else function(t), dtype=object
        )
        return value if spread is None else spread @ value

    return Law(law, feedback=of_state, written=TraceableLaw(of), called=called)


@dataclass(frozen=True)
class _UsersFunction:
    """Torques as a user's function gives them, checked, and spread over the coordinates."""

    function: Callable[..., object]
    called: str
    of_state: bool
    shape: tuple[int, ...]
    spread: Floats | None

    def __call__(self, t: float, q: Floats, qd: Floats) -> Floats:
        value = asked(self.called, t, self._given, q, qd)
        if value.shape != self.shape or not all_finite(value):
            raise LawError(
                f"{self.called} gave {value} at t = {t:.6g} s; it must give {prod(self.shape)} "
                f"finite numbers",
                final=value.shape != self.shape,
            )
        return value if self.spread is None else np.asarray(self.spread @ value)

    def many(self, times: Floats, q: Floats, qd: Floats) -> Floats | None:
        """The same at many instants, checked together, NaN where it has no value; None where
        it fails at one of them, or gives anything but so many numbers."""
        rows = asked_together(self._given, times, q, qd)
        if rows is None or rows.ndim != 2 or rows.shape[1:] != self.shape:
            return None
        rows = np.where(np.isfinite(rows).all(axis=1, keepdims=True), rows, np.nan)
        return rows if self.spread is None else np.asarray(rows @ self.spread.T)

    def _given(self, t: float, q: Floats, qd: Floats) -> object:
        return self.function(t, q.copy(), qd.copy()) if self.of_state else self.function(t)


def _spread(robot: Robot, count: int) -> Floats:
    """Generalised forces of so many torques: of all joints, or of the motors."""
    joints, motors = robot.joint_indices, robot.motor_indices
    return input_columns(robot, joints if count == len(joints) else motors)


class _AtStart:
    """A law at the start's state, as a function of time; of many instants at once where it can
    be traced, and what was traced is what it gives, or where it is a function that fails at none
    of them."""

    def __init__(self, law: Law, q: Floats, qd: Floats, duration: float) -> None:
        self._law, self._q, self._qd = law, q, qd
        self.many = self._traced(duration) or self._asked

    def __call__(self, t: float) -> Floats:
        return self._law(t, self._q, self._qd)

    def _asked(self, t: Floats) -> Floats | None:
        together = getattr(self._law.force, "many", None)
        return None if together is None else together(t, self._q, self._qd)

    def _traced(self, duration: float) -> Callable[[Floats], Floats] | None:
        from ..engine import traced

        written = self._law.written
        if written is None or written.count:
            return None
        of, none = written.of, np.zeros(0)

        def law(t: Array, q: Array, qd: Array) -> Array:
            return of(t[0], q, qd, none)

        def many(t: Floats) -> Floats:
            return np.asarray(kernel.batch(t[:, None], self._q, self._qd))

        some = duration * np.modf(np.arange(1.0, LOOKS) * 0.6180339887)[0]
        try:
            with quickly():  # asked a few times
                kernel = traced(law, (1, len(self._q), len(self._qd)))
                found = many(some)
            same = np.allclose(found, [self(t) for t in some], rtol=1e-9, atol=1e-12)
        except Exception as error:  # it decides, looks up, rounds: it is asked one by one
            let_signals_through(error)
            return None
        return many if same else None


def _breaks(
    function: Callable[[float], Floats],
    duration: float,
    called: str,
    told: Sequence[float],
    feedback: bool,
) -> tuple[float, ...]:
    """Of feedback those that the time alone brings about, as far as the start shows them: how
    often it switches later is for the run to see."""
    try:
        return tuple(find_breaks(function, duration, called, told))
    except TooRoughError:
        if feedback and len(told):
            return ()
        raise


def check_memory(called: str, ask: Callable[[float, float], Floats], duration: float) -> None:
    """A function that gives two answers to one question is no law: a solver asks out of order,
    and goes back. So it is asked at the start, elsewhere (later, and at a state that is off by
    `more`), and at the start again."""
    first = ask(0.0, 0.0)
    try:
        ask(0.37 * duration, 1e-3)
    except LawError as error:
        if error.final:
            raise
    if not np.allclose(ask(0.0, 0.0), first, rtol=1e-12, atol=0.0):
        raise InputError(f"{called} {MEMORY}")


def asked(called: str, t: float, ask: Callable[..., object], *state: Floats) -> Floats:
    """What a user's function gives at t. Arithmetic that fails may do so at a state that was only
    tried: then a shorter step may help. Anything else is a slip."""
    try:
        return numbers(ask(t, *state))
    except Exception as error:
        let_signals_through(error)
        reason = f"{type(error).__name__}: {error}"
        raise LawError(
            f"{called} failed at t = {t:.6g} s: {reason}",
            final=not isinstance(error, ArithmeticError | ValueError),
        ) from error


def asked_together(ask: Callable[..., object], times: Floats, *state: Floats) -> Floats | None:
    """What a user's function of time gives at many instants, a row each; None where it fails at
    one of them, or gives anything but numbers, as many each time."""
    try:
        rows = np.array([ask(t, *state) for t in times.tolist()])
    except Exception as error:
        let_signals_through(error)
        return None
    return rows if rows.dtype.kind in "biuf" else None


def takes_state(function: Callable[..., object]) -> bool:
    """f(t, q, qd) rather than f(t): it can take three arguments, and what stands in the second
    and third place looks like a state where it could be left out."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin that does not tell
        return False
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return True
    if len(places) < 3:
        return sum(p.default is p.empty for p in places) > 1
    return all(p.default in (p.empty, None) or p.name in STATE_NAMES for p in places[1:3])


def called_of_time(function: Callable[..., object]) -> bool:
    """f(t) rather than a function of anything else: its one argument is called so."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    needed = [p.name for p in parameters if p.default is p.empty]
    return needed in (["t"], ["time"])


def _of_time_alone(function: Callable[..., object], q: Floats, qd: Floats) -> bool:
    """f(*anything) that does not take three arguments, but one."""
    try:
        inspect.signature(function).bind(0.0, q, qd)
        function(0.0, q.copy(), qd.copy())
    except TypeError:
        try:
            function(0.0)
        except Exception as error:
            let_signals_through(error)
            return False
        return True
    except Exception as error:
        let_signals_through(error)
        return False
    return False


def table(robot: Robot, t: object, values: object) -> Law:
    """Tabulated torques (times, (times, joints or nv)), linear in between, held outside: a run that
    it does not cover says so."""
    times = check_times(t, "torque table")
    rows = real_numbers(values, "torque table: its rows must be numbers, all of one length")
    if rows.ndim != 2 or len(rows) != len(times):
        raise InputError(
            f"torque table: {len(times)} times but values of shape {rows.shape}; each time has a "
            f"row of torques"
        )
    spread = np.array([force(robot, row) for row in rows])

    def law(at: float, q: Floats, qd: Floats) -> Floats:
        i = int(np.clip(np.searchsorted(times, at) - 1, 0, len(times) - 2))
        s = min(max((at - times[i]) / (times[i + 1] - times[i]), 0.0), 1.0)
        return np.asarray(spread[i] + s * (spread[i + 1] - spread[i]))

    def piece(a: float, b: float) -> Floats:
        """Where the piece begins, its first row, and its slope."""
        middle = 0.5 * (a + b)
        if not times[0] < middle < times[-1]:
            held = spread[0] if middle < times[0] else spread[-1]
            return np.concatenate([[0.0], held, np.zeros(len(held))])
        i = int(np.searchsorted(times, middle)) - 1
        slope = (spread[i + 1] - spread[i]) / (times[i + 1] - times[i])
        return np.concatenate([[times[i]], spread[i], slope])

    def of(at: Scalar, q: Array, qd: Array, n: Array) -> Array:
        return np.asarray(n[1 : 1 + robot.nv] + (at - n[0]) * n[1 + robot.nv :])

    written = TraceableLaw(of, 1 + 2 * robot.nv, piece)
    before, after = bool(spread[0].any()), bool(spread[-1].any())
    held = HeldTable(float(times[0]), float(times[-1]), before, after)
    return Law(law, tuple(float(x) for x in times), written=written, tables=(held,))


@follows
def feedforward(robot: Robot, motion: Motion, model: str = "rigid") -> Law:
    """Torques that would drive the robot along the motion, from its inverse dynamics.

    model "rigid": of the robot without its shapes; this is how [MohanSaha] force their flexible arm
    (section 7.1). "flexible": of the robot bent as the motion and gravity bend it, its shapes
    quasi-static (`bent_feedforward`).
    """
    check_robot(robot, "feedforward")
    _check_followed(robot, motion, model)
    rigid = _rigid(robot)
    if robot.loops:
        return closed_feedforward(rigid, motion, motor_columns(robot, rigid))
    if rigid.nv != len(motion.names):
        raise InputError(
            f"a motion drives robots whose joints are all revolute or prismatic; {robot.name} has "
            f"others"
        )
    if model == "flexible" and robot.modes:
        return bent_feedforward(robot, motion)
    return _rigid_feedforward(robot, rigid, motion)


def check_dynamics_model(model: object) -> None:
    """Torques are those of the robot without its shapes, or with them."""
    if not isinstance(model, str) or model not in DYNAMICS_MODELS:
        raise unknown_name("model", model, DYNAMICS_MODELS)


def _check_followed(robot: Robot, motion: Motion, model: str) -> None:
    """A motion of the robot's joints, by a model that it has."""
    if not isinstance(motion, Motion):
        raise InputError(f"motion is {brief(motion)}; it must be a Motion")
    if motion.names != motion_names(robot):
        raise InputError(
            f"the motion is one of the joints {', '.join(motion.names)}; {robot.name} has "
            f"{', '.join(motion_names(robot)) or 'none of one coordinate'}"
        )
    check_dynamics_model(model)
    if (robot.loops or robot.gears) and model == "flexible" and robot.modes:
        what = "loops" if robot.loops else "elastic gears"
        raise InputError(
            f"{robot.name} has {what}; its feed-forward torques are of the rigid model"
        )


def _rigid_feedforward(robot: Robot, rigid: Robot, motion: Motion) -> Law:
    """tau = B f(q, qd, qdd) along the motion, f the inverse dynamics of the rigid robot."""
    from ..engine import compile

    inverse = compile(rigid, "inverse_dynamics")
    B = motor_columns(robot, rigid)

    def law(t: float, q: Floats, qd: Floats) -> Floats:
        return np.asarray(B @ inverse(*(np.ascontiguousarray(x) for x in motion(t))))

    way, n = motion.written, rigid.nv

    def of(t: Scalar, q: Array, qd: Array, numbers: Array) -> Array:
        assert way is not None
        moved = way.of(t, q, qd, numbers)
        rates = moved[n : 2 * n]
        return np.asarray(B @ recursion.inverse_dynamics(rigid, moved[:n], rates, moved[2 * n :]))

    written = None if way is None else TraceableLaw(of, way.count, way.numbers)
    return Law(law, motion.breaks, written=written, called="feed-forward")


@remembered
def _rigid(robot: Robot) -> Robot:
    """The robot without its shapes and with rigid gears."""
    return without_shapes(rigid_gears(robot))


def motor_columns(robot: Robot, rigid: Robot) -> Floats:
    """Generalised forces (nv, joints) of the torques of a robot's joints with rigid gears: those
    behind elastic gears come from the motors, over the ratio."""
    gears = {robot.links[g.link].joint_name: g for g in robot.gears}
    names = [robot.velocity_names[i] for i in robot.joint_indices]
    share = np.zeros((len(names), len(rigid.joint_indices)))
    for k, i in enumerate(rigid.joint_indices):
        name = rigid.velocity_names[i]
        gear = gears.get(name)
        motor = name if gear is None else robot.links[gear.motor].joint_name
        share[names.index(motor), k] = 1.0 if gear is None else 1.0 / gear.ratio
    return np.asarray(robot.input_matrix @ share)


def torque_file(robot: Robot, path: str | Path) -> tuple[Law, float]:
    """Torques from a CSV file with columns named by joints; missing joints get zero."""
    names = [robot.velocity_names[i] for i in robot.joint_indices]
    t, columns = read_columns(path, names)
    zero = np.zeros(len(t))
    rows = np.column_stack([columns.get(name, zero) for name in names])
    return table(robot, t, rows), float(t[-1])


def motion_file(robot: Robot, path: str | Path) -> Motion:
    """A desired motion from a CSV file with columns named by joints (positions)."""
    t, columns = read_columns(path, motion_names(robot))
    try:
        return columns_motion(robot, t, columns)
    except InputError as error:
        raise FileError(f"{path}: {error}") from None
