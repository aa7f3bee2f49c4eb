"""Maps of a workspace: how far a station gives way under load, and how stiff it is, place by place.

At each place the joints (of closed chains: the motors) are held. The compliance of a station
with position Jacobian J over the shapes, whose tangent stiffness under the loads is S, is

    C = J S^-1 J^T      [m/N],       displacement = C f

of small forces f more; the stiffness along a direction n is 1/(n^T C n), from 1/(largest
eigenvalue of C) to 1/(smallest). Rigid directions have no bound. Places that the station does
not reach are left blank.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, recursion
from ..errors import InputError, SimulationError, SuppleWarning, caution
from ..files import PLOTS, check_target, write_whole
from ..robot import Link, Robot
from ..types import Floats
from .closed_rest import held_chain
from .equilibrium import Equilibrium
from .loads import Loads, checked_loads, real_numbers
from .places import closed_places, joint_places
from .result import Statics
from .statics import statics
from .unbent_reach import unbent_search

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

MOST = 20_000  # places of a map
WORLD = ("x", "y", "z")
EXAMPLE = "{'x': np.linspace(0, 1, 11), 'y': np.linspace(-1, 1, 21)}"


@dataclass(frozen=True, repr=False)
class WorkspaceMap:
    """`data`: an xarray dataset over the axes of the map, NaN where there is no rest.

    q (coordinate), torque (joint), unbent and position (axis) of the station, deflection (axis):
        position less unbent, and its size `sag`
    compliance (axis, towards) [m/N]; softest, stiffest: stiffness [N/m] along the directions in
        which it is least and largest (inf: rigid); along: in the direction of the load
    stiffness_left: share of the links' stiffness that the loads leave
    """

    robot: Robot
    station: str
    axes: tuple[str, ...]
    data: xr.Dataset
    blank: int  # places that are not reached, or have no rest
    warnings: tuple[str, ...] = field(default=())

    @property
    def reached(self) -> int:
        """Places with a rest."""
        return int(self.data["sag"].size) - self.blank

    @overload
    def plot(self, path: str | Path, what: str = ...) -> Path: ...

    @overload
    def plot(self, path: None = None, what: str = ...) -> Figure: ...

    def plot(self, path: str | Path | None = None, what: str = "") -> Figure | Path:
        """Deflection and stiffness over the map (what: one variable alone); saved when a path is
        given, else the matplotlib Figure is returned."""
        from ..view.workspace import picture

        kind = "" if path is None else check_target(path, PLOTS).suffix[1:].lower()
        figure = picture(self, what)
        if path is None:
            return figure
        return write_whole(path, lambda file: figure.savefig(file, format=kind))

    def __str__(self) -> str:
        sag, soft = (np.asarray(self.data[n].values) for n in ("sag", "softest"))
        lines = [f"{self.robot.name}: {self.station} at {self.reached} of {sag.size} places"]
        if self.reached:
            lines.append(f"  deflection {np.nanmin(sag):.4g} to {np.nanmax(sag):.4g}")
            lines.append(f"  stiffness, softest way {np.nanmin(soft):.4g} to {np.nanmax(soft):.4g}")
        return "\n".join([*lines, *(f"warning: {words}" for words in self.warnings)])

    __repr__ = __str__


def workspace_map(
    robot: Robot,
    station: str,
    axes: Mapping[str, ArrayLike],
    load: Loads | ArrayLike = None,
    *,
    start: ArrayLike | Mapping[str, float] | None = None,
) -> WorkspaceMap:
    """Deflection and stiffness of a station over a grid of places, under gravity and a load.

    axes: one or two, each a rising row of numbers: coordinates of the unbent station in the world
        {"x": ..., "y": ..., "z": 0.4}, where joints are found that bring it there (one number:
        held there; not named: free), or joints by name.
    load: a force [fx, fy, fz] at the station, or loads by station.
    start: where the joints begin (elbow up or down); joints that the map does not move stay there.
    """
    checks.check_robot(robot, "workspace maps")
    robot.station(station)
    if not robot.joint_indices:
        raise InputError(f"{robot.name} has no joint that moves: its workspace is one place")
    given = checks.mapping(axes, "axes", "names to rising numbers", EXAMPLE)
    fixed = {
        name: _fixed(name, x)
        for name, x in given.items()
        if checks.shape(x) == () and name in WORLD
    }
    grid = _grid(robot, {name: x for name, x in given.items() if name not in fixed})
    loads = checked_loads(
        robot, load if isinstance(load, Mapping) or load is None else {station: load}, "load"
    )
    places = _Places(robot, station, tuple(grid), start, fixed)
    shape = tuple(len(row) for row in grid.values())
    found: dict[tuple[int, ...], _Place] = {}
    told: list[str] = []
    for index in _snake(shape):
        q = places(tuple(float(row[i]) for row, i in zip(grid.values(), index, strict=True)), index)
        if q is not None:
            place = _place(robot, station, q, loads, told)
            found |= {} if place is None else {index: place}
    free = [name for name in WORLD if next(iter(grid)) in WORLD and name not in {*grid, *fixed}]
    words = tuple(_warnings(robot, shape, found, told, free))
    for sentence in words:
        caution(sentence)
    data = _dataset(robot, grid, shape, found, loads.get(station))
    return WorkspaceMap(robot, station, tuple(grid), data, int(np.prod(shape)) - len(found), words)


def _grid(robot: Robot, given: Mapping[str, ArrayLike]) -> dict[str, Floats]:
    joints = [n for x in robot.links for n in _names(robot, x)]
    if not 1 <= len(given) <= 2:
        raise InputError(f"axes has {len(given)} names; a map has one or two, e.g. {EXAMPLE}")
    world = [name for name in given if name in WORLD]
    if world and len(world) != len(given):
        raise InputError(
            f"axes mixes places in the world and joints; take one kind, e.g. {EXAMPLE}"
        )
    out = {}
    for name, values in given.items():
        if name not in (*WORLD, *joints):
            raise InputError(
                f"no axis named {name!r}: an axis is x, y or z in the world, or a joint of "
                f"{robot.name}: {', '.join(joints)}"
            )
        row = real_numbers(values)
        if row is None or row.ndim != 1 or not len(row) or not np.all(np.isfinite(row)):
            raise InputError(
                f"axis {name}: give a row of finite numbers, e.g. np.linspace(0, 1, 11)"
            )
        if np.any(np.diff(row) <= 0.0):
            raise InputError(f"axis {name}: its numbers must rise")
        out[name] = row
    if np.prod([len(row) for row in out.values()]) > MOST:
        raise InputError(f"a map of more than {MOST} places; take fewer")
    return out


def _fixed(name: str, value: ArrayLike) -> float:
    number = real_numbers(value)
    if number is None or not np.isfinite(number):
        raise InputError(f"axis {name}: give a finite number, or a row of them")
    return float(number)


def _names(robot: Robot, link: Link) -> tuple[str, ...]:
    return tuple(robot.coordinate_names[link.q]) if link.joint.nv == 1 else ()


def _snake(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All places, each beside the last, so that joints are found near those of the place before."""
    if len(shape) == 1:
        yield from ((i,) for i in range(shape[0]))
        return
    for i in range(shape[0]):
        row = range(shape[1]) if i % 2 == 0 else reversed(range(shape[1]))
        yield from ((i, j) for j in row)


@dataclass
class _Places:
    """Joint positions of the unbent robot at places of the map, near those found before."""

    robot: Robot
    station: str
    axes: tuple[str, ...]
    start: ArrayLike | Mapping[str, float] | None
    fixed: dict[str, float]

    def __post_init__(self) -> None:
        self.first = (closed_places if self.robot.loops else joint_places)(
            self.robot, self.start, "start"
        )
        for link in self.robot.links:
            self.first[link.d] = 0.0
        self.near: dict[tuple[int, ...], Floats] = {}

    def __call__(self, values: tuple[float, ...], index: tuple[int, ...]) -> Floats | None:
        q = self._joints(values) if self.axes[0] not in WORLD else self._reached(values, index)
        if q is not None:
            self.near[index] = q
        return q

    def _joints(self, values: tuple[float, ...]) -> Floats | None:
        given = dict(zip(self.axes, values, strict=True))
        if self.robot.loops:
            try:
                return closed_places(self.robot, given, "axes")
            except InputError:
                return None  # the loops do not close here
        q = self.first.copy()
        for name, value in given.items():
            q[self.robot.coordinate_names.index(name)] = value
        return q

    def _reached(self, values: tuple[float, ...], index: tuple[int, ...]) -> Floats | None:
        target = np.full(3, np.nan)
        for name, value in (*zip(self.axes, values, strict=True), *self.fixed.items()):
            target[WORLD.index(name)] = value
        steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        beside = [tuple(int(a + b) for a, b in zip(index, step, strict=False)) for step in steps]
        firsts = [self.near[k] for k in dict.fromkeys(beside) if k in self.near]
        return unbent_search(self.robot, self.station, target, [*firsts, self.first])


@dataclass(frozen=True)
class _Place:
    """What is known at one place."""

    rest: Statics
    unbent: Floats
    position: Floats
    compliance: Floats


def _place(
    robot: Robot, station: str, q: Floats, loads: dict[str, Floats], told: list[str]
) -> _Place | None:
    """The rest at q; None where there is none that means anything."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", SuppleWarning)
        try:
            rest = statics(robot, q, loads)
        except SimulationError as error:
            told.append(f"no rest: {error}")
            return None
    told += [str(x.message) for x in heard]
    unbent = np.asarray(recursion.station_pose(robot, q, station).p, dtype=float)
    return _Place(rest, unbent, rest.position(station), compliance(rest, station))


def compliance(rest: Statics, station: str) -> Floats:
    """C (3, 3) [m/N] of a station at rest, joints (motors) held."""
    robot, q = rest.robot, rest.q
    J = np.asarray(recursion.station_jacobian(robot, q, station), dtype=float)[3:]
    if not len(rest.stiffness):
        return np.zeros((3, 3))
    if rest.ways is None:
        pushed = Equilibrium(robot, {}).shape_rows(J.T)
        return np.asarray(J[:, robot.mode_indices] @ np.linalg.solve(rest.stiffness, pushed))
    held = held_chain(robot, q, rest.wrench).balance(q)
    S = np.asarray(held.T.T @ np.eye(robot.nv)) @ J.T
    return np.asarray(J @ held.N @ np.linalg.solve(_same(rest, held.N), S))


def _same(rest: Statics, N: Floats) -> Floats:
    """The stiffness along the directions N, which span what rest.ways does."""
    assert rest.ways is not None
    turn = np.linalg.lstsq(rest.ways, N, rcond=None)[0]
    return np.asarray(turn.T @ rest.stiffness @ turn)


def _warnings(
    robot: Robot,
    shape: tuple[int, ...],
    found: dict[tuple[int, ...], _Place],
    told: list[str],
    free: list[str],
) -> Iterator[str]:
    if not found:
        yield (
            f"no place of the map is reached by {robot.name}: look at the numbers of the axes, and "
            f"at the third coordinate of the station, or begin elsewhere (start=...)"
        )
    for name in free:
        at = [place.unbent[WORLD.index(name)] for place in found.values()]
        if at and np.ptp(at) > 1e-6 * max(np.abs([p.unbent for p in found.values()]).max(), 1e-300):
            yield (
                f"{name} is free in the map and goes from {min(at):.4g} to {max(at):.4g}; give it "
                f"a number, e.g. axes={{..., '{name}': {at[0]:.4g}}}, for a map in a plane"
            )
    loose = sum(1 for words in told if words.startswith("no rest"))
    if loose:
        yield f"{loose} places of the map have no rest under the load, e.g. {told[0]}"
    doubtful = [words for words in told if not words.startswith("no rest")]
    if doubtful:
        yield f"{len(doubtful)} warnings at {int(np.prod(shape))} places, the first: {doubtful[0]}"
    if found and not robot.modes:
        yield f"no link of {robot.name} bends: it has no deflection, and stiffness without bound"


def _dataset(
    robot: Robot,
    grid: dict[str, Floats],
    shape: tuple[int, ...],
    found: dict[tuple[int, ...], _Place],
    load: Floats | None,
) -> xr.Dataset:
    import xarray as xr

    joints = [robot.velocity_names[k] for k in robot.motor_indices]
    sizes = {"q": (robot.nq,), "torque": (len(joints),), "compliance": (3, 3)}
    sizes |= dict.fromkeys(("unbent", "position", "deflection"), (3,))
    sizes |= dict.fromkeys(("sag", "softest", "stiffest", "along", "stiffness_left"), ())
    values = {name: np.full((*shape, *size), np.nan) for name, size in sizes.items()}
    for index, place in found.items():
        for name, value in _numbers(place, load).items():
            values[name][index] = value
    dims = {"q": ("coordinate",), "torque": ("joint",), "compliance": ("axis", "towards")}
    dims |= dict.fromkeys(("unbent", "position", "deflection"), ("axis",))
    labels = {"coordinate": list(robot.coordinate_names), "joint": joints}
    return xr.Dataset(
        {name: ((*grid, *dims.get(name, ())), value) for name, value in values.items()},
        coords={**grid, **labels, "axis": list(WORLD), "towards": list(WORLD)},
        attrs={"robot": robot.name, "units": robot.units},
    )


def _numbers(place: _Place, load: Floats | None) -> dict[str, Floats | float]:
    C = 0.5 * (place.compliance + place.compliance.T)
    gives = np.linalg.eigvalsh(C)
    moved = place.position - place.unbent
    way = None if load is None or not np.any(load[3:]) else load[3:] / np.linalg.norm(load[3:])
    robot = place.rest.robot
    return {
        "q": place.rest.q,
        "torque": place.rest.tau[list(robot.motor_indices)],
        "compliance": place.compliance,
        "unbent": place.unbent,
        "position": place.position,
        "deflection": moved,
        "sag": float(np.linalg.norm(moved)),
        "softest": _stiffness(gives[-1], gives[-1]),
        "stiffest": _stiffness(gives[0], gives[-1]),
        "along": np.nan if way is None else _stiffness(float(way @ C @ way), gives[-1]),
        "stiffness_left": place.rest.stiffness_left,
    }


def _stiffness(give: float, most: float) -> float:
    """1/compliance, without bound where there is none but rounding."""
    return float(1.0 / give) if give > 1e-12 * most and give > 0.0 else np.inf


__all__ = ["WorkspaceMap", "compliance", "workspace_map"]
