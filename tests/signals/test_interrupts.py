"""Signal handlers that raise, at random instants of everything that takes long: what they raise
arrives unchanged, nothing is written behind them, and the next call is right to the last bit."""

from __future__ import annotations

import os
import signal

import pytest

from child import run_child

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="this system has no interval timers"
)

INTERRUPTED = """
import os, signal, time
import numpy as np
import supple
{prepare}

class Stop({base}):
    pass

def fire():
    global fired
    fired = True
    raise Stop("from the handler")

class Handler:
    def method(self, number, frame):
        fire()

    def __call__(self, *given):
        fire()

def forgets(number, frame):
    del number, frame
    fire()

handlers = [lambda number, frame: fire(), Handler().method, Handler(), forgets]
rng, counts = np.random.default_rng(0), [0, 0]
work()
began = time.perf_counter()
right = work()
took = time.perf_counter() - began
for k in range({count}):
    fired = False
    signal.signal(signal.SIGALRM, handlers[k % len(handlers)])
    try:
        signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-4, 0.9 * took))
        found = work()
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        assert not fired, "an interrupt was lost"
        assert found == right
        counts[0] += 1
    except Stop:
        counts[1] += 1
        after()
assert work() == right
assert counts[1] > 0, counts
print("ok")
"""
NOTHING_LEFT = "\nafter = lambda: None"
BATCH = """
robot = supple.load("canadarm-spatial")
f = supple.compile(robot, "forward_dynamics")
rows = [0.1 * np.random.default_rng(1).normal(size=(60_000, n)) for n in f.arguments.values()]
out = np.zeros((60_000, robot.nv))

def work():
    out[:] = np.nan
    return {call}.tobytes()

def after():
    before = np.isnan(out).sum()
    time.sleep(0.05)
    assert np.isnan(out).sum() == before, "written to after the interrupt"
"""
RUN = """
robot = supple.load("canadarm")
stiff = np.concatenate([[50.0], np.zeros(robot.nv - 1)])

def torque(t, q, qd):
    return -stiff * float(q[0] + 0.1 * qd[0])

def work():
    run = supple.simulate(robot, {torque}, duration={duration}, {method})
    return run["q"].tobytes()
"""
MANY = """
robot = supple.load("canadarm")
start = {"qd0": 0.05 * np.random.default_rng(1).normal(size=(300, robot.nv))}
work = lambda: supple.simulate_many(robot, start, duration=3.0, threads=2)["q"].tobytes()
"""
COMPILE = """
os.environ["SUPPLE_CACHE"] = "off"
robot = supple.load("canadarm-spatial")
state = [np.full(n, 0.1) for n in (robot.nq, robot.nv, robot.nv)]
work = lambda: supple.compile(robot, "forward_dynamics")(*state).tobytes()
"""


def interrupted(prepare: str, count: int, base: str = "Exception") -> None:
    script = INTERRUPTED.format(prepare=prepare, count=count, base=base)
    assert run_child(script) == "ok\n"


@pytest.mark.parametrize(
    "call", ["f.batch(*rows, threads=2)", "f.batch(*rows, out=out, threads=3)"]
)
def test_a_batch_stops_and_nobody_writes_on(call: str) -> None:
    interrupted(BATCH.format(call=call), 40)


@pytest.mark.parametrize(
    ("method", "base"),
    [
        ("explicit", "KeyboardInterrupt"),
        ("rosenbrock", "Exception"),
        ("sweep", "ArithmeticError"),
        ("LSODA", "TimeoutError"),
        ("CVODE", "Exception"),
    ],
)
def test_what_is_raised_in_a_torque_law_reaches_the_caller(method: str, base: str) -> None:
    """Also as an error that a law may raise by itself, upon which a shorter step is tried."""
    if method == "CVODE":
        pytest.importorskip("sksundae", reason="scikit-sundae has no wheel here")
    interrupted(
        RUN.format(torque="torque", duration=0.3, method=f"method={method!r}") + NOTHING_LEFT,
        30,
        base,
    )


def test_a_native_run_stops() -> None:
    interrupted(
        RUN.format(torque="None", duration=20.0, method="method='rk4', step=2e-3") + NOTHING_LEFT,
        30,
    )


def test_many_runs_stop() -> None:
    interrupted(MANY + NOTHING_LEFT, 15)


def test_compilation_stops() -> None:
    """In NumPy's arithmetic of objects, too, which gives a SystemError in its place."""
    interrupted(COMPILE + NOTHING_LEFT, 40, "KeyboardInterrupt")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_an_interrupt_while_a_fork_waits_for_a_compilation_leaves_no_lock_held() -> None:
    script = """
import os, signal, threading, time
import supple

os.environ["SUPPLE_CACHE"] = "off"
parent, arm, puma = os.getpid(), supple.load("canadarm-spatial"), supple.load("puma")

class Stop(Exception):
    pass

def handler(number, frame):
    raise Stop

def compiling():
    supple.compile(arm, "mass_matrix")

signal.signal(signal.SIGALRM, handler)
for delay in (0.1, 0.3, 0.5, 0.7):
    thread = threading.Thread(target=compiling)
    thread.start()
    try:
        time.sleep(delay)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        os.fork()
        time.sleep(0.05)
    except Stop:
        pass
    if os.getpid() != parent:
        os._exit(0)
    thread.join()
thread = threading.Thread(target=compiling, daemon=True)
thread.start()
thread.join(60)
print(thread.is_alive())
"""
    assert run_child(script) == "False\n"


def test_ctrl_c_ends_a_run_as_a_keyboard_interrupt() -> None:
    script = f"""
import os, signal, threading
import numpy as np
import supple
{RUN.format(torque="torque", duration=5.0, method="rtol=1e-7")}
threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    while True:
        work()
except KeyboardInterrupt:
    print("ok")
"""
    assert run_child(script) == "ok\n"
