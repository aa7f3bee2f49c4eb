"""What a call costs beside the computation: tuples, numbers, lists, arrays with gaps, batches."""

from __future__ import annotations

from functools import partial

import numpy as np

from supple.analyse import Call, in_turns
from supple.engine import compile
from supple.model import load

from .table import Table

COLUMNS = ("a call of puma", "us", "asked")
STATES = 4096  # of a batch so large that its start does not count


def study(seconds: float) -> list[Table]:
    """Times of a call; of a batch of one state, those beyond the computation."""
    robot, rng = load("puma"), np.random.default_rng(0)
    x, many = rng.normal(size=(3, 6)), rng.normal(size=(3, STATES, 6))
    gaps, one, first = np.repeat(x, 2, axis=1)[:, ::2], many[:, :1].copy(), x[0]
    fd, M = compile(robot, "forward_dynamics"), compile(robot, "mass_matrix")
    calls = {
        "pose": Call(compile(robot, "pose", station="link6.origin"), (first,)),
        "udu_factors": Call(compile(robot, "udu_factors"), (first,)),
        "kinetic_energy": Call(compile(robot, "kinetic_energy"), (first, x[1])),
        "mass matrix, a new array": Call(M, (first,)),
        "mass matrix, into a given array": Call(M, (first, M(first))),
        "forward dynamics, arrays": Call(fd, (*x,)),
        "forward dynamics, lists": Call(fd, (*x.tolist(),)),
        "forward dynamics, arrays with gaps": Call(fd, (*gaps,)),
        "batch of one state": Call(partial(fd.batch, threads=1), (*one,)),
        "large batch": Call(partial(fd.batch, out=fd.batch(*many), threads=1), (*many,)),
    }
    micro = {name: 1e6 * t for name, t in in_turns(calls, 4 * seconds).items()}
    micro["batch: beyond the computation"] = micro.pop("batch of one state") - (
        micro.pop("large batch") / STATES
    )
    asked = {
        "forward dynamics, lists": "< 3",
        "forward dynamics, arrays with gaps": "< 3",
        "batch: beyond the computation": "< 5",
    }
    return [Table(COLUMNS, [(name, t, asked.get(name, "")) for name, t in micro.items()])]
