"""Natural frequencies at rest, M x_dd + K x = 0, and of shapes while joints turn steadily,
M x_dd + G x_d + K x = 0. Of closed chains along the directions that the loops leave free, x = N z:

    N^T M N z_dd + N^T (K - d(J^T lambda)/dq) N z = 0

lambda are what the cuts carry where the chain is at rest.

K alone does not decide whether small motions grow where joints turn: gyroscopic forces may hold
what has no stiffness. So the poles decide. Damping that turns with the links takes this hold away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from .. import checks, recursion
from ..checks import finite_number
from ..errors import InputError, brief, caution, unknown_name
from ..loops.closed_checks import closed_robot
from ..loops.force_balance import HeldChain
from ..robot import Robot
from ..screws.dual import slopes
from ..types import Array, Coordinates, Floats
from .equilibrium import Equilibrium, held_chain, open_equilibrium
from .result import Statics, judged, near_buckling


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Angular frequencies omega [rad/s], rising, and the shapes (columns, in velocity order).

    A negative stiffness (an arm standing against gravity) gives a negative omega: minus the
    rate at which it falls.
    """

    omega: Floats
    shapes: Floats
    names: tuple[str, ...]

    @property
    def hertz(self) -> Floats:
        return self.omega / (2.0 * np.pi)


def tangent_stiffness(robot: Robot, q: Floats) -> Floats:
    """d(gravity + elastic forces)/dq along each velocity direction: (nv, nv)."""

    def force(x: Array) -> Array:
        elastic = recursion.elastic_force(robot, x)
        return elastic + recursion.gravity_force(robot, x) if np.any(robot.gravity) else elastic

    ways = [recursion.configuration_rate(robot, q, unit) for unit in np.eye(robot.nv)]
    return slopes(force, q, ways)


def frequencies(
    robot: Robot,
    q: Coordinates | None = None,
    *,
    locked: bool = False,
    rates: Mapping[str, float] | None = None,
) -> Frequencies:
    """Natural frequencies at q (default: where it stands by itself), joints free or locked; of
    joints with elastic gears it is their motors that are locked.

    Of a closed chain `locked` holds the motors (`robot.actuated`); free, they give what balances
    the chain at q. There are as many frequencies as degrees of freedom. q of `statics` is where
    gravity and bending are in balance.

    Rigid-body modes of free joints come first, as zeros. With `rates`, e.g. {"hub": 6.0} rad/s,
    the joints turn steadily as told (the others are held), the shapes vibrate about the shape
    that this motion gives them, and centrifugal and gyroscopic forces take part.
    """
    checked = checks.configuration if checks.flag(locked, "locked") else checks.movable
    checks.check_robot(robot, "frequencies")
    at = robot.home() if q is None else checked(robot, q)
    if rates is not None and robot.loops:
        raise InputError(
            f"rates are of open chains, and {robot.name} has loops: its joints cannot turn "
            f"steadily. Leave rates out"
        )
    if rates is not None:
        return _turning(robot, at, steady_rates(robot, rates))
    return _natural(robot, at, vibration(robot, at, locked))


@dataclass(frozen=True, eq=False)
class Vibration:
    """M z_dd + K z = 0 of small motions N z (nv,)."""

    M: Floats
    K: Floats
    N: Floats


def vibration(robot: Robot, q: Floats, locked: bool) -> Vibration:
    """Joints free or locked; of a closed chain its motors, with the forces at its cuts those of
    rest, the motors held."""
    M = np.asarray(recursion.mass_matrix(robot, q), dtype=float)
    if not robot.loops:
        keep = robot.free_indices if locked else list(range(robot.nv))
        K = tangent_stiffness(robot, q) if keep else M
        return Vibration(M[np.ix_(keep, keep)], K[np.ix_(keep, keep)], np.eye(robot.nv)[:, keep])
    at = _held(robot, q)
    J = np.asarray(at.jacobian(q), dtype=float)
    N = at.directions(J) if locked else HeldChain(at.robot).directions(J)
    return Vibration(N.T @ M @ N, N.T @ at.slope(q, at.balance(q).multipliers, N), N)


def held_directions(robot: Robot, q: Floats) -> Floats:
    """(nv, n): small motions when the motors are locked."""
    if not robot.loops:
        return np.asarray(np.eye(robot.nv)[:, robot.free_indices])
    at = _held(robot, q)
    return at.directions(np.asarray(at.jacobian(q), dtype=float))


def _held(robot: Robot, q: Floats) -> HeldChain:
    return held_chain(closed_robot(robot, q, np.zeros(robot.nv)), q, {})


def _natural(robot: Robot, at: Floats, small: Vibration) -> Frequencies:
    from scipy.linalg import eigh

    M, K, N = small.M, small.K, small.N
    if not len(M):
        return Frequencies(np.zeros(0), np.zeros((robot.nv, 0)), robot.velocity_names)
    try:
        w2, V = eigh(0.5 * (K + K.T), M)
    except np.linalg.LinAlgError:
        checks.definite(robot, at)
        raise checks.unsolvable(robot, "frequencies") from None
    noise = 1e-12 * max(float(np.abs(w2).max()), 1e-300)
    w2 = np.where(np.abs(w2) < noise, 0.0, w2)
    return Frequencies(np.sign(w2) * np.sqrt(np.abs(w2)), N @ V, robot.velocity_names)


def _turning(robot: Robot, q: Floats, qd: Floats) -> Frequencies:
    """Small vibrations of the shapes about their steady ones, joints driven."""
    from scipy.linalg import eig

    modes = robot.free_indices
    if not modes:
        return Frequencies(np.zeros(0), np.zeros((robot.nv, 0)), robot.velocity_names)
    at, q = Equilibrium(robot, {}, qd), turning_shape(robot, q, qd, {}).q
    if np.any(qd) and not steady(robot, q, qd, modes, {}):
        caution(unsteady_words(robot, "these frequencies hold"))
    M = recursion.mass_matrix(robot, q)[np.ix_(modes, modes)]
    K = at.slope(q, modes)[modes]

    def inertia(rates: Array) -> Array:
        return recursion.coriolis_force(robot, q, rates)

    G = slopes(inertia, qd, [*np.eye(robot.nv)[modes]])[modes]
    n, one = len(modes), np.eye(len(modes))
    A = np.block([[np.zeros((n, n)), one], [-K, -G]])
    B = np.block([[one, np.zeros((n, n))], [np.zeros((n, n)), M]])
    values, vectors = eig(A, B)
    return _pick(robot, modes, values, vectors)


def _pick(robot: Robot, modes: list[int], values: Array, vectors: Array) -> Frequencies:
    """One of each pair +-lambda: oscillations by their frequency, growth as a negative one."""
    size = float(np.abs(values).max(initial=1e-300))
    moving = [i for i, x in enumerate(values) if x.imag > 1e-9 * size]
    falling = [i for i, x in enumerate(values) if abs(x.imag) <= 1e-9 * size and x.real > 0.0]
    omega = np.array([*(-values[i].real for i in falling), *(values[i].imag for i in moving)])
    shapes = np.zeros((robot.nv, len(omega)))
    for column, i in enumerate([*falling, *moving]):
        x = vectors[: len(modes), i]
        x = x / x[np.argmax(np.abs(x))]
        shapes[modes, column] = x.real
    order = np.argsort(omega)
    return Frequencies(omega[order], shapes[:, order], robot.velocity_names)


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
