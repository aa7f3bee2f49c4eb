"""Loops over kinds of links give what the recursion gives, whatever the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from studies.chains import flexible_chain, rigid_chain
from supple.engine import QUANTITIES, Request, trace_quantity
from supple.tracer import evaluate, quickly
from supple.tracer.trace import places
from trees import BODIES, GEARED, JOINTS, TREES, random_state, tree, usually_or_quickly

SCANS = tuple(kind for kind in JOINTS if kind not in GEARED)  # gears tie siblings together
SCANNED = [name for name, x in QUANTITIES.items() if x.scans]


def arguments(robot: supple.Robot, function: Any, seed: int = 0) -> list[Any]:
    q, qd, qdd = random_state(robot, np.random.default_rng(seed))
    values = {"q": q, "qd": qd, "qdd": qdd, "tau": 3.0 * qdd}
    return [values[name] for name in function.arguments]


def compiled(robot: supple.Robot, what: str, unroll: bool) -> Any:
    with usually_or_quickly(robot):
        function = supple.compile(robot, what, station=place(robot, what), unroll=unroll)
    assert function.unrolled == unroll
    return function


def place(robot: supple.Robot, what: str) -> str | None:
    return robot.links[-1].name if QUANTITIES[what].station else None


def both(robot: supple.Robot, what: str) -> tuple[Any, Any]:
    scan, plain = (compiled(robot, what, unroll) for unroll in (False, True))
    assert scan.results == plain.results
    return scan, plain


def parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def digits(robot: supple.Robot, q: Any) -> float:
    """What solving with the mass matrix leaves of accuracy."""
    return max(1e-12, 1e-15 * float(np.linalg.cond(supple.mass_matrix(robot, q))))


@pytest.mark.parametrize("seed", range(0, TREES, 20))
def test_every_scanned_quantity_equals_the_recursion(seed: int) -> None:
    """And straight-line code does: of every other tree as native code, which is large, of the
    others as the graph it is made from."""
    robot = tree(seed, SCANS, BODIES)
    for what in SCANNED:
        scan = compiled(robot, what, unroll=False)
        request = Request(robot, what, place(robot, what))
        given = arguments(robot, scan, seed)
        solves = what in ("forward_dynamics", "inverse_mass_matrix")
        tolerance = digits(robot, given[0]) if solves else 1e-12
        wanted = parts(request.run(robot, *given))
        straight = compiled(robot, what, unroll=True) if seed % 40 == 0 else in_floats(request)
        for f in (scan, straight):
            for a, b in zip(parts(f(*given)), wanted, strict=True):
                assert_near(a, b, tolerance)


def in_floats(request: Request) -> Any:
    """The straight-line program, run number by number."""
    trace = trace_quantity(request)
    shapes = trace.shapes

    def run(*given: Any) -> tuple[Any, ...]:
        found = np.array(evaluate(trace.graph, trace.flat, np.concatenate(given)))
        return tuple(found[at].reshape(shapes[name]) for name, at in places(shapes).items())

    return run


@pytest.mark.parametrize("name", ["stanford", "lin-lewis-rf"])
def test_scanned_derivatives_equal_those_of_straight_line_code(name: str) -> None:
    """Of all but the dynamics: `test_derivatives.py` has those."""
    robot = supple.load(name)
    for what in (name for name, x in QUANTITIES.items() if x.scan and "dynamics" not in name):
        scan, plain = both(robot, what)
        given = arguments(robot, scan)
        mine = scan.jacobian(*scan.arguments)
        with quickly():  # the longer code of the two, and the one that others test
            other = plain.jacobian(*plain.arguments)
        assert not mine.unrolled
        assert mine.results == other.results
        for a, b in zip(parts(mine(*given)), parts(other(*given)), strict=True):
            assert_near(a, b, 1e-11)


@pytest.mark.parametrize("robot", [rigid_chain(60), flexible_chain(14)], ids=lambda r: r.name)
def test_long_chains_are_scanned_and_right(robot: supple.Robot) -> None:
    fd = supple.compile(robot, "forward_dynamics")
    assert not fd.unrolled
    rng = np.random.default_rng(1)
    q, qd, tau = 0.01 * rng.normal(size=(3, 9, robot.nv))

    def right(qdd: Any, k: int) -> None:
        assert_near(qdd, supple.forward_dynamics(robot, q[k], qd[k], tau[k]), 1e-10)

    right(fd(q[0], qd[0], tau[0]), 0)
    for threads in (1, 2):
        for k, qdd in enumerate(fd.batch(q, qd, tau, threads=threads)):
            right(qdd, k)
    out = np.empty(robot.nv)
    assert fd(q[1], qd[1], tau[1], out=out) is out
    right(out, 1)
    many = fd.batch(*(np.tile(x, (100, 1)) for x in (q, qd, tau)), threads=2)
    for k, qdd in enumerate(many[-9:]):
        right(qdd, k)


def test_code_does_not_grow_with_the_chain() -> None:
    """The same blocks, twice as often."""
    count = [supple.compile(rigid_chain(n), "forward_dynamics").operations() for n in (60, 120)]
    slope = supple.compile(rigid_chain(180), "forward_dynamics").operations()
    for name, value in slope.items():
        assert value - count[1][name] == count[1][name] - count[0][name]


def test_what_has_no_scan_says_so() -> None:
    robot = supple.load("puma")
    with pytest.raises(supple.InputError, match="these have: forward_dynamics"):
        supple.compile(robot, "udu_factors", unroll=False)
    fd = supple.compile(robot, "forward_dynamics", unroll=False)
    with pytest.raises(supple.InputError, match="unroll=True"):
        fd.hessian_vector("q")
    with pytest.raises(supple.InputError, match="unroll=True"):
        fd.jacobian("q").jacobian("q")


@pytest.mark.parametrize(
    "robot", [rigid_chain(30), flexible_chain(4), tree(28, SCANS, BODIES)], ids=lambda r: r.name
)
def test_the_chain_rule_over_the_links_gives_matrices(robot: supple.Robot) -> None:
    """Columns and rows climb past ancestors; no straight-line code has a part in the answer."""
    q = random_state(robot, np.random.default_rng(3))[0]
    M = supple.mass_matrix(robot, q)
    assert_near(supple.compile(robot, "mass_matrix", unroll=False)(q), M, 1e-12)
    answers = supple.compile(robot, "inverse_mass_matrix", unroll=False)(q)
    assert_near(answers @ M, np.eye(robot.nv), 1e3 * digits(robot, q))
