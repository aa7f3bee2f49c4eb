"""Links with named constants: the moments of `bodies` written in symbols.

A number of the model file that is zero stays zero; all others get a name. Whatever the names
make is compared with what the recursion uses; a link of which only the moments are
known (no model file, or one that does not give them) has its moments as constants.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...bodies import MassProperties, Station
from ...formulations.lagrange import Arm, ArmFields, ArmPart, Inertia, Mount
from ...formulations.turns import ElasticAngle
from ...joints import Gear
from ...robot import Link, Robot
from ...types import Array, Floats, Scalar
from ..naming.link_facts import BeamFacts, LinkFacts, facts_of_links
from ..naming.link_namer import LinkNamer, link_number
from ..naming.named_graph import NamedGraph
from .beam import length, node, place
from .beam_moments import AxisMoments, beam_inertia, point_mass
from .moments_as_constants import (
    MOMENTS,
    constant_inertia,
    constant_mount,
    same_inertia,
    same_place,
)
from .passive_forces import PassiveTerms, gear_in_symbols, passive_terms

AXES = "xyz"
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class RobotInSymbols:
    """A robot whose numbers are symbols of a named graph."""

    arm: Arm
    passive: list[PassiveTerms]
    gears: list[Gear]
    B: Array


def robot_in_symbols(named: NamedGraph, robot: Robot, kept: ElasticAngle) -> RobotInSymbols:
    """All links of the robot in symbols."""
    facts = facts_of_links(robot)
    parts = [_part(named, robot, i, facts) for i in range(len(robot.links))]
    g = float(np.linalg.norm(robot.gravity))
    gravity: Array = np.zeros(3)
    if g:
        size = LinkNamer(named, "").model("g", g, "gravity")
        gravity = np.array([_times(size, x / g) for x in robot.gravity], dtype=object)
    arm = Arm(parts, gravity, robot.nv, named.stumpff, kept)
    passive = [passive_terms(named, robot, i, facts[i]) for i in range(len(robot.links))]
    gears = [gear_in_symbols(named, robot, gear) for gear in robot.gears]
    return RobotInSymbols(arm, passive, gears, _input_matrix(named, robot, facts))


def _part(named: NamedGraph, robot: Robot, i: int, facts: list[LinkFacts | None]) -> ArmPart:
    link = robot.links[i]
    name = LinkNamer(named, link_number(robot, i))
    inertia = _inertia(name, robot, i, facts[i])
    place = LinkNamer(named, str(i + 1))
    mount = mount_at(place, robot, link.parent, link.mount, link.joint_name, facts)
    rotor = name.model("Jr", link.drive.rotor_inertia, f"rotor of {link.joint_name}")
    return ArmPart(link.parent, inertia, link.joint, mount, rotor, link.q, link.d, link.u, link.e)


def _inertia(name: LinkNamer, robot: Robot, i: int, facts: LinkFacts | None) -> Inertia:
    link = robot.links[i]
    letter = {"hub": "h", "payload": "p"}.get(link.role, "")
    if facts is None and link.body.m == 0:
        return _of_parts(name, link, {letter: _as_one_part(link)}, {})
    if facts is not None:
        made = _from_facts(name, link, facts)
        if same_inertia(name.named, made, link.body):
            return made
    return constant_inertia(name, link.body)


def _from_facts(name: LinkNamer, link: Link, facts: LinkFacts) -> Inertia:
    """From what the link is made of: rigid parts, the beam, a payload on its tip."""
    fixed = {k: v for k, v in facts.parts.items() if k != "p"}
    payload = facts.parts.get("p")
    at = link.body.stations[facts.payload_at] if facts.payload_at else None
    places: dict[str, Array] = {}
    if payload is not None and at is not None and at.stands_still:
        fixed["p"] = payload.moved(np.zeros(3), link.frame.T @ at.R0)
        places["p"] = _place(name, name, link, at, "payload")
        payload = None
    out = _of_parts(name, link, fixed, places)
    if facts.beam is None:
        return out
    carried = None
    if payload is not None and at is not None:
        carried = _carried(name, link, facts.beam, payload, at)
    return _sum(out, beam_inertia(name, link, facts.beam, carried))


def _carried(
    name: LinkNamer, link: Link, facts: BeamFacts, payload: MassProperties, station: Station
) -> AxisMoments:
    """A payload that rides on a bare node of the beam."""
    mass = name.model("mp", payload.mass, f"payload of {link.name}")
    x = place(link, facts, station, "").ratio * length(name, link, facts)
    return point_mass(mass, x, node(name, link, facts, station, ""))


def _as_one_part(link: Link) -> MassProperties:
    """A rigid body as one part, in file axes."""
    body, F = link.body, link.frame
    mass = body.mass
    com = F.T @ body.c0 / mass if mass else np.zeros(3)
    W = F.T @ body.W0 @ F
    about = np.trace(W) * np.eye(3) - W
    shifted = about - mass * (com @ com * np.eye(3) - np.outer(com, com))
    size = np.abs(about).max(initial=0.0)
    com = np.where(np.abs(com) > 1e-15 * (1.0 + np.abs(com).max()), com, 0.0)
    return MassProperties(mass, com, np.where(np.abs(shifted) > 1e-13 * size, shifted, 0.0))


def _of_parts(
    name: LinkNamer, link: Link, parts: dict[str, MassProperties], places: dict[str, Array]
) -> Inertia:
    """Mass, first moment and inertia about O of rigid parts, in link axes; one may have a place,
    from which its mass centre is measured."""
    mass: Scalar = 0.0
    c0: Array = np.zeros(3, dtype=object)
    I0: Array = np.zeros((3, 3), dtype=object)
    for letter, part in parts.items():
        what = {"": "", "h": "hub of ", "p": "payload of ", "r": "rigid part of "}[letter]
        m = name.model(f"m{letter}", part.mass, f"mass, {what}{link.name}")
        c = _vector(name, f"c{letter}", part.com, f"mass centre, {what}{link.name}")
        c = c + places.get(letter, 0.0)
        J = np.zeros((3, 3), dtype=object)
        for i, j in PAIRS:
            about = f"inertia {AXES[i]}{AXES[j]} about the mass centre, {what}{link.name}"
            J[i, j] = J[j, i] = name.model(
                f"I{letter}{AXES[i]}{AXES[j]}", float(part.inertia[i, j]), about
            )
        mass, c0, I0 = mass + m, c0 + m * c, I0 + J + m * _parallel(c)
    F = link.frame
    return _without_shapes(mass, F @ c0, F @ I0 @ F.T, link.body.m)


def _parallel(c: Array) -> Array:
    """c.c 1 - c c'."""
    x, y, z = c
    xx, yy, zz = x * x, y * y, z * z
    return np.array(
        [
            [yy + zz, -(x * y), -(x * z)],
            [-(x * y), xx + zz, -(y * z)],
            [-(x * z), -(y * z), xx + yy],
        ],
        dtype=object,
    )


def _vector(name: LinkNamer, letter: str, v: Floats, meaning: str) -> Array:
    parts = [
        name.model(f"{letter}{AXES[i]}", float(v[i]), f"{meaning}, {AXES[i]}") for i in (0, 1, 2)
    ]
    return np.array(parts, dtype=object)


def _without_shapes(mass: Scalar, c0: Array, I0: Array, m: int) -> Inertia:
    empty = {
        "c1": np.zeros((m, 3), dtype=object),
        "c2": np.zeros((m, m, 3), dtype=object),
        "N0": np.zeros((m, 3, 3), dtype=object),
        "P": np.zeros((m, m, 3, 3), dtype=object),
        "Q": np.zeros((m, m, 3, 3), dtype=object),
        "Mdd": np.zeros((m, m), dtype=object),
    }
    return Inertia(mass=mass, c0=c0, I0=I0, fields=ArmFields.none(m), **empty)


def _sum(still: Inertia, moving: Inertia) -> Inertia:
    """Lumps that stand still in the link and what moves there."""
    moments = {n: getattr(still, n) + getattr(moving, n) for n in MOMENTS}
    return Inertia(**moments, fields=moving.fields)


def mount_at(
    name: LinkNamer,
    robot: Robot,
    parent: int,
    station: Station,
    what: str,
    facts: list[LinkFacts | None],
) -> Mount:
    """A station of a link, or of the world (-1), in symbols; `name` names its own numbers."""
    carrier = robot.links[parent] if parent >= 0 else None
    if station.stands_still:
        r = _rigid_place(name, robot, parent, station, what)
        return Mount(
            r, station.S, station.Theta, station.S2, station.Theta2, np.zeros(3), station.R0
        )
    assert carrier is not None
    F, said = carrier.frame, facts[parent]
    rho = F @ _vector(name, "o", F.T @ station.rho, f"offset of {what} on {carrier.name}")
    if said is not None and said.beam is not None:
        host = LinkNamer(name.named, link_number(robot, parent))
        made = replace(node(host, carrier, said.beam, station, name.number), rho=rho)
        if same_place(name.named, made, station):
            return made
    return constant_mount(name, station, rho)


def _rigid_place(name: LinkNamer, robot: Robot, parent: int, station: Station, what: str) -> Array:
    """The vector to a station that no shape moves, in the axes of its carrier."""
    if parent < 0:
        return _vector(name, "o", station.r0 + station.rho, f"place of {what}")
    carrier = robot.links[parent]
    host = LinkNamer(name.named, link_number(robot, parent))
    return np.asarray(carrier.frame @ _place(host, name, carrier, station, what))


def _place(host: LinkNamer, name: LinkNamer, carrier: Link, station: Station, what: str) -> Array:
    """A station that no shape moves, in file axes: the carrier's length, and offsets."""
    F, tip = carrier.frame, carrier.body.stations.get("tip")
    about = f"offset of {what} on {carrier.name}"
    if tip is None or carrier.body.m or not np.array_equal(tip.r0, station.r0):
        return _vector(name, "o", F.T @ (station.r0 + station.rho), about)
    ways = [
        host.model(letter, float(along), f"tip of {carrier.name}, {axis}")
        for letter, along, axis in zip(("L", "Ly", "Lz"), F.T @ tip.r0, AXES, strict=True)
    ]
    return np.array(ways, dtype=object) + _vector(name, "o", F.T @ station.rho, about)


def _input_matrix(named: NamedGraph, robot: Robot, facts: list[LinkFacts | None]) -> Array:
    """B, with phi'(0) of shapes that turn the root. Reference: [LinLewis], B' = [I phi'(0)]."""
    B = np.zeros(robot.input_matrix.shape, dtype=object)
    B[:, :] = robot.input_matrix
    for i, link in enumerate(robot.links):
        said, line = facts[i], link.body.line
        if link.body.root_slope is None or line is None or said is None or said.beam is None:
            continue
        name = LinkNamer(named, link_number(robot, i))
        Theta = node(name, link, said.beam, line.station(0.0), "root").Theta
        if not np.allclose(named.numbers(Theta), link.body.root_slope, rtol=1e-11, atol=1e-13):
            continue
        columns = [robot.joint_indices.index(u) for u in range(link.u.start, link.u.stop)]
        for column, axis in zip(columns, link.joint.axes, strict=True):
            if axis < 3:
                B[link.e, column] = Theta[:, axis]
    return B


def _times(x: Scalar, factor: float) -> Scalar:
    return 0.0 if factor == 0.0 else x * factor
