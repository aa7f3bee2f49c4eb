"""Input shapers: impulses A_i at t_i, whose convolution with a motion leaves no vibration behind.

    shaped(t) = sum_i A_i motion(t - t_i),   sum_i A_i = 1

A mode of frequency omega and damping zeta sees sum_i A_i w^i, w = exp(-s T), with T = pi/omega_d
half a damped period and s = -zeta omega + j omega_d. Zeros of this polynomial are what a shaper is
made of; with K = exp(-zeta omega T):

    ZV    one zero at the mode              A ~ (1, K)
    ZVD   two there                         A ~ (1, 2 K, K^2)
    EI    one a little below, one above     A ~ (1, 2 c K, K^2)

c is such that the share V of the vibration is left at the mode itself; a band of frequencies around
it stays below V. Shapers of several modes multiply.
Reference: [SingerSeering], [Singhose].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..analyse.frequencies import Frequencies
from ..checks import real_numbers
from ..errors import InputError, brief, unknown_name
from ..simulation.joint_laws import law_breaks
from ..simulation.law import Law, TraceableLaw
from ..simulation.motion import JointLaw, Motion, TraceableJointLaw
from ..types import Array, Floats, Scalar

KINDS = ("zv", "zvd", "ei")
RATIO = "a ratio, at least 0 and below 1"


@dataclass(frozen=True)
class Shaper:
    """Impulses: when, and how large; together they are 1."""

    times: tuple[float, ...]
    amplitudes: tuple[float, ...]

    def __mul__(self, other: Shaper) -> Shaper:
        """One after the other: for the modes of both."""
        found: dict[float, float] = {}
        for s, a in zip(self.times, self.amplitudes, strict=True):
            for t, b in zip(other.times, other.amplitudes, strict=True):
                found[s + t] = found.get(s + t, 0.0) + a * b
        times = tuple(sorted(found))
        return Shaper(times, tuple(found[t] for t in times))

    @property
    def duration(self) -> float:
        """By how much it makes a motion longer."""
        return self.times[-1]

    @overload
    def residual(self, omega: float, damping: float = ...) -> float: ...

    @overload
    def residual(self, omega: ArrayLike, damping: float = ...) -> float | Floats: ...

    def residual(self, omega: ArrayLike, damping: float = 0.0) -> float | Floats:
        """Share of the vibration of such a mode that is left behind, at the last impulse; of an
        array of frequencies an array of its shape."""
        w, zeta = real_numbers(omega), checks.number(damping, "damping", RATIO)
        if not np.all((w >= 0.0) & (w <= checks.LARGEST)):
            raise InputError(
                f"omega is {brief(omega)}; give frequencies [rad/s], one or an array of them, "
                f"0 to {checks.LARGEST:g}"
            )
        if not 0.0 <= zeta < 1.0:
            raise InputError(f"damping is {zeta:g}; it must be {RATIO}")
        t, A = np.array(self.times), np.array(self.amplitudes)
        s = w * (-zeta + 1j * np.sqrt(1.0 - zeta**2))
        left: Floats = np.abs(np.exp(-s[..., None] * (t - t[-1])) @ A)
        return left if left.ndim else float(left)


def shaper(
    kind: str,
    omega: float | Sequence[float] | Floats | Frequencies,
    damping: float | Sequence[float] = 0.0,
    *,
    modes: int | None = None,
    vibration: float = 0.05,
) -> Shaper:
    """A shaper "zv", "zvd" or "ei" for modes of these frequencies [rad/s] and damping ratios.

    omega: a number, several, or what `supple.frequencies` gives (its frequencies above zero; with
    `modes` the lowest so many). vibration: what an EI shaper leaves at the mode itself.
    """
    if not isinstance(kind, str) or kind.lower() not in KINDS:
        raise unknown_name("shaper", kind, KINDS)
    values = _frequencies(omega, modes)
    ratios = _ratios(damping, len(values))
    V = checks.number(vibration, "vibration", "a number between 0 and 1")
    if not 0.0 < V < 1.0:
        raise InputError(f"vibration is {V:g}; it must lie between 0 and 1")
    made = Shaper((0.0,), (1.0,))
    for w, zeta in zip(values, ratios, strict=True):
        made = made * _of_mode(kind.lower(), float(w), float(zeta), V)
    return made


def _of_mode(kind: str, omega: float, zeta: float, V: float) -> Shaper:
    half = np.pi / (omega * np.sqrt(1.0 - zeta**2))
    K = np.exp(-zeta * omega * half)
    rows = {"zv": (1.0, K), "zvd": (1.0, 2.0 * K, K * K)}
    if kind == "ei":
        c = (2.0 * K * K - V * (1.0 + K * K)) / (2.0 * K * (K + V))
        if c < 0.0:
            raise InputError(
                f"an EI shaper with vibration {V:g} has no positive impulses for damping "
                f"{zeta:g}: the mode dies out by itself. Use zv, or less vibration"
            )
        rows["ei"] = (1.0, 2.0 * c * K, K * K)
    A = np.array(rows[kind])
    times = tuple(float(k * half) for k in range(len(A)))
    return Shaper(times, tuple(float(x) for x in A / A.sum()))


def _frequencies(given: object, modes: int | None) -> Floats:
    if isinstance(given, Frequencies):
        top = float(np.abs(given.omega).max(initial=0.0))
        given = given.omega[given.omega > 1e-6 * top]
    values = np.atleast_1d(checks.real_numbers(given))
    if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values) & (values > 0.0)):
        raise InputError(
            f"omega is {brief(given)}; a shaper needs frequencies above zero [rad/s], e.g. those "
            f"of supple.frequencies(robot, locked=True)"
        )
    if modes is None:
        return values
    count = checks.number(modes, "modes", "a whole number")
    if not (count.is_integer() and 1 <= count <= len(values)):
        raise InputError(f"modes is {modes}; it must be a whole number from 1 to {len(values)}")
    return values[: int(count)]


def _ratios(given: ArrayLike, count: int) -> Floats:
    values = checks.real_numbers(given)
    if values.ndim == 0:
        values = np.full(count, float(values))
    if values.shape != (count,) or not np.all((values >= 0.0) & (values < 1.0)):
        raise InputError(
            f"damping is {brief(given)}; give one ratio between 0 and 1 for each of the {count} "
            f"modes, or one for all"
        )
    return values


@overload
def shaped(given: Motion, by: Shaper) -> Motion: ...


@overload
def shaped(given: Law, by: Shaper) -> Law: ...


def shaped(given: Motion | Law, by: Shaper) -> Motion | Law:
    """A motion, or a torque law of time, that leaves the shaper's modes at rest. A motion stands
    still before t = 0 and after its end; a torque does nothing before t = 0."""
    if not isinstance(by, Shaper):
        raise InputError(f"shaper is {brief(by)}; make one: supple.shaper('zvd', omega)")
    if isinstance(given, Motion):
        laws = tuple(_shaped_joint(law, given, by) for law in given.laws)
        ends = (0.0, *given.breaks, given.duration)
        breaks = tuple(sorted({b + t for b in ends for t in by.times}))
        return replace(given, laws=laws, duration=given.duration + by.duration, breaks=breaks)
    if not isinstance(given, Law) or given.feedback or len(given.states) or given.samplers:
        raise InputError(
            f"a shaper shapes a Motion, or a torque law of time alone (supple.feedforward, a "
            f"table), not {brief(given)}: feedback would see what it shapes"
        )
    return _shaped_torque(given, by)


def _shaped_joint(law: JointLaw, motion: Motion, by: Shaper) -> TraceableJointLaw:
    end, inner = motion.duration, getattr(law, "written", None)
    places = np.array([law(0.0)[0], law(end)[0]])
    impulses = list(zip(by.times, by.amplitudes, strict=True))

    def one(t: float) -> Floats:
        if 0.0 <= t <= end:
            return np.array(law(t))
        return np.array([places[0] if t < 0.0 else places[1], 0.0, 0.0])

    def value(t: float) -> tuple[float, float, float]:
        x, v, a = sum(A * one(t - late) for late, A in impulses)  # type: ignore[misc]
        return float(x), float(v), float(a)

    def when(a: float, b: float) -> Floats:
        """Whether the motion goes on, and where it stands if it does not."""
        middle = 0.5 * (a + b)
        return np.array([float(0.0 <= middle <= end), 0.0 if middle < 0.0 else end])

    def of(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
        assert inner is not None
        x, v, a = inner.of(n[0] * t + (1.0 - n[0]) * n[1], q, qd, n[2:])
        return np.array([x, n[0] * v, n[0] * a])

    ends = (0.0, *law_breaks(law, end, "the motion", motion.breaks), *motion.breaks, end)
    breaks = tuple(sorted({b + late for b in ends for late in by.times}))
    written = None if inner is None else _delayed(inner, of, when, by)
    return TraceableJointLaw(
        value, written, lambda t: np.array([value(float(x)) for x in t]), breaks
    )


def _shaped_torque(law: Law, by: Shaper) -> Law:
    impulses = list(zip(by.times, by.amplitudes, strict=True))
    inner = law.written

    def force(t: float, q: Floats, qd: Floats) -> Floats:
        parts = [A * law(t - late, q, qd) for late, A in impulses if t >= late]
        return np.asarray(sum(parts)) if parts else 0.0 * law(0.0, q, qd)

    def when(a: float, b: float) -> Floats:
        return np.array([float(a + b >= 0.0), 0.0])

    def of(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
        assert inner is not None
        return np.asarray(n[0] * inner.of(n[0] * t, q, qd, n[2:]))

    breaks = tuple(sorted({b + late for b in (0.0, *law.breaks) for late in by.times}))
    written = None if inner is None else _delayed(inner, of, when, by)
    anew = lambda one, other: _shaped_torque(law.of(one, other), by)  # noqa: E731
    return replace(
        law, force=force, breaks=breaks, written=written, anew=anew if law.anew else None
    )


def _delayed(
    inner: TraceableLaw,
    of: Callable[[Scalar, Array, Array, Array], Array],
    when: Callable[[float, float], Floats],
    by: Shaper,
) -> TraceableLaw:
    """sum_i A_i of(t - t_i); the numbers of each are when(a, b) and those of the law inside."""
    impulses = list(zip(by.times, by.amplitudes, strict=True))
    width = 2 + inner.count

    def total(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
        shares = [n[k * width : (k + 1) * width] for k in range(len(impulses))]
        parts = [A * of(t - late, q, qd, x) for (late, A), x in zip(impulses, shares, strict=True)]
        return np.asarray(sum(parts[1:], parts[0]))

    def numbers(a: float, b: float) -> Floats:
        rows = [(when(a - t, b - t), inner.numbers(a - t, b - t)) for t in by.times]
        return np.concatenate([x for row in rows for x in row])

    return TraceableLaw(total, width * len(impulses), numbers)
