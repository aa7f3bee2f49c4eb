"""Real robots of URDF files: how near they are to Pinocchio, how long they take to load; and a UR10
whose two long links bend, five seconds under PD control. Processor time, the least of several."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import supple
from supple import recursion
from supple.model.urdf.propose import proposal
from supple.robot import Robot

from .table import Table

BENT = ("upper_arm_link", "forearm_link")
GAINS = ([4000, 4000, 2500, 400, 300, 20], [300, 300, 150, 15, 10, 0.3])
GOAL = (0.8, -0.9, 1.0, -0.4, 0.3, 0.5)


def study(seconds: float) -> list[Table]:
    return [against_pinocchio(20 if seconds else 1), run_of_ur10(7 if seconds else 1)]


def robot_files() -> list[Path]:
    """All URDF files of the package example-robot-data."""
    listed = files("example-robot-data") or []
    return sorted(Path(str(x.locate())).resolve() for x in listed if x.name.endswith(".urdf"))


def least(call: Callable[[], Any], turns: int) -> float:
    """Processor time of a call [s]."""
    found = []
    for _ in range(turns):
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return min(found)


def against_pinocchio(states: int) -> Table:
    """Mass matrix and bias of every robot that Pinocchio reads, on a fixed base."""
    rows = []
    for file in robot_files():
        row = compared(file, states)
        if row is not None:
            rows.append(row)
    worst = max(max(row[4], row[5]) for row in rows)
    note = (
        f"{len(rows)} robots, {states} random states each; the largest difference is {worst:.1e}."
    )
    columns = ("robot", "links", "coordinates", "load [s]", "M", "bias")
    return Table(columns, rows, (note, "M and bias: largest difference, of the largest entry."))


def compared(file: Path, states: int) -> tuple[Any, ...] | None:
    import pinocchio as pin

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model, robot = pin.buildModelFromUrdf(str(file)), supple.load(file)
            load = least(lambda: supple.load(file), 1)
    except (ValueError, RuntimeError):
        return None  # not a robot
    if any(model.nvs[k] != 1 for k in range(1, model.njoints)) or not model.nv:
        return None
    data, rng, worst = model.createData(), np.random.default_rng(0), np.zeros(2)
    for _ in range(states):
        q, qd = rng.uniform(-2, 2, robot.nq), rng.normal(size=robot.nv)
        x, at = _theirs(robot, model, q)
        v = np.zeros(model.nv)
        v[at] = qd
        M = pin.crba(model, data, x)
        M = (np.triu(M) + np.triu(M, 1).T)[np.ix_(at, at)]
        h = pin.rnea(model, data, x, v, np.zeros(model.nv))[at]
        ours = recursion.bias_force(robot, q, qd) - recursion.passive_force(robot, q, qd)
        pairs = ((recursion.mass_matrix(robot, q), M), (ours, h))
        found = [np.abs(a - b).max() / max(np.abs(b).max(), 1e-9) for a, b in pairs]
        worst = np.maximum(worst, found)
    return (
        file.stem,
        len(robot.links),
        robot.nv,
        round(load, 3),
        *(float(f"{x:.1e}") for x in worst),
    )


def _theirs(robot: Robot, model: Any, q: Any) -> tuple[Any, list[int]]:
    """Their configuration, and the places of our rates in theirs."""
    x, at = np.zeros(model.nq), []
    for link in robot.links:
        if link.joint.nv:
            k, own = model.getJointId(link.joint_name), q[link.q.start]
            wide = [np.cos(own), np.sin(own)] if model.nqs[k] == 2 else [own]
            x[model.idx_qs[k] : model.idx_qs[k] + model.nqs[k]] = wide
            at.append(model.idx_vs[k])
    return x, at


def run_of_ur10(turns: int) -> Table:
    """Five seconds of a UR10 with two bending links, once its code is compiled."""
    file = next(path for path in robot_files() if path.name == "ur10_robot.urdf")
    with TemporaryDirectory() as folder:
        model = Path(folder) / "ur10.yaml"
        model.write_text(proposal(model, file, BENT), encoding="utf-8")
        robot = supple.load(model)
    joints = [robot.velocity_names[k] for k in robot.joint_indices]
    way = supple.quintic(robot, dict(zip(joints, GOAL, strict=True)), 4.0)
    law = supple.pd(robot, *GAINS, way)

    def run(samples: int) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return supple.simulate(robot, law, 5.0, samples=samples, rtol=1e-5, atol=1e-7)

    first = least(lambda: run(101), 1)
    rows = [("the first run, which compiles", first)]
    for samples in (101, 501):
        rows.append((f"a run of 5 s, {samples} samples", least(partial(run, samples), turns)))
    notes = (f"{robot.nv} coordinates, {robot.modes} of them shapes; checks of the run included.",)
    return Table(("UR10, two bending links, PD control", "processor time [s]"), rows, notes)
