"""What is worth looking at in a run, at the sampled times, as a labelled dataset; and what it holds
when it is asked for (`keep`): accelerations, power, wrenches at joints and cuts.

acceleration   qdd                                                    (time, velocity)
power          tau qd of every generalised force                      (time, velocity)
wrench         [n; f] that each link's joint puts on it, about the link's origin, in world
               axes: drive and bearing together                       (time, link, component)
reaction       the same without what acts along the joint's own axes: what its bearing
               carries, `bearing` (time, link, component); of closed chains what each cut puts
               on its second side, at that side's point, `cut_wrench` (time, loop, component)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np

from .. import __version__, recursion
from ..bodies import node
from ..engine import Kernel, traced
from ..errors import InputError, brief, unknown_name
from ..loops import dynamics as closed
from ..loops.closure import closed_axes, closure
from ..loops.wrenches import cut_wrenches, joint_wrenches
from ..recursion.kinematics import poses
from ..recursion.path import paths
from ..robot import Robot
from ..tracer.machine import quickly
from ..types import Array, Floats
from .events import Occurrence
from .motion import Motion
from .native_inputs import NativeInputs
from .result import Record, Result
from .simulated_robot import SimulatedRobot
from .stick_slip import StickSlip, can_stick

KEPT = ("acceleration", "power", "wrench", "reaction")
COMPONENTS = ["nx", "ny", "nz", "fx", "fy", "fz"]
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


def at_samples(kernel: Kernel, *columns: Floats) -> Floats:
    """What native code gives at all samples, of columns with a row for each."""
    rows = zip(*columns, strict=True)
    return np.array([kernel(*(np.ascontiguousarray(x) for x in row)) for row in rows])


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
    found = at_samples(kernel, *states, drive.loads.rows(t))
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
    return at_samples(kernel, q, qd, tau, known, drive.loads.rows(t))


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


def asked_for(keep: object) -> tuple[str, ...]:
    """The names of what is to be kept, checked."""
    names = (keep,) if isinstance(keep, str) else keep
    if not isinstance(names, Iterable) or (isinstance(names, np.ndarray) and names.ndim == 0):
        raise InputError(f"keep is {brief(keep)}; it must be some of {', '.join(KEPT)}")
    out = tuple(names)
    for name in out:
        if not isinstance(name, str) or name not in KEPT:
            raise unknown_name("quantity to keep", name, KEPT)
    return out


def accelerations(drive: SimulatedRobot, run: Result) -> Floats:
    """qdd (times, nv) by the equations of motion, under the torques that the run kept."""
    if can_stick(drive):
        return StickSlip(drive).accelerations(run.time, run["q"], run["qd"])
    robot, driven, count = drive.robot, drive.driven, len(run.time)
    q, qd, known = run["q"].copy(), run["qd"].copy(), np.zeros((count, robot.nv))
    for k, t in enumerate(run.time if driven.names else ()):
        driven.put(float(t), q[k], qd[k], known[k])
    rates, places = driven.rates, [i for i, _ in driven.places]
    own, loads = np.zeros((count, drive.own)), drive.loads.rows(run.time)
    moved = (known[:, rates], q[:, places], qd[:, rates])
    u = np.concatenate([run["tau"], own, loads, *moved], axis=1)
    y = np.concatenate([q, qd, np.zeros((count, 2)), own], axis=1)
    rows = [drive.kernel(*row) for row in zip(y, u, strict=True)]
    return np.array(rows)[:, robot.nq : robot.nq + robot.nv]


def put_kept(drive: SimulatedRobot, run: Result, keep: tuple[str, ...], qdd: Floats) -> None:
    """Put into the run what was asked for."""
    made: dict[str, tuple[tuple[str, ...], Floats]] = {}
    names: dict[str, list[str]] = {}
    if "acceleration" in keep:
        made["acceleration"] = (("time", "velocity"), qdd)
    if "power" in keep:
        made["power"] = (("time", "velocity"), run["tau"] * run["qd"])
    if "wrench" in keep or "reaction" in keep:
        names["component"] = COMPONENTS
        found = _wrenches(drive, run, qdd)
        for name, which in (("wrench", "wrench"), ("bearing", "reaction")):
            if which in keep:
                made[name] = (("time", "link", "component"), found[name])
    if "reaction" in keep and drive.robot.loops:
        names["loop"] = [loop.name for loop in drive.robot.loops]
        made["cut_wrench"] = (("time", "loop", "component"), _at_cuts(drive.robot, run))
    run.put(made, names)


def _wrenches(drive: SimulatedRobot, run: Result, qdd: Floats) -> dict[str, Floats]:
    """Wrenches at joints, whole and without what acts along their axes."""
    robot, stations, n = drive.robot, drive.loads.stations, len(drive.robot.links)

    def found(q: Array, qd: Array, qdd: Array, wrenches: Array, cuts: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        whole = joint_wrenches(robot, q, qd, qdd, external, cuts)
        return np.array([whole, _bearings(robot, q, whole)])

    cuts = run["multipliers"] if robot.loops else np.zeros((len(qdd), 0))
    sizes = (robot.nq, robot.nv, robot.nv, 6 * len(stations), cuts.shape[1])
    kernel = traced(found, sizes, ("joint wrenches", robot, list(stations)))
    out = at_samples(kernel, run["q"], run["qd"], qdd, drive.loads.rows(run.time), cuts)
    return dict(zip(("wrench", "bearing"), out.reshape(-1, 2, n, 6).swapaxes(0, 1), strict=True))


def _bearings(robot: Robot, q: Array, whole: Array) -> Array:
    """Wrenches without their parts along the axes in which the joints move: (links, 6)."""
    out = []
    frames = poses(robot, paths(robot, q, np.zeros(robot.nv)))
    for link, frame, w in zip(robot.links, frames, whole, strict=True):
        six = [*(w[:3] @ frame.R), *(w[3:] @ frame.R)]  # in link axes, which are the joint's
        held = np.array([0.0 if k in link.joint.axes else x for k, x in enumerate(six)])
        out.append(np.concatenate([frame.R @ held[:3], frame.R @ held[3:]]))
    return np.array(out)


def _at_cuts(robot: Robot, run: Result) -> Floats:
    """Wrenches at the cuts: (time, loop, 6)."""
    kernel = traced(
        lambda q, forces: cut_wrenches(robot, q, forces),
        (robot.nq, run["multipliers"].shape[1]),
        ("cut wrenches", robot),
    )
    return at_samples(kernel, run["q"], run["multipliers"]).reshape(
        len(run.time), len(robot.loops), 6
    )
