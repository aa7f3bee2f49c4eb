"""Elastic gears against closed forms: a motor and a load with a spring between them."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from geared import BALL_SCREW, LOAD, J, K, R, hanging, two_mass
from supple import recursion
from supple.recursion import rigid_gears
from supple.simulation import named_motion


@pytest.mark.parametrize(("kind", "r"), [("revolute", R), ("prismatic", BALL_SCREW)])
def test_frequencies_are_those_of_two_masses_on_a_spring(kind: str, r: float) -> None:
    robot = two_mass(kind, r)
    free, held = supple.frequencies(robot), supple.frequencies(robot, locked=True)
    assert_near(free.omega, [0.0, np.sqrt(K * (1 / LOAD + 1 / (r**2 * J)))], 1e-12)
    assert_near(held.omega, [np.sqrt(K / LOAD)], 1e-12)
    motor, joint = free.shapes[:, 1]
    assert motor / r * (r**2 * J) == pytest.approx(-joint * LOAD)


def test_a_wound_up_gear_swings_about_its_common_turn() -> None:
    robot, wound, speed = two_mass(), 0.03, 0.2
    omega, big = np.sqrt(K * (1 / LOAD + 1 / (R**2 * J))), R**2 * J
    start = {"q0": [R * wound, 0.0], "qd0": [R * speed, speed]}
    run = supple.simulate(robot, None, 0.5, samples=51, rtol=1e-10, **start)
    t = np.linspace(0.0, 0.5, 51)
    swing = wound * np.cos(omega * t)
    mean = speed * t + wound * big / (big + LOAD)
    assert_near(run["j"], mean - big / (big + LOAD) * swing, 1e-7)
    assert_near(run["j.motor"] / R, mean + LOAD / (big + LOAD) * swing, 1e-7)


def test_zeros_of_the_motor_are_the_load_on_its_spring_and_the_load_has_none() -> None:
    robot = two_mass(damping=0.3)
    zeros = np.sort_complex(supple.zeros(robot, ["j.motor"]).zeros)
    assert np.abs(zeros - np.sort_complex(np.roots([LOAD, 0.3, K]))).max() < 1e-9 * abs(zeros[0])
    assert supple.zeros(robot, ["j"]).zeros == pytest.approx([-K / 0.3])  # of the damper alone
    assert not len(supple.zeros(robot, ["j"], damping=False).zeros)


def test_backlash_leaves_a_gap_and_then_the_spring() -> None:
    robot, gap = two_mass(backlash=0.02), 0.02
    for delta in (-0.05, -0.011, -0.009, 0.0, 0.009, 0.011, 0.05):
        beyond = np.sign(delta) * max(abs(delta) - gap / 2, 0.0)
        q = [R * (0.3 + delta), 0.3]
        assert_near(supple.elastic_force(robot, q), [K * beyond / R, -K * beyond], 1e-12)
        assert supple.potential_energy(robot, q) == pytest.approx(0.5 * K * beyond**2, abs=1e-15)


def test_no_gap_is_the_plain_spring() -> None:
    """The law of backlash at zero, which is another formula than that of no backlash."""
    gapped = supple.compile(
        two_mass(backlash=0.02), "forward_dynamics", parameters=["j.drive.backlash"]
    )
    plain, rng = two_mass(), np.random.default_rng(0)
    for _ in range(5):
        q, qd, tau = rng.normal(size=(3, 2))
        assert_near(gapped(q, qd, tau, [0.0]), supple.forward_dynamics(plain, q, qd, tau), 1e-12)


def test_motor_and_joint_tied_together_are_the_rigid_gear() -> None:
    elastic = hanging(drive={"gear_ratio": R, "rotor_inertia": J, "stiffness": K})
    rigid = hanging(drive={"gear_ratio": R, "rotor_inertia": J})
    tied = np.array([[R], [1.0]])
    M = tied.T @ supple.mass_matrix(elastic, [R * 0.3, 0.3]) @ tied
    assert_near(M, supple.mass_matrix(rigid, [0.3]), 1e-13)
    assert_near(supple.mass_matrix(rigid, [0.3]), [[0.01 + 2.0 * 0.5**2 + R**2 * J]], 1e-13)


RATIO = ("gear_ratio", 1.0)


@pytest.mark.parametrize("name", ["flexible-joint-arm", "geared linkage"])
def test_gears_made_rigid_are_those_of_a_file_without_their_stiffness(name: str) -> None:
    robot = geared_linkage() if name == "geared linkage" else supple.load(name)
    words = copy.deepcopy(dict(robot.spec))
    for joint in words["joints"]:
        for key in ("stiffness", "damping", "backlash"):
            joint.get("drive", {}).pop(key, None)
        at_motor, r = joint.get("drive", {}).pop("friction", {}), joint.get("drive", {}).get(*RATIO)
        if at_motor:  # seen at the joint
            own = joint.setdefault("friction", {})
            own["viscous"] = own.get("viscous", 0.0) + r * r * at_motor["viscous"]
            own |= {"coulomb": r * at_motor["coulomb"], "smoothing": at_motor["smoothing"] / r}
    plain, ours = supple.build(words), rigid_gears(robot)
    assert plain.coordinate_names == ours.coordinate_names
    assert plain.actuated == ours.actuated
    q, qd, qdd = (0.1 * np.arange(3 * plain.nv) - 0.4).reshape(3, -1)
    for of in (recursion.inverse_dynamics, recursion.forward_dynamics):
        assert_near(of(ours, q, qd, qdd), of(plain, q, qd, qdd), 1e-13)
    one, two = (supple.motor_torque(robot, 3 * qd, 9e3 * qdd) for robot in (ours, plain))
    assert_near(one, two, 1e-13)


def geared_linkage(**words: Any) -> supple.Robot:
    """A four-bar linkage in a vertical plane with an elastic gear at its crank."""
    drive = {"gear_ratio": 20.0, "rotor_inertia": 5e-5, "stiffness": 300.0} | words
    bar = {"mass": 0.5, "com": [0.15, 0, 0], "inertia": 0.01}
    links = {n: {"rigid": bar | {"length": x}} for n, x in (("a", 0.2), ("b", 0.5), ("c", 0.4))}
    return supple.build(
        {
            "gravity": [0, -9.81, 0],
            "links": links,
            "joints": [
                {"name": "crank", "type": "revolute", "child": "a", "drive": drive},
                {"name": "pin", "type": "revolute", "parent": "a", "child": "b"},
                {"name": "out", "type": "revolute", "child": "c", "origin": {"xyz": [0.5, 0, 0]}},
            ],
            "loops": [{"type": "revolute", "between": ["b.tip", "c.tip"]}],
            "actuated": ["crank"],
            "guess": {"crank": 1.0, "pin": -0.5, "out": 1.2},
        }
    )


def test_a_closed_chain_hangs_on_its_gear() -> None:
    """At rest the motor carries what holds the same chain without a gear, over the ratio; held,
    the chain swings as one mass on the gear's spring."""
    robot = geared_linkage(backlash=0.02)
    rest = supple.statics(robot, {"crank": 0.7})
    plain = rigid_gears(robot)
    held = supple.statics(plain, {"crank": rest.joints["crank"]})
    load = held.torques["crank"]
    assert rest.torques["crank.motor"] == pytest.approx(load / 20.0, rel=1e-9)
    assert rest.joints["crank"] == pytest.approx(0.7 - load / 300.0 - 0.01, rel=1e-9)
    still = np.zeros(robot.nv)
    assert np.abs(supple.forward_dynamics(robot, rest.q, still, rest.tau)).max() < 1e-9
    free = supple.reduced(plain, held.q, np.zeros(3))
    bare = free.I[0, 0] / free.K[0, 0] ** 2 - 20.0**2 * 5e-5  # as seen at the crank
    (omega,) = supple.frequencies(robot, rest.q, locked=True).omega
    soft = supple.frequencies(plain, held.q).omega[0]
    gravity = np.sign(soft) * soft**2 * (bare + 20.0**2 * 5e-5)
    assert omega**2 == pytest.approx((300.0 + gravity) / bare, rel=1e-6)


def test_a_stiffer_gear_comes_nearer_to_the_rigid_one_in_proportion() -> None:
    words = {"gear_ratio": R, "rotor_inertia": J}
    rigid = supple.simulate(hanging(drive=words, damping=1.0), [-20.0], 0.3, samples=16)["j"]
    apart = []
    for k in (2e4, 2e5):
        soft = hanging(drive=words | {"stiffness": k, "damping": 2 * np.sqrt(k)}, damping=1.0)
        sag = supple.statics(soft).q  # where the load is carried already, or it would ring
        run = supple.simulate(soft, [-20.0 / R, 0.0], 0.3, q0=sag, samples=16)["j"]
        apart.append(float(np.abs(run - rigid).max()))
    assert 0.05 < apart[1] / apart[0] < 0.2


def test_at_rest_the_motor_carries_the_load_through_the_ratio_and_the_gear_gives_way() -> None:
    robot = hanging(drive={"gear_ratio": R, "rotor_inertia": J, "stiffness": K, "backlash": 0.01})
    rest = supple.statics(robot, {"j": 0.4})
    q = rest.joints["j"]
    weight = 2.0 * 9.81 * 0.5 * np.cos(q)
    assert rest.joints["j.motor"] == pytest.approx(R * 0.4)
    assert rest.torques["j.motor"] == pytest.approx(weight / R, rel=1e-12)
    assert 0.4 - q == pytest.approx(weight / K + 0.005, rel=1e-12)
    assert supple.statics(robot, {"j.motor": R * 0.4}).joints["j"] == pytest.approx(q)
    assert np.abs(supple.forward_dynamics(robot, rest.q, [0, 0], rest.tau)).max() < 1e-9


def test_in_its_gap_nothing_holds_a_joint_and_that_is_no_buckling() -> None:
    robot = two_mass(backlash=0.02)
    rest = supple.statics(robot, {"j": 0.1})
    assert rest.warnings == ()
    assert not rest.stable
    assert_near(rest.stiffness, [[0.0]], 0.0)
    assert_near(supple.statics(robot, {"j": 0.1}, {"a": [0, 0, 1, 0, 0, 0]}).stiffness, [[K]])


def test_linear_statics_takes_gears_and_refuses_backlash() -> None:
    plain = hanging(drive={"gear_ratio": R, "rotor_inertia": J, "stiffness": 5e4})
    rest = supple.statics(plain, {"j": 0.4}, linear=True)
    weight = 2.0 * 9.81 * 0.5 * np.cos(0.4)
    slope = -2.0 * 9.81 * 0.5 * np.sin(0.4)
    assert rest.joints["j"] == pytest.approx(0.4 - weight / (5e4 + slope))
    with pytest.raises(supple.InputError, match="knows no backlash"):
        supple.statics(two_mass(backlash=0.1), linear=True)


def test_a_beam_that_turns_on_a_stiff_gear_vibrates_as_on_a_rigid_one() -> None:
    beam = {"length": 2, "mass": 1, "EI": 20, "modes": {"bending_y": 2}}
    link, found = {"beam": beam, "hub": {"mass": 1, "inertia": 0.2}}, []
    for drive in ({}, {"stiffness": 1e8}):
        words = {"gear_ratio": R, "rotor_inertia": J} | drive
        joint = {"name": "j", "type": "revolute", "child": "a", "drive": words}
        robot = supple.build({"gravity": [0, 0, 0], "links": {"a": link}, "joints": [joint]})
        found.append(supple.frequencies(robot, rates={"j": 6.0}).omega[:2])
    assert_near(found[1], found[0], 1e-6)
    by_motor = supple.frequencies(robot, rates={"j.motor": 6.0 * R}).omega
    assert_near(by_motor[:2], found[1], 1e-9)


def test_a_gear_on_a_pinned_beam_turns_with_its_root() -> None:
    """Torque of the motor and of the gear work on the same turn, so that nothing is left over."""
    beam = {"length": 1, "mass": 1, "EI": 50, "modes": {"bending_y": 2, "family": "pinned_pinned"}}
    drive = {"gear_ratio": R, "rotor_inertia": J, "stiffness": K}
    robot = supple.build(
        {
            "links": {"a": {"beam": beam, "hub": {"mass": 1, "inertia": 0.1}}},
            "joints": [{"name": "j", "type": "revolute", "child": "a", "drive": drive}],
        }
    )
    q = np.array([3.0, 0.01, 0.02, -0.01])
    slope = robot.links[1].body.root_slope[:, 2]
    wound = 3.0 / R - 0.01 - slope @ q[2:]
    bending = robot.links[1].body.K @ q[2:]
    torque = K * wound
    expected = [torque / R, -torque, *(bending - slope * torque)]
    assert_near(supple.elastic_force(robot, q), expected, 1e-12)
    assert_near(robot.input_matrix[2:, 1], slope, 1e-12)


def test_numbers_of_a_drive_are_parameters() -> None:
    robot = hanging(
        drive={"gear_ratio": R, "rotor_inertia": J, "stiffness": K, "backlash": 0.01},
        stops={"lower": -0.5, "upper": 0.2, "stiffness": 90.0, "damping": 0.3},
    )
    names = [n for n in robot.parameter_names if ".drive." in n or ".stops." in n]
    f = supple.compile(robot, "forward_dynamics", parameters=names)
    state = (np.array([20.0, 0.3]), np.array([3.0, 0.4]), np.array([0.2, 0.1]))
    p = np.array(list(f.parameters.values()))
    slope = f.jacobian("parameters")(*state, p)
    for i, name in enumerate(names):
        sides = [robot.with_parameters({name: p[i] * s}) for s in (1 + 1e-6, 1 - 1e-6)]
        up, down = (supple.forward_dynamics(x, *state) for x in sides)
        assert_near(slope[:, i], (up - down) / (2e-6 * p[i]), 1e-6)


def test_gears_have_no_scans() -> None:
    with pytest.raises(supple.InputError, match="elastic gears has no scans"):
        supple.compile(two_mass(), "forward_dynamics", unroll=False)


def test_feed_forward_of_a_gear_is_the_motors_share() -> None:
    """(I + R^2 J) qdd / R, what the rigid gear takes on the motor's side."""
    motions = {"go": {"duration": 1.0, "joints": {"j": "0.7*t**2"}}}
    robot = supple.build(dict(two_mass().spec or {}) | {"motions": motions})
    law, none = supple.feedforward(robot, named_motion(robot, "go")), np.zeros(robot.nv)
    assert_near(law(0.3, none, none), [(LOAD + R**2 * J) * 1.4 / R, 0.0], 1e-12)
