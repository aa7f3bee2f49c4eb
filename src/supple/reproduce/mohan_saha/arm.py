"""The Canadarm of [MohanSaha], and its forced run of section 7 by two routes.

    recursive   q_dd = M^-1 phi by the factors M = U D U^T, eqs. (36)-(42)
    dense       M as numbers, its Cholesky factors, substitution

phi = tau - C q_d - K d is the same for both, by the same code; so are integrator, tolerances and
torques: those of the rigid arm along the motion of eq. (44).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from ... import recursion
from ...engine import Kernel, traced
from ...errors import SimulationError
from ...model import load
from ...robot import Robot, without_shapes
from ...types import Array, Floats, Json
from ..report import printed_data

SAMPLES = 1001
RTOL, ATOL = 1e-6, 1e-9
END = 10.0


def printed(part: str) -> Json:
    """A part of what the paper prints."""
    return printed_data("mohan-saha")[part]


@cache
def canadarm(
    modes: int = 2, kinematics: str = "first_order", family: str = "clamped_free"
) -> Robot:
    """The arm of Table 2 with some shapes a link."""
    robot = load("canadarm").replace(elastic_kinematics=kinematics)
    if kinematics == "rigid" or (modes == 2 and family == "clamped_free"):
        return robot
    if family == "clamped_free":
        return robot.with_modes(modes)
    return robot.with_modes(modes, family=family)


def desired(t: Array | float) -> tuple[Array, Array, Array]:
    """Angles, rates and accelerations of eq. (44): (3,) each, or (3, n)."""
    law = printed("motion")
    k, T = np.array(law["k"]), np.array(law["T"])
    k, T = (x.reshape(3, *(1,) * np.ndim(t)) for x in (k, T))
    turn = np.pi / T
    return (
        k * (t - np.sin(turn * t) / turn),
        k * (1.0 - np.cos(turn * t)),
        k * turn * np.sin(turn * t),
    )


def torques(robot: Robot, t: Array) -> Array:
    """Of the rigid arm along the motion: (3,)."""
    return recursion.inverse_dynamics(without_shapes(robot), *desired(t))


@dataclass(frozen=True)
class Forced:
    """A forced run at SAMPLES instants: states, accelerations, torques (n, ...), and its cost."""

    robot: Robot
    t: Floats
    q: Floats
    qd: Floats
    qdd: Floats
    tau: Floats  # of the joints (n, 3)
    work: Floats  # of the torques (n,), integrated with the motion
    evaluations: int
    steps: int

    @property
    def joints(self) -> list[int]:
        return list(self.robot.joint_indices)

    @property
    def deviation(self) -> Floats:
        """Joint angles less the desired ones: (n, 3)."""
        return np.asarray(self.q[:, self.joints] - desired(self.t)[0].T)

    @property
    def power(self) -> Floats:
        """Of the torques at the simulated rates."""
        return np.asarray((self.tau * self.qd[:, self.joints]).sum(axis=1))

    @property
    def desired_power(self) -> Floats:
        return np.asarray((self.tau * desired(self.t)[1].T).sum(axis=1))

    def at(self, t: float) -> int:
        """The sample at time t."""
        return int(np.argmin(np.abs(self.t - t)))


Solver = Callable[[Floats, Floats], Floats]


def _recursive(robot: Robot) -> Solver:
    """M^-1 phi by U D U^T."""
    still = np.zeros(robot.nv)

    def solve(q: Array, phi: Array) -> Array:
        return recursion.accelerations_under(robot, q, still, phi)

    return _native(solve, robot, "udu")


def _dense(robot: Robot) -> Solver:
    """M^-1 phi by Cholesky factors of M."""
    from scipy.linalg import cho_factor, cho_solve

    mass = traced(lambda q: recursion.mass_matrix(robot, q), (robot.nq,), ("mass", robot))
    return lambda q, phi: cho_solve(cho_factor(mass(q)), phi)


def _native(function: Callable[[Array, Array], Array], robot: Robot, name: str) -> Kernel:
    return traced(function, (robot.nq, robot.nv), (name, robot))


ROUTES: dict[str, Callable[[Robot], Solver]] = {"recursive": _recursive, "dense": _dense}


def _phi(robot: Robot) -> Kernel:
    """phi (nv,) of a state and the time, and the power of the torques."""

    def phi(q: Array, qd: Array, t: Array) -> Array:
        force = robot.input_matrix @ torques(robot, t[0])
        return np.concatenate([force - recursion.bias_force(robot, q, qd), [force @ qd]])

    return traced(phi, (robot.nq, robot.nv, 1), ("phi", robot))


@cache
def forced(route: str = "recursive", robot: Robot | None = None, end: float = END) -> Forced:
    """The run from rest on the start of the motion; made once."""
    arm = canadarm() if robot is None else robot
    n, solve, phi = arm.nv, ROUTES[route](arm), _phi(arm)
    force = traced(lambda t: torques(arm, t[0]), (1,), ("torques", arm))

    def motion(t: float, x: Floats) -> tuple[Floats, float]:
        """Accelerations, and power."""
        q, qd = np.ascontiguousarray(x[:n]), np.ascontiguousarray(x[n : 2 * n])
        *forces, power = phi(q, qd, np.array([t]))
        return np.asarray(solve(q, np.array(forces))), power

    def rate(t: float, x: Floats) -> Floats:
        qdd, power = motion(t, x)
        return np.concatenate([x[n : 2 * n], qdd, [power]])

    times = np.linspace(0.0, end, SAMPLES)
    x, evaluations, steps = _integrated(rate, np.zeros(2 * n + 1), times, route)
    return Forced(
        robot=arm,
        t=times,
        q=x[:, :n],
        qd=x[:, n : 2 * n],
        qdd=np.array([motion(t, row)[0] for t, row in zip(times, x, strict=True)]),
        tau=np.array([force(np.array([t])) for t in times]),
        work=x[:, -1],
        evaluations=evaluations,
        steps=steps,
    )


def _integrated(
    rate: Callable[[float, Floats], Floats], start: Floats, times: Floats, route: str
) -> tuple[Floats, int, int]:
    """States (times, ...), and how many evaluations and steps they took."""
    from scipy.integrate import DOP853

    kept, steps = [start], 0
    solver = DOP853(rate, 0.0, start, float(times[-1]), rtol=RTOL, atol=ATOL)
    while solver.status == "running":
        solver.step()
        steps += 1
        ripe = times[len(kept) : int(np.searchsorted(times, solver.t, side="right"))]
        if len(ripe):
            kept += list(solver.dense_output()(ripe).T)
    if solver.status == "failed":
        raise SimulationError(f"the {route} run stopped at t = {solver.t:.6g} s")
    return np.array(kept), int(solver.nfev), steps


__all__ = ["ROUTES", "Forced", "canadarm", "desired", "forced", "printed", "torques"]
