"""Outcomes of every kind of experiment are those of the plain functions, point by point."""

import numpy as np
import pytest

import supple
from supple.sweeps.experiments.simulate import driven
from supple.sweeps.study import document_of, study_of

STIFF = {"link1.beam.EI": {"uniform": [0.8, 1.2], "relative": True}}


def made(words, folder=None, **more):
    from pathlib import Path

    return study_of(document_of(words), Path(folder or "."), **more)


def blocks(study):
    return study.experiment.run(study.points)


def test_runs_in_lanes_are_those_of_simulate():
    words = {
        "robot": "canadarm",
        "vary": {
            **STIFF,
            "q0.joint2": {"values": [0.1, 0.2]},
            "torque.joint1": {"uniform": [-1, 1]},
            "experiment.pd.0": {"values": [500, 900]},
        },
        "design": {"kind": "random", "points": 3, "seed": 5},
        "experiment": {
            "simulate": {"duration": 0.3, "pd": [500, 300], "q0": {"joint1": 0.1}, "samples": 7}
        },
        "outcomes": {
            "tip": "max(link3.tip.x)",
            "turn": "last(joint2.rate)",
            "bend": "rms(link1.bending_y1)",
            "work": "last(work)",
        },
    }
    study = made(words)
    found = blocks(study)
    assert found.trouble == [""] * 3
    for k in range(3):
        p = study.points.at(k)
        robot = supple.load("canadarm").with_parameters({"link1.beam.EI": p["link1.beam.EI"]})
        q0 = {"joint1": 0.1, "joint2": p["q0.joint2"]}
        tau = np.zeros(robot.nv)
        tau[0] = p["torque.joint1"]
        goal = [0.1, 0.0, 0.0]
        law = supple.pd(robot, p["experiment.pd.0"], 300, goal)
        run = supple.simulate(robot, law + tau, 0.3, q0=q0, samples=7)
        tips = [supple.pose(robot, q, "link3.tip").p[0] for q in run["q"]]
        expected = {
            "tip": max(tips),
            "turn": run["qd"][-1, robot.velocity_names.index("joint2")],
            "bend": np.sqrt(np.mean(run["link1.bending_y1"] ** 2)),
            "work": run["work"][-1],
        }
        for name, x in expected.items():
            np.testing.assert_allclose(found.columns[name][k], x, rtol=2e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("robot", "name", "values", "experiment"),
    [
        ("canadarm", "link3.beam.mass", [50.0, 300.0], {"motion": "paper"}),
        (
            "flexible-joint-arm",
            "shoulder.drive.gear_ratio",
            [60.0, 120.0],
            {"pd": [0.05, 0.001], "q0": {"shoulder": 0.3}},
        ),
    ],
)
def test_feed_forward_and_goals_of_a_study_are_those_of_each_point_s_robot(
    robot, name, values, experiment
):
    """Runs in lanes against runs one by one; motors are asked to where the run's own gears are not
    wound up."""
    words = {
        "robot": robot,
        "vary": {name: {"values": values}},
        "experiment": {"simulate": {"duration": 0.5, "samples": 3, **experiment}},
        "outcomes": {"work": "last(work)"},
    }
    found = blocks(made(words))
    assert found.trouble == ["", ""]
    for k, value in enumerate(values):
        own = supple.load(robot).with_parameters({name: value})
        law = None
        if "pd" in experiment:
            goal = {"shoulder.motor": 0.3 * value}
            law = supple.pd(own, *experiment["pd"], goal)
        start = {"motion": experiment.get("motion"), "q0": experiment.get("q0")}
        run = supple.simulate(own, law, 0.5, samples=3, **start)
        assert found.columns["work"][k] == pytest.approx(run["work"][-1], rel=1e-5)


def test_wanted_places_are_those_of_the_unbent_robot_on_the_motion():
    words = {
        "robot": "canadarm",
        "vary": STIFF,
        "design": {"kind": "random", "points": 1},
        "experiment": {"simulate": {"motion": "paper", "duration": 0.5, "samples": 3}},
        "outcomes": {"x": "last(wanted.link3.tip.x)", "q": "last(wanted.joint3)"},
    }
    found = blocks(made(words))
    robot = supple.load("canadarm")
    ways = [(0.075, 10.0), (0.05, 5.0), (0.1, 5.0)]
    angles = [a * (0.5 - T / np.pi * np.sin(np.pi * 0.5 / T)) for a, T in ways]
    q = robot.neutral()
    for name, angle in zip(("joint1", "joint2", "joint3"), angles, strict=True):
        q[robot.coordinate_names.index(name)] = angle
    np.testing.assert_allclose(found.columns["q"], angles[2], rtol=1e-12)
    np.testing.assert_allclose(found.columns["x"], supple.pose(robot, q, "link3.tip").p[0])


@pytest.mark.parametrize("name", ["piedboeuf-arm", "four-bar-flexible", "space-robot"])
def test_frequencies_together_or_in_turn_are_those_of_the_function(name):
    robot = supple.load(name)
    number = next(n for n in robot.parameter_names if n.endswith((".EI", ".EIz", ".E", ".mass")))
    words = {
        "robot": name,
        "vary": {number: {"uniform": [0.9, 1.1], "relative": True}},
        "design": {"kind": "random", "points": 3},
        "experiment": {"frequencies": {"locked": True, "count": 2}},
        "outcomes": {"ratio": "omega2/omega1"},
    }
    study = made(words)
    found = blocks(study)
    for k in range(3):
        omega = supple.frequencies(robot.with_parameters(study.points.at(k)), locked=True).omega
        np.testing.assert_allclose(found.columns["omega1"][k], omega[0], rtol=1e-9)
        np.testing.assert_allclose(found.columns["ratio"][k], omega[1] / omega[0], rtol=1e-9)


def test_statics_and_maps_are_those_of_the_functions():
    load = {"link3.tip": [0.0, -20.0, 0.0]}
    words = {
        "robot": "canadarm",
        "vary": STIFF,
        "design": {"kind": "random", "points": 2},
        "experiment": {"statics": {"q": {"joint1": 0.3}, "load": load}},
        "outcomes": {"sag": "link3.tip.y - unbent.link3.tip.y", "hold": "torque.joint1"},
    }
    study = made(words)
    found = blocks(study)
    words["experiment"] = {
        "map": {"station": "link3.tip", "axes": {"joint1": [0.0, 0.3]}, "load": load}
    }
    words["outcomes"] = {"worst": "max(sag)", "places": "reached"}
    maps = blocks(made(words))
    for k in range(2):
        robot = supple.load("canadarm").with_parameters(study.points.at(k))
        at = supple.statics(robot, {"joint1": 0.3}, load)
        straight = at.q.copy()
        straight[robot.mode_indices] = 0.0
        tip, line = (supple.pose(robot, q, "link3.tip").p[1] for q in (at.q, straight))
        np.testing.assert_allclose(found.columns["sag"][k], tip - line, rtol=1e-9)
        np.testing.assert_allclose(found.columns["hold"][k], at.torques["joint1"], rtol=1e-9)
        whole = supple.workspace_map(robot, "link3.tip", {"joint1": [0.0, 0.3]}, load)
        np.testing.assert_allclose(maps.columns["worst"][k], float(whole.data["sag"].max()))
        assert maps.columns["places"][k] == 2


def test_a_point_that_cannot_be_is_told_and_stops_no_other():
    def own(robot, point):
        if point["x"] == 1:
            raise RuntimeError("no such thing")
        return float("nan") if point["x"] == 2 else {"twice": 2 * point["x"]}

    words = {
        "robot": "lin-lewis-rr",
        "vary": {"x": [0, 1, 2, 3]},
        "experiment": {"function": {"file": "", "name": "own"}},
    }
    found = blocks(made(words, function=own))
    assert found.columns["twice"][[0, 3]].tolist() == [0.0, 6.0]
    assert "RuntimeError: no such thing" in found.trouble[1]
    assert "no finite number" in found.trouble[2]


def test_numbers_of_a_run_go_where_they_are_named():
    numbers = {"duration": 2.0, "samples": 7, "method": "rk4", "rtol": 1e-5, "atol": 1e-6}
    nothing = {key: {} for key in ("q0", "torque", "load")}
    nothing |= dict.fromkeys(("pd", "motion", "shaper"))
    made = driven(supple.load("canadarm"), numbers | nothing | {"step": 0.01})
    assert {name: made[name] for name in (*numbers, "step")} == numbers | {"step": 0.01}
