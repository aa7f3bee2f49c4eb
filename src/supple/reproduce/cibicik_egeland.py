"""[CibicikEgeland]: the 4-DOF arm of section VI, nonlinear and linearised, figures 5 to 10."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import recursion
from ..engine import traced
from ..formulations import kane
from ..robot import Robot
from ..screws.dual import dual_part, seed
from ..types import Array, Floats
from .manoeuvre import FAST, GAINS, HOW, MODELS, REACH, SLEW, START, Run, robot, run
from .report import Figure, Misprint, Report, ReportTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PRINTED = {"nonlinear": "3901", "linearised": "314"}  # s of CPU time
GROUPS = {
    "joints": "joint",
    "torsion": ".torsion",
    "bending in the xy plane": ".bending_y",
    "bending in the xz plane": ".bending_z",
}


def report() -> Report:
    return Report(
        "cibicik-egeland",
        "Cibicik and Egeland (2020): flexible robotic manipulators using dual screws",
        (times(), claims(), largest(), joints(), torques(), three_ways()),
        misprints(),
        figures(),
    )


def times() -> ReportTable:
    """What the run costs, beside the paper's CPU times in Matlab/Simulink."""
    rows = []
    for model in MODELS:
        r = run(model)
        count = r.operations["multiplications"] + r.operations["additions"]
        each = f"{1e6 * r.each:.2f}"
        rows.append(
            (model, PRINTED.get(model, ""), f"{r.wall:.2f}", r.evaluations, r.steps, count, each)
        )
    columns = ("model", "printed, s", "ours, s", "evaluations", "steps", "operations", "us each")
    compiling = ", ".join(f"{model} {run(model).compiling:.2g}" for model in MODELS)
    full, linear = (run(model).each for model in ("nonlinear", "linearised"))
    notes = (
        "nonlinear: the recursion, first_order. linearised: the recursion, linearized, O(n). "
        "as printed: Kane's equations with dual screws, the paper's columns and sections.",
        "The paper's linearised model took 14 s when its code was optimised; its nonlinear one "
        "could not be. Derivatives of the projection matrices as symbols, printed 11 s by the "
        "operator (76) and 181 s by diff, are measured by bench/run.py --only dual_screws.",
        f"Explicit steps of order 8, relative tolerance {HOW.rtol:g}, absolute {HOW.atol:g}. They "
        "and the right-hand side, controller included, are native code; the latter was made or "
        f"taken from the cache in (s): {compiling}.",
        "The paper finds its linearised model twelve times faster. Here an evaluation of it takes "
        f"{linear / full:.2g} times the nonlinear one: a recursion holds no long expressions that "
        "linearising could shorten.",
    )
    return ReportTable("The 6 s manoeuvre: what it costs", columns, tuple(rows), notes)


def _indices(group: str) -> list[int]:
    """Coordinates of a group, by their names."""
    part = GROUPS[group]
    return [i for i, name in enumerate(robot().coordinate_names) if part in name]


def claims() -> ReportTable:
    """What section VI-B says, beside the runs."""
    linear, full = run("linearised"), run("nonlinear")
    flat, turns = _indices("bending in the xy plane"), _indices("joints")
    aside = [*_indices("torsion"), *_indices("bending in the xz plane")]
    early, late = slice(0, linear.at(3.0) + 1), slice(linear.at(3.0), None)
    gap, size = np.abs(linear.q - full.q).max(axis=0), np.abs(full.q).max(axis=0)
    change = np.ptp(linear.q[late, flat], axis=0).max() / np.abs(linear.q[:, flat]).max()
    last = np.ptp(linear.torque[linear.at(4.0) :], axis=0) / np.abs(linear.torque).max(axis=0)
    values: tuple[tuple[str, str, float], ...] = (
        ("torsion and bending in xz before 3 s", "0", np.abs(linear.q[early, aside]).max()),
        ("joints, nonlinear - linearised, deg", "not visible", np.rad2deg(gap[turns].max())),
        ("shapes, the same, % of each", "small", 100 * (gap / size)[[*flat, *aside]].max()),
        ("bending in xy after 3 s: change, %", "do not change", 100 * change),
        ("torque of joint 1 after 4 s: change, %", "do not change", 100 * last[0]),
        ("torques of joints 2 to 4, the same", "do not change", 100 * last[1:].max()),
        ("smallest eigenvalue of M, linearised", "", least_eigenvalue(linear)),
    )
    notes = (
        f"The paper omits its controller. Ours: PD, kp = {_plain(GAINS.kp)}, kd = "
        f"{_plain(GAINS.kd)}, no gravity compensation. Joint 1 is slow with it: in a faster slew "
        f"(kp1 = {FAST.kp[0]:g}, kd1 = {FAST.kd[0]:g}) the mass matrix of the model as printed "
        "becomes singular at 3.06 s, when link 2 twists; those of the other two do not.",
    )
    rows = tuple((claim, printed, f"{value:.3g}") for claim, printed, value in values)
    return ReportTable("Claims of section VI-B", ("claim", "printed", "ours"), rows, notes)


def _plain(x: tuple[float, ...]) -> str:
    return "(" + ", ".join(f"{v:g}" for v in x) + ")"


def least_eigenvalue(r: Run, every: int = 100) -> float:
    """Of the mass matrix of the `linearized` robot along a run."""
    arm = robot("linearized")
    M = traced(lambda q: recursion.mass_matrix(arm, q), (arm.nq,), ("mass", arm))
    return min(float(np.linalg.eigvalsh(M(np.ascontiguousarray(q)))[0]) for q in r.q[::every])


def largest() -> ReportTable:
    """Coordinate by coordinate: largest value, and how far the models are apart."""
    full, linear, paper = (run(model) for model in MODELS)
    rows = []
    for i, name in enumerate(robot().coordinate_names):
        gaps = [f"{np.abs(full.q[:, i] - r.q[:, i]).max():.2e}" for r in (linear, paper)]
        rows.append((name, float(np.abs(full.q[:, i]).max()), *gaps))
    notes = (
        "rad for joints; shapes by their scale, (1/L) int phi^2 = 1. Nodes turn by exp theta~ "
        "here, by Rx Ry Rz in the paper, whose columns leave out what tells these two apart "
        "(docs/dual_screws.md): that is the last column once link 2 twists, after 3 s.",
    )
    columns = ("coordinate", "largest", "nonlinear - linearised", "nonlinear - as printed")
    return ReportTable(
        "Largest values and differences (figures 6 to 9)", columns, tuple(rows), notes
    )


INSTANTS = (0.5, 1.0, 2.0, 3.0, 4.0, 6.0)


def joints() -> ReportTable:
    """Joint angles at some instants."""
    rows = _snapshots(lambda r: np.rad2deg(r.q[:, _indices("joints")]))
    return ReportTable("Joints, deg (figure 6)", ("t", "model", "q1", "q2", "q3", "q4"), rows)


def torques() -> ReportTable:
    """Torques at some instants."""
    rows = _snapshots(lambda r: r.torque)
    return ReportTable("Torques, N m (figure 10)", ("t", "model", "T1", "T2", "T3", "T4"), rows)


def _snapshots(of: Callable[[Run], Floats]) -> tuple[tuple[object, ...], ...]:
    rows = []
    for t in INSTANTS:
        for model in ("nonlinear", "linearised"):
            values = of(run(model))[run(model).at(t)]
            rows.append((t, model, *(f"{v:.4f}" for v in values)))
    return tuple(rows)


def three_ways(time: float = 3.05) -> ReportTable:
    """The linearised equations at a state of the run: recursion, dual screws, Taylor."""
    r = run("linearised")
    q, u = r.q[r.at(time)], r.u[r.at(time)]
    ours = linearised_terms(robot("linearized"), q, u)
    rows = []
    for name, found in other_ways(q, u).items():
        gaps = [_gap(a, b) for a, b in zip(ours, found, strict=True)]
        rows.append((name, *(f"{gap:.1e}" for gap in gaps), f"{_joint_gap(ours, found):.1e}"))
    notes = (
        f"At t = {time} s of the run, K being the same by definition; largest difference over the "
        "largest entry. The paper's columns lack the first order of the nodes' angular velocity: "
        "no row of a joint in C u and gravity and no joint's block of M feels that.",
    )
    columns = ("recursion, linearized, less", "M", "C u", "gravity", "joints alone")
    return ReportTable("The linearised equations in three ways", columns, tuple(rows), notes)


Terms = tuple[Array, Array, Array]
"""M, C u and gravity."""


def linearised_terms(arm: Robot, q: Array, u: Array) -> Terms:
    """By the recursion, of the order that the robot's elastic kinematics has."""
    return (
        recursion.mass_matrix(arm, q),
        recursion.coriolis_force(arm, q, u),
        recursion.gravity_force(arm, q),
    )


def other_ways(q: Floats, u: Floats) -> dict[str, Terms]:
    """The Taylor expansion of the nonlinear equations, and dual screws."""
    arm = robot()
    shapes = np.zeros(arm.nv)
    shapes[list(arm.mode_indices)] = 1.0
    rigid = linearised_terms(arm, q * (1.0 - shapes), u * (1.0 - shapes))
    slopes = linearised_terms(arm, *(seed(x * (1.0 - shapes), x * shapes) for x in (q, u)))
    M, Cu, gravity = (a + dual_part(b) for a, b in zip(rigid, slopes, strict=True))
    out: dict[str, Terms] = {"Taylor expansion": (M, Cu, gravity)}
    orders = {"dual screws, true columns": kane.TAYLOR, "dual screws, the paper's": kane.PAPER}
    for name, order in orders.items():
        eq = kane.equations(arm, q, u, order)
        out[name] = (eq.M, eq.C @ u, eq.gravity)
    return out


def _joint_gap(ours: Terms, found: Terms) -> float:
    """In the joints' block of M and their rows of C u and gravity."""
    rows = list(robot().joint_indices)
    block = np.ix_(rows, rows)
    gaps = [_gap(ours[k][rows], found[k][rows]) for k in (1, 2)]
    return max(*gaps, _gap(ours[0][block], found[0][block]))


def _gap(a: Array, b: Array) -> float:
    return float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-300))


def misprints() -> tuple[Misprint, ...]:
    """What the paper prints wrongly, or chooses without need."""
    text = (files(__package__) / "cibicik_egeland.json").read_text(encoding="utf-8")
    return tuple(Misprint(*row) for row in json.loads(text)["misprints"])


def figures() -> tuple[Figure, ...]:
    """Figures 5 to 10; the paper's zoomed-in parts stand on the right."""
    _, torsion, xy, xz = GROUPS
    tall = (9.0, 10.0)
    return (
        Figure("figure-05-manoeuvre", _draw_manoeuvre, (1, 2), (9.0, 4.0)),
        Figure("figure-06-joints", _draw_joints, (2, 1), (9.0, 6.5)),
        Figure("figure-07-bending-xy", _draw_shapes(xy, (0.0, 3.0), (0.48, 0.7)), (4, 2), tall),
        Figure("figure-08-torsion", _draw_shapes(torsion, (2.5, 6.0), (2.99, 3.06)), (4, 2), tall),
        Figure("figure-09-bending-xz", _draw_shapes(xz, (2.5, 6.0), (2.98, 3.3)), (4, 2), tall),
        Figure("figure-10-torques", _draw_torques, (2, 2), (9.0, 6.5)),
    )


AxesGrid = npt.NDArray[np.object_]
"""Matplotlib axes in rows and columns, or one row or column of them."""


def _draw_manoeuvre(axes: AxesGrid) -> None:
    """From the side, in the plane of the arm, and from above."""
    looks = (("start", START, "0.5", "--", 1.5), ("3 s", REACH, "0.75", "-", 5.0))
    for name, goal, color, style, width in (*looks, ("6 s", SLEW, "black", "-", 1.5)):
        q = robot().neutral()
        q[_indices("joints")] = goal
        places = [pose.p for pose in recursion.link_poses(robot(), q)]
        x, y, z = np.array([*places, recursion.station_pose(robot(), q, "link4").p]).T
        for panel, across, up in ((axes[0], np.hypot(x, y), z), (axes[1], x, y)):
            panel.plot(
                across, up, style, color=color, lw=width, marker="o", markersize=4, label=name
            )
    for panel, title, words in (
        (axes[0], "from the side, in the arm's plane", ("reach [m]", "height [m]")),
        (axes[1], "from above", ("x [m]", "y [m]")),
    ):
        panel.set(xlabel=words[0], ylabel=words[1], aspect="equal")
        panel.set_title(title, loc="left", fontsize=10)
        panel.grid(alpha=0.3)
    axes[1].legend(fontsize=8, title="commanded", loc="upper left")


Span = tuple[float, float]
"""From when until when."""

History = Callable[[Run], Floats]
"""Columns to draw over time."""


def _lines(panel: Axes, of: History, labels: list[str], span: Span) -> None:
    """Linearised solid, over nonlinear in wide grey dashes: what sticks out is the difference."""
    for model, style, width in (("nonlinear", "--", 2.6), ("linearised", "-", 0.9)):
        r = run(model)
        keep = (r.t >= span[0]) & (r.t <= span[1])
        for k, label in enumerate(labels):
            solid = model == "linearised"
            color, name = (f"C{k}", label) if solid else ("0.6", None)
            panel.plot(r.t[keep], of(r)[keep, k], style, color=color, lw=width, label=name)
    panel.set_xlim(*span)
    panel.grid(alpha=0.3)


def _zoomed(
    panels: AxesGrid, of: History, labels: list[str], spans: tuple[Span, Span], words: str
) -> None:
    """A history, and on the right the shaded part of it."""
    for panel, span in zip(panels, spans, strict=True):
        _lines(panel, of, labels, span)
    panels[0].axvspan(*spans[1], color="C7", alpha=0.2, lw=0)
    panels[0].set_ylabel(words)
    panels[1].legend(fontsize=7, loc="best")


def _titled(first: Axes, last: AxesGrid, words: str) -> None:
    first.set_title(f"{words}; solid: linearised, grey dashes: nonlinear", loc="left", fontsize=10)
    for panel in last:
        panel.set_xlabel("t [s]")


def _draw_joints(axes: AxesGrid) -> None:
    columns, labels = _indices("joints"), ["q1", "q2", "q3", "q4"]
    _lines(axes[0], lambda r: np.rad2deg(r.q[:, columns]), labels, (0.0, 6.0))
    _lines(axes[1], lambda r: np.rad2deg(r.u[:, columns]), labels, (0.0, 6.0))
    axes[0].set_ylabel("joint angle [deg]")
    axes[1].set_ylabel("joint rate [deg/s]")
    axes[0].legend(fontsize=8, ncols=4)
    _titled(axes[0], axes[1:], "joints")


def _draw_shapes(group: str, span: Span, zoom: Span) -> Callable[[AxesGrid], None]:
    """Coordinates and speeds of one kind of shapes, link 2 and link 3."""

    def draw(axes: AxesGrid) -> None:
        names = robot().coordinate_names
        for link, rows in (("link2", axes[:2]), ("link3", axes[2:])):
            columns = [i for i in _indices(group) if names[i].startswith(link)]
            labels = [names[i] for i in columns]
            _zoomed(rows[0], _columns("q", columns), labels, (span, zoom), f"{link}, coordinates")
            _zoomed(rows[1], _columns("u", columns), labels, (span, zoom), f"{link}, speeds [1/s]")
        _titled(axes[0][0], axes[-1], group)

    return draw


def _columns(history: str, columns: list[int]) -> History:
    return lambda r: np.asarray(getattr(r, history)[:, columns])


def _draw_torques(axes: AxesGrid) -> None:
    for row, pair, zoom in ((axes[0], [1, 2], (0.48, 0.7)), (axes[1], [0, 3], (2.98, 3.3))):
        labels = [f"T{k + 1}" for k in pair]
        _zoomed(row, _columns("torque", pair), labels, ((0.0, 4.0), zoom), "torque [N m]")
    _titled(axes[0][0], axes[-1], "torques")
