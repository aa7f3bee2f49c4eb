"""A run as the page plays it: configurations, what its plots show, and forces for its arrows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...robot import Robot
from ...simulation import Result
from ...types import Floats
from .numbers import Numbers
from .unbent import unbent_way

MOST_FRAMES = 2000
DOUBLE = 400_000  # bytes of configurations up to which all their digits are kept


def record(robot: Robot, run: Result, label: str, numbers: Numbers) -> dict[str, object]:
    """Everything that changes with time, at no more than MOST_FRAMES instants."""
    pick = frames(len(run.time))
    time, q = run.time[pick], run["q"][pick]
    rigid = unbent_way(robot, q)
    single = q.nbytes > DOUBLE
    return {
        "label": label,
        "samples": len(run.time),
        "time": numbers.put(time),
        "q": numbers.put(q.T, single),
        "rigid": None if rigid is None else numbers.put(rigid.T, single),
        "tau": numbers.put(run["tau"][pick].T, single=True),
        "cuts": _cuts(run, pick, numbers),
        "groups": groups(robot, run, pick, numbers),
        "events": [{"name": at.name, "t": at.t} for at in run.events[:200]],
        "warnings": list(run.warnings),
        "stopped": run.stopped,
    }


def frames(samples: int, most: int = MOST_FRAMES) -> NDArray[np.int64]:
    """Which samples are shown: all, or evenly many, first and last among them."""
    if samples <= most:
        return np.arange(samples)
    return np.unique(np.round(np.linspace(0, samples - 1, most)).astype(np.int64))


def _cuts(run: Result, pick: NDArray[np.int64], numbers: Numbers) -> int | None:
    if "multipliers" not in run.data:
        return None
    return numbers.put(run["multipliers"][pick].T, single=True)


def groups(
    robot: Robot, run: Result, pick: NDArray[np.int64], numbers: Numbers
) -> list[dict[str, object]]:
    """What the plots show: curves with names, by kind. Curves that stay at zero are left out."""
    si = robot.units == "SI"
    lengths = set(_texts(run, "lengths"))
    quaternions = {x.joint_name + s for x in robot.links for s in (".qw", ".qx", ".qy", ".qz")}
    joints = [n for n in _texts(run, "joints") if n in robot.coordinate_names]
    turned = [n for n in joints if n in quaternions]
    joints = [n for n in joints if n not in quaternions]
    turns, slides = ([n for n in joints if (n in lengths) == long] for long in (False, True))
    tau = dict(zip(robot.velocity_names, run["tau"].T, strict=True))
    bends = [i for i, link in enumerate(robot.links) if link.body.m]
    far = {robot.links[i].name: np.linalg.norm(run["deflection"][:, i], axis=1) for i in bends}
    shapes = [f"{x.name}.{s}" for x in robot.links for s in x.body.shape_names]
    energies = ("kinetic", "gravity", "elastic", "work", "dissipated")
    forces = {n: v for n, v in tau.items() if n in lengths}
    torques = {n: v for n, v in tau.items() if n not in forces}
    cuts = {str(n): v for n, v in zip(*_loads(run), strict=True)}
    tips = {f"{x.name}.{c}": run["tip"][:, i, k] for i, x in enumerate(robot.links)
            for k, c in enumerate("xyz") if _leaf(robot, i)}  # fmt: skip
    found: tuple[tuple[str, str, dict[str, Floats]], ...] = (
        ("Deflection of tips", "m", far),
        ("Joint angles", "rad", {n: run[n] for n in turns}),
        ("Joint slides", "m", {n: run[n] for n in slides}),
        ("Torques", "N m", torques),
        ("Forces", "N", forces),
        ("Shape coordinates", "", {n: run[n] for n in shapes}),
        ("Energy", "J", {n: run[n] for n in energies}),
        ("Place of tips", "m", tips),
        ("Forces at cuts", "N, N m", cuts),
        ("Quaternions", "", {n: run[n] for n in turned}),
    )
    shown = (_group(n, unit if si else "", curves, pick, numbers) for n, unit, curves in found)
    return [group for group in shown if group]


def _group(
    name: str, unit: str, curves: dict[str, Floats], pick: NDArray[np.int64], numbers: Numbers
) -> dict[str, object]:
    """The curves that differ from zero; nothing where none does."""
    kept = {n: v[pick] for n, v in curves.items() if np.any(v != 0.0)}
    if not kept:
        return {}
    block = numbers.put(np.array(list(kept.values())), single=True)
    return {"name": name, "unit": unit, "names": list(kept), "data": block}


def _loads(run: Result) -> tuple[list[str], list[Floats]]:
    if "multipliers" not in run.data:
        return [], []
    return [str(n) for n in run.data["cut"].values], list(run["multipliers"].T)


def _leaf(robot: Robot, i: int) -> bool:
    """Whether the link carries no other that counts."""
    return robot.links[i].role == "link" and not any(
        x.parent == i and x.role in ("link", "helper") for x in robot.links
    )


def _texts(run: Result, key: str) -> list[str]:
    import json

    return list(json.loads(run.data.attrs.get(key, "[]")))
