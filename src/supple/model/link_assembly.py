"""Assemble the links: bodies on their joints, with mounts, axes, drives, and what rides on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..bodies import Body, RigidPart, Station, agreeing, rigid_body, turned
from ..errors import did_you_mean
from ..joints import KINDS, Drive, Fixed, Gear, JointPart, Limits, Revolute
from ..robot import Link
from ..screws import rotation_from_axes, rpy_matrix
from ..types import Floats
from .drives import check_drive, drive_of, elastic, gear_of, rotor
from .faults import Faults
from .link_body import LinkBody
from .spec import JointSpec, Origin

WORLD = {"origin": Station(np.zeros(3), np.zeros((0, 3)), np.zeros((0, 3)))}
"""The stations of the world."""


def mount(origin: Origin, station: Station, A: Floats) -> Station:
    """A station with a joint's own placement and the turn onto its axis."""
    R = rpy_matrix(*origin.rpy)
    offset = station.R0 @ np.array(origin.xyz, dtype=float)
    return replace(station, rho=station.rho + offset, R0=station.R0 @ R @ A)


def unit(axis: list[float]) -> Floats:
    """The axis with length 1; by its largest part first, since a square may be too large or
    too small to be a number."""
    a = np.array(axis, dtype=float)
    a = a / np.abs(a).max()
    return np.asarray(a / np.linalg.norm(a))


def assemble_links(
    order: list[str],
    joints: dict[str, tuple[int, JointSpec]],
    made: dict[str, LinkBody],
    faults: Faults,
) -> tuple[list[Link], tuple[Gear, ...]]:
    """Links in tree order, each on its parent, and the elastic gears between them; what hangs on
    a faulty joint is left out."""
    out: list[Link] = []
    gears: list[Gear] = []
    index: dict[str, int] = {}
    taken = set(order)
    for name in order:
        i, joint = joints[name]
        p = -1 if joint.parent == "world" else index.get(joint.parent)
        if not any(joint.axis):
            faults.add(("joints", i, "axis"), "the axis is zero", "e.g. axis: [0, 0, 1]")
        elif p is not None:
            stations = WORLD if p < 0 else out[p].body.stations
            station = _station(i, joint, stations, faults)
            if station is not None:
                check_drive(joint, ("joints", i), faults)
                _carry(out, name, p, joint, station, made[name].body, taken)
                index[name] = len(out) - 1
                if elastic(joint) and joint.drive is not None:
                    gears.append(gear_of(joint.drive, index[name] - 1, index[name]))
                out += _riders(index[name], out[-1], made[name].riders, taken, faults)
    return out, tuple(gears)


def _station(
    i: int, joint: JointSpec, stations: Mapping[str, Station], faults: Faults
) -> Station | None:
    """The parent's station that the joint stands at."""
    at = joint.at or ("tip" if "tip" in stations else "origin")
    if at not in stations:
        faults.add(
            ("joints", i, "at"),
            f"{joint.parent!r} has no station {at!r}",
            did_you_mean(at, stations) or f"stations are: {', '.join(stations)}",
        )
    return stations.get(at)


def _carry(
    out: list[Link],
    name: str,
    p: int,
    joint: JointSpec,
    station: Station,
    body: Body,
    taken: set[str],
) -> None:
    """Add the link on its joint, after the massless ones of a joint that turns axis by axis, and
    after the motor of an elastic gear."""
    kind, drive, label = KINDS[joint.type], drive_of(joint), joint.name or f"{name}_joint"
    A = rotation_from_axes(unit(joint.axis)) if kind.has_axis else np.eye(3)
    here = mount(joint.origin, station, A)
    *before, last = kind.parts or _turns(kind.as_turns.get(joint.coordinates, "")) or (None,)
    if last is not None:
        names = _untaken([f"{name}_{part.name}" for part in before], taken)
        helpers = dict(zip(names, before, strict=True))
        here, p = _part_by_part(label, helpers, here, p, drive, out)
        kind, label = KINDS[last.kind], f"{label}.{last.name}"
        A = A @ _onto(last.axis)
        here = replace(here, R0=here.R0 @ _onto(last.axis))
    if elastic(joint) and joint.drive is not None:
        out.append(rotor(_untaken([f"{name}_rotor"], taken)[0], label, p, here, joint.drive))
    limits = None if joint.limits is None else Limits(**joint.limits.model_dump())
    body = agreeing(turned(body, A))
    out.append(Link(name, p, here, label, kind(), drive, body, A.T, limits=limits))


def _riders(
    p: int, link: Link, parts: Sequence[RigidPart], taken: set[str], faults: Faults
) -> list[Link]:
    """Links of their own for the parts that a link's body cannot take in, fixed to the link."""
    out = []
    for part in parts:
        name = f"{link.name}_{part.kind}"
        if name in taken:
            faults.add(("links", name), f"the name {name!r} is taken by a part of {link.name!r}")
        alone = rigid_body((part.properties,), WORLD)
        here = link.body.stations[part.station or "root"]
        fixed = Link(name, p, here, f"{name}_joint", Fixed(), Drive(), alone)
        out.append(replace(fixed, role=part.kind))
    return out


def _onto(axis: int) -> Floats:
    """Axes whose z is this axis."""
    return rotation_from_axes(np.eye(3)[axis])


def _turns(axes: str) -> tuple[JointPart, ...]:
    """Turns about the axes of these letters."""
    return tuple(JointPart(axis, Revolute.kind, "xyz".index(axis)) for axis in axes)


def _untaken(names: list[str], taken: set[str]) -> list[str]:
    """Names for links that the model does not name, changed until no link of it has them."""
    while any(name in taken for name in names):
        names = [name + "_" for name in names]
    return names


def _part_by_part(
    label: str,
    helpers: dict[str, JointPart],
    station: Station,
    p: int,
    drive: Drive,
    out: list[Link],
) -> tuple[Station, int]:
    """A joint as one motion after another: massless links go before the last one."""
    for helper, part in helpers.items():
        A = _onto(part.axis)
        origin = Station(np.zeros(3), np.zeros((0, 3)), np.zeros((0, 3)), R0=A.T)
        empty = rigid_body((), {"origin": origin})
        here = replace(station, R0=station.R0 @ A)
        joint = KINDS[part.kind]()
        turn = Link(helper, p, here, f"{label}.{part.name}", joint, drive, empty, A.T)
        out.append(replace(turn, role="helper"))
        station, p = origin, len(out) - 1
    return station, p
