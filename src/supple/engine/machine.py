"""Machine code from LLVM assembly, for the processor at hand, kept alive by who uses it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from typing import Any

_lock = threading.RLock()


@dataclass(frozen=True)
class Host:
    """The processor code is made for."""

    triple: str
    cpu: str
    features: str

    @property
    def lanes(self) -> int:
        """Doubles in one vector register."""
        on = set(self.features.split(","))
        if "+avx512f" in on:
            return 8
        return 4 if "+avx" in on else 2


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


@dataclass(frozen=True)
class Code:
    """Loaded machine code; addresses of its functions stay good while it lives."""

    engine: Any

    def address(self, name: str) -> int:
        return int(self.engine.get_function_address(name))


def assemble(text: str, target: Host | None = None) -> Code:
    """Compile assembly and load it."""
    import llvmlite.binding as llvm

    here = target or host()
    with _lock:
        module = llvm.parse_assembly(text)
        machine = llvm.Target.from_triple(here.triple).create_target_machine(
            cpu=here.cpu, features=here.features, opt=2, jit=True
        )
        module.triple = here.triple
        module.data_layout = str(machine.target_data)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
    return Code(engine)
