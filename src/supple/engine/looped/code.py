"""LLVM assembly of looped kernels.

    run(arguments..., out, work, first)      one state, or `lanes` states (or columns) at once
`work` is memory the caller lends: sums, the table of changing constants, sines and cosines of
joint angles (for one state they are taken several at once, before the loops), then a region
for each link. `index` says for each link its kind, where its coordinates begin, its parent and its
children.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..llvm import Body, Writer, declarations, literal
from .plan import Address, Block, Plan
from .walk import IN


@dataclass(frozen=True)
class Frame:
    """What the assembly of a robot's loops needs beside the plan."""

    plan: Plan
    arguments: dict[str, int]  # sizes
    total: int  # numbers in a state's result
    index: list[list[int]]  # a row a link: see `index_rows`
    table: list[list[float]]  # a row a link
    changing: tuple[int, int]  # rows, columns
    parameters: str = ""  # the argument whose numbers are parameters of the robot
    columns: dict[str, int] | None = None  # a Jacobian: where each argument's columns begin
    width: int = 0  # how many columns

    @property
    def work(self) -> int:
        """Numbers of work space for one state."""
        return self.base + self.plan.stride * len(self.index)

    @property
    def waves(self) -> int:
        """Where the sines begin."""
        return self.plan.sums + self.changing[0] * self.changing[1]

    @property
    def base(self) -> int:
        """Where the links' regions begin."""
        return self.waves + 2 * self.arguments.get("q", 0)

    @cached_property
    def angles(self) -> list[int]:
        """Coordinates whose sine and cosine the loops take."""
        wanted: dict[int, set[int]] = {}
        for (_, kind), block in self.plan.blocks.items():
            wanted.setdefault(kind, set()).update(place for _, place in waves_of(block))
        return [row[1] + place for row in self.index for place in sorted(wanted.get(row[0], ()))]

    @property
    def wide(self) -> int:
        return max((len(row) for row in self.table), default=0)


def waves_of(block: Block) -> list[tuple[int, int]]:
    """(operation, place in the link's coordinates) of each angle whose sine or cosine the
    block takes."""
    out = []
    ops = block.program.ops
    for a in sorted({int(a) for op, a, _ in ops if op in ("sin", "cos")}):
        if ops[a][0] == "input":
            address = block.loads[int(ops[a][1])]
            if (address.area, address.name, address.whose) == ("argument", "q", "own"):
                out.append((a, address.place))
    return out


def kernel(frame: Frame, lanes: int) -> str:
    """Assembly of `kernel`, for one state."""
    wide = lanes if frame.columns is not None and frame.width >= lanes else 1
    return "\n".join([_head(frame, wide, lanes), _kernel(frame, wide)])


def batch(frame: Frame, lanes: int) -> str:
    """Assembly of `batch`, for many states; it has its own copy of `kernel`."""
    if frame.columns is not None and frame.width < lanes:
        lanes = 1
    return "\n".join([_head(frame, lanes, lanes), _kernel(frame, lanes), _batch(frame, lanes)])


def _head(frame: Frame, lanes: int, pack: int) -> str:
    runs = [_run(frame, n, pack) for n in sorted({1, lanes})]
    return "\n".join([declarations([1, pack]), _globals(frame, pack), *runs])


def _globals(frame: Frame, pack: int) -> str:
    flat = [str(x) for row in frame.index for x in row]
    numbers = [f"double {literal(x)}" for row in frame.table for x in row]
    index = ", ".join(f"i32 {x}" for x in flat)
    out = f"@index = internal constant [{len(flat)} x i32] [{index}]"
    angles = frame.angles + frame.angles[-1:] * (-len(frame.angles) % pack)
    if angles:
        listed = ", ".join(f"i32 {x}" for x in angles)
        out += f"\n@angles = internal constant [{len(angles)} x i32] [{listed}]"
    if numbers:
        out += f"\n@table = internal constant [{len(numbers)} x double] [{', '.join(numbers)}]"
    return out


def _signature(frame: Frame) -> str:
    given = [f"ptr noalias readonly %a{i}" for i in range(len(frame.arguments))]
    return ", ".join([*given, "ptr noalias %out", "ptr noalias %work", "i64 %first"])


def _run(frame: Frame, lanes: int, pack: int) -> str:
    return "\n".join(
        [
            f"define internal void @run{lanes}({_signature(frame)}) nounwind {{",
            *_Run(frame, lanes, pack).lines(),
            "ret void",
            "}",
        ]
    )


class _Run:
    """Writes one `run`. In a batch the lanes are states, in a Jacobian columns."""

    def __init__(self, frame: Frame, lanes: int, pack: int) -> None:
        self.frame, self.plan = frame, frame.plan
        self.lanes, self.pack = lanes, pack
        self.ready = lanes == 1 and pack > 1 and len(frame.angles) > 1  # waves come first
        self.w = Writer(lanes)
        self.shared: dict[int, str] = {}
        self.names = list(frame.arguments)
        self.link: dict[tuple[str, str | int], str] = {}

    def lines(self) -> list[str]:
        w, plan = self.w, self.plan
        for k in range(plan.sums):
            self._store(Address("sum", k), w.constant(0.0), add=False)
        self._block(plan.before)
        label = self._waves() if self.ready else "begin"
        for loop, direction in enumerate(plan.directions):
            label = self._loop(loop, direction, label)
        self._block(plan.after)
        return ["begin:", *w.lines]

    def _waves(self) -> str:
        """All sines and cosines of joint angles, `pack` at a time."""
        w, v = self.w, Writer(self.pack, prefix="v")
        w.do("br label %waves")
        w.do("waves:")
        w.do("%k = phi i64 [0, %begin], [%knext, %waves]")
        places, vector = [], "undef"
        for lane in range(self.pack):
            at = v.new(f"add i64 %k, {lane}")
            at = v.new(f"getelementptr i32, ptr @angles, i64 {at}")
            place = v.new(f"sext i32 {v.new(f'load i32, ptr {at}')} to i64")
            one = v.new(f"getelementptr double, ptr %a{self.names.index('q')}, i64 {place}")
            one = v.new(f"load double, ptr {one}, align 8")
            vector = v.new(f"insertelement {v.real} {vector}, double {one}, i32 {lane}")
            places.append(place)
        for shift, wave in enumerate(v.sincos(vector)):
            for lane, place in enumerate(places):
                one = v.new(f"extractelement {v.real} {wave}, i32 {lane}")
                at = v.new(f"add i64 {place}, {self._wave_start(shift)}")
                at = v.new(f"getelementptr double, ptr %work, i64 {at}")
                v.do(f"store double {one}, ptr {at}, align 8")
        w.lines += v.lines
        w.do(f"%knext = add i64 %k, {self.pack}")
        w.do(f"%kmore = icmp slt i64 %knext, {len(self.frame.angles)}")
        w.do("br i1 %kmore, label %waves, label %waved")
        w.do("waved:")
        return "waved"

    def _wave_start(self, shift: int) -> int:
        return self.frame.waves + shift * self.frame.arguments["q"]

    def _wave(self, place: int, shift: int) -> str:
        """A sine (shift 0) or cosine (1) taken before the loops."""
        w = self.w
        at = w.new(f"add i64 {self._start('q', 'own')}, {self._wave_start(shift) + place}")
        at = w.new(f"getelementptr double, ptr %work, i64 {at}")
        return w.new(f"load double, ptr {at}, align 8")

    def _loop(self, loop: int, direction: str, before: str) -> str:
        w, n = self.w, len(self.frame.index)
        blocks = {k: b for (at, k), b in self.plan.blocks.items() if at == loop}
        if not blocks or n == 0:
            return before
        start, step, end = (n - 1, -1, -1) if direction == IN else (0, 1, n)
        w.do(f"br label %loop{loop}")
        w.do(f"loop{loop}:")
        w.do(f"%i{loop} = phi i64 [{start}, %{before}], [%next{loop}, %end{loop}]")
        self.i, self.link = f"%i{loop}", {}
        kind = self._index(0)
        cases = " ".join(f"i64 {k}, label %loop{loop}kind{k}" for k in blocks)
        w.do(f"switch i64 {kind}, label %end{loop} [{cases}]")
        outside = dict(self.link)
        for k, block in blocks.items():
            w.do(f"loop{loop}kind{k}:")
            self.link = dict(outside)
            self._block(block)
            w.do(f"br label %end{loop}")
        w.do(f"end{loop}:")
        w.do(f"%next{loop} = add i64 %i{loop}, {step}")
        w.do(f"%more{loop} = icmp ne i64 %next{loop}, {end}")
        w.do(f"br i1 %more{loop}, label %loop{loop}, label %after{loop}")
        w.do(f"after{loop}:")
        return f"after{loop}"

    def _block(self, block: Block) -> None:
        def load(argument: int, _: int) -> str:
            return self._load(block.loads[argument])

        body = Body(block.program, self.w)
        if self.ready:
            for a, place in waves_of(block):
                body.waves[a] = (self._wave(place, 0), self._wave(place, 1))
        values = body.write(load)
        for address, value in zip(block.stores, values, strict=True):
            if address.area == "shared":
                self.shared[address.place] = value
            else:
                self._store(address, value, add=address.area == "sum")

    def _index(self, column: int) -> str:
        """A number of the link's row in the index."""
        key = ("index", column)
        if key not in self.link:
            w, width = self.w, len(self.frame.index[0])
            at = w.new(f"mul i64 {self.i}, {width}")
            at = w.new(f"add i64 {at}, {column}")
            at = w.new(f"getelementptr i32, ptr @index, i64 {at}")
            self.link[key] = w.new(f"sext i32 {w.new(f'load i32, ptr {at}')} to i64")
        return self.link[key]

    def _start(self, name: str, whose: str | int) -> str:
        """Where the link's (or its parent's) coordinates begin in an argument or result."""
        return self._index((1 if name == "q" else 2) + (3 if whose == "parent" else 0))

    def _load(self, address: Address) -> str:
        w, area, place = self.w, address.area, address.place
        if area == "shared":
            return self.shared[place]
        if area == "argument":
            at = w.new(f"add i64 {self._start(address.name, address.whose)}, {place}")
            return self._given(address.name, at)
        if area == "parameter":
            return self._given(self.frame.parameters, str(place))
        if area == "seed":
            return self._seed(address)
        if area == "table":
            row = w.new(f"mul i64 {self.i}, {self.frame.wide}")
            at = w.new(f"add i64 {row}, {place}")
            return self._splat(w.new(f"getelementptr double, ptr @table, i64 {at}"))
        return w.new(f"load {w.real}, ptr {self._work(address)}, align {self._align}")

    @property
    def _align(self) -> int:
        return 8 * self.lanes

    def _given(self, name: str, at: str) -> str:
        """A number of an argument: the same for all columns, one a lane for states."""
        w, argument = self.w, self.names.index(name)
        if self.lanes == 1 or self.frame.columns is not None:
            return self._splat(w.new(f"getelementptr double, ptr %a{argument}, i64 {at}"))
        vector = "undef"
        for lane in range(self.lanes):
            place = w.new(f"add i64 {at}, {lane * self.frame.arguments[name]}")
            one = w.new(f"getelementptr double, ptr %a{argument}, i64 {place}")
            one = w.new(f"load double, ptr {one}, align 8")
            vector = w.new(f"insertelement {w.real} {vector}, double {one}, i32 {lane}")
        return vector

    def _splat(self, pointer: str) -> str:
        w = self.w
        one = w.new(f"load double, ptr {pointer}, align 8")
        if self.lanes == 1:
            return one
        vector = w.new(f"insertelement {w.real} undef, double {one}, i32 0")
        zero = f"<{self.lanes} x i32> zeroinitializer"
        return w.new(f"shufflevector {w.real} {vector}, {w.real} undef, {zero}")

    def _seed(self, address: Address) -> str:
        """1 in the lane whose column is this coordinate's, else 0."""
        w, columns = self.w, self.frame.columns
        assert columns is not None
        at = str(address.place)
        if address.name != self.frame.parameters:
            at = w.new(f"add i64 {self._start(address.name, address.whose)}, {at}")
        ahead = w.new(f"add i64 {at}, {columns[address.name]}")
        ahead = w.new(f"sub i64 {ahead}, %first")
        if self.lanes == 1:
            mine = w.new(f"icmp eq i64 {ahead}, 0")
        else:
            vector = w.new(f"insertelement {w.whole} undef, i64 {ahead}, i32 0")
            zero = f"<{self.lanes} x i32> zeroinitializer"
            vector = w.new(f"shufflevector {w.whole} {vector}, {w.whole} undef, {zero}")
            lanes = ", ".join(f"i64 {lane}" for lane in range(self.lanes))
            mine = w.new(f"icmp eq {w.whole} {vector}, <{lanes}>")
        one, zero = w.constant(1.0), w.constant(0.0)
        return w.new(f"select {w.truth} {mine}, {w.real} {one}, {w.real} {zero}")

    def _work(self, address: Address) -> str:
        """Pointer into the work space."""
        w, plan, area = self.w, self.plan, address.area
        if area == "sum":
            return w.new(f"getelementptr {w.real}, ptr %work, i64 {address.place}")
        if area == "changing":
            row = str(address.whose) if address.whose != "own" else self._index(6)
            at = w.new(f"mul i64 {row}, {self.frame.changing[1]}")
            at = w.new(f"add i64 {at}, {plan.sums + address.place}")
            return w.new(f"getelementptr {w.real}, ptr %work, i64 {at}")
        key = ("region", address.whose)
        if key not in self.link:
            at = w.new(f"mul i64 {self._whose(address.whose)}, {plan.stride}")
            at = w.new(f"add i64 {at}, {self.frame.base}")
            self.link[key] = w.new(f"getelementptr {w.real}, ptr %work, i64 {at}")
        return w.new(f"getelementptr {w.real}, ptr {self.link[key]}, i64 {address.place}")

    def _whose(self, whose: str | int) -> str:
        if whose == "own":
            return self.i
        return self._index(3 if whose == "parent" else 7 + int(whose))

    def _store(self, address: Address, value: str, add: bool) -> None:
        w = self.w
        if address.area in ("out", "result"):
            self._put_out(address, value)
            return
        pointer = self._work(address)
        if add:
            old = w.new(f"load {w.real}, ptr {pointer}, align {self._align}")
            value = w.binary("+", old, value)
        w.do(f"store {w.real} {value}, ptr {pointer}, align {self._align}")

    def _put_out(self, address: Address, value: str) -> None:
        w, place = self.w, str(address.place)
        if address.area == "out":
            place = w.new(f"add i64 {self._start('v', 'own')}, {place}")
        if self.frame.columns is not None:
            at = w.new(f"mul i64 {place}, {self.frame.width}")
            at = w.new(f"add i64 {at}, %first")
            pointer = w.new(f"getelementptr double, ptr %out, i64 {at}")
            w.do(f"store {w.real} {value}, ptr {pointer}, align 8")
            return
        for lane in range(self.lanes):
            one = value
            if self.lanes > 1:
                one = w.new(f"extractelement {w.real} {value}, i32 {lane}")
            at = w.new(f"add i64 {place}, {lane * self.frame.total}")
            pointer = w.new(f"getelementptr double, ptr %out, i64 {at}")
            w.do(f"store double {one}, ptr {pointer}, align 8")


def _pointers(count: int) -> str:
    return "\n".join(
        f"%s{i} = getelementptr ptr, ptr %in, i64 {i}\n%p{i} = load ptr, ptr %s{i}, align 8"
        for i in range(count + 1)
    )


def _call(frame: Frame, lanes: int, first: str, row: str | None = None, out: str = "%out") -> str:
    """Call `run` on the state in row `row` of the arguments (None: the only one)."""
    lines, names = [], []
    for i, size in enumerate(frame.arguments.values()):
        name = f"%p{i}"
        if row is not None:
            lines.append(f"%o{lanes}_{i} = mul i64 {row}, {size}")
            lines.append(f"%q{lanes}_{i} = getelementptr double, ptr {name}, i64 %o{lanes}_{i}")
            name = f"%q{lanes}_{i}"
        names.append(f"ptr {name}")
    work = f"%p{len(frame.arguments)}"
    every = ", ".join([*names, f"ptr {out}", f"ptr {work}", f"i64 {first}"])
    return "\n".join([*lines, f"call void @run{lanes}({every})"])


def _kernel(frame: Frame, lanes: int) -> str:
    """One state; a Jacobian takes its columns `lanes` at a time, the last ones over again."""
    head = "define void @kernel(ptr noalias readonly %in, ptr noalias %out) nounwind {\nentry:\n"
    head += _pointers(len(frame.arguments))
    if frame.columns is None:
        return f"{head}\n{_call(frame, 1, '0')}\nret void\n}}"
    if frame.width == 0:
        return f"{head}\nret void\n}}"
    step = lanes if frame.width >= lanes else 1
    last = frame.width - step
    return f"""{head}
br label %loop
loop:
%c = phi i64 [0, %entry], [%n, %loop]
{_call(frame, step, "%c")}
%t = add i64 %c, {step}
%over = icmp sgt i64 %t, {last}
%n = select i1 %over, i64 {last}, i64 %t
%stop = icmp eq i64 %c, {last}
br i1 %stop, label %done, label %loop
done:
ret void
}}"""


def _batch(frame: Frame, lanes: int) -> str:
    count, total = len(frame.arguments), frame.total * max(frame.width, 1)
    together = lanes if frame.columns is None else 1
    arguments = "ptr noalias readonly %in, ptr noalias %out, i64 %first, i64 %last"
    one = _call(frame, 1, "0", "%j", "%to")
    if frame.columns is not None:
        one = _state_of_batch(frame)
    many = ""
    if together > 1:
        many = f"""
loop:
%i = phi i64 [%first, %entry], [%next, %loop]
%io = mul i64 %i, {total}
%ito = getelementptr double, ptr %out, i64 %io
{_call(frame, lanes, "0", "%i", "%ito")}
%next = add i64 %i, {lanes}
%more = icmp slt i64 %next, %whole
br i1 %more, label %loop, label %tail"""
    start = "label %loop, label %tail" if together > 1 else "label %tail, label %tail"
    phi = "[%first, %entry], [%next, %loop]" if together > 1 else "[%first, %entry]"
    branch = f"br i1 %any, {start}" if together > 1 else "br label %tail"
    return f"""define void @batch({arguments}) nounwind {{
entry:
{_pointers(count)}
%one = alloca ptr, i64 {count + 1}
%whole = sub i64 %last, {together - 1}
%any = icmp slt i64 %first, %whole
{branch}{many}
tail:
%from = phi i64 {phi}
%left = icmp slt i64 %from, %last
br i1 %left, label %each, label %done
each:
%j = phi i64 [%from, %tail], [%then, %each]
%jo = mul i64 %j, {total}
%to = getelementptr double, ptr %out, i64 %jo
{one}
%then = add i64 %j, 1
%again = icmp slt i64 %then, %last
br i1 %again, label %each, label %done
done:
ret void
}}"""


def _state_of_batch(frame: Frame) -> str:
    lines = []
    for i, size in enumerate(frame.arguments.values()):
        lines += [
            f"%bo{i} = mul i64 %j, {size}",
            f"%bq{i} = getelementptr double, ptr %p{i}, i64 %bo{i}",
            f"%bs{i} = getelementptr ptr, ptr %one, i64 {i}",
            f"store ptr %bq{i}, ptr %bs{i}, align 8",
        ]
    k = len(frame.arguments)
    lines += [
        f"%bs{k} = getelementptr ptr, ptr %one, i64 {k}",
        f"store ptr %p{k}, ptr %bs{k}, align 8",
        "call void @kernel(ptr %one, ptr %to)",
    ]
    return "\n".join(lines)
