"""Machine instructions of one evaluation: straight-line code runs each once, so counting what
LLVM wrote is exact where a clock is noisy."""

from __future__ import annotations

from supple.engine import compile
from supple.model import load
from supple.tracer import host
from supple.tracer.llvm.batches import batch, states_together
from supple.tracer.llvm.kernels import kernel
from supple.tracer.machine import assembly_text

from .table import Table

ROBOTS = ("puma", "stanford", "canadarm", "canadarm-spatial")


def study(_: float) -> list[Table]:
    columns = ("robot", "quantity", "instructions", "a state in a batch")
    note = f"For the processor that LLVM calls {host().cpu}, {host().lanes} numbers a register."
    return [Table(columns, [*instruction_rows()], (note,))]


def instruction_rows() -> list[tuple[str, str, int, int]]:
    """(robot, quantity, instructions for one state, and a state in a batch)."""
    rows = []
    lanes = host().lanes
    for name in ROBOTS:
        for what in ("forward_dynamics", "inverse_dynamics", "mass_matrix"):
            program = compile(load(name), what, unroll=True).program
            one = _count(kernel(program, lanes))
            many = _count(batch(program, lanes)) - _count(kernel(program, 1))
            rows.append((name, what, one, many // states_together(program, lanes)))
    return rows


def _count(text: str) -> int:
    lines = (line.split() for line in assembly_text(text).splitlines())
    return sum(1 for words in lines if words and words[0][0] not in ".#" and words[0][-1] != ":")
