"""What is worth looking at in a run, at the sampled times, as a labelled dataset."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from .. import __version__, recursion
from ..bodies import node
from ..engine import traced
from ..loops import dynamics as closed
from ..loops.closure import closed_axes, closure
from ..robot import Robot
from ..tracer.machine import quickly
from ..types import Array, Floats
from .events import Occurrence
from .motion import Motion
from .native_inputs import NativeInputs
from .record import Record
from .result import Result
from .simulated_robot import SimulatedRobot

Variables = dict[str, tuple[tuple[str, ...], Floats]]
"""Arrays with the names of their dimensions."""


def make_result(
    drive: SimulatedRobot,
    t: Floats,
    y: Floats,
    wanted: Motion | None,
    inputs: NativeInputs | None = None,
) -> Result:
    """Everything worth looking at, at the sampled times; inputs: what drove all of it natively."""
    robot, driven = drive.robot, drive.driven
    data = _states(drive, t, y, inputs)
    coordinates: dict[str, Floats | list[str]] = {
        "time": t,
        "coordinate": list(robot.coordinate_names),
        "velocity": list(robot.velocity_names),
        "mode": [f"{link.name}.{shape}" for link in robot.links for shape in link.body.shape_names],
        "link": [link.name for link in robot.links],
        "axis": ["x", "y", "z"],
    }
    if driven.names:
        data["reaction"] = (("time", "driven"), data["tau"][1][:, driven.rates])
        coordinates["driven"] = list(driven.names)
    if drive.own:
        coordinates["state"] = list(drive.law.states.names)
    if robot.loops:
        data |= _cuts(drive, t, data)
        coordinates["cut"] = cut_names(robot)
    if wanted is not None:
        data["desired"] = (("time", "joint"), wanted.places(t))
        coordinates["joint"] = list(wanted.names)
    return Result(Record(data, coordinates, dict(attributes(robot))))


def note_events(run: Result, found: Sequence[Occurrence]) -> None:
    """Events that happened, with their times and states."""
    if not found:
        return
    columns = {
        "event_time": (("event",), np.array([x.t for x in found])),
        "event_q": (("event", "coordinate"), np.array([x.q for x in found])),
        "event_qd": (("event", "velocity"), np.array([x.qd for x in found])),
    }
    run.put(columns, {"event": [x.name for x in found]})


def _states(drive: SimulatedRobot, t: Floats, y: Floats, inputs: NativeInputs | None) -> Variables:
    """Configuration, velocity, forces, energies, tips and deflections, with their dimensions."""
    robot, nq, nv = drive.robot, drive.robot.nq, drive.robot.nv
    q, qd = robot.normalized_rows(y[:, :nq]), np.ascontiguousarray(y[:, nq : nq + nv])
    known, own = np.zeros((len(t), nv)), y[:, nq + nv + 2 :]
    for i, at in enumerate(t if drive.driven.names else ()):
        drive.driven.put(float(at), q[i], qd[i], known[i])
    tau = np.full((len(t), nv), np.nan) if inputs is None else inputs.torques(t, q, qd, own)
    for k in np.flatnonzero(~np.isfinite(tau).all(axis=1)):
        tau[k] = drive.law(float(t[k]), q[k], qd[k], own[k])
    if any(link.drive.torque_limit for link in robot.links):
        pairs = zip(qd, tau, strict=True)
        tau = np.array([recursion.motor_torque(robot, v, x) for v, x in pairs])
    if drive.driven.names:
        tau = _forces(drive, t, q, qd, tau, known)
    shapes = [i for link in robot.links for i in range(link.d.start, link.d.stop)]
    return {
        "q": (("time", "coordinate"), q),
        "qd": (("time", "velocity"), qd),
        "tau": (("time", "velocity"), tau),
        "amplitude": (("time", "mode"), q[:, shapes]),
        "work": (("time",), y[:, nq + nv]),
        "dissipated": (("time",), y[:, nq + nv + 1]),
        **({"law_state": (("time", "state"), own)} if drive.own else {}),
        **observed(robot, q, qd),
    }


def _cuts(drive: SimulatedRobot, t: Floats, data: Variables) -> Variables:
    """Forces at the cuts of closed chains, what is left open there, and the power of the cuts."""
    robot, stations = drive.robot, drive.loads.stations

    def watch(q: Array, qd: Array, tau: Array, wrenches: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        at = closure(robot, q, qd, np.zeros(robot.nv))
        forces = closed.multipliers(robot, q, qd, tau, external)
        return np.array([forces, at.residual, at.rate])

    sizes = (robot.nq, robot.nv, robot.nv, 6 * len(stations))
    kernel = traced(watch, sizes, ("cuts", robot, list(stations)))
    states = [data[name][1] for name in ("q", "qd", "tau")]
    rows = zip(*states, [drive.loads(float(at)) for at in t], strict=True)
    found = np.array([kernel(*(np.ascontiguousarray(x) for x in row)) for row in rows])
    power = np.einsum("tr,tr->t", found[:, 0], found[:, 2])
    return {
        "multipliers": (("time", "cut"), found[:, 0]),
        "closure": (("time", "cut"), found[:, 1]),
        "constraint_power": (("time",), power),
    }


def cut_names(robot: Robot) -> list[str]:
    """Of the rows of the closure: loop, and the moment or force in the axes of its first side."""
    out = []
    for loop in robot.loops:
        turns, slides = closed_axes(loop)
        out += [f"{loop.name}.n{'xyz'[k]}" for k in turns]
        out += [f"{loop.name}.f{'xyz'[k]}" for k in slides]
        out += [f"{loop.name}.tie"] if loop.is_tie else []
    return out


def attributes(robot: Robot) -> dict[str, str]:
    joints = [link.joint_name + s for link in robot.links for s in link.joint.coordinates]
    return {
        "supple": __version__,
        "robot": robot.name,
        "model": json.dumps(dict(robot.spec or {})),
        "joints": json.dumps(joints),
        "lengths": json.dumps(_lengths(robot)),
        "units": robot.units,
        "warnings": "[]",
    }


def _lengths(robot: Robot) -> list[str]:
    """Joint coordinates and rates that are lengths, not angles."""
    out = []
    for link in robot.links:
        slides = [axis > 2 for axis in link.joint.axes]
        rates = [n for n, long in zip(link.joint.speeds, slides, strict=True) if long]
        last = link.joint.coordinates[len(link.joint.coordinates) - len(rates) :]
        out += [link.joint_name + n for n in dict.fromkeys([*last, *rates])]
    return out


def _forces(
    drive: SimulatedRobot, t: Floats, q: Floats, qd: Floats, tau: Floats, known: Floats
) -> Floats:
    """Generalised forces with the reactions of prescribed joints."""
    robot, held, nv = drive.robot, drive.driven.held, drive.robot.nv
    stations = drive.loads.stations

    def react(q: Array, qd: Array, tau: Array, known: Array, wrenches: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        return closed.hybrid_dynamics(robot, q, qd, tau, known, held, external)[1]

    sizes = (robot.nq, nv, nv, nv, 6 * len(stations))
    kernel = traced(react, sizes, ("reaction", robot, sorted(held), list(stations)))
    rows = zip(q, qd, tau, known, [drive.loads(float(at)) for at in t], strict=True)
    return np.array([kernel(*(np.ascontiguousarray(x) for x in row)) for row in rows])


def observed(robot: Robot, q: Floats, qd: Floats) -> Variables:
    """Energies, tip positions in the world and tip deflections in link axes, natively."""
    nq, nv, n = robot.nq, robot.nv, len(robot.links)

    def watch(q: Array, qd: Array) -> Array:
        energies = [
            recursion.kinetic_energy(robot, q, qd),
            recursion.gravity_energy(robot, q),
            recursion.elastic_energy(robot, q),
        ]
        tips = [recursion.station_pose(robot, q, link.name).p for link in robot.links]
        bends = []
        for link in robot.links:
            tip = link.body.stations.get("tip")
            moved = np.zeros(3)
            if tip is not None and link.body.m:
                moved = node(tip, q[link.d], qd[link.e]).r - tip.r0
            bends.append(moved @ link.frame)
        return np.concatenate([energies, *tips, *bends])

    with quickly():  # asked once a sample
        kernel = traced(watch, (nq, nv), ("watch", robot))
    rows = np.array([kernel(a, b) for a, b in zip(q, qd, strict=True)])
    return {
        "kinetic": (("time",), rows[:, 0]),
        "gravity": (("time",), rows[:, 1]),
        "elastic": (("time",), rows[:, 2]),
        "tip": (("time", "link", "axis"), rows[:, 3 : 3 + 3 * n].reshape(-1, n, 3)),
        "deflection": (("time", "link", "axis"), rows[:, 3 + 3 * n :].reshape(-1, n, 3)),
    }
