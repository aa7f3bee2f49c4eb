"""Energy and power of a run: what each motor gives and takes, what bends, what is lost.

    power of joint j = tau_j (B^T qd)_j,      stored in link l = 1/2 d_l^T K_l d_l,
    lost in link l = d_dot_l^T D_l d_dot_l,   lost in joint j = friction and damping times rate

Energies are integrals over the samples of the run; the run's own balance, which the solver
integrates with the motion, shows whether the samples are dense enough.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np

from ..errors import InputError, brief, caution
from ..files import drawn
from ..model import build
from ..recursion.gears import winding_rate
from ..robot import Robot
from ..simulation import Result
from ..text_table import columns
from ..types import Floats
from .figures import JointFigures, LinkFigures, joint_figures, over

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

COARSE = 0.01  # of the energy that was moved: what the samples may miss of it


@dataclass(frozen=True, repr=False, eq=False)
class EnergyStudy:
    """`joints` and `links`: figures of each; `data`: power (time, joint), joint_loss (time,
    joint), stored and bending_loss (time, link), an xarray dataset.

    work: of all motors and loads over the run; dissipated: what was lost; kinetic: the most.
    """

    name: str
    joints: tuple[JointFigures, ...]
    links: tuple[LinkFigures, ...]
    data: xr.Dataset
    work: float
    dissipated: float
    kinetic: float
    units: str = "SI"
    warnings: tuple[str, ...] = field(default=())

    @overload
    def plot(self, path: str | Path, *, width: str = ...) -> Path: ...

    @overload
    def plot(self, *, width: str = ...) -> Figure: ...

    def plot(self, path: str | Path | None = None, *, width: str = "screen") -> Figure | Path:
        """Power of the motors, energy they have given, energy of bending; saved when a path is
        given, else the matplotlib Figure is returned. width: screen, double or
        single, as columns of journals are."""
        from ..view.energy import picture

        return drawn(path, lambda: picture(self, width=width))

    def __str__(self) -> str:
        heads = ("joint", "peak torque", "rms", "peak power", "mean", "energy in", "back", "lost")
        rows = [
            (
                *(j.name, j.peak_torque, j.rms_torque, j.peak_power, j.mean_power),
                *(j.energy_in, j.energy_back, j.lost),
            )
            for j in self.joints
        ]
        bends = [(x.name, x.peak_stored, x.last_stored, x.lost) for x in self.links]
        lines = [f"{self.name}: work {self.work:.6g}, lost {self.dissipated:.6g}"]
        lines += columns(heads, rows) if rows else []
        lines += columns(("link", "bending, most", "at the end", "lost"), bends) if bends else []
        return "\n".join([*lines, *(f"warning: {words}" for words in self.warnings)])

    __repr__ = __str__


def energy_study(run: Result, robot: Robot | None = None) -> EnergyStudy:
    """Torque, power and energy of each joint and link over a run.

    robot: the one that ran; by default made anew of the words that the run keeps.
    """
    if not isinstance(run, Result):
        raise InputError(f"run is {brief(run)}; it must be a Result, as supple.simulate gives it")
    if len(run.time) < 3:
        raise InputError(f"the run has {len(run.time)} samples; energies need at least 3")
    arm = robot_of(run, robot)
    data = _powers(run, arm)
    joints = _of_joints(run.time, run["tau"][:, arm.joint_indices], data)
    links = _of_links(run.time, data)
    words = tuple(_warnings(run, joints, links))
    for sentence in words:
        caution(sentence)
    return EnergyStudy(
        name=run.robot_name,
        joints=joints,
        links=links,
        data=data,
        work=float(run["work"][-1]),
        dissipated=float(run["dissipated"][-1]),
        kinetic=float(run["kinetic"].max()),
        units=arm.units,
        warnings=words,
    )


def _of_joints(t: Floats, torque: Floats, data: xr.Dataset) -> tuple[JointFigures, ...]:
    names = [str(n) for n in data["joint"].values]
    power, lost = data["power"].values, data["joint_loss"].values
    return tuple(
        joint_figures(n, t, torque[:, k], power[:, k], lost[:, k]) for k, n in enumerate(names)
    )


def _of_links(t: Floats, data: xr.Dataset) -> tuple[LinkFigures, ...]:
    names = [str(n) for n in data["link"].values]
    stored, lost = data["stored"].values.T, data["bending_loss"].values.T
    return tuple(
        LinkFigures(n, float(s.max()), float(s[-1]), over(t, loss))
        for n, s, loss in zip(names, stored, lost, strict=True)
    )


def robot_of(run: Result, robot: Robot | None = None) -> Robot:
    """The robot that ran: the one given, or made anew of the words that the run keeps."""
    if robot is None:
        words = json.loads(run.held.attrs.get("model", "{}"))
        if not words:
            raise InputError("the run keeps no model: its robot was made by hand; give robot=...")
        robot = build(words)
    if not isinstance(robot, Robot) or list(robot.velocity_names) != [
        str(n) for n in run.data["velocity"].values
    ]:
        raise InputError(f"robot is {brief(robot)}; its coordinates are not those of the run")
    return robot


def _powers(run: Result, robot: Robot) -> xr.Dataset:
    import xarray as xr

    q, qd, tau = run["q"], run["qd"], run["tau"]
    joints = list(robot.joint_indices)
    power = tau[:, joints] * (qd @ robot.input_matrix)
    bends = [link for link in robot.links if link.body.m]
    stored = [0.5 * _quadratic(q[:, x.d], x.body.K) for x in bends]
    lost = [_quadratic(qd[:, x.e], x.body.D) for x in bends]
    return xr.Dataset(
        {
            "power": (("time", "joint"), power),
            "joint_loss": (("time", "joint"), _joint_losses(robot, q, qd)),
            "stored": (("time", "link"), np.array(stored).reshape(len(bends), len(q)).T),
            "bending_loss": (("time", "link"), np.array(lost).reshape(len(bends), len(q)).T),
        },
        coords={
            "time": run.time,
            "joint": [robot.velocity_names[k] for k in joints],
            "link": [link.name for link in bends],
        },
    )


def _joint_losses(robot: Robot, q: Floats, qd: Floats) -> Floats:
    """Friction, damping and what stops take, times rate: (time, joint rates). What elastic gears
    take counts for the joints that they drive."""
    lost = np.zeros_like(qd)
    for link in robot.links:
        states = zip(q[:, link.q], qd[:, link.u], strict=True)
        force = [link.drive.dissipative(*state) for state in states]
        lost[:, link.u] = np.array(force).reshape(len(qd), -1) * qd[:, link.u]
    for gear in robot.gears:
        rate = winding_rate(robot, gear, qd.T)
        lost[:, robot.links[gear.link].u.start] += gear.damping * rate * rate
    return np.asarray(lost[:, robot.joint_indices])


def _quadratic(x: Floats, K: Floats) -> Floats:
    return np.asarray(np.einsum("ti,ij,tj->t", x, K, x))


def _warnings(
    run: Result, joints: tuple[JointFigures, ...], links: tuple[LinkFigures, ...]
) -> list[str]:
    """Whether the samples are too few for what happens between them."""
    moved = sum(j.energy_in + j.energy_back for j in joints) + np.abs(run["dissipated"]).max()
    lost = sum(j.lost for j in joints) + sum(x.lost for x in links)
    missed = abs(lost - float(run["dissipated"][-1]))
    worked = abs(sum(j.net for j in joints) - float(run["work"][-1]))
    out = []
    if missed > COARSE * max(moved, 1e-300):
        out.append(
            f"the samples of the run are too far apart: the losses at the samples add up to "
            f"{lost:.4g}, the run lost {float(run['dissipated'][-1]):.4g}. Run it with more samples"
        )
    elif worked > COARSE * max(moved, 1e-300):
        out.append(
            f"the motors' energies add up to {sum(j.net for j in joints):.4g}, the work of the run "
            f"is {float(run['work'][-1]):.4g}: external loads did the rest, or the samples are too "
            f"far apart. Run it with more samples to see"
        )
    return out


__all__ = ["EnergyStudy", "energy_study", "robot_of"]
