"""Runs that were led along given configurations: nothing is solved, all is there to be shown."""

from __future__ import annotations

import numpy as np
import xarray as xr

import supple
from supple.simulation.observe import attributes, cut_names, observed


def resting(name, time, q):
    """A run of a robot that is led through these configurations, without solving anything."""
    robot = supple.load(name) if isinstance(name, str) else name
    qd = np.zeros((len(time), robot.nv))
    data = {"q": (("time", "coordinate"), q), "qd": (("time", "velocity"), qd)}
    data["tau"] = (("time", "velocity"), np.tile(np.linspace(-1, 1, len(time))[:, None], robot.nv))
    shapes = [k for link in robot.links for k in range(link.d.start, link.d.stop)]
    data["amplitude"] = (("time", "mode"), q[:, shapes])
    data |= {n: (("time",), np.zeros(len(time))) for n in ("work", "dissipated")}
    data |= observed(robot, q, qd)
    coordinates = {
        "time": time,
        "coordinate": list(robot.coordinate_names),
        "velocity": list(robot.velocity_names),
        "mode": [f"{x.name}.{s}" for x in robot.links for s in x.body.shape_names],
        "link": [x.name for x in robot.links],
        "axis": ["x", "y", "z"],
    }
    if robot.loops:
        rows = len(cut_names(robot))
        data["multipliers"] = (("time", "cut"), np.ones((len(time), rows)))
        coordinates["cut"] = cut_names(robot)
    return supple.Result(xr.Dataset(data, coords=coordinates, attrs=attributes(robot)))


def wandering(name, frames=21, size=0.2, seed=0):
    """Such a run along smooth random coordinates."""
    robot = supple.load(name) if isinstance(name, str) else name
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 2.0, frames)
    way = rng.normal(size=(2, robot.nq))
    way[:, [k for link in robot.links for k in range(link.d.start, link.d.stop)]] *= 0.15
    q = robot.home() + size * (np.outer(np.sin(time), way[0]) + np.outer(1 - np.cos(time), way[1]))
    return resting(robot, time, np.array([robot.normalized(row) for row in q]))
