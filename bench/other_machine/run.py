"""Measure what prepare.py made ready. Stands alone: NumPy, and CuPy or Pinocchio if found."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
ROBOTS = ("puma", "canadarm", "canadarm-spatial")
COUNT = 100_000


def error(found: Any, expected: Any) -> float:
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def cuda(name: str, dtype: str) -> str:
    import cupy as cp

    known, real = np.load(HERE / f"{name}.npz"), np.dtype("f8" if dtype == "double" else "f4")
    text = (HERE / f"{name}_{dtype}.cu").read_text()
    kernel = cp.RawModule(code=text).get_function("forward_dynamics")
    copies = 500
    x = [np.tile(known[k].T.astype(real), (1, copies)) for k in ("q", "qd", "tau")]
    given = [cp.asarray(np.ascontiguousarray(a)) for a in x]
    n = given[0].shape[1]
    out = cp.empty(given[0].shape, real)
    best = np.inf
    for block in (64, 128, 256) * 8:
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record()
        kernel((-(-n // block),), (block,), (*given, out, np.int64(n)))
        end.record()
        end.synchronize()
        best = min(best, cp.cuda.get_elapsed_time(start, end) * 1e-3)
    off = error(cp.asnumpy(out)[:, : n // copies].T, known["qdd"])
    return f"| CUDA, {dtype} | {name} | {n / best:.3g} states/s | | {off:.1e} |"


def peer() -> Any:
    """One call of Pinocchio's forward dynamics of the rigid PUMA; None without it."""
    try:
        import pinocchio as pin
    except ImportError:
        return None
    m, model, parent = np.load(HERE / "model.npz"), pin.Model(), 0
    for i, mass in enumerate(m["mass"]):
        place = pin.SE3(m["R"][i], m["r"][i])
        parent = model.addJoint(parent, pin.JointModelRZ(), place, f"link{i}")
        c = m["c0"][i] / mass
        W = m["W0"][i] - mass * np.outer(c, c)
        inertia = pin.Inertia(float(mass), c, np.trace(W) * np.eye(3) - W)
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    model.gravity.linear = m["gravity"]
    known, data = np.load(HERE / "puma.npz"), model.createData()
    state = [known[k][0].copy() for k in ("q", "qd", "tau")]
    assert error(pin.aba(model, data, *state), known["qdd"][0]) < 1e-12

    def seconds() -> float:
        start = time.perf_counter()
        for _ in range(300):
            pin.aba(model, data, *state)
        return (time.perf_counter() - start) / 300

    return seconds


def batch(name: str, kind: str, other: Any) -> str:
    """One core; the peer takes turns."""
    known = np.load(HERE / f"{name}.npz")
    x = [np.tile(known[k], (COUNT // len(known["q"]), 1)).copy() for k in ("q", "qd", "tau")]
    out = np.empty_like(x[0])
    run = ctypes.CDLL(str(HERE / f"{name}_{kind}.so")).batch
    run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
    pointers = (ctypes.c_void_p * 4)(*[a.ctypes.data for a in x], 0)
    best = theirs = np.inf
    for _ in range(200):
        start = time.perf_counter()
        run(ctypes.addressof(pointers), out.ctypes.data, 0, COUNT)
        best = min(best, (time.perf_counter() - start) / COUNT)
        theirs = min(theirs, other() if other else np.inf)
    off = error(out[: len(known["q"])], known["qdd"])
    ratio = f"{theirs / best:.1f}" if other else ""
    return f"| {kind}, one core | {name} | {best * 1e9:.1f} ns a state | {ratio} | {off:.1e} |"


def main() -> None:
    flags = Path("/proc/cpuinfo").read_text().split("flags", 1)[1].split("\n")[0].split()
    print("| how | robot | speed | times Pinocchio's rigid PUMA | error |\n|---|---|---|---|---|")
    try:
        for name in ROBOTS:
            print(cuda(name, "double"), cuda(name, "float"), sep="\n", flush=True)
    except ImportError:
        pass
    other = peer()
    for kind in ("avx512", "avx2"):
        for name in ROBOTS if kind.replace("avx512", "avx512f") in flags else ():
            print(batch(name, kind, other), flush=True)


if __name__ == "__main__":
    main()
