"""What is worth looking at in a run, at the sampled times, as a labelled dataset."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .. import __version__, recursion
from ..bodies import node
from ..engine import traced
from ..robot import Link, Robot
from ..types import Array, Floats
from .drive import Drive
from .motion import Motion
from .result import Result


def make_result(drive: Drive, t: Floats, y: Floats, wanted: Motion | None) -> Result:
    """Everything worth looking at, at the sampled times."""
    import xarray as xr

    robot, law, driven = drive.robot, drive.law, drive.driven
    nq, nv = robot.nq, robot.nv
    q = np.array([robot.normalized(row) for row in y[:, :nq]])
    qd = np.ascontiguousarray(y[:, nq : nq + nv])
    known = np.zeros((len(t), nv))
    for i, at in enumerate(t):
        driven.put(float(at), q[i], qd[i], known[i])
    tau = np.array([law(float(at), a, b) for at, a, b in zip(t, q, qd, strict=True)])
    if driven.names:
        tau = _forces(drive, t, q, qd, tau, known)
    seen = _observe(robot, q, qd)
    links = [link.name for link in robot.links]
    modes = [n for link in robot.links for n in _mode_names(link)]
    places = [i for link in robot.links for i in range(link.d.start, link.d.stop)]
    data = {
        "q": (("time", "coordinate"), q),
        "qd": (("time", "velocity"), qd),
        "tau": (("time", "velocity"), tau),
        "amplitude": (("time", "mode"), q[:, places]),
        "kinetic": ("time", seen["kinetic"]),
        "gravity": ("time", seen["gravity"]),
        "elastic": ("time", seen["elastic"]),
        "work": ("time", y[:, nq + nv]),
        "dissipated": ("time", y[:, nq + nv + 1]),
        "tip": (("time", "link", "axis"), seen["tip"]),
        "deflection": (("time", "link", "axis"), seen["deflection"]),
    }
    if driven.names:
        data["reaction"] = (("time", "driven"), tau[:, driven.rates])
    if wanted is not None:
        path = np.array([wanted(float(at))[0] for at in t])
        data["desired"] = (("time", "joint"), path)
    coordinates: dict[str, Any] = {
        "time": t,
        "coordinate": list(robot.coordinate_names),
        "velocity": list(robot.velocity_names),
        "mode": modes,
        "link": links,
        "axis": ["x", "y", "z"],
    }
    if driven.names:
        coordinates["driven"] = list(driven.names)
    if wanted is not None:
        coordinates["joint"] = list(wanted.names)
    joints = [link.joint_name + s for link in robot.links for s in link.joint.coordinates]
    attributes = {
        "supple": __version__,
        "robot": robot.name,
        "model": json.dumps(dict(robot.spec or {})),
        "joints": json.dumps(joints),
        "lengths": json.dumps(_lengths(robot)),
        "units": str((robot.spec or {}).get("units", "SI")),
        "warnings": "[]",
    }
    return Result(xr.Dataset(data, coords=coordinates, attrs=attributes))


def _lengths(robot: Robot) -> list[str]:
    """Joint coordinates and rates that are lengths, not angles."""
    out = []
    for link in robot.links:
        slides = [axis > 2 for axis in link.joint.axes]
        rates = [n for n, long in zip(link.joint.speeds, slides, strict=True) if long]
        last = link.joint.coordinates[len(link.joint.coordinates) - len(rates) :]
        out += [link.joint_name + n for n in dict.fromkeys([*last, *rates])]
    return out


def _forces(drive: Drive, t: Floats, q: Floats, qd: Floats, tau: Floats, known: Floats) -> Floats:
    """Generalised forces with the reactions of prescribed joints."""
    robot, held, nv = drive.robot, drive.driven.held, drive.robot.nv
    stations = drive.loads.stations

    def react(q: Array, qd: Array, tau: Array, known: Array, wrenches: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        return recursion.hybrid_dynamics(robot, q, qd, tau, known, held, external)[1]

    sizes = (robot.nq, nv, nv, nv, 6 * len(stations))
    kernel = traced(react, sizes, ("reaction", robot, sorted(held), list(stations)))
    rows = zip(q, qd, tau, known, [drive.loads(float(at)) for at in t], strict=True)
    return np.array([kernel(*(np.ascontiguousarray(x) for x in row)) for row in rows])


def _mode_names(link: Link) -> list[str]:
    return [f"{link.name}.{shape}" for shape in link.body.shape_names]


def _observe(robot: Robot, q: Floats, qd: Floats) -> dict[str, Floats]:
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

    kernel = traced(watch, (nq, nv), ("watch", robot))
    rows = np.array([kernel(np.ascontiguousarray(a), b) for a, b in zip(q, qd, strict=True)])
    return {
        "kinetic": rows[:, 0],
        "gravity": rows[:, 1],
        "elastic": rows[:, 2],
        "tip": rows[:, 3 : 3 + 3 * n].reshape(-1, n, 3),
        "deflection": rows[:, 3 + 3 * n :].reshape(-1, n, 3),
    }
