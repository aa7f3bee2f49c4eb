"""The numbers in which a robot's forces are linear: tau = Y(q, qd, qdd) pi.

A material point sits at r = B(d)^T g + sum_k S_k d_k with g = [1; X], B = [0; 1] + 1/2 A_kl d_k d_l
(`bodies.body`: A = E^T z says how products of shapes move the body; it is kinematics, no
parameter). So forces are linear in the moments

    G = int rho g g^T            mass, first moment, second moment: ten numbers, of any body
    H_k = int rho g S_k^T        c1 and N0
    P_kl = int rho S_k S_l^T     with the modal mass, its trace
    Q_kl                         what products of turns of sections add, of first order

and in K, D, rotor inertia, spring, damping and Coulomb friction of the joints. What is rigid on a
body that products of shapes move (its hub) has ten numbers of its own. Vectors are in the axes of
the model file. Moments of shapes that are zero are left out: by symmetry they mostly stay so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ..bodies import Body
from ..robot import Link, Robot
from ..types import Floats

AXES = "xyz"
TEN = ("mass", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz")
PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


@dataclass(frozen=True, eq=False)
class UnitMoments:
    """Moments of a body in which one parameter is one and all others are zero, in link axes."""

    G: Floats | None = None  # (4, 4)
    H: tuple[int, Floats] | None = None  # shape k, (4, 3)
    P: tuple[int, int, Floats] | None = None  # shapes k, l, (3, 3); P_lk is its transpose
    Q: tuple[int, int, Floats] | None = None  # shapes k, l, (3, 3); Q_lk is the same
    moves: bool = True  # whether products of shapes move it


@dataclass(frozen=True)
class InertialParameter:
    """One number pi_j: its name and value, whose it is, and what stands beside it in the force.

    `acts` is "inertia" (of `moments`), "K" or "D" (of shapes k, l), or a word of a joint's drive.
    """

    name: str
    value: float
    link: int
    acts: str
    moments: UnitMoments = field(default_factory=UnitMoments)
    shapes: tuple[int, int] = (0, 0)


def inertial_parameters(robot: Robot) -> tuple[InertialParameter, ...]:
    """All of them, link by link: ten of the body, of its shapes, of its joint."""
    out: list[InertialParameter] = []
    for i, link in enumerate(robot.links):
        out += [*_rigid(i, link), *_of_shapes(i, link), *_elastic(i, link), *_drive(i, link)]
    return tuple(out)


def _rigid(i: int, link: Link) -> Iterator[InertialParameter]:
    body, F = link.body, link.frame
    fields = bool(len(body.E))
    whole = _gram(body.mass, body.c0, body.W0)
    still = _gram(float(body.remainder_mass), body.remainder_c0, body.remainder_W0)
    yield from _ten(i, link.name, whole - still if fields else whole, F, fields)
    if fields and np.any(still):
        yield from _ten(i, f"{link.name}.rigid", still, F, False)


def _gram(mass: float, c: Floats, W: Floats) -> Floats:
    return np.block([[np.full((1, 1), mass), c[None]], [c[:, None], W]])


def _ten(i: int, name: str, G: Floats, F: Floats, moves: bool) -> Iterator[InertialParameter]:
    """Mass, first moment and inertia about O: I = tr(W) 1 - W, W = 1/2 tr(I) 1 - I."""
    c, W = F.T @ G[1:, 0], F.T @ G[1:, 1:] @ F
    inertia = np.trace(W) * np.eye(3) - W
    values = [G[0, 0], *c, *(inertia[p] for p in PAIRS)]
    for word, value, unit in zip(TEN, values, _unit_grams(F), strict=True):
        yield InertialParameter(
            f"{name}.{word}", float(value), i, "inertia", UnitMoments(unit, moves=moves)
        )


def _unit_grams(F: Floats) -> Iterator[Floats]:
    none = np.zeros(3)
    yield _gram(1.0, none, np.zeros((3, 3)))
    for axis in np.eye(3):
        yield _gram(0.0, F @ axis, np.zeros((3, 3)))
    for a, b in PAIRS:
        inertia = np.zeros((3, 3))
        inertia[a, b] = inertia[b, a] = 1.0
        W = 0.5 * np.trace(inertia) * np.eye(3) - inertia
        yield _gram(0.0, none, F @ W @ F.T)


def _of_shapes(i: int, link: Link) -> Iterator[InertialParameter]:
    """H, P and Q, as far as they are not zero."""
    body, F, names = link.body, link.frame, link.body.shape_names
    for k, name in enumerate(names):
        H = np.concatenate([body.c1[k][None], F.T @ body.N0[k]]) @ F
        for a, b in np.argwhere(H):
            unit = np.zeros((4, 3))
            unit[a, b] = 1.0
            unit = np.concatenate([unit[:1], F @ unit[1:]]) @ F.T
            word = f"c1.{name}.{AXES[b]}" if a == 0 else f"N0.{name}.{AXES[a - 1]}{AXES[b]}"
            yield _moment(i, link, word, H[a, b], UnitMoments(H=(k, unit)))
    for k in range(body.m):
        for n in range(k + 1):
            yield from _pairs(i, link, k, n)


def _pairs(i: int, link: Link, k: int, n: int) -> Iterator[InertialParameter]:
    body, F, names = link.body, link.frame, link.body.shape_names
    for letter, A in (("P", F.T @ body.P[k, n] @ F), ("Q", F.T @ body.remainder_Q[k, n] @ F)):
        for a, b in np.argwhere(A):
            symmetric = letter == "P" and k == n
            if symmetric and b < a:
                continue
            unit = np.zeros((3, 3))
            unit[a, b] = 1.0
            if symmetric:
                unit[b, a] = 1.0
            word = f"{letter}.{names[k]}.{names[n]}.{AXES[a]}{AXES[b]}"
            at = (k, n, F @ unit @ F.T)
            moments = UnitMoments(P=at) if letter == "P" else UnitMoments(Q=at)
            yield _moment(i, link, word, A[a, b], moments)


def _moment(i: int, link: Link, word: str, value: float, moments: UnitMoments) -> InertialParameter:
    return InertialParameter(f"{link.name}.{word}", float(value), i, "inertia", moments)


def _elastic(i: int, link: Link) -> Iterator[InertialParameter]:
    body: Body = link.body
    for letter, A in (("K", body.K), ("D", body.D)):
        for k, n in np.argwhere(np.tril(A)):
            word = f"{link.name}.{letter}.{body.shape_names[k]}.{body.shape_names[n]}"
            yield InertialParameter(word, float(A[k, n]), i, letter, shapes=(int(k), int(n)))


def _drive(i: int, link: Link) -> Iterator[InertialParameter]:
    drive = link.drive
    given = {
        "rotor_inertia": drive.rotor_inertia,
        "stiffness": drive.stiffness,
        "damping": drive.damping + drive.viscous,
        "coulomb": drive.coulomb,
    }
    for word, value in given.items():
        if value and link.joint.nv:
            yield InertialParameter(f"{link.joint_name}.{word}", float(value), i, word)
