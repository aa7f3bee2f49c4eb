"""The kinds of joints. O is fixed to the moving link, z is the joint's axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..screws import quaternion_matrix
from ..types import Array, Floats, Scalar
from .base import Joint, JointPart


class Revolute(Joint):
    """A turn about z."""

    kind = "revolute"
    meaning = "turns about its axis"
    axes = (2,)
    coordinates = ("",)
    speeds = ("",)
    symbols = ("theta{n}",)
    has_axis = True

    def angle(self, q: Array) -> Scalar | None:
        return q[0]


class Prismatic(Joint):
    """A slide along z.

    O is fixed to the moving link, so r = q z. erratum: [Saha] leaves A_dot of a prismatic joint
    undefined; with O on the moving link both Coriolis terms w x e b_dot appear.
    """

    kind = "prismatic"
    meaning = "slides along it"
    axes = (5,)
    coordinates = ("",)
    speeds = ("",)
    symbols = ("b{n}",)
    has_axis = True

    def position(self, q: Array) -> Array | None:
        return np.array([0.0, 0.0, q[0]])


class Cylindrical(Joint):
    """A turn about z and a slide along it."""

    kind = "cylindrical"
    meaning = "turns about its axis and slides along it"
    axes = (2, 5)
    coordinates = (".turn", ".slide")
    speeds = (".turn", ".slide")
    symbols = ("theta{n}", "b{n}")
    has_axis = True

    def position(self, q: Array) -> Array | None:
        return np.array([0.0, 0.0, q[1]])

    def angle(self, q: Array) -> Scalar | None:
        return q[0]


class Fixed(Joint):
    """No motion."""

    kind = "fixed"
    meaning = "does not move"
    axes = ()
    coordinates = ()
    speeds = ()
    symbols = ()


class Spherical(Joint):
    """A unit quaternion (w, x, y, z); rates are the relative angular velocity in link axes, so the
    configuration has four numbers and the velocity three."""

    kind = "spherical"
    meaning = "turns about all axes"
    axes = (0, 1, 2)
    coordinates = (".qw", ".qx", ".qy", ".qz")
    speeds = (".wx", ".wy", ".wz")
    symbols = ("p{n}_w", "p{n}_x", "p{n}_y", "p{n}_z")
    speed_symbols = ("om{n}_x", "om{n}_y", "om{n}_z")
    as_turns: ClassVar[Mapping[str, str]] = {"zyx": "zyx"}

    def matrix(self, q: Array) -> Array | None:
        return quaternion_matrix(q)

    def rates(self, q: Array, u: Array) -> Array:
        return _quaternion_rate(q, u)

    def neutral(self) -> Floats:
        return np.array([1.0, 0.0, 0.0, 0.0])

    def normalized(self, q: Array) -> Array:
        return np.asarray(q / np.sqrt(q @ q))


class Universal(Joint):
    """A turn about x of its frame, then about y, which x has turned.

    The rate of the first turn is no coordinate axis of the link, w = R_y^T x q1_dot + y q2_dot, so
    in a tree the joint is its two turns, one after the other. As a cut it closes one turn: y of
    the one side stays square to x of the other.
    """

    kind = "universal"
    meaning = "turns about x of its frame, then about y"
    axes = (0, 1)
    coordinates = (".x", ".y")
    speeds = (".x", ".y")
    symbols = ("theta{n}_x", "theta{n}_y")
    parts = (JointPart("x", "revolute", 0), JointPart("y", "revolute", 1))


class Planar(Joint):
    """Slides along x and y of its frame, then a turn about z, the plane's normal.

    In a tree it is these three motions, one after the other, so that x and y are measured in the
    joint's frame and their rates are the velocity's. As a cut it closes the two tilts and the
    lift.
    """

    kind = "planar"
    meaning = "slides square to its axis and turns about it"
    axes = (2, 3, 4)
    coordinates = (".x", ".y", ".turn")
    speeds = (".x", ".y", ".turn")
    symbols = ("b{n}_x", "b{n}_y", "theta{n}")
    has_axis = True
    parts = (
        JointPart("x", "prismatic", 0),
        JointPart("y", "prismatic", 1),
        JointPart("turn", "revolute", 2),
    )


class Floating(Joint):
    """A quaternion and a position; rates are the relative twist [w; v] of O in link axes."""

    kind = "floating"
    meaning = "moves freely"
    axes = (0, 1, 2, 3, 4, 5)
    coordinates = (".qw", ".qx", ".qy", ".qz", ".x", ".y", ".z")
    speeds = (".wx", ".wy", ".wz", ".vx", ".vy", ".vz")
    symbols = ("p{n}_w", "p{n}_x", "p{n}_y", "p{n}_z", "r{n}_x", "r{n}_y", "r{n}_z")
    speed_symbols = ("om{n}_x", "om{n}_y", "om{n}_z", "ve{n}_x", "ve{n}_y", "ve{n}_z")

    def position(self, q: Array) -> Array | None:
        return q[4:]

    def matrix(self, q: Array) -> Array | None:
        return quaternion_matrix(q[:4])

    def rates(self, q: Array, u: Array) -> Array:
        velocity = quaternion_matrix(q[:4]) @ u[3:]
        return np.concatenate([_quaternion_rate(q[:4], u[:3]), velocity])

    def neutral(self) -> Floats:
        return np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    def normalized(self, q: Array) -> Array:
        return np.concatenate([q[:4] / np.sqrt(q[:4] @ q[:4]), q[4:]])


class MimicTie(Joint):
    """A mimic, listed among the cuts of closed chains: it closes no direction in space, but ties
    the coordinate of one joint to that of another."""

    kind = "mimic"
    meaning = "ties its joint to another"
    axes = (0, 1, 2, 3, 4, 5)
    coordinates = ()
    speeds = ()
    symbols = ()


def _quaternion_rate(p: Array, w: Array) -> Array:
    """p_dot = 1/2 p (0, w), w in the turned frame."""
    a, x, y, z = p
    return 0.5 * np.array(
        [
            -x * w[0] - y * w[1] - z * w[2],
            a * w[0] + y * w[2] - z * w[1],
            a * w[1] + z * w[0] - x * w[2],
            a * w[2] + x * w[1] - y * w[0],
        ]
    )


KINDS: dict[str, type[Joint]] = {
    kind.kind: kind
    for kind in (
        *(Revolute, Prismatic, Cylindrical, Fixed),
        *(Spherical, Universal, Planar, Floating),
    )
}
