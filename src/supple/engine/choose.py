"""Which form the code of a function takes: straight-line code, a scan over the links, or all links
in the axes of the world."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ..errors import InputError
from ..loops.rows import settled
from ..robot import Robot
from ..screws import FullRotation, Rotation
from ..tracer import Recipe, StraightLine
from ..tracer.recipe import OtherJacobian
from ..types import Array
from .forward_correction import forward_correction
from .quantities import PARAMETERS, QUANTITIES, Columns, Values, wrench_arguments
from .request import Request, trace_quantity
from .scan import Scan, Task
from .world import World, suits

LONG = {
    "forward_dynamics": (8_000, 13_000),
    "inverse_dynamics": (15_000, 7_000),
    "mass_matrix": (15_000, 36_000),
    "inverse_mass_matrix": (5_000, 12_000),
    "bias_force": (15_000, 8_000),
    "coriolis_force": (15_000, 8_000),
    "gravity_force": (20_000, 20_000),
    "potential_energy": (20_000, 20_000),
    "kinetic_energy": (10_000, 17_000),
    "momentum": (6_000, 9_000),
    "centre_of_mass": (10_000, 17_000),
    "centre_of_mass_motion": (8_000, 17_000),
    "pose": (14_000, 17_000),
    "twist": (10_000, 17_000),
    "acceleration": (8_000, 17_000),
    "jacobian": (15_000, 15_000),
}
"""Rough sizes beyond which a scan is as fast as straight-line code, or nearly so and compiled far
sooner: of rigid robots, and of those that bend. Measured: `python bench/run.py --only forms`."""
USUAL = (8_000, 8_000)  # of the others
TURNED = 300  # more operations of a link whose axes are not at right angles to its parent's
LONGEST = 60_000  # operations times columns beyond which a Jacobian is too long to be one piece


def choose_recipe(request: Request, unroll: bool | None, dtype: str = "float64") -> Recipe:
    """As asked (True: straight-line, False: a scan), else by size; float32 in straight lines."""
    if dtype != "float64":
        if unroll is False:
            raise InputError(f"{dtype} comes as straight-line code alone; leave out unroll=False")
        return _straight(request, dtype=dtype)
    scans = request.scans
    if unroll is False and request.robot.loops and not scans:
        raise InputError(f"{request.what!r} of a closed chain has no scan, only unrolled code")
    if unroll is False and request.robot.gears and not scans:
        raise InputError("a robot with elastic gears has no scans, only unrolled code")
    if unroll is False and not scans:
        able = ", ".join(name for name, x in QUANTITIES.items() if x.scans)
        raise InputError(f"{request.what!r} has no scan, only unrolled code; these have: {able}")
    if unroll is not None:
        return _straight(request) if unroll else _scan(request)
    long = scans and _is_long(request)
    usual = (
        _scan(request, other=_in_world(request))
        if long
        else _straight(request, _other_jacobians(request))
    )
    return _in_world(request)((), usual, False) or usual


def _straight(
    request: Request, other: OtherJacobian | None = None, dtype: str = "float64"
) -> Recipe:
    return StraightLine(lambda: trace_quantity(request), other, request.tangents, dtype)


def is_unrolled(robot: Robot, what: str, wrt: tuple[str, ...]) -> bool:
    """Whether this derivative of a quantity would be straight-line code, without making it."""
    recipe = choose_recipe(Request(settled(robot), what), None)
    return isinstance(recipe.jacobian(*wrt), StraightLine)


def _other_jacobians(request: Request) -> OtherJacobian:
    """A Jacobian in the world's axes where that is fast, a scan where straight-line code would be
    too long."""

    def choose(wrt: tuple[str, ...], straight: Recipe, tangent: bool) -> Recipe | None:
        columns = sum(request.sizes[name] for name in wrt)
        long = _rough_size(request) * columns > LONGEST
        scans = request.quantity.scan and request.scans and long
        usual = _scan(request).jacobian(*wrt, tangent=tangent) if scans else None
        return _in_world(request)(wrt, usual or straight, tangent) or usual

    return choose


# links from which on the axes of the world are faster than straight-line code, of robots whose axes
# are at right angles and of others, and up to which they are faster than a scan or as exact
WORLD = {
    "mass_matrix": (18, 9, 200),
    "inverse_mass_matrix": (13, 10, 32),
    "inverse_dynamics": (7, 5, 200),
    "forward_dynamics": (8, 5, 24),
}


def _in_world(request: Request) -> OtherJacobian:
    """The same in the axes of the world, where that is the fastest."""

    def choose(wrt: tuple[str, ...], usual: Recipe, tangent: bool) -> Recipe | None:
        robot, what = request.robot, request.what
        own = not (request.parameters or request.wrenches)
        if what not in WORLD or not own or bool(wrt) == ("mass" in what):
            return None
        aligned, general, most = WORLD[what]
        least = aligned if 2 * _turned_links(robot) < len(robot.links) else general
        if not least <= len(robot.links) <= most or PARAMETERS in wrt or not suits(robot):
            return None
        return World(robot, what, wrt, usual)

    return choose


def _turned_links(robot: Robot) -> int:
    return sum(_turned(link.mount.fixed_turn) for link in robot.links)


def _turned(R: Rotation) -> bool:
    """Whether it is more than a turn about a coordinate axis."""
    return len(R.factors) > 1 or any(isinstance(f, FullRotation) for f in R.factors)


def _scan(request: Request, other: OtherJacobian | None = None) -> Recipe:
    quantity, columns = request.quantity, request.quantity.columns
    station = request.station
    places = (*([] if station is None else [station]), *request.wrenches)
    wrenches = wrench_arguments(request.wrenches)
    task = Task(
        run=request.run if columns is None else partial(_columns, columns, request.extra),
        robot=request.robot_at,
        arguments=(*quantity.arguments, *wrenches),
        results=quantity.results,
        vector=columns.vector if columns is not None else quantity.scan == "vector",
        wrenches=wrenches,
        parameters=len(request.parameters),
        linear=columns.argument if columns is not None else "",
        alone=frozenset(request.robot.station(place)[0] for place in places),
        two_sweeps=quantity.two_sweeps if columns is None else columns.two_sweeps,
        answers=columns is not None and columns.answers and _is_chain(request.robot),
        symmetric=columns is not None and columns.symmetric,
    )
    if request.what == "forward_dynamics" and not request.parameters and _is_chain(request.robot):
        run = partial(_answer, request)
        then = replace(task, run=run, arguments=(*task.arguments, "qdd"), answers=True)
        task = replace(task, slopes=then)
    return Scan(task, lambda: trace_quantity(request), other, request.tangents)


def _answer(request: Request, robot: Robot, *arrays: Array) -> Array:
    """Of the arguments of forward dynamics and qdd."""
    external = request.external(dict(zip(request.sizes, arrays[:-1], strict=True)))
    q, qd, tau = arrays[:3]
    return forward_correction(robot, q, qd, tau, arrays[-1], external)


def _is_chain(robot: Robot) -> bool:
    """No link carries two."""
    return all(link.parent == i - 1 for i, link in enumerate(robot.links))


def _columns(columns: Columns, extra: tuple[str, ...], robot: Robot, *arrays: Array) -> Values:
    return columns.run(robot, *arrays, *extra)


def _is_long(request: Request) -> bool:
    """Whether a scan is the better form."""
    robot, size = request.robot, _rough_size(request)
    if request.quantity.columns is None:
        size += TURNED * _turned_links(robot)
        more = robot.modes > 0 and (robot.kinematics.second or robot.kinematics.small)
        size = size * 3 // 2 if more else size
    return size > LONG.get(request.what, USUAL)[robot.modes > 0]


def _rough_size(request: Request) -> int:
    """About how many operations the quantity takes."""
    dynamics = sum(150 + 130 * x.body.m + 25 * x.body.m**2 for x in request.robot.links)
    columns = request.quantity.columns
    if columns is None:
        return dynamics
    return dynamics * request.robot.nv // 10 if columns.vector else dynamics // 4
