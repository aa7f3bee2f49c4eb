"""What users do that nobody planned: odd names, odd numbers, odd functions; all in this process."""

from concurrent.futures import Future
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import supple
from supple.errors import FileError, InputError, ModelError, SimulationError
from supple.sweeps import read_study
from supple.sweeps.executor import Session
from supple.sweeps.experiments.simulate import RunsInTurn
from supple.sweeps.formulas import parse, value
from supple.sweeps.own import function_mark
from supple.sweeps.report import distribution, main_effect, rank_correlation
from supple.sweeps.run import StudyProgress, _alone, _mended, _run, _todo
from supple.sweeps.store import create
from supple.sweeps.study import document_of, make, packed, study_of
from supple.worker_process import Outcomes, Points, block_of

FUNCTION = {"function": {"file": "", "name": "f"}}


def made(folder=".", function=None, **words):
    from pathlib import Path

    return study_of(document_of({"robot": "lin-lewis-rr", **words}), Path(folder), None, function)


def own(function, x=(0, 1, 2)):
    return made(vary={"x": list(x)}, experiment=FUNCTION, function=function)


def run(study):
    return study.experiment.run(study.points)


TIME = np.linspace(0.0, 1.0, 11)
X = np.array([TIME, 5.0 * TIME])
KNOWN = {"x": X, "p": np.stack([X, X, X], -1), "n": np.array([0.1, 2.0]), "same": np.ones(2)}


def at(text):
    return value(parse(text), text, KNOWN.__getitem__, TIME)


def test_a_band_of_each_point_is_its_own_and_settled_knows_the_instants_after():
    np.testing.assert_allclose(at("settled(x, 0.25*range(x))"), [0.8, 0.8])
    np.testing.assert_allclose(at("settled(after(0.5, x), 0.25)"), [0.8, 1.0])
    np.testing.assert_allclose(at("first(after(0.7, after(0.5*same, x)))"), X[:, 7])
    np.testing.assert_allclose(at("180*deg*same"), np.pi)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("max(after(n, x))", "one instant"),
        ("max(after(7, x))", "there is nothing"),
        ("distance(x, x)", "two places"),
        ("distance(p, x)", "two places"),
        ("max(after(1, x) + x)", "different numbers of instants"),
        ("settled(x, x)", "one number"),
        ("1" + "0" * 400, "too large"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(text, words):
    with pytest.raises(InputError, match=words):
        at(text)


def test_numbers_for_points_scale_places():
    np.testing.assert_allclose(at("max(distance(n*p, p))"), np.sqrt(3) * np.array([0.9, 5.0]))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"vary": {"x": {"lognormal": [1, 1e5]}}}, "too large for a number"),
        ({"vary": {"x": {"uniform": [-1e308, 1e308]}}}, "too large for a number"),
        ({"vary": {f"x{k}": {"values": [1, 2]} for k in range(2000)}, "design": {}}, "too large"),
        ({"vary": {"point": [1, 2]}, "design": {}}, "kept of every point"),
        ({"vary": {"x": [1]}, "design": {}, "outcomes": {"x": "1"}}, "x varies"),
        ({"vary": {"x": [1]}, "design": {}, "outcomes": {"seconds": "1"}}, "kept of every point"),
    ],
)
def test_points_and_names_that_cannot_be_kept_are_faults(words, message):
    design = {"kind": "random", "points": 9}
    with pytest.raises(ModelError, match=message):
        made(**{"design": design, "experiment": FUNCTION, **words}, function=lambda r, p: 1.0)


@pytest.mark.parametrize(
    ("vary", "more", "message"),
    [
        ({"gravity.0": {"values": [1, 2], "relative": True}}, {}, "all its multiples"),
        ({"experiment.count": [1, 2]}, {}, "count cannot vary"),
        ({"experiment.q.²": [1]}, {}, "no number of the experiment"),
        ({"link1.beam.EI": [1e5]}, {"outcomes": {"omega1": "omega2"}}, "a frequency already"),
    ],
)
def test_wrong_studies_of_frequencies_are_faults(vary, more, message):
    with pytest.raises(ModelError, match=message):
        made(robot="canadarm", vary=vary, experiment={"frequencies": {"count": 2}}, **more)


def test_a_stiffness_below_zero_is_refused_by_compiled_code_as_by_the_model():
    study = made(robot="canadarm", vary={"link1.beam.EI": [-1e5]}, experiment={"frequencies": {}})
    assert not study.experiment.one_by_one
    with pytest.raises(ModelError, match="greater than 0"):
        run(study)


def test_a_length_may_vary_though_it_changes_the_mode_shapes():
    name = "link1.beam.length"
    study = made(robot="canadarm-spatial", vary={name: [6.0]}, experiment={"frequencies": {}})
    robot = supple.load("canadarm-spatial").with_parameters({name: 6.0})
    omega = supple.frequencies(robot, locked=True).omega
    np.testing.assert_allclose(run(study).columns["omega1"], omega[0], rtol=1e-9)


def test_loads_vary_by_the_names_of_their_stations():
    study = made(
        robot="canadarm",
        vary={"experiment.load.link3.tip.1": [-20.0]},
        experiment={"statics": {"load": {"link3.tip": [0, 0, 0]}}},
        outcomes={"off": "distance(link3.tip, unbent.link3.tip)", "turn": "torque.joint1"},
    )
    found, robot = run(study).columns, supple.load("canadarm")
    rest = supple.statics(robot, None, {"link3.tip": [0.0, -20.0, 0.0]})
    straight = rest.q.copy()
    straight[robot.mode_indices] = 0.0
    tips = [supple.pose(robot, q, "link3.tip").p for q in (rest.q, straight)]
    np.testing.assert_allclose(found["turn"], rest.torques["joint1"], rtol=1e-9)
    np.testing.assert_allclose(found["off"], np.linalg.norm(tips[0] - tips[1]), rtol=1e-9)


def test_a_torque_that_varies_stands_in_place_of_the_files():
    robot = supple.load("lin-lewis-rr")
    joint = robot.velocity_names[0]
    words = {"duration": 0.1, "samples": 3, "torque": {joint: 5.0}}
    study = made(
        vary={f"torque.{joint}": [0.0, 5.0]},
        experiment={"simulate": words},
        outcomes={"end": f"last({robot.coordinate_names[0]})"},
    )
    tau = np.zeros(robot.nv)
    ends = []
    for tau[0] in (0.0, 5.0):
        ends.append(supple.simulate(robot, tau.copy(), 0.1, samples=3)["q"][-1, 0])
    np.testing.assert_allclose(run(study).columns["end"], ends, rtol=1e-6, atol=1e-10)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "must give a number"),
        ("1.5", "must give a number"),
        (np.ones(2), "must give a number"),
        ({}, "no number"),
        ({"trouble": 1}, "every study keeps"),
        ({"x": 1}, "number that varies"),
        (10**400, "must give a number"),
    ],
)
def test_what_no_number_is_is_told_for_its_point(given, message):
    found = run(own(lambda robot, point: 1.0 if point["x"] else given))
    assert message in found.trouble[0]
    assert found.trouble[1:] == ["", ""]


def test_runs_in_turn_are_those_in_lanes():
    robot = supple.load("lin-lewis-rr")
    first, second = robot.velocity_names
    study = made(
        vary={f"q0.{first}": [0.2], f"torque.{first}": [3.0], f"qd0.{second}": [0.1]},
        experiment={
            "simulate": {
                "duration": 0.2,
                "samples": 3,
                "pd": [50, 5],
                "q0": {first: 0.1, second: 0.3},
                "torque": {first: 9.0, second: 1.0},
                "load": {f"{robot.links[-1].name}.tip": [0, 2, 0]},
            }
        },
        outcomes={"a": f"last('{first}')", "b": f"last('{second}.rate')"},
    )
    lanes, turn = run(study), RunsInTurn(study.experiment.task).run(study.points)
    goal = np.array([0.1, 0.3])
    tau = supple.pd(robot, 50, 5, goal) + np.array([3.0, 1.0])
    alone = supple.simulate(
        robot,
        tau,
        0.2,
        q0={first: 0.2, second: 0.3},
        qd0={second: 0.1},
        samples=3,
        external={f"{robot.links[-1].name}.tip": [0.0, 2.0, 0.0]},
    )
    for found in (lanes, turn):
        np.testing.assert_allclose(found.columns["a"], alone["q"][-1, 0], rtol=1e-6)
        np.testing.assert_allclose(found.columns["b"], alone["qd"][-1, 1], rtol=1e-6)


class OneIsBad:
    """A process in which all points fail that come together with the fifth."""

    one_by_one = False

    def started(self):
        pass

    def run(self, points):
        if 5.0 in points.values:
            raise KeyError("five")
        return Outcomes({"y": 10.0 * points.values[:, 0]}, [""] * len(points))


def test_a_block_is_taken_apart_until_the_point_that_fails_is_alone():
    found = block_of(OneIsBad(), Points(("x",), np.arange(11.0)[:, None]))
    assert found.trouble == ["KeyError: 'five'" if k == 5 else "" for k in range(11)]
    np.testing.assert_array_equal(
        found.columns["y"], [np.nan if k == 5 else 10 * k for k in range(11)]
    )


def test_blocks_hold_every_point_once_and_progress_counts_them():
    study = own(lambda robot, point: 1.0, range(10))
    study = replace(study, spec=study.spec.model_copy(update={"block": 4}))
    assert [list(rows) for rows in study.blocks] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    at = StudyProgress(done=60, failed=0, total=100, new=20, seconds=4.0)
    assert (at.rate, at.left) == (5.0, 8.0)


def test_a_retry_counts_and_mends_its_own_points(tmp_path):
    study = own(lambda robot, point: 1.0, range(4))
    study = replace(study, spec=study.spec.model_copy(update={"block": 2}))
    store, seen = create(study, tmp_path, False), []
    bad = (Outcomes({"a": np.array([1.0, np.nan])}, ["", "bad"]), 4.0)
    _run(study, store, {0: [0, 1], 1: [2, 3]}, iter([(0, bad), (1, bad)]), None)
    assert _todo(study, store, True) == {0: [1], 1: [3]}
    assert _todo(study, store, False) == {}
    _run(
        study,
        store,
        {1: [3]},
        iter([(1, (Outcomes({"a": np.array([5.0])}, [""]), 1.0))]),
        seen.append,
    )
    found = supple.load_sweep(tmp_path)
    assert list(found.failed) == [1]
    np.testing.assert_array_equal(found["a"], [1.0, np.nan, 1.0, 5.0])
    assert (seen[0].done, seen[0].new) == (4, 1)
    assert found.data["seconds"].values[0] == 2.0


def test_a_retry_that_fails_again_loses_no_sound_point(tmp_path):
    study = own(lambda robot, point: point["x"])
    study = replace(study, spec=study.spec.model_copy(update={"block": 3}))
    store = create(study, tmp_path, False)
    before = Outcomes({"a": np.array([7.0, np.nan, 9.0])}, ["", "bad", ""])
    store.put(0, range(3), study.points, before, 1.0)
    again = _mended(study, store, 0, [1], Outcomes({}, ["still bad"]))
    np.testing.assert_array_equal(again.columns["a"], [7.0, np.nan, 9.0])
    assert again.trouble == ["", "still bad", ""]
    other = _mended(study, store, 0, [1], Outcomes({"b": np.array([3.0])}, [""]))
    np.testing.assert_array_equal(other.columns["b"], [np.nan, 3.0, np.nan])
    np.testing.assert_array_equal(other.columns["a"], [7.0, np.nan, 9.0])


def test_any_reader_of_parquet_reads_the_folder_as_one_table(tmp_path):
    import pyarrow.parquet as pq

    study = replace(own(lambda robot, point: point["x"]), points=Points(("x",), np.eye(4)[:, :1]))
    study = replace(study, spec=study.spec.model_copy(update={"outcomes": {"a": "b"}, "block": 2}))
    store = create(study, tmp_path, False)
    coming = [
        (0, (Outcomes({}, ["bad", "bad"]), 1.0)),
        (1, (Outcomes({"a": np.ones(2)}, ["", ""]), 1.0)),
    ]
    _run(study, store, {0: [0, 1], 1: [2, 3]}, iter(coming), None)
    table = pq.read_table(tmp_path)
    assert table.column("point").to_pylist() == [0, 1, 2, 3]
    assert table.column("x").to_pylist() == [1, 0, 0, 0]
    np.testing.assert_array_equal(table.column("a").to_numpy(), [np.nan, np.nan, 1, 1])
    found = supple.load_sweep(tmp_path)
    assert found.failed == {0: "bad", 1: "bad"}
    assert "4 of 4 points, 2 failed" in found.report()


def test_a_study_that_is_kept_out_touches_nothing(tmp_path):
    with _alone(tmp_path):
        half = tmp_path / ".supple-half"
        half.touch()
        with pytest.raises(FileError, match="another process"):
            supple.sweep(own(lambda r, p: 1.0), out=tmp_path, resume=True)
        assert half.exists()
        assert not (tmp_path / "_study.json").exists()


def test_a_function_finds_what_lies_beside_its_file(tmp_path):
    (tmp_path / "beside_it.py").write_text("FACTOR = 3\n")
    (tmp_path / "mine.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "from pathlib import Path\nimport beside_it\n"
        "@dataclass\nclass P:\n    x: float\n"
        "def f(robot, point):\n    assert Path(__file__).is_file()\n"
        "    return beside_it.FACTOR * P(point['x']).x\n"
    )
    words = "robot: lin-lewis-rr\nvary: {x: [2]}\n"
    words += "experiment: {function: {file: mine.py, name: f}}\n"
    (tmp_path / "study.yaml").write_text(words)
    study = read_study(tmp_path / "study.yaml")
    assert run(study).columns["outcome"].tolist() == [6.0]
    before = study.marks
    (tmp_path / "beside_it.py").write_text("FACTOR = 4\n")
    other = read_study(tmp_path / "study.yaml")
    assert [k for k in before if before[k] != other.marks[k]] == ["file beside_it.py"]
    (tmp_path / "mine.py").write_text("import sys\nsys.exit(3)\n")
    with pytest.raises(ModelError, match="cannot be run: SystemExit"):
        read_study(tmp_path / "study.yaml")


def test_another_function_of_the_same_name_is_another_study():
    def scaled(k):
        return lambda robot, point: k * point["x"]

    assert function_mark(scaled(2)) == function_mark(scaled(2))
    assert function_mark(scaled(2)) != function_mark(scaled(3))
    assert function_mark(partial(scaled, 2)) != function_mark(partial(scaled, 3))
    assert function_mark(lambda r, p: 1.0) != function_mark(lambda r, p: 2.0)
    a, b = (own(scaled(k)) for k in (2, 3))
    assert a.mark != b.mark


def test_a_function_that_cannot_travel_is_told_before_anything_is_written(tmp_path):
    import threading

    lock = threading.Lock()
    with pytest.raises(InputError, match="cannot be sent to other processes"):
        supple.sweep(own(lambda robot, point: lock and 1.0), out=tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_a_worker_process_makes_the_same_experiment():
    import pickle

    study = own(lambda robot, point: 2 * point["x"])
    experiment = pickle.loads(packed(study))()
    assert pickle.loads(packed(study)).func is make
    assert experiment.run(study.points).columns["outcome"].tolist() == [0.0, 2.0, 4.0]


def test_effects_of_huge_and_tiny_outcomes_and_of_some_points_only():
    x = np.linspace(0.0, 1.0, 200)
    usual = main_effect(x, x)
    for scale in (1e-200, 1e200):
        assert main_effect(x, scale * x) == pytest.approx(usual)
        assert distribution("y", scale * x).deviation == pytest.approx(scale * x.std(ddof=1))
    assert np.isnan(main_effect(x, np.full(200, 0.1)))
    some = np.where(np.arange(200) % 2, x, np.nan)
    assert main_effect(x, some) > 0.8
    assert rank_correlation(x, some) == pytest.approx(1.0)
    assert distribution("y", some).mean == pytest.approx(x[1::2].mean())


def test_the_worst_of_an_outcome_that_some_points_lack():
    from supple.sweeps.report import worst

    class Some(dict):
        sound, points = np.ones(3, dtype=bool), np.arange(3)

    assert worst(Some(y=np.array([np.nan, -3.0, 2.0])), "y") == [1, 2]


def session_of(running=True, threads=1):
    made = object.__new__(Session)
    made.running, made.threads = lambda: running, lambda: threads
    return made


def future_of(error=None, cancelled=False):
    made = Future()
    if cancelled:
        made.cancel()
    else:
        made.set_exception(error)
    return made


@pytest.mark.parametrize(
    ("future", "words"),
    [
        (future_of(cancelled=True), "scheduler is gone"),
        (future_of(TimeoutError("its own")), "block 0 could not be computed"),
        (future_of(ValueError("odd")), "ValueError: odd"),
    ],
)
def test_a_block_that_nobody_can_give_is_told(future, words):
    with pytest.raises(SimulationError, match=words):
        session_of()._result(future, "block 0")


def test_a_scheduler_that_is_silent_or_has_no_workers_is_given_up(monkeypatch):
    monkeypatch.setattr("supple.sweeps.executor.SILENCE", 1.0)
    monkeypatch.setattr("supple.sweeps.executor.WORKERLESS", 2.0)
    with pytest.raises(SimulationError, match="scheduler is gone"):
        session_of(running=False)._wait([Future()])
    with pytest.raises(SimulationError, match=r"no workers.*dask worker ADDRESS.*--resume"):
        session_of(threads=0)._wait([Future()])


@pytest.mark.parametrize(("points", "block"), [(1, 1), (40, 1), (64, 2), (600, 16), (64_000, 16)])
def test_small_studies_have_small_blocks_so_that_all_cores_have_some(points, block):
    assert own(lambda robot, point: 1.0, range(points)).block == block
