"""Machine instructions of one evaluation: straight-line code runs each once, so counting what
LLVM wrote is exact where a clock is noisy."""

from __future__ import annotations

from ..engine import compile, llvm
from ..engine.machine import assembly_text, host
from ..model import load

ROBOTS = ("puma", "stanford", "canadarm", "canadarm-spatial")


def instruction_rows() -> list[tuple[str, str, int, int]]:
    """(robot, quantity, instructions for one state, and a state in a batch)."""
    rows = []
    lanes = host().lanes
    for name in ROBOTS:
        for what in ("forward_dynamics", "inverse_dynamics", "mass_matrix"):
            program = compile(load(name), what, loops=False).program
            one = _count(llvm.kernel(program, lanes))
            many = _count(llvm.batch(program, lanes)) - _count(llvm.kernel(program, 1))
            rows.append((name, what, one, many // llvm.states_together(program, lanes)))
    return rows


def _count(text: str) -> int:
    lines = (line.split() for line in assembly_text(text).splitlines())
    return sum(1 for words in lines if words and words[0][0] not in ".#" and words[0][-1] != ":")
