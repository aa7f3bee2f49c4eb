"""[Saha], section 3.5: the five-bar manipulator, Figs. 12 to 14."""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...checked import pose
from ...checked_loops import parallel
from ...errors import SuppleWarning
from ...loops.actuation import inverse_dynamics
from ...loops.closed_checks import driven_robot
from ...model import load
from ...recursion import twists
from ...robot import Robot
from ...simulation import Result, simulate
from ...simulation.closed_motion import MotorsMotion
from ...types import Floats
from ..report import Figure, ReportTable
from .serial import clean, motion

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AxesGrid = npt.NDArray[np.object_]
FALL = 1.5  # s: beyond the singular place
START = {"motor1": np.radians(80.0), "motor2": np.radians(70.0)}  # eq. (36)
PLANAR = (2, 3, 4)  # of a twist [w; v]: what moves in the plane
ROWS = ("wz", "vx", "vy")


@cache
def robot() -> Robot:
    return load("five-bar")


@cache
def trajectory(samples: int = 201) -> tuple[Floats, Floats, Floats, Floats]:
    """Times, joint angles, rates and all generalised forces along eq. (35)."""
    along = motion(robot())
    way, t = MotorsMotion(robot(), along), np.linspace(0.0, along.duration, samples)
    places = [way(float(x)) for x in t]
    tau = [inverse_dynamics(driven_robot(robot(), *at), *at) for at in places]
    return (
        t,
        np.array([q for q, _, _ in places]),
        np.array([v for _, v, _ in places]),
        np.array(tau),
    )


@cache
def fall() -> Result:
    """Free fall from eq. (36), through the singular place; the warning stays with the run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SuppleWarning)
        return simulate(robot(), duration=FALL, q0=START, samples=601, rtol=1e-12, atol=1e-13)


def stretched(q: Floats) -> Floats:
    """sin of the angle between the distal links: 0 where they are in one line, and Phi of
    eq. (29) is singular. q: (..., 4)."""
    return np.asarray(np.sin(q[..., 0] + q[..., 1] - q[..., 2] - q[..., 3]))


@cache
def singular_time() -> float:
    """When the distal links come into one line: by the polynomial through the samples around."""
    from scipy.interpolate import KroghInterpolator
    from scipy.optimize import brentq

    run = fall()
    s = stretched(run["q"])
    k = int(np.flatnonzero(s[:-1] * s[1:] <= 0.0)[0])
    near = slice(k - 4, k + 6)
    curve = KroghInterpolator(run.time[near] - run.time[k], s[near])
    return float(run.time[k] + brentq(curve, 0.0, run.time[k + 1] - run.time[k], xtol=1e-15))


def motion_tables() -> tuple[ReportTable, ...]:
    return angle_table(), torque_table(), fall_table()


def angle_table() -> ReportTable:
    """Fig. 12, every 2 s."""
    t, q, _, _ = trajectory()
    rows = tuple((float(t[k]), *(float(x) for x in q[k])) for k in range(0, len(t), 20))
    columns = ("t", "th1 leg 1", "th2 leg 1", "th1 leg 2", "th2 leg 2")
    notes = (
        "The paper prints neither the distance of the bases nor angle references nor the assembly "
        "mode: 1.2 m, counter-clockwise from +x, the point below the elbows. Near t = 10.3 s leg 2 "
        "is folded over itself (th2 = -180 deg), which the motors do not feel.",
    )
    title = "Five-bar: joint angles along eq. (35), rad (Fig. 12)"
    return ReportTable(title, columns, rows, notes)


def torque_table() -> ReportTable:
    """Fig. 13, every 2 s."""
    t, _, _, tau = trajectory()
    rows = tuple((float(t[k]), float(tau[k, 0]), float(tau[k, 2])) for k in range(0, len(t), 20))
    title = "Five-bar: driving torques along eq. (35), N m (Fig. 13)"
    return ReportTable(title, ("t", "tau leg 1", "tau leg 2"), rows)


def fall_table() -> ReportTable:
    """Fig. 14."""
    run = fall()
    rows: list[tuple[object, ...]] = []
    for t in (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.35):
        k = int(np.argmin(np.abs(run.time - t)))
        rows.append((t, *(float(x) for x in run["q"][k])))
    columns = ("t", "th1 leg 1", "th2 leg 1", "th1 leg 2", "th2 leg 2")
    notes = (
        f"Singular at t = {singular_time():.10f} s: the distal links are in one line. The paper's "
        "program stopped after about 1.4 s. The distance of the bases was chosen so that this "
        "time comes near, so it proves nothing.",
        *run.warnings,
        "Without torques our run passes the place: it ends at "
        f"{FALL} s with an energy imbalance of {run.energy_error:.1e} relative.",
    )
    return ReportTable(
        "Five-bar: free fall from eq. (36), rad (Fig. 14)", columns, tuple(rows), notes
    )


def matrix_tables() -> tuple[ReportTable, ...]:
    """N_l, N_c, N_d of eq. (32) at t = 8 s of eq. (35), in the plane."""
    t, places, rates, _ = trajectory()
    k = 80
    q, qd = places[k], rates[k]
    at = parallel(robot(), q)
    bodies = [robot().links[i].name for i in at.bodies]
    rows = [f"{body} {row}" for body in bodies for row in ROWS]
    motors = [robot().velocity_names[x] for x in at.motors]
    driven = [f"{name} {row}" for name in motors for row in ROWS]
    tree = np.asarray(twists(robot(), q, qd), dtype=float)[list(at.bodies)].ravel()
    gap = float(np.abs(at.N @ qd[list(at.motors)] - tree).max())
    where = f"at t = {t[k]:g} s of eq. (35)"
    note = (
        f"Rows w_z, v_x, v_y of each body, at its origin in world axes; the others are zero in the "
        f"plane. Bodies by place in the leg, then by leg (32b). The platform is {at.platform}; t = "
        f"N_l N_c N_d u less the tree's twists: {gap:.1e}.",
    )
    return (
        _matrix(f"Five-bar: N_d {where}", rows=driven, columns=motors, A=_planar(at.N_d, False)),
        _matrix(f"Five-bar: N_c {where}", rows=rows, columns=driven, A=_planar(at.N_c)),
        _matrix(f"Five-bar: N_l {where}", rows=rows, columns=rows, A=_planar(at.N_l)),
        _matrix(f"Five-bar: N = N_l N_c N_d {where}", rows, motors, _planar(at.N, False), note),
    )


def _planar(A: npt.ArrayLike, both: bool = True) -> Floats:
    """Only what moves in the plane: of rows, and of columns if they are twists too."""
    M = np.asarray(A, dtype=float)
    pick = [6 * k + r for k in range(len(M) // 6) for r in PLANAR]
    M = M[pick]
    return M[:, [6 * k + r for k in range(M.shape[1] // 6) for r in PLANAR]] if both else M


def _matrix(
    title: str, rows: list[str], columns: list[str], A: Floats, notes: tuple[str, ...] = ()
) -> ReportTable:
    cells = tuple((name, *clean(line)) for name, line in zip(rows, A, strict=True))
    return ReportTable(title, ("", *columns), cells, notes)


def figures() -> tuple[Figure, ...]:
    return (
        Figure(
            "figure-11-five-bar", _draw_manipulator, (1, 2), (9.0, 4.5),
            "The manipulator along (35), and in free fall: grey where it starts.",
        ),
        Figure(
            "figure-12-five-bar-angles", _draw_angles, (1, 2), (9.0, 4.0),
            "Joint angles of both legs along (35).",
        ),
        Figure(
            "figure-13-five-bar-torques", _draw_torques, (1, 1), (7.0, 3.8),
            "Driving torques along (35).",
        ),
        Figure(
            "figure-14-five-bar-free-fall", _draw_fall, (1, 1), (7.0, 3.8),
            "Free fall from (36); dotted: beyond the singular place.",
        ),
    )  # fmt: skip


def _points(q: Floats) -> list[Floats]:
    """Base, elbow and end of each leg."""
    stations = ("proximal{}.root", "proximal{}.tip", "distal{}.tip")
    return [np.array([pose(robot(), q, s.format(leg)).p for s in stations]) for leg in (1, 2)]


def _draw_manipulator(axes: AxesGrid) -> None:
    """Where the trajectory begins and ends, and where free fall does."""
    _, q, _, _ = trajectory()
    run = fall()
    last = int(np.searchsorted(run.time, singular_time()))
    for panel, title, shown in (
        (axes[0], "eq. (35): grey start, black end", (q[0], q[-1])),
        (axes[1], "free fall: grey start, black singular place", (run["q"][0], run["q"][last])),
    ):
        for place, color in zip(shown, ("0.7", "black"), strict=True):
            for leg in _points(place):
                panel.plot(leg[:, 0], leg[:, 1], "-o", color=color, markersize=4)
        panel.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
        panel.margins(0.08)
        panel.set_title(title)


def _draw_angles(axes: AxesGrid) -> None:
    t, q, _, _ = trajectory()
    for leg, panel in enumerate(axes):
        for k in (0, 1):
            label = rf"$\theta_{{{k + 1}}}^{{{leg + 1}}}$"
            panel.plot(t, np.degrees(q[:, 2 * leg + k]), label=label)
        panel.set(xlabel="t [s]", ylabel="joint angle [deg]")
        panel.set_title(f"({'ab'[leg]}) leg {leg + 1}")
        panel.legend(loc="center right")


def _draw_torques(panel: Axes) -> None:
    t, _, _, tau = trajectory()
    for k, leg in ((0, 1), (2, 2)):
        panel.plot(t, tau[:, k], label=rf"$\tau_1^{leg}$")
    panel.set(xlabel="t [s]", ylabel="driving torque [N m]")
    panel.legend()


def _draw_fall(panel: Axes) -> None:
    run, end = fall(), singular_time()
    before = run.time <= end
    for k, leg in ((0, 1), (2, 2)):
        (line,) = panel.plot(run.time[before], run["q"][before, k], label=rf"$\theta_1^{leg}$")
        panel.plot(run.time[~before], run["q"][~before, k], ":", color=line.get_color())
    panel.axvline(end, color="0.5", linestyle="--", linewidth=1.0)
    panel.annotate(
        f"distal links in one line\nt = {end:.4f} s",
        (end, 0.97),
        xycoords=("data", "axes fraction"),
        xytext=(-6, 0),
        textcoords="offset points",
        ha="right",
        va="top",
    )
    panel.set(xlabel="t [s]", ylabel="joint angle [rad]")
    panel.legend(loc="lower left")
