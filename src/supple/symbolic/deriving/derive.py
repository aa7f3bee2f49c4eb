"""supple.equations: from a robot to its equations in symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import get_args

import numpy as np

from ...checks import check_robot
from ...elastic_kinematics import named
from ...errors import InputError
from ...formulations.turns import ElasticAngle
from ...loops.closure import loop_rows
from ...loops.rows import kept_rows
from ...model.change import with_tip_angle
from ...recursion.gears import elastic_torque, gear_coordinates
from ...robot import Robot
from ...types import Array, Scalar
from .. import options, subexpressions
from ..conversion import Converter
from ..equations import Equations
from ..naming.coordinate_names import coordinate_names
from ..naming.link_facts import facts_of_links
from ..naming.named_graph import NamedGraph
from .loop_closure import ClosureTerms, closure_terms
from .motion import MotionTerms, equations_of_motion
from .robot_in_symbols import RobotInSymbols, robot_in_symbols

READY = named(lambda kinematics: kinematics.keeps_energy)
TIP_ANGLES = ("slope", "chord")


def equations(
    robot: Robot,
    parameters: str | Iterable[str] = "symbolic",
    *,
    tip_angle: str | None = None,
    elastic_angle: str = "exact",
    simplify: int = 0,
    drop: float = 0.0,
    limit: int = 100_000,
    progress: Callable[[float], None] | None = None,
) -> Equations:
    """The equations of motion as SymPy matrices M, D, U, G and B, by Lagrange's method. Of a closed
    chain they are those of the tree, with the torques of the motors, and its closure, J and gamma.

    parameters: "symbolic" keeps names for masses, lengths, stiffnesses and integrals of mode
        shapes, "numeric" puts their values in, a list of names keeps those alone.
    tip_angle: "slope" or "chord" for all beams; default: as the model says.
    elastic_angle: "exact", or sine and cosine of elastic angles to "quadratic" or "linear"
        order. M_dot - 2 D is skew in every case.
    simplify: 0 as derived, 1 multiplied out and collected, 2 with trigonometric identities,
        3 all that SymPy can do. `progress(share)` is told how much is done.
    drop: terms that stay below this share of their entry's largest value (joints anywhere,
        shapes small) are left out and listed in `left_out`; the equations never get longer.
    limit: operations (shared ones counted once) beyond which nothing is written down.
    """
    robot = _ready(robot, tip_angle)
    elastic_angle = options.one_of(elastic_angle, "elastic_angle", get_args(ElasticAngle))
    simplify, drop = options.level(simplify), options.share(drop)
    limit, progress = options.limit(limit), options.callback(progress)
    named = NamedGraph(options.chosen(parameters))
    check_shapes(robot)
    out = _derived(robot, named, elastic_angle, limit)
    out = out if not simplify else out.simplified(simplify, progress)
    return out if not drop else out.without(drop)


def _derived(robot: Robot, named: NamedGraph, elastic_angle: str, limit: int) -> Equations:
    """The equations as the energies give them, not yet shortened."""
    names = coordinate_names(robot)
    q, qd = named.variables(names.q), named.variables(names.qd)
    in_symbols = robot_in_symbols(named, robot, _kept(elastic_angle))
    named.check_chosen()
    motion = equations_of_motion(
        named, in_symbols.arm, q, qd, lambda size: _check_size(robot, size, limit)
    )
    cuts = closure_terms(named, robot, in_symbols.arm, q, qd)
    outputs = [*motion.M.ravel(), *motion.D.ravel(), *motion.G, *cuts.J.ravel(), *cuts.gamma]
    _check_size(robot, sum(named.graph.operations(outputs).values()), limit)
    return _in_sympy(robot, named, in_symbols, motion, cuts, q, qd, elastic_angle)


def _kept(name: str) -> ElasticAngle:
    return name  # type: ignore[return-value]


def _ready(robot: Robot, tip_angle: str | None) -> Robot:
    """The robot with the tip angle asked for, if its equations can be derived."""
    _check_robot(robot)
    if tip_angle is None:
        return robot
    return with_tip_angle(robot, options.one_of(tip_angle, "tip_angle", TIP_ANGLES))


def _check_robot(robot: Robot) -> None:
    check_robot(robot, "equations")
    if robot.elastic_kinematics not in READY:
        raise InputError(
            f"equations of {robot.name}: elastic_kinematics is {robot.elastic_kinematics!r}; "
            f"energies are known for {', '.join(READY)}. Use robot.replace(elastic_kinematics=...) "
            f"or supple.formulations.symbols.equations, which are linearised in the shapes"
        )
    if robot.nv == 0:
        raise InputError(f"{robot.name} has no coordinates, so no equations")


def _check_size(robot: Robot, size: int, limit: int) -> None:
    if size > limit:
        raise InputError(
            f"equations of {robot.name}: {robot.nv} coordinates give {size} operations or more, "
            f"the limit is {limit}. Nobody can read them: use supple.compile for numbers, fewer "
            f"modes, parameters='numeric', or limit={10 * size} (minutes)"
        )


def check_shapes(robot: Robot) -> None:
    """Every mode shape must be integrable."""
    for link, facts in zip(robot.links, facts_of_links(robot), strict=True):
        if facts is not None and facts.beam is not None and link.body.m:
            facts.beam.integrals.check(link.name)


def _in_sympy(
    robot: Robot,
    named: NamedGraph,
    in_symbols: RobotInSymbols,
    motion: MotionTerms,
    cuts: ClosureTerms,
    q: Array,
    qd: Array,
    elastic_angle: str,
) -> Equations:
    convert = Converter(named)
    traced = _forces(robot, in_symbols, q, qd) | {
        "M": motion.M,
        "D": motion.D,
        "G": motion.G,
        "closure": cuts.closure,
        "J": cuts.J,
        "gamma": cuts.gamma,
    }
    out = Equations(
        robot=robot,
        q=tuple(convert.values(list(q))),
        qd=tuple(convert.values(list(qd))),
        **{name: convert.matrix(value) for name, value in traced.items()},
        parameters=(),
        tip_angle=_tip_angle(robot),
        elastic_angle=elastic_angle,
        notes=_redundant(robot),
    )
    used = {e.name for e in subexpressions.distinct(out.entries) if e.is_Symbol}
    known = [p for p in named.parameters.values() if p.name in used]
    return replace(out, parameters=tuple(known))


def _forces(robot: Robot, in_symbols: RobotInSymbols, q: Array, qd: Array) -> dict[str, Array]:
    """What springs, dampers, friction, gears, stops and motors do, by the names it has in
    `Equations`."""
    U, R, rest, friction = _passive(robot, in_symbols, qd)
    contact = _geared(robot, in_symbols, q, U, R) + _stopped(robot, in_symbols, q, qd)
    motors = [robot.joint_indices.index(k) for k in robot.motor_indices]
    B = in_symbols.B[:, motors]
    return {"U": U, "B": B, "R": R, "friction": friction, "rest": rest, "contact": contact}


def _redundant(robot: Robot) -> tuple[str, ...]:
    """Rows of the closure that are not needed."""
    if not robot.loops:
        return ()
    rows, kept = loop_rows(robot)[-1].stop, kept_rows(robot)
    left = [str(k + 1) for k in range(rows) if k not in kept]
    return (f"rows {', '.join(left)} of closure and J follow from the others",) if left else ()


def _tip_angle(robot: Robot) -> str:
    lines = [link.body.line for link in robot.links if link.body.line is not None]
    found = {line.beam.tip_angle for line in lines}
    return " and ".join(sorted(found)) or "none"


def _passive(
    robot: Robot, in_symbols: RobotInSymbols, qd: Array
) -> tuple[Array, Array, Array, Array]:
    """U, R (nv, nv), rest and friction (nv,)."""
    n = robot.nv
    U, R = np.zeros((n, n), dtype=object), np.zeros((n, n), dtype=object)
    rest, friction = np.zeros(n, dtype=object), np.zeros(n, dtype=object)
    for link, p in zip(robot.links, in_symbols.passive, strict=True):
        here = [*range(link.u.start, link.u.stop), *range(link.e.start, link.e.stop)]
        U[np.ix_(here, here)], R[np.ix_(here, here)] = p.stiffness, p.damping
        rest[here] = p.rest
        for k in range(link.u.start, link.u.stop):
            friction[k] = _coulomb(p.coulomb, qd[k], p.smoothing)
    return U, R, rest, friction


def _geared(robot: Robot, in_symbols: RobotInSymbols, q: Array, U: Array, R: Array) -> Array:
    """Elastic gears into U and R; those with backlash act on one side at a time: (nv,)."""
    contact = np.zeros(robot.nv, dtype=object)
    for gear in in_symbols.gears:
        tied = gear_coordinates(robot, gear)
        plain = isinstance(gear.backlash, float) and gear.backlash == 0.0
        for a in tied:
            for b in tied:
                R[a.u, b.u] = R[a.u, b.u] + gear.damping * (a.share * b.share)
                if plain:
                    U[a.u, b.u] = U[a.u, b.u] + gear.stiffness * (a.share * b.share)
            if not plain:
                contact[a.u] = contact[a.u] + a.share * elastic_torque(robot, gear, q)
    return contact


def _stopped(robot: Robot, in_symbols: RobotInSymbols, q: Array, qd: Array) -> Array:
    """What the stops push: (nv,)."""
    contact = np.zeros(robot.nv, dtype=object)
    for link, p in zip(robot.links, in_symbols.passive, strict=True):
        if link.drive.stop_stiffness:
            contact[link.u.start] = p.drive.stops(q[link.q.start], qd[link.u.start])
    return contact


def _coulomb(size: Scalar, u: Scalar, smoothing: Scalar) -> Scalar:
    if isinstance(size, float) and size == 0.0:
        return 0.0
    return size * np.tanh(u / smoothing)
