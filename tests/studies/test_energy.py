"""Energy and power of runs: closed forms, and the run's own balance."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from agree import assert_near
from geared import two_mass
from supple.errors import InputError, SuppleWarning


def rotor(**joint):
    link = {"rigid": {"mass": 1.0, "inertia": 0.5}}
    hub = {"name": "hub", "type": "revolute", "child": "disc"} | joint
    return supple.build({"gravity": [0, 0, 0], "links": {"disc": link}, "joints": [hub]})


def arm():
    beam = {"length": 1.0, "mass": 0.8, "EI": 60.0, "modes": {"bending_y": 2}}
    beam["damping"] = {"ratio": 0.05}
    hub = {"name": "hub", "type": "revolute", "child": "arm", "damping": 0.2}
    return supple.build({"gravity": [0, 0, 0], "links": {"arm": {"beam": beam}}, "joints": [hub]})


def test_a_rotor_speeds_up_and_is_braked_as_the_textbook_says():
    """tau for 1 s, then -tau: it takes back what it gave, tau^2 / (2 I)."""
    tau, inertia = 3.0, 0.5
    law = lambda t: [tau if t < 1.0 else -tau]  # noqa: E731
    run = supple.simulate(rotor(), law, 2.0, breaks=[1.0], samples=2001)
    study = supple.energy_study(run)
    (hub,), energy = study.joints, tau**2 / (2 * inertia)
    assert study.kinetic == pytest.approx(energy)
    assert hub.energy_in == pytest.approx(energy, rel=3e-3)
    assert hub.energy_back == pytest.approx(energy, rel=3e-3)
    assert abs(hub.peak_power) == pytest.approx(tau**2 / inertia, rel=3e-3)
    assert abs(hub.peak_torque) == tau
    assert hub.rms_torque == pytest.approx(tau, rel=1e-3)


def test_friction_takes_what_the_motor_gives_to_a_rotor_that_turns_steadily():
    run = supple.simulate(rotor(damping=0.3), [0.6], 5.0, qd0=[2.0])
    (hub,) = supple.energy_study(run).joints
    assert hub.energy_in == pytest.approx(0.6 * 2.0 * 5.0, rel=1e-9)
    assert hub.lost == pytest.approx(hub.net, rel=1e-9)


def test_parts_of_a_bending_arm_add_up_to_the_runs_balance():
    run = supple.simulate(arm(), lambda t: [2.0 * np.sin(3 * t)], 4.0, samples=4001)
    study = supple.energy_study(run)
    (hub,), (link,) = study.joints, study.links
    assert hub.net == pytest.approx(study.work, rel=1e-6)
    assert hub.lost + link.lost == pytest.approx(study.dissipated, rel=1e-6)
    assert link.peak_stored == pytest.approx(run["elastic"].max(), rel=1e-9)
    assert link.last_stored == pytest.approx(run["elastic"][-1], rel=1e-9)
    assert study.warnings == ()


def test_losses_of_gears_friction_and_stops_add_up_to_the_runs_balance():
    robot = supple.load("flexible-joint-arm")
    start = robot.unwound([0.0, -2.4, 0.0, 0.3])
    run = supple.simulate(robot, [0.0] * 4, 0.5, q0=start, qd0=[-400.0, -4.0, 0, 0], samples=8001)
    assert run["shoulder"].min() < robot.links[1].drive.lower
    study = supple.energy_study(run)
    assert sum(j.lost for j in study.joints) == pytest.approx(study.dissipated, rel=1e-3)
    assert study.warnings == ()


def test_what_a_gear_loses_counts_for_the_joint_that_it_drives():
    robot = two_mass(damping=0.4)
    run = supple.simulate(
        robot, [0.0] * robot.nv, 0.05, qd0={"j": 3.0, "j.motor": 0.0}, samples=4001
    )
    lost = {joint.name: joint.lost for joint in supple.energy_study(run).joints}
    assert lost["j"] == pytest.approx(run["dissipated"][-1], rel=1e-6)
    assert sum(lost.values()) == lost["j"] > 0.01


def test_a_torque_on_pinned_shapes_works_on_the_turn_of_the_root():
    robot = supple.load("lin-lewis-f").with_modes(2, family="pinned_pinned")
    run = supple.simulate(robot, [1.0], 0.3, samples=2001)
    study = supple.energy_study(run)
    assert study.joints[0].net == pytest.approx(study.work, rel=1e-6)


def test_samples_too_far_apart_are_told_of_a_run_that_cannot_be_made_again(tmp_path):
    """One from a file: its samples are all there is. One at hand is made again."""
    run = supple.simulate(arm(), lambda t: [2.0 * np.sin(90 * t)], 1.0, samples=12)
    assert supple.energy_study(run).warnings == ()
    with pytest.warns(SuppleWarning, match="too far apart"):
        supple.energy_study(supple.load_result(run.save(tmp_path / "run.nc")))


@pytest.mark.parametrize("samples", [2, 21, 2001])
def test_energies_are_the_closed_form_whatever_the_samples(samples: int) -> None:
    """A cos(w t) on a wheel: power A^2 sin(2 w t) / (2 I w); over n half periods of the torque
    n A^2 / (2 I w^2) in, and as much back."""
    A, w, n, inertia = 2.0, 40.0, 7, 0.5
    run = supple.simulate(
        rotor(), lambda t: [A * np.cos(w * t)], n * np.pi / w, samples=samples, rtol=1e-10
    )
    (hub,) = supple.energy_study(run).joints
    assert hub.energy_in == pytest.approx(n * A**2 / (2 * inertia * w**2), rel=1e-7)
    assert hub.energy_back == pytest.approx(hub.energy_in, rel=1e-7)
    assert hub.rms_torque == pytest.approx(A / np.sqrt(2), rel=1e-7)
    assert hub.peak_power == pytest.approx(A**2 / (2 * inertia * w), rel=1e-4)


def test_torques_that_jump_give_their_energies_exactly() -> None:
    """tau, then -tau from a break between two samples on: tau^2 t^2 / (2 I) in."""
    run = supple.simulate(
        rotor(), lambda t: [3.0 if t < 0.77 else -3.0], 1.54, breaks=[0.77], samples=8
    )
    (hub,) = supple.energy_study(run).joints
    assert hub.energy_in == pytest.approx((3.0 * 0.77) ** 2 / (2 * 0.5), rel=1e-9)
    assert hub.energy_back == pytest.approx(hub.energy_in, rel=1e-9)


def test_energies_of_one_of_many_runs_and_their_curves_are_those_of_the_run_alone() -> None:
    law = lambda t: [2.0 * np.sin(30 * t)]  # noqa: E731
    runs = supple.simulate_many(arm(), {"qd0": {"hub": [0.1, 0.4]}}, law, 1.0, samples=9)
    fine = supple.simulate(arm(), law, 1.0, qd0={"hub": 0.4}, samples=8001)
    coarse, want = supple.energy_study(runs.run(1)), supple.energy_study(fine)
    for which in ("energy_in", "energy_back", "lost", "rms_torque"):
        value = getattr(coarse.joints[0], which)
        assert value == pytest.approx(getattr(want.joints[0], which), rel=1e-6)
    assert_near(coarse.data["given"], want.data["given"][::1000], 1e-6)
    assert_near(coarse.data["bending_lost"], want.data["bending_lost"][::1000], 1e-6)


def test_torques_along_a_motion_are_inverse_dynamics_and_keep_the_joints_on_it():
    words = arm().spec | {
        "motions": {"swing": {"duration": 2, "joints": {"hub": "0.3*(t/2 - sin(pi*t)/(2*pi))"}}}
    }
    robot = supple.build(words)
    found = supple.inverse_along(robot, "swing", samples=101)
    rigid, state = robot.replace(elastic_kinematics="rigid"), found.data
    q, qd, qdd = (state[n].values for n in ("q", "qd", "qdd"))
    want = [supple.inverse_dynamics(rigid, *x) for x in zip(q, qd, qdd, strict=True)]
    assert_near(state["rigid"], want, 1e-9)
    run = found.run
    got = [
        supple.forward_dynamics(robot, *x)[0]
        for x in zip(run["q"], run["qd"], run["tau"], strict=True)
    ]
    assert_near(np.array(got)[:, None], qdd, 1e-7)
    assert_near(run["hub"], q[:, 0], 1e-12)


def test_rigid_torques_of_an_arm_that_bends_are_in_the_order_of_its_joints():
    robot = supple.load("canadarm")
    found = supple.inverse_along(robot, samples=5, bending=False)
    q, qd, qdd = (found.data[n].values for n in ("q", "qd", "qdd"))
    rigid = robot.replace(elastic_kinematics="rigid")
    want = np.array([supple.inverse_dynamics(rigid, *x) for x in zip(q, qd, qdd, strict=True)])
    assert_near(found.data["rigid"], want, 1e-9)
    path = supple.inverse_along(robot, samples=4001, bending=False).data
    q, qd, qdd = (path[n].values for n in ("q", "qd", "qdd"))
    tau = [supple.inverse_dynamics(rigid, *x) for x in zip(q, qd, qdd, strict=True)]
    powers = np.abs(tau * qd).max(axis=0)
    assert [abs(joint.peak_power) for joint in found.rigid] == pytest.approx(powers)


def test_a_stiff_arm_takes_the_rigid_ones_torques():
    motion = {"swing": {"duration": 1, "joints": {"hub": "0.1*(t - sin(2*pi*t)/(2*pi))"}}}
    robot = supple.build(arm().spec | {"motions": motion}).with_parameters({"arm.beam.EI": 6e5})
    found = supple.inverse_along(robot, samples=51)
    assert_near(found.data["bending"], found.data["rigid"], 2e-2)


def lifted(**drive: object) -> supple.Robot:
    beam = {"length": 0.5, "mass": 2.0, "EI": 400.0, "modes": {"bending_y": 2}}
    drive = {"gear_ratio": 40.0, "rotor_inertia": 2e-4} | drive
    joint = {"name": "s", "type": "revolute", "child": "a", "drive": drive}
    links = {"a": {"beam": beam, "hub": {"inertia": 0.1}}}
    return supple.build({"gravity": [0, -9.81, 0], "links": links, "joints": [joint]})


def test_torques_at_a_joint_behind_an_elastic_gear_are_those_of_a_rigid_one():
    """And a run's feed-forward torque at the motor is that of the rigid arm over the ratio."""
    stiff, soft = lifted(), lifted(stiffness=9e3, damping=0.5)
    motions = [supple.quintic(x, {"s": 0.3}, 1.0) for x in (stiff, soft)]
    want = supple.inverse_along(stiff, motions[0], samples=21)
    found = supple.inverse_along(soft, motions[1], samples=21)
    assert found.data["rigid"].values.max() > 5.0
    for which in ("rigid", "bending"):
        assert_near(found.data[which], want.data[which], 1e-9)
    law = supple.feedforward(soft, motions[1])
    motor = [law(float(t), np.zeros(0), np.zeros(0))[0] for t in found.data["time"]]
    assert_near(40.0 * np.array(motor)[:, None], found.data["rigid"], 1e-9)
    assert "elastic gears taken as rigid" in str(found)


def test_torques_along_a_motion_carry_the_friction_of_the_motor():
    """At the joint ratio times what the motor's own equation asks for, beside the joint's."""
    friction = {"coulomb": 0.01, "viscous": 1e-3, "smoothing": 0.5}
    robot = lifted(stiffness=9e3, friction=friction).replace(elastic_kinematics="rigid")
    found = supple.inverse_along(robot, supple.quintic(robot, {"s": 0.3}, 1.0), samples=21)
    x = [found.data[name].values[:, 0] for name in ("q", "qd", "qdd")]
    both = [np.stack([40.0 * a, a], axis=1) for a in x]  # the gear not wound up
    tau = np.array([supple.inverse_dynamics(robot, *row) for row in zip(*both, strict=True)])
    assert_near(found.data["rigid"].values[:, 0], tau @ [40.0, 1.0], 1e-9)


def test_mistakes_get_one_message():
    with pytest.raises(InputError, match="must be a Result"):
        supple.energy_study(3)
    with pytest.raises(InputError, match="no motions"):
        supple.inverse_along(arm())
    with pytest.raises(InputError, match="no motion named"):
        supple.inverse_along(supple.load("canadarm"), "dance")
    run = supple.simulate(rotor(), [0.6], 0.1)
    with pytest.raises(InputError, match="not those of the run"):
        supple.energy_study(run, arm())
