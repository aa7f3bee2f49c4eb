"""Runs in files: one netCDF file each, with a checksum behind it."""

from __future__ import annotations

import io
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import FileError, InputError, brief, caution
from ..files import RUNS, check_target, read_bytes, sealed, unsealed, write_whole
from .record import Record
from .result import Result

if TYPE_CHECKING:
    import h5netcdf
    import xarray as xr


def save_result(run: Result, path: str | Path) -> Path:
    """Write one netCDF file; it appears whole or not at all."""
    check_target(path, RUNS)
    try:
        content = netcdf(run.held)
    except (TypeError, ValueError) as error:  # what a user put into the dataset
        raise FileError(f"cannot write {path}: {brief(error, 200)}") from None
    return write_whole(path, sealed(content))


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
