"""What can be compiled: each quantity's arguments, results and recursion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import recursion as rec
from ..checks import massive, on_beam
from ..errors import InputError, unknown_name
from ..loops import actuation, closure, dynamics as closed, parallel, sections
from ..recursion.inverse import inertia_force
from ..robot import Robot
from ..types import Array

PARAMETERS = "parameters"
"""The argument that holds numbers of the model."""

Values = Array | tuple[Array, ...]
"""One result, or several."""


@dataclass(frozen=True)
class Columns:
    """A matrix as the derivative of run(robot, q, x, *station) in x at zero."""

    argument: str
    run: Callable[..., Values]
    vector: bool = True  # a row for every rate; else rows of a station
    two_sweeps: bool = False  # as of a quantity
    answers: bool = False  # or forces inward, and outward the motion that answers them
    symmetric: bool = False


@dataclass(frozen=True)
class Quantity:
    """Names of the arguments ("q" has nq numbers, the others nv) and what they give."""

    arguments: tuple[str, ...]
    results: tuple[str, ...]
    run: Callable[..., Values]
    station: bool = False
    inertial: bool = False  # the same for a robot with its hidden inertia regrouped
    scan: str = (
        ""  # how a scan gives it: "vector" (a number a rate), "scalar" (of the robot), "station"
    )
    columns: Columns | None = None  # or as the columns of a linear function
    two_sweeps: bool = False  # motion outward, loads inward: `scan.chain_rule` differentiates it
    loaded: bool = False  # wrenches at stations may act on the robot: run's last argument
    loops: bool = False  # the loops of closed chains have a part in it: no scan then
    massive: bool = False  # it is divided by the robot's mass

    @property
    def scans(self) -> bool:
        """Whether it can be a scan."""
        return bool(self.scan) or self.columns is not None


def _pose(robot: Robot, q: Array, station: str) -> tuple[Array, Array]:
    pose = rec.station_pose(robot, q, station)
    return pose.R, pose.p


def _twist(robot: Robot, q: Array, qd: Array, station: str) -> Array:
    m = rec.station_motion(robot, q, qd, _still(robot), station)
    return np.concatenate([m.w, m.v])


def _acceleration(robot: Robot, q: Array, qd: Array, qdd: Array, station: str) -> Array:
    m = rec.station_motion(robot, q, qd, qdd, station)
    return np.concatenate([m.dw, m.a])


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


def _platform_jacobian(robot: Robot, q: Array) -> Array:
    return parallel.parallel(robot, q).J


_MASS = Columns("qdd", _inertia_of, two_sweeps=True, symmetric=True)
_INVERSE = Columns("tau", _answer_to, answers=True, symmetric=True)
_JACOBIAN = Columns("qdd", _station_rates, vector=False, two_sweeps=True)

QUANTITIES: dict[str, Quantity] = {
    "forward_dynamics": Quantity(
        ("q", "qd", "tau"),
        ("qdd",),
        closed.forward_dynamics,
        inertial=True,
        loaded=True,
        scan="vector",
        loops=True,
    ),
    "inverse_dynamics": Quantity(
        ("q", "qd", "qdd"),
        ("tau",),
        actuation.inverse_dynamics,
        inertial=True,
        loaded=True,
        scan="vector",
        two_sweeps=True,
        loops=True,
    ),
    "mass_matrix": Quantity(("q",), ("M",), rec.mass_matrix, inertial=True, columns=_MASS),
    "inverse_mass_matrix": Quantity(
        ("q",), ("inverse",), rec.inverse_mass_matrix, inertial=True, columns=_INVERSE
    ),
    "udu_factors": Quantity(("q",), ("U", "D"), rec.udu_factors, inertial=True),
    "bias_force": Quantity(
        ("q", "qd"),
        ("bias",),
        rec.bias_force,
        inertial=True,
        loaded=True,
        scan="vector",
        two_sweeps=True,
    ),
    "coriolis_force": Quantity(
        ("q", "qd"),
        ("coriolis",),
        rec.coriolis_force,
        inertial=True,
        scan="vector",
        two_sweeps=True,
    ),
    "gravity_force": Quantity(
        ("q",), ("gravity",), rec.gravity_force, inertial=True, scan="vector", two_sweeps=True
    ),
    "elastic_force": Quantity(("q",), ("elastic",), rec.elastic_force, scan="vector"),
    "passive_force": Quantity(("q", "qd"), ("passive",), rec.passive_force, scan="vector"),
    "motor_torque": Quantity(("qd", "tau"), ("given",), rec.motor_torque, scan="vector"),
    "regressor": Quantity(("q", "qd", "qdd"), ("Y",), rec.regressor),
    "kinetic_energy": Quantity(("q", "qd"), ("energy",), rec.kinetic_energy, scan="scalar"),
    "potential_energy": Quantity(("q",), ("energy",), rec.potential_energy, scan="scalar"),
    "momentum": Quantity(("q", "qd"), ("momentum",), rec.momentum, scan="scalar"),
    "centre_of_mass": Quantity(("q",), ("c",), rec.centre_of_mass, scan="scalar", massive=True),
    "centre_of_mass_motion": Quantity(
        ("q", "qd", "qdd"),
        ("c", "cd", "cdd"),
        rec.centre_of_mass_motion,
        scan="scalar",
        massive=True,
    ),
    "pose": Quantity(("q",), ("R", "p"), _pose, station=True, scan="station"),
    "twist": Quantity(("q", "qd"), ("twist",), _twist, station=True, scan="station"),
    "acceleration": Quantity(
        ("q", "qd", "qdd"), ("acceleration",), _acceleration, station=True, scan="station"
    ),
    "jacobian": Quantity(("q",), ("J",), rec.station_jacobian, station=True, columns=_JACOBIAN),
    "jacobian_rate": Quantity(("q", "qd"), ("J_dot",), rec.station_jacobian_rate, station=True),
    "section_forces": Quantity(
        ("q", "qd", "qdd"),
        ("force", "moment"),
        sections.section_forces,
        station=True,
        loaded=True,
        loops=True,
    ),
    "closure": Quantity(("q",), ("residual",), closure.closure_residual, loops=True),
    "closure_jacobian": Quantity(("q",), ("J",), closure.closure_jacobian, loops=True),
    "platform_jacobian": Quantity(("q",), ("J",), _platform_jacobian, loops=True),
    "multipliers": Quantity(
        ("q", "qd", "tau"),
        ("multipliers",),
        closed.multipliers,
        inertial=True,
        loaded=True,
        loops=True,
    ),
}
CUTS = ("closure", "closure_jacobian", "platform_jacobian", "multipliers")
"""Quantities that only closed chains have."""

BEAMS = ("section_forces",)
"""Quantities that only beams have."""


def check_quantity(robot: Robot, what: str, station: str | None) -> None:
    """Say what is wrong with a request."""
    if not isinstance(what, str) or what not in QUANTITIES:
        raise unknown_name("quantity", what, QUANTITIES, where="supple.compile")
    quantity = QUANTITIES[what]
    if what in CUTS and not robot.loops:
        raise InputError(f"{what!r} is for closed chains; {robot.name} has no loops")
    if what in BEAMS and all(link.body.line is None for link in robot.links):
        raise InputError(f"{what!r} is of beams; {robot.name} has none")
    if quantity.massive:
        massive(robot)
    if quantity.station and station is None:
        raise InputError(
            f"compiling {what!r} needs a station, e.g. station={example_station(robot, what)!r}"
        )
    if station is not None:
        if not quantity.station:
            raise InputError(f"{what!r} takes no station")
        robot.station(station)
        if what in BEAMS:
            on_beam(robot, station)


def check_wrenches(robot: Robot, what: str, stations: tuple[str, ...]) -> None:
    """Say what is wrong with the stations where wrenches are to act."""
    if stations and not QUANTITIES[what].loaded:
        able = ", ".join(name for name, x in QUANTITIES.items() if x.loaded)
        raise InputError(f"{what!r} takes no wrenches; these do: {able}")
    for i, station in enumerate(stations):
        robot.station(station)
        if station in stations[:i]:
            raise InputError(f"wrenches names {station!r} twice; one wrench acts at a station")


def wrench_arguments(stations: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the arguments, which C takes too: "wrench_forearm_tip" for "forearm.tip"."""
    out: list[str] = []
    for station in stations:
        plain = (x if x.isascii() and x.isalnum() else "_" for x in station)
        name = number = "wrench_" + "".join(plain)
        while number in out:
            number = f"{name}_{len(out)}"
        out.append(number)
    return tuple(out)


def example_station(robot: Robot, what: str = "") -> str:
    """The end of the last link, or the root of the last beam, for what needs one."""
    beams = [x for x in robot.links if x.body.line is not None]
    if what in BEAMS and beams:
        return f"{beams[-1].name}.root"
    links = robot.links
    if not links:
        return "link.tip"
    return f"{links[-1].name}.{'tip' if 'tip' in links[-1].body.stations else 'origin'}"
