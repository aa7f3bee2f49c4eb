"""A finished study, or as much of it as there is: a labelled dataset, its failures, its report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from ..errors import unknown_name
from ..files import drawn
from ..lazy import cached_property
from ..types import Array, Floats
from .experiments.base import KEPT
from .store import Store, about, opened

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Sweep:
    """Of all points that are there: what varied, the outcomes, trouble, seconds."""

    name: str  # of the study
    folder: Path
    columns: dict[str, Array]  # (points,) each, with the points' numbers and their trouble
    varied: tuple[str, ...]
    outcomes: tuple[str, ...]
    total: int
    source: str = ""  # the study's file, if it has one

    @classmethod
    def of(cls, store: Store) -> Sweep:
        table, words = store.table(), about(store.folder)
        columns = {n: np.asarray(table.column(n).to_numpy()) for n in table.column_names}
        columns["trouble"] = np.array([x or "" for x in columns["trouble"]], dtype=object)
        listed = list(words["study"].get("vary", {})) or words.get("names", [])
        varied = tuple(name for name in listed if name in table.column_names)
        outcomes = tuple(n for n in table.column_names if n not in (*KEPT, *varied))
        source = str(words.get("source") or "")
        name, total = str(words["study"]["name"]), int(words["points"])
        return cls(name, store.folder, columns, varied, outcomes, total, source)

    @cached_property
    def data(self) -> xr.Dataset:
        """All columns as a dataset over `point`; made when it is asked for."""
        import xarray as xr

        made = {n: (("point",), values) for n, values in self.columns.items() if n != "point"}
        return xr.Dataset(made, coords={"point": self.points}, attrs={"study": self.name})

    @property
    def points(self) -> Array:
        """The numbers of the points that are there: (points,)."""
        return self.columns["point"]

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, name: str) -> Floats:
        """A number that varied, or an outcome, of all points."""
        known = {n: self.columns[n] for n in (*self.varied, *self.outcomes)}
        if "data" in vars(self):  # what was put into it belongs to the study
            known |= {str(n): x.values for n, x in self.data.data_vars.items() if n not in KEPT}
        if not isinstance(name, str) or name not in known:
            raise unknown_name("outcome", str(name), known, where=str(self.folder))
        return np.asarray(known[name], dtype=float)

    @cached_property
    def sound(self) -> npt.NDArray[np.bool_]:
        """Which points have outcomes: (points,) of bool."""
        return np.array([not words for words in self.columns["trouble"]], dtype=bool)

    @property
    def failed(self) -> dict[int, str]:
        """Points without outcomes, and why."""
        rows = np.flatnonzero(~self.sound)
        return {int(self.points[k]): str(self.columns["trouble"][k]) for k in rows}

    @overload
    def plot(self, path: str | Path, *, pareto: Pair | None = ..., width: str = ...) -> Path: ...

    @overload
    def plot(self, path: None = ..., *, pareto: Pair | None = ..., width: str = ...) -> Figure: ...

    def plot(
        self, path: str | Path | None = None, *, pareto: Pair | None = None, width: str = "screen"
    ) -> Figure | Path:
        """Histograms, and outcomes over the numbers that move them most."""
        from .figure import study_figure

        return drawn(path, lambda: study_figure(self, pareto, width=width))

    def report(self, pareto: Pair | None = None) -> str:
        """Distributions, main effects, correlations, worst cases, in words and numbers."""
        from .report import text

        return text(self, pareto)


def load_sweep(folder: str | Path) -> Sweep:
    """The results in the folder of a study."""
    return Sweep.of(opened(folder))
