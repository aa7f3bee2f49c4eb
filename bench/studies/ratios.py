"""Times against other programs: the same work, in turns, in one run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from supple.analyse import Call, in_turns
from supple.analyse.stopwatch import Repeatable
from supple.engine import compile
from supple.model import load
from supple.robot import Robot

from .peers import Pinocchio, casadi_call, casadi_native_call, mujoco_call
from .pinocchio_native import NativePinocchio, compiled
from .table import Table

COLUMNS = ("what", "ours [µs]", "peer [µs]", "peer", "times faster")
NATIVE = ("from C++ [µs]", "than from C++")
ROUNDS = 4  # times that each race comes, so that a slow spell of the machine spoils none

State = tuple[Any, ...]


@dataclass(frozen=True)
class Race:
    """Two calls to compare; `states` says how many states ours (and the peer's) takes a call;
    `native`: ways to call the peer from C++, of which the fastest counts."""

    what: str
    ours: Call
    peer: Call
    versus: str
    states: tuple[float, float] = (1, 1)
    native: tuple[Repeatable, ...] = ()


def study(seconds: float) -> list[Table]:
    return [Table((*COLUMNS, *NATIVE), measured(races(), seconds), (_note(),))]


def _note() -> str:
    found = compiled()
    why = f"no figures, for {found}" if isinstance(found, str) else "the library of its wheel"
    return (
        "Ours and `peer` are called from Python. From C++: Pinocchio without Python "
        f"({why}), the faster of its two conventions, beside ours from Python all the same. "
        "CasADi evaluates the graph that Supple traced."
    )


def measured(all_races: list[Race], seconds: float) -> list[tuple[Any, ...]]:
    """Best microseconds a state of all races, run in rounds, and how many times faster."""
    best: list[dict[str, float]] = [{} for _ in all_races]
    for _ in range(ROUNDS):
        for i, race in enumerate(all_races):
            calls: dict[str, Repeatable] = {"ours": race.ours, "peer": race.peer}
            calls |= {f"native {k}": call for k, call in enumerate(race.native)}
            now = in_turns(calls, seconds / ROUNDS)
            best[i] = {name: min(t, best[i].get(name, np.inf)) for name, t in now.items()}
    return [_row(race, times) for race, times in zip(all_races, best, strict=True)]


def _row(race: Race, times: dict[str, float]) -> tuple[Any, ...]:
    ours, peer = (
        1e6 * times[who] / n for who, n in zip(("ours", "peer"), race.states, strict=True)
    )
    native = [1e6 * t / race.states[1] for name, t in times.items() if name.startswith("native")]
    more = (min(native), min(native) / ours) if native else ("", "")
    return (race.what, ours, peer, race.versus, peer / ours, *more)


def races() -> list[Race]:
    """All of them, from Python with NumPy arrays; most against Pinocchio on the rigid PUMA."""
    puma = load("puma")
    rng = np.random.default_rng(0)
    x = tuple(rng.normal(size=6) for _ in range(3))
    peer = Pinocchio(puma)
    aba = Call(peer.module.aba, (peer.model, peer.data, *x))
    native = Natives(puma, x)
    own = [*_calls(puma, peer, x, aba, native), *_derivatives(puma, peer, x, native)]
    own += _batches(peer, aba, native)
    return [*own, _cores(), *_others(puma)]


class Natives:
    """The peer from C++, seen to compute the same; nothing where it cannot be compiled."""

    def __init__(self, robot: Robot, x: State) -> None:
        self.peer = None if isinstance(compiled(), str) else NativePinocchio(robot, x)
        if self.peer is not None:
            self.peer.check(Pinocchio(robot), x)

    def __call__(self, what: str) -> tuple[Repeatable, ...]:
        return () if self.peer is None else self.peer.calls(what)


def _into(robot: Robot, what: str, x: State, **options: Any) -> Call:
    """A call that writes to an array at hand."""
    function = compile(robot, what, **options)
    return Call(function, (*x, function(*x)))


def _calls(puma: Robot, peer: Pinocchio, x: State, aba: Call, native: Natives) -> list[Race]:
    """One evaluation of each quantity; a flexible arm races against the rigid PUMA too."""
    pin, start, q = peer.module, (peer.model, peer.data), x[0]
    rnea, crba = Call(pin.rnea, (*start, *x)), Call(pin.crba, (*start, q))
    bent = load("canadarm-spatial")
    small = tuple(0.01 * np.random.default_rng(1).normal(size=(3, bent.nv)))
    joint = Call(pin.computeJointJacobian, (*start, q, peer.model.njoints - 1))
    label = "canadarm-spatial (15 coordinates, bending) against rigid PUMA"
    pairs = (
        ("forward dynamics, new array", Call(compile(puma, "forward_dynamics"), x), aba, "aba"),
        ("forward dynamics, out=", _into(puma, "forward_dynamics", x), aba, "aba"),
        ("inverse dynamics, out=", _into(puma, "inverse_dynamics", x), rnea, "rnea"),
        ("mass matrix, out=", _into(puma, "mass_matrix", (q,)), crba, "crba"),
        (
            "Jacobian, out=",
            _into(puma, "jacobian", (q,), station="link6.origin"),
            joint,
            "jacobian",
        ),
        (label, _into(bent, "forward_dynamics", small), aba, "aba"),
    )
    return [
        Race(what, mine, theirs, peer.name, native=native(name))
        for what, mine, theirs, name in pairs
    ]


def _derivatives(puma: Robot, peer: Pinocchio, x: State, native: Natives) -> list[Race]:
    """All derivatives of a quantity in one call."""
    pin, found = peer.module, []
    theirs = {
        "forward_dynamics": (pin.computeABADerivatives, "dFD"),
        "inverse_dynamics": (pin.computeRNEADerivatives, "dID"),
    }
    for what, (function, name) in theirs.items():
        plain = compile(puma, what)
        slope = plain.jacobian(*plain.arguments)
        mine, other = Call(slope, (*x, slope(*x))), Call(function, (peer.model, peer.data, *x))
        label = f"derivatives of {what}, out="
        found.append(Race(label, mine, other, peer.name, native=native(name)))
    return found


def _batches(peer: Pinocchio, aba: Call, native: Natives, count: int = 100_000) -> list[Race]:
    """A state in a batch on one core, against one call of the peer."""
    found = []
    for name in ("puma", "canadarm", "canadarm-spatial"):
        label = f"batch of {count}, one core: {name} against rigid PUMA"
        batch = _batch(name, count, 1)
        found.append(Race(label, batch, aba, peer.name, (count, 1), native("aba")))
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
    peers = [make(puma, x) for make in (mujoco_call, casadi_call, casadi_native_call)]
    ours = _into(puma, "forward_dynamics", x)
    return [Race("puma forward dynamics", ours, call, name) for name, call in filter(None, peers)]
