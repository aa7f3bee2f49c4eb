"""Closed chains at rest: against the least potential energy, damped runs, and equilibrium."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import supple
from linkages import four_bar as rigid_four_bar
from loops.mechanisms import random_closed
from supple.analyse.statics import unjudged
from supple.loops import closure_jacobian
from supple.robot import Robot
from supple.types import Floats

LOAD = {"coupler.tip": [2.0, -3.0, 0.0]}
SLENDER = supple.load("four-bar-flexible").with_parameters(
    {"coupler.beam.E": 15e9, "rocker.beam.E": 15e9}
)


def least_energy(robot: Robot, q: Floats, loads: dict[str, list[float]], held: list[int]) -> Floats:
    """SciPy's least potential energy, loops closed and these coordinates held."""
    free = [k for k in range(robot.nq) if k not in held]

    def full(x: Floats) -> Floats:
        out = q.copy()
        out[free] = x
        return out

    def energy(x: Floats) -> float:
        places = {where: supple.pose(robot, full(x), where).p for where in loads}
        work = sum(np.dot(f, places[where]) for where, f in loads.items())
        return 1e3 * float(supple.potential_energy(robot, full(x)) - work)

    def gap(x: Floats) -> Floats:
        return 1e3 * supple.closure(robot, full(x))[2:4]  # in the plane

    limit = {"maxiter": 500, "ftol": 1e-12}  # less is rounding: it would never end
    closed = {"type": "eq", "fun": gap}
    return full(minimize(energy, q[free], constraints=closed, method="SLSQP", options=limit).x)


REST = supple.statics(SLENDER, {"crank_joint": 0.8}, LOAD)


def test_rest_has_the_least_potential_energy_under_gravity_and_a_load() -> None:
    start = np.concatenate([REST.q[:1], 0.98 * REST.q[1:]])
    found = least_energy(SLENDER, start, LOAD, [0])
    assert np.abs(REST.q - found).max() < 1e-6
    assert np.abs(supple.closure(SLENDER, REST.q)).max() < 1e-14
    assert max(abs(x) for x in REST.shapes.values()) > 1e-3  # it does bend
    assert REST.stable
    assert 0.5 < REST.stiffness_left < 0.9


def test_forces_at_rest_balance_in_every_coordinate() -> None:
    J = supple.closure_jacobian(SLENDER, REST.q)
    tip = supple.jacobian(SLENDER, REST.q, "coupler.tip")[3:]
    inner = supple.gravity_force(SLENDER, REST.q) + supple.elastic_force(SLENDER, REST.q)
    left = inner - tip.T @ LOAD["coupler.tip"] - J.T @ REST.multipliers - REST.tau
    assert np.abs(left).max() < 1e-12
    assert list(REST.torques) == ["crank_joint"]
    assert np.abs(REST.tau[1:]).max() < 1e-12  # only the motor holds it


def test_a_chain_without_motors_hangs_where_its_energy_is_least() -> None:
    robot = supple.build(rigid_four_bar(actuated=[], gravity=[0, -9.81, 0]))
    rest = supple.statics(robot)
    found = least_energy(robot, robot.home(), {}, [])
    assert rest.stable
    assert np.abs(rest.q - found).max() < 1e-6
    assert np.abs(rest.tau).max() < 1e-12


def test_a_damped_run_ends_at_rest() -> None:
    damped = {f"{link}.beam.damping.ratio": 0.5 for link in ("coupler", "rocker")}
    robot, hold = SLENDER.with_parameters(damped), {"crank_joint": "0.8"}
    run = supple.simulate(robot, None, 1.5, prescribed=hold, external=LOAD, samples=3, rtol=1e-7)
    assert np.abs(run["q"][0] - REST.q).max() > 1e-4
    assert np.abs(run["q"][-1] - REST.q).max() < 1e-8


@pytest.mark.filterwarnings("ignore:energy, work and losses")  # of next to nothing
def test_a_run_that_starts_at_rest_stays() -> None:
    hold = {"crank_joint": "0.8"}
    run = supple.simulate(
        SLENDER, None, 0.05, prescribed=hold, external=LOAD, at_rest=True, samples=3, atol=1e-13
    )
    assert np.abs(run["q"] - REST.q).max() < 1e-9


def test_the_motor_torque_is_the_slope_of_the_energy_along_the_rests() -> None:
    def energy(angle: float) -> float:
        rest = supple.statics(SLENDER, {"crank_joint": angle}, LOAD)
        work = np.dot(LOAD["coupler.tip"], rest.position("coupler.tip"))
        return float(supple.potential_energy(SLENDER, rest.q) - work)

    slope = (energy(0.801) - energy(0.799)) / 0.002
    assert REST.torques["crank_joint"] == pytest.approx(slope, rel=1e-5)


def test_the_stiffness_is_the_slope_of_the_forces_along_closed_places() -> None:
    from supple.analyse.equilibrium import held_chain
    from supple.loops.assembly import moved

    full = {where: np.array([0.0, 0.0, 0.0, *load]) for where, load in LOAD.items()}
    at, h = held_chain(SLENDER, REST.q, full), 1e-5
    q = at.closed(REST.q + np.array([0, 0.02, 3e-3, 1e-4, 0.05, -2e-3, 0]))
    assert q is not None
    here = at.balance(q)
    for k in range(here.N.shape[1]):
        ends = [at.closed(moved(SLENDER, q, s * h * here.N[:, k])) for s in (1, -1)]
        forces = [here.N.T @ _net(at, end, here.multipliers) for end in ends]
        found = at.stiffness(q, here)[:, k]
        assert np.abs((forces[0] - forces[1]) / (2 * h) - found).max() < 1e-5  # of 400


def _net(at, q, multipliers):  # type: ignore[no-untyped-def]
    return at.force(q) - multipliers @ at.jacobian(q)


@pytest.mark.parametrize("share", [0.3, 0.7, 1.2])
def test_a_bar_between_pins_buckles_at_eulers_load(share: float) -> None:
    robot = SLENDER.with_modes(4).replace(gravity=(0, 0, 0))
    q = supple.statics(robot, {"crank_joint": 0.8}).q
    way = supple.pose(robot, q, "rocker.tip").p - np.array([0.254, 0.0, 0.0])
    EI = 15e9 * 0.0254 * 0.0016**3 / 12
    euler = np.pi**2 * EI / 0.27**2
    load = {"coupler.tip": -share * euler * way / 0.27}  # along the rocker: nothing bends
    rest = unjudged(robot, q, load)
    assert np.abs(list(rest.shapes.values())).max() < 1e-12
    assert rest.stiffness_left == pytest.approx(1.0 - share, abs=1e-3)
    assert rest.stable == (share < 1.0)


@pytest.mark.parametrize(("share", "swing"), [(0.5, -0.5), (1.0, -0.5), (1.2, -0.5), (0.5, 0.5)])
def test_a_joint_that_hangs_does_not_count_in_the_stiffness_left(
    share: float, swing: float
) -> None:
    """A column under Euler's load beside a bob: hanging, or upside down, where nothing helps."""
    words = rigid_four_bar(gravity=[0, -9.81, 0])
    beam = {"length": 1.0, "mass": 0.001, "EI": 1.0, "modes": {"bending_z": 4}}
    bob = {"mass": 1.0, "com": [0.5, 0, 0], "inertia": 0.1}
    words["links"] |= {"column": {"beam": beam}, "bob": {"rigid": bob}}
    words["joints"] += [{"name": "root", "type": "fixed", "child": "column"}]
    words["joints"] += [{"name": "swing", "type": "revolute", "child": "bob"}]
    load = {"column.tip": [-share * np.pi**2 / 4.0, 0.0, 0.0]}
    rest = unjudged(supple.build(words), {"swing": swing * np.pi}, load)
    expected = 1.0 - share if swing < 0.0 else -np.inf
    assert rest.stiffness_left == pytest.approx(expected, abs=1e-5)


def test_moments_vanish_at_pins_and_near_what_bending_carries_with_more_shapes() -> None:
    robot = SLENDER.with_modes(8)
    bent = supple.statics(robot, {"crank_joint": 0.8}, LOAD).along(9)
    for link in bent.values():
        inner, size = link.moment[:, 2], np.abs(link.moment[:, 2]).max()
        assert abs(inner[0]) < 1e-12
        assert abs(inner[-1]) < 1e-12
        assert np.abs(link.elastic_moment[:, 2] - inner).max() < 0.02 * size


def test_spare_motors_share_the_load_by_the_smallest_torques() -> None:
    words = rigid_four_bar(gravity=[0, -9.81, 0])
    one, all_of_them = supple.build(words), supple.build(words | {"actuated": ["a", "b", "c"]})
    few = supple.statics(one)
    many = supple.statics(all_of_them, few.q)
    J = closure_jacobian(one, few.q)
    null = np.eye(3) - np.linalg.pinv(J) @ J  # directions that the loop leaves free
    assert null @ many.tau == pytest.approx(null @ few.tau)
    assert many.tau == pytest.approx(null @ few.tau)  # nothing of it along the loop's forces
    assert np.linalg.norm(many.tau) < np.linalg.norm(few.tau)


def test_torques_at_rest_are_those_of_inverse_dynamics() -> None:
    for name in ("five-bar", "stewart", "delta", "carpet-scraper"):
        robot = supple.load(name)
        still = np.zeros(robot.nv)
        rest = supple.statics(robot)
        assert rest.tau == pytest.approx(supple.inverse_dynamics(robot, rest.q, still, still))


@pytest.mark.parametrize("kinematics", ["first_order", "linearized"])
def test_other_kinematics_of_shapes_balance_too(kinematics: str) -> None:
    robot = SLENDER.replace(elastic_kinematics=kinematics)
    rest = supple.statics(robot, {"crank_joint": 0.8})
    qdd = supple.forward_dynamics(robot, rest.q, np.zeros(robot.nv), rest.tau)
    assert np.abs(qdd).max() < 1e-8
    assert rest.residual < 1e-12


def test_linear_statics_and_open_places_are_refused() -> None:
    with pytest.raises(supple.InputError, match="linear statics is of open chains"):
        supple.statics(SLENDER, linear=True)
    with pytest.raises(supple.InputError, match=r"loop pin of .* is open by"):
        supple.statics(SLENDER, np.zeros(3))
    with pytest.raises(supple.InputError, match="do not close with rocker_joint held"):
        supple.statics(SLENDER, {"rocker_joint": 0.0})


def floating(**changes: Any) -> Robot:
    """A four-bar on a hull that floats."""
    words = rigid_four_bar(**changes)
    words["links"]["hull"] = {"rigid": {"mass": 5.0, "inertia": 1.0}}
    joints = [joint | {"parent": joint.get("parent", "hull")} for joint in words["joints"]]
    words["joints"] = [{"name": "base", "type": "floating", "child": "hull"}, *joints]
    return supple.build(words)


def test_a_floating_base_is_held_or_falls() -> None:
    weight = 9.81 * 8.0
    held = supple.statics(floating(gravity=[0, -9.81, 0], actuated=["base", "a"]))
    assert np.linalg.norm([held.torques[f"base.v{k}"] for k in "xyz"]) == pytest.approx(weight)
    assert np.abs(supple.statics(floating(gravity=[0, 0, 0])).tau).max() < 1e-12
    with pytest.raises(supple.SimulationError, match=r"pushes it along .*neither a motor nor a"):
        supple.statics(floating(gravity=[0, -9.81, 0]))


def test_forces_at_cuts_that_are_given_must_be_as_many_as_closed_directions() -> None:
    with pytest.raises(supple.InputError, match=r"cuts of .* has shape \(2,\), expected \(5,\)"):
        supple.along(SLENDER, REST.q, cuts=[1.0, 2.0])


def test_a_torque_that_turns_the_root_of_a_bending_crank_works_on_its_shapes() -> None:
    words = deepcopy(dict(SLENDER.spec or {}))
    bends = {"bending_y": 2, "family": "pinned_pinned"}
    words["links"]["crank"] = {"beam": words["links"]["coupler"]["beam"] | {"length": 0.108}}
    words["links"]["crank"]["beam"] |= {"modes": bends}
    robot = supple.build(words)
    rest = unjudged(robot, {"crank_joint": 0.8}, None)
    assert abs(rest.tau[1]) > abs(rest.tau[0]) > 1e-3  # phi'(0) times the torque
    assert rest.tau == pytest.approx(robot.input_matrix[:, 0] * rest.torques["crank_joint"])
    qdd = supple.forward_dynamics(robot, rest.q, np.zeros(robot.nv), rest.tau)
    assert np.abs(qdd).max() < 1e-8


@pytest.mark.parametrize("index", range(24))
def test_random_closed_trees_at_rest_do_not_accelerate(index: int) -> None:
    made = random_closed(index, ("rigid", "beam"))
    if made is None:
        pytest.skip("no loops")
    robot, q = made[:2]
    rest = unjudged(robot, q, None)
    assert np.abs(supple.closure(robot, rest.q)).max() < 1e-12
    qdd = supple.forward_dynamics(robot, rest.q, np.zeros(robot.nv), rest.tau)
    assert np.abs(qdd).max() < 1e-8
    assert np.abs(rest.tau[robot.mode_indices]).max(initial=0.0) < 1e-9
