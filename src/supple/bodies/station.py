"""Stations: the points of a link where joints, payloads, tools and gauges sit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from ..frozen import Frozen, frozen
from ..lazy import cached_property
from ..screws import BentRotation, Rotation, Turn, cross, less, skew, weighted
from ..screws.series import stumpff
from ..types import Array, Floats


@dataclass(frozen=True, eq=False)
class Station(Frozen):
    """A node of the elastic line, at r0 + S^T d + 1/2 S2_kl d_k d_l, turned by exp(theta~) with
    theta = Theta^T d + 1/2 Theta2_kl d_k d_l, and a rigid offset from it: rho along the turned
    node axes, then the constant rotation R0. Products of shapes are absent of first order."""

    r0: Floats  # (3,)
    S: Floats  # (m, 3) displacement of the node for each unit shape coordinate
    Theta: Floats  # (m, 3) rotation of the node for each unit shape coordinate
    rho: Floats = field(default_factory=lambda: np.zeros(3))
    R0: Floats = field(default_factory=lambda: np.eye(3))
    S2: Floats = None  # type: ignore[assignment]  # (m, m, 3), zero when not given
    Theta2: Floats = None  # type: ignore[assignment]  # (m, m, 3), zero when not given
    x: float | None = None  # where along the beam the node lies; None: not on a beam

    VECTORS: ClassVar = ("r0", "S", "Theta", "rho", "S2", "Theta2")

    @classmethod
    def origin(cls, m: int = 0) -> Station:
        """The origin of a link with m shapes."""
        return cls(np.zeros(3), np.zeros((m, 3)), np.zeros((m, 3)))

    def __post_init__(self) -> None:
        m = len(self.S)
        for name in ("S2", "Theta2"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.zeros((m, m, 3)))
        super().__post_init__()

    @cached_property
    def turn_axes(self) -> tuple[int, ...]:
        """Coordinate axes about which the node can turn at all."""
        parts = (self.Theta, self.Theta2)
        return tuple(k for k in range(3) if any(np.any(part[..., k] != 0.0) for part in parts))

    @cached_property
    def fixed_turn(self) -> Rotation:
        """R0 as a product of turns."""
        return Rotation.constant(self.R0)

    @cached_property
    def offset(self) -> Offset:
        """rho, from the node."""
        return Offset.split(self.rho, self.fixed_turn)

    @cached_property
    def offset_from_root(self) -> Offset:
        """r0 + rho: of a node that does not move, from the link's origin."""
        return Offset.split(self.r0 + self.rho, self.fixed_turn)

    @cached_property
    def without_shapes(self) -> Node:
        """The node of a link that has no shapes."""
        still = frozen(np.zeros(3))
        bend = Bend(Rotation(), None, still, still)
        return Node(self.r0, still, still, self.S, self.Theta, bend)

    @cached_property
    def stands_still(self) -> bool:
        """Whether no shape moves the node."""
        parts = (self.S, self.Theta, self.S2, self.Theta2)
        return not any(np.any(part != 0.0) for part in parts)


@dataclass(frozen=True, eq=False)
class Offset(Frozen):
    """An offset, and the same as one before a fixed turn and one along z behind it."""

    whole: Array
    before: Array
    behind: Floats

    @cached_property
    def at_once(self) -> Array | None:
        """The whole offset; None: there is none."""
        return self.whole if np.any(self.whole != 0.0) else None

    @cached_property
    def in_front(self) -> Array | None:
        """The part before the turn; None: there is none."""
        return self.before if np.any(self.before != 0.0) else None

    @cached_property
    def slides(self) -> bool:
        """Whether there is a part behind it."""
        return bool(self.behind.any())

    @classmethod
    def split(cls, rho: Array, R0: Rotation) -> Offset:
        """The part along z is split off where that makes the offset no longer."""
        if all(isinstance(x, float) for x in rho):
            z = np.array([0.0, 0.0, R0.back(rho)[2]])
            rest = less(rho, R0.forth(z))
            if z.any() and np.count_nonzero(rest) < np.count_nonzero(rho):
                return cls(rho, rest, z)
        return cls(rho, rho, np.zeros(3))


@dataclass(frozen=True)
class Bend:
    """Rotation of a node by its elastic angles: R = exp(theta~).

    w = J theta_dot is its true angular velocity in link axes, J the left Jacobian, and dw its
    angular acceleration at d_ddot = 0.
    """

    R: Rotation
    J: Array | None  # None: the identity (the node turns about one fixed axis)
    w: Array
    dw: Array
    turns: Array | None = None  # (3, m) J Theta^T, where shapes are few beside the axes
    by_shape: bool = False  # whether a shape at a time is shorter for inertias at the node


@dataclass(frozen=True)
class Node:
    """Where a node is and how it moves relative to its link's frame.

    Shape rates move it by rd = S^T d_dot and turn its angles by Theta^T d_dot; S and Theta are
    those at the present shape. `a` is its acceleration at d_ddot = 0.
    """

    r: Array
    rd: Array
    a: Array
    S: Array  # (m, 3)
    Theta: Array  # (m, 3)
    bend: Bend


def node(station: Station, d: Array, dd: Array) -> Node:
    """The station's node at shape d, rates dd.

    Reference: [Piedboeuf], eqs. (18), (21), (60)-(66).
    """
    if len(d) == 0:
        return station.without_shapes
    moved = _quadratic(station.S, station.S2, d, dd)
    turned = _quadratic(station.Theta, station.Theta2, d, dd)
    bend = _bend(station, turned)
    r = station.r0 + moved.value
    return Node(r, moved.rate, moved.bias, moved.slope, turned.slope, bend)


@dataclass(frozen=True)
class Quadratic:
    """f = A^T d + 1/2 B_kl d_k d_l along a motion: its slopes df/dd_k (m, 3), value, rate, and
    second derivative at d_ddot = 0."""

    slope: Array
    value: Array
    rate: Array
    bias: Array


def _quadratic(A: Array, B: Array, d: Array, dd: Array) -> Quadratic:
    turn = weighted(d, B)
    slope = A + turn
    return Quadratic(slope, d @ A + 0.5 * (d @ turn), dd @ slope, quadratic_form(B, dd))


def quadratic_form(B: Array, d: Array) -> Array:
    """sum_kl B_kl d_k d_l for symmetric B (m, m, ...): products of shapes are made once."""
    if d.dtype != object:
        return weighted(d, weighted(d, B))
    out = np.zeros(B.shape[2:])
    for k in range(len(d)):
        for n in range(k + 1):
            out = out + (d[k] * d[n]) * (B[k, n] if n == k else B[k, n] + B[n, k])
    return out


def _bend(station: Station, turned: Quadratic) -> Bend:
    axes, theta, thetad = station.turn_axes, turned.value, turned.rate
    if not axes:
        return Bend(Rotation(), None, np.zeros(3), np.zeros(3))
    if len(axes) == 1:
        (k,) = axes
        return Bend(Rotation((Turn.by(k, theta[k]),)), None, thetad, turned.bias)
    few = 2 * len(axes)
    turning = np.count_nonzero((station.Theta != 0.0).any(axis=1))
    bend = _exponential(turned, with_turns=len(turned.slope) < few)
    return replace(bend, by_shape=bool(turning < few))


def _exponential(turned: Quadratic, with_turns: bool) -> Bend:
    """R = 1 + c1 t~ + c2 t~^2,  J = 1 + c2 t~ + c3 t~^2,  x = t x t_dot:
    J_dot t_dot = c2_dot x + c3_dot t x x + c3 t_dot x x.

    Reference: [MohanSaha], eqs. (10)-(11); erratum: w = Delta d_dot with R = 1 + [Delta d]~
    is not the velocity of any rotation.
    """
    theta, thetad = turned.value, turned.rate
    c1, c2, c3, c4, c5 = stumpff(theta @ theta)
    t = skew(theta)
    tt = t @ t
    R = np.eye(3) + c1 * t + c2 * tt
    J = np.eye(3) + c2 * t + c3 * tt
    x = cross(theta, thetad)
    speed = theta @ thetad
    axis = (3.0 * c5 - c4) * speed * theta + c3 * thetad
    dw = (2.0 * c4 - c3) * speed * x + cross(axis, x) + J @ turned.bias
    turns = J @ turned.slope.T if with_turns else None
    return Bend(Rotation((BentRotation.of(R),)), J, J @ thetad, dw, turns)
