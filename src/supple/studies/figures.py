"""Figures of joints and links over time: torque, power, energy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..types import Floats


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


__all__ = ["JointFigures", "LinkFigures", "joint_figures", "over", "parts", "so_far"]
