"""Parallel robots: legs that carry one platform, and the three matrices N_l N_c N_d.

Every leg is a chain from the base to the platform; the legs but one are cut, and the free axes
of a cut are the last joint of its leg. In each leg the rates of joints without motors are
eliminated from the platform inward, with projectors that grow:

    Phi_{m+1} = 1,   P~_i = Phi_{i+1} A_ei P_i,   delta_i = P~_i^T P~_i
    Phi_i = Phi_{i+1} - P~_i delta_i^-1 P~_i^T                                     (26)-(28)

so that of the leg's equation t_e = sum A_ei P_i u_i only its motors a are left, and all legs
together give the platform's twist:

    Phi = sum over legs of Phi_2,   t_e = J u_a,   J = Phi^-1 [Phi_2 A_ea P_a]     (29)

With it the rates come back outward, u_i = delta_i^-1 P~_i^T (t_e - A_e,i-1 t_i-1), less what
motors farther out give (the paper has its motors at the base):

    t = N_l N_c N_d u_a                                                            (32)
    N_d: P_a of the motors;  N_c: [1 at motors; P_i delta_i^-1 P~_i^T Phi^-1 Phi_2 A_ea elsewhere]
    N_l: Psi_i A_i,i-1 ... Psi_j+1 A_j+1,j,   Psi_i = 1 - P_i delta_i^-1 P~_i^T A_ei (Psi_a = 1)

and the equations in the motors' coordinates alone are those of serial robots with N = N_l N_c N_d:

    N^T M N u_a_dot + N^T (M N_dot + W M E N) u_a = N^T w + tau                    (33)

The platform is the last body of the leg that is not cut: its mass is counted once.
Reference: [Saha], eqs. (24)-(33); errata: (26)-(28) projectors are cumulative, (29) A_e1 p_1,
(32c) N_c, (32d) A_j+1,j; twists of the distal links differ in the five-bar: here the cut's own
axis accounts for that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..recursion.denoc import complement, spans
from ..recursion.kinematics import Pose, poses
from ..recursion.path import paths
from ..recursion.sweep import ancestry
from ..robot import Loop, Robot
from ..screws import mirror, skew
from ..types import Array, Floats
from .actuation import motor_places
from .closure import side_pose
from .definite import DefiniteFactors, definite
from .rows import kept_rows

SINGULAR = 1e-12  # pivot of Phi, which is about one


@dataclass(frozen=True)
class Leg:
    """Links from the base outward, and the cut at its end with the side of the platform; the
    leg that is not cut ends in the platform itself."""

    links: tuple[int, ...]
    cut: Loop | None = None


def legs(robot: Robot) -> tuple[int, tuple[Leg, ...]]:
    """The platform and the legs that carry it. InputError where the robot is no parallel one."""
    if robot.modes:
        raise InputError(f"{robot.name} bends; legs are eliminated of rigid links alone")
    if robot.gears:
        raise InputError(
            f"{robot.name} has elastic gears, whose motors are on no leg; legs are eliminated of "
            f"robots with rigid drives alone"
        )
    if any(loop.is_tie for loop in robot.loops):
        raise InputError(
            f"{robot.name} has mimic joints, which belong to no leg of a parallel robot"
        )
    for platform in _candidates(robot):
        found = [Leg(tuple(ancestry(robot.parents, platform)[::-1]))]
        for loop in robot.loops:
            other = loop.first[0] if loop.second[0] == platform else loop.second[0]
            found.append(Leg(tuple(ancestry(robot.parents, other)[::-1]), loop))
        links = [i for leg in found for i in leg.links]
        if sorted(links) == list(range(len(robot.links))):
            return platform, tuple(found)
    raise InputError(
        f"{robot.name} is no parallel robot: its loops must all be cut at one link, the platform, "
        f"and legs from the base to it must have no link in common"
    )


def _check_motors(robot: Robot) -> None:
    """As many motors as degrees of freedom, no more and no fewer."""
    motors, freedom = len(motor_places(robot)), robot.nv - len(kept_rows(robot))
    if motors != freedom:
        raise InputError(
            f"{robot.name} has {motors} motors for {freedom} degrees of freedom; equations in the "
            f"motors' coordinates need as many motors as degrees of freedom (`actuated`)"
        )


def _candidates(robot: Robot) -> list[int]:
    """Links at which every loop has a side, those at the end of the longest leg first."""
    sides = [{loop.first[0], loop.second[0]} for loop in robot.loops]
    common = set.intersection(*sides) - {-1} if sides else set()
    return sorted(common, key=lambda i: (-len(ancestry(robot.parents, i)), i))


@dataclass(frozen=True, eq=False)
class EliminatedJoint:
    """A joint without a motor: its columns P (6, k) at its body, P~ and delta."""

    P: Array
    tilde: Array
    delta: DefiniteFactors

    def share(self, t: Array) -> Array:
        """delta^-1 P~^T t: its rates for what is left of the platform's twist."""
        return self.delta.solve(self.tilde.T @ t)


@dataclass(frozen=True, eq=False)
class Parallel:
    """J (6, motors): the platform's twist at its O; N_l, N_c, N_d: t = N_l N_c N_d u_a, all in
    world axes, bodies in the order of `bodies`: by place in the leg, then by leg; K (nv, motors):
    all rates, qd = K u_a."""

    platform: str
    bodies: tuple[int, ...]
    motors: tuple[int, ...]  # places in the velocity
    J: Array
    N_l: Array
    N_c: Array
    N_d: Array
    K: Array
    Phi: DefiniteFactors

    @property
    def N(self) -> Array:
        return self.N_l @ self.N_c @ self.N_d


def parallel(robot: Robot, q: Array) -> Parallel:
    """The matrices of a parallel robot at q, in any scalar."""
    platform, all_legs = legs(robot)
    _check_motors(robot)
    motors, tree, rows = motor_places(robot), complement(robot, q), spans(robot)
    frames = poses(robot, paths(robot, q, np.zeros(robot.nv)))
    to_platform = [_shift(frames[platform].p - frame.p) for frame in frames]
    own = [tree[1][rows[i], link.u] for i, link in enumerate(robot.links)]
    without = _without_motors(robot, q, frames, all_legs, own, to_platform)
    order = _by_place(all_legs)
    driven = [i for i in order if own[i].shape[1] and i not in without.joints]
    bar = np.hstack([without.whole.solve(without.left[i] @ to_platform[i]) for i in driven])
    N_d = np.zeros((6 * len(driven), len(motors))).astype(object)
    for k, i in enumerate(driven):
        columns = [motors.index(x) for x in range(robot.nv)[robot.links[i].u]]
        N_d[6 * k : 6 * k + 6, columns] = own[i]
    rest = {i: bar - _beyond(robot, i, driven, to_platform) for i in without.joints}
    joints = without.joints
    N_c = np.vstack([_interaction(i, driven, joints.get(i), rest.get(i, bar)) for i in order])
    N_l = _leg_chains(robot, tree[0], rows, order, joints, to_platform)
    twists = dict(zip(order, np.split(N_l @ N_c @ N_d, len(order)), strict=True))
    K = np.zeros((robot.nv, len(motors))).astype(object)
    K[motors] = np.eye(len(motors))
    for i, joint in joints.items():
        p = robot.parents[i]
        before = to_platform[p] @ twists[p] if p >= 0 else np.zeros((6, len(motors)))
        K[robot.links[i].u] = joint.share(rest[i] @ N_d - before)
    J, N_l, N_c, N_d, K = (np.array(x.tolist()) for x in (bar @ N_d, N_l, N_c, N_d, K))
    name = robot.links[platform].name
    return Parallel(name, order, tuple(motors), J, N_l, N_c, N_d, K, without.whole)


@dataclass(frozen=True)
class EliminatedJoints:
    """The joints eliminated, by link; Phi_2 of the leg of each link; Phi of all legs."""

    joints: dict[int, EliminatedJoint]
    left: dict[int, Array]
    whole: DefiniteFactors


def _without_motors(
    robot: Robot,
    q: Array,
    frames: list[Pose],
    all_legs: tuple[Leg, ...],
    own: list[Array],
    to_platform: list[Array],
) -> EliminatedJoints:
    """Eliminate the joints without motors of every leg, from the platform inward."""
    motors, centre = motor_places(robot), frames[all_legs[0].links[-1]].p
    joints: dict[int, EliminatedJoint] = {}
    left: dict[int, Array] = {}
    total = np.zeros((6, 6))
    for leg in all_legs:
        Phi = np.eye(6)
        if leg.cut is not None and leg.cut.joint.axes:
            axes = _cut_axes(robot, q, frames, leg.cut, centre)
            Phi = _eliminated(Phi, axes, axes)[1]
        for i in reversed(leg.links):
            if own[i].shape[1] and robot.links[i].u.start not in motors:
                joints[i], Phi = _eliminated(Phi, own[i], to_platform[i] @ own[i])
        left |= dict.fromkeys(leg.links, Phi)
        total = total + Phi
    return EliminatedJoints(joints, left, definite(mirror(total)))


def _eliminated(Phi: Array, P: Array, at_platform: Array) -> tuple[EliminatedJoint, Array]:
    """A joint without a motor, and the projector without it."""
    tilde = Phi @ at_platform
    delta = definite(mirror(tilde.T @ tilde))
    return EliminatedJoint(P, tilde, delta), mirror(Phi - tilde @ delta.solve(tilde.T))


def _shift(r: Array) -> Array:
    """The twist of a point at r from that of the body's O."""
    return np.vstack([np.hstack([np.eye(3), np.zeros((3, 3))]), np.hstack([-skew(r), np.eye(3)])])


def _cut_axes(robot: Robot, q: Array, frames: list[Pose], loop: Loop, centre: Array) -> Array:
    """The cut's free axes as columns of the platform's twist (their signs do not matter)."""
    a = side_pose(robot, q, frames, *loop.first)
    columns = []
    for axis in loop.joint.axes:
        z = a.R[:, axis % 3]
        twist = np.concatenate([z, np.zeros(3)] if axis < 3 else [np.zeros(3), z])
        columns.append(_shift(centre - a.p) @ twist)
    return np.array(columns).reshape(len(columns), 6).T


def _by_place(all_legs: tuple[Leg, ...]) -> tuple[int, ...]:
    """First bodies of all legs, then second ones, ... (32b)."""
    longest = max(len(leg.links) for leg in all_legs)
    return tuple(leg.links[k] for k in range(longest) for leg in all_legs if k < len(leg.links))


def _beyond(robot: Robot, i: int, driven: list[int], to_platform: list[Array]) -> Array:
    """What motors farther out in the leg of link i give to the platform's twist: (6, 6 motors)."""
    own = [to_platform[a] if i in ancestry(robot.parents, a) else np.zeros((6, 6)) for a in driven]
    return np.hstack(own)


def _interaction(i: int, driven: list[int], joint: EliminatedJoint | None, bar: Array) -> Array:
    """Rows of N_c for a body: its own motor, or its joint's answer to the platform's twist."""
    if joint is not None:
        return np.asarray(joint.P @ joint.share(bar))
    out = np.zeros((6, 6 * len(driven)))
    if i in driven:
        out[:, 6 * driven.index(i) : 6 * driven.index(i) + 6] = np.eye(6)
    return out


def _leg_chains(
    robot: Robot,
    N_tree: Array,
    rows: list[slice],
    order: tuple[int, ...],
    gone: dict[int, EliminatedJoint],
    to_platform: list[Array],
) -> Array:
    """N_l: each body from those before it in its leg, by A~_ij (32d)."""
    place = {i: slice(6 * k, 6 * k + 6) for k, i in enumerate(order)}
    N_l = np.eye(6 * len(order)).astype(object)
    for i in order:
        p = robot.parents[i]
        if p < 0:
            continue
        A = N_tree[rows[i], rows[p]]
        if i in gone:
            A = A - gone[i].P @ gone[i].share(to_platform[i] @ A)
        for j in ancestry(robot.parents, p):
            N_l[place[i], place[j]] = A @ N_l[place[p], place[j]]
    return N_l


def regular_parallel(robot: Robot, q: Floats) -> Parallel:
    """The matrices at q. InputError where Phi is singular: motors do not hold the platform."""
    at = parallel(robot, q)
    if not min(map(float, at.Phi.D)) > SINGULAR:
        raise InputError(
            f"{robot.name} is singular at this q: Phi has the pivots "
            f"{', '.join(f'{float(x):.3g}' for x in at.Phi.D)}, and with its motors locked the "
            f"platform {at.platform} may still move; go round this configuration"
        )
    return at
