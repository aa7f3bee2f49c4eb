"""A long program cut into parts, each a program of its own.

The time LLVM takes for one stretch of code grows faster than its length; parts keep it in
proportion. What one part makes and a later one needs goes through a work space, whose places
are used again once nothing needs them any more.
"""

from __future__ import annotations

from dataclasses import dataclass

from .operations import LEAVES, Key, operands, renumbered
from .program import Output, Program

MOST = 10_000  # operations of a part: shorter ones run slower, longer ones compile slower


@dataclass(frozen=True)
class ProgramPart:
    """A program whose last argument is the work space; each output goes to a place in the
    results ("out") or in the work space ("work")."""

    program: Program
    targets: tuple[tuple[str, int], ...]

    @property
    def work(self) -> int:
        """Which argument is the work space."""
        return len(self.program.sizes) - 1


def in_parts(program: Program, most: int | None = None) -> tuple[list[ProgramPart], int]:
    """The program's parts in order, and how many numbers the work space holds."""
    count = max(1, -(-len(program.ops) // (most or MOST)))
    if count == 1:
        whole = Program(program.ops, program.outputs, (*program.sizes, 0))
        return [ProgramPart(whole, tuple([("out", k) for k in range(len(program.outputs))]))], 0
    edges = [len(program.ops) * k // count for k in range(count + 1)]
    home = {n: k for k in range(count) for n in range(edges[k], edges[k + 1])}
    last = _last_use(program, home)
    place, size = _places(program, home, last, edges)
    results = _results(program, home, count)
    made = [
        _part(program, range(edges[k], edges[k + 1]), place, results[k], size) for k in range(count)
    ]
    return made, size


def _last_use(program: Program, home: dict[int, int]) -> dict[int, int]:
    """The last part that needs each value."""
    last: dict[int, int] = {}
    for n, key in enumerate(program.ops):
        for x in operands(key):
            last[x] = home[n]
    return last


def _places(
    program: Program, home: dict[int, int], last: dict[int, int], edges: list[int]
) -> tuple[dict[int, int], int]:
    """A place in the work space for every value that outlives its part."""
    place: dict[int, int] = {}
    free: list[int] = []
    leaving: dict[int, list[int]] = {}
    size = 0
    for k in range(len(edges) - 1):
        for n in range(edges[k], edges[k + 1]):
            if program.ops[n][0] in LEAVES or last.get(n, home[n]) == home[n]:
                continue
            if free:
                place[n] = free.pop()
            else:
                place[n], size = size, size + 1
            leaving.setdefault(last[n], []).append(place[n])
        free += leaving.pop(k, [])
    return place, size


def _results(program: Program, home: dict[int, int], count: int) -> list[list[tuple[int, Output]]]:
    """(place, value) of the results each part gives; numbers and inputs come with the last."""
    out: list[list[tuple[int, Output]]] = [[] for _ in range(count)]
    for k, x in enumerate(program.outputs):
        known = isinstance(x, float) or program.ops[x][0] in LEAVES
        out[-1 if known else home[int(x)]].append((k, x))
    return out


def _part(
    program: Program,
    span: range,
    place: dict[int, int],
    results: list[tuple[int, Output]],
    size: int,
) -> ProgramPart:
    number: dict[int, int] = {}
    ops: list[Key] = []

    def at(n: int) -> int:
        if n not in number:
            key = program.ops[n]
            if key[0] not in LEAVES:
                key = ("input", len(program.sizes), place[n])
            number[n] = len(ops)
            ops.append(key)
        return number[n]

    for n in span:
        key = program.ops[n]
        if key[0] in LEAVES:
            continue
        for k in operands(key):
            at(k)
        number[n] = len(ops)
        ops.append(renumbered(key, number))
    kept = [n for n in span if n in place]
    outputs = [x if isinstance(x, float) else at(x) for _, x in results]
    outputs += [number[n] for n in kept]
    targets = [("out", k) for k, _ in results] + [("work", place[n]) for n in kept]
    return ProgramPart(Program(tuple(ops), tuple(outputs), (*program.sizes, size)), tuple(targets))
