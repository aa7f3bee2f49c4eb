"""A map: a station at rest at each place of a grid, its compliance, and a labelled dataset."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import ArrayLike

from ... import checks, recursion
from ...errors import InputError, SimulationError, SuppleWarning, brief, caution, counted
from ...files import drawn
from ...robot import Robot
from ...types import Floats
from ..equilibrium import Equilibrium, held_chain
from ..places import Loads, checked_loads
from ..result import Statics
from ..statics import statics
from .places import EXAMPLE, WORLD, WorkspacePlaces, axis_rows, one_number, snake

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False, eq=False)
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
    def plot(self, path: str | Path, what: str = ..., *, width: str = ...) -> Path: ...

    @overload
    def plot(self, path: None = None, what: str = ..., *, width: str = ...) -> Figure: ...

    def plot(
        self, path: str | Path | None = None, what: str = "", *, width: str = "screen"
    ) -> Figure | Path:
        """Deflection and stiffness over the map (what: one variable alone); saved when a path is
        given, else the matplotlib Figure is returned. width: screen, double or single."""
        from ...view.workspace import picture

        return drawn(path, lambda: picture(self, what, width=width))

    def __str__(self) -> str:
        sag, soft = (np.asarray(self.data[n].values) for n in ("sag", "softest"))
        lines = [
            f"{self.robot.name}: {self.station} at {self.reached} of {counted(sag.size, 'place')}"
        ]
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
    progress: Callable[[float], None] | None = None,
) -> WorkspaceMap:
    """Deflection and stiffness of a station over a grid of places, under gravity and a load.

    axes: one or two, each a rising row of numbers: coordinates of the unbent station in the world
        {"x": ..., "y": ..., "z": 0.4}, where joints are found that bring it there (one number:
        held there; not named: free), or joints by name.
    load: a force [fx, fy, fz] at the station, or loads by station.
    start: where the joints begin (elbow up or down); joints that the map does not move stay there.
    progress: called with the number of places that are done.
    """
    checks.check_robot(robot, "workspace maps")
    robot.station(station)
    if not robot.joint_indices:
        raise InputError(f"{robot.name} has no joint that moves: its workspace is one place")
    grid, fixed = _grid_and_fixed(robot, axes)
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {brief(progress)}; it must be a function of a number")
    acting = load if isinstance(load, Mapping) or load is None else {station: load}
    loads = checked_loads(robot, acting, "load")
    places = WorkspacePlaces(robot, station, tuple(grid), start, fixed)
    found, told = _visited(places, grid, loads, progress)
    shape = tuple(len(row) for row in grid.values())
    words = tuple(_warnings(robot, shape, found, told, _free(grid, fixed)))
    for sentence in words:
        caution(sentence)
    data = _dataset(robot, grid, shape, found, loads.get(station))
    return WorkspaceMap(robot, station, tuple(grid), data, int(np.prod(shape)) - len(found), words)


def _grid_and_fixed(
    robot: Robot, axes: Mapping[str, ArrayLike]
) -> tuple[dict[str, Floats], dict[str, float]]:
    """Rows of numbers of the axes of the map, and coordinates of the station that are held at one
    number."""
    given = checks.mapping(axes, "axes", "names to rising numbers", EXAMPLE)
    fixed = {
        name: one_number(name, x)
        for name, x in given.items()
        if checks.shape(x) == () and name in WORLD
    }
    return axis_rows(robot, {name: x for name, x in given.items() if name not in fixed}), fixed


def _free(grid: Mapping[str, Floats], fixed: Mapping[str, float]) -> list[str] | None:
    """Coordinates of the station that a map in the world leaves free; None of a map over joints."""
    if next(iter(grid)) not in WORLD:
        return None
    return [name for name in WORLD if name not in {*grid, *fixed}]


def _visited(
    places: WorkspacePlaces,
    grid: dict[str, Floats],
    loads: dict[str, Floats],
    progress: Callable[[float], None] | None,
) -> tuple[dict[tuple[int, ...], _Place], list[str]]:
    """All places that are reached and have a rest, and what was said on the way."""
    found: dict[tuple[int, ...], _Place] = {}
    told: list[str] = []
    for done, index in enumerate(snake(tuple(len(row) for row in grid.values()))):
        values = tuple(float(row[i]) for row, i in zip(grid.values(), index, strict=True))
        q = places(values, index)
        place = None if q is None else _place(places.robot, places.station, q, loads, told)
        if place is not None:
            found[index] = place
        if progress is not None:
            progress(done + 1.0)
    return found, told


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
        except (SimulationError, InputError) as error:  # InputError: a singular place
            told.append(f"no rest: {error}")
            return None
    told += [str(x.message) for x in heard]
    unbent = np.asarray(recursion.station_pose(robot, q, station).p, dtype=float)
    return _Place(rest, unbent, rest.position(station), compliance(rest, station))


def _warnings(
    robot: Robot,
    shape: tuple[int, ...],
    found: dict[tuple[int, ...], _Place],
    told: list[str],
    free: list[str] | None,
) -> Iterator[str]:
    if not found:
        yield (
            f"no place of the map is reached by {robot.name}: look at the numbers of the axes, and "
            f"at the third coordinate of the station, or begin elsewhere (start=...)"
        )
    for name in free or ():
        at = [place.unbent[WORLD.index(name)] for place in found.values()]
        if at and np.ptp(at) > 1e-6 * max(np.abs([p.unbent for p in found.values()]).max(), 1e-300):
            yield (
                f"{name} is free in the map and goes from {min(at):.4g} to {max(at):.4g}; give it "
                f"a number, e.g. axes={{..., '{name}': {at[0]:.4g}}}, for a map in a plane"
            )
    jumps = _seams(robot, found) if free is not None else 0
    if jumps:
        yield (
            f"the posture jumps between {jumps} pairs of neighbouring places (a joint turns by "
            f"more than a right angle): the map has seams there. Take more places, or begin with "
            f"another posture (start=...)"
        )
    loose = [words for words in told if words.startswith("no rest")]
    if loose:
        first = loose[0].removeprefix("no rest: ")
        yield f"{counted(len(loose), 'place')} of the map without a rest under the load: {first}"
    doubtful = [words for words in told if not words.startswith("no rest")]
    if doubtful:
        told_of = f"{counted(len(doubtful), 'warning')} at {counted(int(np.prod(shape)), 'place')}"
        yield f"{told_of}, the first: {doubtful[0]}"
    if found and not robot.modes and not robot.gears:
        yield f"no link of {robot.name} bends: it has no deflection, and stiffness without bound"


def _seams(robot: Robot, found: dict[tuple[int, ...], _Place]) -> int:
    """Pairs of neighbouring places between which a joint turns by more than a right angle."""
    arms = [x for x in robot.links if x.joint.nv == 1 and x.role != "rotor"]
    turns = [x.q.start for x in arms if x.joint.axes[0] < 3]
    count = 0
    for index, place in found.items():
        for axis in range(len(index)):
            other = found.get(tuple(k + (a == axis) for a, k in enumerate(index)))
            if other is not None:
                moved = np.abs(other.rest.q - place.rest.q)[turns]
                count += int(moved.max(initial=0.0) > 0.5 * np.pi)
    return count


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
        "softest": stiffness(gives[-1], gives[-1]),
        "stiffest": stiffness(gives[0], gives[-1]),
        "along": np.nan if way is None else stiffness(float(way @ C @ way), gives[-1]),
        "stiffness_left": place.rest.stiffness_left,
    }


def compliance(rest: Statics, station: str) -> Floats:
    """How much a station at rest gives way to small forces, C (3, 3) [m/N], joints (of closed
    chains and elastic gears: motors) held.

        C = J S^-1 J^T,       displacement = C f

    J over the shapes (and joints behind elastic gears), S their tangent stiffness under the loads;
    of closed chains along the directions that the loops leave free. The stiffness along a direction
    n is 1/(n^T C n), from 1/(largest eigenvalue of C) to 1/(smallest); rigid ones have no bound.
    """
    robot, q = rest.robot, rest.q
    J = np.asarray(recursion.station_jacobian(robot, q, station), dtype=float)[3:]
    if not len(rest.stiffness):
        return np.zeros((3, 3))
    if not robot.loops:
        pushed = Equilibrium(robot, {}).shape_rows(J.T)
        return np.asarray(J[:, robot.free_indices] @ np.linalg.solve(rest.stiffness, pushed))
    held = held_chain(robot, q, rest.wrench).balance(q)
    S = np.asarray(held.T.T @ np.eye(robot.nv)) @ J.T
    return np.asarray(J @ held.N @ np.linalg.solve(_same(rest, held.N), S))


def _same(rest: Statics, N: Floats) -> Floats:
    """The stiffness along the directions N, which span what rest.ways does."""
    assert rest.ways is not None
    turn = np.linalg.lstsq(rest.ways, N, rcond=None)[0]
    return np.asarray(turn.T @ rest.stiffness @ turn)


def stiffness(give: float, most: float) -> float:
    """1/compliance, without bound where there is none but rounding."""
    return float(1.0 / give) if give > 1e-12 * most and give > 0.0 else np.inf


__all__ = ["WorkspaceMap", "compliance", "stiffness", "workspace_map"]
