"""Figures of joints and links over time: torque, power, energy."""

from __future__ import annotations

from dataclasses import dataclass

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
    name: str, t: Floats, torque: Floats, power: Floats, lost: Floats | None = None
) -> JointFigures:
    """From samples (n,) of torque, power, and power that is lost."""
    at = int(np.argmax(np.abs(torque)))
    span = float(t[-1] - t[0])
    energy_in, energy_back = parts(t, power)
    return JointFigures(
        name,
        float(torque[at]),
        float(t[at]),
        float(np.sqrt(over(t, torque**2) / span)),
        float(power[np.argmax(np.abs(power))]),
        (energy_in - energy_back) / span,
        energy_in,
        energy_back,
        0.0 if lost is None else over(t, lost),
    )


def over(t: Floats, values: Floats) -> float:
    """The integral of samples, by Simpson's rule."""
    from scipy.integrate import simpson

    return float(simpson(values, x=t))


def parts(t: Floats, power: Floats) -> tuple[float, float]:
    """Integrals of the positive and of minus the negative part, through a cubic spline: its zeros
    part them."""
    from scipy.interpolate import CubicSpline

    if len(t) < 4:
        return max(over(t, power), 0.0), max(-over(t, power), 0.0)
    curve = CubicSpline(t, power)
    whole, roots = curve.antiderivative(), curve.roots(extrapolate=False)
    ends = np.unique(np.concatenate([[t[0]], roots[np.isfinite(roots)], [t[-1]]]))
    pieces = np.diff(whole(ends))
    return float(pieces[pieces > 0.0].sum()), float(0.0 - pieces[pieces < 0.0].sum())


__all__ = ["JointFigures", "LinkFigures", "joint_figures", "over", "parts"]
