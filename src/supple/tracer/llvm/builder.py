"""A small builder of LLVM assembly, so that what writes code reads like the code it writes.

    module = Module()
    with module.function("double", {"x": POINTER, "n": INDEX}) as (b, (x, n)):
        with b.for_range(0, n) as loop:
            place = b.at(x, loop.index)
            one = b.load(REAL, place)
            b.store(b.fadd(one, one), place)

Methods are named after LLVM's instructions (`fadd` adds doubles, `add` whole numbers). A value
knows its type: a double (or a float), or a vector with one a lane; numbers of Python may stand
wherever a value may. `for_range` and `require` open and close the blocks of a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from .values import (
    INDEX,
    POINTER,
    REAL,
    TRUTH,
    Number,
    Value,
    bytes_of,
    element_of,
    name_of,
    suffix,
    undefined,
    vector,
    whole,
)

T = TypeVar("T")


class CountingLoop:
    """A loop being written: where it stands, and, when it is closed, where it stopped."""

    def __init__(self, index: Value) -> None:
        self.index = index
        self.stopped = index


class Builder:
    """Writes the instructions of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = ["entry:"]
        self.block = "entry"
        self.declared: dict[str, None] = {}  # intrinsics it needs, in order
        self._values = 0
        self._labels = 0
        self._known: dict[tuple[str, str, str], object] = {}

    # values

    def new(self, text: str, kind: str) -> Value:
        """The value of an instruction."""
        name = f"%t{self._values}"
        self._values += 1
        self.lines.append(f"{name} = {text}")
        return Value(name, kind)

    def do(self, text: str) -> None:
        """An instruction without a value."""
        self.lines.append(text)

    def once(self, what: str, x: Value, make: Callable[[], T]) -> T:
        """What `make` writes for x, the first time in this block; later the same again."""
        key = (self.block, what, x.name)
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]  # type: ignore[return-value]

    def know(self, what: str, x: Value, answer: object) -> None:
        """Say beforehand what `once` is to find in this block."""
        self._known[self.block, what, x.name] = answer

    # doubles: products and sums may be fused, zeros have no sign

    def fadd(self, a: Value, b: Value) -> Value:
        return self.new(f"fadd contract nsz {a.type} {a.name}, {b.name}", a.type)

    def fsub(self, a: Value, b: Value) -> Value:
        return self.new(f"fsub contract nsz {a.type} {a.name}, {b.name}", a.type)

    def fmul(self, a: Value, b: Value) -> Value:
        return self.new(f"fmul contract nsz {a.type} {a.name}, {b.name}", a.type)

    def fneg(self, x: Value) -> Value:
        return self.new(f"fneg contract nsz {x.type} {x.name}", x.type)

    def fdiv(self, a: Value, b: Value) -> Value:
        return self.new(f"fdiv {a.type} {a.name}, {b.name}", a.type)

    def exactly(self, what: str, a: Value, b: Value) -> Value:
        """fadd, fsub or fmul as written, fused with nothing."""
        return self.new(f"{what} {a.type} {a.name}, {b.name}", a.type)

    def intrinsic(self, name: str, *x: Value, flags: str = "") -> Value:
        """A function LLVM knows: sqrt, exp, fabs, fma (always fused), fmuladd (where it pays)."""
        kind = x[0].type
        whole_name = f"@llvm.{name}.{suffix(kind)}"
        self.declared[f"declare {kind} {whole_name}({', '.join([kind] * len(x))})"] = None
        given = ", ".join([f"{kind} {v.name}" for v in x])
        return self.new(f"call {flags}{kind} {whole_name}({given})", kind)

    def fcmp(self, how: str, a: Value, b: Value) -> Value:
        return self.new(f"fcmp {how} {a.type} {a.name}, {b.name}", vector(TRUTH, a.lanes))

    # whole numbers, bits and pointers

    def add(self, a: Number, b: Number) -> Value:
        return self._whole("add", a, b)

    def sub(self, a: Number, b: Number) -> Value:
        return self._whole("sub", a, b)

    def mul(self, a: Number, b: Number) -> Value:
        return self._whole("mul", a, b)

    def bits(self, how: str, a: Number, b: Number) -> Value:
        """and, or, xor, shl."""
        return self._whole(how, a, b)

    def _whole(self, what: str, a: Number, b: Number) -> Value:
        kind = a.type if isinstance(a, Value) else b.type if isinstance(b, Value) else INDEX
        return self.new(f"{what} {kind} {name_of(a, kind)}, {name_of(b, kind)}", kind)

    def icmp(self, how: str, a: Value, b: Number) -> Value:
        kind = vector(TRUTH, a.lanes)
        return self.new(f"icmp {how} {a.type} {a.name}, {name_of(b, a.type)}", kind)

    def select(self, which: Value, yes: Value, no: Number) -> Value:
        other = f"{yes.type} {name_of(no, yes.type)}"
        return self.new(
            f"select {which.type} {which.name}, {yes.type} {yes.name}, {other}", yes.type
        )

    def convert(self, how: str, x: Value, kind: str) -> Value:
        """bitcast, sext, zext, trunc, fpext, fptrunc, ptrtoint."""
        return self.new(f"{how} {x.type} {x.name} to {kind}", kind)

    # memory

    def at(self, pointer: Value, place: Number, element: str = REAL) -> Value:
        """Where the element at this place is."""
        where = name_of(place, INDEX)
        return self.new(f"getelementptr {element}, ptr {pointer.name}, i64 {where}", POINTER)

    def load(self, kind: str, pointer: Value, align: int = 0) -> Value:
        """Aligned as its elements are, where nothing better is known."""
        return self.new(f"load {kind}, ptr {pointer.name}, align {align or bytes_of(kind)}", kind)

    def store(self, x: Value, pointer: Value, align: int = 0) -> None:
        self.do(f"store {x.type} {x.name}, ptr {pointer.name}, align {align or bytes_of(x.type)}")

    def masked_store(self, x: Value, pointer: Value, count: int) -> None:
        """The first lanes of x alone."""
        name, mask = f"@llvm.masked.store.{suffix(x.type)}.p0", vector(TRUTH, x.lanes)
        self.declared[f"declare void {name}({x.type}, ptr, i32, {mask})"] = None
        lanes = ", ".join(f"i1 {int(lane < count)}" for lane in range(x.lanes))
        self.do(f"call void {name}({x.type} {x.name}, ptr {pointer.name}, i32 8, {mask} <{lanes}>)")

    def room(self, kind: str, count: int, align: int = 8) -> Value:
        """Memory of the function's own (to be asked for at its beginning)."""
        return self.new(f"alloca {kind}, i64 {max(count, 1)}, align {align}", POINTER)

    # lanes

    def insert(self, v: Value, x: Value, lane: int) -> Value:
        return self.new(f"insertelement {v.type} {v.name}, {x.type} {x.name}, i32 {lane}", v.type)

    def extract(self, v: Value, lane: int) -> Value:
        return self.new(f"extractelement {v.type} {v.name}, i32 {lane}", element_of(v.type))

    def shuffle(self, a: Value, b: Value, order: Sequence[int]) -> Value:
        """Lanes of a, then of b, in this order."""
        mask = ", ".join([f"i32 {k}" for k in order])
        n, element = len(order), element_of(a.type)
        text = f"shufflevector {a.type} {a.name}, {b.type} {b.name}, <{n} x i32> <{mask}>"
        return self.new(text, vector(element, n))

    def together(self, parts: Sequence[Value]) -> Value:
        """Scalars side by side in one vector."""
        out = undefined(vector(parts[0].type, len(parts)))
        for lane, x in enumerate(parts):
            out = self.insert(out, x, lane)
        return out

    def splat(self, x: Value, lanes: int) -> Value:
        """x in every lane."""
        if lanes == 1:
            return x
        nothing = undefined(vector(x.type, lanes))
        return self.shuffle(self.insert(nothing, x, 0), nothing, [0] * lanes)

    # calls

    def call(self, function: str, *x: Value) -> None:
        """A function of the module, or at a known address, that gives nothing."""
        self.do(f"call void {function}({_listed(x)})")

    def call_for(self, kind: str, function: str, *x: Value) -> Value:
        return self.new(f"call {kind} {function}({_listed(x)})", kind)

    # blocks

    def label(self, word: str) -> str:
        """A name for a block that begins later."""
        self._labels += 1
        return f"{word}{self._labels}"

    def begin(self, label: str) -> None:
        self.do(f"{label}:")
        self.block = label

    def go(self, label: str) -> None:
        self.do(f"br label %{label}")

    def go_if(self, when: Value, label: str, otherwise: str) -> None:
        self.do(f"br i1 {when.name}, label %{label}, label %{otherwise}")

    def require(self, what: Value, otherwise: str) -> None:
        """Go on if it is so; else to another block."""
        on = self.label("so")
        self.go_if(what, on, otherwise)
        self.begin(on)

    def switch(self, on: Value, cases: Mapping[int, str], otherwise: str) -> None:
        listed = " ".join(f"{on.type} {k}, label %{label}" for k, label in cases.items())
        self.do(f"switch {on.type} {on.name}, label %{otherwise} [{listed}]")

    def phi(self, *ways: tuple[Number, str], kind: str = INDEX) -> Value:
        """The value that belongs to the block one comes from."""
        return self.new(_phi(kind, ways), kind)

    @contextmanager
    def for_range(self, start: Number, stop: Number, step: int = 1) -> Iterator[CountingLoop]:
        """for i in range(start, stop, step); whether there is anything to do is asked first,
        unless it is known."""
        before, body, after = self.block, self.label("loop"), self.label("after")
        sure = (
            isinstance(start, int) and isinstance(stop, int) and len(range(start, stop, step)) > 0
        )
        how = "slt" if step > 0 else "sgt"
        if sure:
            self.go(body)
        else:
            first = start if isinstance(start, Value) else whole(int(start))
            self.go_if(self.icmp(how, first, stop), body, after)
        self.begin(body)
        loop, place = CountingLoop(self.new("phi", INDEX)), len(self.lines) - 1
        yield loop
        following, end = self.add(loop.index, step), self.block
        ways = [(start, before), (following, end)]
        self.lines[place] = f"{loop.index.name} = {_phi(INDEX, ways)}"
        self.go_if(self.icmp(how, following, stop), body, after)
        self.begin(after)
        loop.stopped = following if sure else self.phi(*ways)

    def give(self, x: Value | None = None) -> None:
        """Return, from the function."""
        self.do("ret void" if x is None else f"ret {x.type} {x.name}")


def _listed(x: Sequence[Value]) -> str:
    return ", ".join([f"{v.type} {v.name}" for v in x])


def _phi(kind: str, ways: Sequence[tuple[Number, str]]) -> str:
    return f"phi {kind} " + ", ".join(f"[{name_of(x, kind)}, %{label}]" for x, label in ways)
