"""Every number of a robot that its equations may read, as one list, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ..bodies import Body, Station
from ..joints import Drive, Gear
from ..robot import Link, Loop, Robot
from ..tracer import NUMBER
from ..types import Array, Scalar

MOUNT = ("r0", "S", "Theta", "rho", "R0", "S2", "Theta2")
BODY = (
    *("mass", "c0", "c1", "W0", "P", "Mdd", "K", "D"),
    *("e", "x", "s", "z", "remainder_c1", "remainder_N0", "remainder_Q"),
)
DRIVE = (
    *("stiffness", "rest", "damping", "coulomb", "viscous", "smoothing", "rotor_inertia"),
    *("lower", "upper", "stop_stiffness", "stop_damping"),
    *("torque_limit", "speed_limit", "full_torque_speed"),
)
GEAR = ("ratio", "stiffness", "damping", "backlash")
Part = Station | Body | Drive | Gear
P = TypeVar("P", Station, Body, Drive, Gear)

_PARTS = {"mount": MOUNT, "body": BODY, "drive": DRIVE}


def link_constants(link: Link) -> list[Scalar]:
    """Numbers (or expressions) a step may read of a link; its stations not among them."""
    return [x for part, names in _PARTS.items() for x in _read(getattr(link, part), names)]


def with_link_constants(link: Link, values: list[Scalar]) -> Link:
    """The link with other numbers, in the order of `link_constants`."""
    left = list(values)
    new = {part: _written(getattr(link, part), names, left) for part, names in _PARTS.items()}
    return replace(link, **new)


def robot_constants(robot: Robot) -> list[Scalar]:
    """Gravity, then link by link its constants and those of its stations, then the loops' and the
    gears'."""
    out: list[Scalar] = list(robot.gravity)
    for link in robot.links:
        out += link_constants(link)
        for station in link.body.stations.values():
            out += _read(station, MOUNT)
    for loop in robot.loops:
        out += [x for _, station in (loop.first, loop.second) for x in _read(station, MOUNT)]
        out += [loop.ratio, loop.offset] if loop.is_tie else []
    return out + [x for gear in robot.gears for x in _read(gear, GEAR)]


def with_robot_constants(robot: Robot, values: list[Scalar]) -> Robot:
    """The robot with other numbers, in the order of `robot_constants`."""
    left = list(values)
    gravity = _array([left.pop(0) for _ in range(3)], (3,))
    links = []
    for link in robot.links:
        size = len(link_constants(link))
        own, left = left[:size], left[size:]
        stations: dict[str, Station] = {}
        for name, station in link.body.stations.items():
            stations[name] = _written(station, MOUNT, left)
        changed = with_link_constants(link, own)
        body: Body = replace(changed.body, stations=stations)
        links.append(replace(changed, body=body))
    loops = tuple(_recut(loop, left) for loop in robot.loops)
    gears = tuple(_written(gear, GEAR, left) for gear in robot.gears)
    return replace(robot, links=tuple(links), gravity=gravity, loops=loops, gears=gears)


def _recut(loop: Loop, left: list[Scalar]) -> Loop:
    (i, first), (j, second) = loop.first, loop.second
    sides = ((i, _written(first, MOUNT, left)), (j, _written(second, MOUNT, left)))
    tie: dict[str, Scalar] = {}
    if loop.is_tie:
        tie = {"ratio": left.pop(0), "offset": left.pop(0)}
    return replace(loop, first=sides[0], second=sides[1], **tie)


def _read(part: Part, names: tuple[str, ...]) -> list[Scalar]:
    return [x for name in names for x in np.ravel(np.asarray(getattr(part, name)))]


def _written(part: P, names: tuple[str, ...], left: list[Scalar]) -> P:
    """The part with its numbers taken from the front of `left`."""
    changes: dict[str, Any] = {}
    for name in names:
        old = np.asarray(getattr(part, name))
        values, left[: old.size] = left[: old.size], []
        changes[name] = _array(values, old.shape)
    return replace(part, **changes)


def _array(values: list[Scalar], shape: tuple[int, ...]) -> Array | Scalar:
    plain = all(isinstance(v, NUMBER) for v in values)
    out = np.empty(len(values), dtype=float if plain else object)
    out[:] = values
    return out.reshape(shape) if shape else (float(out[0]) if plain else out[0])
