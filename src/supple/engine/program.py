"""A program: the live part of a graph, numbered from zero, ready for any back end."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..types import Array, Scalar
from .graph import Expression, Graph, Key

Output = int | float
"""A node's number, or a constant."""


@dataclass(frozen=True)
class Program:
    """Operations in order; inputs are ("input", argument, place), constants ("const", value)."""

    ops: tuple[Key, ...]
    outputs: tuple[Output, ...]
    sizes: tuple[int, ...]

    @cached_property
    def count(self) -> dict[str, int]:
        """How many of each operation."""
        out: dict[str, int] = {}
        for op, _, _ in self.ops:
            out[op] = out.get(op, 0) + 1
        return out

    @property
    def arithmetic(self) -> int:
        """Multiplications, additions and divisions."""
        return sum(self.count.get(op, 0) for op in ("*", "+", "-", "1/"))

    def operations(self) -> dict[str, int]:
        """The numbers the papers count."""
        n = self.count.get
        return {
            "multiplications": n("*", 0),
            "additions": n("+", 0) + n("-", 0),
            "divisions": n("1/", 0),
            "sincos": len({a for op, a, _ in self.ops if op in ("sin", "cos")}),
            "other": n("sqrt", 0) + n("tanh", 0),
        }

    @cached_property
    def digest(self) -> str:
        """A hash of what the program computes."""
        h = hashlib.sha256(repr(self.sizes).encode())
        for op, a, b in self.ops:
            value = struct.pack("<d", a) if op == "const" else struct.pack("<q", int(a))
            h.update(op.encode() + value + struct.pack("<q", b))
        for x in self.outputs:
            h.update(struct.pack("<d", x) if isinstance(x, float) else struct.pack("<q", x))
        return h.hexdigest()


def program(graph: Graph, outputs: Sequence[Scalar], inputs: Sequence[Array]) -> Program:
    """What the outputs need of the graph, dead code left out."""
    where = {x.number: (i, k) for i, array in enumerate(inputs) for k, x in enumerate(array)}
    need = graph.live(outputs)
    number: dict[int, int] = {}
    ops: list[Key] = []
    for n, (op, a, b) in enumerate(graph.keys):
        if not need[n]:
            continue
        number[n] = len(ops)
        if op == "input":
            ops.append(("input", *where[n]))
        elif op == "const":
            ops.append((op, a, b))
        else:
            ops.append((op, number[int(a)], number[b] if b >= 0 else -1))
    ends: list[Output] = [
        number[x.number] if isinstance(x, Expression) else float(x) for x in outputs
    ]
    return Program(tuple(ops), tuple(ends), tuple(len(array) for array in inputs))
