"""Whole studies: the same numbers on every cluster, nothing lost, nothing done twice."""

import errno
import subprocess
import sys
import time
from contextlib import nullcontext

import numpy as np
import pytest

import supple
from supple import files
from supple.errors import FileError, InputError, SimulationError
from supple.sweeps import load_sweep, read_study, sweep
from supple.sweeps.run import _try_out

from .conftest import until

RUNS = """name: runs
robot: lin-lewis-f
block: 8
vary: {link1.beam.EI: {uniform: [0.9, 1.1], relative: true}, q0.joint1: {normal: [0, 0.1]}}
design: {kind: latin_hypercube, points: 20, seed: 1}
experiment: {simulate: {duration: 0.2, samples: 5, rtol: 1.0e-6, atol: 1.0e-8}}
outcomes: {end: last(joint1), bend: max(abs(link1.bending_y1))}
"""


@pytest.fixture
def runs(tmp_path):
    robot = supple.load("lin-lewis-f")
    number = next(n for n in robot.parameter_names if ".beam." in n and "EI" in n)
    shape = robot.coordinate_names[1]
    joint = robot.coordinate_names[0]
    text = RUNS.replace("link1.beam.EI", number).replace("link1.bending_y1", shape)
    (tmp_path / "runs.yaml").write_text(text.replace("joint1", joint))
    return tmp_path / "runs.yaml"


def table(found):
    return {n: found[n] for n in (*found.varied, *found.outcomes)}


def calls(counted):
    return sorted(int(x) for x in counted.log.read_text().split())


@pytest.mark.slow
def test_all_clusters_give_the_same_bits(runs, tmp_path, cluster):
    local = sweep(runs, out=tmp_path / "a", workers=2)
    far = sweep(runs, out=tmp_path / "c", scheduler=cluster.address)
    here = read_study(runs)
    plain = [here.experiment.run(here.points.some(slice(r.start, r.stop))) for r in here.blocks]
    assert not local.failed
    for name, values in table(local).items():
        assert np.array_equal(values, far[name])
        if name in local.outcomes:
            assert np.array_equal(values, np.concatenate([p.columns[name] for p in plain]))


@pytest.mark.slow
def test_points_that_hang_die_or_fail_are_listed_and_the_others_done(tmp_path, cluster):
    def nasty(robot, point):
        import os
        import time

        if point["x"] == 2:
            time.sleep(1e6)
        if point["x"] == 5:
            os.kill(os.getpid(), 11)
        if point["x"] == 7:
            raise ValueError("never")
        return point["x"] + 1

    found = sweep(
        robot="lin-lewis-rr",
        vary={"x": list(range(10))},
        experiment=nasty,
        out=tmp_path / "s",
        scheduler=cluster.address,
        limit=1.0,
    )
    assert set(found.failed) == {2, 5, 7}
    assert "longer than the limit of 1 s" in found.failed[2]
    assert "died (signal 11)" in found.failed[5]
    assert "never" in found.failed[7]
    assert found["outcome"][found.sound].tolist() == [1, 2, 4, 5, 7, 9, 10]


@pytest.mark.slow
def test_a_killed_worker_costs_nothing(counted, cluster, tmp_path):
    study = counted(12, pause=0.15)

    def first(at):
        if at.new == 2:
            cluster.workers[0].kill()

    found = sweep(study, out=tmp_path / "s", scheduler=cluster.address, progress=first)
    assert not found.failed
    assert found["square"].tolist() == [x**2 for x in range(12)]


@pytest.mark.slow
def test_a_study_that_is_stopped_stops_its_points_on_the_cluster(tmp_path, cluster):
    begun, ended = tmp_path / "begun", tmp_path / "ended"

    def waits(robot, point):
        if point["x"]:
            begun.touch()
            until(ended.exists)
            (tmp_path / "wrong").touch()
        return point["x"]

    def stop(at):
        until(begun.exists)
        raise KeyboardInterrupt

    words = {"robot": "lin-lewis-rr", "vary": {"x": [0, 1]}}
    how = {"experiment": waits, "out": tmp_path / "s", "scheduler": cluster.address}
    with pytest.raises(KeyboardInterrupt):
        sweep(words, **how, progress=stop)
    ended.touch()
    time.sleep(1.0)
    assert not (tmp_path / "wrong").exists()
    assert load_sweep(tmp_path / "s")["outcome"].tolist() == [0]


@pytest.mark.slow
def test_a_killed_study_goes_on_where_it_was(counted, tmp_path):
    study, out = counted(12, pause=0.2), tmp_path / "s"
    code = f"from supple.sweeps import sweep; sweep({str(study)!r}, out={str(out)!r}, workers=1)"
    main = subprocess.Popen([sys.executable, "-c", code])
    until(lambda: len(list(out.glob("block-*"))) >= 2)
    main.kill()
    main.wait()
    kept = load_sweep(out).data["point"].values.tolist()
    time.sleep(1.0)  # its process sees that it is gone
    counted.log.write_text("")
    found = sweep(study, out=out, workers=1, resume=True)
    assert found["square"].tolist() == [x**2 for x in range(12)]
    assert calls(counted) == [x for x in range(12) if x not in kept]


def test_a_full_disk_is_told_and_what_is_there_stays(counted, tmp_path, monkeypatch):
    study, write = counted(6), files._write_beside
    written = []

    def full(target, data):
        if target.suffix == ".parquet" and len(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(target, data)
        written.append(target)

    monkeypatch.setattr(files, "_write_beside", full)
    with pytest.raises(FileError, match="No space left"):
        sweep(study, out=tmp_path / "s", workers=1)
    monkeypatch.setattr(files, "_write_beside", write)
    kept = load_sweep(tmp_path / "s").data["point"].values.tolist()
    assert len(kept) == 2
    counted.log.write_text("")
    found = sweep(study, out=tmp_path / "s", workers=1, resume=True)
    assert found["square"].tolist() == [x**2 for x in range(6)]
    assert calls(counted) == [x for x in range(6) if x not in kept]


def test_failed_points_are_tried_again_when_asked(tmp_path, shared):
    flag = tmp_path / "mended"

    def sometimes(robot, point):
        if point["x"] == 1 and not flag.exists():
            raise ValueError("not yet")
        return point["x"]

    words = {"robot": "lin-lewis-rr", "vary": {"x": [0, 1, 2]}}
    how = {"experiment": sometimes, "out": tmp_path / "s", "scheduler": shared}
    assert list(sweep(words, **how).failed) == [1]
    flag.touch()
    assert list(sweep(words, **how, resume=True).failed) == [1]
    found = sweep(words, **how, retry=True)
    assert not found.failed
    assert found["outcome"].tolist() == [0, 1, 2]


def test_another_study_and_another_process_are_kept_out(counted, tmp_path, shared):
    out = tmp_path / "s"
    sweep(counted(2), out=out, scheduler=shared)
    with pytest.raises(FileError, match=r"holds this study already.*--resume"):
        sweep(counted(2), out=out, scheduler=shared)
    with pytest.raises(FileError, match=r"points.*changed since"):
        sweep(counted(3), out=out, scheduler=shared, resume=True)
    fcntl = pytest.importorskip("fcntl", reason="this system has no locks of POSIX")
    with open(out / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(FileError, match="another process"):
            sweep(counted(2), out=out, scheduler=shared, resume=True)


def test_a_damaged_block_is_refused(counted, tmp_path, shared):
    sweep(counted(4), out=tmp_path / "s", scheduler=shared)
    block = tmp_path / "s" / "block-0000001.parquet"
    block.write_bytes(block.read_bytes()[:-20])
    with pytest.raises(FileError, match="damaged"):
        load_sweep(tmp_path / "s")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"workers": 0}, "workers is 0"),
        ({"limit": -1}, "limit is -1"),
        ({"limit": 10**400}, "positive number of seconds"),
        ({"vary": 3}, "vary is 3; give a mapping"),
        ({"scheduler": "tcp://127.0.0.1:9"}, "no scheduler answers"),
        ({"experiment": 3}, "experiment is 3"),
    ],
)
def test_wrong_arguments_are_one_message(tmp_path, shared, how, words):
    study = {"robot": "lin-lewis-rr", "vary": {"x": [1]}}
    given = {
        "experiment": lambda robot, point: 1.0,
        "out": tmp_path / "s",
        "scheduler": shared,
        **how,
    }
    with pytest.raises(InputError, match=words):
        sweep(study, **given | how)


def test_a_study_that_must_fail_is_refused_before_it_begins(tmp_path, shared):
    words = {
        "robot": "canadarm",
        "vary": {"link1.beam.EI": [1e5, 2e5]},
        "experiment": {"statics": {}},
        "outcomes": {"a": "torque.joint9"},
    }
    with pytest.raises(InputError, match=r"torque\.joint9"):
        sweep(words, out=tmp_path / "s", scheduler=shared)


@pytest.mark.slow
def test_a_killed_scheduler_loses_nothing_and_nothing_is_done_twice(counted, cluster, tmp_path):
    study = counted(12, pause=0.1)

    def first(at):
        if at.new >= 4:
            cluster.scheduler.kill()

    with pytest.raises(SimulationError, match=r"scheduler is gone.*--resume"):
        sweep(study, out=tmp_path / "s", scheduler=cluster.address, progress=first)
    kept = load_sweep(tmp_path / "s").data["point"].values.tolist()
    assert len(kept) >= 4
    for worker in cluster.workers:
        worker.kill()
        worker.wait()
    time.sleep(0.5)  # their processes see that they are gone
    counted.log.write_text("")
    found = sweep(study, out=tmp_path / "s", workers=1, resume=True)
    assert found["square"].tolist() == [x**2 for x in range(12)]
    assert calls(counted) == [x for x in range(12) if x not in kept]


@pytest.mark.parametrize("sound", [None, 0, 9, 19])
def test_a_study_is_refused_where_first_middle_and_last_point_fail_alike(runs, sound, monkeypatch):
    class Session:
        def tried(self, point):
            return "" if point == sound else "too heavy"

    wrong = pytest.raises(InputError, match=r"the first, the middle and the last.*too heavy")
    with wrong if sound is None else nullcontext():
        _try_out(read_study(runs), Session())
    monkeypatch.setattr(Session, "tried", lambda self, point: f"{point} is too heavy")
    _try_out(read_study(runs), Session())  # for reasons of their own
