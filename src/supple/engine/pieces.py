"""A long program cut into pieces, each a program of its own.

The time LLVM takes for one stretch of code grows faster than its length; pieces keep it in
proportion. What one piece makes and a later one needs goes through a work space, whose places
are used again once nothing needs them any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .graph import Key
from .program import Output, Program

MOST = 10_000  # operations of a piece: shorter ones run slower, longer ones compile slower


@dataclass(frozen=True)
class Piece:
    """A program whose last argument is the work space; each output goes to a place in the
    results ("out") or in the work space ("work")."""

    program: Program
    targets: tuple[tuple[str, int], ...]

    @property
    def work(self) -> int:
        """Which argument is the work space."""
        return len(self.program.sizes) - 1


def pieces(program: Program, most: int = MOST) -> tuple[list[Piece], int]:
    """The program's pieces in order, and how many numbers the work space holds."""
    count = max(1, -(-len(program.ops) // most))
    edges = [len(program.ops) * k // count for k in range(count + 1)]
    home = {n: k for k in range(count) for n in range(edges[k], edges[k + 1])}
    last = _last_use(program, home)
    place, size = _places(program, home, last, edges)
    results = _results(program, home, count)
    made = [
        _piece(program, range(edges[k], edges[k + 1]), place, results[k], size)
        for k in range(count)
    ]
    return made, size


def _operands(key: Key) -> Iterator[int]:
    op, a, b = key
    if op not in ("input", "const"):
        yield int(a)
        if b >= 0:
            yield b


def _is_leaf(key: Key) -> bool:
    return key[0] in ("input", "const")


def _last_use(program: Program, home: dict[int, int]) -> dict[int, int]:
    """The last piece that needs each value."""
    last: dict[int, int] = {}
    for n, key in enumerate(program.ops):
        for x in _operands(key):
            last[x] = home[n]
    return last


def _places(
    program: Program, home: dict[int, int], last: dict[int, int], edges: list[int]
) -> tuple[dict[int, int], int]:
    """A place in the work space for every value that outlives its piece."""
    place: dict[int, int] = {}
    free: list[int] = []
    leaving: dict[int, list[int]] = {}
    size = 0
    for k in range(len(edges) - 1):
        for n in range(edges[k], edges[k + 1]):
            if _is_leaf(program.ops[n]) or last.get(n, home[n]) == home[n]:
                continue
            if free:
                place[n] = free.pop()
            else:
                place[n], size = size, size + 1
            leaving.setdefault(last[n], []).append(place[n])
        free += leaving.pop(k, [])
    return place, size


def _results(program: Program, home: dict[int, int], count: int) -> list[list[tuple[int, Output]]]:
    """(place, value) of the results each piece gives; numbers and inputs come with the last."""
    out: list[list[tuple[int, Output]]] = [[] for _ in range(count)]
    for k, x in enumerate(program.outputs):
        known = isinstance(x, float) or _is_leaf(program.ops[x])
        out[-1 if known else home[int(x)]].append((k, x))
    return out


def _piece(
    program: Program,
    span: range,
    place: dict[int, int],
    results: list[tuple[int, Output]],
    size: int,
) -> Piece:
    number: dict[int, int] = {}
    ops: list[Key] = []

    def at(n: int) -> int:
        if n not in number:
            key = program.ops[n]
            if not _is_leaf(key):
                key = ("input", len(program.sizes), place[n])
            number[n] = len(ops)
            ops.append(key)
        return number[n]

    for n in span:
        op, a, b = program.ops[n]
        if op in ("input", "const"):
            continue
        key: Key = (op, at(int(a)), at(b) if b >= 0 else -1)
        number[n] = len(ops)
        ops.append(key)
    kept = [n for n in span if n in place]
    outputs = [x if isinstance(x, float) else at(x) for _, x in results]
    outputs += [number[n] for n in kept]
    targets = [("out", k) for k, _ in results] + [("work", place[n]) for n in kept]
    return Piece(Program(tuple(ops), tuple(outputs), (*program.sizes, size)), tuple(targets))
