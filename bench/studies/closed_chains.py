"""Closed chains: operations that grow with the tree, and a Stewart platform beside Pinocchio."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from supple.analyse import Call, in_turns
from supple.bodies import Station
from supple.engine import compile
from supple.joints import KINDS
from supple.loops import closure_jacobian
from supple.model import build, load
from supple.recursion import station_pose
from supple.robot import Loop, Robot

from .peers import closed_dynamics
from .table import Table

LENGTHS = (5, 10, 20, 40)
STEWART = "stewart"


def study(seconds: float) -> list[Table]:
    return [growth(LENGTHS if seconds else LENGTHS[:2]), stewart(seconds)]


def growth(lengths: tuple[int, ...]) -> Table:
    """Operations of the forward dynamics of chains whose last link is pinned to the ground."""
    rows: list[tuple[Any, ...]] = []
    for n in lengths:
        closed = _total(pinned_chain(n))
        tree = _total(replace(pinned_chain(n), loops=()))
        more = (closed - rows[-1][1]) / (n - rows[-1][0]) if rows else ""
        rows.append((n, closed, tree, more))
    columns = ("links", "operations, closed", "open", "each further link, closed")
    return Table(
        columns, rows, ("Multiplications and additions of one forward dynamics, one loop.",)
    )


def _total(robot: Robot) -> int:
    counts = compile(robot, "forward_dynamics", unroll=True).operations()
    return counts["multiplications"] + counts["additions"]


def pinned_chain(n: int) -> Robot:
    """A chain in space of n links, a ball between its tip and the ground."""
    lump = {"mass": 1.0, "com": [0.2, 0.01, 0.0], "inertia": [0.01, 0.02, 0.03], "tip": [0.4, 0, 0]}
    joints: list[dict[str, Any]] = []
    for i in range(n):
        joint: dict[str, Any] = {"name": f"j{i}", "type": "revolute", "child": f"l{i}"}
        joint["origin"] = {"xyz": [0, 0, 0], "rpy": [0.5 * np.pi * (i % 2), 0, 0.3]}
        joints.append(joint | ({"parent": f"l{i - 1}"} if i else {}))
    links = {f"l{i}": {"rigid": lump} for i in range(n)}
    robot = build(
        {"name": f"pinned{n}", "gravity": [0, 0, -9.81], "links": links, "joints": joints}
    )
    tip = robot.station(f"l{n - 1}.tip")
    p = station_pose(robot, robot.neutral(), f"l{n - 1}.tip").p
    ground = Station(p, np.zeros((0, 3)), np.zeros((0, 3)))
    return replace(robot, loops=(Loop("pin", (-1, ground), tip, KINDS["spherical"]()),))


def stewart(seconds: float) -> Table:
    """One forward dynamics of the Stewart platform, called from Python."""
    robot = load(STEWART)
    q, rng = robot.home(), np.random.default_rng(0)
    J = np.asarray(closure_jacobian(robot, q), dtype=float)
    qd = rng.normal(size=robot.nv)
    qd = qd - np.linalg.pinv(J) @ (J @ qd)
    tau = rng.normal(size=robot.nv)
    function = compile(robot, "forward_dynamics")
    found = function(q, qd, tau)
    calls = {"ours": Call(function, (q, qd, tau, found))}
    peer = closed_dynamics(robot, q, qd, tau)
    if peer is not None:
        name, call, theirs = peer
        gap = float(np.abs(theirs - found).max() / np.abs(found).max())
        calls["peer"] = call
    best = in_turns(calls, seconds)
    row: tuple[Any, ...] = (STEWART, robot.nv, len(J), 1e6 * best["ours"])
    if peer is None:
        return Table(("robot", "coordinates", "closure rows", "us"), [row])
    columns = ("robot", "coordinates", "closure rows", "us", name, "faster", "apart")
    return Table(columns, [(*row, 1e6 * best["peer"], best["peer"] / best["ours"], f"{gap:.0e}")])
