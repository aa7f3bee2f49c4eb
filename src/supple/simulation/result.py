"""The Result of a run: a labelled dataset that looks itself up, saves and plots.

Dimensions: time, coordinate (configuration), velocity, link, axis (x, y, z), mode.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__, recursion
from ..bodies import node
from ..engine import traced
from ..errors import FileError, InputError, brief, caution, unknown_name
from ..files import PLOTS, RUNS, check_target, read_bytes, sealed, unsealed, write_whole
from ..robot import Robot
from ..types import Array, Floats
from ..view.text import columns

if TYPE_CHECKING:
    import xarray as xr

    from .drive import Drive
    from .motion import Motion

__all__ = ["PLOTS", "RUNS", "Result", "check_target", "load_result", "make_result", "write_whole"]

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


@dataclass(frozen=True, repr=False)
class Result:
    """A finished (or interrupted) run. `data` is an xarray Dataset."""

    data: xr.Dataset

    def __post_init__(self) -> None:
        wrong = _unlike_a_run(self.data)
        if wrong:
            raise InputError(f"{wrong}; supple.simulate and supple.load_result make results")

    def __getitem__(self, name: str) -> Floats:
        """A variable, or the history of one coordinate by its name, or of one rate whose name
        is no coordinate's ("base.wx"). No joint of a model may have a variable's name; in a
        file from elsewhere the variable comes first."""
        if not isinstance(name, str):
            raise InputError(f"a result is asked by a name, e.g. run['q'], got {brief(name)}")
        if name in self.data.variables:
            return np.asarray(self.data[name].values)
        if name in self.data.coordinate.values:
            return np.asarray(self.data["q"].sel(coordinate=name).values)
        if name in self.data.velocity.values:
            return np.asarray(self.data["qd"].sel(velocity=name).values)
        known = [*self.data.data_vars, *self.data.coordinate.values, *self.data.velocity.values]
        known = list(dict.fromkeys(known))
        raise unknown_name("quantity", name, [str(k) for k in known], where="the result")

    @property
    def time(self) -> Floats:
        return np.asarray(self.data["time"].values)

    @property
    def robot_name(self) -> str:
        return str(self.data.attrs["robot"])

    @property
    def interrupted(self) -> bool:
        """Whether the run was stopped before its end."""
        return bool(self.data.attrs.get("interrupted", 0))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the run is to be read with care, if it is."""
        return tuple(json.loads(self.data.attrs.get("warnings", "[]")))

    @property
    def energy_error(self) -> float:
        """Largest imbalance of energy, relative to the largest energy that took part."""
        total = self["kinetic"] + self["gravity"] + self["elastic"]
        moved = np.abs(total - total[0]).max()
        flows = np.abs(self["work"]).max() + np.abs(self["dissipated"]).max()
        parts = sum(np.ptp(self[name]) for name in ("kinetic", "gravity", "elastic"))
        scale = max(moved, flows, parts, 1e-300)
        error = np.abs(total - total[0] - self["work"] + self["dissipated"]).max()
        return float(error / scale)

    def summary(self) -> list[tuple[str, float, float, float]]:
        """(coordinate, first, last, largest magnitude) for a table."""
        q = self.data["q"].values
        names = [str(n) for n in self.data.coordinate.values]
        return [
            (name, float(q[0, i]), float(q[-1, i]), float(np.abs(q[:, i]).max()))
            for i, name in enumerate(names)
        ]

    def save(self, path: str | Path) -> Path:
        """Write one netCDF file; it appears whole or not at all."""
        check_target(path, RUNS)
        try:
            content = _netcdf(self.data)
        except (TypeError, ValueError) as error:  # what a user put into the dataset
            raise FileError(f"cannot write {path}: {brief(error, 200)}") from None
        return write_whole(path, sealed(content))

    def plot(self, path: str | Path | None = None) -> Any:
        """Joint angles, tip deflections, modal amplitudes and energies; saved when a path is
        given, else the matplotlib Figure is returned."""
        from ..view.plots import overview

        if path is None:
            return overview(self)
        check_target(path, PLOTS)
        figure, kind = overview(self), Path(path).suffix[1:].lower()
        return write_whole(path, lambda file: figure.savefig(file, format=kind))

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
            f"energy imbalance {self.energy_error:.1e} relative",
            *(f"warning: {words}" for words in self.warnings),
        ]
        return "\n".join(lines)


def _unlike_a_run(data: Any) -> str:
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
    except (TypeError, ValueError):
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


def _netcdf(data: xr.Dataset) -> bytes:
    """The dataset as a netCDF file, in memory."""
    import h5netcdf
    from xarray.backends import H5NetCDFStore

    buffer = io.BytesIO()
    with h5netcdf.File(buffer, "w") as file:
        data.dump_to_store(H5NetCDFStore(file))
    return buffer.getvalue()


def make_result(drive: Drive, t: Floats, y: Floats, wanted: Motion | None) -> Result:
    """Everything worth looking at, at the sampled times."""
    import xarray as xr

    robot, law, driven = drive.robot, drive.law, drive.driven
    nq, nv = robot.nq, robot.nv
    q = np.array([robot.normalized(row) for row in y[:, :nq]])
    qd = np.ascontiguousarray(y[:, nq : nq + nv])
    known = np.zeros((len(t), nv))
    for i, at in enumerate(t):
        driven.put(float(at), q[i], qd[i], known[i])
    tau = np.array([law(float(at), a, b) for at, a, b in zip(t, q, qd, strict=True)])
    if driven.names:
        tau = _forces(drive, t, q, qd, tau, known)
    seen = _observe(robot, q, qd)
    links = [link.name for link in robot.links]
    modes = [n for link in robot.links for n in _mode_names(link)]
    places = [i for link in robot.links for i in range(link.d.start, link.d.stop)]
    data = {
        "q": (("time", "coordinate"), q),
        "qd": (("time", "velocity"), qd),
        "tau": (("time", "velocity"), tau),
        "amplitude": (("time", "mode"), q[:, places]),
        "kinetic": ("time", seen["kinetic"]),
        "gravity": ("time", seen["gravity"]),
        "elastic": ("time", seen["elastic"]),
        "work": ("time", y[:, nq + nv]),
        "dissipated": ("time", y[:, nq + nv + 1]),
        "tip": (("time", "link", "axis"), seen["tip"]),
        "deflection": (("time", "link", "axis"), seen["deflection"]),
    }
    if driven.names:
        data["reaction"] = (("time", "driven"), tau[:, driven.rates])
    if wanted is not None:
        path = np.array([wanted(float(at))[0] for at in t])
        data["desired"] = (("time", "joint"), path)
    coordinates: dict[str, Any] = {
        "time": t,
        "coordinate": list(robot.coordinate_names),
        "velocity": list(robot.velocity_names),
        "mode": modes,
        "link": links,
        "axis": ["x", "y", "z"],
    }
    if driven.names:
        coordinates["driven"] = list(driven.names)
    if wanted is not None:
        coordinates["joint"] = list(wanted.names)
    joints = [link.joint_name + s for link in robot.links for s in link.joint.coordinates]
    attributes = {
        "supple": __version__,
        "robot": robot.name,
        "model": json.dumps(dict(robot.spec or {})),
        "joints": json.dumps(joints),
        "lengths": json.dumps(_lengths(robot)),
        "units": robot.units,
        "warnings": "[]",
    }
    return Result(xr.Dataset(data, coords=coordinates, attrs=attributes))


def _lengths(robot: Robot) -> list[str]:
    """Joint coordinates and rates that are lengths, not angles."""
    out = []
    for link in robot.links:
        slides = [axis > 2 for axis in link.joint.axes]
        rates = [n for n, long in zip(link.joint.speeds, slides, strict=True) if long]
        last = link.joint.coordinates[len(link.joint.coordinates) - len(rates) :]
        out += [link.joint_name + n for n in dict.fromkeys([*last, *rates])]
    return out


def _forces(drive: Drive, t: Floats, q: Floats, qd: Floats, tau: Floats, known: Floats) -> Floats:
    """Generalised forces with the reactions of prescribed joints."""
    robot, held, nv = drive.robot, drive.driven.held, drive.robot.nv
    stations = drive.loads.stations

    def react(q: Array, qd: Array, tau: Array, known: Array, wrenches: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        return recursion.hybrid_dynamics(robot, q, qd, tau, known, held, external)[1]

    sizes = (robot.nq, nv, nv, nv, 6 * len(stations))
    kernel = traced(react, sizes, ("reaction", robot, sorted(held), list(stations)))
    rows = zip(q, qd, tau, known, [drive.loads(float(at)) for at in t], strict=True)
    return np.array([kernel(*(np.ascontiguousarray(x) for x in row)) for row in rows])


def _mode_names(link: Any) -> list[str]:
    return [f"{link.name}.{shape}" for shape in link.body.shape_names]


def _observe(robot: Robot, q: Floats, qd: Floats) -> dict[str, Floats]:
    """Energies, tip positions in the world and tip deflections in link axes, natively."""
    nq, nv, n = robot.nq, robot.nv, len(robot.links)

    def watch(q: Array, qd: Array) -> Array:
        energies = [
            recursion.kinetic_energy(robot, q, qd),
            recursion.gravity_energy(robot, q),
            recursion.elastic_energy(robot, q),
        ]
        tips = [recursion.station_pose(robot, q, link.name).p for link in robot.links]
        bends = []
        for link in robot.links:
            tip = link.body.stations.get("tip")
            moved = np.zeros(3)
            if tip is not None and link.body.m:
                moved = node(tip, q[link.d], qd[link.e]).r - tip.r0
            bends.append(moved @ link.frame)
        return np.concatenate([energies, *tips, *bends])

    kernel = traced(watch, (nq, nv), ("watch", robot))
    rows = np.array([kernel(np.ascontiguousarray(a), b) for a, b in zip(q, qd, strict=True)])
    return {
        "kinetic": rows[:, 0],
        "gravity": rows[:, 1],
        "elastic": rows[:, 2],
        "tip": rows[:, 3 : 3 + 3 * n].reshape(-1, n, 3),
        "deflection": rows[:, 3 + 3 * n :].reshape(-1, n, 3),
    }
