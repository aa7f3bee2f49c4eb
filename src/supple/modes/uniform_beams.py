"""Exact modes of uniform beams: of a cantilever, free or with a tip body, and of a pinned beam."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import cos, inf, pi, sin
from typing import ClassVar

import numpy as np

from .base import Array, Family, Line, Shapes, option
from .euler_bernoulli import TipRatios, clamped_shapes, enclosed_root
from .quadrature import total_mass


@dataclass(frozen=True)
class ClampedFree(Family):
    """Modes of a uniform cantilever.

    bending         phi_k = (cosh z - cos z) - sigma_k (sinh z - sin z),   z = beta_k x
                    1 + cosh(beta L) cos(beta L) = 0
    torsion, axial  phi_k = sin((2k - 1) pi x / 2L)

    Reference: [MohanSaha], eq. (43), in the scale "sine".
    erratum: its two + signs should be -, else phi(0) = -2 sigma.
    """

    name: ClassVar[str] = "clamped_free"
    meaning: ClassVar[str] = "are modes of the uniform cantilever"

    def shapes(self, count: int, line: Line) -> Shapes:
        if line.bending:
            return clamped_shapes(count, line.length, TipRatios())
        return _sine_shapes(np.pi * (np.arange(1.0, count + 1.0) - 0.5), line)


@dataclass(frozen=True)
class ClampedMass(Family):
    """Modes of a uniform cantilever with a tip body.

    bending   phi_k = (cosh z - cos z) - sigma_k (sinh z - sin z),   z = beta_k x,   and at x = L
              EI phi''  =  w^2 [(J + m e^2) phi' + m e phi]
              EI phi''' = -w^2 m (phi + e phi')
    torsion, axial   phi_k = sin(b_k x / L),   cos b = r b sin b,   r = tip over beam inertia

    The ratios m/(rho A L), J/(rho A L^3), e/L are the options where given, else the line's own
    tip body over the whole mass of its beam. Exact for uniform beams only: a tapered one gets
    the shapes of the uniform beam of equal mass (`finite_elements` has its true modes).

    Reference: [LinLewis], [Gorman].
    """

    mass_ratio: float | None = option(
        "not_negative",
        "tip mass over the beam's mass. By default the payload's.",
        "1.5",
        default=None,
    )
    inertia_ratio: float | None = option(
        "not_negative",
        "the tip body's inertia over beam mass times length squared.",
        "0.01",
        default=None,
    )
    offset_ratio: float | None = option(
        "number",
        "distance of the tip body's mass centre beyond the tip, over the length.",
        "0.05",
        default=None,
    )
    name: ClassVar[str] = "clamped_mass"
    meaning: ClassVar[str] = "are modes of the uniform cantilever with a tip body"

    def __post_init__(self) -> None:
        for name in ("mass_ratio", "inertia_ratio"):
            value = getattr(self, name)
            if value is not None and not 0.0 <= value < inf:
                raise ValueError(f"{name} is {value}; it must be zero or positive")
        if self.offset_ratio is not None and not -1.0 < self.offset_ratio < inf:
            raise ValueError(f"offset_ratio is {self.offset_ratio}; it must be greater than -1")

    def shapes(self, count: int, line: Line) -> Shapes:
        tip = self.ratios(line)
        if line.bending:
            return clamped_shapes(count, line.length, tip)
        betas = [_second_order_root(k, tip.mass) for k in range(1, count + 1)]
        return _sine_shapes(np.array(betas), line)

    def ratios(self, line: Line) -> TipRatios:
        """The ratios in use on this line."""
        beam, L = total_mass(line), line.length
        mass, inertia, offset = self.mass_ratio, self.inertia_ratio, self.offset_ratio
        return TipRatios(
            line.tip_mass / beam if mass is None else mass,
            line.tip_inertia / (beam * L**2) if inertia is None else inertia,
            line.tip_offset / L if offset is None else offset,
        )


@dataclass(frozen=True)
class PinnedPinned(Family):
    """phi_k = sin(k pi x / L), in bending, torsion and extension."""

    name: ClassVar[str] = "pinned_pinned"
    meaning: ClassVar[str] = "are sines"

    def shapes(self, count: int, line: Line) -> Shapes:
        return _sine_shapes(np.pi * np.arange(1.0, count + 1.0), line)


def _second_order_root(k: int, r: float) -> float:
    """The k-th root of cos b = r b sin b; it lies in ((k - 1) pi, (k - 1/2) pi]."""

    def characteristic(b: float) -> float:
        return (cos(b) - r * b * sin(b)) / (1.0 + r * b)

    return enclosed_root(characteristic, (k - 1) * pi, (k - 0.49) * pi)


def _sine_shapes(betas: Array, line: Line) -> Shapes:
    """phi_k = sin(b_k x / L) with betas: (count,)."""
    wave = betas[:, None] / line.length
    return Shapes(len(betas), partial(_waves, wave), line.order + 1, betas)


def _waves(wave: Array, x: Array, derivative: int) -> Array:
    function = np.sin if derivative % 2 == 0 else np.cos
    sign = 1.0 if derivative % 4 < 2 else -1.0
    return np.asarray(sign * wave**derivative * function(wave * x))
