"""Machine code of a call from Python: look at the arrays, make the result, run the kernel.

    PyObject *entry(self, args, nargsf, kwnames)      one array
    PyObject *several(self, args, nargsf, kwnames)    several, in a tuple
    PyObject *number(self, args, nargsf, kwnames)     a number

Whatever is not as simple as expected goes to `slow`: the checked call in Python. So does, of
functions that are watched, a result with a NaN in it: the checked call says why.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce

import numpy as np

from . import numpy_layout as layout
from .llvm.builder import Builder
from .llvm.module import Module
from .llvm.values import INDEX, NULL, POINTER, REAL, SINGLE, Value, address, whole

MOST = 8  # arguments
MOST_RESULTS = 4
KEPT_BYTES = 1 << 16
"""Of a result of at most so many bytes, a function keeps the last two arrays that it made."""
_COUNT_MASK = 2**63 - 1  # PyVectorcall_NARGS: all bits of nargsf but the highest


def python_function(name: str) -> int:
    """The address of a function of Python's C API."""
    pointer = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert pointer is not None
    return pointer


def entry_code(
    api: tuple[int, int],
    context: int,
    offsets: Mapping[str, int],
    dtype: np.dtype[np.generic],
    watched: bool,
) -> str:
    """Assembly of the entries. `api`: where PyArray_New and PyArray_Return are; `context`: the
    place, in the object that is called, of the pointer to its context; `offsets`: of the
    context's fields; `dtype`: of all arrays."""
    module = Module()
    given = {"self": POINTER, "args": POINTER, "nargsf": INDEX, "names": POINTER}
    for name in ("entry", "several", "number"):
        with module.function(name, given, POINTER) as (b, (me, args, flagged, names)):
            inputs = b.room(POINTER, MOST + 1)
            count = b.bits("and", flagged, _COUNT_MASK)
            held = b.load(POINTER, b.at(me, context, "i8"))
            fields = _ContextFields(b, held, offsets)
            call = _Call(b, args, count, names, inputs, fields, dtype, watched)
            if name == "entry":
                call.write(api[0])
            elif name == "several":
                call.write_several(api[0])
            else:
                call.write_number(*api)
    return module.text()


@dataclass(frozen=True)
class _ContextFields:
    """What a call knows of its kernel, field by field."""

    b: Builder
    pointer: Value
    offsets: Mapping[str, int]

    def at(self, name: str) -> Value:
        return self.b.at(self.pointer, self.offsets[name], "i8")

    def __call__(self, name: str, kind: str = INDEX) -> Value:
        return self.b.load(kind, self.at(name))


@dataclass(frozen=True)
class _Array:
    """Fields of an array that was looked at."""

    data: Value
    nd: Value
    dims: Value


_Way = tuple[Value, Value, str]
"""The result, its data, the block from which it comes."""


class _Call:
    def __init__(
        self,
        b: Builder,
        args: Value,
        given: Value,
        names: Value,
        inputs: Value,
        context: _ContextFields,
        dtype: np.dtype[np.generic],
        watched: bool,
    ) -> None:
        self.dtype, self.real = dtype, SINGLE if dtype == np.float32 else REAL
        self.b, self.args, self.given, self.names = b, args, given, names
        self.inputs, self.context, self.watched = inputs, context, watched
        self.count, self.slow = context("count"), b.label("slow")
        self.error, self.run = b.label("error"), b.label("run")

    def write(self, array_new: int) -> None:
        b = self.b
        fresh = self._counted()
        self._arguments()
        own, given = b.label("own"), b.label("given")
        b.go_if(fresh, own, given)
        b.begin(own)
        ways = [*self._own_array(array_new)]
        b.begin(given)
        ways.append(self._given_array())
        b.begin(self.run)
        result = b.phi(*((value, block) for value, _, block in ways), kind=POINTER)
        data = b.phi(*((at, block) for _, at, block in ways), kind=POINTER)
        self._kernel(data)
        self._look(data, self.context("out_size"), result)
        b.give(result)
        self._ends()

    def write_several(self, array_new: int) -> None:
        """All objects are made before the kernel runs: making them may run other code."""
        b, context = self.b, self.context
        b.require(self._counted(), self.slow)
        self._arguments()
        count, drop = context("results"), b.label("drop")
        out = b.call_for(POINTER, _at("PyTuple_New"), count)
        b.require(b.icmp("ne", out, NULL), self.error)
        with b.for_range(0, count) as loop:
            i = loop.index
            nd = b.convert("trunc", b.load(INDEX, b.at(context.at("nds"), i, INDEX)), "i32")
            new = self._made(array_new, nd, b.at(context.at("dims"), b.mul(i, 2), INDEX))
            b.require(b.icmp("ne", new, NULL), drop)
            b.call_for("i32", _at("PyTuple_SetItem"), out, i, new)
        flat = context("flat", POINTER)
        self._kernel(flat)
        size = b.load(INDEX, b.at(context.at("starts"), count, INDEX))
        self._look(flat, size, out)
        with b.for_range(0, count) as loop:
            new = b.call_for(POINTER, _at("PyTuple_GetItem"), out, loop.index)
            data = b.load(POINTER, b.at(new, layout.DATA, "i8"))
            start, end = (
                b.load(INDEX, b.at(context.at("starts"), b.add(loop.index, k), INDEX))
                for k in (0, 1)
            )
            with b.for_range(start, end) as inner:
                x = b.load(self.real, b.at(flat, inner.index, self.real))
                b.store(x, b.at(data, b.sub(inner.index, start), self.real))
        b.give(out)
        b.begin(drop)
        b.call(_at("Py_DecRef"), out)
        b.give(NULL)
        self._ends()

    def write_number(self, array_new: int, array_return: int) -> None:
        b, context = self.b, self.context
        b.require(self._counted(), self.slow)
        self._arguments()
        new = self._made(array_new, whole(0, "i32"), context.at("dims"))
        b.require(b.icmp("ne", new, NULL), self.error)
        data = b.load(POINTER, b.at(new, layout.DATA, "i8"))
        self._kernel(data)
        self._look(data, whole(1), new)
        b.give(b.call_for(POINTER, address(array_return).name, new))
        self._ends()

    def _made(self, array_new: int, nd: Value, dims: Value) -> Value:
        """PyArray_New(ndarray, nd, dims, NPY_DOUBLE or NPY_FLOAT, ...)."""
        zero = whole(0, "i32")
        return self.b.call_for(
            POINTER,
            address(array_new).name,
            *(address(id(np.ndarray)), nd, dims),
            *(whole(self.dtype.num, "i32"), NULL, NULL, zero, zero, NULL),
        )

    def _counted(self) -> Value:
        """Whether there is no `out`; slow where the arguments are not as many as they should."""
        b, context = self.b, self.context
        word, counted, before = b.label("word"), b.label("counted"), b.block
        b.go_if(b.icmp("eq", self.names, NULL), counted, word)
        b.begin(word)
        size = b.call_for(INDEX, _at("PyTuple_Size"), self.names)
        b.require(b.icmp("eq", size, 1), self.slow)
        name = b.call_for(POINTER, _at("PyTuple_GetItem"), self.names, whole(0))
        b.require(b.icmp("eq", name, context("out_word", POINTER)), self.slow)
        b.go(counted)
        named = b.block
        b.begin(counted)
        extra = b.phi((0, before), (1, named))
        total = b.add(self.given, extra)
        bare = b.icmp("eq", total, self.count)
        fresh = b.bits("and", bare, b.icmp("eq", extra, 0))
        one_more = b.icmp("eq", total, b.add(self.count, 1))
        b.require(b.bits("or", fresh, one_more), self.slow)
        return fresh

    def _arguments(self) -> None:
        """Every argument's data into `inputs`; slow where one is no plain array of its size."""
        b = self.b
        with b.for_range(0, self.count) as loop:
            a = self._array(b.load(POINTER, b.at(self.args, loop.index, POINTER)), layout.READ)
            b.require(b.icmp("eq", a.nd, 1), self.slow)
            size = b.load(INDEX, b.at(self.context.at("sizes"), loop.index, INDEX))
            b.require(b.icmp("eq", b.load(INDEX, a.dims), size), self.slow)
            b.store(a.data, b.at(self.inputs, loop.index, POINTER))

    def _array(self, x: Value, flags: int) -> _Array:
        """The fields of an array of the dtype with these flags; slow where it is none."""
        b = self.b

        def field(kind: str, offset: int) -> Value:
            return b.load(kind, b.at(x, offset, "i8"), 4 if kind == "i32" else 8)

        kind = b.icmp("eq", field(INDEX, layout.TYPE), id(np.ndarray))
        b.require(kind, self.slow)
        out = _Array(
            field(POINTER, layout.DATA), field("i32", layout.ND), field(POINTER, layout.DIMS)
        )
        alike = b.icmp("eq", field(INDEX, layout.DESCR), id(self.dtype))
        flagged = b.icmp("eq", b.bits("and", field("i32", layout.FLAGS), flags), flags)
        b.require(b.bits("and", flagged, alike), self.slow)
        return out

    def _own_array(self, array_new: int) -> Iterator[_Way]:
        """The result before the last once more, where nobody has it any longer; else a new one,
        which is kept in its place: see `KEPT_BYTES`. To make a small array takes as long as many
        a kernel; CPython's zip() treats its tuples likewise."""
        b, context = self.b, self.context
        kept, look, allocate = context("kept", POINTER), b.label("look"), b.label("allocate")
        b.go_if(b.icmp("eq", kept, NULL), allocate, look)
        b.begin(look)
        turn = b.bits("xor", context("turn"), 1)
        b.store(turn, context.at("turn"))
        old = b.call_for(POINTER, _at("PyList_GetItem"), kept, turn)
        self._as_made(old, allocate)
        b.call(_at("Py_IncRef"), old)
        data = b.load(POINTER, b.at(old, layout.DATA, "i8"))
        b.go(self.run)
        yield old, data, b.block
        b.begin(allocate)
        nd = b.convert("trunc", context("out_nd"), "i32")
        new = self._made(array_new, nd, context.at("out_dims"))
        b.require(b.icmp("ne", new, NULL), self.error)
        data = b.load(POINTER, b.at(new, layout.DATA, "i8"))
        keep = b.label("keep")
        without = b.block
        b.go_if(b.icmp("eq", kept, NULL), self.run, keep)
        yield new, data, without
        b.begin(keep)
        b.call(_at("Py_IncRef"), new)
        b.call_for("i32", _at("PyList_SetItem"), kept, context("turn"), new)
        b.go(self.run)
        yield new, data, b.block

    def _as_made(self, x: Value, otherwise: str) -> None:
        """Elsewhere, unless this array is as it was made and only the list of kept ones has it:
        no other reference, weak reference or view; neither shape nor flags (which know of gaps)
        changed in place."""
        b, context = self.b, self.context

        def alike(kind: str, offset: int, wanted: Value | int) -> Value:
            have = b.load(kind, b.at(x, offset, "i8"), 4 if kind == "i32" else 8)
            return b.icmp("eq", have, wanted)

        b.require(alike(INDEX, layout.TYPE, id(np.ndarray)), otherwise)
        b.require(alike("i32", layout.COUNT, 1), otherwise)
        fields = (
            alike(INDEX, layout.DESCR, id(self.dtype)),
            alike(INDEX, layout.BASE, 0),
            alike(INDEX, layout.WEAK, 0),
            alike("i32", layout.FLAGS, b.convert("trunc", context("out_flags"), "i32")),
            alike("i32", layout.ND, b.convert("trunc", context("out_nd"), "i32")),
        )
        b.require(reduce(lambda a, c: b.bits("and", a, c), fields), otherwise)
        dims = b.load(POINTER, b.at(x, layout.DIMS, "i8"))
        with b.for_range(0, context("out_nd")) as loop:
            have = b.load(INDEX, b.at(dims, loop.index, INDEX))
            want = b.load(INDEX, b.at(context.at("out_dims"), loop.index, INDEX))
            b.require(b.icmp("eq", have, want), otherwise)

    def _given_array(self) -> _Way:
        """`out`, its data, this block; slow where it has another shape, or shares memory with
        an argument."""
        b = self.b
        out = b.load(POINTER, b.at(self.args, self.count, POINTER))
        a = self._array(out, layout.WRITE)
        nd = self.context("out_nd")
        b.require(b.icmp("eq", nd, b.convert("zext", a.nd, INDEX)), self.slow)
        with b.for_range(0, nd) as loop:
            have = b.load(INDEX, b.at(a.dims, loop.index, INDEX))
            want = b.load(INDEX, b.at(self.context.at("out_dims"), loop.index, INDEX))
            b.require(b.icmp("eq", have, want), self.slow)
        self._stands_apart(a.data)
        b.call(_at("Py_IncRef"), out)
        b.go(self.run)
        return out, a.data, b.block

    def _stands_apart(self, data: Value) -> None:
        """Slow where the result would lie over an argument."""
        b = self.b
        begin, end = self._span(data, self.context("out_size"))
        with b.for_range(0, self.count) as loop:
            other = b.load(POINTER, b.at(self.inputs, loop.index, POINTER))
            size = b.load(INDEX, b.at(self.context.at("sizes"), loop.index, INDEX))
            first, last = self._span(other, size)
            over = b.bits("and", b.icmp("ult", first, end), b.icmp("ult", begin, last))
            b.require(b.icmp("eq", over, 0), self.slow)

    def _span(self, data: Value, size: Value) -> tuple[Value, Value]:
        """Addresses where so many numbers begin and end."""
        begin = self.b.convert("ptrtoint", data, INDEX)
        return begin, self.b.add(begin, self.b.mul(size, self.dtype.itemsize))

    def _kernel(self, data: Value) -> None:
        """Run it: after the inputs comes its work space."""
        b, context = self.b, self.context
        b.store(context("work", POINTER), b.at(self.inputs, self.count, POINTER))
        b.call(context("kernel", POINTER).name, self.inputs, data)

    def _look(self, data: Value, size: Value, result: Value) -> None:
        """Of a watched function: drop a result with a NaN in it, and go the slow way."""
        if not self.watched:
            return
        b = self.b
        spoilt, sound = b.label("spoilt"), b.label("sound")
        with b.for_range(0, size) as loop:
            x = b.load(self.real, b.at(data, loop.index, self.real))
            b.require(b.fcmp("ord", x, x), spoilt)
        b.go(sound)
        b.begin(spoilt)
        b.call(_at("Py_DecRef"), result)
        b.go(self.slow)
        b.begin(sound)

    def _ends(self) -> None:
        b = self.b
        b.begin(self.slow)
        checked = self.context("checked", POINTER)
        call = _at("PyObject_Vectorcall")
        b.give(b.call_for(POINTER, call, checked, self.args, self.given, self.names))
        b.begin(self.error)
        b.give(NULL)


def _at(name: str) -> str:
    return address(python_function(name)).name
