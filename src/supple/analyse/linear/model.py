"""The linear model of a robot: matrices with names, and what is asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...checks import real_numbers
from ...errors import InputError, caution, unknown_name
from ...files import drawn
from ...robot import Robot
from ...text_table import columns
from ...types import Floats
from ..frequencies import growth
from .poles import Pole, eigenvalues, poles_by_name
from .transmission import TransferFunction, system_zeros, transfer

if TYPE_CHECKING:
    import control
    from matplotlib.figure import Figure

SHOWN = 16  # poles that a print lists


@dataclass(frozen=True, repr=False, eq=False)
class LinearModel:
    """dx/dt = A x + B u + drift, y = C x + D u: deviations from an operating point.

    states: independent coordinates, then their rates. `drift` is zero at an equilibrium.
    units: of the inputs, and of the outputs. q, qd, tau: the operating point.
    inertia: the mass matrix of the independent coordinates.
    warnings: why the model is to be read with care.
    """

    robot: Robot
    A: Floats
    B: Floats
    C: Floats
    D: Floats
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    units: tuple[tuple[str, ...], tuple[str, ...]]
    q: Floats
    qd: Floats
    tau: Floats
    drift: Floats
    inertia: Floats
    warnings: tuple[str, ...] = ()

    @property
    def equilibrium(self) -> bool:
        """Whether forces balance at the operating point."""
        return not np.any(self.drift)

    def poles(self) -> np.ndarray:
        """All poles (n,), by size; a robot that moves freely has exact zeros among them."""
        return eigenvalues(self.A)

    def modes(self) -> tuple[Pole, ...]:
        """Poles with frequency, damping ratio and the coordinates that move; pairs once."""
        names = self.states[: len(self.states) // 2]
        return poles_by_name(self.A, self.inertia, names)

    @property
    def stability(self) -> str:
        """stable, marginally stable (undamped, or free to move), or unstable."""
        poles = self.poles()
        if not len(poles):
            return "without states"
        if growth(self.A, self.inertia) > 0.0:
            return "unstable"
        return "stable" if poles.real.max() < 0.0 else "marginally stable"

    def zeros(
        self, outputs: Sequence[str] | None = None, inputs: Sequence[str] | None = None
    ) -> np.ndarray:
        """Transmission zeros of these outputs and inputs, as many of the one as of the other; by
        default of all."""
        rows, cols = self._rows(outputs), self._columns(inputs)
        if len(rows) != len(cols) or not rows:
            raise InputError(
                f"zeros of {self.robot.name}: {len(rows)} outputs and {len(cols)} inputs; choose "
                f"as many outputs as inputs, e.g. zeros(['link1.tip.y'], ['joint1'])"
            )
        return system_zeros(self.A, self.B[:, cols], self.C[rows], self.D[np.ix_(rows, cols)])

    def transfer_function(
        self, output: str | None = None, input: str | None = None
    ) -> TransferFunction:
        """From one input to one output, as gain, zeros and poles; names may be left out where
        there is one."""
        i, j = self._one("output", output), self._one("input", input)
        system = (self.A, self.B[:, [j]], self.C[[i]], self.D[[i]][:, [j]])
        return transfer(system, self.outputs[i], self.inputs[j])

    def frequency_response(self, w: ArrayLike) -> np.ndarray:
        """C (i w - A)^-1 B + D at angular frequencies w [rad/s]: (..., outputs, inputs)."""
        given = real_numbers(w)
        if not np.all(np.isfinite(given)) or np.any(given < 0.0):
            raise InputError("w must be finite angular frequencies [rad/s], none of them negative")
        one, flat = np.eye(len(self.A)), given.ravel()
        out = np.empty((len(flat), *self.D.shape), dtype=complex)
        for k, x in enumerate(flat):
            try:
                out[k] = self.C @ np.linalg.solve(1j * x * one - self.A, self.B) + self.D
            except np.linalg.LinAlgError:
                raise InputError(
                    f"the response of {self.robot.name} has no bound at w = {x:g} rad/s, a pole; "
                    f"leave this frequency out"
                ) from None
        return out.reshape(*given.shape, *self.D.shape)

    @overload
    def bode(
        self,
        path: None = None,
        w: ArrayLike | None = ...,
        *,
        outputs: Sequence[str] | None = ...,
        inputs: Sequence[str] | None = ...,
        width: str = ...,
    ) -> Figure: ...

    @overload
    def bode(
        self,
        path: str | Path,
        w: ArrayLike | None = ...,
        *,
        outputs: Sequence[str] | None = ...,
        inputs: Sequence[str] | None = ...,
        width: str = ...,
    ) -> Path: ...

    def bode(
        self,
        path: str | Path | None = None,
        w: ArrayLike | None = None,
        *,
        outputs: Sequence[str] | None = None,
        inputs: Sequence[str] | None = None,
        width: str = "screen",
    ) -> Figure | Path:
        """Gain and phase over frequency; saved when a path is given, else the matplotlib Figure
        is returned. w [rad/s]: by default from a tenth of the lowest pole to three times the
        highest that is lightly damped. width: screen, double or single."""
        from ...view.bode import bode

        if self.stability == "unstable":
            caution(
                f"{self.robot.name} is not stable here: its frequency response is no answer that "
                f"could be measured without feedback. See modes()"
            )
        return drawn(
            path, lambda: bode(self, w, self._rows(outputs), self._columns(inputs), width=width)
        )

    def to_control(self) -> control.StateSpace:
        """A StateSpace of python-control, with the same names."""
        try:
            import control
        except ImportError:
            raise InputError(
                "to_control needs python-control, which is not installed; "
                "pip install 'supple[control]'"
            ) from None
        plain = [[n.replace(".", "_") for n in names] for names in (self.inputs, self.outputs)]
        states = [n.replace(".", "_") for n in self.states]
        return control.StateSpace(
            self.A,
            self.B,
            self.C,
            self.D,
            inputs=plain[0],
            outputs=plain[1],
            states=states,
            name=self.robot.name.replace(".", "_"),
        )

    def _rows(self, names: Sequence[str] | None) -> list[int]:
        return self._places("output", self.outputs, names)

    def _columns(self, names: Sequence[str] | None) -> list[int]:
        return self._places("input", self.inputs, names)

    def _places(self, kind: str, known: tuple[str, ...], names: Sequence[str] | None) -> list[int]:
        if names is None:
            return list(range(len(known)))
        out = []
        for name in checks.names(names, f"{kind}s", repr(list(known[:1]))):
            if name not in known:
                raise unknown_name(
                    kind, name, known, where=f"the linear model of {self.robot.name}"
                )
            out.append(known.index(name))
        return out

    def _one(self, kind: str, name: str | None) -> int:
        known = self.outputs if kind == "output" else self.inputs
        if name is not None:
            return self._places(kind, known, [name])[0]
        if len(known) != 1:
            raise InputError(f"the model has {len(known)} {kind}s ({', '.join(known)}): name one")
        return 0

    def __str__(self) -> str:
        n = len(self.A)
        lines = [
            f"{self.robot.name}, linear, {self.stability}: {n} states, {len(self.inputs)} inputs, "
            f"{len(self.outputs)} outputs",
            *columns(
                ("pole", "rad/s", "Hz", "damping", "mostly"), _pole_rows(self.modes()[:SHOWN])
            ),
        ]
        more = len(self.modes()) - SHOWN
        lines += [f"  ... {more} more: modes()"] if more > 0 else []
        lines += [f"  inputs: {', '.join(self.inputs) or 'none'}"]
        lines += [f"  outputs: {', '.join(self.outputs) or 'none'}"]
        return "\n".join([*lines, *(f"warning: {words}" for words in self.warnings)])

    __repr__ = __str__


def _pole_rows(poles: Sequence[Pole]) -> list[tuple[str, float, float, float, str]]:
    return [(pole_text(p), p.omega, p.hertz, p.damping, mostly(p)) for p in poles]


def pole_text(pole: Pole) -> str:
    """A pole, or a pair of them, as text."""
    s = pole.value
    if s.imag == 0.0:
        return f"{s.real:.6g}" + (f" ({pole.count} times)" if pole.count > 1 else "")
    real = f"{s.real:.6g} " if s.real else ""
    return f"{real}+- j{abs(s.imag):.6g}"


def mostly(pole: Pole) -> str:
    """Up to three coordinates that have a tenth of the kinetic energy, with their shares."""
    shown = [(n, x) for n, x in pole.shares.items() if x >= 0.1][:3]
    return ", ".join(f"{n} {100 * x:.0f} %" for n, x in shown)


__all__ = ["LinearModel", "mostly", "pole_text"]
