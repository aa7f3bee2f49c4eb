"""The axes of a map as a user gives them, and the way over its places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import ArrayLike

from ...checks import finite_number, real_numbers
from ...errors import InputError
from ...robot import Link, Robot
from ...types import Floats

MOST = 20_000  # places of a map
WORLD = ("x", "y", "z")
EXAMPLE = "{'x': np.linspace(0, 1, 11), 'y': np.linspace(-1, 1, 21)}"


def axis_rows(robot: Robot, given: Mapping[str, ArrayLike]) -> dict[str, Floats]:
    """One or two rows of numbers by name, of one kind."""
    joints = [n for x in robot.links for n in _names(robot, x)]
    if not 1 <= len(given) <= 2:
        raise InputError(f"axes has {len(given)} names; a map has one or two, e.g. {EXAMPLE}")
    world = [name for name in given if name in WORLD]
    if world and len(world) != len(given):
        raise InputError(
            f"axes mixes places in the world and joints; take one kind, e.g. {EXAMPLE}"
        )
    out = {}
    for name, values in given.items():
        if name not in (*WORLD, *joints):
            raise InputError(
                f"no axis named {name!r}: an axis is x, y or z in the world, or a joint of "
                f"{robot.name}: {', '.join(joints)}"
            )
        row = real_numbers(values)
        if row.ndim != 1 or not len(row) or not np.all(np.isfinite(row)):
            raise InputError(
                f"axis {name}: give a row of finite numbers, e.g. np.linspace(0, 1, 11)"
            )
        if np.any(np.diff(row) <= 0.0):
            raise InputError(f"axis {name}: its numbers must rise")
        out[name] = row
    if np.prod([len(row) for row in out.values()]) > MOST:
        raise InputError(f"a map of more than {MOST} places; take fewer")
    return out


def one_number(name: str, value: ArrayLike) -> float:
    """Where a world coordinate is held."""
    return finite_number(value, f"axis {name}", "a finite number, or a row of them")


def _names(robot: Robot, link: Link) -> tuple[str, ...]:
    return tuple(robot.coordinate_names[link.q]) if link.joint.nv == 1 else ()


def snake(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Indices of all places, each a neighbour of the one before: the search for its joints begins
    at those of that neighbour."""
    if len(shape) == 1:
        yield from ((i,) for i in range(shape[0]))
        return
    for i in range(shape[0]):
        row = range(shape[1]) if i % 2 == 0 else reversed(range(shape[1]))
        yield from ((i, j) for j in row)
