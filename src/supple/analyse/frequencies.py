"""Natural frequencies at rest, M x_dd + K x = 0, and of shapes while joints turn steadily,
M x_dd + G x_d + K x = 0. Of closed chains along the directions that the loops leave free, x = N z:

    N^T M N z_dd + N^T (K - d(J^T lambda)/dq) N z = 0

lambda are what the cuts carry where the chain is at rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .. import checks, recursion
from ..errors import InputError, caution
from ..loops.closed_checks import closed_robot
from ..loops.force_balance import HeldChain
from ..robot import Robot
from ..screws.dual import slopes
from ..types import Array, Coordinates, Floats
from .closed_equilibrium import held_chain
from .equilibrium import Equilibrium
from .turning import steady, steady_rates, turning_shape, unsteady_words


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
