"""Matrices and derivatives of rigid chains of every length beside Pinocchio's, and of a few other
robots: each figure with what is asked of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from supple.analyse import Call, in_turns
from supple.analyse.cost import empty_cache
from supple.analyse.stopwatch import Repeatable
from supple.engine import CUTS, QUANTITIES, compile
from supple.model import load
from supple.robot import Robot

from .chains import flexible_chain, general_chain, rigid_chain
from .peers import Pinocchio
from .pinocchio_native import NativePinocchio, compiled
from .ratios import COLUMNS, NATIVE, Natives, Race, measured
from .table import Table

LENGTHS = (6, 12, 24, 100, 300, 1000)
PEER = 300  # Pinocchio's data hold tensors of links^3: 1000 links need 32 GB
ALIGNED = {6: 8.0, 12: 4.0, 24: 4.0, 100: 2.0, 300: 1.0, 1000: 1.0}
GENERAL = {6: 5.0, 12: 4.0, 24: 3.0, 100: 2.0, 300: 1.0, 1000: 1.0}
CELLS = {
    "forward dynamics": "aba",
    "M": "crba",
    "inverse of M": "minverse",
    "dID": "dID",
    "dFD": "dFD",
}
"""Names of the columns, and of the peer's functions."""

Calls = dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]


def study(seconds: float, lengths: tuple[int, ...] = LENGTHS) -> list[Table]:
    """Times faster than Pinocchio; chains that bend beside rigid ones; then single figures."""
    columns = ("chain", "links", *CELLS, "asked")
    rows = []
    for name, chain, asked in (
        ("aligned, new arrays", rigid_chain, ALIGNED),
        ("aligned, given arrays", rigid_chain, ALIGNED),
        ("general, given arrays", general_chain, GENERAL),
        ("general, given arrays, from C++", general_chain, dict.fromkeys(lengths, "")),
    ):
        if "C++" in name and isinstance(compiled(), str):
            continue
        for n in lengths:
            ratios = chain_ratios(chain(n), "given" in name, seconds / 4, "C++" in name)
            rows.append((name, n, *ratios, asked[n]))
    note = (
        "Pinocchio's time over ours, in one run; ours from Python, Pinocchio's too, but for the "
        f"rows from C++{_missing()}. Beyond "
        f"{PEER} links, where its data need tens of gigabytes, its time is that of {PEER} links "
        "times the square of the length (forward dynamics: the length)."
    )
    bent = Table((*COLUMNS, *NATIVE), measured(flexible_races(lengths), seconds / 4))
    return [Table(columns, rows, (note,)), bent, Table(FIGURES, figures(seconds / 4))]


def _missing() -> str:
    found = compiled()
    return f" (none: {found})" if isinstance(found, str) else ""


def flexible_races(lengths: tuple[int, ...]) -> list[Race]:
    """Forward dynamics of chains whose links bend, beside Pinocchio's of as many rigid links."""
    found = []
    for n in lengths:
        bent, rigid = flexible_chain(n), rigid_chain(min(n, PEER))
        x, y = (0.01 * np.random.default_rng(0).normal(size=(3, r.nv)) for r in (bent, rigid))
        peer, function = Pinocchio(rigid), compile(bent, "forward_dynamics")
        theirs = Call(peer.module.aba, (peer.model, peer.data, *y))
        label = f"{n} links that bend ({bent.nv} coordinates) against {n} rigid ones"
        mine, states = Call(function, (*x, function(*x))), (1, len(rigid.links) / n)
        native = Natives(rigid, tuple(y))("aba") if n <= 100 else ()
        found.append(Race(label, mine, theirs, peer.name, states, native))
    return found


def chain_ratios(robot: Robot, given: bool, seconds: float, native: bool = False) -> list[float]:
    """Of the five cells."""
    rng = np.random.default_rng(0)
    x = tuple(0.3 * rng.normal(size=robot.nv) for _ in range(3))
    n = len(robot.links)
    short, state = robot if n <= PEER else _cut(robot, PEER), tuple(a[:PEER] for a in x)
    theirs = _native_calls(short, state) if native else _calls(Pinocchio(short), state)
    ours = own_calls(robot, x)
    out = []
    for cell in CELLS:
        function, arguments = ours[cell]
        mine = Call(function, (*arguments, function(*arguments)) if given else arguments)
        peers = {f"peer {k}": call for k, call in enumerate(theirs[cell])}
        best = in_turns({"ours": mine, **peers}, seconds)
        longer = (n / min(n, PEER)) ** (1 if cell == "forward dynamics" else 2)
        out.append(min(best[name] for name in peers) * longer / best["ours"])
    return out


def _calls(peer: Pinocchio, x: tuple[Any, ...]) -> dict[str, tuple[Repeatable, ...]]:
    return {cell: (Call(*call),) for cell, call in peer_calls(peer, x).items()}


def _native_calls(robot: Robot, x: tuple[Any, ...]) -> dict[str, tuple[Repeatable, ...]]:
    peer = NativePinocchio(robot, x)
    return {cell: peer.calls(name) for cell, name in CELLS.items()}


def _cut(robot: Robot, n: int) -> Robot:
    """Its first links."""
    from dataclasses import replace

    return replace(robot, links=robot.links[:n], spec=None)


def own_calls(robot: Robot, x: tuple[Any, ...]) -> Calls:
    fd, inverse = compile(robot, "forward_dynamics"), compile(robot, "inverse_dynamics")
    return {
        "forward dynamics": (fd, x),
        "M": (compile(robot, "mass_matrix"), x[:1]),
        "inverse of M": (compile(robot, "inverse_mass_matrix"), x[:1]),
        "dID": (inverse.jacobian(*inverse.arguments), x),
        "dFD": (fd.jacobian(*fd.arguments), x),
    }


def peer_calls(peer: Pinocchio, x: tuple[Any, ...]) -> Calls:
    pin, start = peer.module, (peer.model, peer.data)
    return {
        "forward dynamics": (pin.aba, (*start, *x)),
        "M": (pin.crba, (*start, x[0])),
        "inverse of M": (pin.computeMinverse, (*start, x[0])),
        "dID": (pin.computeRNEADerivatives, (*start, *x)),
        "dFD": (pin.computeABADerivatives, (*start, *x)),
    }


FIGURES = ("figure", "measured", "asked", "unit")


def figures(seconds: float) -> list[tuple[str, float, str, str]]:
    puma = load("puma")
    rng = np.random.default_rng(0)
    x = tuple(rng.normal(size=6) for _ in range(3))
    peer = Pinocchio(puma)
    ours, theirs = own_calls(puma, x), peer_calls(peer, x)
    rows: list[tuple[str, float, str, str]] = []
    for cell in ("dID", "dFD"):
        function, arguments = ours[cell]
        mine = Call(function, (*arguments, function(*arguments)))
        best = in_turns({"ours": mine, "peer": Call(*theirs[cell])}, seconds)
        rows.append((f"puma {cell}", best["peer"] / best["ours"], ">= 10", "times"))
    for name, chain in (("aligned", rigid_chain), ("general", general_chain)):
        rows.append(
            (f"Jacobian of 100 links, {name}", _frame(chain(100), seconds), ">= 2", "times")
        )
    rows += _flexible(seconds)
    rows.append(("compile 16 quantities of canadarm-spatial", _compile_all(), "<= 5", "s"))
    return rows


def _frame(robot: Robot, seconds: float) -> float:
    q = 0.3 * np.random.default_rng(0).normal(size=robot.nv)
    mine = compile(robot, "jacobian", station=f"{robot.links[-1].name}.origin")
    peer = Pinocchio(robot)
    start = (peer.model, peer.data, q, peer.model.njoints - 1)
    calls = {
        "ours": Call(mine, (q, mine(q))),
        "peer": Call(peer.module.computeJointJacobian, start),
    }
    best = in_turns(calls, seconds)
    return best["peer"] / best["ours"]


def _flexible(seconds: float) -> list[tuple[str, float, str, str]]:
    """Beside `canadarm-spatial`, whose time says how fast the machine is."""
    found = {}
    for name, robot in (("small", load("canadarm-spatial")), ("long", flexible_chain(8))):
        x = tuple(0.01 * np.random.default_rng(1).normal(size=(3, robot.nv)))
        cells = own_calls(robot, x)
        for cell in ("forward dynamics", "dFD"):
            function, arguments = cells[cell]
            found[f"{name} {cell}"] = Call(function, (*arguments, function(*arguments)))
    best = in_turns(found, 4 * seconds)
    micro = {name: 1e6 * x for name, x in best.items()}
    share = best["long forward dynamics"] / best["small forward dynamics"]
    return [
        ("canadarm-spatial forward dynamics", micro["small forward dynamics"], "", "µs"),
        ("canadarm-spatial dFD", micro["small dFD"], "", "µs"),
        (
            "8 flexible links: forward dynamics",
            micro["long forward dynamics"],
            "<= 2",
            "µs",
        ),
        ("the same over canadarm-spatial's", share, "<= 4.1", "times"),
        ("8 flexible links: dFD", micro["long dFD"], "<= 60", "µs"),
    ]


def _compile_all() -> float:
    """Processor seconds for all quantities of an open robot, nothing known."""
    robot = load("canadarm-spatial")
    tip = f"{robot.links[-1].name}.tip"
    with empty_cache():
        compile(load("puma"), "mass_matrix")  # LLVM starts
        start = time.process_time()
        for what, quantity in QUANTITIES.items():
            if what not in CUTS:
                compile(robot, what, station=tip if quantity.station else None)
        return time.process_time() - start
