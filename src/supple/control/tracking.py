"""Laws that follow a reference: PD, PID, and those that know the robot's equations; torques within
limits.

e = r - place,   u = a sum of gains times e, its rate and its integral
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .. import checks, recursion
from ..engine import Kernel, traced
from ..errors import InputError, brief, unknown_name
from ..frozen import Portable
from ..lazy import cached_property
from ..loops import dynamics
from ..robot import Robot, without_shapes
from ..screws import larger, smaller
from ..simulation.inputs import check_dynamics_model
from ..simulation.law import (
    NO_STATES,
    NONE,
    Law,
    States,
    TorqueSource,
    TraceableLaw,
    follows,
    law_of,
)
from ..types import Array, Floats, Scalar
from .controlled_coordinates import (
    ControlledCoordinates,
    Reference,
    controlled_coordinates,
    gain,
    reference,
)

Core = Callable[[Array, Array, Array, Array], tuple[Array, Array]]
"""(q, qd, reference, own states) -> (forces, rates of the states), for any scalar."""


@follows
def pd(
    robot: Robot,
    kp: object,
    kd: object,
    reference: object = None,
    coordinates: Sequence[str] | None = None,
) -> Law:
    """u = kp e + kd de/dt.

    Gains: one number, one for each coordinate, {coordinate: gain}, or a matrix. reference: numbers,
    {coordinate: number or formula in t}, a Motion, or the name of one; by default where the robot
    stands by itself. coordinates: names of those that are held; by default all that have motors.
    """
    held = controlled_coordinates(robot, coordinates)
    Kp, Kd = gain(kp, held, "kp"), gain(kd, held, "kd")

    def core(q: Array, qd: Array, r: Array, z: Array) -> tuple[Array, Array]:
        e, ed, _ = _errors(held, q, qd, r)
        return held.B @ (Kp @ e + Kd @ ed), z

    return _law(held, reference, core, "pd")


@follows
def pid(
    robot: Robot,
    kp: object,
    ki: object,
    kd: object,
    reference: object = None,
    coordinates: Sequence[str] | None = None,
) -> Law:
    """u = kp e + ki z + kd de/dt with dz/dt = e. z are states of the run: they are integrated with
    the robot's and kept in the result as "NAME.integral". See `pd` for the arguments."""
    held = controlled_coordinates(robot, coordinates)
    Kp, Ki, Kd = gain(kp, held, "kp"), gain(ki, held, "ki"), gain(kd, held, "kd")

    def core(q: Array, qd: Array, r: Array, z: Array) -> tuple[Array, Array]:
        e, ed, _ = _errors(held, q, qd, r)
        return held.B @ (Kp @ e + Ki @ z + Kd @ ed), e

    names = tuple(f"{name}.integral" for name in held.names)
    return _law(held, reference, core, "pid", names)


@follows
def computed_torque(
    robot: Robot,
    kp: object,
    kd: object,
    reference: object = None,
    coordinates: Sequence[str] | None = None,
    *,
    model: str = "rigid",
) -> Law:
    """The torques that give the held coordinates the accelerations d2r/dt2 + kd de/dt + kp e by the
    equations of motion, at the state as it is.

    model "rigid": of the robot without its shapes. "flexible": of the robot as it bends and
    vibrates, from all of its state; then e follows d2e/dt2 + kd de/dt + kp e = 0 exactly.
    """
    held, plant = (
        controlled_coordinates(robot, coordinates),
        _model(robot, model, "computed torque"),
    )
    Kp, Kd = gain(kp, held, "kp"), gain(kd, held, "kd")
    turned = [link.name for link in robot.links if link.body.root_slope is not None]
    if turned and model == "flexible":
        raise InputError(
            f"computed torque of the flexible model: shapes of {turned[0]} turn its root, so "
            f"the joint's coordinate is not what its motor turns. Use a clamped family, or "
            f"model='rigid'"
        )
    drive = _Inverse(held, plant)

    def core(q: Array, qd: Array, r: Array, z: Array) -> tuple[Array, Array]:
        e, ed, a = _errors(held, q, qd, r)
        return held.B @ drive(q, qd, a + Kd @ ed + Kp @ e), z

    return _law(held, reference, core, f"computed torque of the {model} model")


@follows
def gravity_compensation(
    robot: Robot, coordinates: Sequence[str] | None = None, *, model: str = "rigid"
) -> Law:
    """The torques that gravity asks of the held coordinates where the robot is: of the robot
    without its shapes ("rigid"), or as it is bent ("flexible"). Motors of elastic gears carry
    their joints' weight over the ratio, by the places of the joints."""
    held, plant = (
        controlled_coordinates(robot, coordinates),
        _model(robot, model, "gravity compensation"),
    )
    weight = _Gravity(held, plant)

    def core(q: Array, qd: Array, r: Array, z: Array) -> tuple[Array, Array]:
        return held.B @ weight(q), z

    return _law(held, None, core, "gravity compensation")


def _errors(
    held: ControlledCoordinates, q: Array, qd: Array, r: Array
) -> tuple[Array, Array, Array]:
    """Of places and rates, and the acceleration that is wanted."""
    n = len(held)
    return r[:n] - held.C @ q, r[n : 2 * n] - held.B.T @ qd, r[2 * n :]


def _law(
    held: ControlledCoordinates,
    given: object,
    core: Core,
    called: str,
    states: tuple[str, ...] = (),
) -> Law:
    """A law that follows a reference by what `core` makes of state and reference."""
    r: Reference = reference(held, given)
    way, nv = r.written, held.robot.nv

    def force(t: float, q: Floats, qd: Floats, z: Floats = NONE) -> Floats:
        return np.asarray(core(q, qd, r(t), z)[0], dtype=float)

    def rate(t: float, q: Floats, qd: Floats, z: Floats) -> Floats:
        return np.asarray(core(q, qd, r(t), z)[1], dtype=float)

    def of(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
        assert way is not None
        tau, moved = core(q, qd, way.of(t, q, qd, n[: way.count]), n[way.count :])
        return np.concatenate([tau[:nv], moved])

    count = len(states)
    written = None if way is None else TraceableLaw(of, way.count, way.numbers, count)
    own = States(states, np.zeros(count), rate) if states else NO_STATES
    return Law(force, r.breaks, True, written, called, own)


def _model(robot: Robot, model: object, what: str) -> Robot:
    checks.check_robot(robot, what)
    check_dynamics_model(model)
    return without_shapes(robot) if model == "rigid" else robot


class _ModelQuantity:
    """A quantity of a model of the robot: of symbols as it is, of numbers natively."""

    def __init__(self, held: ControlledCoordinates, plant: Robot) -> None:
        robot = held.robot
        self.held, self.plant = held, plant
        whole = plant.nv == robot.nv
        links = robot.links
        self._q = list(range(robot.nq)) if whole else [i for x in links for i in _span(x.q)]
        self._v = list(range(robot.nv)) if whole else robot.joint_indices
        rows = [self._v.index(k) for k in held.places]
        self.rows = rows
        self.links = [i for i, x in enumerate(plant.links) if set(_span(x.u)) & set(rows)]


class _Inverse(_ModelQuantity):
    """Torques of the held coordinates that give them these accelerations."""

    def __call__(self, q: Array, qd: Array, a: Array) -> Array:
        q, qd = q[self._q], qd[self._v]
        if all(np.asarray(x).dtype != object for x in (q, qd, a)):
            return self._native(*(np.ascontiguousarray(x) for x in (q, qd, a)))
        return inverse(self.plant, q, qd, a, self.rows, frozenset(self.links))

    @cached_property
    def _native(self) -> Kernel:
        plant, rows, links = self.plant, list(self.rows), frozenset(self.links)

        def torque(q: Array, qd: Array, a: Array) -> Array:
            return inverse(plant, q, qd, a, rows, links)

        return traced(torque, (plant.nq, plant.nv, len(rows)), ("computed torque", plant, rows))


class _Gravity(_ModelQuantity):
    """Torques of the held coordinates that carry the robot's weight: through an elastic gear, a
    motor carries that of the joint."""

    def __call__(self, q: Array) -> Array:
        plant = self.plant
        weight = list(recursion.gravity_force(plant, q[self._q]))
        for gear in plant.gears:
            motor, joint = plant.links[gear.motor].u.start, plant.links[gear.link].u.start
            if joint not in self.rows:
                weight[motor] = weight[motor] + weight[joint] / gear.ratio
        return np.array([weight[k] for k in self.rows])


def inverse(
    plant: Robot, q: Array, qd: Array, a: Array, rows: list[int], links: frozenset[int]
) -> Array:
    """Torques at these places of the velocity that give the joints there the accelerations a;
    nothing drives the others."""
    wanted = np.zeros(plant.nv, dtype=np.result_type(q, a))
    wanted[rows] = a
    none = np.zeros(plant.nv)
    found = dynamics.hybrid_dynamics(plant, q, qd, none, wanted, links, {})
    return np.asarray(found[1][rows])


def _span(part: slice) -> range:
    return range(part.start, part.stop)


@dataclass(frozen=True, eq=False)
class Limited(Portable, TorqueSource):
    """Torques cut off at what the motors can give."""

    torque: object
    limits: object

    def of(self, one: Robot, other: Robot) -> Limited:
        return replace(self, torque=law_of(self.torque, one, other))

    def law(self, robot: Robot, made: Callable[[object], Law], duration: float) -> Law:
        law, held = made(self.torque), controlled_coordinates(robot)
        most = _most(self.limits, held)
        inner = law.written

        def cut(tau: Array) -> Array:
            asked = tau[list(held.places)]
            given = [
                smaller(larger(x, -most[name]), most[name]) if name in most else x
                for name, x in zip(held.names, asked, strict=True)
            ]
            return np.asarray(tau + held.B @ (np.array(given) - asked))

        def force(t: float, q: Floats, qd: Floats, z: Floats = NONE) -> Floats:
            return cut(law(t, q, qd, z))

        def of(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
            assert inner is not None
            value = inner.of(t, q, qd, n)
            return np.concatenate([cut(value[: robot.nv]), value[robot.nv :]])

        written = None if inner is None else replace(inner, of=of)
        return replace(law, force=force, written=written, called=f"limited {law.called}")


def limited(torque: object, limits: float | Mapping[str, float]) -> Limited:
    """Torques (whatever `simulate` takes) that stay between -limit and +limit: one limit for all
    motors, or {coordinate: limit}. States of a controller go on as if there were none: its integral
    winds up."""
    for name, value in limits.items() if isinstance(limits, Mapping) else (("all motors", limits),):
        _one_limit(value, name if isinstance(name, str) else brief(name))
    return Limited(torque, limits)


def _one_limit(given: object, name: str) -> float:
    value = checks.number(given, f"limit of {name}", "a positive number")
    if not 0.0 < value < np.inf:
        raise InputError(f"limit of {name} is {value:g}; it must be a positive number")
    return value


def _most(given: object, held: ControlledCoordinates) -> dict[str, float]:
    if not isinstance(given, Mapping):
        given = dict.fromkeys(held.names, given)
    for name in given:
        if name not in held.names:
            raise unknown_name("coordinate", str(name), held.names, where="limits")
    return {str(name): _one_limit(value, str(name)) for name, value in given.items()}
