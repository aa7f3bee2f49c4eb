"""[MohanSaha], Figs. 4 to 8, and one of our own: shapes and kinematics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from ...types import Floats
from ..report import Figure
from .arm import desired, forced
from .modes import FINEST, end_effector, rigid_path
from .runs import tip_deflections

AxesGrid = npt.NDArray[np.object_]
"""Matplotlib axes in rows and columns, or one row or column of them."""

OURS, DENSE, WANTED = "#0b6e99", "#d9541e", "#9a9a9a"


def figures() -> tuple[Figure, ...]:
    return (
        Figure("figure-04-joints", _joints, (3, 2), (10.0, 8.5)),
        Figure("figure-05-tip-deflections", _tips, (3, 1), (7.5, 7.5)),
        Figure("figure-06-deviation-of-joint-1", _deviation, (2, 1), (7.5, 6.0)),
        Figure("figure-07-power", _power, (2, 2), (10.5, 6.5)),
        Figure("figure-08-accelerations", _accelerations, (3, 2), (10.5, 8.5)),
        Figure("shapes-and-kinematics", _shapes, (1, 2), (10.5, 4.2)),
    )


def _plain(axes: Axes, title: str, label: str, last: bool = False) -> None:
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_ylabel(label)
    axes.grid(True, color="#e4e4e4", linewidth=0.7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0)
    if last:
        axes.set_xlabel("t [s]")


def _joints(axes: AxesGrid) -> None:
    run = forced()
    wanted = desired(run.t)
    for k, row in enumerate(axes):
        letters = ("abc"[k], "def"[k])
        values = (run.q[:, run.joints[k]], run.qd[:, run.joints[k]])
        names = (f"({letters[0]}) angle of joint {k + 1}", f"({letters[1]}) its rate")
        for panel, name, x, y, unit in zip(
            row, names, values, (wanted[0][k], wanted[1][k]), ("rad", "rad/s"), strict=True
        ):
            panel.plot(run.t, x, color=OURS, lw=1.4, label="simulated")
            panel.plot(run.t, y, "--", color=WANTED, lw=1.4, label="desired")
            _plain(panel, name, f"[{unit}]", k == 2)
    axes[0][0].legend(fontsize=8, frameon=False)


def _tips(axes: AxesGrid) -> None:
    run = forced()
    for k, panel in enumerate(axes):
        panel.plot(run.t, tip_deflections(run)[:, k], color=OURS, lw=1.2)
        _plain(panel, f"({'abc'[k]}) link {k + 1}", "tip deflection [m]", k == 2)


def _both(panel: Axes, t: Floats, one: Floats, other: Floats) -> None:
    """Both routes on one panel; they lie on each other."""
    panel.plot(t, one, color=OURS, lw=2.4, label="recursive")
    panel.plot(t, other, "--", color=DENSE, lw=1.1, label="dense Cholesky")


def _deviation(axes: AxesGrid) -> None:
    a, b = forced("recursive"), forced("dense")
    _both(axes[0], a.t, a.deviation[:, 0], b.deviation[:, 0])
    axes[0].axvline(5.0, color=WANTED, lw=0.8, ls=":")
    _plain(axes[0], "joint 1 less its desired angle (dotted: where the paper's run ends)", "[rad]")
    axes[0].legend(fontsize=8, frameon=False)
    apart = np.abs(a.q - b.q)[:, a.joints]
    for k, colour in enumerate((OURS, DENSE, "#5a8f29")):
        axes[1].semilogy(
            a.t, np.maximum(apart[:, k], 1e-18), color=colour, lw=0.9, label=f"joint {k + 1}"
        )
    _plain(axes[1], "how far the two routes are apart", "[rad]", True)
    axes[1].legend(fontsize=8, frameon=False, ncols=3)


def _power(axes: AxesGrid) -> None:
    for column, route, letter in ((0, "recursive", "a"), (1, "dense", "b")):
        run = forced(route)
        panel = axes[0][column]
        panel.plot(run.t, run.power, color=OURS, lw=1.3, label="simulated")
        panel.plot(run.t, run.desired_power, "--", color=WANTED, lw=1.4, label="desired")
        _plain(panel, f"({letter}) power, {route}", "[W]")
        panel = axes[1][column]
        panel.plot(run.t, run.power - run.desired_power, color=DENSE, lw=1.0)
        panel.axvline(3.5, color=WANTED, lw=0.8, ls=":")
        _plain(panel, "simulated less desired (dotted: 3.5 s)", "[W]", True)
    axes[0][0].legend(fontsize=8, frameon=False)


def _accelerations(axes: AxesGrid) -> None:
    for column, route, letter in ((0, "recursive", "a"), (1, "dense", "b")):
        run = forced(route)
        for k, row in enumerate(axes):
            row[column].plot(run.t, run.qdd[:, run.joints[k]], color=OURS, lw=0.7)
            row[column].plot(run.t, desired(run.t)[2][k], "--", color=WANTED, lw=1.2)
            name = f"({letter}) joint {k + 1}, {route}" + (" (dashed: desired)" if k == 0 else "")
            _plain(row[column], name, "[rad/s$^2$]", k == 2)


def _shapes(axes: AxesGrid) -> None:
    t = forced().t
    fine = end_effector(*FINEST)
    looks = ((1, "#c9a227"), (2, OURS), (3, "#5a8f29"), (4, DENSE))
    for panel, kinematics in zip(axes, ("first_order", "second_order"), strict=True):
        for count, colour in looks:
            if (count, kinematics) != FINEST:
                far = np.linalg.norm(end_effector(count, kinematics) - fine, axis=1)
                panel.plot(
                    t, 1e3 * far, color=colour, lw=1.1, label=f"{count} shape{'s' * (count > 1)}"
                )
        moved = np.linalg.norm(rigid_path() - fine, axis=1)
        panel.plot(t, 1e3 * moved, "--", color=WANTED, lw=1.2, label="rigid")
        _plain(panel, f"{kinematics}: off four shapes, second_order", "end effector [mm]", True)
        panel.legend(fontsize=8, frameon=False)
