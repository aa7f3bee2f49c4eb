"""Inverse dynamics along a motion: the torques that it takes.

Of the rigid robot they follow from the motion alone. A robot that bends has shapes that vibrate on
the way: a run with the joints prescribed shows them, and the torques that keep the joints on the
motion all the same. Elastic gears are taken as rigid: with a joint on its motion, what they wind up
is the motor's own, and the torque at the joint is the motor's times the ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np

from .. import checks
from ..errors import InputError
from ..files import drawn
from ..recursion.gears import rigid_gears
from ..robot import Robot
from ..simulation import Motion, Result, feedforward, named_motion, simulate
from ..simulation.run import wanted_motion
from ..text_table import columns
from ..types import Floats
from .energy import FINE, JointFigures, breaks_of, finely, joint_figures

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False, eq=False)
class TorquesAlong:
    """`data`: q, qd, qdd, rigid (torque of the rigid robot) and, of a robot that bends, bending
    (its torque) over time and joint, an xarray dataset.

    rigid, bending: figures of each joint. run: the run of the bending robot, joints prescribed.
    """

    robot: Robot
    data: xr.Dataset
    rigid: tuple[JointFigures, ...]
    bending: tuple[JointFigures, ...]
    run: Result | None

    @overload
    def plot(self, path: str | Path, *, width: str = ...) -> Path: ...

    @overload
    def plot(self, *, width: str = ...) -> Figure: ...

    def plot(self, path: str | Path | None = None, *, width: str = "screen") -> Figure | Path:
        """The motion, its torques and powers; saved when a path is given, else the matplotlib
        Figure is returned. width: screen, double or
        single, as columns of journals are."""
        from ..view.torques import picture

        return drawn(path, lambda: picture(self, width=width))

    def __str__(self) -> str:
        heads = ("joint", "robot", "peak torque", "at", "rms", "peak power", "energy in", "back")
        gears = ", elastic gears taken as rigid" if self.robot.gears else ""
        lines = [f"{self.robot.name} along a motion of {float(self.data['time'][-1]):g} s{gears}"]
        return "\n".join([*lines, *columns(heads, figure_rows(self))])

    __repr__ = __str__


def figure_rows(
    found: TorquesAlong,
) -> list[tuple[str, str, float, float, float, float, float, float]]:
    """(joint, which robot, peak torque, when, rms, peak power, energy in, energy back)."""
    both = (("rigid", found.rigid), ("bending", found.bending))
    return [
        (
            *(j.name, which, j.peak_torque, j.peak_at, j.rms_torque),
            *(j.peak_power, j.energy_in, j.energy_back),
        )
        for which, figures in both
        for j in figures
    ]


def inverse_along(
    robot: Robot,
    motion: Motion | str | None = None,
    *,
    samples: int = 501,
    bending: bool = True,
    rtol: float = 1e-8,
) -> TorquesAlong:
    """Torques of all motors along a motion (default: the first of the model file).

    bending: also those of the robot as it bends, by a run with its joints prescribed that begins
    with the shapes of rest. A robot of rigid links has no others. Torques of elastic gears are
    those at the joint, the gear taken as rigid: `supple.feedforward` gives the motor's.
    """
    checks.check_robot(robot, "feedforward")
    wanted = named_motion(robot) if motion is None else wanted_motion(robot, motion)
    if wanted is None:
        raise InputError(
            f"{robot.name} has no motions in its file; name one under `motions` (supple help "
            f"motion), or give a Motion"
        )
    count = checks.number(samples, "samples", "a whole number, at least 5")
    if not (count.is_integer() and 5 <= count <= 1_000_000):
        raise InputError(f"samples is {samples}; it must be a whole number, 5 to 1 000 000")
    t = np.linspace(0.0, wanted.duration, int(count))
    near = np.linspace(0.0, wanted.duration, max(int(count), FINE))
    stiff = rigid_gears(robot)
    law, none = feedforward(stiff, wanted), np.zeros(0)
    path = np.array([wanted(float(x)) for x in t])  # (time, 3, joint)
    places, breaks = _places(stiff, wanted), wanted.breaks
    tau = [np.array([law(float(x), none, none) for x in some])[:, places] for some in (t, near)]
    values, run = {"rigid": tau[0]}, None
    figures = {"rigid": _figures(wanted, near, tau[1], breaks)}
    if checks.flag(bending, "bending") and robot.modes:
        run = simulate(
            stiff, None, wanted.duration, prescribed=wanted, samples=len(t), at_rest=True, rtol=rtol
        )
        values["bending"], fine = run["tau"][:, places], finely(run, stiff)
        figures["bending"] = _figures(wanted, fine.time, fine["tau"][:, places], breaks_of(fine))
    data = _dataset(wanted, t, path, values)
    return TorquesAlong(robot, data, figures["rigid"], figures.get("bending", ()), run)


def _places(robot: Robot, motion: Motion) -> list[int]:
    """Where the motion's joints are in the velocity."""
    return [robot.velocity_names.index(name) for name in motion.names]


def _figures(
    motion: Motion, t: Floats, tau: Floats, breaks: Sequence[float]
) -> tuple[JointFigures, ...]:
    rates = motion(t)[1]
    return tuple(
        joint_figures(n, t, tau[:, k], tau[:, k] * rates[:, k], None, breaks)
        for k, n in enumerate(motion.names)
    )


def _dataset(motion: Motion, t: Floats, path: Floats, values: dict[str, Floats]) -> xr.Dataset:
    import xarray as xr

    dims = ("time", "joint")
    states = {name: (dims, path[:, k]) for k, name in enumerate(("q", "qd", "qdd"))}
    forces = {name: (dims, tau) for name, tau in values.items()}
    return xr.Dataset(states | forces, coords={"time": t, "joint": list(motion.names)})
