"""Functions of Python that native code calls while it holds the interpreter's lock.

    kernel(given, out):     out = NaN;  if no exception is set:  function(given, out)

An exception of any kind, from the function's first line to its last, stays set: native code goes
on with NaN until it returns, where it is raised (ctypes, which otherwise calls Python back, drops
what a signal handler raises between two lines of the function).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from ..tracer import cache
from ..tracer.fast_call_code import python_function
from ..tracer.llvm.builder import Builder
from ..tracer.llvm.module import Module
from ..tracer.llvm.values import INDEX, NULL, POINTER, REAL, Value, not_a_number, whole

_API = ("PyErr_Occurred", "PyLong_FromVoidPtr", "PyObject_Vectorcall", "Py_DecRef")


class _Context(ctypes.Structure):
    """The function, how many numbers it gives, and what of Python's C API is needed to call it."""

    _fields_ = [
        ("function", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in _API),
    ]


class Callback:
    """function(given, out) for native code: a kernel at `address`, which finds what it calls by
    the pointer at this `place` behind its arguments: to be set to `context`."""

    def __init__(self, function: Callable[[int, int], None], count: int, place: int) -> None:
        api = (python_function(name) for name in _API)
        self._function, self._fields = function, _Context(id(function), count, *api)
        self.context = ctypes.addressof(self._fields)
        about: cache.Words = {"what": "calls Python"}
        self._code = cache.recall(cache.key("callback", place), lambda: (_text(place), about)).code
        self.address = self._code.address("kernel")


def _text(place: int) -> str:
    module = Module()
    with module.function("kernel", {"given": POINTER, "out": POINTER}) as (b, (given, out)):
        pair = b.room(POINTER, 2)
        context = b.load(POINTER, b.at(given, place, POINTER))

        def field(name: str, kind: str = POINTER) -> Value:
            return b.load(kind, b.at(context, getattr(_Context, name).offset, "i8"))

        with b.for_range(0, field("count", INDEX)) as loop:
            b.store(not_a_number(REAL), b.at(out, loop.index, REAL))
        done, ready = b.label("done"), b.label("ready")
        error = b.call_for(POINTER, field("PyErr_Occurred").name)
        b.go_if(b.icmp("eq", error, NULL), ready, done)
        b.begin(ready)
        _call(b, field, pair, (given, out))
        b.go(done)
        b.begin(done)
    return module.text()


def _call(
    b: Builder, field: Callable[[str], Value], pair: Value, addresses: tuple[Value, Value]
) -> None:
    """function(*addresses); its answer is of no use, nor are the numbers that it was given."""
    for k, x in enumerate(addresses):
        number = b.call_for(POINTER, field("PyLong_FromVoidPtr").name, x)
        b.store(number, b.at(pair, k, POINTER))
    made = (field("function"), pair, whole(2), NULL)
    answer = b.call_for(POINTER, field("PyObject_Vectorcall").name, *made)
    for x in (*(b.load(POINTER, b.at(pair, k, POINTER)) for k in range(2)), answer):
        drop, kept = b.label("drop"), b.label("kept")
        b.go_if(b.icmp("eq", x, NULL), kept, drop)
        b.begin(drop)
        b.call(field("Py_DecRef").name, x)
        b.go(kept)
        b.begin(kept)


__all__ = ["Callback"]
