"""What drives a robot: nothing, functions, tables, or feed-forward torques of a motion."""

from __future__ import annotations

import csv
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FileError, InputError, unknown_name
from ..flow import force
from ..robot import Robot
from ..types import Floats
from .motion import Motion, check_times, columns_motion, joint_names

Torque = Callable[[float, Floats, Floats], Floats]
"""Generalised forces (nv,) at time t, configuration q, velocity qd."""


def torque_law(robot: Robot, given: Any) -> Torque:
    """Whatever the user gave as torque, as a function of (t, q, qd)."""
    if given is None:
        zero = np.zeros(robot.nv)
        return lambda t, q, qd: zero
    if isinstance(given, tuple) and len(given) == 2:
        return table(robot, *given)
    if callable(given):
        return _function(robot, given)
    constant = force(robot, given)
    return lambda t, q, qd: constant


def _function(robot: Robot, function: Callable[..., Any]) -> Torque:
    try:
        inspect.signature(function).bind(0.0, None, None)
        of_state = True
    except (TypeError, ValueError):
        of_state = False
    arguments = (0.0, robot.neutral(), np.zeros(robot.nv)) if of_state else (0.0,)
    try:
        first = np.asarray(function(*arguments), dtype=float)
    except Exception as error:
        raise InputError(
            f"torque(t{', q, qd' if of_state else ''}) failed at t = 0: "
            f"{type(error).__name__}: {error}"
        ) from error
    force(robot, first)  # says what is wrong with its size
    if first.shape == (robot.nv,):
        if of_state:
            return lambda t, q, qd: np.asarray(function(t, q, qd), dtype=float)
        return lambda t, q, qd: np.asarray(function(t), dtype=float)
    B = robot.input_matrix
    if of_state:
        return lambda t, q, qd: B @ np.asarray(function(t, q, qd), dtype=float)
    return lambda t, q, qd: B @ np.asarray(function(t), dtype=float)


def table(robot: Robot, t: Any, values: Any) -> Torque:
    """Tabulated torques (times, (times, joints or nv)), linear in between, held outside."""
    times = check_times(t, "torque table")
    rows = np.asarray(values, dtype=float)
    if rows.ndim != 2 or len(rows) != len(times):
        raise InputError(f"torque table: {len(times)} times but values of shape {rows.shape}")
    spread = np.array([force(robot, row) for row in rows])

    def law(at: float, q: Floats, qd: Floats) -> Floats:
        i = int(np.clip(np.searchsorted(times, at) - 1, 0, len(times) - 2))
        s = min(max((at - times[i]) / (times[i + 1] - times[i]), 0.0), 1.0)
        return np.asarray(spread[i] + s * (spread[i + 1] - spread[i]))

    return law


def feedforward(robot: Robot, motion: Motion) -> Torque:
    """Torques that would drive the rigid robot along the motion, from its inverse dynamics.

    This is how [MohanSaha] force their flexible arm (section 7.1).
    """
    from .. import recursion
    from ..engine import traced

    rigid = robot.replace(elastic_kinematics="rigid")
    if rigid.nv != len(motion.names):
        raise InputError(
            f"a motion drives robots whose joints are all revolute or prismatic; {robot.name} has "
            f"others"
        )
    n = rigid.nv
    inverse = traced(lambda q, qd, qdd: recursion.inverse_dynamics(rigid, q, qd, qdd), (n, n, n))
    B = robot.input_matrix

    def law(t: float, q: Floats, qd: Floats) -> Floats:
        return np.asarray(B @ inverse(*(np.ascontiguousarray(x) for x in motion(t))))

    return law


def read_columns(path: str | Path) -> tuple[Floats, dict[str, Floats]]:
    """A CSV file: first column t, then one named column a joint."""
    where = str(path)
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or "it is not a text table"
        raise FileError(f"cannot read {where}: {reason}") from None
    if len(rows) < 3:
        raise FileError(f"{where}: a table has a header (t, joint names) and at least two rows")
    header = [cell.strip() for cell in rows[0]]
    if header[0] not in ("t", "time"):
        raise FileError(f"{where}:1: the first column must be named t, got {header[0]!r}")
    data = []
    for i, row in enumerate(rows[1:], start=2):
        if len(row) != len(header):
            raise FileError(f"{where}:{i}: {len(row)} cells, the header has {len(header)}")
        try:
            values = [float(cell) for cell in row]
        except ValueError:
            bad = next(cell for cell in row if not _is_number(cell))
            raise FileError(f"{where}:{i}: {bad!r} is not a number") from None
        if not np.all(np.isfinite(values)):
            raise FileError(f"{where}:{i}: numbers must be finite")
        data.append(values)
    array = np.array(data)
    return check_times(array[:, 0], where), {h: array[:, k] for k, h in enumerate(header) if k}


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def torque_file(robot: Robot, path: str | Path) -> tuple[Torque, float]:
    """Torques from a CSV file with columns named by joints; missing joints get zero."""
    t, columns = read_columns(path)
    names = [robot.velocity_names[i] for i in robot.joint_indices]
    for name in columns:
        if name not in names:
            raise unknown_name("joint", name, names, where=f"{path}")
    zero = np.zeros(len(t))
    rows = np.column_stack([columns.get(name, zero) for name in names])
    return table(robot, t, rows), float(t[-1])


def motion_file(robot: Robot, path: str | Path) -> Motion:
    """A desired motion from a CSV file with columns named by joints (positions)."""
    t, columns = read_columns(path)
    names = joint_names(robot)
    for name in columns:
        if name not in names:
            raise unknown_name("joint", name, names, where=f"{path}")
    return columns_motion(robot, t, columns)
