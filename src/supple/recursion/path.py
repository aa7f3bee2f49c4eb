"""The way from a link's frame to the frame of a link it carries: A_{i,p(i)} in steps.

    parent frame -- shift to the node r(d), shape rates join in --> node
    node -- elastic turn --> offset rho -- constant turn R0 --> joint -- r_j, R_j --> child
A part of rho along a revolute joint's axis may also come last (a slide): there the elimination of
the joint has left zeros, which makes the shift cheaper.
Twists go forth along it, wrenches and inertias come back.
Reference: [MohanSaha], eqs. (8)-(11); erratum: (9) a points from O_i to O_{i-1}; (11) s^y, s^z
interchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from ..bodies import Station, node
from ..bodies.station import Bend
from ..robot import Link, Robot
from ..screws import ArticulatedInertia, BentRotation, RigidInertia, Rotation, Turn, cross, square
from ..types import Array
from .sweep import each

Inertia = TypeVar("Inertia", ArticulatedInertia, RigidInertia)


@dataclass(frozen=True)
class FrameMotion:
    """Motion of a link frame: angular velocity w, velocity v of O, angular acceleration dw
    and acceleration a of O (that of gravity reversed included), all in link axes."""

    w: Array
    v: Array
    dw: Array
    a: Array


@dataclass(frozen=True)
class Shift:
    """A frame at r from the one before it, turned by R."""

    r: Array | None
    R: Rotation


@dataclass(frozen=True)
class FramePath:
    """From the parent's frame through the node to the child's frame.

    The node is at r; its local Jacobians are S^T (shift) and J Theta^T (turn), at the present
    shape; rd is its velocity, ra its acceleration at d_ddot = 0, relative to the parent.
    """

    r: Array
    rd: Array
    ra: Array
    S: Array  # (m, 3)
    Theta: Array  # (m, 3)
    bend: Bend
    shifts: tuple[Shift, ...]
    slide: Array | None = None  # from the joint to O, along its axis

    def forth(self, m: FrameMotion, dd: Array, ddd: Array) -> FrameMotion:
        """Motion of the child's frame as if its joint stood still, in child axes; the slide is
        still to come."""
        w, v, dw = m.w, m.v + cross(m.w, self.r), m.dw
        a = m.a + square(m.w, m.dw) @ self.r
        if len(dd):
            we = self.bend.w
            a = a + cross(w + w, self.rd) + ddd @ self.S + self.ra
            dw = dw + cross(w, we) + self.bend.dw + self.turn(ddd)
            w, v = w + we, v + self.rd
        for shift in self.shifts:
            if shift.r is not None:
                v = v + cross(w, shift.r)
                a = a + square(w, dw) @ shift.r
            w, v, dw, a = (shift.R.back(x) for x in (w, v, dw, a))
        return FrameMotion(w, v, dw, a)

    def slid(self, m: FrameMotion) -> FrameMotion:
        """Motion at O from that at the joint. The joint's axis is fixed in the child too, so that
        the child's own motion is enough."""
        if self.slide is None:
            return m
        v = m.v + cross(m.w, self.slide)
        return FrameMotion(m.w, v, m.dw, m.a + square(m.w, m.dw) @ self.slide)

    def forth_linear(self, w: Array, v: Array, dd: Array) -> tuple[Array, Array]:
        """Twist only (or what accelerations alone add): linear, no products of rates."""
        v = v + cross(w, self.r)
        if len(dd):
            w, v = w + self.turn(dd), v + dd @ self.S
        for shift in self.shifts:
            if shift.r is not None:
                v = v + cross(w, shift.r)
            w, v = shift.R.back(w), shift.R.back(v)
        return w, v if self.slide is None else v + cross(w, self.slide)

    def turn(self, dd: Array) -> Array:
        """J Theta^T dd: the node's angular rate from the shape rates."""
        if self.bend.turns is not None:
            return self.bend.turns @ dd
        theta = dd @ self.Theta
        return theta if self.bend.J is None else self.bend.J @ theta

    def columns(self) -> Array:
        """J Theta^T (3, m): the node's angular rate for each unit shape rate."""
        if self.bend.turns is not None:
            return self.bend.turns
        return self.Theta.T if self.bend.J is None else self.bend.J @ self.Theta.T

    def back(self, n: Array, f: Array) -> tuple[Array, Array, Array]:
        """Wrench (n, f) about the child's O brought to the parent's O, and the modal forces
        it does work with there."""
        if self.slide is not None:
            n = n + cross(self.slide, f)
        for shift in reversed(self.shifts):
            n, f = shift.R.forth(n), shift.R.forth(f)
            if shift.r is not None:
                n = n + cross(shift.r, f)
        return n + cross(self.r, f), f, self.modal(n, f)

    def modal(self, n: Array, f: Array) -> Array:
        """Work of a wrench at the node on unit shape rates: (m,)."""
        if self.bend.turns is not None:
            return np.asarray(n @ self.bend.turns + self.S @ f)
        n = n if self.bend.J is None else n @ self.bend.J
        return np.asarray(self.Theta @ n + self.S @ f)

    def to_node(self, X: Inertia) -> Inertia:
        """Inertia of the child, seen at the node in parent axes."""
        X = X if self.slide is None else X.shifted(self.slide)
        for shift in reversed(self.shifts):
            X = X.turned(shift.R)
            if shift.r is not None:
                X = X.shifted(shift.r)
        return X

    def rigid_back(self, X: RigidInertia) -> RigidInertia:
        """Rigid inertia of the child about the parent's O."""
        return self.to_node(X).shifted(self.r)

    def pose(self) -> tuple[Array, Array]:
        """(R, r) of the child's frame in the parent's."""
        r, R = self.r, np.eye(3)
        for shift in self.shifts:
            if shift.r is not None:
                r = r + R @ shift.r
            R = R @ shift.R.matrix()
        return R, r if self.slide is None else r + R @ self.slide


def station_path(
    robot: Robot, station: Station, d: Array, dd: Array, joint: Shift | None = None
) -> FramePath:
    """The way from a link's frame to one of its stations, and on through a joint."""
    at = node(station, d, dd)
    if robot.elastic_columns == "paper":  # [CibicikEgeland], eq. (71): nothing of first order
        at = replace(at, bend=replace(at.bend, J=None, turns=None))
    r, rho = (at.r, station.offset) if len(d) else (np.zeros(3), station.offset_from_root)
    offset, R0, slide = rho.at_once, station.fixed_turn, None
    if joint is not None and (joint.r is not None or _about_z(joint.R)):
        offset = rho.in_front
        if joint.r is not None:
            joint = Shift(joint.r + rho.behind, joint.R)
        elif rho.slides:
            slide = rho.behind
    shifts = [Shift(None, at.bend.R), Shift(offset, R0)]
    if joint is not None:
        one = _joined(at.bend.R, offset, R0, joint)
        shifts = (
            [Shift(None, one)] if one is not None else [shifts[0], *_about_one(shifts[1], joint)]
        )
    shifts = [shift for shift in shifts if shift.r is not None or shift.R.factors]
    return FramePath(r, at.rd, at.a, at.S, at.Theta, at.bend, tuple(shifts), slide)


def _about_z(R: Rotation) -> bool:
    """Whether it turns about the joint's axis alone, or not at all."""
    return all(isinstance(f, Turn) and f.k == 2 for f in R.factors)


def _about_one(mount: Shift, joint: Shift) -> tuple[Shift, Shift]:
    """A last turn of the mount about the joint's axis becomes part of the joint's."""
    if joint.r is None and len(joint.R.factors) == 1 and isinstance(joint.R.factors[0], Turn):
        both = mount.R.joined(joint.R.factors[0])
        if both is not None:
            return Shift(mount.r, both[0]), Shift(None, Rotation((both[1],)))
    return mount, joint


def _joined(bend: Rotation, rho: Array | None, R0: Rotation, joint: Shift) -> Rotation | None:
    """Bending in space and a turn about the joint's axis as one rotation, where nothing lies
    between them."""
    if rho is not None or joint.r is not None or len(joint.R.factors) != 1:
        return None
    (turn,) = joint.R.factors
    if not (bend.factors and isinstance(bend.factors[0], BentRotation) and isinstance(turn, Turn)):
        return None
    one = bend.factors[0].with_joint(R0, turn)
    return None if one is None else Rotation((one,))


def paths(robot: Robot, q: Array, qd: Array) -> list[FramePath]:
    """One path a link: from its parent's frame to its own."""
    return each(robot.parents, lambda i: _path(robot, robot.links[i], q, qd))


def _path(robot: Robot, link: Link, q: Array, qd: Array) -> FramePath:
    r, R = link.joint.place(q[link.q])
    if link.parent < 0:
        none = np.zeros(0)
        return station_path(robot, link.mount, none, none, Shift(r, R))
    p = robot.links[link.parent]
    return station_path(robot, link.mount, q[p.d], qd[p.e], Shift(r, R))
