"""Robots whose joints turn steadily: the shape that this gives them, and whether they keep it.

With the motors driven, small motions of all else, shapes and joints behind elastic gears, are

    M x_dd + (G + D) x_d + K x = 0,      G: gyroscopic forces, D: damping.

K alone does not decide whether they grow: gyroscopic forces may hold what has no stiffness. So
the poles decide. Damping that turns with the links takes this hold away again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from .. import recursion
from ..checks import finite_number
from ..errors import InputError, brief, unknown_name
from ..robot import Robot
from ..screws.dual import slopes
from ..types import Array, Floats
from .equilibrium import Equilibrium, open_equilibrium
from .result import Statics, judged, near_buckling

ROUNDING = 1e-14  # of the forces in a motion: less of them is rounding


def steady_rates(robot: Robot, rates: Mapping[str, float]) -> Floats:
    """Rates (nv,) from those of some joints by name."""
    names = [robot.velocity_names[i] for i in robot.joint_indices]
    qd = np.zeros(robot.nv)
    if not isinstance(rates, Mapping):
        example = {(names or ["hub"])[0]: 6.0}
        raise InputError(f"rates is {brief(rates)}; give rates by joint, e.g. {example}")
    for name, value in rates.items():
        if name not in names:
            raise unknown_name("joint", str(name), names, where=f"robot {robot.name}")
        qd[robot.velocity_names.index(name)] = finite_number(value, f"rate of {name}")
    for gear in robot.gears:  # a gear that turns steadily is not wound up further
        motor, joint = robot.links[gear.motor].u.start, robot.links[gear.link].u.start
        if robot.velocity_names[motor] in rates:
            qd[joint] = qd[motor] / gear.ratio
        qd[motor] = gear.ratio * qd[joint]
    if np.abs(qd).max(initial=0.0) > 1e50:
        raise InputError(f"rates are {dict(rates)}; they are too large to be squared")
    return qd


def turning_shape(robot: Robot, q: Floats, qd: Floats, loads: dict[str, Floats]) -> Statics:
    """Where links and elastic gears are in balance while the joints turn at the rates qd; with a
    caution where they do not stay there."""
    at = Equilibrium(robot, loads, qd)
    with np.errstate(all="ignore"):  # steps that go too far are halved
        found = open_equilibrium(at, q)
        return judged(found, "these rates", lambda x, doing: _stability(x, doing, qd))


def _stability(found: Statics, doing: str, qd: Floats) -> Iterator[str]:
    """Whether small motions grow, by the poles, and what is to be known of the stiffness."""
    name, left, rate = found.robot.name, found.stiffness_left, growth(*_small_motions(found, qd))
    if rate > 0.0:
        yield (
            f"{name} is not stable at {doing}: a small push grows by the factor e in "
            f"{1.0 / rate:.3g} s, while {100 * left:.3g} % of the shapes' stiffness is left. Turn "
            f"slower, or make the links stiffer"
        )
    elif -np.inf < left < 0.0:
        yield (
            f"{doing} leave {name} no stiffness ({100 * left:.3g} % of the shapes' own): only "
            f"gyroscopic forces hold it, and damping that turns with the links would take their "
            f"hold away. Turn slower, make the links stiffer, or give them their damping to see"
        )
    else:
        yield from near_buckling(found, doing)


def _small_motions(found: Statics, qd: Floats) -> tuple[Floats, Floats]:
    """A of dx/dt = A x, x = [shapes; their rates], the motors driven; and the inertia."""
    robot, q, free = found.robot, found.q, found.robot.free_indices
    n = len(free)

    def force(rates: Array) -> Array:
        return recursion.bias_force(robot, q, rates, found.wrench)

    M = np.asarray(recursion.mass_matrix(robot, q), dtype=float)[np.ix_(free, free)]
    K = Equilibrium(robot, found.wrench, qd).slope(q, free)[free]
    D = slopes(force, qd, [*np.eye(robot.nv)[free]])[free]  # G + D
    fast = np.linalg.lstsq(M, np.hstack([K, D]), rcond=None)[0]
    return np.vstack([np.eye(2 * n)[n:], -fast]), M


def growth(A: Floats, M: Floats) -> float:
    """The largest growth rate [1/s] of dx/dt = A x, x = [z; dz/dt], M the inertia of z; 0 where
    nothing grows beyond rounding.

    Of a pole s with the shape v, m s^2 + c s + k = 0 holds with m = v^H M v and c, k likewise. The
    root next to s is free of the rounding of fast poles, and its own is known.
    """
    n = len(M)
    T, K, C = A[:n, :n], M @ (A[n:, n:] @ A[:n, :n] - A[n:, :n]), -M @ (A[n:, n:] + A[:n, :n])
    turn, slow, fast = (np.abs(X) for X in (T, A[n:, :n], A[n:, n:]))
    sizes = [np.abs(M), np.abs(M) @ (fast + turn), np.abs(M) @ (fast @ turn + slow)]
    fastest, (poles, shapes) = 0.0, np.linalg.eig(A)
    for s, v in zip(poles, shapes[:n].T, strict=True):
        m, c, k = (v.conj() @ X @ v for X in (M, C, K))
        half = np.array([1.0, -1.0]) * np.sqrt(c * c - 4.0 * m * k + 0j)
        root = min((half - c) / (2.0 * m), key=lambda x: abs(x - s))
        parts = [
            np.abs(v) @ X @ np.abs(v) * abs(s) ** p for X, p in zip(sizes, (2, 1, 0), strict=True)
        ]
        rounding = ROUNDING * sum(parts)
        if root.real * abs(2.0 * m * root + c) > rounding:
            fastest = max(fastest, float(root.real))
    return fastest


def steady(robot: Robot, q: Floats, qd: Floats, free: list[int], loads: dict[str, Floats]) -> bool:
    """Whether the equations stay the same along the motion: no force on what is `free` changes
    (of open chains)."""
    if robot.loops:
        return False

    def force(x: Array) -> Array:
        return recursion.bias_force(robot, x, qd, loads)

    change = slopes(force, q, [recursion.configuration_rate(robot, q, qd)])[:, 0]
    fast, M = float(np.abs(qd).max()), np.asarray(recursion.mass_matrix(robot, q), dtype=float)
    largest = fast * (float(np.abs(force(q)).max(initial=0.0)) + fast**2 * float(np.abs(M).max()))
    return bool(np.abs(change[free]).max(initial=0.0) <= 1e-9 * largest)


def unsteady_words(robot: Robot, what: str) -> str:
    """That a robot does not turn steadily; what: what holds then for an instant."""
    return (
        f"{robot.name} moves at the operating point, and its equations change on the way: {what} "
        f"for that instant alone. Poles then do not tell stability"
    )


__all__ = ["growth", "steady", "steady_rates", "turning_shape", "unsteady_words"]
