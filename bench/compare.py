"""Compare the time of calls, batches and runs with that of an earlier commit, in turns:

python bench/compare.py COMMIT                 15 repeats of each; both print their median ratio
python bench/compare.py COMMIT --repeats 31

Each of the two versions runs in a process of its own, on the same processor core, and they take
turns for every quantity; both processes start anew for each repeat, since where memory comes to
lie counts. A time is the least of many short ones, so that other programs hardly count.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
BURST = 2e-3  # seconds


def main() -> None:
    about, _, usage = str(__doc__).partition("\n\n")
    words = argparse.ArgumentParser(
        description=about, epilog=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("commit")
    words.add_argument("--repeats", type=int, default=15)
    given = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "-f", before, given.commit], check=True)
        try:
            compare(before, Path(folder), given.repeats)
        finally:
            subprocess.run([*git, "remove", "--force", before], check=True)


def compare(before: Path, folder: Path, repeats: int) -> None:
    """A row for each quantity: both times in microseconds, and the median of their ratios."""
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(repeats):
        then, now = (_started(root, folder) for root in (before, ROOT))
        for name in json.loads(_answer(then, "names")):
            pair = float(_answer(then, name)), float(_answer(now, name))
            found.setdefault(name, []).append(pair)
        then.communicate()
        now.communicate()
    print(f"| call | before [us] | now [us] | now / before, median of {repeats} |")
    print("|---|---|---|---|")
    for name, pairs in found.items():
        ratio = statistics.median(now / then for then, now in pairs)
        least = [1e6 * min(column) for column in zip(*pairs, strict=True)]
        print(f"| {name} | {least[0]:.4g} | {least[1]:.4g} | {ratio:.3f} |")


def _started(root: Path, folder: Path) -> subprocess.Popen[str]:
    known = {"PYTHONPATH": str(root / "src"), "SUPPLE_CACHE": str(folder / f"cache-{root.name}")}
    command = [sys.executable, __file__, "--measure"]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, env={**os.environ, **known}, stdin=pipe, stdout=pipe, text=True
    )


def _answer(side: subprocess.Popen[str], word: str) -> str:
    assert side.stdin is not None
    assert side.stdout is not None
    side.stdin.write(word + "\n")
    side.stdin.flush()
    return side.stdout.readline()


def measure() -> None:
    """Answer each name with the least time of one call, until there are no more."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    known = calls()
    for line in sys.stdin:
        word = line.strip()
        print(json.dumps(list(known)) if word == "names" else least(known[word]), flush=True)


def least(call: Callable[[], object]) -> float:
    """The least time of one call, over bursts."""
    began, count = perf_counter(), 0
    while count < 3 or perf_counter() - began < BURST:
        call()
        count += 1
    number = max(1, int(count * min(1.0, BURST / (perf_counter() - began))))
    times = []
    began = perf_counter()
    while len(times) < 3 or perf_counter() - began < 0.1:
        start = perf_counter()
        for _ in range(number):
            call()
        times.append((perf_counter() - start) / number)
    return min(times)


def calls() -> dict[str, Callable[[], object]]:
    """What is measured."""
    import supple

    rng, out = np.random.default_rng(0), dict[str, Callable[[], object]]()
    for name in ("puma", "canadarm-spatial", "space-robot", "four-bar-flexible"):
        robot = supple.load(name)
        for what in ("forward_dynamics", "inverse_dynamics", "mass_matrix"):
            f = supple.compile(robot, what)
            sizes = f.arguments.values()
            many = [rng.normal(size=(2000, n)) * 0.05 + 0.1 for n in sizes]
            one = [_aligned((n,), x[0]) for n, x in zip(sizes, many, strict=True)]
            to = _aligned(f(*one).shape)
            out[f"{name}, {what}"] = lambda f=f, one=one, to=to: f(*one, out=to)
            out[f"{name}, {what}, batch of 2000"] = lambda f=f, many=many: f.batch(*many, threads=1)
    puma = supple.load("puma")
    fd, one = supple.compile(puma, "forward_dynamics"), rng.normal(size=(3, 6))
    lists, few = one.tolist(), rng.normal(size=(3, 1, 6))
    out["puma, lists"] = lambda: fd(*lists)
    out["puma, batch of one"] = lambda: fd.batch(*few)
    out["puma, new array"] = lambda: fd(*one)
    slope = fd.jacobian("q", "qd")
    to = _aligned(slope(*one).shape)
    out["puma, forward_dynamics, slopes"] = lambda: slope(*one, out=to)
    chain = supple.compile(supple.build(_chain(100)), "forward_dynamics")
    state = [rng.normal(size=n) * 0.05 for n in chain.arguments.values()]
    out["100 links, forward_dynamics"] = lambda: chain(*state)
    arm = supple.load("canadarm")
    law = lambda t, q, qd: np.concatenate([[-50.0 * float(q[0])], np.zeros(arm.nv - 1)])  # noqa: E731
    for method in ("explicit", "rosenbrock"):
        out[f"canadarm, 10 s, {method}"] = lambda m=method: supple.simulate(
            arm, duration=10.0, method=m
        )
    out["canadarm, 1 s, law in Python"] = lambda: supple.simulate(arm, law, duration=1.0)
    start = {"qd0": 0.1 * rng.normal(size=(64, arm.nv))}
    out["canadarm, 64 runs of 2 s"] = lambda: supple.simulate_many(
        arm, start, duration=2.0, threads=1
    )
    return out


def _aligned(shape: tuple[int, ...], values: object = 0.0) -> np.ndarray:
    """An array that begins where vectors do: where NumPy lays small ones differs by chance."""
    size = int(np.prod(shape))
    memory = np.empty(size + 8)
    start = -memory.ctypes.data % 64 // 8
    memory[start : start + size] = np.ravel(values)
    return memory[start : start + size].reshape(shape)


def _chain(count: int) -> dict[str, object]:
    beam = {"length": 1.0, "mass": 1.0, "EI": 1e3, "modes": {"bending_y": 1}}
    joints = [
        {"name": f"joint{i}", "type": "revolute", "child": f"link{i}"}
        | ({"parent": f"link{i - 1}"} if i else {})
        for i in range(count)
    ]
    links = {f"link{i}": {"beam": beam} for i in range(count)}
    return {"supple": 1, "name": "chain", "links": links, "joints": joints}


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["--measure"] else main()
