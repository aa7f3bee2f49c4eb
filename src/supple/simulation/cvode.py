"""CVODE of SUNDIALS as one more solver, for stiff runs (BDF; extra `sundials`). It asks for rates
through Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..types import Floats
from .simulated_robot import Rate
from .solver import DenseOutput, dense_output

if TYPE_CHECKING:
    from sksundae.cvode import CVODE

NAME = "CVODE"
SHORT = 16.0  # spacings of numbers: CVODE does not begin on a shorter way


class CvodeStepper:
    """Goes step by step; between the ends of its last step it gives CVODE's own curve."""

    def __init__(
        self,
        rate: Rate,
        t: float,
        y: Floats,
        end: float,
        rtol: float,
        atol: float,
        max_step: float,
        first_step: float | None,
    ) -> None:
        self.t, self.y, self._end, self._rate = t, np.array(y), end, rate
        self.status = "running" if t < end else "finished"
        options: dict[str, str | float] = {
            "method": "BDF",
            "rtol": rtol,
            "atol": atol,
            "max_num_steps": 100_000,
        }
        if np.isfinite(max_step):
            options["max_step"] = max_step
        if first_step is not None:
            options["first_step"] = first_step

        def rates(t: float, y: Floats, out: Floats) -> None:
            out[:] = rate(t, y)

        self._solver = _cvode()(rates, **options)
        self._solver.init_step(t, self.y)

    def step(self) -> str | None:
        self._a, self._before = self.t, self.y
        if self._end - self.t <= SHORT * np.spacing(self._end):
            self._leap()
            return None
        for _ in range(2):  # having looked back, it first returns to where it was
            found = self._solver.step(self._end, method="onestep", tstop=self._end)
            if found.t > self.t:
                break
        if not found.success or not found.t > self.t:
            self.status = "failed"
            return str(found.message)
        self.t, self.y = float(found.t), np.array(found.y)
        if self.t >= self._end:
            self.status = "finished"
        return None

    def _leap(self) -> None:
        """To an end that is too near for CVODE to begin: a few of the last digits away."""
        self.y = self.y + (self._end - self.t) * self._rate(self.t, self.y)
        self.t, self.status = self._end, "finished"

    def dense_output(self) -> DenseOutput:
        known: dict[float, Floats] = {self.t: self.y, self._a: self._before}

        def state(t: float) -> Floats:
            if t not in known:
                known[t] = np.array(self._solver.step(t, method="normal").y)
            return known[t]

        return dense_output(state)


def _cvode() -> type[CVODE]:
    try:
        from sksundae.cvode import CVODE
    except ImportError:
        raise InputError(
            "method CVODE needs scikit-sundae: pip install 'supple[sundials]'"
        ) from None
    found: type[CVODE] = CVODE
    return found
