"""Machine code from LLVM assembly, for the processor at hand, kept alive by who uses it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import llvmlite.binding as llvm

_lock = threading.RLock()
USUAL, QUICK = 1, 0  # LLVM's levels; above 1 nothing gets faster that could be measured
_level: ContextVar[int] = ContextVar("level", default=USUAL)


@contextmanager
def quickly() -> Iterator[None]:
    """Code made meanwhile takes an eighth of the time to make and twice the time to run: for
    functions that are called a few times. It is the same assembly, products and sums not fused."""
    before = _level.set(QUICK)
    try:
        yield
    finally:
        _level.reset(before)


def _unlock() -> None:
    """A forked process has none of the threads that may have held the lock."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock)


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


@cache
def host() -> Host:
    """This machine, as LLVM sees it."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return Host(
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    )


def versions() -> tuple[str, ...]:
    """Of what decides, beside Supple's own sources, how code comes out."""
    import llvmlite

    return (llvmlite.__version__, np.__version__, f"level {_level.get()}")


@dataclass(frozen=True)
class Code:
    """Loaded machine code; addresses of its functions stay good while it lives."""

    engine: llvm.ExecutionEngine

    def address(self, name: str) -> int:
        return int(self.engine.get_function_address(name))

    def constant(self, name: str) -> int:
        """Where a constant lies; 0 if there is none of this name."""
        return int(self.engine.get_global_value_address(name))


def assemble_object(text: str, target: Host | None = None, *, optimise: bool = False) -> bytes:
    """Compile assembly to object code. Traced programs are as short as they get; loops and
    variables of translated functions are for LLVM to `optimise`."""
    import llvmlite.binding as llvm

    here = target or host()
    with _lock:
        module = llvm.parse_assembly(text)
        machine = _machine(here)
        module.triple = here.triple
        module.data_layout = str(machine.target_data)
        if optimise:
            _optimise(module, machine)
        return bytes(machine.emit_object(module))


def assembly_text(text: str) -> str:
    """The machine's own assembly, to be read."""
    import llvmlite.binding as llvm

    with _lock:
        module = llvm.parse_assembly(text)
        machine = _machine(host())
        module.triple = host().triple
        module.data_layout = str(machine.target_data)
        return str(machine.emit_assembly(module))


def load_object(data: bytes) -> Code:
    """Load object code into this process."""
    import llvmlite.binding as llvm

    with _lock:
        module = llvm.parse_assembly("")
        engine = llvm.create_mcjit_compiler(module, _machine(host()))
        engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        engine.finalize_object()
    return Code(engine)


def assemble(text: str, *, optimise: bool = False) -> Code:
    """Compile assembly and load it."""
    return load_object(assemble_object(text, optimise=optimise))


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
