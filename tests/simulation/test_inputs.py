"""What may drive a robot, and how a wrong drive is refused."""

import re
import warnings

import numpy as np
import pytest

import supple
from quick_runs import quick_run
from supple import FileError, InputError, SimulationError
from supple.simulation import Motion, named_motion
from supple.simulation.inputs import motion_file, torque_file


@pytest.fixture(scope="module")
def arm():
    return supple.load("lin-lewis-rr")


def run(arm, torque, **more):
    return supple.simulate(arm, torque, 0.2, samples=5, **more)


def test_every_form_of_a_constant_torque_gives_the_same_run(arm):
    ways = [
        [1.0, -0.5],
        (1.0, -0.5),
        (np.float64(1.0), np.array(-0.5)),
        np.array([1.0, -0.5]),
        lambda t: [1.0, -0.5],
        lambda t, q, qd: (1.0, -0.5),
        lambda t, gain=1.0, more=-0.5: [gain, more],
        ([0.0, 0.1, 9.0], [[1.0, -0.5]] * 3),
    ]
    first, *rest = [run(arm, way)["q"] for way in ways]
    assert np.abs(first[-1]).max() > 0.01
    for other in rest:
        assert other == pytest.approx(first, abs=1e-9)


def test_no_torque_and_zero_torque_are_the_same(arm):
    assert run(arm, None)["q"] == pytest.approx(run(arm, [0.0, 0.0])["q"])


def test_joint_torques_drive_a_flexible_robot_as_full_forces_do():
    arm = supple.load("lin-lewis-f")
    short = run(arm, [0.01])
    full = run(arm, arm.input_matrix @ [0.01])
    assert short["q"] == pytest.approx(full["q"])
    assert short["tau"].shape == (5, arm.nv)


@pytest.mark.parametrize(
    ("torque", "words"),
    [
        ([1.0], r"tau of lin-lewis-rr has shape \(1,\), expected \(2,\)"),
        ([1.0, np.nan], "is nan; numbers must be finite"),
        ("full speed", "expected 2 numbers, got 'full speed'"),
        (lambda t: [1.0, 2.0, 3.0], r"has shape \(3,\), expected \(2,\)"),
        (lambda t: 1 / 0, r"torque\(t\) failed at t = 0: ZeroDivisionError"),
        (lambda t, q, qd: q.nothing, r"torque\(t, q, qd\) failed at t = 0: AttributeError"),
        ([1.0, 2j], r"expected 2 numbers, got \[1\.0, 2j\]"),
        (["1", "2"], r"expected 2 numbers, got \['1', '2'\]"),
        (lambda t: [1.0, 2j], r"torque\(t\) failed at t = 0: .*real numbers, got \[1\.0, 2j\]"),
        (lambda t: ["1", "2"], r"torque\(t\) failed at t = 0: .*real numbers"),
        (([0, 1j], [[1.0, 2.0]] * 2), "times must be numbers"),
        (([0, 1], [[1.0, 2j]] * 2), "its rows must be numbers"),
        (([0, 1], [["1", "2"]] * 2), "its rows must be numbers"),
        (
            (1.0, [2.0, 3.0]),
            r"torque is \(1\.0, \[2\.0, 3\.0\]\); a pair is either two numbers, or",
        ),
        ((np.zeros(2), 3.0), "a pair is either two numbers, or a table"),
        (([0, 1], [1.0, 2.0]), r"2 times but values of shape \(2,\); each time has a row"),
        ((abs, abs), "expected 2 numbers"),
        (([0, 1], [[1.0, 2.0]]), "2 times but values of shape"),
        (([0, 0], [[1.0, 2.0]] * 2), "times must rise"),
        (([0, np.nan], [[1.0, 2.0]] * 2), "times must be finite"),
        (("a", "b"), "times must be numbers"),
        (([0, 1], [[1.0, 2.0], [1.0]]), "all of one length"),
        (([0, 1], [[1.0, 2.0], [1.0, np.inf]]), "is inf; numbers must be finite"),
    ],
)
def test_a_wrong_torque_is_refused_before_the_run(arm, torque, words):
    with pytest.raises(InputError, match=words):
        run(arm, torque)


def test_feedback_is_first_asked_at_the_start_of_the_run(arm):
    asked = []

    def torque(t, q, qd):
        asked.append((t, *q, *qd))
        return [-q[0], 1 / q[1]]  # has no value at the neutral configuration

    run(arm, torque, q0=[0.3, -0.4], qd0=[0.1, 0.2])
    assert asked[0] == pytest.approx((0.0, 0.3, -0.4, 0.1, 0.2))
    ball = supple.load("space-robot")
    q0 = ball.neutral()
    q0[:4] = [0.0, 0.0, 3.0, 0.0]  # the run starts from the unit quaternion
    first = []
    with quick_run():
        supple.simulate(ball, lambda t, q, qd: first.append(q) or 0.0 * qd, 0.1, q0=q0, samples=2)
    assert first[0][:4] == pytest.approx([0.0, 0.0, 1.0, 0.0])


def test_feedback_that_changes_its_arguments_does_not_change_the_run(arm):
    def greedy(t, q, qd):
        q += 1.0
        qd *= 0.0
        return [1.0, -0.5]

    assert run(arm, greedy)["q"] == pytest.approx(run(arm, [1.0, -0.5])["q"])


def test_a_torque_that_fails_in_the_run_says_when_and_why(arm):
    def late(value):
        return lambda t: [0.0, 0.0] if t < 0.1 else value(t)

    with pytest.raises(SimulationError, match=r"failed at t = 0\.1\d* s: KeyError: 'x'"):
        run(arm, late(lambda t: {}["x"]))
    with pytest.raises(SimulationError, match=r"gave \[nan  ?0\.\] at t = 0\.1.*2 finite numbers"):
        run(arm, late(lambda t: [np.nan, 0.0]))
    with pytest.raises(SimulationError, match=r"gave \[0\.\] at t = 0\.1"):
        run(arm, late(lambda t: [0.0]))


def test_a_run_that_explodes_says_when(arm):
    with pytest.raises(SimulationError, match=r"at t = \d"):
        run(arm, lambda t, q, qd: 1e5 * qd + 1.0)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("needs a duration", {"duration": None}),
        ("duration is -1", {"duration": -1}),
        ("duration is nan", {"duration": np.nan}),
        ("duration is '1'; it must be a positive number", {"duration": "1"}),
        (r"duration is \[1\]; it must be", {"duration": [1]}),
        ("duration is True", {"duration": True}),
        ("duration is inf", {"duration": np.inf}),
        ("duration is 1000000000.*; it must be a positive", {"duration": 10**400}),
        ("duration is 1j", {"duration": 1j}),
        ("samples is 1", {"samples": 1}),
        ("samples is None; it must be a whole number", {"samples": None}),
        ("samples is nan", {"samples": np.nan}),
        ("samples is 2.5", {"samples": 2.5}),
        ("samples is '5'", {"samples": "5"}),
        ("rtol is '1e-8'; it must be a number between", {"rtol": "1e-8"}),
        ("rtol is nan", {"rtol": np.nan}),
        ("atol is None; it must be a positive number", {"atol": None}),
        ("no method named None", {"method": None}),
        ("no method named", {"method": np.zeros(2)}),
        ("motion is 5; it must be the name of a motion", {"motion": 5}),
        (r"motion is \{'j': 't'\}; it must be", {"motion": {"j": "t"}}),
        ("progress is 5; it must be a function", {"progress": 5}),
        ("expected 2 numbers", {"q0": [10**400, 0]}),
        ("rtol is 2", {"rtol": 2}),
        ("atol is 0", {"atol": 0}),
        (r"no method named 'RK54'.*Did you mean RK45\?", {"method": "RK54"}),
        (r"q0 of lin-lewis-rr has shape \(3,\)", {"q0": [0, 0, 0]}),
        ("is nan; numbers must be finite", {"q0": [0, np.nan]}),
        (r"qd0 of lin-lewis-rr has shape \(1,\)", {"qd0": [0]}),
        ("no motion named 'dance'", {"motion": "dance"}),
    ],
)
def test_a_wrong_number_of_a_run_is_refused(arm, words, given):
    with pytest.raises(InputError, match=words):
        supple.simulate(arm, **{"duration": 0.1, **given})


def test_numbers_of_numpy_and_whole_floats_are_numbers(arm):
    given = {"duration": np.float32(0.25), "samples": np.float64(5.0), "rtol": np.array(1e-8)}
    assert supple.simulate(arm, **given).time == pytest.approx(np.linspace(0, 0.25, 5))


@pytest.mark.parametrize("bad", [None, "canadarm", 5])
def test_only_a_robot_runs(bad):
    for call in (
        lambda: supple.simulate(bad, None, 1.0),
        lambda: supple.simulate(bad, motion="paper"),
        lambda: supple.feedforward(bad, None),
        lambda: supple.frequencies(bad),
        lambda: supple.frequencies(bad, [0.0], locked=True),
    ):
        with pytest.raises(InputError, match=r"robot is .*; it must be a Robot"):
            call()


def test_feedforward_takes_a_motion_of_the_robots_own_joints(arm):
    with pytest.raises(InputError, match="motion is 'paper'; it must be a Motion"):
        supple.feedforward(arm, "paper")
    other = Motion(("a", "b"), (lambda t: (0.0, 0.0, 0.0),) * 2, 1.0)
    with pytest.raises(InputError, match="the motion is one of the joints a, b; lin-lewis-rr has "):
        supple.simulate(arm, motion=other)


def test_a_motion_without_a_value_says_where():
    words = dict(supple.load("lin-lewis-rr").spec)
    names = [joint["name"] for joint in words["joints"]]
    words["motions"] = {"bad": {"duration": 1, "joints": {names[0]: "sqrt(t - 2)"}}}
    with pytest.raises(InputError, match=r"'sqrt\(t - 2\)' has no finite value at t = 0"):
        supple.simulate(supple.build(words), motion="bad")


def test_tables_read_from_csv(arm, tmp_path):
    one, two = arm.velocity_names
    path = tmp_path / "drive.csv"
    path.write_text(f"t,{two},{one}\n0,1,10\n\n1,3,30\n")
    law, seconds = torque_file(arm, path)
    assert seconds == 1.0
    assert law(0.5, None, None) == pytest.approx([20.0, 2.0])
    path.write_text(f"t,{two}\n0,0\n1,0.5\n2,1\n3,1.5\n")
    q, qd, _ = motion_file(arm, path)(1.5)
    assert [q[0], q[1], qd[1]] == pytest.approx([0.0, 0.75, 0.5])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a header .* and at least two rows"),
        ("t,ONE\n", "a header .* and at least two rows"),
        ("x,ONE\n0,0\n1,0\n", r"t\.csv:1: the first column must be named t, got 'x'"),
        ("t,ONEE\n0,0\n1,0\n", r"t\.csv:1: no joint named 'ONEE'; joints are: .*Did you mean ONE"),
        ("t,ONE,ONE\n0,0,0\n1,0,0\n", r"t\.csv:1: two columns are named 'ONE'"),
        ("t\n0\n1\n", r"t\.csv:1: no joint has a column"),
        ("t,ONE\n0,0\n\n1,fast\n", r"t\.csv:4: ONE is 'fast', not a number"),
        ("t,ONE\n0,0\n1,nan\n", r"t\.csv:3: ONE is nan; numbers must be finite"),
        ("t,ONE\n0,0\n1\n", r"t\.csv:3: 1 cells, the header has 2"),
        ("t,ONE\n0,0\n2,0\n1,0\n", r"t\.csv:4: times must rise, got 1 after 2"),
    ],
)
def test_a_wrong_table_names_file_and_line(arm, tmp_path, text, words):
    name = arm.velocity_names[0]
    path = tmp_path / "t.csv"
    path.write_text(text.replace("ONE", name))
    for read in (torque_file, motion_file):
        with pytest.raises(FileError, match=words.replace("ONE", name)):
            read(arm, path)


@pytest.mark.parametrize(
    "rows", ["0,0\n1e-300,1\n", "0,0\n1e-310,1\n1,0\n", "0,1e308\n1e-9,-1e308\n2,0\n3,0\n4,0\n"]
)
def test_a_path_too_steep_for_a_spline_names_its_file(arm, tmp_path, rows):
    name, path = arm.velocity_names[0], tmp_path / "t.csv"
    path.write_text(f"t,{name}\n{rows}")
    with pytest.raises(FileError, match=rf"t\.csv: motion of {name}: .*times are too near"):
        motion_file(arm, path)


def test_a_torque_may_jump_within_a_moment(arm):
    law = ([0.0, 1e-300, 1.0], [[0.0, 0.0], [1.0, -0.5], [1.0, -0.5]])
    assert run(arm, law)["q"] == pytest.approx(run(arm, [1.0, -0.5])["q"], abs=1e-7)


FIRST = r"table goes from 5 to 7 s and the run from 0 to 1 s: its first row acts from t = 0 on"
LAST = r"table goes from 0 to 0.5 s and the run from 0 to 1 s: its last row acts until the end"


@pytest.mark.parametrize(
    ("times", "first", "last", "words"),
    [
        ([5, 7], 1.0, 1.0, FIRST),
        ([5, 7], 0.0, 1.0, FIRST),  # none of it acts
        ([0, 0.5], 0.0, 1.0, LAST),
        ([0, 1], 1.0, 1.0, ""),
        ([-1, 2], 1.0, 1.0, ""),
        ([0.5, 0.7], 0.0, 0.0, ""),  # a pulse
    ],
)
@pytest.mark.parametrize("way", ["table", "sum", "file"])
def test_a_table_of_torques_that_does_not_cover_the_run_is_told(
    arm, tmp_path, times, first, last, words, way
):
    names, path = arm.velocity_names, tmp_path / "t.csv"
    table = times, [[first, 0.0], [last, 0.0]]
    path.write_text(f"t,{names[0]}\n{times[0]},{first}\n{times[1]},{last}\n")
    torque = {"table": table, "sum": supple.pd(arm, 1.0, 1.0) + table}
    torque["file"] = torque_file(arm, path)[0]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", supple.SuppleWarning)
        done = supple.simulate(arm, torque[way], 1.0, samples=21, rtol=1e-6)
    found = [str(w.message) for w in told if "table" in str(w.message)]
    assert found == [w for w in done.warnings if "table" in w]
    assert len(found) == bool(words)
    assert all(re.search(words, w) for w in found)


def test_a_table_that_is_no_text_or_not_there_is_refused(arm, tmp_path):
    (tmp_path / "b.csv").write_bytes(bytes(range(256)) * 10)
    with pytest.raises(FileError, match="not a text table"):
        torque_file(arm, tmp_path / "b.csv")
    with pytest.raises(FileError, match="No such file"):
        torque_file(arm, tmp_path / "none.csv")
    for bad in (None, 5, b"t.csv", "a\0b.csv", "a" * 300):
        with pytest.raises(FileError, match="cannot read"):
            motion_file(arm, bad)


def test_feed_forward_torques_run_natively():
    robot = supple.load("canadarm")
    torque = supple.feedforward(robot, named_motion(robot, "paper"))
    assert supple.simulate(robot, torque, 0.5, samples=3).inputs == "all inputs run natively"
    ramps = supple.trapezoidal(robot, {"joint1": 0.5}, 0.2, 0.3)
    assert supple.feedforward(robot, ramps).breaks == ramps.breaks != ()


def test_a_run_says_what_was_called_back_and_what_it_cost(arm):
    switch = lambda t, q, qd: [1.0 if q[0] < 0.0 else 0.5, 0.0]  # noqa: E731
    words = run(arm, switch).inputs
    assert re.match(
        r"torque\(t, q, qd\) is called back to Python: [\d ]+ calls, .* s of .* s", words
    )
    assert run(arm, lambda t, q, qd: -q).inputs == "all inputs run natively"
    load = {"link2": lambda t: [0.0, 1.0 if t < 1.0 else 2.0, 0.0]}
    words = run(arm, supple.pd(arm, 1.0, 1.0), external=load).inputs
    assert words.startswith("the load at link2 is called back to Python")
