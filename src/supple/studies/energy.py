"""Energy and power of a run: what each motor gives and takes, what bends, what is lost.

    power of joint j = tau_j (B^T qd)_j,      stored in link l = 1/2 d_l^T K_l d_l,
    lost in link l = d_dot_l^T D_l d_dot_l,   lost in joint j = friction and damping times rate

Energies are integrals over the solver's steps: the run is made again with samples that near. Of
one from a file the samples are all there is; the run's own balance, which the solver integrates
with the motion, and every second sample show whether they are dense enough.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
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

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

COARSE = 0.01  # of the energy that was moved: what the samples may miss of it
EXACT, A_FEW = 1e-6, 16  # the same, and samples, that are enough
FINE, A_STEP, MOST = 4001, 4, 20_000_000  # samples, also of a step; numbers that are kept
INTEGRALS = {"power": "given", "joint_loss": "joint_lost", "bending_loss": "bending_lost"}


@dataclass(frozen=True)
class JointFigures:
    """One joint rate over a run. Torque is a force, in N, where the joint slides.

    energy_in: what the motor gives, the integral of positive power; energy_back: what it takes
    back (a brake or a battery must), of negative power; net energy is their difference.
    lost: what friction and damping of the joint take.
    """

    name: str
    peak_torque: float
    peak_at: float
    rms_torque: float
    peak_power: float
    mean_power: float
    energy_in: float
    energy_back: float
    lost: float = 0.0

    @property
    def net(self) -> float:
        return self.energy_in - self.energy_back


@dataclass(frozen=True)
class LinkFigures:
    """What bending of a link stores at most, at the end, and loses by damping."""

    name: str
    peak_stored: float
    last_stored: float
    lost: float


def joint_figures(
    name: str,
    t: Floats,
    torque: Floats,
    power: Floats,
    lost: Floats | None = None,
    breaks: Sequence[float] = (),
) -> JointFigures:
    """From samples (n,) of torque, power, and power that is lost."""
    at = int(np.argmax(np.abs(torque)))
    span = float(t[-1] - t[0])
    energy_in, energy_back = parts(t, power, breaks)
    return JointFigures(
        name,
        float(torque[at]),
        float(t[at]),
        float(np.sqrt(over(t, torque**2, breaks) / span)),
        float(power[np.argmax(np.abs(power))]),
        (energy_in - energy_back) / span,
        energy_in,
        energy_back,
        0.0 if lost is None else over(t, lost, breaks),
    )


def over(t: Floats, values: Floats, breaks: Sequence[float] = ()) -> float:
    """The integral of samples."""
    above, below = parts(t, values, breaks)
    return above - below


def parts(t: Floats, power: Floats, breaks: Sequence[float] = ()) -> tuple[float, float]:
    """Integrals of the positive and of minus the negative part, through cubic splines from break to
    break, where the power may jump: their zeros part them."""
    from scipy.interpolate import CubicSpline

    near = 1e-9 * float(t[-1] - t[0])
    inner = sorted(b for b in breaks if t[0] + near < b < t[-1] - near)
    pieces = [0.0]
    for a, b in pairwise([t[0] - 2.0 * near, *inner, t[-1] + 2.0 * near]):
        inside = (t > a + near) & (t < b - near)
        a, b = max(a, t[0]), min(b, t[-1])
        if np.count_nonzero(inside) < 2:
            pieces.append((b - a) * np.interp(0.5 * (a + b), t, power))
            continue
        curve = CubicSpline(t[inside], power[inside])
        roots = curve.roots()
        ends = np.unique([a, *roots[(roots > a) & (roots < b)], b])
        pieces.extend(np.diff(curve.antiderivative()(ends)))
    found = np.array(pieces)
    return float(found[found > 0.0].sum()), float(0.0 - found[found < 0.0].sum())


def so_far(t: Floats, values: Floats, at: Floats) -> Floats:
    """Integrals of samples (n, k) up to each instant: (instants, k)."""
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(t, values).antiderivative()(at))


@dataclass(frozen=True, repr=False, eq=False)
class EnergyStudy:
    """`joints` and `links`: figures of each; `data`: power (time, joint), joint_loss (time,
    joint), stored and bending_loss (time, link); given, joint_lost and bending_lost, their
    integrals up to each instant; an xarray dataset.

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
    arm = robot_of(run, robot)
    near = finely(run, arm)
    if len(near.time) < 3:
        raise InputError(f"the run has {len(near.time)} samples; energies need at least 3")
    data, whole = _powers(run, arm), _powers(near, arm)
    for power, energy in INTEGRALS.items():
        data[energy] = (data[power].dims, so_far(near.time, whole[power].values, run.time))
    joints, links = _figures(near, arm)
    words = tuple(_warnings(near, joints, links, _halved(near, arm)))
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


def finely(run: Result, robot: Robot) -> Result:
    """The run with several samples in each of its steps, if too few tell its energies and it can be
    made again."""
    if run.again is None or (len(run.time) > A_FEW and _halved(run, robot) < EXACT):
        return run
    count = max(FINE, A_STEP * int(run.held.attrs.get("steps", 0)) + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is to be known of it was told
        return run.again(np.linspace(0.0, run.time[-1], min(count, MOST // len(run["q"][0]))))


def _halved(run: Result, robot: Robot) -> float:
    """The largest change of an energy without every second sample, in the energy that was moved;
    or of a root mean square torque, in itself."""
    (joints, links), (few, less) = (_figures(run, robot, every) for every in (1, 2))
    names, pairs = ("energy_in", "energy_back", "lost"), [*zip(joints, few, strict=True)]
    off = [abs(getattr(a, n) - getattr(b, n)) for a, b in pairs for n in names]
    off += [abs(a.lost - b.lost) for a, b in zip(links, less, strict=True)]
    rms = [abs(a.rms_torque - b.rms_torque) / max(a.rms_torque, 1e-300) for a, b in pairs]
    return max([max(off, default=0.0) / max(_moved(run, joints), 1e-300), *rms])


def _moved(run: Result, joints: Sequence[JointFigures]) -> float:
    most = np.abs(run["dissipated"]).max()
    return float(sum(j.energy_in + j.energy_back for j in joints) + most)


def breaks_of(run: Result) -> list[float]:
    """Instants at which torques or rates may have jumped."""
    return [*run.breaks, *(x.t for x in run.events)]


def _figures(
    run: Result, robot: Robot, every: int = 1
) -> tuple[tuple[JointFigures, ...], tuple[LinkFigures, ...]]:
    """Of all joints and links, by so many of the samples."""
    some = np.unique([*range(0, len(run.time), every), len(run.time) - 1])
    data, breaks = _powers(run, robot).isel(time=some), breaks_of(run)
    t, torque = run.time[some], run["tau"][some][:, robot.joint_indices]
    rows = zip(torque.T, data["power"].values.T, data["joint_loss"].values.T, strict=True)
    joints = [
        joint_figures(str(n), t, *row, breaks)
        for n, row in zip(data["joint"].values, rows, strict=True)
    ]
    bends = zip(data["stored"].values.T, data["bending_loss"].values.T, strict=True)
    links = [
        LinkFigures(str(n), float(s.max()), float(s[-1]), over(t, lost, breaks))
        for n, (s, lost) in zip(data["link"].values, bends, strict=True)
    ]
    return tuple(joints), tuple(links)


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
    run: Result, joints: tuple[JointFigures, ...], links: tuple[LinkFigures, ...], halved: float
) -> list[str]:
    """Whether the samples are too few for what happens between them."""
    lost = sum(j.lost for j in joints) + sum(x.lost for x in links)
    really = float(run["dissipated"][-1])
    if halved <= 4.0 * COARSE and abs(lost - really) <= COARSE * _moved(run, joints):
        return []
    return [
        f"the samples of the run are too far apart: without every second one its energies or "
        f"torques change by {100.0 * halved:.2g} %, and the losses at the samples add up to "
        f"{lost:.4g}, where the run lost {really:.4g}. Run it with more samples"
    ]
