"""Linear quadratic regulators: the gains that make a robot come to rest at least cost.

    x = (q - q_e, qd),   dx/dt = A x + B u,   least  int x^T Q x + u^T R u dt
    A^T P + P A - P B R^-1 B^T P + Q = 0,   u = -K x,   K = R^-1 B^T P

A and B are the exact derivatives of the equations of motion where the robot is at rest
(`supple.linearise`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, recursion
from ..analyse import linearise, statics
from ..errors import InputError, brief
from ..robot import Robot
from ..simulation.law import Law, TorqueSource, TraceableLaw
from ..simulation.start import start_position
from ..types import Array, Floats, Scalar
from .controlled_coordinates import ControlledCoordinates, controlled_coordinates, gain, matrix_of

STILL = 1e-6  # acceleration [rad/s^2, m/s^2] of a robot at rest
HOLD = 1e-9  # of the largest singular value: below that no input reaches a motion


@dataclass(frozen=True, eq=False)
class Regulator(TorqueSource):
    """A robot held at rest: tau = tau_e - B K x. It can be given as torque, and added to others."""

    robot: Robot
    names: tuple[str, ...]  # coordinates whose motors act
    q: Floats  # where it is at rest
    tau: Floats  # what holds it there, (nv,)
    K: Floats  # (n, 2 nv)
    P: Floats  # cost of a state: x^T P x
    A: Floats
    B: Floats
    input_columns: Floats  # (nv, n)
    made: Callable[[Robot], Regulator] | None = field(default=None, repr=False)  # of another robot

    @property
    def poles(self) -> Array:
        """Of the robot with its regulator."""
        found = np.linalg.eigvals(self.A - self.B @ self.K)
        return np.asarray(found[np.argsort(np.abs(found))])

    def of(self, one: Robot, other: Robot) -> Regulator:
        return self.made(other) if self.made and one == self.robot else self

    def law(self, robot: Robot, made: Callable[[object], Law], duration: float) -> Law:
        if robot.velocity_names != self.robot.velocity_names:
            raise InputError(f"the regulator is of {self.robot.name}, not of {robot.name}")
        rest, columns = self.q, self.input_columns

        def of(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
            return np.asarray(self.tau - columns @ (self.K @ np.concatenate([q - rest, qd])))

        def force(t: float, q: Floats, qd: Floats) -> Floats:
            return of(t, q, qd, q[:0])

        anew = lambda one, other: self.of(one, other).law(other, made, duration)  # noqa: E731
        return Law(force, (), True, TraceableLaw(of), "lqr", anew=anew)


def lqr(
    robot: Robot,
    Q: ArrayLike | Mapping[str, float],
    R: object,
    q: ArrayLike | Mapping[str, float] | None = None,
    coordinates: Sequence[str] | None = None,
) -> Regulator:
    """The regulator that holds a robot at q (default: where it stands by itself; shapes and joints
    behind elastic gears take the place that gravity gives them).

    Q: a number, {coordinate: weight} (rates are "d/dt NAME"), 2 nv numbers, or a matrix. R: one
    number, one for each motor, {coordinate: number}, or a matrix. coordinates: whose motors act.
    """
    checks.check_robot(robot, "lqr")
    if robot.nq != robot.nv:
        raise InputError(f"lqr: {robot.name} has a quaternion; quaternions cannot be subtracted")
    held = controlled_coordinates(robot, coordinates)
    rest = _rest(robot, q)
    tau = _holding(held, rest)
    model = linearise(robot, rest, tau=tau, inputs=list(held.names))
    A, B = model.A, model.B
    _reachable(robot, A, B)
    weight, price = _weight(robot, Q), gain(R, held, "R")
    if np.linalg.eigvalsh(0.5 * (price + price.T))[0] <= 0.0:
        raise InputError(f"R is {brief(R)}; every motor needs a cost above zero")
    P = _riccati(A, B, weight, price)
    K = np.asarray(np.linalg.solve(price, B.T @ P), dtype=float)
    if np.linalg.eigvals(A - B @ K).real.max() >= 0.0:
        raise _no_solution()
    again = partial(lqr, Q=Q, R=R, q=q, coordinates=coordinates)
    return Regulator(robot, held.names, rest, tau, K, P, A, B, held.B, again)


def _rest(robot: Robot, given: object) -> Floats:
    q = robot.home() if given is None else start_position(robot, given)
    names, shapes = robot.coordinate_names, robot.mode_indices
    told = set(given) if isinstance(given, Mapping) else set()
    both = any({robot.links[k].joint_name for k in (x.motor, x.link)} <= told for x in robot.gears)
    whole = given is not None and not told and checks.shape(given) == (robot.nq,)
    if both or told & {names[i] for i in shapes} or (whole and np.any(q[shapes])):
        return q
    return statics(robot, q).q if robot.free_indices else q


def _holding(held: ControlledCoordinates, q: Floats) -> Floats:
    """Forces of the motors under which the robot stays where it is."""
    robot, still = held.robot, np.zeros(held.robot.nv)
    need = np.asarray(recursion.inverse_dynamics(robot, q, still, still), dtype=float)
    tau = held.B @ need[list(held.places)]
    moved = np.asarray(recursion.forward_dynamics(robot, q, still, tau), dtype=float)
    worst = int(np.argmax(np.abs(moved)))
    if not abs(moved[worst]) < STILL * max(1.0, float(np.abs(tau).max())):
        raise InputError(
            f"{robot.name} is not at rest there: {robot.velocity_names[worst]} would accelerate by "
            f"{moved[worst]:.4g} with the motors of {', '.join(held.names)} doing what they can. "
            f"Give a q at which it is (supple.statics finds the shapes)"
        )
    return np.asarray(tau)


def _reachable(robot: Robot, A: Floats, B: Floats) -> None:
    """Every motion that does not die out by itself must be within reach of the motors: the rows
    of (lambda - A, B) are independent, time counted by the fastest motion (Popov, Belevitch,
    Hautus)."""
    values = np.linalg.eigvals(A)
    fast = max(float(np.abs(values).max()), 1e-3)
    S = np.repeat([1.0, 1.0 / fast], len(A) // 2)
    A, B = S[:, None] * A / S / fast, S[:, None] * B
    B = B / np.maximum(np.linalg.norm(B, axis=0), 1e-300)
    for value in values / fast:
        if value.real < -1e-9:
            continue
        left = np.linalg.svd(np.hstack([value * np.eye(len(A)) - A, B]))
        if left[1][-1] < HOLD * left[1][0]:
            way = np.abs(left[0][:, -1])
            name = robot.velocity_names[int(np.argmax(way[: robot.nv] + way[robot.nv :]))]
            raise InputError(
                f"lqr: no motor reaches a motion of {name} that does not die out by itself "
                f"(eigenvalue {fast * value:.4g}); hold more coordinates, or give it damping"
            )


def _weight(robot: Robot, given: object) -> Floats:
    """Q (2 nv, 2 nv)."""
    names = (*robot.velocity_names, *(f"d/dt {name}" for name in robot.velocity_names))
    n = len(names)
    allowed = (
        f"a number, {n} numbers (places, then rates), a matrix of {n} x {n}, or "
        f"{{coordinate: weight}}"
    )
    Q = matrix_of(given, names, "Q", "state", allowed)
    if np.linalg.eigvalsh(0.5 * (Q + Q.T))[0] < -1e-12 * np.abs(Q).max():
        raise InputError("Q has a negative weight: the cost would have no least value")
    return Q


def _riccati(A: Floats, B: Floats, Q: Floats, R: Floats) -> Floats:
    from scipy.linalg import solve_continuous_are

    try:
        return np.asarray(solve_continuous_are(A, B, Q, R))
    except (np.linalg.LinAlgError, ValueError):
        raise _no_solution() from None


def _no_solution() -> InputError:
    return InputError(
        "lqr: the Riccati equation has no solution: Q gives no weight to a motion that neither "
        "grows nor dies out. Give every coordinate a weight"
    )
