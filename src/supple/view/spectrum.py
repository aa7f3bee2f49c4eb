"""What vibrates in a run: spectra of its modal amplitudes.

    A(f_k) = 2 / sum(w) |sum_n w_n x_n exp(-2 pi i k n / N)|,   w: Hann's window

so that x = a sin(2 pi f t) peaks at a, at most 15 % lower between two lines. The samples are made
evenly spaced and their mean and trend are taken off first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..types import Floats
from .style import label, legend, looks, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..simulation import Result

FEWEST = 16  # samples
FLOOR = 1e-6  # of the largest: what is drawn


@styled
def spectrum(run: Result) -> Figure:
    """Every modal amplitude over frequency, up to half the rate of the samples."""
    names, values = [str(n) for n in run.data["mode"].values], run["amplitude"]
    if not names or not np.ptp(values):
        raise InputError(f"nothing bends in the run of {run.robot_name}: it has no spectrum")
    if len(run.time) < FEWEST:
        raise InputError(f"the run has {len(run.time)} samples; a spectrum needs {FEWEST}")
    f, size = amplitudes(run.time, values)
    figure = new_figure((9.0, 5.0), f"{run.robot_name}: spectra of the modal amplitudes")
    axes = figure.subplots()
    for name, row, (colour, style) in zip(names, size.T, looks(len(names)), strict=True):
        axes.semilogy(f, row, style, color=colour, label=name)
    axes.set_ylim(FLOOR * size.max(), 2.0 * size.max())
    axes.set_xlabel("frequency [Hz]")
    axes.set_ylabel(label("amplitude of the shape"))
    legend(axes, figure.get_size_inches()[0])
    return figure


def amplitudes(t: Floats, x: Floats) -> tuple[Floats, Floats]:
    """Frequencies [Hz] without zero (n,), and amplitudes (n, columns) of x (time, columns)."""
    even = np.linspace(t[0], t[-1], len(t))
    columns = np.stack([np.interp(even, t, column) for column in x.T], axis=1)
    line = np.vander(even - even.mean(), 2)
    columns = columns - line @ np.linalg.lstsq(line, columns, rcond=None)[0]
    window = np.hanning(len(t) + 1)[:-1, None]
    size = 2.0 / window.sum() * np.abs(np.fft.rfft(window * columns, axis=0))
    return np.fft.rfftfreq(len(t), even[1] - even[0])[1:], size[1:]
