"""What can be compiled: each quantity's arguments, results and recursion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from .. import recursion as rec
from ..errors import InputError, unknown_name
from ..recursion.inverse import inertia_force
from ..robot import Robot
from ..types import Array, Scalar
from . import rebase
from .dependence import Dependence, dependence
from .derive import jacobian, substitute
from .graph import Graph
from .looped import PARAMETERS, Wish
from .recipes import Looped, Recipe, Straight
from .regroup import regrouped
from .trace import Slope, Trace, traced_arrays


@dataclass(frozen=True)
class Columns:
    """A matrix as the derivative of run(robot, q, x, *station) in x at zero."""

    argument: str
    run: Callable[..., Any]
    vector: bool = True  # a row for every rate; else rows of a station


@dataclass(frozen=True)
class Quantity:
    """Names of the arguments ("q" has nq numbers, the others nv) and what they give."""

    arguments: tuple[str, ...]
    results: tuple[str, ...]
    run: Callable[..., Any]
    station: bool = False
    inertial: bool = False  # the same for a robot with its hidden inertia regrouped
    loops: str = ""  # how it can be made of loops: "vector", "scalar", "station"
    columns: Columns | None = None  # or as the columns of a linear function


def _pose(robot: Robot, q: Array, station: str) -> tuple[Array, Array]:
    pose = rec.station_pose(robot, q, station)
    return pose.R, pose.p


def _still(robot: Robot) -> Array:
    return np.zeros(robot.nv)


def _inertia_of(robot: Robot, q: Array, x: Array) -> Array:
    return inertia_force(robot, q, _still(robot), x, np.zeros(3))


def _answer_to(robot: Robot, q: Array, x: Array) -> Array:
    return rec.forward_dynamics(robot, q, _still(robot), x)


def _station_rates(robot: Robot, q: Array, x: Array, station: str) -> Array:
    """J x: the acceleration of a station of a robot at rest."""
    m = rec.station_motion(robot, q, _still(robot), x, station)
    return np.concatenate([m.dw, m.a])


_MASS, _INVERSE = Columns("qdd", _inertia_of), Columns("tau", _answer_to)
_JACOBIAN = Columns("qdd", _station_rates, vector=False)

QUANTITIES: dict[str, Quantity] = {
    "forward_dynamics": Quantity(
        ("q", "qd", "tau"), ("qdd",), rec.forward_dynamics, inertial=True, loops="vector"
    ),
    "inverse_dynamics": Quantity(
        ("q", "qd", "qdd"), ("tau",), rec.inverse_dynamics, inertial=True, loops="vector"
    ),
    "mass_matrix": Quantity(("q",), ("M",), rec.mass_matrix, inertial=True, columns=_MASS),
    "inverse_mass_matrix": Quantity(
        ("q",), ("inverse",), rec.inverse_mass_matrix, inertial=True, columns=_INVERSE
    ),
    "udu_factors": Quantity(("q",), ("U", "D"), rec.udu_factors, inertial=True),
    "bias_force": Quantity(("q", "qd"), ("bias",), rec.bias_force, inertial=True, loops="vector"),
    "coriolis_force": Quantity(
        ("q", "qd"), ("coriolis",), rec.coriolis_force, inertial=True, loops="vector"
    ),
    "gravity_force": Quantity(
        ("q",), ("gravity",), rec.gravity_force, inertial=True, loops="vector"
    ),
    "elastic_force": Quantity(("q",), ("elastic",), rec.elastic_force, loops="vector"),
    "passive_force": Quantity(("q", "qd"), ("passive",), rec.passive_force, loops="vector"),
    "kinetic_energy": Quantity(("q", "qd"), ("energy",), rec.kinetic_energy, loops="scalar"),
    "potential_energy": Quantity(("q",), ("energy",), rec.potential_energy, loops="scalar"),
    "pose": Quantity(("q",), ("R", "p"), _pose, station=True, loops="station"),
    "jacobian": Quantity(("q",), ("J",), rec.station_jacobian, station=True, columns=_JACOBIAN),
    "jacobian_rate": Quantity(("q", "qd"), ("J_dot",), rec.station_jacobian_rate, station=True),
}


def check_quantity(robot: Robot, what: str, station: str | None) -> None:
    """Say what is wrong with a request."""
    if not isinstance(what, str) or what not in QUANTITIES:
        raise unknown_name("quantity", what, QUANTITIES, where="supple.compile")
    quantity = QUANTITIES[what]
    if quantity.station and station is None:
        raise InputError(f"compiling {what!r} needs a station, e.g. station={_example(robot)!r}")
    if station is not None:
        if not quantity.station:
            raise InputError(f"{what!r} takes no station")
        robot.station(station)


LONG = 5000  # operations beyond which loops are at least as fast as straight-line code
LONGEST = 60_000  # operations times columns beyond which a Jacobian is too long to be one piece


@dataclass(frozen=True)
class Request:
    """A quantity of a robot: at a station, and with numbers of its model as arguments."""

    robot: Robot
    what: str
    station: str | None = None
    parameters: tuple[str, ...] = ()

    @property
    def quantity(self) -> Quantity:
        return QUANTITIES[self.what]

    @property
    def extra(self) -> tuple[str, ...]:
        return () if self.station is None else (self.station,)

    @cached_property
    def dependence(self) -> Dependence:
        return dependence(self.robot, self.parameters)

    def robot_at(self, parameters: Array) -> Robot:
        """The robot to run on: parameters put in, hidden inertia regrouped."""
        robot = self.dependence.at(parameters) if self.parameters else self.robot
        return regrouped(robot) if self.quantity.inertial else robot

    def run(self, robot: Robot, *arrays: Array) -> Any:
        return self.quantity.run(robot, *arrays, *self.extra)


def choose_recipe(request: Request, loops: bool | None) -> Recipe:
    """Straight-line code or loops: as asked, else by size."""
    quantity = request.quantity
    able = bool(quantity.loops) or quantity.columns is not None
    if loops and not able:
        kinds = ", ".join(name for name, x in QUANTITIES.items() if x.loops or x.columns)
        raise InputError(f"{request.what!r} has no looped form; these have: {kinds}")
    if loops is None:
        loops = able and _rough_size(request) > LONG
        return (
            _looped(request) if loops else Straight(lambda: trace_quantity(request), slope(request))
        )
    return _looped(request) if loops else Straight(lambda: trace_quantity(request))


def slope(request: Request) -> Callable[[tuple[str, ...]], Recipe | None]:
    """Loops for a Jacobian that would be too long as straight-line code."""

    def choose(wrt: tuple[str, ...]) -> Recipe | None:
        robot = request.robot
        sizes = {"q": robot.nq, PARAMETERS: len(request.parameters)}
        count = sum(sizes.get(name, robot.nv) for name in wrt)
        long = _rough_size(request) * count > LONGEST
        return _looped(request, wrt) if request.quantity.loops and long else None

    return choose


def _looped(request: Request, wrt: tuple[str, ...] = ()) -> Recipe:
    quantity, station, columns = request.quantity, request.station, request.quantity.columns
    target = [] if station is None else [request.robot.station(station)[0]]
    run = request.run
    if columns is not None:
        run = partial(_with_station, columns.run, request.extra)
    wish = Wish(
        run=run,
        robot=request.robot_at,
        arguments=quantity.arguments,
        results=quantity.results,
        vector=columns.vector if columns is not None else quantity.loops == "vector",
        parameters=len(request.parameters),
        linear=columns.argument if columns is not None else "",
        wrt=wrt,
        alone=frozenset(target),
    )
    return Looped(wish, lambda: trace_quantity(request))


def _with_station(run: Callable[..., Any], extra: tuple[str, ...], *arrays: Any) -> Any:
    return run(*arrays, *extra)


def _rough_size(request: Request) -> int:
    """About how many operations the quantity takes."""
    dynamics = sum(150 + 130 * x.body.m + 25 * x.body.m**2 for x in request.robot.links)
    columns = request.quantity.columns
    if columns is None:
        return dynamics
    return dynamics * request.robot.nv // 10 if columns.vector else dynamics // 4


def trace_quantity(request: Request) -> Trace:
    """Run the recursion once on symbols."""
    quantity, robot = request.quantity, request.robot
    sizes = {name: robot.nq if name == "q" else robot.nv for name in quantity.arguments}
    if request.parameters:
        sizes[PARAMETERS] = len(request.parameters)

    def run(*arrays: Array) -> Any:
        count = len(quantity.arguments)
        values = arrays[count] if request.parameters else np.zeros(0)
        if request.what == "forward_dynamics" and not request.parameters:
            return rebase.forward_dynamics(request.robot, *arrays)
        return request.run(request.robot_at(values), *arrays[:count])

    short = {"forward_dynamics": _forward_slope, "inverse_dynamics": _inverse_slope}
    slope = short[request.what](request) if request.what in short else None
    return traced_arrays(run, sizes, quantity.results, slope)


def _inverse_slope(request: Request) -> Slope:
    """d tau / d qdd = M, by composite bodies."""

    def slope(graph: Graph, inputs: dict[str, Array], tau: list[Scalar], wrt: str) -> Array:
        if wrt != "qdd":
            return jacobian(graph, tau, inputs[wrt])
        return rec.mass_matrix(request.robot_at(_parameters(inputs)), inputs["q"])

    return slope


def _parameters(inputs: dict[str, Array]) -> Array:
    return inputs.get(PARAMETERS, np.zeros(0))


@dataclass(frozen=True)
class _Answer:
    """What all slopes of the forward dynamics share: M^-1, qdd, and the inverse dynamics with
    qdd a symbol of its own."""

    inverse: Array
    qdd: list[Scalar]
    fixed: Array
    torque: Array


def _forward_slope(request: Request) -> Slope:
    """d qdd / d x = -M^-1 d(inverse dynamics at fixed qdd) / d x: far fewer operations than
    differentiating the elimination. qdd is a symbol of its own until that is done."""
    known: list[_Answer] = []

    def slope(graph: Graph, inputs: dict[str, Array], qdd: list[Scalar], wrt: str) -> Array:
        if not known:
            known.append(_answer(request, graph, inputs, qdd))
        at = known[0]
        if wrt == "tau":
            return at.inverse
        change = jacobian(graph, list(at.torque), inputs[wrt])
        values = {x.number: value for x, value in zip(at.fixed, at.qdd, strict=True)}
        flat = substitute(graph, list(change.ravel()), values)
        return np.asarray(-(at.inverse @ np.array(flat, dtype=object).reshape(change.shape)))

    return slope


def _answer(request: Request, graph: Graph, inputs: dict[str, Array], qdd: list[Scalar]) -> _Answer:
    robot = request.robot_at(_parameters(inputs))
    q, qd = inputs["q"], inputs["qd"]
    if robot.nv > FEW:
        inverse = rec.inverse_mass_matrix(robot, q)
    else:
        inverse = _inverted(rec.mass_matrix(robot, q))
        qdd = list(inverse @ (inputs["tau"] - rec.bias_force(robot, q, qd)))
    fixed = graph.vector("qdd", robot.nv)
    return _Answer(inverse, qdd, fixed, rec.inverse_dynamics(robot, q, qd, fixed))


FEW = 9  # coordinates up to which a mass matrix is inverted with fewer operations than swept


def _inverted(M: Array) -> Array:
    """The inverse of a symmetric positive definite matrix: every pivot swept in turn, the upper
    half alone; from the tips, where a robot's inertias are the simplest."""
    n = len(M)
    A = {(i, j): M[i, j] for i in range(n) for j in range(i, n)}
    for k in reversed(range(n)):
        pivot = 1.0 / A[k, k]
        row = [A[min(i, k), max(i, k)] for i in range(n)]
        share = [x * pivot for x in row]
        for i, j in A:
            if k not in (i, j):
                A[i, j] = A[i, j] - share[i] * row[j]
        for i in range(n):
            A[min(i, k), max(i, k)] = share[i]
        A[k, k] = -pivot
    rows = [[-A[min(i, j), max(i, j)] for j in range(n)] for i in range(n)]
    return np.array(rows).reshape(n, n)


def _example(robot: Robot) -> str:
    return f"{robot.links[-1].name}.tip" if robot.links else "link.tip"
