"""A program: the live part of a graph, numbered from zero, ready for any back end."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, compress

import numpy as np
from numpy.typing import NDArray

from ..lazy import cached_property
from ..types import Array, Scalar
from .graph import Expression, Graph
from .operations import Key, is_wave, operands, operation_counts, renumbered

Output = int | float
"""A node's number, or a constant."""


@dataclass(frozen=True)
class Program:
    """Operations in order; inputs are ("input", argument, place), constants ("const", value)."""

    ops: tuple[Key, ...]
    outputs: tuple[Output, ...]
    sizes: tuple[int, ...]

    @property
    def arithmetic(self) -> int:
        """Multiplications, additions and divisions."""
        n = self.operations()
        return n["multiplications"] + n["additions"] + n["divisions"]

    def operations(self) -> dict[str, int]:
        """The numbers the papers count."""
        return operation_counts(self.ops)

    @cached_property
    def angles(self) -> list[int]:
        """Inputs whose sine or cosine is taken, in order."""
        taken = {key[1] for key in self.ops if is_wave(key)}
        return sorted(n for n in taken if self.ops[n][0] == "input")

    @cached_property
    def digest(self) -> str:
        """A hash of what the program computes."""
        h = hashlib.sha256(repr(self.sizes).encode())
        for op, a, b in self.ops:
            value = struct.pack("<d", a) if op == "const" else struct.pack("<q", a)
            h.update(op.encode() + value + struct.pack("<q", b))
        for x in self.outputs:
            h.update(struct.pack("<d", x) if isinstance(x, float) else struct.pack("<q", x))
        return h.hexdigest()


def dependence(of: Program, arguments: Sequence[int]) -> NDArray[np.bool_]:
    """(outputs, numbers of these arguments): which output looks at which number."""
    sizes = [of.sizes[i] for i in arguments]
    start = dict(zip(arguments, [0, *accumulate(sizes)], strict=False))
    seen: list[int] = []  # a bit for each number
    for key in of.ops:
        if key[0] == "input":
            argument, place = int(key[1]), int(key[2])
            seen.append(1 << (start[argument] + place) if argument in start else 0)
        else:
            bits = 0
            for k in operands(key):
                bits |= seen[k]
            seen.append(bits)
    out = np.zeros((len(of.outputs), sum(sizes)), dtype=bool)
    for i, x in enumerate(of.outputs):
        bits = 0 if isinstance(x, float) else seen[x]
        out[i] = [bool(bits >> k & 1) for k in range(out.shape[1])]
    return out


def program(graph: Graph, outputs: Sequence[Scalar], inputs: Sequence[Array]) -> Program:
    """What the outputs need of the graph, dead code left out."""
    where = {x.number: (i, k) for i, array in enumerate(inputs) for k, x in enumerate(array)}
    need = graph.live(outputs)
    swapped = _swapped(graph, outputs, list(compress(range(len(need)), need)))
    gone = set(swapped.values())
    number: dict[int, int] = {}
    ops: list[Key] = []
    for n in compress(range(len(need)), need):
        if n in gone:
            continue
        key = graph.keys[swapped.get(n, n)]
        if n in swapped:
            key = (key[0], key[2], int(key[1]))
        number[n] = len(ops)
        ops.append(("input", *where[n]) if key[0] == "input" else renumbered(key, number))
    ends: list[Output] = [
        number[x.number] if isinstance(x, Expression) else float(x) for x in outputs
    ]
    return Program(tuple(ops), tuple(ends), tuple(len(array) for array in inputs))


def _swapped(graph: Graph, outputs: Sequence[Scalar], alive: Sequence[int]) -> dict[int, int]:
    """Negatives of differences that nothing else takes, with the difference: -(a - b) = b - a."""
    keys = graph.keys
    taken = {k for n in alive if keys[n][0] != "neg" for k in operands(keys[n])}
    taken |= {x.number for x in outputs if isinstance(x, Expression)}
    negatives = [n for n in alive if keys[n][0] == "neg"]
    return {
        n: int(keys[n][1])
        for n in negatives
        if keys[int(keys[n][1])][0] == "-" and keys[n][1] not in taken
    }
