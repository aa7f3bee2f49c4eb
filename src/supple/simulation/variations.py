"""What changes from run to run, checked: starts, torques, numbers of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from .. import checks
from ..errors import InputError, brief, unknown_name
from ..loops.closed_checks import closed_robot
from ..model.parameters import parameter_value
from ..robot import Robot, remembered
from ..types import Floats
from .law import constant, law_of
from .prescribed import prescribed_motion
from .run import prepared, wanted_motion
from .simulated_robot import SimulatedRobot
from .solver import Tolerances
from .start import start

STATES = ("q0", "qd0", "torque")


@remembered
def _sound(robot: Robot) -> dict[str, tuple[float, float]]:
    """From where to where numbers of a robot's model were looked at and found right."""
    return {}


@dataclass(frozen=True)
class Common:
    """What all runs are given; what follows from the robot's numbers is made of each run's own."""

    robot: Robot
    torque: object
    times: Floats
    how: Tolerances
    motion: object
    prescribed: object
    external: object
    breaks: object

    def experiment(self, robot: Robot, q: object = None, qd: object = None) -> SimulatedRobot:
        """A run of this robot, from there."""
        more = (self.times, self.how, self.motion, self.prescribed, self.external, self.breaks)
        return prepared(robot, law_of(self.torque, self.robot, robot), *more, q, qd)

    def start(self, robot: Robot, q0: object, qd0: object) -> tuple[Floats, Floats]:
        wanted = wanted_motion(robot, self.motion)
        return start(robot, q0, qd0, wanted, prescribed_motion(robot, self.prescribed))


def varied_values(drive: SimulatedRobot, given: object, common: Common) -> dict[str, Floats]:
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
    q, qd = _starts(common, given, out, count)
    out |= {"q0": q, "qd0": qd}
    if "torque" in given:
        out["torque"] = _torques(drive, given["torque"], count)
    return out


def _numbers_of(robot: Robot, name: str, given: object) -> Floats:
    """Values of a number of the model."""
    parameter_value(robot, name)  # says what is wrong with the name
    values = _column(name, given)
    least, most = float(values.min()), float(values.max())
    known = _sound(robot)
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
    common: Common, given: Mapping[str, object], model: Mapping[str, Floats], count: int
) -> tuple[Floats, Floats]:
    """Where each run starts, and how fast; loops, elastic gears and stops are as the run's own
    model has them. Where nothing of it varies there is one start for all."""
    own = bool(common.robot.loops) or any(".drive." in n or ".stops." in n for n in model)
    alike = not own and "q0" not in given and "qd0" not in given
    if alike and count > 1:
        q, qd = _starts(common, given, model, 1)
        return np.repeat(q, count, axis=0), np.repeat(qd, count, axis=0)
    rows_q, rows_qd = (_rows(given.get(name), count) for name in ("q0", "qd0"))
    made = []
    for k, (q0, qd0) in enumerate(zip(rows_q, rows_qd, strict=True)):
        try:
            robot = model_of(common.robot, model, k) if own else common.robot
            made.append(common.start(robot, q0, qd0))
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


def experiment_of(
    drive: SimulatedRobot, varied: Mapping[str, Floats], k: int, common: Common
) -> SimulatedRobot:
    """The k-th run as one that stands alone."""
    q, qd = varied["q0"][k], varied["qd0"][k]
    robot = model_of(drive.robot, varied, k)
    if robot is not drive.robot:
        drive = common.experiment(robot, q, qd)
    law = drive.law + constant(varied["torque"][k]) if "torque" in varied else drive.law
    return replace(drive, robot=closed_robot(robot, q, qd), law=law, q=q, qd=qd, names=())
