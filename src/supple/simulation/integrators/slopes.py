"""Exact derivatives of the equations of motion with what drives them.

    f(t, y) = F(y, u(t, y)),   df/dy = dF/dy + dF/du du/dy,   df/dt = dF/du du/dt

F is affine in torques and loads, so its differences along an input are exact whatever their
length; only the motion of prescribed joints, which depends on time alone, needs a short one.
"""

from __future__ import annotations

from ...tracer.python import Reals, any_of, least
from .log import FED, LAW, LAW_SLOPE, RATE, SLOPE, Problem

SHORT = 1e-6


def slopes(run: Problem, f: Reals, slow: Reals, J: Reals, moved: Reals, room: Reals) -> None:
    """slow = df/dt and J = df/dy (size, size), where f = f(t, y) was asked for last; `moved` and
    `room` are there to be used."""
    size, inputs, kernels, dynamics = run.size, run.inputs, run.kernels, run.given[RATE]
    U, kept, fed = room, room[inputs * (size + 1) :], least(run.log[FED])
    u, width = dynamics[1], size + 1
    kernels[LAW_SLOPE](run.given[LAW], U)
    kernels[SLOPE](dynamics, J)
    for k in range(inputs):
        kept[k] = u[k]
        u[k] += SHORT * U[k * width]
    kernels[RATE](dynamics, moved)
    for i in range(size):
        slow[i] = (moved[i] - f[i]) / SHORT
    for k in range(inputs):
        u[k] = kept[k]
    for k in range(fed):
        largest = 0.0 * f[0]
        for j in range(size):
            largest = max(largest, abs(U[k * width + 1 + j]))
        if any_of(largest > 0.0):  # shapes have no motors
            u[k] = kept[k] + 1.0
            kernels[RATE](dynamics, moved)
            u[k] = kept[k]
            for i in range(size):
                share = moved[i] - f[i]
                for j in range(size):
                    J[i * size + j] += share * U[k * width + 1 + j]
