"""Threads of one process that compile and call functions for the first time, all at once."""

from __future__ import annotations

import pytest

from child import run_child

FIRST_CALLS = """
import gc, sys, threading
import numpy as np
import supple

names = {names!r}
robots = [supple.load(name) for name in names]
together, found = threading.Barrier({threads}), {{}}

def work(k):
    robot = robots[k % len(robots)]
    together.wait()
    made = [supple.compile(robot, what) for what in {quantities!r}]
    found[k] = robot.name, made, [_bytes(f) for f in made]

def _bytes(f):
    state = [np.linspace(0.1, 0.3, n) for n in f.arguments.values()]
    rows = [np.tile(x, (700, 1)) for x in state]
    return f(*state).tobytes() + f.batch(*rows, threads=2).tobytes()

started = [threading.Thread(target=work, args=(k,)) for k in range({threads})]
for thread in started:
    thread.start()
for thread in started:
    thread.join()
gc.collect()
for name, made, answers in found.values():
    assert [_bytes(f) for f in made] == answers == found[names.index(name)][2], name
print(len(found), "threads agree")
"""


@pytest.mark.parametrize("names", [["puma"], ["puma", "canadarm"]])
def test_functions_that_threads_make_at_once_are_all_good(names: list[str]) -> None:
    quantities = ["forward_dynamics", "mass_matrix"]
    script = FIRST_CALLS.format(names=names, threads=8, quantities=quantities)
    for _ in range(2):
        assert run_child(script) == "8 threads agree\n"
