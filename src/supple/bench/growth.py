"""How time and compile time grow with the length of a chain."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ..engine import cache, compile
from ..robot import Robot
from .chains import flexible_chain, rigid_chain
from .ratios import Call, in_turns

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


@contextmanager
def _empty_cache() -> Iterator[None]:
    """Compile as on a new machine."""
    with tempfile.TemporaryDirectory() as folder, cache.kept_in(folder):
        yield


def growth_rows(seconds: float = 1.0, lengths: tuple[int, ...] = LENGTHS) -> list[Length]:
    """Scanned forward dynamics of chains of every length; rigid ones beside Pinocchio."""
    with _empty_cache():
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
    peer = 1e3 * best.get("peer", 0.0) / n
    return Length(name, n, 1e3 * best["ours"] / n, compiled, 1e3 * cached, peer)


def _found_again(robot: Robot) -> float:
    start = time.perf_counter()
    compile(robot, "forward_dynamics", unroll=False)
    return time.perf_counter() - start


def _aba(robot: Robot, x: tuple[object, ...]) -> dict[str, Call]:
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    from .ratios import pinocchio_model

    model = pinocchio_model(robot)
    return {"peer": Call(pin.aba, (model, model.createData(), *x))}
