"""Runs against the clock and against other programs, all in one process; and whether they are
right. Each row says what is wanted beside what was measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import supple
from supple.engine import compile
from supple.model import load
from supple.reproduce import manoeuvre
from supple.robot import Robot, without_shapes
from supple.simulation import Tolerances, feedforward, named_motion, simulate_many
from supple.types import Floats

from . import cables, spin_up, trust
from .native import Made, Prepared, by_cvode, by_lsoda, cheapest
from .table import Table

COLUMNS = ("what", "measured", "wanted", "how", "error")
GOAL = 1e-6  # rad, of the joint angles of the Canadarm
RUNS = 256
EXACT = Path(__file__).resolve().parents[2] / "tests" / "data" / "spin_up_beam.json"
TRIED = [
    *(Tolerances("rk4", 1e-6, 1e-6, step) for step in (2.5e-3, 2e-3, 1.5e-3)),
    *(
        Tolerances(method, rtol, atol)
        for method in ("rosenbrock", "explicit", "sweep")
        for rtol in (1e-4, 1e-5)
        for atol in (1e-5, 3e-6, 1e-6)
    ),
]

Row = tuple[Any, ...]


def study(seconds: float) -> list[Table]:
    turns = 20 if seconds else 1
    rows = [
        *canadarm(turns),
        shell(min(turns, 5)),
        *spun(turns),
        *foreshortened(turns),
        manoeuvred(turns),
        ("free flexible pendulum, 100 s: energy drift", f"{trust.energy_drift():.0e}",
         "below 1e-9", "explicit, 1e-12", ""),
    ]  # fmt: skip
    notes = (
        "Times are of the processor, the best of several runs, so that what else runs on the "
        "machine counts for nobody; those of simulate_many and of the shell are by the clock. x: "
        "how many times the fastest of ours the named program takes, in the same process. Errors "
        "are those of the row's own run.",
    )
    return [Table(COLUMNS, rows, notes), trust.stiffness(), trust.orders(), trust.published()]


def words(how: Tolerances) -> str:
    """A method with its tolerances or step."""
    if how.step is not None:
        return f"{how.method}, steps of {1e3 * how.step:g} ms"
    return f"{how.method}, {how.rtol:.0e} and {how.atol:.0e}"


def canadarm(turns: int) -> list[Row]:
    """10 s of the planar Canadarm along the paper's motion, to 1e-6 rad."""
    problem = Prepared(load("canadarm"), motion="paper")
    true = problem.run(Tolerances("explicit", 1e-12, 1e-14)).states
    best: dict[str, tuple[Made, Tolerances, float]] = {}
    for how in TRIED:
        made = problem.run(how, turns)
        error = problem.error(made.states, true)
        known = best.get(how.method)
        if error <= GOAL and (known is None or made.seconds < known[0].seconds):
            best[how.method] = (made, how, error)
    rows = [
        (f"Canadarm, 10 s to 1e-6 rad: integration by {name}", f"{1e3 * made.seconds:.2f} ms",
         "5 ms", words(how), f"{error:.0e} rad")
        for name, (made, how, error) in best.items()
    ]  # fmt: skip
    fastest = min(made.seconds for made, _, _ in best.values())
    rows.append(_whole(best["rosenbrock"][1], problem, true, turns))
    for name, wanted, solve, methods in (
        (f"LSODA of SciPy {version('scipy')}", "30 x", by_lsoda, ("solve_ivp",)),
        (f"LSODA of SciPy {version('scipy')}", "30 x", by_lsoda, ("odeint",)),
        (f"CVODE of scikit-sundae {version('scikit-sundae')}", "20 x", by_cvode, ("Adams", "BDF")),
    ):
        found = [cheapest(problem, solve, m, true, GOAL, min(turns, 3)) for m in methods]
        which = int(np.argmin([x[0].seconds for x in found]))
        made, error, rtol, atol = found[which]
        way = f"{1e3 * made.seconds:.0f} ms, {methods[which]} {rtol:.0e} and {atol:.0e}"
        ratio, off = f"{made.seconds / fastest:.0f} x", f"{error:.0e} rad"
        rows.append((f"the same by {name}, our compiled rate", ratio, wanted, way, off))
    return [*rows, _many(best, problem, true, turns)]


def _whole(how: Tolerances, problem: Prepared, true: Floats, turns: int) -> Row:
    """A whole call of supple.simulate, with all it looks at."""
    options: dict[str, Any] = {"method": how.method, "rtol": how.rtol, "atol": how.atol}
    call = lambda: supple.simulate(problem.robot, motion="paper", **options)  # noqa: E731
    run, seconds = best_of(call, min(turns, 5))
    joints = list(problem.robot.joint_indices)
    error = float(np.abs(run["q"] - true[:, : problem.robot.nq])[:, joints].max())
    what = "the whole supple.simulate, everything checked and observed"
    return (what, f"{1e3 * seconds:.0f} ms", "", words(how), f"{error:.0e} rad")


def _many(best: dict[str, Any], problem: Prepared, true: Floats, turns: int) -> Row:
    """Starts that differ, side by side; the first of them is the run alone."""
    joints = [problem.robot.coordinate_names[j] for j in problem.robot.joint_indices]
    spread = np.random.default_rng(0).normal(scale=0.1, size=(3, RUNS))
    spread[:, 0] = 0.0
    starts = {"q0": dict(zip(joints, spread, strict=True))}
    how = min(best.values(), key=lambda x: x[0].seconds)[1]
    options: dict[str, Any] = {"method": how.method, "rtol": how.rtol, "atol": how.atol}
    call = lambda: simulate_many(  # noqa: E731
        problem.robot, starts, motion="paper", samples=501, step=how.step, **options
    )
    runs, seconds = best_of(call, min(turns, 5), time.perf_counter)
    _, all_cores = best_of(call, min(turns, 5))
    j = list(problem.robot.joint_indices)
    error = float(np.abs(runs["q"][0] - true[:, : problem.robot.nq])[:, j].max())
    each = f"{1e3 * seconds / RUNS:.2f} ms"
    what = f"simulate_many of {RUNS} starts: a trajectory"
    way = f"{words(how)}; {1e3 * all_cores / RUNS:.2f} ms of processor time"
    return (what, each, "1 ms", way, f"{error:.0e} rad")


def best_of(
    call: Callable[[], Any], turns: int, clock: Callable[[], float] = time.process_time
) -> tuple[Any, float]:
    """What it gives, and the shortest of so many times."""
    best, found = np.inf, None
    for _ in range(turns + 1):  # the first may compile
        begin = clock()
        found = call()
        best = min(best, clock() - begin)
    return found, best


def shell(turns: int) -> Row:
    """`supple simulate canadarm` from the shell, a warm cache, modules compiled as pip does it."""
    words = [sys.executable, "-c", "from supple.cli import main; main()", "simulate", "canadarm"]
    walls, cpus = [], []
    with TemporaryDirectory() as folder:
        known = os.environ | {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        for _ in range(turns + 1):
            before, begin = os.times(), time.perf_counter()
            subprocess.run(words, capture_output=True, check=True, env=known)
            after = os.times()
            walls.append(time.perf_counter() - begin)
            own = after.children_user + after.children_system
            cpus.append(own - before.children_user - before.children_system)
    how = f"{min(cpus):.2f} s of processor time"
    return ("supple simulate canadarm, from the shell", f"{min(walls):.2f} s", "1.5 s", how, "")


def spun(turns: int) -> list[Row]:
    """The spin-up of the beam to 0.5 % of its largest deflection."""
    exact = json.loads(EXACT.read_text(encoding="utf-8"))["runs"]["exact_N8"]
    how = Tolerances("rosenbrock", 1e-3, 1e-4)
    ours = spin_up.ours(3, how, turns)
    found = [
        (tip, f"{integrator}, steps of {1e3 / rate:g} ms")
        for integrator in ("Euler", "implicitfast", "RK4")
        for rate in (1000, 1250, 1600, 2000, 4000)
        if spin_up.off(tip := spin_up.by_mujoco(20, 1.0 / rate, integrator), exact) <= 5e-3
    ]
    peer, way = min(found, key=lambda x: x[0].seconds)
    mine = f"{1e3 * ours.seconds:.2f} ms"
    words_of = f"3 shapes, {words(how)}, {ours.steps} steps"
    percent = [f"{100 * spin_up.off(tip, exact):.2f} %" for tip in (ours, peer)]
    return [
        ("spin-up of a beam, 20 s to 0.5 % of its deflection", mine, "", words_of, percent[0]),
        (f"the same by MuJoCo {version('mujoco')}, 20 segments",
         f"{peer.seconds / ours.seconds:.0f} x", "above 1 x",
         f"{1e3 * peer.seconds:.0f} ms, {way}", percent[1]),
    ]  # fmt: skip


def foreshortened(turns: int) -> list[Row]:
    """The Canadarm with foreshortening under given torques: the end effector to 0.2 % of what
    flexibility does to it."""
    arm = load("canadarm").replace(elastic_kinematics="second_order")
    true_arm = _shaped(arm, (6, 6, 6))
    true = _path(true_arm, Prepared(true_arm, motion="paper"), Tolerances("rosenbrock", 1e-5, 1e-7))
    motion = named_motion(arm, "paper")
    rigid_arm = without_shapes(arm)
    rigid = _path(
        rigid_arm, Prepared(rigid_arm, motion=motion), Tolerances("explicit", 1e-9, 1e-11)
    )
    effect = _apart(true[1], rigid[1])
    rows = []
    own = _shaped(arm, (5, 5, 2))
    problem, times = Prepared(own, motion="paper"), []
    for how in (Tolerances("rosenbrock", 1e-4, 1e-4, 0.05), Tolerances("rosenbrock", 1e-3, 1e-4)):
        made, path = _path(own, problem, how, turns)
        times.append(made.seconds)
        percent = f"{100 * _apart(path, true[1]) / effect:.2f} %"
        what = "Canadarm with foreshortening, to 0.2 % of what flexibility does"
        how_words = f"5, 5 and 2 shapes, {words(how)}"
        rows.append((what, f"{1e3 * made.seconds:.1f} ms", "", how_words, percent))
    return [*rows, *_cables(arm, true[1], effect, times[0], min(turns, 3))]


def _cables(arm: Robot, true: Floats, effect: float, ours: float, turns: int) -> list[Row]:
    """The same by cable elements: as fast as they are, and as exact as they can be."""
    motion, none = named_motion(arm, "paper"), np.zeros(arm.nv)
    assert motion is not None
    law = feedforward(arm, motion)
    joints = list(arm.joint_indices)
    torque = lambda t: law(min(t, 10.0), none, none)[joints]  # noqa: E731
    runs = [cables.run(torque, 10.0, 501, 4, 5e-3) for _ in range(turns)]
    seconds = min(run.seconds for run in runs)
    fine = {EA: cables.run(torque, 10.0, 501, 8, 2e-3, EA).path for EA in (1e7, 1e8)}
    stiff = fine[1e8] + (fine[1e8] - fine[1e7]) / 9.0  # the limit of 1/EA -> 0
    name = f"Exudyn {version('exudyn')}"
    coarse, limit = (100 * _apart(x, true[:, :2]) / effect for x in (runs[0].path, stiff))
    return [
        (f"the same by {name}, 4 cable elements a link", f"{seconds / ours:.0f} x", "10 x",
         f"{1e3 * seconds:.0f} ms, generalised alpha, steps of 5 ms", f"{coarse:.2f} %"),
        (f"our truth beside {name}, 8 elements, 2 ms, EA without bound", f"{limit:.2f} %", "",
         "6 shapes a link, rosenbrock, 1e-5 and 1e-7", ""),
    ]  # fmt: skip


def _shaped(arm: Robot, counts: tuple[int, ...]) -> Robot:
    for link, count in zip(arm.links, counts, strict=True):
        arm = arm.with_modes(link.name, count, family="orthogonal")
    return arm


def _path(robot: Robot, problem: Prepared, how: Tolerances, turns: int = 1) -> tuple[Made, Floats]:
    """A run and the way of its end effector."""
    made = problem.run(how, turns)
    pose = compile(robot, "pose", station="link3.tip")
    return made, np.array([pose(np.ascontiguousarray(y[: robot.nq]))[1] for y in made.states])


def _apart(one: Floats, other: Floats) -> float:
    return float(np.linalg.norm(one - other, axis=1).max())


def manoeuvred(turns: int) -> Row:
    """The 6 s manoeuvre of the 4-DOF arm by steps that are as long as accuracy allows."""
    how = Tolerances("rosenbrock", 1e-2, 1e-4)
    true = manoeuvre.run("nonlinear")
    seconds = []
    for _ in range(turns):
        own = manoeuvre.made("nonlinear", how=how)
        seconds.append(own.wall)
    joints = list(manoeuvre.robot().joint_indices)
    error = float(np.abs(own.q - true.q)[:, joints].max())
    what = "manoeuvre of the 4-DOF arm, 6 s, 16 coordinates, PD control"
    return (what, f"{1e3 * min(seconds):.0f} ms", "100 ms", words(how), f"{error:.0e} rad")
