"""What once went wrong at the engine's edges."""

import json
import warnings

import numpy as np
import pytest
from typer.testing import CliRunner

import supple
from supple import recursion
from supple.cli import app
from supple.engine.fingerprint import motion_fingerprint
from supple.errors import InputError
from supple.tracer import quickly


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SUPPLE_CACHE", str(tmp_path))
    return tmp_path


def test_unrolled_and_scanned_jacobians_have_their_own_entries(home):
    robot = supple.load("canadarm-spatial")
    x = np.random.default_rng(0).normal(size=(3, 40, robot.nv)) * 0.1
    with quickly():
        scanned = supple.compile(robot, "forward_dynamics").jacobian("q", "qd", "tau")
        straight = supple.compile(robot, "forward_dynamics", unroll=True).jacobian("tau")
        both = supple.compile(robot, "forward_dynamics", unroll=False).jacobian("tau")
        again = supple.compile(robot, "forward_dynamics").jacobian("tau")
        expected, *others = (function.batch(*x) for function in (both, straight, again))
    assert (scanned.unrolled, straight.unrolled, both.unrolled) == (False, True, False)
    for found in others:
        assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()


def test_friction_near_zero_speed():
    friction = {"coulomb": 2.0, "smoothing": 1.0}
    joint = {"type": "revolute", "child": "a", "friction": friction}
    robot = supple.build(
        {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 1.0}}}, "joints": [joint]}
    )
    passive = supple.compile(robot, "passive_force")
    speeds = np.array([1e-12, 1e-9, 1e-6, 0.01, 0.1249, 0.1251, 0.5, 3.0, 30.0])
    for u in (*speeds, *-speeds):
        found = passive(np.zeros(1), np.array([u]))[0]
        assert found == pytest.approx(2.0 * np.tanh(u), rel=1e-14)


def test_a_roll_too_small_to_change_the_cosine():
    modes = {"family": "clamped_free", "bending_y": 1, "bending_z": 1}
    beam = {"length": 1.0, "mass": 1.0, "EI": 50.0, "rpy": [2e-8, 0, 0], "modes": modes}
    links = {
        "a": {"beam": beam},
        "b": {"rigid": {"mass": 0.5, "com": [0.2, 0, 0], "inertia": 0.01}},
    }
    joints = [{"type": "revolute", "child": "a"}, {"type": "revolute", "child": "b", "parent": "a"}]
    for kinematics in ("first_order", "second_order"):
        words = {"links": links, "joints": joints, "elastic_kinematics": kinematics}
        robot = supple.build(words)
        q, qd, tau = np.random.default_rng(0).normal(size=(3, robot.nv)) * 0.3
        qdd = recursion.forward_dynamics(robot, q, qd, tau)
        assert np.abs(recursion.inverse_dynamics(robot, q, qd, qdd) - tau).max() < 1e-12


def test_parameters_may_come_one_by_one():
    robot = supple.load("puma")
    function = supple.compile(robot, "gravity_force", parameters=(n for n in ["link2.mass"]))
    assert "parameters" in function.arguments


@pytest.mark.parametrize("kilograms", [0.1, 1e-12, 10.0])
def test_a_payload_that_is_no_sum_of_powers_is_refused(kilograms):
    beam = {"length": 4.0, "mass": 200.0, "EI": 1e6, "modes": {"bending_y": 2}}
    links = {"a": {"beam": beam, "payload": {"mass": kilograms}}}
    words = {"links": links, "joints": [{"type": "revolute", "child": "a"}]}
    robot = supple.build({**words, "elastic_kinematics": "second_order"})
    with pytest.raises(InputError, match="no sum of powers"):
        supple.compile(robot, "inverse_dynamics", parameters=["a.payload.mass"])
    first = supple.build({**words, "elastic_kinematics": "first_order"})
    if kilograms == 1e-12:
        return
    function = supple.compile(first, "inverse_dynamics", parameters=["a.payload.mass"])
    x = [0.3, 0.001, 0.0005], [0.1, 0.02, 0.01], [0.5, 0.4, 0.3]
    heavy = first.with_parameters({"a.payload.mass": 40.0})
    expected = supple.inverse_dynamics(heavy, *x)
    assert function(*x, [40.0]) == pytest.approx(expected, rel=1e-10)


def test_one_name_at_two_places_is_two_entries(home):
    rod = {"mass": 1.0, "inertia": 0.1, "length": 1.0}
    found = []
    for x in (0.3, 0.7):
        links = {"a": {"rigid": rod, "stations": {"eye": {"offset": [x, 0, 0]}}}}
        robot = supple.build({"links": links, "joints": [{"type": "revolute", "child": "a"}]})
        found.append(supple.compile(robot, "pose", station="a.eye")(np.zeros(1))[1][0])
    assert found == pytest.approx([1.3, 1.7])  # from the tip


def test_keys_follow_parents_and_roots(home):
    """Two trees that differ in who carries the last link; two pinned beams in their roots."""
    rod = {"rigid": {"mass": 1.0, "com": [0.5, 0, 0], "inertia": 0.1, "length": 1.0}}
    answers = []
    for parent in ("a", "b"):
        joints = [
            {"type": "revolute", "child": "a"},
            {"type": "revolute", "child": "b", "parent": "a"},
            {"type": "revolute", "child": "c", "parent": parent},
        ]
        robot = supple.build({"links": dict.fromkeys("abc", rod), "joints": joints})
        M = supple.compile(robot, "mass_matrix")(np.array([0.1, 0.2, 0.3]))
        assert np.allclose(M, supple.mass_matrix(robot, [0.1, 0.2, 0.3]))
        answers.append(motion_fingerprint(robot))
    assert answers[0] != answers[1]


def test_a_folder_that_cannot_be_written_is_named_once(home, monkeypatch):
    wall = home / "file"
    wall.write_text("no folder")
    monkeypatch.setenv("SUPPLE_CACHE", str(wall))
    robot = supple.load("lin-lewis-rr")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for what in ("mass_matrix", "gravity_force", "bias_force"):
            supple.compile(robot, what)
    assert len(said) == 1
    assert str(wall) in str(said[0].message)
    assert ".new-" not in str(said[0].message)


def test_odd_entries_are_shown_as_such(home):
    for name, words in (("a", {"about": 3}), ("b", {"about": {"what": "[/nope]"}})):
        (home / f"{name}.supple").write_text(json.dumps(words) + "\n")
    (home / "c.supple").write_text("[" * 100_000)
    for words in (["cache"], ["cache", "--json"]):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda f, r: f.hessian_vector("q").hessian_vector("q"), "taken once"),
        (lambda f, r: f.jacobian("q", "q"), "twice"),
        (lambda f, r: f.jacobian(["q"]), "argument"),
        (lambda f, r: f(q=[0, 0]), "by place"),
        (lambda f, r: f([0, 0], [[1], [1, 2]], [0, 0]), "unequal length"),
        (lambda f, r: f(np.float64(1.0), [0, 0], [0, 0]), r"shape \(\)"),
        (lambda f, r: f(np.ma.masked_equal([1.0, 2.0], 2.0), [0, 0], [0, 0]), "masked"),
        (lambda f, r: f.batch(np.zeros((0, 2)), [0, 0], [0, 0], threads="x"), "whole number"),
        (lambda f, r: supple.compile("puma", "mass_matrix"), "must be a Robot"),
        (lambda f, r: supple.compile(r, ["mass_matrix"]), "quantity"),
        (lambda f, r: supple.compile(r, "mass_matrix", unroll="no"), "True, False or None"),
        (lambda f, r: supple.compile(r, "mass_matrix", parameters=5), "list of names"),
    ],
)
def test_mistakes_are_explained(call, says):
    robot = supple.load("lin-lewis-rr")
    with pytest.raises(InputError, match=says):
        call(supple.compile(robot, "inverse_dynamics"), robot)


def test_whole_numbers_of_numpy_count_threads():
    mass = supple.compile(supple.load("puma"), "mass_matrix")
    assert mass.batch(np.zeros((600, 6)), threads=np.int64(2)).shape == (600, 6, 6)
