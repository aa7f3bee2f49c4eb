"""Threads and interrupts at random instants, in processes of their own:

python bench/stress.py                     all shipped robots in 8 threads, 1,000 interrupts
python bench/stress.py --interrupts 100    fewer
python bench/stress.py --out FILE          the table goes there, too

A crash, a lost interrupt, or a next call that is not right to the last bit ends it with a message
and a status that is not 0.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

import supple

THREADS, LIMIT = 8, 1800.0
QUANTITIES = ("forward_dynamics", "inverse_dynamics", "mass_matrix")
SHIPPED = sorted(path.stem for path in (Path(supple.__file__).parent / "robots").glob("*.yaml"))


def main() -> None:
    about, _, usage = str(__doc__).partition("\n\n")
    words = argparse.ArgumentParser(
        description=about, epilog=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("--interrupts", type=int, default=1000)
    words.add_argument("--out", type=Path)
    given = words.parse_args()
    rows = ["| what | times | interrupted | longest wait [ms] |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as cache:
        for number, robot in enumerate(SHIPPED):  # compiled for the first time, then found again
            for folder in ("off", cache):
                found = _child({"robot": robot, "other": SHIPPED[number - 1]}, folder)
            print(f"{robot}: {found['threads']} threads agree", flush=True)
        rows.append(f"| first compilations in {THREADS} threads | {2 * len(SHIPPED)} | | |")
        for name in WORK:
            found = _child({"work": name, "count": given.interrupts // len(WORK)}, cache)
            wait = f"{1e3 * found['wait']:.0f}"
            rows.append(f"| {name} | {found['count']} | {found['interrupted']} | {wait} |")
            print(rows[-1], flush=True)
    print("\n".join(rows))
    if given.out:
        given.out.write_text("\n".join(rows) + "\n", encoding="utf-8")


def _child(task: dict[str, object], cache: str) -> dict[str, float]:
    """Do it in another process."""
    command = [sys.executable, __file__, "--task", json.dumps(task)]
    known = {**os.environ, "SUPPLE_CACHE": cache, "PYTHONFAULTHANDLER": "1"}
    made = subprocess.run(command, env=known, stdout=subprocess.PIPE, text=True, timeout=LIMIT)
    if made.returncode != 0:
        sys.exit(f"{task} ended with status {made.returncode}")
    return json.loads(made.stdout.splitlines()[-1])  # type: ignore[no-any-return]


def first_compilations(robot: str, other: str) -> dict[str, int]:
    """Two robots compiled and called in several threads at once: all answers are the same."""
    robots = [supple.load(robot), supple.load(other)]
    together = threading.Barrier(THREADS)
    found: dict[int, tuple[list[Callable[..., object]], list[bytes]]] = {}

    def work(k: int) -> None:
        together.wait()
        made = [supple.compile(robots[k % 2], what) for what in QUANTITIES]
        found[k] = made, [_bytes(f) for f in made]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    for k in range(THREADS):
        made, answers = found[k]
        if not ([_bytes(f) for f in made] == answers == found[k % 2][1]):
            sys.exit(f"threads disagree about {robots[k % 2].name}")
    return {"threads": len(found)}


def _bytes(f: supple.Function) -> bytes:
    """What it gives at a state, called and in a batch."""
    state = [np.linspace(0.1, 0.3, n) for n in f.arguments.values()]
    alone, rows = f(*state), f.batch(*(np.tile(x, (600, 1)) for x in state), threads=2)
    parts = [alone, rows] if len(f.results) == 1 else [*alone, *rows]
    return b"".join(np.asarray(x).tobytes() for x in parts)


def _batch() -> Callable[[], bytes]:
    f = supple.compile(supple.load("canadarm-spatial"), "forward_dynamics")
    rng = np.random.default_rng(1)
    rows = [0.1 * rng.normal(size=(100_000, n)) for n in f.arguments.values()]
    return lambda: f.batch(*rows, threads=3).tobytes()


def _simulate() -> Callable[[], bytes]:
    robot = supple.load("canadarm")
    still = np.zeros(robot.nv - 1)

    def torque(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return np.concatenate([[-50.0 * float(q[0]) - 5.0 * float(qd[0])], still])

    return lambda: supple.simulate(robot, torque, duration=0.3)["q"].tobytes()


def _closed() -> Callable[[], bytes]:
    robot = supple.load("four-bar-flexible")
    return lambda: supple.simulate(robot, duration=0.3)["q"].tobytes()


def _many() -> Callable[[], bytes]:
    robot = supple.load("canadarm")
    start = {"qd0": 0.05 * np.random.default_rng(1).normal(size=(100, robot.nv))}
    return lambda: supple.simulate_many(robot, start, duration=2.0, threads=2)["q"].tobytes()


def _compile() -> Callable[[], bytes]:
    os.environ["SUPPLE_CACHE"] = "off"
    robot = supple.load("canadarm-spatial")
    return lambda: _bytes(supple.compile(robot, "forward_dynamics"))


def _study() -> Callable[[], bytes]:
    joint = supple.load("lin-lewis-f").coordinate_names[0]
    study = {
        "name": "stress",
        "robot": "lin-lewis-f",
        "vary": {f"q0.{joint}": {"uniform": [0.0, 0.1]}},
        "design": {"kind": "latin_hypercube", "points": 20, "seed": 1},
        "experiment": {"simulate": {"duration": 0.2, "samples": 5}},
        "outcomes": {"end": f"last({joint})"},
    }

    def work() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            return np.asarray(supple.sweep(study, out=Path(folder) / "study")["end"]).tobytes()

    return work


WORK = {
    "batch": _batch,
    "run with a law in Python": _simulate,
    "run of a closed chain": _closed,
    "many runs": _many,
    "compilation": _compile,
    "study": _study,
}


class _InterruptError(Exception):
    """Of a kind that nothing in the package knows."""


def interrupts(name: str, count: int) -> dict[str, float]:
    """The work, interrupted at random instants of it."""
    fired = 0.0

    def handler(number: int, frame: object) -> None:
        nonlocal fired
        fired = perf_counter()
        raise _InterruptError

    work, rng = WORK[name](), np.random.default_rng(0)
    signal.signal(signal.SIGALRM, handler)
    work()
    began = perf_counter()
    right = work()
    took = perf_counter() - began
    interrupted, wait = 0, 0.0
    for _ in range(count):
        fired = 0.0
        try:
            signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-4, 0.9 * took))
            answer = work()
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            if fired:
                sys.exit(f"{name}: an interrupt was lost")
        except _InterruptError:
            interrupted, wait = interrupted + 1, max(wait, perf_counter() - fired)
            answer = work() if interrupted % 10 == 0 else right
        if answer != right:
            sys.exit(f"{name}: a result differs")
    if work() != right:
        sys.exit(f"{name}: the result after all interrupts differs")
    return {"count": count, "interrupted": interrupted, "wait": wait}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--task"]:
        asked = json.loads(sys.argv[2])
        kind = interrupts if "work" in asked else first_compilations
        print(json.dumps(kind(*asked.values())))
    else:
        main()
