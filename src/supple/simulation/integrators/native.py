"""Integrators as native code: `march` with the functions of one method, compiled together."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, ModuleType

from ...lazy import once
from ...tracer import cache
from ...tracer.machine import Code
from ...tracer.python import translated
from . import log as log_module, march as march_module
from .register import METHODS

PARTS = ("begin", "attempt", "prepare", "curve", "soften", "accept")
_RUN = (*[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 3, ctypes.c_void_p)  # as `log.Problem` says
_ARGUMENTS = (*_RUN, *[ctypes.c_void_p] * 4, ctypes.c_int64)
_MARCH = ctypes.CFUNCTYPE(None, *_ARGUMENTS)
_MARCH_LOCKED = ctypes.PYFUNCTYPE(None, *_ARGUMENTS)
_CURVE = ctypes.CFUNCTYPE(
    None, ctypes.c_int64, ctypes.c_double, ctypes.c_double, *[ctypes.c_void_p] * 4
)


def bound(method: ModuleType) -> dict[str, Callable[..., object]]:
    """The functions of `march`, calling those of the method: plain Python."""
    space = dict(vars(march_module)) | {name: getattr(method, name) for name in PARTS}
    made: dict[str, Callable[..., object]] = {}
    for name, old in inspect.getmembers(march_module, inspect.isfunction):
        if old.__module__ != march_module.__name__:
            continue
        made[name] = FunctionType(old.__code__, space, name)
        made[name].__annotations__ = old.__annotations__
    space.update(made)
    return made


@dataclass(frozen=True)
class Integrator:
    """A method in native code, for so many runs side by side."""

    march: Callable[..., None]
    march_locked: Callable[..., None]  # holds the interpreter's lock; raises what callbacks raise
    curve: Callable[..., None]
    own_work: Callable[[int, int, int], int]
    code: Code  # lives as long as it may be called

    def work(self, size: int, pairs: int, inputs: int) -> int:
        """Numbers of work space for a run."""
        return 8 * size + self.own_work(size, pairs, inputs)


@once
def integrator(name: str, lanes: int = 1) -> Integrator:
    """From the cache, or compiled: it knows no robot, so a machine does this once."""
    method = METHODS[name]

    def assembly() -> tuple[str, cache.Words]:
        text = translated({"march": bound(method)["march"], "curve": method.curve}, lanes)
        return text, {"what": f"integrator {name}, {lanes} at once"}

    entry = cache.recall(
        cache.key("integrator", name, lanes), assembly, ("march", "curve"), optimise=True
    )
    march, curve = (entry.code.address(name) for name in ("march", "curve"))
    made = _MARCH(march), _MARCH_LOCKED(march), _CURVE(curve)
    return Integrator(*made, method.WORK, entry.code)


__all__ = ["Integrator", "bound", "integrator", "log_module"]
