"""LLVM assembly of a program for one state.

    void kernel(const double *const *in, double *out)
`in` points to one pointer for each argument. With lanes, every number is a vector of as many, one
state in each lane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ..operations import LEAVES, OPERATIONS, operands
from ..program import Program
from ..program_parts import ProgramPart, in_parts
from .builder import Builder
from .elementary import fused, know_sincos, sincos
from .module import Module
from .values import POINTER, REAL, Value, constant, vector

GIVEN = {"in": "ptr noalias readonly", "out": "ptr noalias"}
WORK = {"work": "ptr noalias"}
"""Work space, where the parts of a long program leave what later ones need."""

Load = Callable[[int, int], Value]
"""(argument, place) -> its value."""


class _Values(dict[int, Value]):
    """Values of a program's operations; an input is loaded where it is first asked for."""

    def __init__(self, program: Program, load: Load) -> None:
        self.program, self.load = program, load

    def __missing__(self, n: int) -> Value:
        _, argument, place = self.program.ops[n]
        self[n] = self.load(int(argument), place)
        return self[n]


Prepare = Callable[[Mapping[int, Value]], None]
"""Given the program's inputs, writes what its operations then find known."""


def write_program(
    b: Builder, program: Program, load: Load, kind: str = REAL, prepare: Prepare | None = None
) -> list[Value]:
    """Instructions of all operations, and the values of the outputs; `kind` is the type they
    work on.

    Which products are fused into sums is decided here, so that a state has the same results, to
    the last bit, alone and in any lane of a vector; LLVM would decide it for each type anew."""
    at = _Values(program, load)
    if prepare is not None:
        prepare(at)
    emit = {name: row.emit for name, row in OPERATIONS.items()}
    taken = _products_taken(program)
    products = {*taken.values()}
    for n, (op, first, second) in enumerate(program.ops):
        if op == "const":
            at[n] = constant(float(first), kind)
        elif n in taken:
            (_, x, y), leads = program.ops[taken[n]], first == taken[n]
            at[n] = _fused_sum(b, op, at[x], at[y], at[second if leads else first], leads)
        elif op != "input" and n not in products:
            write = emit[op]
            at[n] = write(b, at[first]) if second < 0 else write(b, at[first], at[second])
    return [constant(x, kind) if isinstance(x, float) else at[x] for x in program.outputs]


def _products_taken(program: Program) -> dict[int, int]:
    """Sums and differences, each with the product that it takes in: one that nothing else needs."""
    uses = Counter(k for key in program.ops if key[0] not in LEAVES for k in operands(key))
    uses.update(x for x in program.outputs if not isinstance(x, float))
    out = {}
    for n, (op, *pair) in enumerate(program.ops):
        if op in ("+", "-"):
            single = [k for k in pair if program.ops[k][0] == "*" and uses[k] == 1]
            if single:
                out[n] = single[0]
    return out


def _fused_sum(b: Builder, op: str, x: Value, y: Value, other: Value, leads: bool) -> Value:
    """x y + other, x y - other or other - x y; whether the product comes first."""
    if op == "+":
        return fused(b, x, y, other)
    return fused(b, x, y, b.fneg(other)) if leads else fused(b, b.fneg(x), y, other)


def _angles_together(b: Builder, angles: Sequence[Value], pack: int) -> None:
    """Sines and cosines of angles, several in one vector."""
    for start in range(0, len(angles), pack):
        group = angles[start : start + pack]
        v = Value("zeroinitializer", vector(group[0].type, pack))
        for lane, x in enumerate(group):
            v = b.insert(v, x, lane)
        sines, cosines = sincos(b, v)
        for lane, x in enumerate(group):
            know_sincos(b, x, (b.extract(sines, lane), b.extract(cosines, lane)))


def kernel(program: Program, pack: int, lanes: int = 1, real: str = REAL) -> str:
    """Assembly of `kernel`; numbers are of the type `real`."""
    module = Module()
    define_kernel(module, program, pack if lanes == 1 else 1, vector(real, lanes))
    return module.text()


def define_kernel(
    module: Module, program: Program, pack: int, kind: str = REAL, internal: bool = False
) -> None:
    """`kind`: what stands for a number, a vector where states stand side by side."""
    parts, size = in_parts(program)
    for k, part in enumerate(parts if len(parts) > 1 else ()):
        given = {**GIVEN, **WORK}
        with module.function(f"part{k}", given, internal=True, inline=False) as (b, at):
            _write_part(b, part, pack, kind, *at)
    with module.function("kernel", GIVEN, internal=internal) as (b, (inputs, out)):
        if len(parts) == 1:
            _write_part(b, parts[0], pack, kind, inputs, out, out)
            return
        work = b.room(kind, size, align=64)
        for k in range(len(parts)):
            b.call(f"@part{k}", inputs, out, work)


def _write_part(
    b: Builder, part: ProgramPart, pack: int, kind: str, inputs: Value, out: Value, work: Value
) -> None:
    arrays = {part.work: work}

    def load(argument: int, place: int) -> Value:
        if argument not in arrays:
            arrays[argument] = b.load(POINTER, b.at(inputs, argument, POINTER))
        return b.load(kind, b.at(arrays[argument], place, kind))

    def prepare(at: Mapping[int, Value]) -> None:
        angles = part.program.angles
        if pack > 1 and len(angles) > 1:
            _angles_together(b, [at[n] for n in angles], pack)

    values = write_program(b, part.program, load, kind, prepare)
    for (area, place), value in zip(part.targets, values, strict=True):
        b.store(value, b.at(out if area == "out" else work, place, kind))
