"""[Piedboeuf]: the static experiment of sections 3 and 4, with the exact elastica added.

The paper's models, all linear in the shapes (eqs. 39-42):
    O(2)  second-order kinematics
    O(1)  the foreshortening integrals dropped (underlined in 38 and 42), the rest kept
    O(0)  rigid
`O(1) pure` drops the second-order terms of the tool's rotation as well. `Newton` is
`supple.statics` as it stands: second-order kinematics with true rotations, not linearised.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ...analyse.statics import Equilibrium, Statics, unjudged
from ...bodies import BeamLine, local_kinematics, moments
from ...model import load
from ...model.lines import beam_lines
from ...robot import Robot
from ...types import Floats
from .elastica import Elastica, PiedboeufArm, elastica

FORCES = (0.0, -0.61, -1.22, -1.84, -2.46, -4.19, -5.4)
CURVES = tuple(range(1, 8))  # a force each
ANGLES = tuple(range(-90, 91, 15))  # of the experiment
FINE = tuple(range(-90, 91, 5))  # of the figures
DRAWN = ("O(2)", "O(1)", "O(0)")
MODELS = ("O(2)", "O(1)", "O(1) pure", "O(0)", "Newton")
END = "arm.endpoint"
KINEMATICS = {"O(2)": "second_order", "O(1)": "first_order", "O(0)": "rigid"}


@dataclass(frozen=True)
class State:
    """One model at one angle and force: motor torque to first order in the shapes and with
    their squares, amplitudes, curvature at the gauges, tip deflection."""

    torque: float
    torque_squares: float
    shapes: Floats
    curvature: Floats
    tip: float


@cache
def robot(kinematics: str) -> Robot:
    """The arm of Table 1."""
    return load("piedboeuf-arm").replace(elastic_kinematics=kinematics)


@cache
def _lines(kinematics: str) -> BeamLine:
    return beam_lines(robot(kinematics))["arm"]


def state(model: str, angle: float, force: float) -> State:
    """A model of the paper at a motor angle [deg] under a vertical force [N]."""
    theta, push = np.deg2rad(angle), {END: np.array([0.0, force, 0.0])}
    if model == "Newton":
        return _state(unjudged(robot("second_order"), [theta], push), None)
    if model == "O(1) pure":
        return _state(_pure(theta, force), None)
    found = unjudged(robot(KINEMATICS[model]), [theta], push, linear=True)
    return _state(found, None if model == "O(0)" else force)


def _pure(theta: float, force: float) -> Statics:
    """R = 1 + theta~, r = X + S d: no stiffness but the beam's own."""
    arm = robot("first_order")
    at = Equilibrium(arm, {END: np.array([0.0, 0.0, 0.0, 0.0, force, 0.0])})
    q = arm.neutral()
    q[0] = theta
    tau, slope, K = at.force(q), at.slope(q, list(arm.mode_indices)), arm.links[0].body.K
    q[1:] = np.linalg.solve(K, -tau[1:])
    return Statics(arm, q, tau + slope @ q[1:], at.loads, K, 0.0, 1, True)


def _state(found: Statics, force: float | None) -> State:
    d, torque = found.q[1:], float(found.tau[0])
    squares = torque if force is None else _torque_with_squares(found, force)
    if not len(d):
        return State(torque, squares, d, np.zeros(3), 0.0)
    line = _lines(found.robot.elastic_kinematics)
    x = np.array([line.stations[f"gauge{k}"][0] for k in (1, 2, 3)])
    tip = float(d @ found.robot.links[0].body.stations["tip"].S[:, 1])
    return State(torque, squares, d, line.curvature(d, x)[:, 2], tip)


def _torque_with_squares(found: Statics, force: float) -> float:
    """The moment of all loads about the motor, positions to second order in the shapes."""
    arm, d = found.robot, found.q[1:]
    theta, g = float(found.q[0]), float(arm.gravity[1])
    up = np.array([np.sin(theta), np.cos(theta), 0.0])  # world y in link axes
    tool = arm.links[1]
    places = [(moments(arm.links[0].body, d).mc, g)]
    for station, pull, offset in (
        (tool.mount, tool.body.mass * g, tool.mount.R0 @ tool.body.c0 / tool.body.mass),
        (arm.station(END)[1], force, np.zeros(3)),
    ):
        at = local_kinematics(station, d)
        places.append((at.r + at.R @ (station.rho + offset), pull))
    return -float(sum(np.cross(r, f * up)[2] for r, f in places))


@dataclass(frozen=True)
class StaticCase:
    """One angle and force in every model, and exactly."""

    curve: int
    angle: float
    force: float
    models: dict[str, State]
    exact: Elastica


@cache
def case(curve: int, angle: float, names: tuple[str, ...] = MODELS) -> StaticCase:
    """A curve of the paper (1 to 7, a force each) at a motor angle [deg]."""
    line, force = _lines("second_order"), FORCES[curve - 1]
    x = np.array([line.stations[f"gauge{k}"][0] for k in (1, 2, 3)])
    models = {name: state(name, angle, force) for name in names}
    return StaticCase(
        curve, angle, force, models, elastica(PiedboeufArm(), np.deg2rad(angle), force, x)
    )


def cases() -> tuple[StaticCase, ...]:
    """All 7 forces x 13 angles of the experiment."""
    return tuple(case(k, angle) for k in CURVES for angle in ANGLES)


def of_curve(k: int) -> list[StaticCase]:
    """One force at the angles of the experiment."""
    return [case(k, angle) for angle in ANGLES]


def drawn_curve(k: int) -> list[StaticCase]:
    """The same close together, in the models that are drawn."""
    return [case(k, angle, DRAWN) for angle in FINE]


def value(at: StaticCase, model: str, what: str) -> float:
    """torque, tip, or curvature at the first gauge less its value at 0 deg without force, as
    the gauges were calibrated; of a model or exactly."""
    if what != "curvature":
        exact = at.exact.torque if what == "torque" else float(at.exact.tip[1])
        return exact if model == "exact" else float(getattr(at.models[model], what))
    zero = case(1, 0, tuple(at.models))
    here, there = ((c.exact if model == "exact" else c.models[model]).curvature for c in (at, zero))
    return float(here[0] - there[0])
