"""Many runs at once: each is what it would be alone, whatever runs beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from sliders import pinned_beam
from supple.errors import InputError

TURNS = np.linspace(-0.02, 0.03, 11)  # more than lanes, and some lanes left over


@pytest.mark.parametrize("method", ["explicit", "rosenbrock", "sweep"])
def test_every_run_is_what_it_is_alone(method: str) -> None:
    robot, how = supple.load("canadarm"), {"rtol": 1e-6, "atol": 1e-8, "method": method}
    runs = supple.simulate_many(
        robot, {"q0": {"joint1": TURNS}}, duration=0.5, motion="paper", samples=6, threads=1, **how
    )  # one thread: its runner serves both groups
    assert len(runs) == len(TURNS)
    assert not runs.failed
    for k in (0, 7, 10):
        start = {"joint1": TURNS[k]}
        alone = supple.simulate(robot, None, 0.5, motion="paper", q0=start, samples=6, **how)
        assert np.allclose(runs["q"][k], alone["q"], rtol=1e-12, atol=1e-14)
        assert np.allclose(runs["work"][k], alone["work"], rtol=1e-10, atol=1e-14)
        assert runs["steps"][k] == alone.data.attrs["steps"]


def test_torques_and_numbers_of_the_model_vary() -> None:
    robot, name = supple.load("canadarm"), "link1.beam.mass"
    masses, torques = np.array([90.0, 140.0, 180.0]), np.array([1.0, -2.0, 3.0])
    variations = {"torque": {"joint1": torques}, name: masses}
    runs = supple.simulate_many(robot, variations, duration=0.5, samples=6)
    for k in range(3):
        other = robot.with_parameters({name: masses[k]})
        alone = supple.simulate(other, [torques[k], 0.0, 0.0], 0.5, samples=6)
        assert np.allclose(runs["q"][k], alone["q"], rtol=1e-9, atol=1e-12)
        whole = runs.run(k)
        assert np.allclose(whole["tip"], alone["tip"], rtol=1e-9, atol=1e-9)
        assert whole.energy_error < 1e-8
    assert np.all(runs["energy_error"] < 1e-8)


def test_a_joint_s_torque_acts_on_shapes_that_turn_its_root() -> None:
    """By name or as a row: what the joint's torque is to all coordinates."""
    beam, torques = pinned_beam(), [0.1, -0.2]
    by_name, by_row = (
        supple.simulate_many(beam, {"torque": given}, None, 0.05, samples=3)
        for given in ({"hub": torques}, [[0.1], [-0.2]])
    )
    alone = supple.simulate(beam, [-0.2], 0.05, samples=3)
    assert np.array_equal(by_name["q"], by_row["q"])
    assert np.allclose(by_name["q"][1], alone["q"], rtol=1e-9, atol=1e-12)


def test_breaks_hold_for_all_and_each_goes_on_with_its_own_step() -> None:
    robot = supple.load("canadarm")
    table = ([0.0, 0.1, 0.100001, 0.3], [[5.0, 0, 0], [5.0, 0, 0], [-5.0, 1, 0], [0, 0, 0]])
    runs = supple.simulate_many(
        robot, {"qd0": {"joint2": [0.0, 0.1, -0.2]}}, table, 0.3, samples=4, rtol=1e-7
    )
    alone = supple.simulate(robot, table, 0.3, qd0={"joint2": 0.1}, samples=4, rtol=1e-7)
    assert np.allclose(runs["q"][1], alone["q"], rtol=1e-10, atol=1e-13)


def test_a_law_that_decides_is_called_back_one_run_after_the_other() -> None:
    robot = supple.load("canadarm")
    law = lambda t, q, qd: [2.0 if q[0] < 0.01 else 1.0, 0.0, 0.0]  # noqa: E731
    runs = supple.simulate_many(robot, {"q0": {"joint1": [0.0, 0.02]}}, law, 0.1, samples=3)
    assert runs.data.attrs["lanes"] == 1
    alone = supple.simulate(robot, law, 0.1, q0={"joint1": 0.02}, samples=3)
    assert np.allclose(runs["q"][1], alone["q"], rtol=1e-12, atol=1e-14)


@pytest.mark.filterwarnings("ignore::supple.SuppleWarning")
def test_a_run_that_fails_stops_no_other() -> None:
    robot = supple.load("canadarm")
    runs = supple.simulate_many(
        robot, {"q0": {"link1.bending_y1": [0.0, 40.0, 0.01]}}, duration=0.2, samples=5
    )
    assert list(runs.failed) == [1]
    assert "bends by a slope" in runs.failed[1]
    assert np.all(np.isfinite(runs["q"][[0, 2]]))
    with pytest.raises(InputError, match="run 1 did not reach its end"):
        runs.run(1)


@pytest.mark.parametrize(
    ("variations", "more", "words"),
    [
        ({}, {}, "give a mapping of what changes"),
        ({"q0": {"joint1": [0.0, 0.1]}, "qd0": {"joint1": [0.0]}}, {}, "different numbers of runs"),
        ({"q0": {"joint9": [0.0, 0.1]}}, {}, "joint9"),
        ({"q0": [[0.0, 0.0, 0.0], [0.0, 1e200, 0.0]]}, {}, "run 1: .*joint2 is 1e\\+200"),
        ({"link9.beam.mass": [1.0, 2.0]}, {}, "link9"),
        ({"link1.beam.mass": [[1.0], [2.0]]}, {}, "one number for each run"),
        ({"torque": {"joint9": [1.0]}}, {}, "joint9"),
        ({"torque": [[1.0, np.nan, 0.0]]}, {}, "finite"),
        ({"q0": {"joint1": [0.0]}}, {"method": "Radau"}, "many runs are made by"),
        ({"q0": {"joint1": [0.0]}}, {"threads": 0}, "threads"),
        ({"link1.beam.mass": [1.0, -1.0]}, {}, "mass"),
        ({"torque": {"joint1": [0.0, 1.0]}}, {"prescribed": {"joint1": "t**2"}}, "could not act"),
    ],
)
def test_wrong_variations_are_named(variations: Any, more: Any, words: str) -> None:
    with pytest.raises((InputError, supple.ModelError), match=words):
        supple.simulate_many(supple.load("canadarm"), variations, duration=0.1, **more)


def test_runs_that_lose_their_energy_or_run_away_have_failed() -> None:
    words = {"links": {"a": {"rigid": {"mass": 2.0, "com": [0.5, 0, 0], "inertia": 0.01}}}}
    words |= {"gravity": [0, -9.81, 0], "joints": [{"name": "j", "type": "revolute", "child": "a"}]}
    robot, start = supple.build(words), {"q0": {"j": [0.0, 1.0]}}
    lost = supple.simulate_many(robot, start, None, 2.0, samples=3, method="rk4", step=0.6)
    assert sorted(lost.failed) == [0, 1]
    away = supple.simulate_many(robot, start, lambda t, q, qd: 5.0 * qd, 3.0, samples=3)
    assert all("diverges" in why for why in away.failed.values())
    assert len(away.failed) == 2


def test_numbers_beyond_those_that_were_looked_at_are_looked_at_again() -> None:
    robot, name = supple.load("lin-lewis-rr"), "link2.rigid.mass"
    how = {"duration": 0.01, "samples": 2, "method": "rk4", "step": 0.005}
    for values in ([1.0, 3.0], [1.5, 2.0]):  # the second are within the first
        runs = supple.simulate_many(robot, {name: values}, **how)
        assert np.array_equal(runs["q"][0, 0], robot.home())  # one start, for both
    for wrong in ([2.0, -1.0], [2.0, 1e300]):
        with pytest.raises(supple.ModelError, match=r"mass|no inertia"):
            supple.simulate_many(robot, {name: wrong}, **how)
    with pytest.raises(InputError, match=r"no variable named 'qdd'.*there are: time"):
        runs["qdd"]


def test_motors_of_elastic_gears_start_where_the_ratio_of_their_own_run_puts_them() -> None:
    robot, name = supple.load("flexible-joint-arm"), "shoulder.drive.gear_ratio"
    varied = {name: [50.0, 120.0], "q0": {"shoulder": [0.5, 0.5]}}
    runs = supple.simulate_many(robot, varied, None, 0.02, samples=3)
    for k, ratio in enumerate(varied[name]):
        other = robot.with_parameters({name: ratio})
        alone = supple.simulate(other, None, 0.02, q0={"shoulder": 0.5}, samples=3)
        assert_near(runs["q"][k], alone["q"], 1e-6)


def test_what_is_put_into_the_dataset_belongs_to_the_runs_and_their_times_stay() -> None:
    runs = supple.simulate_many(supple.load("lin-lewis-f"), {"q0": [[0.1] * 3] * 2}, None, 0.01)
    with pytest.raises(ValueError, match="read-only"):
        runs.run(0).time[:] = 0.0
    runs.data["mine"] = ("run", [1.0, 2.0])
    assert list(runs["mine"]) == [1.0, 2.0]
    with pytest.raises(supple.InputError, match="no variable named"):
        runs[["q"]]  # type: ignore[index]
    with pytest.raises(supple.InputError, match="asked by its number"):
        runs.run("a")  # type: ignore[arg-type]


def arm_with_load() -> supple.Robot:
    """A link that bends and a rigid one with a payload, that hang."""
    beam = {"length": 0.8, "mass": 2.0, "EI": 400.0, "modes": {"bending_y": 1}}
    rigid = {"mass": 1.5, "com": [0.3, 0, 0], "inertia": 0.05, "length": 0.6}
    joints = [
        {"name": "j1", "type": "revolute", "child": "a"},
        {"name": "j2", "type": "revolute", "parent": "a", "child": "b", "stiffness": 1.0},
    ]
    links = {"a": {"beam": beam}, "b": {"rigid": rigid, "payload": {"mass": 0.5}}}
    return supple.build({"gravity": [0, -9.81, 0], "links": links, "joints": joints})


def swing(robot: supple.Robot) -> supple.Motion:
    return supple.cycloidal(robot, {"j1": 0.4, "j2": -0.3}, 0.3)


FOLLOWING: dict[str, Any] = {
    "motion": lambda r: {"motion": swing(r)},
    "feed-forward": lambda r: {"torque": supple.feedforward(r, swing(r)) + np.array([0.1, 0.2])},
    "of the flexible model": lambda r: {"torque": supple.feedforward(r, swing(r), "flexible")},
    "shaped": lambda r: {
        "torque": supple.shaped(supple.feedforward(r, swing(r)), supple.shaper("zv", 60.0))
    },
    "computed torque": lambda r: {"torque": supple.computed_torque(r, 50.0, 10.0, swing(r))},
    "limited": lambda r: {
        "torque": supple.limited(
            supple.computed_torque(r, 50.0, 10.0, swing(r), model="flexible"), 20.0
        )
    },
    "gravity": lambda r: {
        "torque": supple.gravity_compensation(r) + supple.pid(r, 20.0, 5.0, 3.0, swing(r))
    },
    "lqr": lambda r: {"torque": supple.lqr(r, 1.0, 1.0)},
    "sampled": lambda r: {"torque": supple.Sampled(supple.gravity_compensation(r), 0.02)},
}


@pytest.mark.parametrize("which", FOLLOWING)
def test_laws_that_follow_from_the_robot_follow_from_each_run_s_own(which: str) -> None:
    """Compared with runs made one by one of the varied robot, with its own law."""
    robot, given = arm_with_load(), FOLLOWING[which]
    varied = {
        "b.rigid.mass": [1.5, 6.0],
        "a.beam.length": [0.9, 0.7],
        "gravity.1": [-9.0, -4.0],
        "j2.stiffness": [3.0, 0.5],
    }
    runs = supple.simulate_many(robot, varied, duration=0.3, samples=4, **given(robot))
    for k in range(2):
        own = robot.with_parameters({name: x[k] for name, x in varied.items()})
        alone = supple.simulate(own, duration=0.3, samples=4, **given(own))
        assert_near(runs["q"][k], alone["q"], 1e-6)
        assert_near(runs.run(k)["tau"], alone["tau"], 1e-5)


def test_a_law_of_another_robot_stays_what_it_is() -> None:
    """A controller that knows another mass than the robot has."""
    robot = arm_with_load()
    other = robot.with_parameters({"b.rigid.mass": 2.0})
    law = supple.computed_torque(other, 50.0, 10.0, swing(robot))
    runs = supple.simulate_many(robot, {"b.rigid.mass": [1.0, 4.0]}, law, 0.3, samples=4)
    for k, mass in enumerate((1.0, 4.0)):
        alone = supple.simulate(robot.with_parameters({"b.rigid.mass": mass}), law, 0.3, samples=4)
        assert_near(runs["q"][k], alone["q"], 1e-6)


def test_the_feed_forward_of_a_closed_chain_is_each_run_s_own() -> None:
    robot = supple.load("five-bar")
    motion, masses = supple.quintic(robot, {"motor1": 0.1}, 0.1), [0.5, 2.0]
    varied = {"distal1.beam.mass": masses}
    runs = supple.simulate_many(robot, varied, duration=0.1, samples=3, motion=motion)
    for k, mass in enumerate(masses):
        own = robot.with_parameters({"distal1.beam.mass": mass})
        alone = supple.simulate(own, duration=0.1, samples=3, motion=motion)
        assert_near(runs["q"][k], alone["q"], 1e-6)


def test_stops_that_vary_are_those_of_the_run_s_own_start() -> None:
    """Where the nominal stops would refuse the start, and a run's own do not."""
    joint = {"name": "j", "type": "revolute", "child": "a"}
    joint["stops"] = {"lower": -1.0, "upper": 0.2, "stiffness": 50.0}
    links = {"a": {"rigid": {"mass": 1.0, "inertia": 0.5}}}
    robot = supple.build({"gravity": [0, 0, 0], "links": links, "joints": [joint]})
    varied = {"q0": {"j": [0.3, 0.3]}, "j.stops.upper": [0.4, 0.5]}
    runs = supple.simulate_many(robot, varied, [1.0], 0.3, samples=3)
    alone = supple.simulate(
        robot.with_parameters({"j.stops.upper": 0.5}), [1.0], 0.3, q0=[0.3], samples=3
    )
    assert_near(runs["q"][1], alone["q"], 1e-6)
