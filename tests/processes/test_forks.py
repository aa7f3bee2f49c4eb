"""Processes that are forked while threads of their parent compile."""

from __future__ import annotations

import os

import pytest

from child import run_child

FORKED = """
import os, signal, sys, threading, time
import numpy as np
import supple

os.environ["SUPPLE_CACHE"] = "off"
puma, arm = supple.load("puma"), supple.load("canadarm-spatial")
state = [np.full(6, 0.1)] * 3
right = supple.compile(puma, "forward_dynamics")(*state)
stopped = threading.Event()

def busy():
    while not stopped.is_set():
        supple.compile(arm, "mass_matrix").jacobian("q")

thread = threading.Thread(target=busy)
thread.start()
for delay in (0.0, 0.01, 0.03, 0.1, 0.3, 0.5):
    time.sleep(delay)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        made = supple.compile(puma, "forward_dynamics")
        rows = [np.tile(x, (600, 1)) for x in state]
        good = np.array_equal(made(*state), right)
        os._exit(0 if good and (made.batch(*rows, threads=2) == right).all() else 1)
    assert os.waitpid(child, 0)[1] == 0, "the child did not compile"
stopped.set()
thread.join()
print("ok")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_compiles_whatever_its_parent_was_compiling() -> None:
    assert run_child(FORKED, 240.0) == "ok\n"
