"""LLVM assembly of a program: one state, or SIMD lanes over many.

    void kernel(const double *const *in, double *out)
    void batch(const double *const *in, double *out, long first, long last)
A batch's arrays hold one state a row. Its loop takes `lanes` states at once; what is left
over goes through `kernel`. `in` points to one pointer for each argument.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

from .pieces import Piece, pieces
from .program import Program

_BINARY = {"+": "fadd", "-": "fsub", "*": "fmul"}
_FAST = "contract nsz"

# pi/2 in three parts: 1.5707..., and what it leaves out, twice
_HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)
_SINE = (
    1.58969099521155010221e-10,
    -2.50507602534068634195e-08,
    2.75573137070700676789e-06,
    -1.98412698298579493134e-04,
    8.33333333332248946124e-03,
    -1.66666666666666324348e-01,
)
_COSINE = (
    -1.13596475577881948265e-11,
    2.08757232129817482790e-09,
    -2.75573143513906633035e-07,
    2.48015872894767294178e-05,
    -1.38888888888741095749e-03,
    4.16666666666666019037e-02,
)
_TANH = (  # (tanh x - x) / x^3 in powers of x^2
    -929569 / 638512875,
    21844 / 6081075,
    -1382 / 155925,
    62 / 2835,
    -17 / 315,
    2 / 15,
    -1 / 3,
)
_FAR = 1e15
_ROUND = 6755399441055744.0  # 1.5 x 2^52: adding it rounds to a whole number


def literal(value: float) -> str:
    """A double as LLVM writes it, to the last bit."""
    if not math.isfinite(value):
        raise ValueError(f"a constant of the equations is {value}")
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


class Writer:
    """Writes instructions on doubles, or on vectors of `lanes` doubles."""

    def __init__(self, lanes: int = 1, prefix: str = "t") -> None:
        self.lanes = lanes
        self.prefix = prefix
        self.lines: list[str] = []
        self.made = 0
        self.real = "double" if lanes == 1 else f"<{lanes} x double>"
        self.whole = "i64" if lanes == 1 else f"<{lanes} x i64>"
        self.truth = "i1" if lanes == 1 else f"<{lanes} x i1>"
        self.suffix = "f64" if lanes == 1 else f"v{lanes}f64"

    def new(self, text: str) -> str:
        name = f"%{self.prefix}{self.made}"
        self.made += 1
        self.lines.append(f"{name} = {text}")
        return name

    def do(self, text: str) -> None:
        self.lines.append(text)

    def constant(self, value: float) -> str:
        if self.lanes == 1:
            return literal(value)
        return "<" + ", ".join([f"double {literal(value)}"] * self.lanes) + ">"

    def not_a_number(self) -> str:
        one = "0x7FF8000000000000"
        return one if self.lanes == 1 else "<" + ", ".join([f"double {one}"] * self.lanes) + ">"

    def integer(self, value: int) -> str:
        if self.lanes == 1:
            return str(value)
        return "<" + ", ".join([f"i64 {value}"] * self.lanes) + ">"

    def binary(self, op: str, a: str, b: str) -> str:
        return self.new(f"{_BINARY[op]} {_FAST} {self.real} {a}, {b}")

    def fma(self, a: str, b: str, c: str, exact: bool = False) -> str:
        """a b + c: fused where the machine can; always fused (if slow) when exact."""
        kind = "fma" if exact else "fmuladd"
        t = self.real
        return self.new(f"call {t} @llvm.{kind}.{self.suffix}({t} {a}, {t} {b}, {t} {c})")

    def unary(self, name: str, x: str) -> str:
        return self.new(f"call {self.real} @llvm.{name}.{self.suffix}({self.real} {x})")

    def reciprocal(self, x: str) -> str:
        return self.new(f"fdiv {self.real} {self.constant(1.0)}, {x}")

    def sincos(self, x: str) -> tuple[str, str]:
        """Sine and cosine, within 2 ulp for |x| up to 1e8 (in fact to 1e14); NaN beyond 1e15,
        where a double holds no fraction of a turn.

        k = nearest whole number to 2 x / pi, r = x - k pi/2 exactly (three fused steps), two
        polynomials in r^2, and k mod 4 says which is which and with what sign.
        """
        k = self.binary("*", x, self.constant(2.0 / math.pi))
        shifted = self.new(f"fadd {self.real} {k}, {self.constant(_ROUND)}")
        k = self.new(f"fsub {self.real} {shifted}, {self.constant(_ROUND)}")
        size = self.unary("fabs", x)
        known = self.new(f"fcmp olt {self.real} {size}, {self.constant(_FAR)}")
        nan = f"{self.real} {self.not_a_number()}"
        r = self.new(f"select {self.truth} {known}, {self.real} {x}, {nan}")
        for part in _HALF_PI:
            r = self.fma(k, self.constant(-part), r, exact=True)
        z = self.new(f"fmul {self.real} {r}, {r}")
        sine = self.fma(self.new(f"fmul {self.real} {z}, {r}"), self._horner(_SINE, z), r)
        square = self.new(f"fmul {self.real} {z}, {z}")
        head = self.fma(z, self.constant(-0.5), self.constant(1.0))
        cosine = self.fma(square, self._horner(_COSINE, z), head)
        return self._quadrant(
            self.new(f"bitcast {self.real} {shifted} to {self.whole}"), sine, cosine
        )

    def _horner(self, coefficients: Sequence[float], z: str) -> str:
        total = self.constant(coefficients[0])
        for c in coefficients[1:]:
            total = self.fma(z, total, self.constant(c))
        return total

    def _quadrant(self, k: str, sine: str, cosine: str) -> tuple[str, str]:
        i, t = self.whole, self.real
        low = self.new(f"and {i} {k}, {self.integer(1)}")
        odd = self.new(f"icmp ne {i} {low}, {self.integer(0)}")
        first = self.new(f"select {self.truth} {odd}, {t} {cosine}, {t} {sine}")
        second = self.new(f"select {self.truth} {odd}, {t} {sine}, {t} {cosine}")
        next_k = self.new(f"add {i} {k}, {self.integer(1)}")
        return self._signed(first, k), self._signed(second, next_k)

    def _signed(self, x: str, k: str) -> str:
        """x, negated where the second bit of k is set."""
        i = self.whole
        bit = self.new(f"shl {i} {self.new(f'and {i} {k}, {self.integer(2)}')}, {self.integer(62)}")
        bits = self.new(f"bitcast {self.real} {x} to {i}")
        return self.new(f"bitcast {i} {self.new(f'xor {i} {bits}, {bit}')} to {self.real}")

    def tanh(self, x: str) -> str:
        """1 - 2 / (exp(2 x) + 1), and a series where that would cancel."""
        double = self.binary("+", x, x)
        grown = self.binary("+", self.unary("exp", double), self.constant(1.0))
        share = self.new(f"fdiv {self.real} {self.constant(2.0)}, {grown}")
        far = self.binary("-", self.constant(1.0), share)
        square = self.binary("*", x, x)
        near = self.fma(self.binary("*", x, square), self._horner(_TANH, square), x)
        size = self.unary("fabs", x)
        small = self.new(f"fcmp olt {self.real} {size}, {self.constant(0.125)}")
        return self.new(f"select {self.truth} {small}, {self.real} {near}, {self.real} {far}")


def declarations(lanes: Sequence[int]) -> str:
    out = []
    for n in sorted(set(lanes)):
        w = Writer(n)
        for name, arity in (("fma", 3), ("fmuladd", 3), ("sqrt", 1), ("exp", 1), ("fabs", 1)):
            out.append(f"declare {w.real} @llvm.{name}.{w.suffix}({', '.join([w.real] * arity)})")
    return "\n".join(out)


class _Inputs(dict[int, str]):
    """Names of values; an input is loaded where it is first asked for."""

    def __init__(self, program: Program, load: Callable[[int, int], str]) -> None:
        self.program, self.load = program, load

    def __missing__(self, n: int) -> str:
        _, argument, place = self.program.ops[n]
        self[n] = self.load(int(argument), place)
        return self[n]


class Body:
    """Turns a program's operations into instructions of a writer."""

    def __init__(self, program: Program, w: Writer, pack: int = 1) -> None:
        self.program, self.w = program, w
        self.name: dict[int, str] = {}
        self.waves: dict[int, tuple[str, str]] = {}
        self.pack = pack

    def write(self, load: Callable[[int, int], str]) -> list[str]:
        w = self.w
        self.name = _Inputs(self.program, load)
        if self.pack > 1:
            self._packed_waves()
        for n, (op, a, b) in enumerate(self.program.ops):
            if op == "const":
                self.name[n] = w.constant(float(a))
            elif op in _BINARY:
                self.name[n] = w.binary(op, self.name[int(a)], self.name[b])
            elif op == "neg":
                self.name[n] = w.new(f"fneg {_FAST} {w.real} {self.name[int(a)]}")
            elif op == "1/":
                self.name[n] = w.reciprocal(self.name[int(a)])
            elif op == "sqrt":
                self.name[n] = w.unary("sqrt", self.name[int(a)])
            elif op == "tanh":
                self.name[n] = w.tanh(self.name[int(a)])
            elif op in ("sin", "cos"):
                if int(a) not in self.waves:
                    self.waves[int(a)] = w.sincos(self.name[int(a)])
                self.name[n] = self.waves[int(a)][0 if op == "sin" else 1]
        return [
            w.constant(x) if isinstance(x, float) else self.name[x] for x in self.program.outputs
        ]

    def _packed_waves(self) -> None:
        """Sines and cosines of inputs, several in one vector."""
        ops = self.program.ops
        angles = sorted({int(a) for op, a, _ in ops if op in ("sin", "cos")})
        angles = [a for a in angles if ops[a][0] == "input"]
        if len(angles) < 2:
            return
        for start in range(0, len(angles), self.pack):
            group = angles[start : start + self.pack]
            v = Writer(self.pack, prefix=f"w{start}_")
            vector = "zeroinitializer"
            for i, a in enumerate(group):
                text = f"insertelement {v.real} {vector}, double {self.name[a]}, i32 {i}"
                vector = v.new(text)
            s, c = v.sincos(vector)
            for i, a in enumerate(group):
                self.waves[a] = (
                    v.new(f"extractelement {v.real} {s}, i32 {i}"),
                    v.new(f"extractelement {v.real} {c}, i32 {i}"),
                )
            self.w.lines += v.lines


def kernel(program: Program, pack: int) -> str:
    """Assembly of `kernel`, for one state."""
    return f"{declarations([1, pack])}\n{_define_kernel(program, pack)}"


def _define_kernel(program: Program, pack: int, linkage: str = "") -> str:
    head = f"define {linkage} void @kernel(ptr noalias readonly %in, ptr noalias %out) nounwind"
    whole, size = pieces(program)
    if len(whole) == 1:
        return f"{head} {{\n  {_state(whole[0], pack)}\n  ret void\n}}\n"
    parts, calls = _in_turn("part", "", [_state(piece, pack) for piece in whole])
    body = f"%work = alloca double, i64 {size}, align 64\n  {calls}"
    return f"{parts}{head} {{\n  {body}\n  ret void\n}}\n"


def _in_turn(name: str, state: str, bodies: Sequence[str]) -> tuple[str, str]:
    """A function for each piece of a long program (`state`: which one it works on, if they are
    many), and the calls of all of them."""
    given = "ptr noalias readonly %in, ptr noalias %out, ptr noalias %work" + state
    parts = [
        f"define internal void @{name}{k}({given}) noinline nounwind {{\n  {body}\n  ret void\n}}\n"
        for k, body in enumerate(bodies)
    ]
    calls = [
        f"call void @{name}{k}(ptr %in, ptr %out, ptr %work{state})" for k in range(len(bodies))
    ]
    return "".join(parts), "\n  ".join(calls)


def _state(piece: Piece, pack: int) -> str:
    """A piece of a kernel."""
    w = Writer()
    bases = {piece.work: "%work"}

    def load(argument: int, place: int) -> str:
        if argument not in bases:
            at = w.new(f"getelementptr ptr, ptr %in, i64 {argument}")
            bases[argument] = w.new(f"load ptr, ptr {at}, align 8")
        at = w.new(f"getelementptr double, ptr {bases[argument]}, i64 {place}")
        return w.new(f"load double, ptr {at}, align 8")

    values = Body(piece.program, w, pack).write(load)
    for (area, place), value in zip(piece.targets, values, strict=True):
        at = w.new(f"getelementptr double, ptr %{area}, i64 {place}")
        w.do(f"store double {value}, ptr {at}, align 8")
    return "\n  ".join(w.lines)


SHORT = 1000  # operations up to which two vectors side by side fit the instruction cache


def states_together(program: Program, lanes: int) -> int:
    """How many states a batch's loop takes at once: a short program takes two vectors of them,
    up to eight states, so that one works while the other waits."""
    return max(lanes, min(2 * lanes, 8)) if program.arithmetic <= SHORT else lanes


def batch(program: Program, lanes: int) -> str:
    """Assembly of `batch`; the module has its own copy of `kernel` for the remainder."""
    states = states_together(program, lanes)
    parts, together, size = _together(program, lanes, states)
    return f"""{declarations([1, states])}
{_define_kernel(program, 1, "internal")}
{parts}
{_BATCH_HEAD} {{
entry:
  %one = alloca ptr, i64 {max(len(program.sizes), 1)}
  %work = alloca double, i64 {max(size * states, 1)}, align 64
  {_bases(program)}
  %whole = sub i64 %last, {states - 1}
  %any = icmp slt i64 %first, %whole
  br i1 %any, label %loop, label %tail
loop:
  %i = phi i64 [%first, %entry], [%next, %loop]
  {together}
  %next = add i64 %i, {states}
  %more = icmp slt i64 %next, %whole
  br i1 %more, label %loop, label %tail
tail:
  %from = phi i64 [%first, %entry], [%next, %loop]
  %left = icmp slt i64 %from, %last
  br i1 %left, label %each, label %done
each:
  %j = phi i64 [%from, %tail], [%then, %each]
  {_alone(program)}
  %then = add i64 %j, 1
  %again = icmp slt i64 %then, %last
  br i1 %again, label %each, label %done
done:
  ret void
}}
"""


_BATCH_HEAD = (
    "define void @batch(ptr noalias readonly %in, ptr noalias %out, i64 %first, i64 %last) nounwind"
)


def _bases(program: Program) -> str:
    """The arrays' addresses."""
    return "\n  ".join(
        f"%slot{i} = getelementptr ptr, ptr %in, i64 {i}\n  "
        f"%base{i} = load ptr, ptr %slot{i}, align 8"
        for i in range(len(program.sizes))
    )


def _together(program: Program, lanes: int, states: int) -> tuple[str, str, int]:
    """States %i, %i + 1, ... in one go: functions for the pieces of a long program, what to do,
    and the work space a state needs."""
    whole, size = pieces(program)
    bodies = [_states(piece, program, lanes, states) for piece in whole]
    if len(whole) == 1:
        return "", bodies[0], 0
    bases = _bases(program)
    return *_in_turn("wide", ", i64 %i", [f"{bases}\n  {body}" for body in bodies]), size


def _states(piece: Piece, program: Program, lanes: int, states: int) -> str:
    w = Writer(states)
    inputs = [Rows(w, f"%base{i}", size, lanes) for i, size in enumerate(program.sizes)]
    out = Rows(w, "%out", len(program.outputs), lanes)

    def work(place: int) -> str:
        return w.new(f"getelementptr double, ptr %work, i64 {place * states}")

    def load(argument: int, place: int) -> str:
        if argument == piece.work:
            return w.new(f"load {w.real}, ptr {work(place)}, align {8 * lanes}")
        return inputs[argument].read(place)

    results = {}
    values = Body(piece.program, w).write(load)
    for (area, place), value in zip(piece.targets, values, strict=True):
        if area == "out":
            results[place] = value
        else:
            w.do(f"store {w.real} {value}, ptr {work(place)}, align {8 * lanes}")
    out.write(results)
    return "\n  ".join(w.lines)


def _alone(program: Program) -> str:
    """State %j by itself."""
    rest = "\n  ".join(
        f"%step{i} = mul i64 %j, {size}\n  "
        f"%at{i} = getelementptr double, ptr %base{i}, i64 %step{i}\n  "
        f"%put{i} = getelementptr ptr, ptr %one, i64 {i}\n  "
        f"store ptr %at{i}, ptr %put{i}, align 8"
        for i, size in enumerate(program.sizes)
    )
    return f"""{rest}
  %jo = mul i64 %j, {len(program.outputs)}
  %to = getelementptr double, ptr %out, i64 %jo
  call void @kernel(ptr %one, ptr %to)"""


class Rows:
    """An array with one state a row, read and written by columns: rows %i, %i + 1, ... of it,
    one for each lane of the writer.

    A square block of it, a register wide, is read row by row and turned on its side.
    """

    def __init__(self, w: Writer, base: str, size: int, wide: int) -> None:
        self.w, self.size, self.wide = w, size, wide
        self.first = w.new(f"getelementptr double, ptr {base}, i64 {w.new(f'mul i64 %i, {size}')}")
        self.columns: dict[int, str] = {}
        self.block = Writer(wide).real if size >= wide else "double"

    def read(self, place: int) -> str:
        """The column at `place`."""
        if place not in self.columns:
            start = min(place - place % self.wide, self.size - self.wide)
            found = self._block(start) if start >= 0 else {place: self._single(place)}
            self.columns = found | self.columns
        return self.columns[place]

    def _block(self, start: int) -> dict[int, str]:
        w, wide = self.w, self.wide
        parts = []
        for first in range(0, w.lanes, wide):
            rows = [
                w.new(f"load {self.block}, ptr {self._at(first + r, start)}, align 8")
                for r in range(wide)
            ]
            parts.append(self._turned(rows))
        return {start + k: self._joined([part[k] for part in parts]) for k in range(wide)}

    def _single(self, place: int) -> str:
        w, vector = self.w, "undef"
        for lane in range(w.lanes):
            one = w.new(f"load double, ptr {self._at(lane, place)}, align 8")
            vector = w.new(f"insertelement {w.real} {vector}, double {one}, i32 {lane}")
        return vector

    def write(self, columns: dict[int, str]) -> None:
        """Columns by their places: blocks where they are whole, else one by one."""
        w, wide, left = self.w, self.wide, dict(columns)
        for start in (*range(0, self.size - wide, wide), self.size - wide):
            if not all(start + k in columns for k in range(wide)):
                continue
            for first in range(0, w.lanes, wide):
                part = [self._part(columns[start + k], first) for k in range(wide)]
                for r, row in enumerate(self._turned(part)):
                    at = self._at(first + r, start)
                    w.do(f"store {self.block} {row}, ptr {at}, align 8")
            for k in range(wide):
                left.pop(start + k, None)
        for place, column in left.items():
            for lane in range(w.lanes):
                one = w.new(f"extractelement {w.real} {column}, i32 {lane}")
                w.do(f"store double {one}, ptr {self._at(lane, place)}, align 8")

    def _at(self, lane: int, place: int) -> str:
        return self.w.new(f"getelementptr double, ptr {self.first}, i64 {lane * self.size + place}")

    def _turned(self, rows: list[str]) -> list[str]:
        """A square block turned on its side: halves, quarters, ... change places."""
        wide, rows = self.wide, list(rows)
        for s in (1 << k for k in range(wide.bit_length() - 1)):
            low = [k if not k & s else wide + k - s for k in range(wide)]
            high = [k + s if not k & s else wide + k for k in range(wide)]
            for i in (i for i in range(wide) if not i & s):
                a, b = rows[i], rows[i + s]
                rows[i], rows[i + s] = self._shuffle(a, b, low), self._shuffle(a, b, high)
        return rows

    def _joined(self, parts: list[str]) -> str:
        if len(parts) == 1:
            return parts[0]
        return self._shuffle(parts[0], parts[1], range(self.w.lanes))

    def _part(self, column: str, first: int) -> str:
        if self.w.lanes == self.wide:
            return column
        return self._shuffle(column, "undef", range(first, first + self.wide), self.w.real)

    def _shuffle(self, a: str, b: str, order: Sequence[int], kind: str = "") -> str:
        kind = kind or self.block
        mask = ", ".join(f"i32 {k}" for k in order)
        return self.w.new(f"shufflevector {kind} {a}, {kind} {b}, <{len(order)} x i32> <{mask}>")
