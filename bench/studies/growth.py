"""How time and compile time grow with the length of a chain."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from supple.analyse import Call, in_turns
from supple.analyse.cost import empty_cache
from supple.engine import compile
from supple.robot import Robot

from .chains import flexible_chain, rigid_chain
from .peers import pinocchio_model
from .table import Table

LENGTHS = (10, 30, 100, 300, 1000)
PEER = 300  # Pinocchio's data hold tensors of links^3: 1000 links need 32 GB
CHAINS: dict[str, Callable[[int], Robot]] = {"rigid": rigid_chain, "flexible": flexible_chain}


@dataclass(frozen=True)
class Length:
    """A chain: nanoseconds a link of one forward dynamics, seconds to compile it, and
    milliseconds to find it compiled."""

    chain: str
    links: int
    nanoseconds: float
    compile_s: float
    cached_ms: float
    peer: float = 0.0  # the peer's nanoseconds a link, for rigid chains


def study(seconds: float) -> list[Table]:
    columns = ("chain", "links", "ns a link", "Pinocchio", "faster", "compile [s]", "found [ms]")
    rows = []
    for r in growth_rows(seconds):
        peer = (r.peer, r.peer / r.nanoseconds) if r.peer else ("", "")
        rows.append((r.chain, r.links, r.nanoseconds, *peer, r.compile_s, r.cached_ms))
    return [Table(columns, rows)]


def growth_rows(seconds: float = 1.0, lengths: tuple[int, ...] = LENGTHS) -> list[Length]:
    """Scanned forward dynamics of chains of every length; rigid ones beside Pinocchio."""
    with empty_cache():
        compile(rigid_chain(2), "forward_dynamics")  # LLVM starts
        return [_length(name, n, seconds) for name in CHAINS for n in lengths]


def _length(name: str, n: int, seconds: float) -> Length:
    robot = CHAINS[name](n)
    start = time.perf_counter()
    function = compile(robot, "forward_dynamics", unroll=False)
    compiled = time.perf_counter() - start
    cached = min(_found_again(robot) for _ in range(3))
    x = tuple(0.01 * np.random.default_rng(0).normal(size=(3, robot.nv)))
    calls = {"ours": Call(function, (*x, function(*x)))}
    if name == "rigid" and n <= PEER:
        calls |= _aba(robot, x)
    best = in_turns(calls, seconds)
    peer = 1e9 * best.get("peer", 0.0) / n
    return Length(name, n, 1e9 * best["ours"] / n, compiled, 1e3 * cached, peer)


def _found_again(robot: Robot) -> float:
    start = time.perf_counter()
    compile(robot, "forward_dynamics", unroll=False)
    return time.perf_counter() - start


def _aba(robot: Robot, x: tuple[object, ...]) -> dict[str, Call]:
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    model = pinocchio_model(robot)
    return {"peer": Call(pin.aba, (model, model.createData(), *x))}
