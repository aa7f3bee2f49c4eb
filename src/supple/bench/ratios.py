"""Times against peers, measured in turns in one run, as ratios: absolute times depend on the
machine and on who else uses it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
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


@dataclass(frozen=True)
class Call:
    """A function and its arguments; `run(n)` calls it n times with nothing in between."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def run(self, n: int) -> float:
        """Seconds for n calls."""
        names = [f"a{i}" for i in range(len(self.arguments))]
        space: dict[str, Any] = dict(zip(names, self.arguments, strict=True))
        space |= {"f": self.function, "clock": time.perf_counter, "r": range(n)}
        code = f"t = clock()\nfor _ in r:\n    f({', '.join(names)})\nt = clock() - t"
        exec(f"def go({', '.join(space)}):\n" + _indent(code) + "\n    return t", space)
        return float(space["go"](*[space[k] for k in space if k not in ("go", "__builtins__")]))


def _indent(text: str) -> str:
    return "\n".join("    " + line for line in text.split("\n"))


def in_turns(calls: dict[str, Call], seconds: float = 1.5) -> dict[str, float]:
    """Best microseconds a call over many short windows, the calls taking turns."""
    counts = {}
    for name, call in calls.items():
        n, spent = 1, call.run(1)
        while spent < 1e-4:
            n *= 2
            spent = call.run(n)
        counts[name] = max(1, int(n * 3e-4 / spent))
    best = dict.fromkeys(calls, np.inf)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for name, call in calls.items():
            best[name] = min(best[name], call.run(counts[name]) / counts[name])
    return {name: 1e6 * value for name, value in best.items()}


@dataclass(frozen=True)
class Case:
    """Two calls to compare; `states` says how many states ours (and the peer's) takes a call."""

    what: str
    ours: Call
    peer: Call
    versus: str
    states: tuple[int, int] = (1, 1)


ROUNDS = 4  # times that each case comes, so that a slow spell of the machine spoils none


def measured(cases: list[Case], seconds: float) -> list[Row]:
    """Best times of all cases, in rounds."""
    best = [{"ours": np.inf, "peer": np.inf} for _ in cases]
    for _ in range(ROUNDS):
        for case, seen in zip(cases, best, strict=True):
            calls = {"ours": case.ours, "peer": case.peer}
            for name, time_ in in_turns(calls, seconds / ROUNDS).items():
                seen[name] = min(seen[name], time_)
    return [
        Row(case.what, seen["ours"] / case.states[0], seen["peer"] / case.states[1], case.versus)
        for case, seen in zip(cases, best, strict=True)
    ]


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

    from .peers import peer_rows

    puma, bent = load("puma"), load("canadarm-spatial")
    model = pinocchio_model(puma)
    data = model.createData()
    rng = np.random.default_rng(0)
    q, v, t = rng.normal(size=6), rng.normal(size=6), rng.normal(size=6)
    frame = model.njoints - 1
    versus = f"Pinocchio {pin.__version__}"

    def ours(robot: Robot, what: str, state: tuple[Any, ...], **options: Any) -> Call:
        function = compile(robot, what, **options)
        return Call(function, (*state, function(*state)))

    aba = Call(pin.aba, (model, data, q, v, t))
    x = tuple(rng.normal(size=(3, bent.nv)) * 0.01)
    pairs = [
        ("forward dynamics, new array", Call(compile(puma, "forward_dynamics"), (q, v, t)), aba),
        ("forward dynamics, out=", ours(puma, "forward_dynamics", (q, v, t)), aba),
        (
            "inverse dynamics, out=",
            ours(puma, "inverse_dynamics", (q, v, t)),
            Call(pin.rnea, (model, data, q, v, t)),
        ),
        ("mass matrix, out=", ours(puma, "mass_matrix", (q,)), Call(pin.crba, (model, data, q))),
        (
            "Jacobian, out=",
            ours(puma, "jacobian", (q,), station="link6.origin"),
            Call(pin.computeJointJacobian, (model, data, q, frame)),
        ),
        (
            "canadarm-spatial (15 coordinates, bending) against rigid PUMA",
            ours(bent, "forward_dynamics", x),
            aba,
        ),
    ]
    cases = [Case(what, mine, theirs, versus) for what, mine, theirs in pairs]
    cases += _derivatives(puma, model, data, (q, v, t), versus)
    cases += [*_batches(aba, versus), _cores()]
    return measured(cases, seconds) + peer_rows(puma, seconds)


def _cores(count: int = 400_000) -> Case:
    """A batch on one core against the same on two."""
    robot = load("canadarm-spatial")
    function = compile(robot, "forward_dynamics")
    x = tuple(0.1 * np.random.default_rng(1).normal(size=(3, count, robot.nv)))
    out = function.batch(*x)
    one, two = (partial(function.batch, out=out, threads=n) for n in (1, 2))
    label = f"batch of {count}, canadarm-spatial: two cores against one"
    return Case(label, Call(two, x), Call(one, x), "one core", (count, count))


def _derivatives(
    robot: Robot, model: Any, data: Any, state: tuple[Any, ...], versus: str
) -> list[Case]:
    """All derivatives of a quantity in one call."""
    import pinocchio as pin

    peers = {
        "forward_dynamics": pin.computeABADerivatives,
        "inverse_dynamics": pin.computeRNEADerivatives,
    }
    cases = []
    for what, function in peers.items():
        plain = compile(robot, what)
        slope = plain.jacobian(*plain.arguments)
        mine, theirs = Call(slope, (*state, slope(*state))), Call(function, (model, data, *state))
        cases.append(Case(f"derivatives of {what}, out=", mine, theirs, versus))
    return cases


def _batches(aba: Call, versus: str, count: int = 100_000) -> list[Case]:
    """A state in a batch on one core, against one call of the peer."""
    cases = []
    for name in ("puma", "canadarm", "canadarm-spatial"):
        robot = load(name)
        function = compile(robot, "forward_dynamics")
        rng = np.random.default_rng(1)
        x = [0.1 * rng.normal(size=(count, robot.nv)) for _ in range(3)]
        batch = partial(function.batch, out=function.batch(*x, threads=1), threads=1)
        label = f"batch of {count}, one core: {name} against rigid PUMA"
        cases.append(Case(label, Call(batch, tuple(x)), aba, versus, (count, 1)))
    return cases
