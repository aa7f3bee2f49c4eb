"""Controllers: closed forms, passivity at rest, and that they are part of the native code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from sliders import pinned_beam, sagging_arm, slider
from supple import InputError, recursion
from supple.types import Floats

KP, KD = 60.0, 9.0


def second_order(t: Floats, e: float, v: float, kp: float = KP, kd: float = KD) -> Floats:
    """e'' + kd e' + kp e = 0 from (e, v)."""
    roots = np.roots([1.0, kd, kp])
    shares = np.linalg.solve([[1, 1], roots], [e, v])
    return np.asarray((shares @ np.exp(np.outer(roots, t))).real)


def arm() -> supple.Robot:
    return supple.load("lin-lewis-rr")


def bending() -> supple.Robot:
    return supple.load("canadarm")


def test_a_mass_under_pd_moves_as_the_closed_form() -> None:
    run = supple.simulate(slider(2.0), supple.pd(slider(2.0), 2 * KP, 2 * KD, [0.7]), 1.0)
    assert run["q"][:, 0] - 0.7 == pytest.approx(second_order(run.time, -0.7, 0.0), abs=1e-8)
    assert run.inputs == "all inputs run natively"


@pytest.mark.parametrize("method", ["explicit", "rosenbrock", "sweep", "Radau"])
def test_pid_is_a_system_of_third_order_whose_integral_is_a_state(method: str) -> None:
    """x'' = kp e + ki z + kd e' - w, z' = e under a constant load w: the matrix exponential."""
    from scipy.linalg import expm

    ki, load = 40.0, 3.0
    law = supple.pid(slider(), KP, ki, KD, [0.7])
    tight = {"rtol": 1e-7} if method == "sweep" else {}
    run = supple.simulate(slider(gravity=-load), law, 2.0, samples=21, method=method, **tight)
    A = np.array([[0, 1, 0, 0], [-KP, -KD, -ki, load], [1, 0, 0, 0], [0, 0, 0, 0]])
    exact = np.array([expm(A * t) @ [0.7, 0, 0, 1] for t in run.time])  # (e, e', z, 1)
    assert run["x"] == pytest.approx(0.7 - exact[:, 0], abs=2e-6)
    assert run["x.integral"] == pytest.approx(exact[:, 2], abs=2e-6)
    assert run.energy_error < 1e-6


@pytest.mark.filterwarnings("ignore::supple.SuppleWarning")
def test_an_implicit_method_keeps_its_order_where_torques_depend_on_the_laws_own_states() -> None:
    from scipy.linalg import expm

    A = np.array([[0, 1, 0], [-KP, -KD, -40.0], [1, 0, 0]])

    def error(step: float) -> float:
        law = supple.pid(slider(), KP, 40.0, KD, [0.7])
        how = {"method": "rosenbrock", "step": step, "samples": 26}
        run = supple.simulate(slider(), law, 1.0, **how)
        return abs(float(run["x"][-1] - 0.7 + (expm(A) @ [0.7, 0, 0])[0]))

    assert 4.8 < np.log2(error(0.04) / error(0.02)) < 6.5


def test_the_integral_of_pid_takes_away_what_gravity_leaves() -> None:
    run = supple.simulate(arm(), supple.pid(arm(), 80, 90, 15, [0.5, -0.2]), 12.0, samples=13)
    assert run["q"][-1] == pytest.approx([0.5, -0.2], abs=1e-3)
    weight = supple.gravity_force(arm(), run["q"][-1])
    assert 90 * run["law_state"][-1] == pytest.approx(weight, rel=1e-2)


@pytest.mark.parametrize("model", ["rigid", "flexible"])
def test_computed_torque_makes_errors_of_a_rigid_robot_linear(model: str) -> None:
    motion = supple.quintic(arm(), {"joint1": 1.0, "joint2": -0.5}, 0.8)
    law = supple.computed_torque(arm(), KP, KD, motion, model=model)
    run = supple.simulate(arm(), law, 1.0, q0=[0.2, -0.1], samples=11)
    wanted = np.array([motion(t)[0] for t in run.time])
    for k, off in ((0, 0.2), (1, -0.1)):
        assert run["q"][:, k] - wanted[:, k] == pytest.approx(
            second_order(run.time, off, 0.0), abs=1e-7
        )
    assert run.inputs == "all inputs run natively"


def test_computed_torque_of_the_flexible_model_makes_errors_linear_while_links_vibrate() -> None:
    robot = bending()
    to = {"joint1": 0.1, "joint2": -0.1, "joint3": 0.2}
    law = supple.computed_torque(robot, 4.0, 4.0, supple.quintic(robot, to, 2.0), model="flexible")
    shape = robot.coordinate_names[robot.links[0].d.start]
    run = supple.simulate(robot, law, 1.0, q0={"joint1": 0.02, shape: 0.01}, samples=6)
    wanted = [supple.quintic(robot, to, 2.0)(t)[0][0] for t in run.time]
    exact = 0.02 * (1 + 2 * run.time) * np.exp(-2 * run.time)
    assert run["joint1"] - wanted == pytest.approx(exact, abs=1e-7)
    assert np.ptp(run[shape]) > 1e-3


def test_with_gravity_compensation_an_arm_stays_where_it_is_put() -> None:
    run = supple.simulate(arm(), supple.gravity_compensation(arm()), 1.0, q0=[0.5, 0.3])
    assert np.abs(run["q"] - [0.5, 0.3]).max() < 1e-9
    both = supple.gravity_compensation(arm()) + supple.pd(arm(), 80, 25, [0.5, 0.3])
    run = supple.simulate(arm(), both, 8.0, samples=5)
    assert run["q"][-1] == pytest.approx([0.5, 0.3], abs=1e-4)


def test_feed_forward_of_the_flexible_model_holds_an_arm_at_rest_as_statics_says() -> None:
    robot = supple.load("piedboeuf-arm")
    names = supple.simulation.motion.motion_names(robot)  # type: ignore[attr-defined]
    still = supple.quintic(robot, dict.fromkeys(names, (0.0, 0.0)), 1.0)
    tau = supple.feedforward(robot, still, model="flexible")(0.3, np.zeros(0), np.zeros(0))
    rest = supple.statics(robot, robot.home())
    assert tau[robot.joint_indices] == pytest.approx(rest.tau[robot.joint_indices], rel=1e-6)


def test_feed_forward_of_the_flexible_model_is_nearer_to_what_a_slow_motion_takes() -> None:
    """What the joints take when they follow the motion exactly and the links vibrate freely."""
    robot = sagging_arm()
    motion = supple.quintic(robot, {"hub": 0.8}, 8.0)
    run = supple.simulate(robot, None, 8.0, prescribed=motion, at_rest=True, samples=41)
    off = {}
    for model in ("rigid", "flexible"):
        law = supple.feedforward(robot, motion, model=model)
        taken = np.array([law(t, np.zeros(0), np.zeros(0))[robot.joint_indices] for t in run.time])
        off[model] = np.abs(taken - run["reaction"]).max() / np.abs(run["reaction"]).max()
    assert off["flexible"] < 0.2 * off["rigid"]


def test_limits_cut_torques_natively_and_the_integral_winds_up() -> None:
    law = supple.limited(supple.pid(slider(), 50.0, 5.0, 10.0, [1.0]), {"x": 2.0})
    run = supple.simulate(slider(), law, 1.0, samples=101)
    assert np.abs(run["tau"]).max() == pytest.approx(2.0)
    early = run.time < 0.5
    assert run["x"][early] == pytest.approx(run.time[early] ** 2)  # x'' = 2
    assert run["x.integral"][early] == pytest.approx((run.time - run.time**3 / 3)[early])
    assert run.inputs == "all inputs run natively"


def test_laws_functions_numbers_and_tables_add_up() -> None:
    pd = supple.pd(arm(), 10, 1)
    parts = [lambda t: [np.sin(t), 0.0], [0.3, 0.1], ([0.0, 1.0], [[0.0, 0.0], [1.0, 2.0]])]
    both = parts[0] + pd + np.array(parts[1]) + supple.Sampled(parts[2], 0.1)  # type: ignore[operator]
    run = supple.simulate(arm(), both, 0.5, samples=6)
    t, last = run.time[-1], run["q"][-1]
    plain = -10 * last - run["qd"][-1] + [np.sin(t), 0.0] + [0.3, 0.1] + [0.4, 0.8]  # asked at 0.4
    assert run["tau"][-1] == pytest.approx(plain, abs=1e-9)
    first = supple.simulate(arm(), np.array([0.3, 0.1]) + pd, 0.1, samples=3)
    assert first["tau"][0] == pytest.approx([0.3, 0.1])


def test_many_runs_with_an_integral_are_what_they_are_alone() -> None:
    law, starts = supple.pid(slider(), KP, 40.0, KD, [0.7]), [[0.0], [0.5], [-1.0]]
    runs = supple.simulate_many(slider(), {"q0": starts}, law, 1.0, samples=11)
    for k, q0 in enumerate(starts):
        alone = supple.simulate(slider(), law, 1.0, q0=q0, samples=11)
        assert runs.run(k)["q"] == pytest.approx(alone["q"], abs=1e-9)
        assert runs.run(k)["x.integral"] == pytest.approx(alone["x.integral"], abs=1e-9)
        assert runs.run(k)["tau"] == pytest.approx(alone["tau"], abs=1e-6)


def test_coordinates_are_chosen_by_name() -> None:
    law = supple.pd(arm(), {"joint2": 30.0}, [3.0], {"joint2": "0.1*sin(t)"}, ["joint2"])
    tau = law(0.5, np.array([1.0, 0.2]), np.array([1.0, 0.3]))
    wanted = 30 * (0.1 * np.sin(0.5) - 0.2) + 3 * (0.1 * np.cos(0.5) - 0.3)
    assert tau == pytest.approx([0.0, wanted])


def test_feedback_on_a_root_that_shapes_turn_looks_at_what_its_motor_turns() -> None:
    """Pinned modes: force B u, place B^T q, so that the power is u times the measured rate."""
    robot = pinned_beam()
    B, (q, qd) = robot.input_matrix, np.random.default_rng(1).normal(size=(2, robot.nv))
    law = supple.pd(robot, 3.0, 2.0, [0.5])
    u = 3.0 * (0.5 - B.T @ q) - 2.0 * B.T @ qd
    assert law(0.0, q, qd) == pytest.approx(B @ u)
    assert np.count_nonzero(B) > 1


def test_feedback_behind_an_elastic_gear_acts_on_the_motor() -> None:
    """J f'' = u - k (f/r - x)/r, m x'' = k (f/r - x): the matrix exponential."""
    from scipy.linalg import expm

    k, r, J = 30.0, 2.0, 0.5
    robot = slider(drive={"gear_ratio": r, "rotor_inertia": J, "stiffness": k})
    law = supple.pd(robot, 8.0, 3.0, {"x.motor": 0.4})
    run = supple.simulate(robot, law, 2.0, samples=11)
    A = np.zeros((4, 4))
    A[:2, 2:] = np.eye(2)
    A[2] = [-(8.0 + k / r**2) / J, k / r / J, -3.0 / J, 0.0]
    A[3, :2] = [k / r, -k]
    exact = [0.4 * np.array([1.0, 0.5]) + (expm(A * t) @ [-0.4, -0.2, 0, 0])[:2] for t in run.time]
    assert law.force(0.0, np.zeros(2), np.zeros(2)) == pytest.approx([8.0 * 0.4, 0.0])
    assert run["q"] == pytest.approx(np.array(exact), abs=1e-8)
    assert run.inputs == "all inputs run natively"


def test_computed_torque_of_motors_behind_elastic_gears_makes_their_errors_linear() -> None:
    robot = supple.load("flexible-joint-arm")
    law = supple.computed_torque(robot, KP, KD, model="flexible")
    names = [n for n in robot.coordinate_names if n.endswith(".motor")]
    run = supple.simulate(robot, law, 0.5, q0={names[0]: 0.3}, samples=6)
    assert run[names[0]] == pytest.approx(second_order(run.time, 0.3, 0.0), abs=1e-6)
    assert run.inputs == "all inputs run natively"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda a: supple.pd(a, [1, 2, 3], 1), "kp is .*; give a finite number, 2 of them"),
        (lambda a: supple.pd(a, 1, {"joint7": 1}), "no coordinate named 'joint7' in kd"),
        (lambda a: supple.pd(a, np.nan, 1), "kp is nan"),
        (lambda a: supple.pd(a, 1, 1, coordinates=["elbow"]), "no coordinate named 'elbow'"),
        (lambda a: supple.pd(a, 1, 1, coordinates="joint1"), "give a list of names"),
        (lambda a: supple.pd(a, 1, 1, coordinates=["joint1"] * 2), "names one twice"),
        (lambda a: supple.pd(a, 1, 1, [1.0]), "give 2 finite places"),
        (lambda a: supple.pd(a, 1, 1, {"joint9": 1.0}), "no coordinate named 'joint9'"),
        (lambda a: supple.pd(a, 1, 1, {"joint1": "2*u"}), "motion of joint1"),
        (lambda a: supple.computed_torque(a, 1, 1, model="soft"), "no model named 'soft'"),
        (lambda a: supple.computed_torque(supple.load("delta"), 1, 1), "has loops"),
        (
            lambda a: supple.computed_torque(pinned_beam(), 1, 1, model="flexible"),
            "turn its root",
        ),
        (
            lambda a: supple.simulate(a, supple.limited([1, 1], -2), 1.0),
            "limit of all motors is -2",
        ),
        (lambda a: supple.simulate(a, supple.limited([1, 1], {"j": 2}), 1.0), "no coordinate"),
    ],
)
def test_wrong_gains_and_names_are_told(make: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make(arm())


def hanging_arm() -> supple.Robot:
    """Two rigid links on elastic gears, no friction or stops."""
    robot = supple.load("flexible-joint-arm").spec
    joints = []
    for joint in robot["joints"]:
        drive = {
            k: joint["drive"][k] for k in ("gear_ratio", "rotor_inertia", "stiffness", "damping")
        }
        joints.append({k: v for k, v in joint.items() if k != "stops"} | {"drive": drive})
    return supple.build({**robot, "joints": joints})


def wound(robot: supple.Robot, joints: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """The posture with gears wound up by the weight, theta = r (q + g(q) / K), and g(q)."""
    stiff = recursion.gears.rigid_gears(robot)
    g = supple.inverse_dynamics(stiff, joints, [0.0, 0.0], [0.0, 0.0])
    q = np.zeros(4)
    for k, gear in enumerate(robot.gears):
        q[2 * k + 1] = joints[k]
        q[2 * k] = gear.ratio * (joints[k] + g[k] / gear.stiffness)
    return q, np.asarray(g)


def test_gravity_compensation_behind_elastic_gears_holds_the_static_equilibrium() -> None:
    """The motor's torque is g(q) / r [Tomei], where its gear is wound up by g(q) / K."""
    robot = hanging_arm()
    q, g = wound(robot, [0.5, -0.3])
    law = supple.gravity_compensation(robot)
    ratios = [gear.ratio for gear in robot.gears]
    assert law(0.0, q, np.zeros(4))[[0, 2]] == pytest.approx(g / ratios)
    run = supple.simulate(robot, law, 1.0, q0=q, samples=5)
    assert np.abs(run["q"] - q).max() < 1e-9
    here = supple.quintic(robot, {"shoulder": (0.5, 0.5), "elbow": (-0.3, -0.3)}, 1.0)
    feed = supple.feedforward(robot, here)
    still = supple.simulate(robot, feed, 1.0, q0=q, samples=5)
    assert np.abs(still["q"] - q).max() < 1e-6


@pytest.mark.parametrize("which", ["pd", "pid"])
def test_feedback_of_motors_and_gravity_compensation_end_at_the_posture(which: str) -> None:
    """Motors are asked to where their gears carry the weight, theta_d = r (q_d + g(q_d) / K)
    [DeLuca, Siciliano, Zollo]; without the winding the joints would sag by g(q_d) / K."""
    robot, wanted = hanging_arm(), [0.5, -0.3]
    q, _ = wound(robot, wanted)
    goal = {"shoulder.motor": q[0], "elbow.motor": q[2]}
    law = (
        supple.pd(robot, 0.02, 0.02, goal)
        if which == "pd"
        else supple.pid(robot, 0.02, 0.002, 0.02, goal)
    )
    run = supple.simulate(
        robot, law + supple.gravity_compensation(robot), 60.0, q0={"shoulder": 0.45}, samples=3
    )
    assert run["q"][-1][[1, 3]] == pytest.approx(wanted, abs=1e-4)


def test_gravity_compensation_of_a_joint_with_a_rotor_is_that_of_its_weight() -> None:
    """m g l cos q: the rotor is balanced; a joint that is held itself carries its own weight."""
    rigid = {"mass": 2.0, "com": [0.5, 0, 0], "inertia": 0.1}
    drive = {"gear_ratio": 20.0, "rotor_inertia": 1e-3}
    joint = {"name": "j", "type": "revolute", "child": "a", "drive": drive}
    words = {"gravity": [0, -9.81, 0], "links": {"a": {"rigid": rigid}}, "joints": [joint]}
    robot, weight = supple.build(words), 2.0 * 9.81 * 0.5 * np.cos(0.4)
    assert supple.gravity_compensation(robot)(0.0, np.array([0.4]), np.zeros(1)) == pytest.approx(
        weight
    )
    drive["stiffness"] = 500.0
    soft, q = supple.build(words), np.array([8.0, 0.4])
    for held, tau in ((["j.motor"], [weight / 20.0, 0.0]), (["j"], [0.0, weight])):
        law = supple.gravity_compensation(soft, held)
        assert law(0.0, q, np.zeros(2)) == pytest.approx(tau)
