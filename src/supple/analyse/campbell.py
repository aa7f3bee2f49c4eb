"""Campbell diagrams: frequencies of the links against the steady speed of a joint.

At each speed the links first bend as this motion makes them; about that shape they vibrate with
the forces of the turning frame: centrifugal stiffening and gyroscopic coupling (`linear`). Modes
are followed from speed to speed by their shapes, so that curves may cross. An engine order k
shakes the robot k times a turn: w = k speed; where it meets a mode is a critical speed. A blade
goes through what shakes it, so that w is the frequency in the turning frame; a shaft that turns
about its own axis is shaken in fixed directions, so that w is its whirl seen from the ground
(`whirl`). Speeds at which a motion grows are told as ranges (`unstable_speeds`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..checks import real_numbers
from ..errors import InputError, caution, unknown_name
from ..files import drawn
from ..robot import Robot
from ..text_table import columns
from ..types import Floats
from .linear.operating_point import Places
from .unstable_speeds import Turning, TurningState, UnstableSpeeds, unstable_speeds
from .whirl import Shaft, shaft, turning_stiffness

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

MOST = 2000  # speeds

JUMP = 1e-4  # of the frequency: a gap as large as this is no meeting


@dataclass(frozen=True)
class Crossing:
    """Where an engine order meets a mode: a critical speed [rad/s], and the frequency there; of a
    shaft that turns about its own axis seen from the ground, and whether its whirl is forward (as
    unbalance makes it, of order 1) or backward."""

    order: float
    mode: str
    speed: float
    omega: float
    whirl: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class Campbell:
    """`data`: omega (the imaginary part of the pole, NaN where a mode does not vibrate), damping
    (ratio, NaN there too) and growth (the real part) over speed and mode, an xarray dataset. A
    mode that does not vibrate has two real poles; its growth is that of the one that grows more.
    omega is that of the turning frame; `whirl` that of a shaft which turns about its own axis,
    seen from the ground, negative where it goes round against the joint's axis, else NaN.

    crossings: critical speeds of the engine orders. unstable: ranges of speeds over which a small
    push grows. warnings: why to read it with care.
    """

    robot: Robot
    joint: str
    data: xr.Dataset
    orders: tuple[float, ...]
    crossings: tuple[Crossing, ...]
    warnings: tuple[str, ...] = field(default=())
    unstable: tuple[UnstableSpeeds, ...] = field(default=())

    @property
    def speeds(self) -> Floats:
        """[rad/s]"""
        return np.asarray(self.data["speed"].values)

    @property
    def omega(self) -> Floats:
        """Frequencies [rad/s]: (speeds, modes)."""
        return np.asarray(self.data["omega"].values)

    @property
    def grounded(self) -> Floats:
        """Frequencies [rad/s] as orders meet them: of whirl those seen from the ground."""
        whirl = np.abs(self.data["whirl"].values)
        return np.where(np.isfinite(whirl), whirl, self.omega)

    @property
    def modes(self) -> tuple[str, ...]:
        return tuple(str(x) for x in self.data["mode"].values)

    @overload
    def plot(self, path: str | Path, *, width: str = ...) -> Path: ...

    @overload
    def plot(self, *, width: str = ...) -> Figure: ...

    def plot(self, path: str | Path | None = None, *, width: str = "screen") -> Figure | Path:
        """Frequencies, engine orders and critical speeds; saved when a path is given, else the
        matplotlib Figure is returned. width: screen, double or
        single, as columns of journals are."""
        from ..view.campbell import diagram

        return drawn(path, lambda: diagram(self, width=width))

    def __str__(self) -> str:
        ends = [
            (m, float(a), float(b))
            for m, a, b in zip(self.modes, *self.omega[[0, -1]], strict=True)
        ]
        lines = [
            f"{self.robot.name}, {self.joint} from {self.speeds[0]:g} to {self.speeds[-1]:g} rad/s",
            *columns(("mode", "first rad/s", "last rad/s"), ends),
        ]
        if self.crossings:
            rows = [(c.order, f"{c.mode} {c.whirl}", c.speed, c.omega) for c in self.crossings]
            lines += columns(("order", "mode", "critical speed", "rad/s"), rows)
        if self.unstable:
            ranges = [(u.first, u.last, u.growth, u.coordinate) for u in self.unstable]
            lines += columns(("unstable from", "to rad/s", "growth 1/s", "mostly"), ranges)
        return "\n".join([*lines, *(f"warning: {words}" for words in self.warnings)])

    __repr__ = __str__


def campbell(
    robot: Robot,
    joint: str,
    speeds: ArrayLike,
    *,
    q: Places | None = None,
    orders: Sequence[float] = (1, 2, 3),
) -> Campbell:
    """Frequencies of a robot's links while a joint turns steadily at each of the speeds [rad/s].

    q: positions of the joints, which are all held but for the one that turns.
    orders: multiples of the speed at which something may shake the robot.
    """
    checks.check_robot(robot, "Campbell diagrams")
    at, lines = _checked(robot, joint, speeds), _orders(orders)
    turning = Turning(robot, joint, q)
    found = _followed([turning(speed) for speed in at])
    fastest = found[int(np.argmax(np.abs(at)))]
    unstable = unstable_speeds(turning, at, found)
    names = _names(robot, fastest)
    axis = shaft(robot, joint, found[0].model.q)
    whirls = [axis is not None and axis.whirls(shape) for shape in fastest.shapes.T]
    crossings, doubtful = _crossings(turning, at, found, lines, names, whirls)
    if axis is not None:
        crossings += tuple(_critical_whirls(axis, turning, at, found, lines, names))
    crossings = tuple(sorted(crossings, key=lambda c: c.speed))
    words = (*_warnings(robot, joint, fastest, unstable), *doubtful)
    for sentence in words:
        caution(sentence)
    data = _dataset(at, found, names)
    whirl = np.full((len(at), len(names)), np.nan)
    for k in np.flatnonzero(whirls):
        rows = [(x.omega[k], x.shapes[:, k], v) for x, v in zip(found, at, strict=True)]
        whirl[:, k] = [cast(Shaft, axis).whirl(*row) for row in rows]
    data["whirl"] = (("speed", "mode"), whirl)
    return Campbell(robot, joint, data, lines, crossings, words, unstable)


def _followed(states: list[TurningState]) -> list[TurningState]:
    """Modes that belong together at the same place, numbered by their frequency at the first
    speed. They are followed backwards: at rest modes of round links are not told apart."""
    out = [states[-1]]
    for state in reversed(states[:-1]):
        out.append(state.like(out[-1]))
    order = np.argsort(out[-1].omega, kind="stable")
    return [state.sorted(order) for state in reversed(out)]


def _checked(robot: Robot, joint: str, speeds: ArrayLike) -> Floats:
    turns = [x.joint_name for x in robot.links if x.joint.nv == 1 and x.joint.axes[0] < 3]
    if not isinstance(joint, str) or joint not in turns:
        raise unknown_name("joint that turns", joint, turns, where=f"robot {robot.name}")
    if not robot.modes:
        raise InputError(f"no link of {robot.name} bends: it has no frequencies to draw")
    at = real_numbers(speeds)
    if at.ndim != 1 or not 2 <= len(at) <= MOST or not np.all(np.isfinite(at)):
        raise InputError(
            f"speeds must be 2 to {MOST} finite numbers [rad/s], e.g. linspace(0, 50, 26)"
        )
    if np.any(np.diff(at) <= 0.0):
        raise InputError("speeds must rise")
    return at


def _orders(orders: Sequence[float]) -> tuple[float, ...]:
    given = real_numbers(orders)
    if given.ndim != 1 or not np.all(np.isfinite(given)) or np.any(given <= 0.0):
        raise InputError("orders must be positive numbers, e.g. (1, 2, 3)")
    return tuple(float(x) for x in given)


def _names(robot: Robot, state: TurningState) -> list[str]:
    """Modes by number and by the coordinate that has most of the kinetic energy."""
    places = [robot.velocity_names[k] for k in robot.free_indices]
    M, out = state.model.inertia, []
    for k, shape in enumerate(state.shapes.T):
        energy = np.abs(shape.conj() * (M @ shape))
        out.append(f"{k + 1} {places[int(np.argmax(energy))]}")
    return out


def _dataset(at: Floats, found: list[TurningState], names: list[str]) -> xr.Dataset:
    import xarray as xr

    poles, omega = (np.array(x) for x in zip(*((y.poles, y.omega) for y in found), strict=True))
    with np.errstate(all="ignore"):
        ratio = np.where(np.isfinite(omega), -poles.real / np.abs(poles), np.nan)
    dims = ("speed", "mode")
    values = {"omega": (dims, omega), "damping": (dims, ratio), "growth": (dims, poles.real)}
    return xr.Dataset(values, coords={"speed": at, "mode": names})


def _critical_whirls(
    axis: Shaft,
    turning: Turning,
    at: Floats,
    found: list[TurningState],
    orders: tuple[float, ...],
    names: list[str],
) -> Iterator[Crossing]:
    """Critical speeds of a shaft (`whirl`), each once."""
    from scipy.optimize import brentq

    def values(speed: float, turns: float) -> Floats:
        return turning_stiffness(turning(speed).model, turns * speed)[0]

    senses = [(k, k - 1.0, "forward") for k in orders] + [(k, -k - 1.0, "backward") for k in orders]
    for order, turns, sense in senses:
        seen = list[float]()
        spectra = [turning_stiffness(x.model, turns * v)[0] for x, v in zip(found, at, strict=True)]
        soft = [int((spectrum < 0.0).sum()) for spectrum in spectra]
        for i in range(len(at) - 1):
            for k in range(*sorted(soft[i : i + 2])):
                speed = brentq(lambda v: values(v, turns)[k], at[i], at[i + 1], rtol=1e-9)  # noqa: B023
                if any(abs(speed - x) <= 1e-6 * abs(speed) for x in seen):
                    continue
                here = turning(speed)
                size, shapes = turning_stiffness(here.model, abs(turns * speed))
                none = shapes[:, np.abs(size) < 1e-7]
                for shape in axis.going(none, turns * speed):
                    mode = here.like(found[i]).nearest(shape, abs(turns * speed))
                    yield Crossing(order, names[mode], speed, order * abs(speed), sense)
                    seen.append(speed)
                    break


def _crossings(
    turning: Turning,
    at: Floats,
    found: list[TurningState],
    orders: tuple[float, ...],
    names: list[str],
    whirls: list[bool],
) -> tuple[tuple[Crossing, ...], list[str]]:
    """Critical speeds of modes that do not whirl, to 1e-7 of the range; and where modes are too
    much alike to be followed to one."""
    out, alike = [], list[float]()
    for k, name in [(k, name) for k, name in enumerate(names) if not whirls[k]]:
        omega = np.array([state.omega[k] for state in found])
        for order in orders:
            gap = omega - order * np.abs(at)
            for i in np.flatnonzero(gap[:-1] * gap[1:] < 0.0):
                frequency = partial(turning.frequency, found[i], k)
                speed = _critical(frequency, order, at[i], at[i + 1])
                if speed is None:
                    alike += [at[i], at[i + 1]]
                elif frequency(speed) > 0.0:
                    out.append(Crossing(order, name, speed, order * abs(speed)))
    if not alike:
        return tuple(out), []
    words = (
        f"modes are too much alike to be followed everywhere from {min(alike):.4g} to "
        f"{max(alike):.4g} rad/s: a critical speed there would be left out. Give more speeds, and "
        f"give the links damping"
    )
    return tuple(out), [words]


def _critical(
    frequency: Callable[[float], float], order: float, a: float, b: float
) -> float | None:
    """The speed at which a mode meets an order; None where what is followed jumps over it."""
    from scipy.optimize import brentq

    def gap(speed: float) -> float:
        return frequency(speed) - order * abs(speed)

    if gap(a) * gap(b) > 0.0:
        return None
    speed = float(brentq(gap, a, b, rtol=1e-7, xtol=1e-9))
    jumps = frequency(speed) > 0.0 and abs(gap(speed)) > JUMP * order * max(abs(a), abs(b))
    return None if jumps else speed


def _warnings(
    robot: Robot, joint: str, fastest: TurningState, unstable: tuple[UnstableSpeeds, ...]
) -> list[str]:
    """Speeds that are not stable, what is said of the fastest turn, and what turning asks of the
    model."""
    steady = [words for words in fastest.told if "that instant alone" not in words]
    out = [_unstable_words(robot, joint, u) for u in unstable]
    out += [words for words in steady if not _of_stability(words)]
    if len(steady) < len(fastest.told):
        out.append(
            f"{robot.name} has no steady motion when {joint} turns: a force, such as its weight, "
            f"changes on the way round. The frequencies are those at the given position alone; "
            f"set gravity to zero, or let the joint turn about a vertical axis"
        )
    if not robot.kinematics.second:
        out.append(
            f"{robot.elastic_kinematics} kinematics has no centrifugal stiffening: links that turn "
            f"get softer instead of stiffer. Use second_order (robot.replace(elastic_kinematics="
            f"'second_order'))"
        )
    return out


def _unstable_words(robot: Robot, joint: str, found: UnstableSpeeds) -> str:
    return (
        f"{robot.name} is not stable when {joint} turns at {found.first:.5g} to {found.last:.5g} "
        f"rad/s: a small push grows, at {found.speed:.4g} rad/s by the factor e in "
        f"{1.0 / found.growth:.3g} s, and most in {found.coordinate}. Keep out of these speeds, "
        f"pass them quickly, or change stiffness and damping of the links"
    )


def _of_stability(words: str) -> bool:
    """Whether they are of the stability at one speed: that is told over all of them."""
    return "is not stable" in words or "gyroscopic forces hold" in words


__all__ = ["Campbell", "Crossing", "campbell"]
