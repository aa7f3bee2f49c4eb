"""Why the native integrators can be trusted: orders, energy, stiffness, published numbers."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import supple
from supple.model import build
from supple.robot import Robot
from supple.simulation import Tolerances
from supple.simulation.integrators import METHODS
from supple.types import Floats

from .native import Prepared
from .table import Table

TESTS = Path(__file__).resolve().parents[2] / "tests"
RATIOS = (1.0, 1e3, 1e6)
ORDERS = {"explicit": 8, "rosenbrock": 5, "sweep": 3, "rk4": 4}
LENGTHS = {  # steps of one length, from the longest that shows the order
    "explicit": 0.05 * 0.8 ** np.arange(9),
    "rosenbrock": 0.02 * 0.7 ** np.arange(9),
    "sweep": 0.01 * 0.5 ** np.arange(8),
    "rk4": 0.01 * 0.5 ** np.arange(7),
}


def pendulum(shapes: int = 2) -> Robot:
    """A soft rod that swings and bends."""
    rod = {"length": 1.0, "mass": 1.0, "EI": 2.0, "modes": {"bending_y": shapes}}
    words = {"name": "pendulum", "gravity": [0, -9.81, 0], "links": {"rod": {"beam": rod}}}
    return build(words | {"joints": [{"name": "pin", "type": "revolute", "child": "rod"}]})


def energy_drift(duration: float = 100.0) -> float:
    """Of the pendulum let go from 0.8 rad above the hanging place, over its largest energy."""
    start = {"pin": 0.8 - np.pi / 2}
    run = supple.simulate(
        pendulum(), None, duration, q0=start, method="explicit", rtol=1e-12, atol=1e-14, samples=201
    )  # fmt: skip
    total = run["kinetic"] + run["gravity"] + run["elastic"]
    swing = float(np.ptp(run["kinetic"]))
    return float(np.abs(total - total[0]).max()) / swing


def stiff_arm(ratio: float) -> Robot:
    """Three links that bend both ways and twist, 15 shapes; `ratio`: torsion, how much stiffer."""
    shapes = {"bending_y": 2, "bending_z": 2, "torsion": 1, "family": "orthogonal"}
    beam = {"length": 1.0, "mass": 2.0, "EI": 200.0, "GJ": 150.0 * ratio, "modes": shapes}
    beam["polar_inertia"] = 1e-3
    joints: list[dict[str, Any]] = []
    for k in range(3):
        joint: dict[str, Any] = {"name": f"j{k}", "type": "revolute", "child": f"l{k}"}
        joint |= {"axis": [0, 0, 1] if k % 2 else [0, 1, 0]}
        joints.append(joint | ({"parent": f"l{k - 1}"} if k else {}))
    links = {f"l{k}": {"beam": beam} for k in range(3)}
    words = {"name": "stiff", "gravity": [0, 0, -9.81], "links": links, "joints": joints}
    return build(words | {"elastic_kinematics": "first_order"})


def steps_of(robot: Robot, method: str, duration: float = 1.0) -> tuple[int, Floats]:
    """Steps to fall for a while, each as long as accuracy (and stability) lets it be; the end."""
    bent = {"j0": 0.3, "j1": 0.7, "j2": 0.5}
    problem = Prepared(robot, duration=duration, samples=3, q0=bent)
    made = problem.run(Tolerances(method, 1e-4, 1e-4))
    return made.steps, made.states[-1]


def stiffness(ratios: tuple[float, ...] = RATIOS) -> Table:
    """Steps beside the fastest frequency."""
    rows = []
    for ratio in ratios:
        robot = stiff_arm(ratio)
        fastest = float(np.max(supple.frequencies(robot).omega))
        counts = [steps_of(robot, m)[0] for m in ("explicit", "rosenbrock", "sweep")]
        rows.append((f"{ratio:.0e}", f"{fastest:.2g}", *counts))
    columns = ("torsion stiffer by", "fastest [rad/s]", "explicit", "rosenbrock", "sweep")
    note = (
        "Steps in 1 s of the free fall of an arm of 15 shapes, tolerances 1e-4. Explicit ones are "
        "held by the fastest mode, the others by what moves."
    )
    return Table(columns, rows, (note,))


def errors(method: str) -> tuple[Any, Any]:
    """Of the swinging pendulum after 2 s, by steps of one length."""
    problem = Prepared(pendulum(1), duration=2.0, samples=2, q0={"pin": -0.5})
    true = problem.run(Tolerances("explicit", 1e-13, 1e-15)).states[-1, :2]
    problem.every = np.inf
    found = []
    for step in LENGTHS[method]:
        made = problem.run(Tolerances(method, 1e-6, 1e-6, float(step)))
        found.append(np.abs(made.states[-1, :2] - true).max())
    return np.asarray(LENGTHS[method]), np.array(found)


def orders() -> Table:
    """Slopes of error against step, over errors that are neither rough nor rounding."""
    rows = []
    for method in METHODS:
        step, error = errors(method)
        keep = (error > 1e-11) & (error < 1e-4)
        slope = np.polyfit(np.log(step[keep]), np.log(error[keep]), 1)[0]
        rows.append((method, ORDERS[method], float(slope), f"{error[0]:.0e} to {error[-1]:.0e}"))
    return Table(("integrator", "order", "order seen", "errors"), rows)


def draw(path: Path) -> None:
    """Error against step of every integrator."""
    from matplotlib.figure import Figure

    from supple.files import write_whole

    figure = Figure(figsize=(6, 4.5), layout="constrained")
    axes = figure.subplots()
    for method, color in zip(METHODS, ("#4477aa", "#cc6677", "#228833", "#888888"), strict=True):
        step, error = errors(method)
        axes.loglog(step, error, "o-", color=color)
        near: dict[str, Any] = {"xytext": (-6, 2), "textcoords": "offset points"}
        axes.annotate(method, (step[0], error[0]), color=color, ha="right", **near)
    axes.set(xlabel="step [s]", ylabel="error of a flexible pendulum after 2 s")
    axes.spines[["top", "right"]].set_visible(False)
    write_whole(path, lambda file: figure.savefig(file, dpi=130))


def _from_tests(name: str) -> Any:
    """A module of the tests that holds a published problem."""
    sys.path.insert(0, str(TESTS))
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(TESTS))


def andrews(method: str) -> float:
    """Largest distance from the published end of Andrews' squeezer, over the number where it is
    more than 1."""
    problem = _from_tests("loops.benchmarks")
    robot, end = problem.andrews(), problem.ANDREWS_END
    run = supple.simulate(
        robot, problem.andrews_torques(robot), 0.03, method=method, rtol=1e-11, atol=1e-13,
        samples=2,
    )  # fmt: skip
    return float(max(abs(run[name][-1] - x) / max(1.0, abs(x)) for name, x in end.items()))


def slider_crank(method: str) -> float:
    """Largest relative distance of places and forces from Lagrange's equations, after 0.01 s."""
    problem = _from_tests("loops.slider_crank")
    q, qd = problem.start(problem.Print())
    q = np.array([*q[:2], 0.45 + q[6], *q[3:]])  # closed beyond the nine digits of the print
    expected = problem.end(problem.Print(), (q, qd), 0.01, 1e-10)
    found = _from_tests("loops.test_slider_crank").ours((q, qd), 0.01, method)
    return float(max(abs(found[k] / x - 1.0) for k, x in expected.items()))


def published() -> Table:
    """Problems of the IVP test set by native integrators."""
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # motors that lose their hold on the way
        for method in ("explicit", "rosenbrock"):
            rows.append(("Andrews' squeezer, 0.03 s", "published end", method, andrews(method)))
        apart = slider_crank("explicit")
        rows.append(("flexible slider-crank, 0.01 s", "Lagrange's equations", "explicit", apart))
    note = (
        "The slider-crank's published end follows from a rod whose extensions weigh 15 times too "
        "much (tests/loops/test_slider_crank.py), so its equations without that are the measure."
    )
    cells = [(*row[:3], f"{row[3]:.0e}") for row in rows]
    return Table(("problem", "beside", "method", "largest distance"), cells, (note,))
