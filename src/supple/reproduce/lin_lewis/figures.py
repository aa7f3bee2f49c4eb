"""[LinLewis]: its numbers as figures; the paper draws none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...analyse.zeros import shape_eigenvalues, zeros
from ..report import Figure
from .cases import FAMILIES, one_link, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def figures() -> tuple[Figure, ...]:
    return (
        Figure(
            "zeros",
            _draw_zeros,
            size=(7.0, 3.8),
            caption="Zeros of the flexible link with two shapes: the pinned ones are real, not "
            "the four that are printed; the clamped ones agree.",
        ),
        Figure(
            "eigenvalues",
            _draw_eigenvalues,
            size=(7.0, 3.8),
            caption="Eigenvalues of 15 pinned-pinned shapes: the second and the third are "
            "interchanged in print, and one of them is ten times too large.",
        ),
    )


def _draw_zeros(axes: Axes) -> None:
    for family, mark in zip(FAMILIES, "ox", strict=True):
        z = zeros(one_link(family, 2)).zeros
        axes.plot(z.real, z.imag, mark, label=f"{family}, ours")
    data = printed()
    for key, mark in (("zeros_pinned", "s"), ("zeros_clamped", "+")):
        z = np.array(data[key])
        axes.plot(z[:, 0], z[:, 1], mark, fillstyle="none", label=f"{key[6:]}, printed")
    axes.axvline(0.0, color="grey", linewidth=0.5)
    axes.set(xlabel="real part [1/s]", ylabel="imaginary part [1/s]")
    axes.legend()


def _draw_eigenvalues(axes: Axes) -> None:
    robot = one_link("pinned_pinned", 15)
    k = np.arange(1, 16)
    axes.semilogy(k, shape_eigenvalues(robot, robot.neutral()), "o", label="ours")
    axes.semilogy(k, printed()["eigenvalues_pinned_15"], "x", label="printed")
    axes.set(xlabel="mode", ylabel="eigenvalue [1/s^2]")
    axes.legend()
