"""LLVM assembly of a program for many states.

    void batch(const double *const *in, double *out, long first, long last)
Arrays hold one state a row. A loop takes several states at once, one in each lane of its
vectors; those that are left over go one by one through `kernel`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..program import Program
from ..program_parts import ProgramPart, in_parts
from .builder import Builder
from .kernels import GIVEN, WORK, define_kernel, write_program
from .module import Module
from .rows import Rows
from .values import INDEX, POINTER, REAL, Value, bytes_of, vector

BATCH = {**GIVEN, "first": INDEX, "last": INDEX}
SHORT = 1000  # operations up to which two vectors side by side fit the instruction cache


def states_together(program: Program, lanes: int, real: str = REAL) -> int:
    """How many states a batch's loop takes at once: a short program takes two vectors of them,
    up to 64 bytes, so that one works while the other waits."""
    most = max(lanes, min(2 * lanes, 64 // bytes_of(real)))
    return most if program.arithmetic <= SHORT else lanes


@dataclass(frozen=True)
class _Width:
    """How many numbers a register holds, how many states go through the loop at once, and the type
    of numbers."""

    program: Program
    lanes: int
    real: str

    @property
    def states(self) -> int:
        return states_together(self.program, self.lanes, self.real)


def batch(program: Program, lanes: int, real: str = REAL) -> str:
    """Assembly of `batch`; the module has its own copy of `kernel` for the remainder."""
    module, width = Module(), _Width(program, lanes, real)
    define_kernel(module, program, 1, real, internal=True)
    parts, size = in_parts(program)
    if len(parts) > 1:
        _define_parts(module, width, parts)
    with module.function("batch", BATCH) as (b, (inputs, out, first, last)):
        one = b.room(POINTER, len(program.sizes))
        work = b.room(real, size * width.states, align=64)
        arrays = argument_pointers(b, inputs, len(program.sizes))
        with b.for_range(first, b.sub(last, width.states - 1), width.states) as loop:
            if len(parts) == 1:
                _States(b, width, arrays, out, work, loop.index).write(parts[0])
            for k in range(len(parts) if len(parts) > 1 else 0):
                b.call(f"@wide{k}", inputs, out, work, loop.index)
        with b.for_range(loop.stopped, last) as rest:
            _one_state(b, width, arrays, one, out, rest.index)
    return module.text()


def argument_pointers(b: Builder, inputs: Value, count: int) -> list[Value]:
    """Where the arrays of the arguments are."""
    return [b.load(POINTER, b.at(inputs, i, POINTER)) for i in range(count)]


def rows_of_state(
    b: Builder, arrays: Sequence[Value], sizes: Sequence[int], state: Value, real: str = REAL
) -> list[Value]:
    """Where the numbers of one state begin in each array."""
    pairs = zip(arrays, sizes, strict=True)
    return [b.at(array, b.mul(state, size), real) for array, size in pairs]


def _one_state(
    b: Builder, width: _Width, arrays: list[Value], one: Value, out: Value, state: Value
) -> None:
    program, real = width.program, width.real
    for i, row in enumerate(rows_of_state(b, arrays, program.sizes, state, real)):
        b.store(row, b.at(one, i, POINTER))
    b.call("@kernel", one, b.at(out, b.mul(state, len(program.outputs)), real))


def _define_parts(module: Module, width: _Width, parts: Sequence[ProgramPart]) -> None:
    """A function for each part of a long program."""
    given = {**GIVEN, **WORK, "state": INDEX}
    for k, part in enumerate(parts):
        with module.function(f"wide{k}", given, internal=True, inline=False) as (b, at):
            inputs, out, work, state = at
            arrays = argument_pointers(b, inputs, len(width.program.sizes))
            _States(b, width, arrays, out, work, state).write(part)


class _States:
    """Some states, from one on, side by side in the lanes of vectors."""

    def __init__(
        self,
        b: Builder,
        width: _Width,
        arrays: Sequence[Value],
        out: Value,
        work: Value,
        first: Value,
    ) -> None:
        program, lanes, states = width.program, width.lanes, width.states
        self.b, self.work, self.align, self.states = b, work, bytes_of(width.real) * lanes, states
        self.real, self.kind = width.real, vector(width.real, states)
        self.inputs = [
            Rows(b, array, size, first, lanes, self.kind)
            for array, size in zip(arrays, program.sizes, strict=True)
        ]
        self.out = Rows(b, out, len(program.outputs), first, lanes, self.kind)

    def write(self, part: ProgramPart) -> None:
        b, results = self.b, {}

        def load(argument: int, place: int) -> Value:
            if argument == part.work:
                return b.load(self.kind, self._kept(place), self.align)
            return self.inputs[argument].read(place)

        values = write_program(b, part.program, load, self.kind)
        for (area, place), value in zip(part.targets, values, strict=True):
            if area == "out":
                results[place] = value
            else:
                b.store(value, self._kept(place), self.align)
        self.out.write(results)

    def _kept(self, place: int) -> Value:
        return self.b.at(self.work, place * self.states, self.real)
