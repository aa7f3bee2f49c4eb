"""Saha's five-bar (section 3.5) against the reference numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

import supple
from loops.mechanisms import five_bar
from supple.loops.actuation import closing_accelerations, closing_rates
from supple.loops.assembly import AssemblyProblem, descend, motor_links


def angles(point: Any, suffix: str = "") -> Any:
    """q, qd or qdd (a1, a2, b1, b2) of a point; absolute angles of the distal links."""
    first, second = point["theta1" + suffix], point["phi_abs" + suffix]
    return np.array([first[0], second[0] - first[0], first[1], second[1] - first[1]])


def motion(robot: Any, point: Any) -> Any:
    """The motion that follows from the motors' angles alone."""
    held = AssemblyProblem(robot, motor_links(robot))
    q = descend(held, angles(point) + 1e-2 * np.array([0, 1, 0, -1])).q
    np.testing.assert_allclose(q, angles(point), atol=1e-11)
    qd = closing_rates(robot, q, np.array(point["theta1_d"]))
    return q, qd, closing_accelerations(robot, q, qd, np.array(point["theta1_dd"]))


def test_torques_of_the_papers_trajectory(reference: Any) -> None:
    robot, _ = five_bar()
    for point in reference("saha_fivebar")["cases"][0]["inverse_dynamics_eq35"]["points"]:
        q, qd, qdd = motion(robot, point)
        np.testing.assert_allclose(qd, angles(point, "_d"), atol=1e-11)
        np.testing.assert_allclose(qdd, angles(point, "_dd"), atol=1e-11)
        tau = supple.inverse_dynamics(robot, q, qd, qdd)
        np.testing.assert_allclose(tau[[0, 2]], point["tau"], atol=1e-9)
        assert tau[1] == tau[3] == 0.0
        # lambda of the file, in world axes: the force of leg 1 on leg 2
        forces = supple.multipliers(robot, q, qd, tau)
        R = supple.pose(robot, q, "a2").R
        world = R @ forces[2:]
        np.testing.assert_allclose(world[:2], point["lambda_force_at_P"], atol=1e-9)
        np.testing.assert_allclose(forces[:2], 0.0, atol=1e-12)  # a planar loop: no moments


def test_accelerations_of_the_reference_state(reference: Any) -> None:
    robot, _ = five_bar()
    (state,) = reference("saha_fivebar")["cases"][0]["dynamics_states"]
    q = angles(state)
    qd = closing_rates(robot, q, np.array(state["theta1_d"]))
    tau = np.array([state["tau"][0], 0.0, state["tau"][1], 0.0])
    qdd = supple.forward_dynamics(robot, q, qd, tau)
    np.testing.assert_allclose(qdd[[0, 2]], state["theta1_dd_forward_dynamics"], atol=1e-8)


def test_free_fall_follows_the_reference(reference: Any) -> None:
    robot, _ = five_bar()
    fall = reference("saha_fivebar")["cases"][0]["free_fall_eq36"]
    f = supple.compile(robot, "forward_dynamics")
    rest = np.zeros(4)
    y = np.concatenate([angles({"theta1": fall["theta1_0"], "phi_abs": fall["phi_abs_0"]}), rest])

    def rate(y: Any) -> Any:
        return np.concatenate(
            [y[4:], f(np.ascontiguousarray(y[:4]), np.ascontiguousarray(y[4:]), rest)]
        )

    sample = next(s for s in fall["samples"] if s["t"] == 1.0)
    h = 1.0 / 4000
    for _ in range(4000):  # classical Runge and Kutta
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    np.testing.assert_allclose(y[[0, 2]], sample["theta1"], atol=1e-8)
    np.testing.assert_allclose(y[[4, 6]], sample["theta1_d"], atol=1e-7)
