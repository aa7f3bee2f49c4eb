"""Pools of processes and threads: what they load, compile and are sent gives the numbers that one
process gives, to the last bit. Each pool works in a process of its own that has a time limit, so a
crash is a failed test, and so is a hang."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = 300  # s: a hang never ends
WORK = '''
import functools, multiprocessing, sys
import numpy as np
import supple

NAMES = ["canadarm", "lin-lewis-rfr", "five-bar", "puma"]


def state(robot):
    rng = np.random.default_rng(5)
    moving = 0.0 if robot.loops else 1.0  # loops stay closed at rest
    return robot.home(), moving * rng.normal(size=robot.nv), rng.normal(size=robot.nv)


def bits(robot):
    """Of a robot that is sent, or loaded there by its name."""
    robot = supple.load(robot) if isinstance(robot, str) else robot
    q, qd, tau = state(robot)
    fd = supple.compile(robot, "forward_dynamics")
    rows = fd.batch(np.tile(q, (40, 1)), qd, tau)
    plain = supple.forward_dynamics(robot, q, qd, tau)
    return robot, hash(robot), fd(q, qd, tau).tobytes(), rows.tobytes(), plain.tobytes()


def called(function):
    """Of a compiled function that is sent."""
    robot = supple.load("canadarm")
    return function(*state(robot)[:2]).tobytes()


def ran(law):
    """Of a run under a law that is sent."""
    return supple.simulate(supple.load("puma"), law, 0.05, samples=5)["q"].tobytes()


def laws():
    robot = supple.load("puma")
    motion = supple.cycloidal(robot, {"joint1": 0.2}, 0.05)
    pd = supple.pd(robot, 50.0, 5.0, motion)
    ahead = supple.feedforward(robot, motion)
    return [pd, supple.limited(pd, 4.0), supple.Sampled(pd, 0.01), ahead]


def check(many):
    """many(function, arguments): the results, in order, however they are computed."""
    robots = [supple.load(name) for name in NAMES]
    bias = supple.compile(robots[0], "bias_force")
    functions = [bias, bias.jacobian("q")]
    for function, given in (
        (bits, [*NAMES, *robots]),
        (called, functions),
        (ran, laws()),
    ):
        here = [function(x) for x in given]
        there = many(function, given)
        for a, b in zip(here, there, strict=True):
            robot, other = (x[0] if function is bits else None for x in (a, b))
            assert robot == other
            assert (a[2:] == b[2:]) if function is bits else a == b
    print("same bits")
'''
POOL = """
if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        check(functools.partial(pool.map, chunksize=1))
"""
FAILING = """
if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        try:
            pool.map(supple.load, ["no-such-robot"])
        except supple.ModelError as error:
            assert error.faults[0].help == "did you mean space-robot?", error.faults
            print(error)
"""
LOKY = """
import joblib

if __name__ == "__main__":
    many = joblib.Parallel(n_jobs=2, backend="loky")
    check(lambda function, given: many(joblib.delayed(function)(x) for x in given))
    gain = 3.0
    sent = supple.Sampled(lambda t, q, qd: -gain * qd, 0.01)
    event = supple.Event(lambda t, q, qd: t - 0.01 * gain, "stop")
    run = functools.partial(supple.simulate, supple.load("puma"), duration=0.05, samples=5)
    (there,) = many([joblib.delayed(run)(sent, events=event)])
    here = run(sent, events=event)
    assert there["q"].tobytes() == here["q"].tobytes() and there.events[0].t == here.events[0].t
    try:
        many([joblib.delayed(supple.load)("no-such-robot")])
    except supple.ModelError as error:
        print(error)
"""
DASK = """
if __name__ == "__main__":
    import distributed

    given = {"n_workers": 2, "threads_per_worker": 1, "processes": sys.argv[1] == "processes"}
    with distributed.LocalCluster(**given, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            check(lambda function, given: client.gather(client.map(function, given, pure=False)))
"""


def child(tmp_path: Path, text: str, *words: str) -> str:
    """What a script prints that does its work in pools."""
    script = tmp_path / "work.py"
    script.write_text(WORK + text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), *words],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_pool_gives_the_same_bits(method: str, tmp_path: Path) -> None:
    assert "same bits" in child(tmp_path, POOL, method)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_an_error_in_a_pool_reaches_the_caller(method: str, tmp_path: Path) -> None:
    assert "no robot and no file named 'no-such-robot'" in child(tmp_path, FAILING, method)


@pytest.mark.slow
def test_joblib_gives_the_same_bits_and_takes_lambdas(tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    told = child(tmp_path, LOKY)
    assert "same bits" in told
    assert "no robot and no file named 'no-such-robot'" in told


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["threads", "processes"])
def test_dask_gives_the_same_bits(workers: str, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    assert "same bits" in child(tmp_path, DASK, workers)
