"""d(dy/dt)/dy of long robots: their forward dynamics differentiated by the chain rule over the
links, in place of a straight line of all operations, which takes minutes to compile.

    J = [ 0          1           0 ]   places
        [ dqdd/dq    dqdd/dqd    0 ]   rates
        [ of power and losses    0 ]   work done and lost
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np

from .. import recursion
from ..engine import Kernel, compile, traced
from ..engine.choose import is_unrolled
from ..lazy import cached_property
from ..tracer import cache
from ..tracer.fast_call import WorkSpace
from ..tracer.function import Function
from ..tracer.machine import Code
from ..tracer.python import Arguments, Kernels, Pointers, Reals, translated
from ..types import Array
from .simulated_robot import SimulatedRobot

Memory: TypeAlias = ctypes.Array[ctypes.c_void_p] | ctypes.Array[ctypes.c_double]
"""Addresses, or numbers, for native code."""

_WRAPPED = """
define void @kernel(ptr %given, ptr %out) {{
  %kernels.at = getelementptr ptr, ptr %given, i64 4
  %kernels = load ptr, ptr %kernels.at
  %asked.at = getelementptr ptr, ptr %given, i64 5
  %asked = load ptr, ptr %asked.at
  %room.at = getelementptr ptr, ptr %given, i64 6
  %room = load ptr, ptr %room.at
  call void @joined(ptr %kernels, ptr %asked, ptr %given, ptr %out, ptr %room,
    i64 {count}, i64 {size})
  ret void
}}
"""


def joined(
    kernels: Kernels,
    asked: Arguments,
    given: Pointers,
    out: Reals,
    room: Reals,
    count: int,
    size: int,
) -> None:
    """out = J (size, size) at the state and the inputs that are given; `count` places, as many
    rates."""
    y, dynamics, sums = given[0], asked[0], asked[1]
    dynamics[0] = y
    dynamics[1] = y[count:]
    dynamics[2] = given[1]
    sums[0] = y
    sums[1] = given[1]
    kernels[0](dynamics, room)
    last = room[2 * count * count :]
    kernels[1](sums, last)
    for i in range(size * size):
        out[i] = 0.0
    for i in range(count):
        out[i * size + count + i] = 1.0
        for j in range(2 * count):
            out[(count + i) * size + j] = room[i * 2 * count + j]
    for i in range(2):
        for j in range(size):
            out[(2 * count + i) * size + j] = last[i * size + j]


@dataclass(frozen=True)
class SlopeEntry:
    """Where its machine code begins: see `KernelEntry`."""

    address: int
    code: Code
    work: int = 0


class TreeSlope:
    """The kernel SLOPE of a run (`integrators.log`); `pointers` go behind the arguments it has
    in common with the rates."""

    def __init__(self, drive: SimulatedRobot) -> None:
        self._drive = drive
        dynamics = compile(drive.robot, "forward_dynamics").jacobian("q", "qd")
        self._parts = (dynamics, cast(Function, sums_kernel(drive)).jacobian("x0"))

    def operations(self) -> dict[str, int]:
        found = [part.operations() for part in self._parts]
        return {key: sum(x[key] for x in found) for key in found[0]}

    def entry(self, lanes: int = 1) -> SlopeEntry:
        n, size = self._drive.robot.nv, self._drive.size

        def assembly() -> tuple[str, cache.Words]:
            text = translated({"joined": joined}, lanes) + _WRAPPED.format(count=n, size=size)
            return text, {"what": f"slopes of a tree of {n} rates"}

        code = cache.recall(cache.key("tree slope", n, size), assembly, optimise=True).code
        return SlopeEntry(code.address("kernel"), code)

    @cached_property
    def pointers(self) -> tuple[Memory, ...]:
        """Memory that the kernel uses: addresses of both parts, their arguments, room."""
        n, size = self._drive.robot.nv, self._drive.size
        entries = [part.entry() for part in self._parts]
        spaces = [WorkSpace(x.work if x else 0) for x in entries]
        first, second = (x.address for x in spaces)
        asked = [(ctypes.c_void_p * 4)(0, 0, 0, first), (ctypes.c_void_p * 3)(0, 0, second)]
        self._alive = (entries, spaces, asked)
        addresses = [x.address if x is not None else 0 for x in entries]
        return (
            (ctypes.c_void_p * 2)(*addresses),
            (ctypes.c_void_p * 2)(*(ctypes.addressof(x) for x in asked)),
            (ctypes.c_double * (2 * n * n + 2 * size))(),
        )


def sums_kernel(drive: SimulatedRobot) -> Kernel:
    """(state, inputs) -> power of the torques, and of damping and friction."""
    robot, nq, nv = drive.robot, drive.robot.nq, drive.robot.nv

    def sums(y: Array, u: Array) -> Array:
        q, qd = y[:nq], y[nq : nq + nv]
        lost = recursion.passive_force(robot, q, qd) - recursion.elastic_force(robot, q)
        return np.array([u[:nv] @ qd, lost @ qd])

    return traced(sums, (drive.size, drive.inputs), ("sums", robot))


def has_tree_slope(drive: object) -> bool:
    """Whether a run's slopes can be those of its tree: an open chain so long that its forward
    dynamics is a scan, driven by torques alone."""
    if not isinstance(drive, SimulatedRobot):
        return False
    robot = drive.robot
    if drive.pairs == 0 or robot.loops or robot.gears or drive.loads.stations or drive.names:
        return False
    if any(link.drive.torque_limit for link in robot.links):
        return False
    return not is_unrolled(robot, "forward_dynamics", ("q", "qd"))
