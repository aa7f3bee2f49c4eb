"""In which numbers forces and accelerations are swept through a robot.

Twists: a link frame moves by its twist t = [w; v], 6 numbers.
Linearised: products of elastic coordinates and speeds are dropped, accelerations are not small.
With the columns P0 + e P1 of a link and its inertia M0 + e M1 to first order in the shapes, the
mass matrix to first order is

    sum [P0; P1]^T [[M0 + M1, M0], [M0, 0]] [P0; P1] :

that of a robot whose frames move by 12 numbers, [t0; t1] of order zero and one, with the paths
A -> [[A0, 0], [A1, A0]]. A wrench on it is [w0 + w1; w0]. So one elimination serves both, and
the linearised forward dynamics is O(n) too, with no series of an inverse: it solves the
linearised equations.
Reference: [CibicikEgeland], eqs. (91)-(96), (111).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

import numpy as np

from ..bodies import full_inertia
from ..bodies.body import Moments
from ..robot import Robot
from ..screws import ArticulatedInertia, above_zero, blocks, crossed, mirror
from ..screws.dual import first_order, paired, parts, total
from ..types import Array, Scalar
from .path import FramePath

T = TypeVar("T")


class Space(ABC):
    """How a frame's motion is counted; shapes follow it: [t; d_dot]."""

    size: int

    @abstractmethod
    def shapes(self, robot: Robot, q: Array) -> Array:
        """A configuration, its shapes of the order they have here."""

    @abstractmethod
    def rates(self, robot: Robot, qd: Array) -> Array:
        """A velocity, likewise."""

    @abstractmethod
    def value(self, x: T) -> T:
        """What was found with such shapes and rates, as numbers."""

    @abstractmethod
    def inertia(self, now: Moments) -> Array:
        """A body's inertia: (size + m, size + m)."""

    @abstractmethod
    def load(self, n: Array, f: Array, e: Array) -> Array:
        """A body's load: (size + m,)."""

    @abstractmethod
    def forth(self, way: FramePath, t: Array, dd: Array) -> Array:
        """A t + S d_dot: the child's motion (size,) from its parent's."""

    @abstractmethod
    def back(self, way: FramePath, w: Array) -> Array:
        """[A, S]^T w: a child's load (size,) in its parent's coordinates (size + m,)."""

    @abstractmethod
    def pivot(self, D: Scalar) -> Scalar:
        """A pivot of the mass matrix, to be divided by."""

    @abstractmethod
    def carried(self, way: FramePath, X: Array) -> Array:
        """[A, S]^T X [A, S]: a child's inertia (size, size) in its parent's coordinates."""


class TwistSpace(Space):
    """Twists as they are."""

    size = 6

    def shapes(self, robot: Robot, q: Array) -> Array:
        return q

    def rates(self, robot: Robot, qd: Array) -> Array:
        return qd

    def value(self, x: T) -> T:
        return x

    def inertia(self, now: Moments) -> Array:
        return full_inertia(now)

    def load(self, n: Array, f: Array, e: Array) -> Array:
        return np.concatenate([n, f, e])

    def forth(self, way: FramePath, t: Array, dd: Array) -> Array:
        return np.concatenate(way.forth_linear(t[:3], t[3:], dd))

    def back(self, way: FramePath, w: Array) -> Array:
        return np.concatenate(way.back(w[:3], w[3:]))

    def pivot(self, D: Scalar) -> Scalar:
        """Of a real motion: above zero wherever the robot moves any inertia."""
        return D

    def carried(self, way: FramePath, X: Array) -> Array:
        """At the node the shapes move it by J Theta^T d_dot (turn) and S^T d_dot (shift)."""
        Y = way.to_node(ArticulatedInertia.of(X))
        six = Y.shifted(way.r).matrix()
        if len(way.S) == 0:
            return six
        CN, CF, Md = _by_shape(way, Y) if way.bend.by_shape else _by_axis(way, Y)
        C = np.concatenate([CN, CF])
        return blocks([six, C], [C.T, Md])


class LinearisedSpace(Space):
    """Twists of order zero and one, [t0; t1]."""

    size = 12

    def shapes(self, robot: Robot, q: Array) -> Array:
        return _small(q, [link.d for link in robot.links])

    def rates(self, robot: Robot, qd: Array) -> Array:
        return _small(qd, [link.e for link in robot.links])

    def value(self, x: T) -> T:
        return total(x)

    def inertia(self, now: Moments) -> Array:
        X = full_inertia(now)
        (M0, _), M = parts(X), total(X)
        return blocks(
            [M[:6, :6], M0[:6, :6], M[:6, 6:]],
            [M0[:6, :6], np.zeros((6, 6)), M0[:6, 6:]],
            [M[6:, :6], M0[6:, :6], M[6:, 6:]],
        )

    def load(self, n: Array, f: Array, e: Array) -> Array:
        six = np.concatenate([n, f])
        return np.concatenate([total(six), parts(six)[0], total(e)])

    def forth(self, way: FramePath, t: Array, dd: Array) -> Array:
        six = paired(t[:6], t[6:])
        return np.concatenate(parts(np.concatenate(way.forth_linear(six[:3], six[3:], dd))))

    def back(self, way: FramePath, w: Array) -> Array:
        """A^T of w0 + e (w0 + w1) has the parts wanted."""
        six = paired(w[6:], w[:6])
        zero, one = parts(np.concatenate(way.back(six[:3], six[3:])))
        return np.concatenate([one[:6], zero[:6], one[6:]])

    def pivot(self, D: Scalar) -> Scalar:
        """M to first order need not be positive definite; where it is not, what it gives is no
        number."""
        return above_zero(D)

    def carried(self, way: FramePath, X: Array) -> Array:
        if X.dtype != object:
            B = _back(way)
            if B.dtype != object:  # of numbers all columns at once
                return mirror(B @ X @ B.T)
        half = np.array([self.back(way, column) for column in X.T])
        return mirror(np.array([self.back(way, column) for column in half.T]))


TWISTS, LINEARISED = TwistSpace(), LinearisedSpace()


def space(robot: Robot) -> Space:
    """The robot's elastic kinematics says which."""
    return LINEARISED if robot.kinematics.small else TWISTS


def _small(x: Array, elastic: list[slice]) -> Array:
    """x with these entries of first order."""
    out = np.array(x, dtype=object)
    for part in elastic:
        out[part] = first_order(x[part])
    return out


def _back(way: FramePath) -> Array:
    """The matrix of `LinearisedSpace.back`, from A^T = A0 + e A1: (12 + m, 12)."""
    pairs = [parts(np.concatenate(way.back(unit[:3], unit[3:]))) for unit in np.eye(6)]
    A0, A1 = (np.array([pair[k] for pair in pairs]).T for k in (0, 1))
    return blocks([A0[:6], A1[:6]], [np.zeros((6, 6)), A0[:6]], [A0[6:], A1[6:]])


def _by_shape(way: FramePath, Y: ArticulatedInertia) -> tuple[Array, Array, Array]:
    """Momentum (about O) and modal mass of the node for unit shape rates, shape by shape."""
    T, S = way.columns(), way.S.T
    GN, GF = Y.I @ T + Y.H @ S, Y.H.T @ T + Y.M @ S
    CN = GN + crossed(way.r, GF)
    return CN, GF, mirror(T.T @ GN + S.T @ GF)


def _by_axis(way: FramePath, Y: ArticulatedInertia) -> tuple[Array, Array, Array]:
    """The same by way of unit rates about and along the node's axes: shorter where many
    shapes turn it about few axes."""
    J, Theta, S = way.bend.J, way.Theta.T, way.S.T
    turn = Y if J is None else ArticulatedInertia(mirror(J.T @ Y.I @ J), J.T @ Y.H, Y.M)
    IJ = Y.I if J is None else Y.I @ J
    HJ = Y.H.T if J is None else Y.H.T @ J
    # momentum at the node for unit node rates, then moved to O: n + r x f
    nt = IJ + crossed(way.r, HJ)
    ns = Y.H + crossed(way.r, Y.M)
    CN, CF = nt @ Theta + ns @ S, HJ @ Theta + Y.M @ S
    GT, GS = turn.I @ Theta + turn.H @ S, turn.H.T @ Theta + turn.M @ S
    return CN, CF, mirror(Theta.T @ GT + S.T @ GS)
