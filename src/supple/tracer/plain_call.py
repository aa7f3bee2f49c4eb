"""The way from Python to a kernel that takes anything: converts, checks, explains."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache as remember
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..types import Floats
from .fast_call import WorkSpace
from .machine import Code
from .recipe import About
from .signature import Signature

_KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


@remember
def pointers(count: int) -> Any:
    """The type of so many pointers; ctypes forgets, and makes it anew."""
    return ctypes.c_void_p * count


Why = Callable[[dict[str, Floats]], str]
"""Of arguments by name that gave a NaN: what is wrong with them; nothing, if they are to blame
for no more than being NaN themselves."""


def plain_call(
    shape: Signature, code: Code, about: About, fast: list[Any], why: Why | None
) -> Callable[..., Any]:
    """Refers to no Function but weakly: where `fast` has one, it takes arrays that were lists, or
    had gaps."""
    call = _KERNEL(code.address("kernel"))

    def plain(*arrays: ArrayLike, out: Floats | None = None, **others: object) -> Any:
        if out is None and len(arrays) == len(shape.sizes) + 1:
            arrays, out = arrays[:-1], arrays[-1]  # type: ignore[assignment]
        simple = shape.simple(arrays) if fast and not others else None
        if simple is not None and out is None:
            return fast[0]()(*simple)
        if simple is not None and shape.one_array and type(out) is np.ndarray:
            shape.check_out(out, ())
            return fast[0]()(*simple, out)
        if others:
            raise InputError(shape.no_names(others))
        given = shape.one(arrays)
        if out is not None:
            shape.check_out(out, ())
        flat, space = np.empty(about.total, shape.dtype), WorkSpace(about.work)
        addresses = [*(a.ctypes.data for a in given), space.address]
        given_at = pointers(len(addresses))(*addresses)
        call(ctypes.addressof(given_at), flat.ctypes.data)
        if why is not None and np.isnan(flat).any():
            words = why(dict(zip(shape.arguments, given, strict=True)))
            if words:
                raise InputError(words)
        if out is None:
            return shape.parts(flat, ())
        out[...] = flat.reshape(out.shape)
        return out

    plain.code = code  # type: ignore[attr-defined]  # lives as long as who may call it
    return plain
