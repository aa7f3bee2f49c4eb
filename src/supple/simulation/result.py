"""The Result of a run: a labelled dataset that looks itself up, saves and plots.

Dimensions: time, coordinate (configuration), velocity, link, axis (x, y, z), mode.
A run is saved in one netCDF file with a checksum behind it. What it holds are plain arrays, which
become an xarray Dataset when somebody asks for one: xarray takes longer to import than most runs to
make.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import FileError, InputError, brief, caution, let_signals_through, unknown_name
from ..files import RUNS, check_target, drawn, read_bytes, sealed, unsealed, write_whole
from ..text_table import columns
from ..types import Floats
from .check import Check, Report, read, report, verdict

if TYPE_CHECKING:
    import h5netcdf
    import xarray as xr
    from matplotlib.figure import Figure

    from ..robot import Robot
    from ..view.page import View
    from .events import Occurrence

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
    """Arrays of a run, the names along their dimensions (`coordinates`), and words about it; read
    as a Dataset is: `variables[name].values`, `.dims`, `attrs`."""

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


HOLDS = {
    "q": ("time", "coordinate"),
    "qd": ("time", "velocity"),
    "tau": ("time", "velocity"),
    "amplitude": ("time", "mode"),
    "tip": ("time", "link", "axis"),
    "deflection": ("time", "link", "axis"),
    **dict.fromkeys(("kinetic", "gravity", "elastic", "work", "dissipated"), ("time",)),
}
SHOWN = 16  # coordinates that a printed run lists


class Result:
    """A finished (or interrupted) run. `data` is an xarray Dataset."""

    __slots__ = ("__weakref__", "_held", "again", "breaks")

    def __init__(self, data: xr.Dataset | Record) -> None:
        wrong = "" if isinstance(data, Record) else _unlike_a_run(data)
        if wrong:
            raise InputError(f"{wrong}; supple.simulate and supple.load_result make results")
        self._held = data
        self.again: Callable[[Floats], Result] | None = None  # the same run, other samples
        self.breaks: tuple[float, ...] = ()  # where torques may have jumped, if that is known

    def __reduce__(self) -> tuple[type[Result], tuple[object]]:
        return Result, (self._held,)

    @property
    def data(self) -> xr.Dataset:
        """All of the run, labelled; what is put into it belongs to the run."""
        if isinstance(self._held, Record):
            self._held = self._held.dataset()
        return self._held

    @property
    def held(self) -> xr.Dataset | Record:
        """The same to be read: `variables` and `attrs` of the dataset, or of what it is made of as
        long as nobody has asked for it."""
        return self._held

    def put(self, columns: Columns, coordinates: Mapping[str, ArrayLike]) -> None:
        """Hold more arrays, and names along new dimensions, before anybody has seen the run."""
        assert isinstance(self._held, Record)
        self._held.put(columns, coordinates)

    def __getitem__(self, name: str) -> Floats:
        """A variable, or the history of one coordinate by its name, or of one rate whose name
        is no coordinate's ("base.wx"), or of a state of a law ("joint1.integral"). No joint of a
        model may have a variable's name; in a file from elsewhere the variable comes first."""
        if not isinstance(name, str):
            raise InputError(f"a result is asked by a name, e.g. run['q'], got {brief(name)}")
        variables = self._held.variables
        if name in variables:
            return np.asarray(variables[name].values)
        for which, names in (("q", "coordinate"), ("qd", "velocity"), ("law_state", "state")):
            if which in variables and name in self.names(names):
                return np.asarray(variables[which].values[:, self.names(names).index(name)])
        known = [*self._held.data_vars, *self.names("coordinate"), *self.names("velocity")]
        known = list(dict.fromkeys(known))
        raise unknown_name("quantity", name, [str(k) for k in known], where="the result")

    def names(self, dimension: str) -> list[str]:
        """Of what runs along a dimension: "coordinate", "velocity", "mode", "link", ..."""
        if not isinstance(dimension, str) or dimension not in self._held.variables:
            known = [str(name) for name in self._held.coords]
            raise unknown_name("dimension", str(dimension), known, where="the result")
        return [str(name) for name in self._held.variables[dimension].values]

    @property
    def time(self) -> Floats:
        return np.asarray(self._held.variables["time"].values)

    @property
    def robot_name(self) -> str:
        return str(self._held.attrs["robot"])

    @property
    def interrupted(self) -> bool:
        """Whether the run was stopped before its end."""
        return bool(self._held.attrs.get("interrupted", 0))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the run is to be read with care, if it is."""
        return tuple(json.loads(self._held.attrs.get("warnings", "[]")))

    @property
    def method(self) -> str:
        """Which integrator made the run, from when on, and why."""
        return str(self._held.attrs.get("method", ""))

    @property
    def inputs(self) -> str:
        """Whether what drives the robot ran natively, or was called back to Python at what cost."""
        return str(self._held.attrs.get("inputs", ""))

    @property
    def events(self) -> tuple[Occurrence, ...]:
        """What happened on the way (`supple.Event`), in order: name, t, q, qd."""
        from .events import Occurrence

        if "event_time" not in self._held.variables:
            return ()
        rows = zip(*(self[f"event_{x}"] for x in ("time", "q", "qd")), strict=True)
        pairs = zip(self.names("event"), rows, strict=True)
        return tuple(Occurrence(name, float(t), q, qd) for name, (t, q, qd) in pairs)

    @property
    def stopped(self) -> str:
        """Why the run could not go on, if it could not; its samples end there."""
        return str(self._held.attrs.get("stopped", ""))

    @property
    def checks(self) -> tuple[Check, ...]:
        """All that was looked at, with value and limit, also where all is well."""
        return read(self._held.attrs.get("checks", "[]"))

    def report(self) -> Report:
        """Can the run be believed? How it was made, and every check, as a table."""
        return report(self)

    @property
    def energy_error(self) -> float:
        """Largest imbalance of energy, relative to the largest energy that took part."""
        total = self["kinetic"] + self["gravity"] + self["elastic"]
        error = np.abs(total - total[0] - self["work"] + self["dissipated"]).max()
        return float(error / max(self.energy_moved, 1e-300))

    @property
    def energy_moved(self) -> float:
        """The largest energy that took part: given, taken, or moved from one kind to another."""
        total = self["kinetic"] + self["gravity"] + self["elastic"]
        moved = np.abs(total - total[0]).max()
        flows = np.abs(self["work"]).max() + np.abs(self["dissipated"]).max()
        parts = sum(np.ptp(self[name]) for name in ("kinetic", "gravity", "elastic"))
        motion = 1e-3 * np.abs(self["kinetic"]).max()  # of a run that only carries its energy on
        return float(max(moved, flows, parts, motion))

    def summary(self) -> list[tuple[str, float, float, float]]:
        """(coordinate, first, last, largest magnitude) for a table."""
        q = self["q"]
        return [
            (name, float(q[0, i]), float(q[-1, i]), float(np.abs(q[:, i]).max()))
            for i, name in enumerate(self.names("coordinate"))
        ]

    def save(self, path: str | Path) -> Path:
        """Write one netCDF file; it appears whole or not at all."""
        check_target(path, RUNS)
        try:
            content = netcdf(self._held)
        except (TypeError, ValueError) as error:  # what a user put into the dataset
            let_signals_through(error)
            raise FileError(f"cannot write {path}: {brief(error, 200)}") from None
        return write_whole(path, sealed(content))

    @overload
    def plot(self, path: str | Path, *, width: str = ...) -> Path: ...

    @overload
    def plot(self, *, width: str = ...) -> Figure: ...

    def plot(self, path: str | Path | None = None, *, width: str = "screen") -> Figure | Path:
        """Joint angles, tip deflections, modal amplitudes and energies; saved when a path is
        given, else the matplotlib Figure is returned. width: screen, double or single, as columns
        of journals are. `supple.plot` has more plots."""
        from ..view.plots import overview

        return drawn(path, lambda: overview(self, width=width))

    def view(
        self,
        *others: Result,
        labels: Sequence[str] | None = None,
        magnify: float = 1.0,
        robot: Robot | None = None,
    ) -> View:
        """The run in three dimensions, others laid over it: the last line of a notebook's cell
        shows itself, `run.view().show()` opens the browser, and `run.view().save("run.html")`
        writes a file. magnify: bending so many times larger, at first. robot: of a run whose
        robot was made by hand."""
        from ..view.page import view_of

        return view_of(self, *others, labels=labels, magnify=magnify, robot=robot)

    def __repr__(self) -> str:
        return f"<Result of {self.robot_name}: {self.time[-1]:g} s, {len(self.time)} samples>"

    def __str__(self) -> str:
        """What happened, as a short table."""
        rows = self.summary()
        end = ", interrupted" if self.interrupted else ""
        lines = [
            f"{self.robot_name}: {self.time[-1]:g} s, {len(self.time)} samples{end}",
            *columns(("coordinate", "start", "end", "largest"), rows[:SHOWN]),
            *([f"... {len(rows) - SHOWN} more: run.summary()"] if len(rows) > SHOWN else []),
            f"energy imbalance {self.energy_error:.1e} relative; {verdict(self)}",
            *(f"event {at.name} at {at.t:.6g} s" for at in self.events[:SHOWN]),
            *([f"... {len(self.events) - SHOWN} more: run.events"] * (len(self.events) > SHOWN)),
            *([self.inputs] if "called back" in self.inputs else []),
            *(f"warning: {words}" for words in self.warnings),
        ]
        return "\n".join(lines)


def _unlike_a_run(data: object) -> str:
    """Why this is no dataset of a run, or ''."""
    import xarray as xr

    if not isinstance(data, xr.Dataset):
        return f"a result holds an xarray Dataset, not {brief(data)}"
    for name, dims in HOLDS.items():
        if name not in data or data[name].dims != dims or data[name].dtype.kind != "f":
            return f"the dataset has no numbers {name!r} over {', '.join(dims)}"
    if "supple" not in data.attrs or not _texts(data):
        return "the dataset's attributes are not those of a run"
    if any(d not in data.coords for dims in HOLDS.values() for d in dims):
        return "the dataset has dimensions without names"
    return "" if data.sizes["time"] else "the result has no samples"


def _texts(data: xr.Dataset) -> bool:
    """Whether the attributes that hold lists of names or sentences do."""
    try:
        lists = [json.loads(data.attrs.get(key, "[]")) for key in ("joints", "lengths", "warnings")]
        read(data.attrs.get("checks", "[]"))
    except (TypeError, ValueError, LookupError):
        return False
    plain = all(isinstance(x, list) and all(isinstance(y, str) for y in x) for x in lists)
    known = {str(name) for name in data.coordinate.values} if "coordinate" in data.coords else set()
    return plain and "robot" in data.attrs and known.issuperset(lists[0])


def load_result(path: str | Path) -> Result:
    """Read a saved run. A file that is damaged is refused; one without a checksum, which another
    program wrote, is read with a warning."""
    data, vouched = unsealed(read_bytes(path), path)
    try:
        run = Result(_dataset(data))
    except InputError as error:
        raise FileError(
            f"{path} is a netCDF file, but not a saved run of Supple: {error}"
        ) from None
    except Exception as error:
        let_signals_through(error)
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FileError(f"{path} is not a saved run of Supple: {reason}") from None
    if not vouched:
        caution(
            f"{path} has no checksum: another program wrote it, or its end is damaged. Its numbers "
            f"are taken as they are"
        )
    return run


def _dataset(data: bytes) -> xr.Dataset:
    import h5py
    import xarray as xr

    with h5py.File(io.BytesIO(data), "r"):  # it tells junk without noise, h5netcdf does not
        pass
    return xr.load_dataset(io.BytesIO(data), engine="h5netcdf")


def netcdf(held: xr.Dataset | Record) -> bytes:
    """A netCDF file, in memory: the same one, whether or not somebody has asked for the dataset;
    xarray writes that, with all that was put into it."""
    import h5netcdf

    buffer = io.BytesIO()
    with h5netcdf.File(buffer, "w") as file:
        if isinstance(held, Record):
            _write_record(held, file)
        else:
            from xarray.backends import H5NetCDFStore

            held.dump_to_store(H5NetCDFStore(file))
    return buffer.getvalue()


def _write_record(record: Record, file: h5netcdf.File) -> None:
    """As xarray does it: NaN where nothing was written, text of any length."""
    import h5py

    for name, value in record.attrs.items():
        file.attrs[name] = value
    for column in record.variables.values():
        for name, size in zip(column.dims, column.values.shape, strict=True):
            if name not in file.dimensions:
                file.dimensions[name] = size
    for name, column in record.variables.items():
        values, is_text = column.values, column.values.dtype.kind == "U"
        kind = h5py.string_dtype() if is_text else values.dtype
        made = file.create_variable(name, column.dims, kind, fillvalue=None if is_text else nan)
        made[...] = values.astype(object) if is_text else values
