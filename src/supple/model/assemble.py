"""Assemble the links: bodies on their joints, with mounts, axes, drives, and what rides on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..bodies import Station, rigid_body, turned
from ..errors import did_you_mean
from ..joints import KINDS, Drive, Fixed, Joint, Part, Revolute
from ..robot import Link
from ..screws import rotation_from_axes, rpy_matrix
from ..types import Floats
from .faults import Faults, enumerated
from .link_body import LinkBody
from .spec import JointSpec, Origin, Passive


def _drive(words: Passive) -> Drive:
    return Drive(
        stiffness=words.stiffness,
        rest=words.rest,
        damping=words.damping,
        coulomb=words.friction.coulomb,
        viscous=words.friction.viscous,
        smoothing=words.friction.smoothing,
        rotor_inertia=words.rotor_inertia,
    )


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
) -> list[Link]:
    out: list[Link] = []
    index: dict[str, int] = {}
    for name in order:
        i, joint = joints[name]
        path: tuple[str | int, ...] = ("joints", i)
        if not any(joint.axis):
            faults.add((*path, "axis"), "the axis is zero", "e.g. axis: [0, 0, 1]")
            continue
        kind = KINDS[joint.type]
        A = rotation_from_axes(unit(joint.axis)) if kind.has_axis else np.eye(3)
        p = -1 if joint.parent == "world" else index.get(joint.parent, -2)
        if p == -2:
            continue
        stations = WORLD if p < 0 else out[p].body.stations
        at = joint.at or ("tip" if "tip" in stations else "origin")
        if at not in stations:
            faults.add(
                (*path, "at"),
                f"{joint.parent!r} has no station {at!r}",
                did_you_mean(at, stations) or f"stations are: {', '.join(stations)}",
            )
            continue
        _check_drive(joint, path, faults)
        label = joint.name or f"{name}_joint"
        body = turned(made[name].body, A)
        here = mount(joint.origin, stations[at], A)
        *before, last = kind.parts or _turns(kind.as_turns.get(joint.coordinates, "")) or (None,)
        if last is not None:
            helpers = dict(zip(_helpers(name, before, order), before, strict=True))
            here, p = _part_by_part(label, helpers, here, p, _drive(joint), out)
            kind, label = KINDS[last.kind], f"{label}.{last.name}"
            A = A @ _onto(last.axis)
            here = replace(here, R0=here.R0 @ _onto(last.axis))
            body = turned(made[name].body, A)
        index[name] = len(out)
        out.append(Link(name, p, here, label, kind(), _drive(joint), body, A.T))
        for part in made[name].riders:
            rider = f"{name}_{part.kind}"
            if rider in order:
                faults.add(("links", rider), f"the name {rider!r} is taken by a part of {name!r}")
            alone = rigid_body((part.properties,), WORLD)
            seat = body.stations[part.station or "root"]
            fixed = Link(rider, index[name], seat, f"{rider}_joint", Fixed(), Drive(), alone)
            out.append(replace(fixed, role=part.kind))
    return out


def _onto(axis: int) -> Floats:
    """Axes whose z is this axis."""
    return rotation_from_axes(np.eye(3)[axis])


def _turns(axes: str) -> tuple[Part, ...]:
    """Turns about the axes of these letters."""
    return tuple(Part(axis, Revolute.kind, "xyz".index(axis)) for axis in axes)


def _helpers(name: str, parts: list[Part], taken: list[str]) -> list[str]:
    """Names for the links before `name`, one a part, that no link of the model has."""
    out = [f"{name}_{part.name}" for part in parts]
    while any(helper in taken for helper in out):
        out = [helper + "_" for helper in out]
    return out


def _part_by_part(
    label: str, helpers: dict[str, Part], at: Station, p: int, drive: Drive, out: list[Link]
) -> tuple[Station, int]:
    """A joint as one motion after another: massless links go before the last one."""
    for helper, part in helpers.items():
        A = _onto(part.axis)
        origin = Station(np.zeros(3), np.zeros((0, 3)), np.zeros((0, 3)), R0=A.T)
        empty = rigid_body((), {"origin": origin})
        here = replace(at, R0=at.R0 @ A)
        joint = KINDS[part.kind]()
        turn = Link(helper, p, here, f"{label}.{part.name}", joint, drive, empty, A.T)
        out.append(replace(turn, role="helper"))
        at, p = origin, len(out) - 1
    return at, p


PARTS = {"stiffness": "a spring", "rotor_inertia": "a rotor", "axis": "an axis"}


def _may_have(kind: type[Joint], key: str) -> bool:
    """A spring and a rotor belong to one coordinate."""
    return kind.has_axis if key == "axis" else len(kind.axes) == 1


def _check_drive(joint: JointSpec, path: tuple[str | int, ...], faults: Faults) -> None:
    """A joint has no springs, rotors and axes that its kind cannot have."""
    turns = joint.coordinates in KINDS[joint.type].as_turns
    for key, what in PARTS.items():
        given = "axis" in joint.model_fields_set if key == "axis" else getattr(joint, key)
        allowed = _may_have(KINDS[joint.type], key) or (turns and key != "axis")
        if given and not allowed:
            able = enumerated(name for name, kind in KINDS.items() if _may_have(kind, key))
            frame = "; `origin: {rpy: ...}` turns a joint's frame" if key == "axis" else ""
            words = f"a {joint.type} joint cannot have {what}"
            faults.add((*path, key), words, f"{able} joints can{frame}")
