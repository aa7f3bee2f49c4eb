"""How NumPy lays an array out in memory, and whether it does so here.

What is said of an array is what every compiled extension knows: the fields of PyArrayObject in
NumPy's public header ndarraytypes.h, whose order is NumPy's ABI.
"""

from __future__ import annotations

import ctypes
import re
import sys
import weakref
from importlib import import_module
from pathlib import Path

import numpy as np

from ..errors import let_signals_through
from ..types import Floats

CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
READ = CONTIGUOUS | ALIGNED
WRITE = READ | WRITEABLE
OBJECT_HEAD = 16  # PyObject: reference count, type
COUNT, TYPE = 0, 8  # bytes from the object's beginning
DATA, ND, DIMS, BASE, DESCR, FLAGS, WEAK = 16, 24, 32, 48, 56, 64, 72


def layout_holds() -> bool:
    """Whether arrays in this process are laid out as the public header says."""
    if object.__basicsize__ != OBJECT_HEAD or sys.maxsize < 2**62 or sys.byteorder != "little":
        return False
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False
    for shape in ((3,), (2, 5), (0,), (1,)):
        a = np.arange(float(np.prod(shape))).reshape(shape)
        fixed = a.copy()
        fixed.flags.writeable = False
        if not (_fields_match(a, WRITE) and _fields_match(fixed, READ)):
            return False
        if len(shape) == 2 and flags(a.T) & CONTIGUOUS:
            return False
    return _references_match()


def _references_match() -> bool:
    """Whether it shows who else has an array: references, views, weak references."""

    def word(a: Floats, offset: int) -> int:
        return ctypes.c_int64.from_address(id(a) + offset).value

    def count(a: Floats) -> int:
        return ctypes.c_uint32.from_address(id(a) + COUNT).value

    a = np.zeros(3)
    before, others = count(a), [a, a]
    view, alone = a[1:], word(a, BASE) == 0 == word(a, WEAK)
    weak = weakref.ref(a)
    return (
        alone
        and count(a) == before + len(others) + 1
        and word(view, BASE) == id(a)
        and word(a, WEAK) == id(weak)
    )


def flags(a: Floats) -> int:
    """All flags of an array, NumPy's own ones too."""
    return ctypes.c_int.from_address(id(a) + FLAGS).value


def _fields_match(a: Floats, wanted: int) -> bool:
    at = id(a)
    dims = ctypes.c_void_p.from_address(at + DIMS).value
    return (
        ctypes.c_void_p.from_address(at + TYPE).value == id(np.ndarray)
        and ctypes.c_void_p.from_address(at + DATA).value == a.ctypes.data
        and ctypes.c_int.from_address(at + ND).value == a.ndim
        and dims is not None
        and [*(ctypes.c_int64 * a.ndim).from_address(dims)] == [*a.shape]
        and ctypes.c_void_p.from_address(at + DESCR).value == id(np.dtype(np.float64))
        and flags(a) & WRITE == wanted
    )


def array_new() -> int | None:
    """Address of PyArray_New."""
    return _address("PyArray_New")


def array_return() -> int | None:
    """Address of PyArray_Return, which turns an array of no axes into a number."""
    return _address("PyArray_Return")


def _address(name: str) -> int | None:
    """Of a function of NumPy's C API, by the number that the public header gives it."""
    header = Path(np.get_include()) / "numpy" / "__multiarray_api.h"
    try:
        text = header.read_text(encoding="utf-8")
        core = import_module("numpy._core._multiarray_umath")
    except (OSError, ImportError) as error:
        let_signals_through(error)
        return None
    found = re.search(rf"#define {name}\b.*?PyArray_API\[(\d+)\]", text, re.DOTALL)
    if found is None:
        return None
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = get(core._ARRAY_API, None)
    address = ctypes.c_void_p.from_address(table + 8 * int(found.group(1))).value
    return int(address) if address else None
