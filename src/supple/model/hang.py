"""Hang the bodies on their joints: mounts, axes, drives, riders."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..bodies import Station, rigid_body, turned
from ..errors import did_you_mean
from ..joints import KINDS, Drive, Fixed, Revolute
from ..robot import Link
from ..screws import rotation_from_axes, rpy_matrix
from ..types import Floats
from .faults import Faults
from .parts import Made
from .spec import JointSpec, Passive


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


def _mount(joint: JointSpec, station: Station, A: Floats) -> Station:
    """The parent's station with the joint's own placement and the turn onto its axis."""
    R = rpy_matrix(*joint.origin.rpy)
    offset = station.R0 @ np.array(joint.origin.xyz, dtype=float)
    return replace(station, rho=station.rho + offset, R0=station.R0 @ R @ A)


def _unit(axis: list[float]) -> Floats:
    """The axis with length 1; by its largest part first, since a square may be too large or
    too small to be a number."""
    a = np.array(axis, dtype=float)
    a = a / np.abs(a).max()
    return np.asarray(a / np.linalg.norm(a))


def hang_links(
    order: list[str],
    joints: dict[str, tuple[int, JointSpec]],
    made: dict[str, Made],
    faults: Faults,
) -> list[Link]:
    out: list[Link] = []
    index: dict[str, int] = {}
    world = {"origin": Station(np.zeros(3), np.zeros((0, 3)), np.zeros((0, 3)))}
    for name in order:
        i, joint = joints[name]
        path: tuple[str | int, ...] = ("joints", i)
        if not any(joint.axis):
            faults.add((*path, "axis"), "the axis is zero", "e.g. axis: [0, 0, 1]")
            continue
        moves = joint.type in ("revolute", "prismatic")
        A = rotation_from_axes(_unit(joint.axis)) if moves else np.eye(3)
        p = -1 if joint.parent == "world" else index.get(joint.parent, -2)
        if p == -2:
            continue
        stations = world if p < 0 else out[p].body.stations
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
        mount = _mount(joint, stations[at], A)
        if joint.type == "spherical" and joint.coordinates == "zyx":
            mount, p = _three_turns(label, _helpers(name, order), mount, p, _drive(joint), out)
            kind: Any = Revolute
            A = rotation_from_axes(np.array([1.0, 0.0, 0.0]))
            body = turned(made[name].body, A)
            label += ".x"
        else:
            kind = KINDS[joint.type]
        index[name] = len(out)
        out.append(Link(name, p, mount, label, kind(), _drive(joint), body, A.T))
        for part in made[name].riders:
            rider = f"{name}_{part.kind}"
            if rider in order:
                faults.add(("links", rider), f"the name {rider!r} is taken by a part of {name!r}")
            alone = rigid_body((part.properties,), world)
            here = body.stations[part.station or "root"]
            fixed = Link(rider, index[name], here, f"{rider}_joint", Fixed(), Drive(), alone)
            out.append(replace(fixed, role=part.kind))
    return out


def _helpers(name: str, taken: list[str]) -> tuple[str, str]:
    """Names for the two links before `name` that no link of the model has."""
    z, y = f"{name}_z", f"{name}_y"
    while z in taken or y in taken:
        z, y = z + "_", y + "_"
    return z, y


def _three_turns(
    label: str, helpers: tuple[str, str], mount: Station, p: int, drive: Drive, out: list[Link]
) -> tuple[Station, int]:
    """A spherical joint as turns about z, then y, then x: two massless links go before."""
    axes = (("z", (0.0, 0.0, 1.0)), ("y", (0.0, 1.0, 0.0)))
    for helper, (letter, axis) in zip(helpers, axes, strict=True):
        A = rotation_from_axes(np.array(axis))
        origin = Station(np.zeros(3), np.zeros((0, 3)), np.zeros((0, 3)), R0=A.T)
        empty = rigid_body((), {"origin": origin})
        here = replace(mount, R0=mount.R0 @ A)
        turn = Link(helper, p, here, f"{label}.{letter}", Revolute(), drive, empty, A.T)
        out.append(replace(turn, role="helper"))
        mount, p = origin, len(out) - 1
    A = rotation_from_axes(np.array([1.0, 0.0, 0.0]))
    return replace(mount, R0=mount.R0 @ A), p


def _check_drive(joint: JointSpec, path: tuple[str | int, ...], faults: Faults) -> None:
    """Springs, rotors and axes belong to joints that turn or slide about one axis."""
    turns = joint.type == "spherical" and joint.coordinates == "zyx"
    if joint.type in ("revolute", "prismatic"):
        return
    for key, what in (("stiffness", "a spring"), ("rotor_inertia", "a rotor"), ("axis", "an axis")):
        given = "axis" in joint.model_fields_set if key == "axis" else getattr(joint, key)
        if given and not (turns and key != "axis"):
            faults.add(
                (*path, key),
                f"a {joint.type} joint cannot have {what}",
                "revolute and prismatic joints can; `origin: {rpy: ...}` turns a joint's frame"
                if key == "axis"
                else "revolute and prismatic joints can",
            )
