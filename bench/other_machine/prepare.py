"""Make ready what a machine without Supple needs to measure its batches and CUDA kernels:

python bench/other_machine/prepare.py FOLDER     here; needs gcc
python3 FOLDER/run.py                            there; needs NumPy; CuPy, Pinocchio if at hand
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

import supple
from supple.engine import Request, trace_quantity
from supple.tracer import host
from supple.tracer.llvm.batches import batch
from supple.tracer.machine import Host, assemble_object

ROBOTS = ("puma", "canadarm", "canadarm-spatial")
PROCESSORS = {"avx512": ("icelake-server", 8), "avx2": ("haswell", 4)}
STATES = 2000


def prepare(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in ROBOTS:
        robot = supple.load(name)
        _batches(robot, folder)
        forward = supple.compile(robot, "forward_dynamics")
        for dtype in ("double", "float"):
            (folder / f"{name}_{dtype}.cu").write_text(forward.cuda_source(dtype))
        x = 0.1 * np.random.default_rng(0).normal(size=(3, STATES, robot.nv))
        np.savez(folder / f"{name}.npz", q=x[0], qd=x[1], tau=x[2], qdd=forward.batch(*x))
    _rigid(supple.load("puma"), folder)
    shutil.copy(Path(__file__).with_name("run.py"), folder)


def _batches(robot: supple.Robot, folder: Path) -> None:
    program = trace_quantity(Request(robot, "forward_dynamics")).program()
    for kind, (cpu, lanes) in PROCESSORS.items():
        code = folder / f"{robot.name}_{kind}.o"
        code.write_bytes(assemble_object(batch(program, lanes), Host(host().triple, cpu, "")))
        library = code.with_suffix(".so")
        subprocess.run(["gcc", "-shared", "-o", library, code, "-lm"], check=True)
        code.unlink()


def _rigid(robot: supple.Robot, folder: Path) -> None:
    """What the peer needs of a rigid robot."""
    mounts, bodies = [x.mount for x in robot.links], [x.body for x in robot.links]
    np.savez(
        folder / "model.npz",
        R=[m.R0 for m in mounts],
        r=[m.r0 + m.rho for m in mounts],
        mass=[b.mass for b in bodies],
        c0=[b.c0 for b in bodies],
        W0=[b.W0 for b in bodies],
        gravity=robot.gravity,
    )


if __name__ == "__main__":
    prepare(Path(sys.argv[1]))
