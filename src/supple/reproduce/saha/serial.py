"""[Saha], section 2.5: PUMA and Stanford arm, Figs. 6 to 9."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ... import recursion
from ...model import load
from ...robot import Robot
from ...simulation import Result, simulate
from ...simulation.motion import Motion, named_motion
from ...types import Floats
from ..report import Figure, ReportTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FALL = 1.0  # s
TABLED = 0.25  # s
STARTS = {"puma": ("Table 3(a)",), "stanford": ("Table 4(a)", "the trajectory's start")}
NAMES = {"puma": "PUMA", "stanford": "Stanford arm"}
FIGURES = {"puma": ("6", "7"), "stanford": ("8", "9")}

AxesGrid = npt.NDArray[np.object_]


def motion(robot: Robot) -> Motion:
    """Eqs. (22), (23)."""
    found = named_motion(robot, "paper")
    assert found is not None
    return found


@cache
def torques(name: str, samples: int = 201) -> tuple[Floats, Floats]:
    """Times and joint torques (forces of a prismatic joint) along the paper's trajectory."""
    robot = load(name)
    along = motion(robot)
    t = np.linspace(0.0, along.duration, samples)
    return t, np.array([recursion.inverse_dynamics(robot, *along(float(x))) for x in t])


@cache
def fall(name: str, start: str) -> Result:
    """Free fall from a start of STARTS."""
    robot = load(name)
    q0 = motion(robot)(0.0)[0] if start == "the trajectory's start" else np.zeros(robot.nq)
    return simulate(robot, duration=FALL, q0=q0, samples=201, rtol=1e-11, atol=1e-13)


def clean(x: Floats) -> list[float]:
    """Numbers of a table; what is less than 1e-12 is rounding."""
    return [float(v) for v in np.round(x, 12) + 0.0]


def tables() -> tuple[ReportTable, ...]:
    out = []
    for name in NAMES:
        out += [torque_table(name), *(fall_table(name, start) for start in STARTS[name])]
    return tuple(out)


def torque_table(name: str) -> ReportTable:
    """Whole seconds of Fig. 6 or 8."""
    t, tau = torques(name)
    rows = tuple((float(t[k]), *clean(tau[k])) for k in range(0, len(t), 20))
    unit = "N m" if name == "puma" else "N m; joint 3: N"
    title = f"{NAMES[name]}: joint torques along eq. (22), {unit} (Fig. {FIGURES[name][0]})"
    return ReportTable(title, ("t", *(f"tau{k}" for k in range(1, 7))), rows)


def fall_table(name: str, start: str) -> ReportTable:
    """Quarters of a second of Fig. 7 or 9."""
    run = fall(name, start)
    every = round(TABLED / FALL * (len(run.time) - 1))
    rows = tuple(
        (float(run.time[k]), *(float(x) for x in run["q"][k]))
        for k in range(0, len(run.time), every)
    )
    notes = [f"Energy imbalance {run.energy_error:.1e} relative."]
    if name == "stanford" and start == "Table 4(a)":
        notes.append(
            "As printed, all coordinates zero: every mass centre hangs on one vertical and joint 3 "
            "slides along it, b_3 = g t^2 / 2, nothing else moves."
        )
    unit = "rad" if name == "puma" else "rad; joint 3: m"
    title = f"{NAMES[name]}: free fall from {start}, {unit} (Fig. {FIGURES[name][1]})"
    return ReportTable(title, ("t", *(f"q{k}" for k in range(1, 7))), rows, tuple(notes))


SAID = {
    "torques": "torques (forces) of the joints along (22), (23)",
    "free-fall": "free fall from where the trajectory starts",
}


def figures() -> tuple[Figure, ...]:
    out = [
        Figure(
            f"figure-{number:02}-{name}", _draw_arm(name), (1, 2), (9.0, 3.6),
            f"{NAMES[name]} by its table, at the start (grey) and the end of its trajectory: from "
            "the side and from above.",
        )
        for name, number in (("puma", 4), ("stanford", 5))
    ]  # fmt: skip
    for name, (first, second) in FIGURES.items():
        for number, what, draw in (
            (first, "torques", _draw_torques(name)),
            (second, "free-fall", _draw_fall(name)),
        ):
            label = f"figure-{int(number):02}-{name}-{what}"
            words = f"{NAMES[name]}: {SAID[what]}."
            out.append(Figure(label, draw, (3, 2), (9.0, 7.5), words))
    return tuple(out)


def _draw_torques(name: str) -> Callable[[AxesGrid], None]:
    """Panels (a) to (f), a joint each, as in the paper."""

    def draw(axes: AxesGrid) -> None:
        t, tau = torques(name)
        for k, panel in enumerate(axes.ravel().tolist()):
            panel.plot(t, tau[:, k], color="C0")
            force = name == "stanford" and k == 2
            _dress(panel, k, f"force {k + 1} [N]" if force else f"torque {k + 1} [N m]")
        _timed(axes)

    return draw


def _draw_fall(name: str) -> Callable[[AxesGrid], None]:
    start = STARTS[name][-1]

    def draw(axes: AxesGrid) -> None:
        run = fall(name, start)
        for k, panel in enumerate(axes.ravel().tolist()):
            slides = name == "stanford" and k == 2
            q = run["q"][:, k] if slides else np.degrees(run["q"][:, k])
            panel.plot(run.time, q, color="C3")
            _dress(panel, k, f"joint {k + 1} [m]" if slides else f"joint {k + 1} [deg]")
        _timed(axes)

    return draw


def _dress(panel: Axes, k: int, label: str) -> None:
    panel.set_ylabel(label)
    panel.text(0.02, 0.92, f"({'abcdef'[k]})", transform=panel.transAxes, va="top")
    low, high = panel.get_ylim()
    if high - low < 1e-6:  # nothing but rounding
        panel.set_ylim(low - 0.5, high + 0.5)


def _timed(axes: AxesGrid) -> None:
    for panel in axes[-1]:
        panel.set_xlabel("t [s]")


def _draw_arm(name: str) -> Callable[[AxesGrid], None]:
    """Origins of the links, joined."""

    def draw(axes: AxesGrid) -> None:
        robot = load(name)
        along, last = motion(robot), robot.links[-1].name
        for t, colour in ((0.0, "0.6"), (along.duration, "C0")):
            q = along(t)[0]
            places = [pose.p for pose in recursion.link_poses(robot, q)]
            x, y, z = np.array([*places, recursion.station_pose(robot, q, last).p], dtype=float).T
            axes[0].plot(x, z, "-o", color=colour, markersize=3, label=f"{t:g} s")
            axes[1].plot(x, y, "-o", color=colour, markersize=3)
        axes[0].set(xlabel="x [m]", ylabel="z [m]", aspect="equal")
        axes[1].set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
        axes[0].legend()
        for panel in axes:
            panel.margins(0.1)

    return draw
