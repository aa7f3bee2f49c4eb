"""What a run holds, in plain arrays: they become an xarray Dataset when somebody asks for one.

xarray takes longer to import than most runs to make. A `Record` is read as a Dataset is:
`variables[name].values`, `.dims`, `attrs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import xarray as xr

Columns = Mapping[str, tuple[tuple[str, ...], ArrayLike]]
"""Arrays with the names of their dimensions."""


@dataclass(frozen=True)
class Column:
    """An array with the names of its dimensions."""

    dims: tuple[str, ...]
    values: np.ndarray[Any, Any]


class Record:
    """Arrays of a run, the names along their dimensions (`coordinates`), and words about it."""

    def __init__(
        self, columns: Columns, coordinates: Mapping[str, ArrayLike], attrs: dict[str, Any]
    ) -> None:
        self.variables: dict[str, Column] = {}
        self.attrs = attrs
        self._names: list[str] = []
        self.put(columns, coordinates)

    def put(self, columns: Columns, coordinates: Mapping[str, ArrayLike]) -> None:
        """Hold more."""
        for name, (dims, values) in columns.items():
            self.variables[name] = Column(dims, np.asarray(values))
        for name, values in coordinates.items():
            self.variables[name] = Column((name,), np.asarray(values))
            self._names.append(name)

    @property
    def data_vars(self) -> list[str]:
        """Names of what is no coordinate."""
        return [name for name in self.variables if name not in self._names]

    def dataset(self) -> xr.Dataset:
        """The same, labelled."""
        import xarray as xr

        columns = {name: (x.dims, x.values) for name, x in self.variables.items()}
        data = {name: columns[name] for name in self.data_vars}
        coordinates = {name: columns[name] for name in self._names}
        return xr.Dataset(data, coords=coordinates, attrs=self.attrs)
