"""The shortest way from Python to a kernel.

Functions are instances of a type with a vectorcall made of machine code (PyType_FromSpec,
`__vectorcalloffset__`): it looks at its NumPy arguments, calls the kernel, and hands back the
result. What it knows of an array is what every
compiled extension knows: the fields of PyArrayObject in NumPy's public header ndarraytypes.h,
whose order is NumPy's ABI. Before it is used at all, `layout_holds` compares those fields with
what NumPy itself says of a few arrays; where they differ, or on a Python whose objects start
otherwise, every call takes the plain way instead. Arguments that are not simply contiguous
float64 arrays of the right size take the plain way too: it converts, or says what is wrong.
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from .machine import Code, assemble

MOST = 8  # arguments
_FLAGS = {"contiguous": 0x1, "aligned": 0x100, "writeable": 0x400}
_READ = _FLAGS["contiguous"] | _FLAGS["aligned"]
_WRITE = _READ | _FLAGS["writeable"]
_HEAD = 16  # PyObject: reference count, type
_DATA, _ND, _DIMS, _DESCR, _ARRAY_FLAGS = 16, 24, 32, 56, 64
_DOUBLE = 12
_HAVE_VECTORCALL = 1 << 11
_TP_CALL, _TP_MEMBERS, _SSIZE, _READONLY = 50, 72, 19, 1  # of typeslots.h, structmember.h


class _Context(ctypes.Structure):
    """What a call knows of its kernel."""

    _fields_ = [
        ("count", ctypes.c_int64),
        ("kernel", ctypes.c_void_p),
        ("work", ctypes.c_void_p),
        ("plain", ctypes.c_void_p),
        ("out_word", ctypes.c_void_p),
        ("out_nd", ctypes.c_int64),
        ("out_size", ctypes.c_int64),
        ("out_dims", ctypes.c_int64 * 2),
        ("sizes", ctypes.c_int64 * MOST),
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


def layout_holds() -> bool:
    """Whether arrays in this process are laid out as the public header says."""
    if object.__basicsize__ != _HEAD or sys.maxsize < 2**62 or sys.byteorder != "little":
        return False
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False
    for shape in ((3,), (2, 5), (0,), (1,)):
        a = np.arange(float(np.prod(shape))).reshape(shape)
        fixed = a.copy()
        fixed.flags.writeable = False
        if not (_fields_match(a, _WRITE) and _fields_match(fixed, _READ)):
            return False
        if len(shape) == 2 and _flags(a.T) & _FLAGS["contiguous"]:
            return False
    return True


def _flags(a: Any) -> int:
    return ctypes.c_int.from_address(id(a) + _ARRAY_FLAGS).value


def _fields_match(a: Any, flags: int) -> bool:
    at = id(a)
    dims = ctypes.c_void_p.from_address(at + _DIMS).value
    return (
        ctypes.c_void_p.from_address(at + 8).value == id(np.ndarray)
        and ctypes.c_void_p.from_address(at + _DATA).value == a.ctypes.data
        and ctypes.c_int.from_address(at + _ND).value == a.ndim
        and dims is not None
        and [ctypes.c_int64.from_address(dims + 8 * i).value for i in range(a.ndim)]
        == list(a.shape)
        and ctypes.c_void_p.from_address(at + _DESCR).value == id(np.dtype(np.float64))
        and _flags(a) & _WRITE == flags
    )


def _array_new() -> int | None:
    """Address of PyArray_New, by the number the public header gives it."""
    header = Path(np.get_include()) / "numpy" / "__multiarray_api.h"
    try:
        text = header.read_text(encoding="utf-8")
        core = import_module("numpy._core._multiarray_umath")
    except (OSError, ImportError):
        return None
    found = re.search(r"#define PyArray_New\b.*?PyArray_API\[(\d+)\]", text, re.DOTALL)
    if found is None:
        return None
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = get(core._ARRAY_API, None)
    address = ctypes.c_void_p.from_address(table + 8 * int(found.group(1))).value
    return int(address) if address else None


def _function(name: str) -> int:
    pointer = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert pointer is not None
    return pointer


@dataclass(frozen=True)
class _Entry:
    """Machine code of the call, and the type whose instances are called by it.

    They live as long as the process: CPython reads a type's definition to its very end.
    """

    code: Code
    kind: type
    offset: int  # in an instance: the vectorcall, then its context
    defined: tuple[Any, ...]


@cache
def _entry(base: type) -> _Entry | None:
    """A subclass of `base` that is called the short way; None: use the plain way."""
    new = _array_new()
    if new is None or not layout_holds():
        return None
    offset = base.__basicsize__
    member = _Member(b"__vectorcalloffset__", _SSIZE, offset, _READONLY, None)
    members = (_Member * 2)(member, _Member())
    call = _Slot(_TP_CALL, _function("PyVectorcall_Call"))
    slots = (_Slot * 3)(call, _Slot(_TP_MEMBERS, ctypes.addressof(members)), _Slot())
    name = f"{base.__module__}.{base.__qualname__}".encode()
    spec = _Spec(name, offset + 16, 0, _HAVE_VECTORCALL, slots)
    make = ctypes.pythonapi.PyType_FromSpecWithBases
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object]
    kind: type = make(ctypes.addressof(spec), (base,))
    kind.__doc__ = base.__doc__
    code = assemble(_assembly(new, offset + 8))
    return _Entry(code, kind, offset, (name, members, slots, spec))


class Space:
    """Work space of so many numbers, on the boundary that vectors like."""

    def __init__(self, size: int) -> None:
        self.memory = np.empty(size + 8)
        start = self.memory.ctypes.data
        self.address = start + -start % 64


def quick(
    base: type,
    sizes: tuple[int, ...],
    shape: tuple[int, ...],
    plain: Callable[..., Any],
    code: Code,
    work: int = 0,
) -> Any:
    """A new instance of `base` (its __init__ not run yet) that is called as a kernel of `code`,
    with `work` numbers of work space: one for all calls, which hold the interpreter's lock.

    None where the short way is closed.
    """
    entry = _entry(base)
    if entry is None or len(sizes) > MOST or not 1 <= len(shape) <= 2:
        return None
    word, space = sys.intern("out"), Space(work)
    context = _Context(
        count=len(sizes),
        kernel=code.address("kernel"),
        work=space.address,
        plain=id(plain),
        out_word=id(word),
        out_nd=len(shape),
        out_size=int(np.prod(shape)),
        out_dims=(ctypes.c_int64 * 2)(*shape, *[0] * (2 - len(shape))),
        sizes=(ctypes.c_int64 * MOST)(*sizes, *[0] * (MOST - len(sizes))),
    )
    kind: Any = entry.kind
    out = kind.__new__(kind)
    out.__dict__["_alive"] = (context, plain, code, word, space)  # what its calls need
    place = (ctypes.c_void_p * 2).from_address(id(out) + entry.offset)
    place[0], place[1] = entry.code.address("entry"), ctypes.addressof(context)
    return out


def _assembly(array_new: int, context: int) -> str:
    """The vectorcall in LLVM assembly; `context` is the place of its context in the object."""

    def pointer(address: int) -> str:
        return f"inttoptr (i64 {address} to ptr)"

    ndarray, descr = id(np.ndarray), id(np.dtype(np.float64))
    offset = {name: getattr(_Context, name).offset for name, *_ in _Context._fields_}
    fields = "\n  ".join(
        f"%p_{n} = getelementptr i8, ptr %context, i64 {offset[n]}"
        for n in ("kernel", "work", "plain", "out_word", "out_nd", "out_size", "out_dims", "sizes")
    )

    make_array = (
        f"%new = call ptr {pointer(array_new)}(ptr {pointer(ndarray)}, i32 %nd32, "
        f"ptr %p_out_dims, i32 {_DOUBLE}, ptr null, ptr null, i32 0, i32 0, ptr null)"
    )
    plain_call = (
        f"%answer = call ptr {pointer(_function('PyObject_Vectorcall'))}"
        f"(ptr %plain, ptr %args, i64 %nargs, ptr %kwnames)"
    )

    def check(name: str, flags: int) -> str:
        """Load the fields of an object that may be an array; %{name}ok says if it is."""
        return f"""
  %{name}pt = getelementptr i8, ptr %{name}, i64 8
  %{name}ty = load i64, ptr %{name}pt
  %{name}is = icmp eq i64 %{name}ty, {ndarray}
  br i1 %{name}is, label %{name}array, label %slow
{name}array:
  %{name}pd = getelementptr i8, ptr %{name}, i64 {_DATA}
  %{name}data = load ptr, ptr %{name}pd
  %{name}pn = getelementptr i8, ptr %{name}, i64 {_ND}
  %{name}nd = load i32, ptr %{name}pn
  %{name}ps = getelementptr i8, ptr %{name}, i64 {_DIMS}
  %{name}dims = load ptr, ptr %{name}ps
  %{name}pe = getelementptr i8, ptr %{name}, i64 {_DESCR}
  %{name}de = load i64, ptr %{name}pe
  %{name}pf = getelementptr i8, ptr %{name}, i64 {_ARRAY_FLAGS}
  %{name}fl = load i32, ptr %{name}pf
  %{name}fm = and i32 %{name}fl, {flags}
  %{name}f1 = icmp eq i32 %{name}fm, {flags}
  %{name}f2 = icmp eq i64 %{name}de, {descr}
  %{name}ok = and i1 %{name}f1, %{name}f2"""

    return f"""
define ptr @entry(ptr %self, ptr %args, i64 %nargsf, ptr %kwnames) nounwind {{
entry:
  %in = alloca ptr, i64 {MOST + 1}
  %nargs = and i64 %nargsf, 9223372036854775807
  %place = getelementptr i8, ptr %self, i64 {context}
  %context = load ptr, ptr %place
  %count = load i64, ptr %context
  {fields}
  %size_out = load i64, ptr %p_out_size
  %plain_call = icmp eq ptr %kwnames, null
  br i1 %plain_call, label %counted, label %keyword
keyword:
  %kwsize = call i64 {pointer(_function("PyTuple_Size"))}(ptr %kwnames)
  %kwone = icmp eq i64 %kwsize, 1
  br i1 %kwone, label %named, label %slow
named:
  %kw = call ptr {pointer(_function("PyTuple_GetItem"))}(ptr %kwnames, i64 0)
  %word = load ptr, ptr %p_out_word
  %isout = icmp eq ptr %kw, %word
  br i1 %isout, label %counted, label %slow
counted:
  %extra = phi i64 [0, %entry], [1, %named]
  %total = add i64 %nargs, %extra
  %bare = icmp eq i64 %total, %count
  %nokw = icmp eq i64 %extra, 0
  %fresh = and i1 %bare, %nokw
  %one_more = add i64 %count, 1
  %without = icmp eq i64 %total, %one_more
  %fine = or i1 %fresh, %without
  br i1 %fine, label %head, label %slow
head:
  %i = phi i64 [0, %counted], [%i1, %next]
  %done = icmp eq i64 %i, %count
  br i1 %done, label %result, label %argument
argument:
  %slot = getelementptr ptr, ptr %args, i64 %i
  %a = load ptr, ptr %slot{check("a", _READ)}
  %a1 = icmp eq i32 %and, 1
  %a2 = and i1 %aok, %a1
  br i1 %a2, label %sized, label %slow
sized:
  %an = load i64, ptr %adims
  %want = getelementptr i64, ptr %p_sizes, i64 %i
  %size = load i64, ptr %want
  %same = icmp eq i64 %an, %size
  br i1 %same, label %next, label %slow
next:
  %put = getelementptr ptr, ptr %in, i64 %i
  store ptr %adata, ptr %put
  %i1 = add i64 %i, 1
  br label %head
result:
  br i1 %fresh, label %allocate, label %given
allocate:
  %nd = load i64, ptr %p_out_nd
  %nd32 = trunc i64 %nd to i32
  {make_array}
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %error, label %made
made:
  %newpd = getelementptr i8, ptr %new, i64 {_DATA}
  %newdata = load ptr, ptr %newpd
  br label %run
given:
  %oslot = getelementptr ptr, ptr %args, i64 %count
  %o = load ptr, ptr %oslot{check("o", _WRITE)}
  %nd_want = load i64, ptr %p_out_nd
  %nd_have = zext i32 %ond to i64
  %o1 = icmp eq i64 %nd_want, %nd_have
  %o2 = and i1 %ook, %o1
  br i1 %o2, label %shape, label %slow
shape:
  %d = phi i64 [0, %oarray], [%d1, %shape_next]
  %shaped = icmp eq i64 %d, %nd_want
  br i1 %shaped, label %overlap, label %dim
dim:
  %dhave = getelementptr i64, ptr %odims, i64 %d
  %dwant = getelementptr i64, ptr %p_out_dims, i64 %d
  %dh = load i64, ptr %dhave
  %dw = load i64, ptr %dwant
  %deq = icmp eq i64 %dh, %dw
  br i1 %deq, label %shape_next, label %slow
shape_next:
  %d1 = add i64 %d, 1
  br label %shape
overlap:
  %o_from = ptrtoint ptr %odata to i64
  %o_bytes = shl i64 %size_out, 3
  %o_to = add i64 %o_from, %o_bytes
  br label %pair
pair:
  %k = phi i64 [0, %overlap], [%k1, %apart]
  %checked = icmp eq i64 %k, %count
  br i1 %checked, label %keep, label %compare
compare:
  %kslot = getelementptr ptr, ptr %in, i64 %k
  %kdata = load ptr, ptr %kslot
  %k_from = ptrtoint ptr %kdata to i64
  %kwant = getelementptr i64, ptr %p_sizes, i64 %k
  %ksize = load i64, ptr %kwant
  %k_bytes = shl i64 %ksize, 3
  %k_to = add i64 %k_from, %k_bytes
  %c1 = icmp ult i64 %k_from, %o_to
  %c2 = icmp ult i64 %o_from, %k_to
  %both = and i1 %c1, %c2
  br i1 %both, label %slow, label %apart
apart:
  %k1 = add i64 %k, 1
  br label %pair
keep:
  call void {pointer(_function("Py_IncRef"))}(ptr %o)
  br label %run
run:
  %value = phi ptr [%new, %made], [%o, %keep]
  %data = phi ptr [%newdata, %made], [%odata, %keep]
  %kernel = load ptr, ptr %p_kernel
  %work = load ptr, ptr %p_work
  %after = getelementptr ptr, ptr %in, i64 %count
  store ptr %work, ptr %after
  call void %kernel(ptr %in, ptr %data)
  ret ptr %value
slow:
  %plain = load ptr, ptr %p_plain
  {plain_call}
  ret ptr %answer
error:
  ret ptr null
}}
"""
