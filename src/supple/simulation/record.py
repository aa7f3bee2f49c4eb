"""What a run holds, in plain arrays: they become an xarray Dataset when somebody asks for one.

xarray takes longer to import than most runs to make. A `Record` is read as a Dataset is:
`variables[name].values`, `.dims`, `attrs`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import xarray as xr

Columns = Mapping[str, tuple[tuple[str, ...], ArrayLike]]
"""Arrays with the names of their dimensions."""


@dataclass(frozen=True)
class RecordColumn:
    """An array with the names of its dimensions."""

    dims: tuple[str, ...]
    values: NDArray[np.generic]


def read_only(values: ArrayLike) -> NDArray[np.generic]:
    """The same array, not to be written to: what runs along a dimension names its places."""
    out = np.asarray(values).view()
    out.flags.writeable = False
    return out


class Record:
    """Arrays of a run, the names along their dimensions (`coordinates`), and words about it."""

    def __init__(
        self, columns: Columns, coordinates: Mapping[str, ArrayLike], attrs: dict[str, Any]
    ) -> None:
        self.data_vars: dict[str, RecordColumn] = {}
        self.coords: dict[str, RecordColumn] = {}
        self.attrs = attrs
        self.put(columns, coordinates)

    def put(self, columns: Columns, coordinates: Mapping[str, ArrayLike]) -> None:
        """Hold more."""
        for name, (dims, values) in columns.items():
            self.data_vars[name] = RecordColumn(dims, np.asarray(values))
        for name, along in coordinates.items():
            self.coords[name] = RecordColumn((name,), read_only(along))

    @property
    def variables(self) -> dict[str, RecordColumn]:
        """All of them, coordinates last."""
        return self.data_vars | self.coords

    def dataset(self) -> xr.Dataset:
        """The same, labelled."""
        import xarray as xr

        both = (self.data_vars, self.coords)
        data, names = ({n: (x.dims, x.values) for n, x in some.items()} for some in both)
        return xr.Dataset(data, coords=names, attrs=self.attrs)
