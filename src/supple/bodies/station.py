"""Stations: the points of a link where joints, payloads, tools and gauges sit."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..screws import Bent, Rotation, Turn, cross, skew
from ..screws.series import stumpff
from ..types import Array, Floats


@dataclass(frozen=True)
class Station:
    """A node of the elastic line, at r0 + S^T d, turned by exp(Theta^T d), and a rigid
    offset from it: rho along the turned node axes, then the constant rotation R0."""

    r0: Floats  # (3,)
    S: Floats  # (m, 3) displacement of the node for each unit shape coordinate
    Theta: Floats  # (m, 3) rotation of the node for each unit shape coordinate
    rho: Floats = field(default_factory=lambda: np.zeros(3))
    R0: Floats = field(default_factory=lambda: np.eye(3))

    @property
    def turn_axes(self) -> tuple[int, ...]:
        """Coordinate axes about which the node can turn at all."""
        return tuple(int(k) for k in range(3) if np.any(self.Theta[:, k] != 0.0))


@dataclass(frozen=True)
class Bend:
    """Rotation of a node by its elastic angles: R = exp(theta~).

    w = J theta_dot is its true angular velocity in link axes, J the left Jacobian, and
    dw = J_dot theta_dot.
    """

    R: Rotation
    J: Array | None  # None: the identity (the node turns about one fixed axis)
    w: Array
    dw: Array


@dataclass(frozen=True)
class Node:
    """Where a node is and how it moves relative to its link's frame."""

    r: Array
    rd: Array
    bend: Bend


def node(station: Station, d: Array, dd: Array) -> Node:
    """The station's node at shape d, rates dd."""
    if len(d) == 0:
        return Node(station.r0, np.zeros(3), Bend(Rotation(), None, np.zeros(3), np.zeros(3)))
    bend = _bend(station.turn_axes, d @ station.Theta, dd @ station.Theta)
    return Node(station.r0 + d @ station.S, dd @ station.S, bend)


def _bend(axes: tuple[int, ...], theta: Array, thetad: Array) -> Bend:
    if not axes:
        return Bend(Rotation(), None, np.zeros(3), np.zeros(3))
    if len(axes) == 1:
        (k,) = axes
        turn = Turn(k, np.cos(theta[k]), np.sin(theta[k]))
        return Bend(Rotation((turn,)), None, thetad, np.zeros(3))
    return _exponential(theta, thetad)


def _exponential(theta: Array, thetad: Array) -> Bend:
    """R = 1 + c1 t~ + c2 t~^2,  J = 1 + c2 t~ + c3 t~^2,  x = t x t_dot:
    J_dot t_dot = c2_dot x + c3_dot t x x + c3 t_dot x x.

    Reference: [MohanSaha], eqs. (10)-(11); erratum: w = Delta d_dot with R = 1 + [Delta d]~
    is not the velocity of any rotation.
    """
    c1, c2, c3, c4, c5 = stumpff(theta @ theta)
    t = skew(theta)
    tt = t @ t
    R = np.eye(3) + c1 * t + c2 * tt
    J = np.eye(3) + c2 * t + c3 * tt
    x = cross(theta, thetad)
    speed = theta @ thetad
    dw = (2.0 * c4 - c3) * speed * x + (3.0 * c5 - c4) * speed * cross(theta, x)
    return Bend(Rotation((Bent.of(R),)), J, J @ thetad, dw + c3 * cross(thetad, x))
