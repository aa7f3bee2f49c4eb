"""The way from Python to a kernel that takes anything: converts, checks, explains."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from functools import cache as remember

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..types import Floats
from .fast_call import WorkSpace
from .machine import Code
from .recipe import FunctionFacts
from .signature import Signature

_KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


@remember
def pointers(count: int) -> type[ctypes.Array[ctypes.c_void_p]]:
    """The type of so many pointers; ctypes forgets, and makes it anew."""
    return ctypes.c_void_p * count


Why = Callable[[dict[str, Floats]], str]
"""Of arguments by name that gave a NaN: what is wrong with them; nothing, if they are to blame
for no more than being NaN themselves."""


ShortWay = weakref.ref[Callable[..., object]]
"""A Function that is called the short way (`fast_call`), as long as it lives."""


def checked_call(
    shape: Signature, code: Code, about: FunctionFacts, fast: list[ShortWay], why: Why | None
) -> Callable[..., object]:
    """The checked call of a kernel. It holds only a weak reference to its Function (`fast`), which
    runs the kernel on arrays converted from lists, or copied to close gaps."""
    call = _KERNEL(code.address("kernel"))

    def checked(*arrays: ArrayLike, out: Floats | None = None, **others: object) -> object:
        if out is None and len(arrays) == len(shape.sizes) + 1:
            arrays, out = arrays[:-1], arrays[-1]  # type: ignore[assignment]
        short = fast[0]() if fast and not others else None
        simple = shape.simple(arrays) if short is not None else None
        if short is not None and simple is not None:
            if out is None:
                return short(*simple)
            if shape.one_array and type(out) is np.ndarray and out.dtype is shape.dtype:
                shape.check_out(out, ())
                return short(*simple, out)
        if others:
            raise InputError(shape.no_names(others))
        given = shape.one(arrays)
        if out is not None:
            shape.check_out(out, ())
        flat = _evaluated(call, given, np.empty(about.total, shape.dtype), about.work)
        if why is not None and np.isnan(flat).any():
            words = why(dict(zip(shape.arguments, given, strict=True)))
            if words:
                raise InputError(words)
        if out is None:
            return shape.parts(flat, ())
        out[...] = flat.reshape(out.shape)
        return out

    checked.code = code  # type: ignore[attr-defined]  # lives as long as who may call it
    return checked


def _evaluated(call: Callable[..., None], given: list[Floats], flat: Floats, work: int) -> Floats:
    """`flat` with the results in it, one behind the other; the kernel takes so much work space."""
    space = WorkSpace(work)
    addresses = [*(a.ctypes.data for a in given), space.address]
    given_at = pointers(len(addresses))(*addresses)
    call(ctypes.addressof(given_at), flat.ctypes.data)
    return flat
