"""What changes from run to run, checked: starts, torques, numbers of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from .. import checks
from ..errors import InputError, brief, unknown_name
from ..loops.closed_checks import closed_robot
from ..model.parameters import parameter_value
from ..robot import Robot
from ..types import Floats
from .law import Law, constant
from .simulated_robot import SimulatedRobot
from .start import start

STATES = ("q0", "qd0", "torque")
_SOUND: WeakKeyDictionary[Robot, dict[str, tuple[float, float]]] = WeakKeyDictionary()
"""From where to where numbers of a robot's model were looked at and found right."""


def varied_values(drive: SimulatedRobot, given: object) -> dict[str, Floats]:
    """Initial states and torques of all runs, and the numbers of the model."""
    robot = drive.robot
    if not isinstance(given, Mapping) or not given:
        raise InputError(
            f"variations is {brief(given)}; give a mapping of what changes to its values, e.g. "
            f'{{"q0": {{"{robot.coordinate_names[0]}": [0.0, 0.1]}}}}'
        )
    counts = {str(k): _count(str(k), v) for k, v in given.items()}
    if len(set(counts.values())) != 1:
        listed = ", ".join(f"{k}: {n}" for k, n in counts.items())
        raise InputError(f"variations have different numbers of runs ({listed})")
    count = next(iter(counts.values()))
    out = {str(k): _numbers_of(robot, str(k), v) for k, v in given.items() if k not in STATES}
    q, qd = _starts(drive, given, out, count)
    out |= {"q0": q, "qd0": qd}
    if "torque" in given:
        out["torque"] = _torques(drive, given["torque"], count)
    return out


def _numbers_of(robot: Robot, name: str, given: object) -> Floats:
    """Values of a number of the model."""
    parameter_value(robot, name)  # says what is wrong with the name
    values = _column(name, given)
    least, most = float(values.min()), float(values.max())
    known = _SOUND.setdefault(robot, {})
    low, high = known.get(name, (np.inf, -np.inf))
    for value in {x for x in (least, most) if not low <= x <= high}:
        robot.with_parameters({name: value})  # and with its values
    known[name] = (min(low, least), max(high, most))
    return values


def _count(name: str, given: object) -> int:
    parts = (
        [_column(f"{name}.{k}", v) for k, v in given.items()] if isinstance(given, Mapping) else []
    )
    if parts:
        if len({len(x) for x in parts}) != 1:
            raise InputError(f"{name}: all its coordinates need as many values")
        return len(parts[0])
    return len(_array(name, given))


def _array(name: str, given: object) -> Floats:
    values = checks.real_numbers(given)
    if values.ndim == 0 or not len(values) or not np.all(np.isfinite(values)):
        raise InputError(f"{name} is {brief(given)}; give one finite value (or row) for each run")
    return values


def _column(name: str, given: object) -> Floats:
    values = _array(name, given)
    if values.ndim != 1:
        raise InputError(f"{name} has the shape {values.shape}; give one number for each run")
    return values


def _starts(
    drive: SimulatedRobot, given: Mapping[str, object], model: Mapping[str, Floats], count: int
) -> tuple[Floats, Floats]:
    """Where each run starts, and how fast; loops are closed, and motors of elastic gears stand, as
    the run's own model has them. Where nothing of it varies there is one start for all."""
    geared = bool(drive.robot.gears) and any(".drive." in name for name in model)
    own = geared or bool(drive.robot.loops)
    alike = not own and "q0" not in given and "qd0" not in given
    if alike and count > 1:
        q, qd = _starts(drive, given, model, 1)
        return np.repeat(q, count, axis=0), np.repeat(qd, count, axis=0)
    rows_q, rows_qd = (_rows(given.get(name), count) for name in ("q0", "qd0"))
    made = []
    for k, (q0, qd0) in enumerate(zip(rows_q, rows_qd, strict=True)):
        try:
            robot = model_of(drive.robot, model, k) if own else drive.robot
            made.append(start(robot, q0, qd0, drive.wanted, drive.driven))
        except InputError as error:
            raise InputError(f"run {k}: {error}") from None
    return np.array([q for q, _ in made]), np.array([qd for _, qd in made])


def _rows(given: object, count: int) -> list[object]:
    """What each run is given."""
    if given is None:
        return [None] * count
    if isinstance(given, Mapping):
        return [{k: float(np.asarray(v)[i]) for k, v in given.items()} for i in range(count)]
    return list(np.asarray(given, dtype=float))


def _torques(drive: SimulatedRobot, given: object, count: int) -> Floats:
    robot = drive.robot
    if isinstance(given, Mapping):
        out = np.zeros((count, robot.nv))
        for name, values in given.items():
            out += np.outer(_column(f"torque.{name}", values), torque_column(robot, str(name)))
    else:
        out = np.array([checks.force(robot, row) for row in _rows(given, count)])
    for name, v in zip(drive.driven.names, drive.driven.rates, strict=True):
        if np.any(out[:, v]):
            raise InputError(
                f"joint {name} is prescribed, and has a torque in the variations that could not "
                f"act: its law says how it moves. Give it no torque, or prescribe another joint"
            )
    return out


def torque_column(robot: Robot, name: str) -> Floats:
    """What the torque of a joint, or the force of a shape, is as generalised force."""
    if name not in robot.velocity_names:
        raise unknown_name("velocity", name, robot.velocity_names)
    place = robot.velocity_names.index(name)
    if place in robot.joint_indices:
        return np.asarray(checks.input_columns(robot, [place])[:, 0])
    return np.asarray(np.eye(robot.nv)[place])


def model_of(robot: Robot, varied: Mapping[str, Floats], k: int) -> Robot:
    """The robot of the k-th run."""
    values = {name: float(x[k]) for name, x in varied.items() if name not in STATES}
    return robot.with_parameters(values) if values else robot


def law_of(law: Law, varied: Mapping[str, Floats], k: int) -> Law:
    """The law of the k-th run."""
    return law + constant(varied["torque"][k]) if "torque" in varied else law


def experiment_of(drive: SimulatedRobot, varied: Mapping[str, Floats], k: int) -> SimulatedRobot:
    """The k-th run as one that stands alone."""
    q, qd = varied["q0"][k], varied["qd0"][k]
    robot = closed_robot(model_of(drive.robot, varied, k), q, qd)
    return replace(drive, robot=robot, law=law_of(drive.law, varied, k), q=q, qd=qd, names=())
