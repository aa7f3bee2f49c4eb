"""Pinocchio called from C++, with the headers and the library of its wheel: the clock is read
inside, so that nothing of Python is in its time. (All of it compiled anew from the headers, with
-O3 -march=native, was no faster where it was tried, and takes a compiler many minutes.)"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from supple.robot import Robot
from supple.types import Floats

from .peers import Pinocchio, inertia_of

SOURCE = Path(__file__).with_name("pinocchio.cpp")
QUANTITIES = {"aba": (0, 1), "rnea": (2,), "crba": (3, 4), "minverse": (5,), "dID": (6,)}
QUANTITIES |= {"dFD": (7,), "jacobian": (8,)}
"""Numbers in the source; two where Pinocchio computes in axes of the links or of the world."""

FLAGS = ("-std=c++17", "-O1", "-DNDEBUG", "-shared", "-fPIC")  # the work is in its library
DEFINED = (
    "PINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION",
    "BOOST_MPL_LIMIT_LIST_SIZE=30",
    "BOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "BOOST_FUSION_INVOKE_MAX_ARITY=12",
)  # as its own build has them


@dataclass(frozen=True)
class NativeCall:
    """One quantity; `run(n)` computes it n times with nothing in between."""

    peer: NativePinocchio
    number: int

    def run(self, n: int) -> float:
        """Seconds for n calls."""
        return float(self.peer.library.run(self.peer.pointer, self.number, n))

    def result(self, *shape: int) -> Floats:
        out = np.empty(shape)
        self.peer.library.result(self.peer.pointer, self.number, _pointer(out))
        return out


class NativePinocchio:
    """The same rigid serial robot in C++, at one state."""

    def __init__(self, robot: Robot, x: tuple[Floats, ...]) -> None:
        library = compiled()
        assert not isinstance(library, str)
        self.library = library
        turns = np.array([link.joint.kind == "revolute" for link in robot.links], dtype=np.int32)
        numbers = np.array([list(_numbers(link)) for link in robot.links])
        gravity = np.array(robot.gravity, dtype=float)
        given = (turns.ctypes.data_as(ctypes.c_void_p), _pointer(numbers), _pointer(gravity))
        self.pointer = ctypes.c_void_p(library.make(len(turns), *given))
        library.state(self.pointer, *(_pointer(np.array(a, dtype=float)) for a in x))

    def calls(self, what: str) -> tuple[NativeCall, ...]:
        """All ways to compute it: the fastest counts."""
        return tuple(NativeCall(self, number) for number in QUANTITIES[what])

    def check(self, peer: Pinocchio, x: tuple[Floats, ...]) -> None:
        """Everything as Pinocchio computes it from Python."""
        for what, wanted in _from_python(peer, x).items():
            for call in self.calls(what):
                off = np.abs(call.result(*wanted.shape) - wanted).max()
                if not off <= 1e-9 * np.abs(wanted).max():
                    raise SystemExit(f"Pinocchio from C++ differs from Python in {what}: {off:.1e}")

    def __del__(self) -> None:
        if hasattr(self, "pointer"):
            self.library.drop(self.pointer)


@cache
def compiled() -> ctypes.CDLL | str:
    """The library, or why there is none."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    prefix = Path(sysconfig.get_path("purelib")) / "cmeel.prefix"
    headers, library_folder = prefix / "include", prefix / "lib"
    eigen = [p for p in (headers / "eigen3", Path("/usr/include/eigen3")) if p.is_dir()]
    if compiler is None:
        return "no C++ compiler (g++, clang++) on this machine"
    if not (headers / "pinocchio").is_dir():
        return "no headers beside the installed Pinocchio"
    if not eigen:
        return "no headers of Eigen (pip install cmeel-eigen)"
    print("compiling what calls Pinocchio from C++: a minute or two", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pinocchio_native.so"
        words = [compiler, *FLAGS, *(f"-D{x}" for x in DEFINED), f"-I{headers}", f"-I{eigen[0]}"]
        words += [str(SOURCE), "-o", str(out), f"-L{library_folder}", "-lpinocchio_default"]
        words += [f"-Wl,-rpath,{library_folder}"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            return f"{Path(compiler).name} does not compile it"
        library = ctypes.CDLL(str(out))
    p = ctypes.c_void_p
    library.make.restype, library.make.argtypes = p, [ctypes.c_int, p, p, p]
    library.state.restype, library.state.argtypes = None, [p, p, p, p]
    library.run.restype, library.run.argtypes = ctypes.c_double, [p, ctypes.c_int, ctypes.c_long]
    library.result.restype, library.result.argtypes = None, [p, ctypes.c_int, p]
    library.drop.restype, library.drop.argtypes = None, [p]
    return library


def _from_python(peer: Pinocchio, x: tuple[Floats, ...]) -> dict[str, Floats]:
    pin, start, data = peer.module, (peer.model, peer.data), peer.data
    pin.computeABADerivatives(*start, *x)
    pin.computeRNEADerivatives(*start, *x)
    mass = np.array(pin.crba(peer.model, peer.model.createData(), x[0]))
    M = np.triu(mass) + np.triu(mass, 1).T
    return {
        "dFD": np.array(data.ddq_dq),
        "dID": np.array(data.dtau_dq),
        "aba": np.array(pin.aba(*start, *x)),
        "rnea": np.array(pin.rnea(*start, *x)),
        "crba": M,
        "minverse": np.linalg.inv(M),
        "jacobian": np.array(pin.computeJointJacobian(*start, x[0], peer.model.njoints - 1)),
    }


def _numbers(link: Any) -> Iterator[float]:
    """Place and inertia, as the source reads them."""
    centre, inertia = inertia_of(link)
    yield from link.mount.R0.ravel()
    yield from link.mount.r0 + link.mount.rho
    yield link.body.mass
    yield from centre
    yield from inertia.ravel()


def _pointer(a: Floats) -> ctypes.c_void_p:
    return a.ctypes.data_as(ctypes.c_void_p)
