"""The shortest way from Python to a kernel.

Functions are instances of a type with a vectorcall made of machine code (PyType_FromSpec,
`__vectorcalloffset__`): it looks at its NumPy arguments, calls the kernel, and hands back the
result (`fast_call_code`). Before it is used at all, `layout_holds` compares what it knows of
arrays with what NumPy itself says of a few; where they differ, or on a Python whose objects
start otherwise, every call takes the checked way instead. Arguments that are not simply
contiguous arrays of the right dtype and size take the checked way too: it converts, or says what
is wrong.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import TypeVar, cast

import numpy as np

from ..lazy import once
from .fast_call_code import KEPT_BYTES, MOST, MOST_RESULTS, entry_code, python_function
from .machine import Code, assemble
from .numpy_layout import array_new, array_return, flags, layout_holds
from .signature import Signature

_HAVE_VECTORCALL = 1 << 11
_TP_CALL, _TP_MEMBERS, _SSIZE, _READONLY = 50, 72, 19, 1  # of typeslots.h, structmember.h

T = TypeVar("T")


class _Context(ctypes.Structure):
    """What a call knows of its kernel."""

    _fields_ = [
        ("count", ctypes.c_int64),
        ("kernel", ctypes.c_void_p),
        ("work", ctypes.c_void_p),
        ("checked", ctypes.c_void_p),
        ("out_word", ctypes.c_void_p),
        ("out_nd", ctypes.c_int64),
        ("out_size", ctypes.c_int64),
        ("out_dims", ctypes.c_int64 * 2),
        # results that may be used again: a list of two, whose turn it was last, how they are made
        ("kept", ctypes.c_void_p),
        ("turn", ctypes.c_int64),
        ("out_flags", ctypes.c_int64),
        ("sizes", ctypes.c_int64 * MOST),
        # of several results, which the kernel leaves one behind the other at `flat`
        ("results", ctypes.c_int64),
        ("flat", ctypes.c_void_p),
        ("nds", ctypes.c_int64 * MOST_RESULTS),
        ("dims", ctypes.c_int64 * (2 * MOST_RESULTS)),
        ("starts", ctypes.c_int64 * (MOST_RESULTS + 1)),
    ]


class _Slot(ctypes.Structure):
    _fields_ = [("slot", ctypes.c_int), ("value", ctypes.c_void_p)]


class _Member(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


class _Spec(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("basicsize", ctypes.c_int),
        ("itemsize", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(_Slot)),
    ]


@dataclass(frozen=True)
class _Entry:
    """Machine code of the call, and the type whose instances are called by it.

    They live as long as the process: CPython reads a type's definition to its very end.
    """

    code: Code
    kind: type
    offset: int  # in an instance: the vectorcall, then its context
    defined: tuple[object, ...]  # what that type is read from


@once
def _entry(base: type, dtype: np.dtype[np.generic], watched: bool) -> _Entry | None:
    """A subclass of `base` that is called the short way on arrays of this dtype; None: use the
    checked way. Watched: the checked way explains a result that has a NaN in it."""
    new, final = array_new(), array_return()
    if new is None or final is None or not layout_holds():
        return None
    offset = base.__basicsize__
    kind, defined = _called_at(base, offset)
    offsets = {name: getattr(_Context, name).offset for name, *_ in _Context._fields_}
    text = entry_code((new, final), offset + 8, offsets, dtype, watched)
    code = assemble(text, ("entry", "several", "number"))
    return _Entry(code, kind, offset, defined)


def _called_at(base: type, offset: int) -> tuple[type, tuple[object, ...]]:
    """A subclass whose instances keep the address of their call at this place."""
    member = _Member(b"__vectorcalloffset__", _SSIZE, offset, _READONLY, None)
    members = (_Member * 2)(member, _Member())
    call = _Slot(_TP_CALL, python_function("PyVectorcall_Call"))
    slots = (_Slot * 3)(call, _Slot(_TP_MEMBERS, ctypes.addressof(members)), _Slot())
    name = f"{base.__module__}.{base.__qualname__}".encode()
    spec = _Spec(name, offset + 16, 0, _HAVE_VECTORCALL, slots)
    make = ctypes.pythonapi.PyType_FromSpecWithBases
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object]
    kind: type = make(ctypes.addressof(spec), (base,))
    kind.__doc__ = base.__doc__
    return kind, (name, members, slots, spec)


_begin, _address = (ctypes.c_char * 0).from_buffer, ctypes.addressof


def buffer_start(a: object) -> int:
    """Where the numbers of a contiguous array that may be written begin: by its buffer, far
    quicker than by a.ctypes. Of others an error."""
    return _address(_begin(a))  # type: ignore[arg-type]


def buffer_starts(*arrays: object) -> list[int]:
    """The same of several."""
    return [*map(_address, map(_begin, arrays))]  # type: ignore[arg-type]


class WorkSpace:
    """Work space of so many numbers, on the boundary that vectors like."""

    def __init__(self, size: int) -> None:
        self.memory = np.empty(size + 8)
        start = buffer_start(self.memory)
        self.address = start + -start % 64


def fast_callable(
    base: type[T],
    shape: Signature,
    checked: Callable[..., object],
    code: Code,
    work: int,
    watched: bool,
) -> T | None:
    """A new instance of `base` (its __init__ not run yet) that is called as a kernel of `code`,
    with `work` numbers of work space: one for all calls, which hold the interpreter's lock.

    None where the short way is closed.
    """
    kind: type = base
    entry = _entry(kind, shape.dtype, watched)
    dims = list(shape.results.values())
    many = len(shape.arguments) > MOST or len(dims) > MOST_RESULTS
    if entry is None or many or max(map(len, dims)) > 2:
        return None
    name = "several" if len(dims) > 1 else "entry" if dims[0] else "number"
    total = sum(map(prod, dims))
    word, space = sys.intern("out"), WorkSpace(work + (total if len(dims) > 1 else 0))
    context = _context(shape, dims, code.address("kernel"), space.address)
    context.flat = space.address + 8 * work  # float32 takes half of it
    context.checked, context.out_word = id(checked), id(word)
    kept = [None, None]
    if name == "entry" and total * shape.dtype.itemsize <= KEPT_BYTES:
        made = np.empty(dims[0], dtype=shape.dtype)
        context.kept, context.out_flags = id(kept), flags(made)
    out = cast("T", object.__new__(entry.kind))
    needed = (context, checked, code, word, space, kept, entry)  # by its calls
    out.__dict__["_alive"] = needed
    place = (ctypes.c_void_p * 2).from_address(id(out) + entry.offset)
    place[0], place[1] = entry.code.address(name), ctypes.addressof(context)
    return out


def _context(shape: Signature, all_dims: list[tuple[int, ...]], kernel: int, work: int) -> _Context:
    sizes, dims = tuple(shape.arguments.values()), all_dims[0]
    starts = [0, *accumulate(map(prod, all_dims))]
    pairs = [n for x in all_dims for n in (*x, *[0] * (2 - len(x)))]
    return _Context(
        count=len(sizes),
        kernel=kernel,
        work=work,
        out_nd=len(dims),
        out_size=prod(dims),
        out_dims=(ctypes.c_int64 * 2)(*dims, *[0] * (2 - len(dims))),
        sizes=(ctypes.c_int64 * MOST)(*sizes, *[0] * (MOST - len(sizes))),
        results=len(all_dims),
        nds=(ctypes.c_int64 * MOST_RESULTS)(*map(len, all_dims)),
        dims=(ctypes.c_int64 * (2 * MOST_RESULTS))(*pairs),
        starts=(ctypes.c_int64 * (MOST_RESULTS + 1))(*starts),
    )
