"""Machine code from LLVM assembly, for the processor at hand, kept alive by who uses it.

LLVM is used by one thread at a time, and never by the one that takes signals: an exception that a
signal handler raises between two lines of llvmlite would leave its lock held for ever. That
thread waits for another one, so an interrupt ends the wait at once, however long LLVM takes.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import threading
import weakref
from _thread import start_new_thread
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ..errors import let_signals_through
from ..lazy import cached_property, making, once

if TYPE_CHECKING:
    import llvmlite.binding as llvm

T = TypeVar("T")

_lock = threading.RLock()
USUAL, QUICK = 1, 0  # LLVM's levels; above 1 nothing gets faster that could be measured
_level: ContextVar[int] = ContextVar("level", default=USUAL)


@contextmanager
def quickly() -> Iterator[None]:
    """Code made meanwhile takes an eighth of the time to make and twice the time to run: for
    functions that are called a few times. It is the same assembly, with the same results."""
    before = _level.set(QUICK)
    try:
        yield
    finally:
        _level.reset(before)


def _wait_before_forks() -> None:
    """A fork waits until no thread uses LLVM: the child would find its locks held for ever. No line
    of Python runs here, and signals wait: Python drops what a handler raises in such a hook, and
    the locks would not be taken."""
    libc = ctypes.PyDLL(None)
    every, before = ctypes.create_string_buffer(128), ctypes.create_string_buffer(128)
    libc.sigfillset(every)
    hold = partial(libc.pthread_sigmask, signal.SIG_BLOCK, every, before)
    go_on = partial(libc.pthread_sigmask, signal.SIG_SETMASK, before, None)
    locks = ((_lock.acquire, _lock.release), (making.acquire, making.release))
    for first, last in (*locks, (hold, go_on)):
        os.register_at_fork(before=first, after_in_parent=last, after_in_child=last)


if hasattr(os, "register_at_fork"):
    _wait_before_forks()  # what is registered last comes first before a fork, and last after it
atexit.register(_lock.acquire, True, 60.0)  # LLVM is not to be used while the process goes down


def _with_llvm(work: Callable[[], T]) -> T:
    """work(), which calls LLVM."""
    if threading.current_thread() is not threading.main_thread():
        return _locked(work)
    answers: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def answer() -> None:
        try:
            answers.put((_locked(work), None))
        except BaseException as error:  # raised again where it is waited for
            answers.put((None, error))

    try:
        start_new_thread(copy_context().run, (answer,))
    except RuntimeError as error:  # the interpreter is shutting down, or there are no more threads
        let_signals_through(error)
        return _locked(work)
    while True:  # Windows sees an interrupt only between two waits
        try:
            value, fault = answers.get(timeout=0.1)
        except Empty:
            continue
        if fault is not None:
            raise fault
        return value  # type: ignore[return-value]


def _locked(work: Callable[[], T]) -> T:
    with _lock:
        while _discarded:
            keeper = _discarded.pop()
            del _keepers[id(keeper)]
            keeper.engine.close()
        return work()


@dataclass(frozen=True)
class Host:
    """The processor code is made for."""

    triple: str
    cpu: str
    features: str

    @cached_property
    def lanes(self) -> int:
        """Doubles in one vector register."""
        on = set(self.features.split(","))
        if "+avx512f" in on:
            return 8
        return 4 if "+avx" in on else 2

    def lanes_of(self, dtype: str) -> int:
        """Numbers of this type in one vector register."""
        return self.lanes * 8 // np.dtype(dtype).itemsize


@once
def host() -> Host:
    """This machine, as LLVM sees it."""
    import llvmlite.binding as llvm

    def found() -> Host:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        features = llvm.get_host_cpu_features().flatten()
        return Host(llvm.get_process_triple(), llvm.get_host_cpu_name(), features)

    return _with_llvm(found)


def versions() -> tuple[str, ...]:
    """Of what decides, beside Supple's own sources, how code comes out."""
    import llvmlite

    return (llvmlite.__version__, np.__version__, f"level {_level.get()}")


class Code:
    """Loaded machine code; addresses of its functions and constants stay good while it lives."""

    def __init__(self, engine: llvm.ExecutionEngine, addresses: Mapping[str, int]) -> None:
        self._addresses = addresses
        keeper = _Keeper(self, _discarded.append)
        keeper.engine, _keepers[id(keeper)] = engine, keeper

    def address(self, name: str) -> int:
        """Where a function or a constant lies; 0 where there is none of this name."""
        return self._addresses.get(name, 0)


class _Keeper(weakref.ref[Code]):
    """Keeps LLVM's engine until its code is gone and LLVM is used again. No line of Python runs
    when the code goes: an exception that a signal handler raised there would be lost."""

    __slots__ = ("engine",)
    engine: llvm.ExecutionEngine


_keepers: dict[int, _Keeper] = {}
_discarded: deque[_Keeper] = deque()


def assemble_object(text: str, target: Host | None = None, *, optimise: bool = False) -> bytes:
    """Compile assembly to object code. Traced programs are as short as they get; loops and
    variables of translated functions are for LLVM to `optimise`."""
    here = target or host()

    def compiled() -> bytes:
        module, machine = _module(text, here)
        if optimise:
            _optimise(module, machine)
        return bytes(machine.emit_object(module))

    return _with_llvm(compiled)


def assembly_text(text: str) -> str:
    """The machine's own assembly, to be read."""

    here = host()

    def written() -> str:
        module, machine = _module(text, here)
        return str(machine.emit_assembly(module))

    return _with_llvm(written)


def load_object(data: bytes, names: Iterable[str]) -> Code:
    """Load object code into this process; `names`: of its functions and constants."""
    import llvmlite.binding as llvm

    here = host()

    def loaded() -> Code:
        module = llvm.parse_assembly("")
        engine = llvm.create_mcjit_compiler(module, _machine(here))
        engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        engine.finalize_object()
        return Code(engine, {name: engine.get_global_value_address(name) for name in names})

    return _with_llvm(loaded)


def assemble(text: str, names: Iterable[str], *, optimise: bool = False) -> Code:
    """Compile assembly and load it."""
    return load_object(assemble_object(text, optimise=optimise), names)


def _module(text: str, here: Host) -> tuple[llvm.ModuleRef, llvm.TargetMachine]:
    import llvmlite.binding as llvm

    module, machine = llvm.parse_assembly(text), _machine(here)
    module.triple = here.triple
    module.data_layout = str(machine.target_data)
    return module, machine


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    """LLVM's own passes, as a C compiler runs them."""
    import llvmlite.binding as llvm

    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)


def _machine(here: Host) -> llvm.TargetMachine:
    import llvmlite.binding as llvm

    return llvm.Target.from_triple(here.triple).create_target_machine(
        cpu=here.cpu, features=here.features, opt=_level.get(), jit=True
    )
