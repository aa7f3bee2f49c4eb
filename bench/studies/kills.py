"""Studies under `kill -9`: at random times a worker process, the study itself or the scheduler of
a cluster dies; then `supple sweep --resume`.

After each round: every point is there once, its number is that of an undisturbed study to the last
bit, no point of a block that was kept is computed again, no process and no half file is left.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from supple.sweeps import load_sweep

from .table import Table

POINTS, BLOCK, PAUSE, PATIENCE = 48, 4, 0.03, 120.0
STUDY = f"""name: kills
robot: lin-lewis-rr
block: {BLOCK}
vary: {{x: {{uniform: [0, 1]}}}}
design: {{kind: random, points: {POINTS}, seed: 3}}
experiment: {{function: {{file: mine.py, name: f}}}}
"""
FUNCTION = f"""
import math, os, time
def f(robot, point):
    with open(os.environ["KILLS_LOG"], "a") as log:
        log.write(repr(point["x"]) + "\\n")
    time.sleep({PAUSE})
    return {{"wave": math.sin(1e3 * point["x"]), "root": math.sqrt(point["x"])}}
"""
PROCESS = "supple.worker_process import main"
DASK = "distributed.cli.dask_"


def study(seconds: float) -> list[Table]:
    rounds = 20 if seconds else 1
    chance, rows = random.Random(5), []
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "study.yaml").write_text(STUDY)
        (here / "mine.py").write_text(FUNCTION)
        os.environ["KILLS_LOG"] = str(here / "log")
        _swept(here, "undisturbed").wait()
        for k in range(rounds):
            who = ("process", "study", "scheduler")[k % 3]
            rows.append((k + 1, who, *_round(here, f"round-{k}", who, chance.random())))
    columns = ("round", "killed", "after [s]", "points kept", "computed twice")
    return [Table(columns, rows, (" ".join((__doc__ or "").split()),))]


def _round(here: Path, name: str, who: str, chance: float) -> tuple[float, int, int]:
    """One study that is disturbed; the instant of the kill, points that were kept, and how many
    of the others had been begun before."""
    (here / "log").write_text("")
    after = chance * POINTS * PAUSE / 2
    with _cluster(who == "scheduler") as (address, scheduler):
        main = _swept(here, name, *(("--scheduler", address) if address else ("--workers", "2")))
        _until(lambda: bool(_called(here)))
        time.sleep(after)
        found = {"study": main.pid, "scheduler": scheduler}.get(who) or _one(main.pid)
        os.kill(found, signal.SIGKILL)
        code = main.wait(PATIENCE)
    _until(lambda: not _alive(main.pid))
    assert (code == 0) == (who == "process"), f"{name}: {who} killed, exit code {code}"
    some = any((here / name).glob("*.parquet"))
    kept = set(load_sweep(here / name)["x"].tolist()) if some else set()
    before = _called(here)
    (here / "log").write_text("")
    again = _swept(here, name, "--workers", "2", "--resume")
    assert again.wait(PATIENCE) == 0, f"{name}: --resume failed"
    _until(lambda: not _alive(again.pid))
    after_it = _called(here)
    assert not set(after_it) & kept, f"{name}: points that were kept are computed again"
    _same(here / name, here / "undisturbed")
    return after, len(kept), len(before) + len(after_it) - POINTS


def _same(one: Path, other: Path) -> None:
    """The same to the last bit, and nothing else in the folder."""
    a, b = load_sweep(one), load_sweep(other)
    assert a.points.tolist() == b.points.tolist() == list(range(POINTS))
    assert not a.failed, a.failed
    for name in (*b.varied, *b.outcomes):
        assert a[name].tobytes() == b[name].tobytes(), f"{one.name}: {name} differs"
    assert {x.name for x in one.iterdir()} == {x.name for x in other.iterdir()}


def _swept(here: Path, name: str, *more: str) -> subprocess.Popen[bytes]:
    """A study in a session of its own, so that all its processes can be found."""
    words = ["sweep", str(here / "study.yaml"), "--out", str(here / name), "--quiet", *more]
    return subprocess.Popen(
        [sys.executable, "-m", "supple.cli", *words],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=(here / f"{name}.err").open("ab"),
    )


def _called(here: Path) -> list[float]:
    return [float(x) for x in (here / "log").read_text().split("\n")[:-1]]


def _alive(session: int) -> dict[int, str]:
    """The processes of a session, and what they run."""
    out = {}
    for entry in Path("/proc").iterdir():
        try:
            state, _, _, home = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(home) == session and state != "Z":
                out[int(entry.name)] = (entry / "cmdline").read_text()
        except (OSError, ValueError):  # no process, or gone meanwhile
            continue
    return out


def _one(session: int) -> int:
    return next(pid for pid, words in _alive(session).items() if PROCESS in words)


@contextmanager
def _cluster(wanted: bool) -> Iterator[tuple[str, int]]:
    """A scheduler and two workers that were started by hand; or nothing."""
    if not wanted:
        yield "", 0
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    words = [
        ["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"],
        *[["worker", address, "--no-dashboard", "--no-nanny", "--nthreads", "1"]] * 2,
    ]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"{DASK}{name}", *rest],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for name, *rest in words
    ]
    try:
        yield address, started[0].pid
    finally:
        for process in started:
            process.kill()
            process.wait()
        _until(lambda: not any(_alive(process.pid) for process in started))


def _until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
