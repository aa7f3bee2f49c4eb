"""Times against other programs: the same work, in turns, in one run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from supple.analyse.stopwatch import Call, in_turns
from supple.engine import compile
from supple.model import load
from supple.robot import Robot

from .peers import Pinocchio, casadi_call, mujoco_call
from .table import Table

COLUMNS = ("what", "ours [µs]", "peer [µs]", "peer", "times faster")
ROUNDS = 4  # times that each race comes, so that a slow spell of the machine spoils none

State = tuple[Any, ...]


@dataclass(frozen=True)
class Race:
    """Two calls to compare; `states` says how many states ours (and the peer's) takes a call."""

    what: str
    ours: Call
    peer: Call
    versus: str
    states: tuple[int, int] = (1, 1)


def study(seconds: float) -> list[Table]:
    return [Table(COLUMNS, measured(races(), seconds))]


def measured(all_races: list[Race], seconds: float) -> list[tuple[Any, ...]]:
    """Best microseconds a state of all races, run in rounds, and how many times faster."""
    best = [(np.inf, np.inf)] * len(all_races)
    for _ in range(ROUNDS):
        for i, race in enumerate(all_races):
            now = in_turns({"ours": race.ours, "peer": race.peer}, seconds / ROUNDS)
            best[i] = (min(best[i][0], now["ours"]), min(best[i][1], now["peer"]))
    rows = []
    for race, times in zip(all_races, best, strict=True):
        ours, peer = (1e6 * t / n for t, n in zip(times, race.states, strict=True))
        rows.append((race.what, ours, peer, race.versus, peer / ours))
    return rows


def races() -> list[Race]:
    """All of them, from Python with NumPy arrays; most against Pinocchio on the rigid PUMA."""
    puma = load("puma")
    rng = np.random.default_rng(0)
    x = tuple(rng.normal(size=6) for _ in range(3))
    peer = Pinocchio(puma)
    aba = Call(peer.module.aba, (peer.model, peer.data, *x))
    own = [*_calls(puma, peer, x, aba), *_derivatives(puma, peer, x), *_batches(peer, aba)]
    return [*own, _cores(), *_others(puma)]


def _into(robot: Robot, what: str, x: State, **options: Any) -> Call:
    """A call that writes to an array at hand."""
    function = compile(robot, what, **options)
    return Call(function, (*x, function(*x)))


def _calls(puma: Robot, peer: Pinocchio, x: State, aba: Call) -> list[Race]:
    """One evaluation of each quantity; a flexible arm races against the rigid PUMA too."""
    pin, start, q = peer.module, (peer.model, peer.data), x[0]
    rnea, crba = Call(pin.rnea, (*start, *x)), Call(pin.crba, (*start, q))
    bent = load("canadarm-spatial")
    small = tuple(0.01 * np.random.default_rng(1).normal(size=(3, bent.nv)))
    joint = Call(pin.computeJointJacobian, (*start, q, peer.model.njoints - 1))
    label = "canadarm-spatial (15 coordinates, bending) against rigid PUMA"
    pairs = (
        ("forward dynamics, new array", Call(compile(puma, "forward_dynamics"), x), aba),
        ("forward dynamics, out=", _into(puma, "forward_dynamics", x), aba),
        ("inverse dynamics, out=", _into(puma, "inverse_dynamics", x), rnea),
        ("mass matrix, out=", _into(puma, "mass_matrix", (q,)), crba),
        ("Jacobian, out=", _into(puma, "jacobian", (q,), station="link6.origin"), joint),
        (label, _into(bent, "forward_dynamics", small), aba),
    )
    return [Race(what, mine, theirs, peer.name) for what, mine, theirs in pairs]


def _derivatives(puma: Robot, peer: Pinocchio, x: State) -> list[Race]:
    """All derivatives of a quantity in one call."""
    pin, found = peer.module, []
    theirs = {
        "forward_dynamics": pin.computeABADerivatives,
        "inverse_dynamics": pin.computeRNEADerivatives,
    }
    for what, function in theirs.items():
        plain = compile(puma, what)
        slope = plain.jacobian(*plain.arguments)
        mine, other = Call(slope, (*x, slope(*x))), Call(function, (peer.model, peer.data, *x))
        found.append(Race(f"derivatives of {what}, out=", mine, other, peer.name))
    return found


def _batches(peer: Pinocchio, aba: Call, count: int = 100_000) -> list[Race]:
    """A state in a batch on one core, against one call of the peer."""
    found = []
    for name in ("puma", "canadarm", "canadarm-spatial"):
        label = f"batch of {count}, one core: {name} against rigid PUMA"
        found.append(Race(label, _batch(name, count, 1), aba, peer.name, (count, 1)))
    return found


def _cores(count: int = 400_000) -> Race:
    """A batch on one core against the same on two."""
    one, two = (_batch("canadarm-spatial", count, n) for n in (1, 2))
    label = f"batch of {count}, canadarm-spatial: two cores against one"
    return Race(label, two, one, "one core", (count, count))


def _batch(name: str, count: int, threads: int) -> Call:
    robot = load(name)
    function = compile(robot, "forward_dynamics")
    x = tuple(0.1 * np.random.default_rng(1).normal(size=(3, count, robot.nv)))
    out = function.batch(*x, threads=threads)
    return Call(partial(function.batch, out=out, threads=threads), x)


def _others(puma: Robot) -> list[Race]:
    """Forward dynamics against MuJoCo and CasADi, where they are installed."""
    x = tuple(np.random.default_rng(0).normal(size=(3, puma.nv)))
    peers = [make(puma, x) for make in (mujoco_call, casadi_call)]
    ours = _into(puma, "forward_dynamics", x)
    return [Race("puma forward dynamics", ours, call, name) for name, call in filter(None, peers)]
