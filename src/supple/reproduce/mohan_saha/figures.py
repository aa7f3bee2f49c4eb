"""[MohanSaha], Figs. 4 to 8, and one of our own: shapes and kinematics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from ...types import Floats
from ...view.style import COLOURS, GREY, run_of_colours
from ..report import Figure
from .arm import desired, forced
from .modes import FINEST, end_effector, rigid_path
from .runs import tip_deflections

AxesGrid = npt.NDArray[np.object_]
"""Matplotlib axes in rows and columns, or one row or column of them."""

OURS, DENSE, THIRD, LIGHT = COLOURS[0], COLOURS[1], COLOURS[2], COLOURS[4]
WANTED = GREY


def figures() -> tuple[Figure, ...]:
    off = "what bending does with each number of shapes, less the finest model"
    return (
        Figure("figure-03-canadarm", _arm, (1, 1), (7.0, 4.2),
               "The arm of Table 2 along its run, every second; bending is too small to be seen."),
        Figure("figure-04-joints", _joints, (3, 2), (10.0, 8.5),
               "Joint angles and rates, simulated and desired."),
        Figure("figure-05-tip-deflections", _tips, (3, 1), (7.5, 7.5),
               "Deflection of each link's tip across the link."),
        Figure("figure-06-deviation-of-joint-1", _deviation, (2, 1), (7.5, 6.0),
               "Joint 1 less its desired angle by both routes; below, how far they are apart. The "
               "paper's dense run ends at the dotted line."),
        Figure("figure-07-power", _power, (2, 2), (10.5, 6.5),
               "Power of the torques, desired and simulated, and their difference; both routes."),
        Figure("figure-08-accelerations", _accelerations, (3, 2), (10.5, 8.5),
               "Joint accelerations by both routes; dashed: desired."),
        Figure("shapes-and-kinematics", _shapes, (1, 2), (10.5, 4.2),
               f"End effector: {off}. First-order kinematics misses what no shape can mend."),
    )  # fmt: skip


def _arm(axes: Axes) -> None:
    from ...recursion import link_poses, station_pose

    run = forced()
    last = run.robot.links[-1].name
    for t, colour in zip(range(11), run_of_colours(11), strict=True):
        q = run.q[run.at(t)]
        places = [pose.p for pose in link_poses(run.robot, q)]
        line = np.array([*places, station_pose(run.robot, q, last).p], dtype=float)
        name = f"{t} s" if t % 2 == 0 else None
        axes.plot(line[:, 0], line[:, 1], "-o", color=colour, markersize=2.5, label=name)
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes.margins(x=0.05)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _plain(axes: Axes, title: str, label: str, last: bool = False) -> None:
    axes.set_title(title)
    axes.set_ylabel(label)
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
            panel.plot(run.t, x, color=OURS, label="simulated")
            panel.plot(run.t, y, "--", color=WANTED, label="desired")
            _plain(panel, name, f"[{unit}]", k == 2)
    axes[0][0].legend()


def _tips(axes: AxesGrid) -> None:
    run = forced()
    for k, panel in enumerate(axes):
        panel.plot(run.t, tip_deflections(run)[:, k], color=OURS)
        _plain(panel, f"({'abc'[k]}) link {k + 1}", "tip deflection [m]", k == 2)


def _both(panel: Axes, t: Floats, one: Floats, other: Floats) -> None:
    """Both routes on one panel; they lie on each other."""
    panel.plot(t, one, color=OURS, lw=2.4, label="recursive")
    panel.plot(t, other, "--", color=DENSE, label="dense Cholesky")


def _deviation(axes: AxesGrid) -> None:
    a, b = forced("recursive"), forced("dense")
    _both(axes[0], a.t, a.deviation[:, 0], b.deviation[:, 0])
    axes[0].axvline(5.0, color=WANTED, lw=0.8, ls=":")
    _plain(axes[0], "joint 1 less its desired angle (dotted: where the paper's run ends)", "[rad]")
    axes[0].legend()
    apart = np.abs(a.q - b.q)[:, a.joints]
    for k, colour in enumerate((OURS, DENSE, THIRD)):
        axes[1].semilogy(a.t, np.maximum(apart[:, k], 1e-18), color=colour, label=f"joint {k + 1}")
    _plain(axes[1], "how far the two routes are apart", "[rad]", True)
    axes[1].legend(ncols=3)


def _power(axes: AxesGrid) -> None:
    for column, route, letter in ((0, "recursive", "a"), (1, "dense", "b")):
        run = forced(route)
        panel = axes[0][column]
        panel.plot(run.t, run.power, color=OURS, label="simulated")
        panel.plot(run.t, run.desired_power, "--", color=WANTED, label="desired")
        _plain(panel, f"({letter}) power, {route}", "[W]")
        panel = axes[1][column]
        panel.plot(run.t, run.power - run.desired_power, color=DENSE)
        panel.axvline(3.5, color=WANTED, lw=0.8, ls=":")
        _plain(panel, "simulated less desired (dotted: 3.5 s)", "[W]", True)
    axes[0][0].legend()


def _accelerations(axes: AxesGrid) -> None:
    for column, route, letter in ((0, "recursive", "a"), (1, "dense", "b")):
        run = forced(route)
        for k, row in enumerate(axes):
            row[column].plot(run.t, run.qdd[:, run.joints[k]], color=OURS)
            row[column].plot(run.t, desired(run.t)[2][k], "--", color=WANTED)
            name = f"({letter}) joint {k + 1}, {route}" + (" (dashed: desired)" if k == 0 else "")
            _plain(row[column], name, "[rad/s$^2$]", k == 2)


def _shapes(axes: AxesGrid) -> None:
    t = forced().t
    fine = end_effector(*FINEST)
    looks = ((1, LIGHT), (2, OURS), (3, THIRD), (4, DENSE))
    for panel, kinematics in zip(axes, ("first_order", "second_order"), strict=True):
        for count, colour in looks:
            if (count, kinematics) != FINEST:
                far = np.linalg.norm(end_effector(count, kinematics) - fine, axis=1)
                panel.plot(t, 1e3 * far, color=colour, label=f"{count} shape{'s' * (count > 1)}")
        moved = np.linalg.norm(rigid_path() - fine, axis=1)
        panel.plot(t, 1e3 * moved, "--", color=WANTED, label="rigid")
        _plain(panel, f"{kinematics}: off four shapes, second_order", "end effector [mm]", True)
        panel.legend()
