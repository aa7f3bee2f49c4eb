"""Times against peers, measured in turns in one run, as ratios: absolute times depend on the
machine and on who else uses it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine import compile
from ..model import load
from ..robot import Robot


@dataclass(frozen=True)
class Row:
    """One comparison: microseconds of ours and of the peer's, and how many times faster."""

    what: str
    ours: float
    peer: float
    versus: str

    @property
    def ratio(self) -> float:
        return self.peer / self.ours


def in_turns(calls: dict[str, Callable[[], Any]], seconds: float = 1.5) -> dict[str, float]:
    """Best microseconds a call over many short windows, the calls taking turns."""
    counts = {}
    for name, call in calls.items():
        call()
        n, spent = 1, 0.0
        while spent < 1e-4:
            n *= 2
            spent = _window(call, n)
        counts[name] = max(1, int(n * 3e-4 / spent))
    best = dict.fromkeys(calls, np.inf)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for name, call in calls.items():
            best[name] = min(best[name], _window(call, counts[name]) / counts[name])
    return {name: 1e6 * value for name, value in best.items()}


def _window(call: Callable[[], Any], n: int) -> float:
    began = time.perf_counter()
    for _ in range(n):
        call()
    return time.perf_counter() - began


def pinocchio_model(robot: Robot) -> Any:
    """The same rigid serial robot for Pinocchio, from our constants."""
    import pinocchio as pin

    model, parent = pin.Model(), 0
    kinds = {"revolute": pin.JointModelRZ, "prismatic": pin.JointModelPZ}
    for link in robot.links:
        place = pin.SE3(link.mount.R0, link.mount.r0 + link.mount.rho)
        parent = model.addJoint(parent, kinds[link.joint.kind](), place, link.name)
        body = link.body
        c = body.c0 / body.mass
        W = body.W0 - body.mass * np.outer(c, c)
        inertia = pin.Inertia(body.mass, c, np.trace(W) * np.eye(3) - W)
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    model.gravity.linear = robot.gravity
    return model


def ratio_rows(seconds: float = 1.5) -> list[Row]:
    """Supple against Pinocchio, from Python with NumPy arrays."""
    import pinocchio as pin

    puma, bent = load("puma"), load("canadarm-spatial")
    model = pinocchio_model(puma)
    data = model.createData()
    rng = np.random.default_rng(0)
    q, v, t = rng.normal(size=6), rng.normal(size=6), rng.normal(size=6)
    frame = model.njoints - 1
    versus = f"Pinocchio {pin.__version__}"
    pairs: list[tuple[str, Any, Any]] = []

    def ours(robot: Robot, what: str, state: tuple[Any, ...], **options: Any) -> Any:
        function = compile(robot, what, **options)
        out = function(*state)
        return lambda: function(*state, out)

    fd = compile(puma, "forward_dynamics")
    pairs.append(
        ("forward dynamics, new array", lambda: fd(q, v, t), lambda: pin.aba(model, data, q, v, t))
    )
    aba = pairs[0][2]
    pairs.append(("forward dynamics, out=", ours(puma, "forward_dynamics", (q, v, t)), aba))
    rnea = lambda: pin.rnea(model, data, q, v, t)  # noqa: E731
    pairs.append(("inverse dynamics, out=", ours(puma, "inverse_dynamics", (q, v, t)), rnea))
    crba = lambda: pin.crba(model, data, q)  # noqa: E731
    pairs.append(("mass matrix, out=", ours(puma, "mass_matrix", (q,)), crba))
    jac = lambda: pin.computeJointJacobian(model, data, q, frame)  # noqa: E731
    pairs.append(("Jacobian, out=", ours(puma, "jacobian", (q,), station="link6.origin"), jac))
    x = rng.normal(size=(3, bent.nv)) * 0.01
    name = "canadarm-spatial (15 coordinates, bending) against rigid PUMA"
    pairs.append((name, ours(bent, "forward_dynamics", tuple(x)), aba))
    rows = []
    for what, mine, theirs in pairs:
        best = in_turns({"ours": mine, "peer": theirs}, seconds)
        rows.append(Row(what, best["ours"], best["peer"], versus))
    rows += _derivatives(puma, model, data, (q, v, t), versus, seconds)
    rows += _batches(aba, versus, seconds)
    return rows


def _derivatives(
    robot: Robot, model: Any, data: Any, state: tuple[Any, ...], versus: str, seconds: float
) -> list[Row]:
    """All derivatives of a quantity: ours are one call for each argument."""
    import pinocchio as pin

    rows = []
    peers = {
        "forward_dynamics": lambda: pin.computeABADerivatives(model, data, *state),
        "inverse_dynamics": lambda: pin.computeRNEADerivatives(model, data, *state),
    }
    for what, theirs in peers.items():
        parts = [compile(robot, what).jacobian(wrt) for wrt in compile(robot, what).arguments]
        outs = [part(*state) for part in parts]

        def mine(parts: Any = parts, outs: Any = outs) -> None:
            for part, out in zip(parts, outs, strict=True):
                part(*state, out)

        best = in_turns({"ours": mine, "peer": theirs}, seconds)
        rows.append(Row(f"derivatives of {what}", best["ours"], best["peer"], versus))
    return rows


def _batches(
    aba: Callable[[], Any], versus: str, seconds: float, count: int = 100_000
) -> list[Row]:
    """Microseconds a state in a batch on one core, against one call of the peer."""
    rows = []
    for name in ("puma", "canadarm", "canadarm-spatial"):
        robot = load(name)
        function = compile(robot, "forward_dynamics")
        rng = np.random.default_rng(1)
        x = [0.1 * rng.normal(size=(count, robot.nv)) for _ in range(3)]
        out = function.batch(*x, threads=1)

        def mine(function: Any = function, x: Any = x, out: Any = out) -> None:
            function.batch(*x, out=out, threads=1)

        best = in_turns({"ours": mine, "peer": aba}, seconds)
        label = f"batch of {count}, one core: {name} against rigid PUMA"
        rows.append(Row(label, best["ours"] / count, best["peer"], versus))
    return rows
