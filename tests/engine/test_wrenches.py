"""External wrenches as arguments: J^T w on every robot, one straight line or a scan."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from supple import recursion
from supple.engine.quantities import wrench_arguments
from supple.tracer import quickly
from trees import BODIES, GEARED, JOINTS, random_state, tree

SCANS = tuple(kind for kind in JOINTS if kind not in GEARED)


def stations(robot: supple.Robot) -> list[str]:
    first, last = robot.links[0], robot.links[-1]
    return [f"{last.name}.{[*last.body.stations][-1]}", first.name]


@pytest.mark.parametrize("unroll", [True, False])
@pytest.mark.parametrize("index", [46, 67])
def test_wrenches_add_what_the_jacobian_says(index: int, unroll: bool) -> None:
    """tau - J^T w, M (qdd_w - qdd) = J^T w; and both are linear in w: their slopes are whole.
    Forward dynamics at the forces of that motion: beside free stiff beams w would be rounding."""
    robot = tree(index, SCANS, BODIES)
    rng, where = np.random.default_rng(index), stations(robot)
    q, qd, x = random_state(robot, rng)
    w = rng.normal(size=(2, 6))
    pushed = sum(supple.jacobian(robot, q, s).T @ v for s, v in zip(where, w, strict=True))
    with quickly():
        inverse, forward = (
            supple.compile(robot, f"{way}_dynamics", wrenches=where, unroll=unroll)
            for way in ("inverse", "forward")
        )
        names = [*inverse.arguments][3:]
        slope, answer = inverse.jacobian(*names), forward.jacobian(names[0])
    assert inverse.unrolled == forward.unrolled == unroll
    tau = supple.inverse_dynamics(robot, q, qd, x)
    assert_near(inverse(q, qd, x, *w), tau - pushed, 1e-12)
    M = supple.mass_matrix(robot, q)
    more = forward(q, qd, tau, *w) - supple.forward_dynamics(robot, q, qd, tau)
    lost = 1e-14 * np.linalg.cond(M)
    assert_near(M @ more, pushed, lost)
    J = [supple.jacobian(robot, q, s).T for s in where]
    assert_near(slope(q, qd, x, *w), -np.hstack(J), 1e-12)
    assert_near(M @ answer(q, qd, tau, *w), J[0], lost)
    batch = forward.batch(*[np.tile(a, (9, 1)) for a in (q, qd, tau, *w)])
    assert_near(batch, [forward(q, qd, tau, *w)] * 9, lost)


@pytest.mark.parametrize("index", [67])
def test_other_slopes_know_the_wrenches(index: int) -> None:
    """d tau / d q = that without them - d(J^T w)/dq, by a difference quotient; as a scan by the
    chain rule over the links. Forward: -M^-1 of it at the qdd there is."""
    robot = tree(index, SCANS, BODIES)
    q, qd, x = random_state(robot, np.random.default_rng(index))
    where, h = stations(robot)[0], 1e-6
    w = np.linspace(-1.0, 2.0, 6)

    def push(at: Any) -> Any:
        return recursion.station_jacobian(robot, at, where).T @ w

    pushes = [(push(q + h * e) - push(q - h * e)) / (2 * h) for e in np.eye(robot.nq)]
    for unroll in (True, False):
        with quickly():
            loaded = supple.compile(robot, "inverse_dynamics", wrenches=[where], unroll=unroll)
            bare = supple.compile(robot, "inverse_dynamics", unroll=unroll)
            forward = supple.compile(robot, "forward_dynamics", wrenches=[where], unroll=unroll)
            slopes = [f.jacobian("q") for f in (loaded, bare, forward)]
        wanted = slopes[1](q, qd, x) - np.array(pushes).T
        assert_near(slopes[0](q, qd, x, w), wanted, 1e-7)
        qdd = forward(q, qd, x, w)
        ours = supple.mass_matrix(robot, q) @ slopes[2](q, qd, x, w)
        assert_near(ours, -slopes[0](q, qd, qdd, w), 1e-9)


def test_closed_chains_take_them() -> None:
    """Against the plain functions; the answer to a wrench is linear in it."""
    robot = supple.load("five-bar")
    where = robot.links[-1].name
    q, still = robot.home(), np.zeros(robot.nv)
    tau, w = np.linspace(-1, 1, robot.nv), np.array([0.1, -0.2, 0.3, 4.0, 5.0, -6.0])
    with quickly():
        f = {n: supple.compile(robot, n, wrenches=[where]) for n in LOADED if n != "bias_force"}
        slope = f["forward_dynamics"].jacobian([*f["multipliers"].arguments][-1])
    for name, function in f.items():
        wanted = getattr(supple, name)(robot, q, still, tau * (name[0] != "i"), {where: w})
        assert_near(function(q, still, tau * (name[0] != "i"), w), wanted, 1e-11)
    free = supple.forward_dynamics(robot, q, still, tau)
    pushed = f["forward_dynamics"](q, still, tau, w)
    assert_near(slope(q, still, tau, w) @ w, pushed - free, 1e-10)


LOADED = ("forward_dynamics", "inverse_dynamics", "bias_force", "multipliers")


def test_parameters_and_pickles_go_with_wrenches() -> None:
    robot = supple.load("lin-lewis-rf")
    link = robot.links[-1]
    options: dict[str, Any] = {"parameters": [f"{link.name}.beam.EI"], "wrenches": [link.name]}
    f = supple.compile(robot, "forward_dynamics", **options)
    assert [*f.arguments] == ["q", "qd", "tau", f"wrench_{link.name}", "parameters"]
    q, qd, x = random_state(robot, np.random.default_rng(1))
    w, p = np.linspace(0.0, 1.0, 6), np.array([3000.0])
    other = robot.with_parameters({options["parameters"][0]: 3000.0})
    wanted = supple.forward_dynamics(other, q, qd, x, {link.name: w})
    for same in (f, pickle.loads(pickle.dumps(f))):
        assert_near(same(q, qd, x, w, p), wanted, 1e-11)


def test_each_station_has_its_own_code_and_name() -> None:
    robot = supple.load("puma")
    assert wrench_arguments(("a.b", "a_b", "ä")) == ("wrench_a_b", "wrench_a_b_1", "wrench__")
    x = np.linspace(-1, 1, 6)
    with quickly():
        found = [
            supple.compile(robot, "bias_force", wrenches=[at])(x, x, x)
            for at in ("link6.origin", "link5.origin")
        ]
    wanted = [supple.bias_force(robot, x, x, {f"link{k}.origin": x}) for k in (6, 5)]
    assert_near(found, wanted, 1e-12)
    assert "wrench_link5" in supple.compile(robot, "bias_force", wrenches=["link5"]).c_source()


@pytest.mark.parametrize(
    ("what", "wrenches", "words"),
    [
        ("mass_matrix", ["link6"], "takes no wrenches; these do: forward_dynamics, inverse"),
        ("forward_dynamics", ["link9"], "no link named 'link9'"),
        ("forward_dynamics", ["link6.tpi"], "no station named 'tpi'"),
        ("forward_dynamics", ["link6", "link6"], "'link6' twice"),
        ("forward_dynamics", "link6", r"wrenches is 'link6'; give a list of names, e.g. \["),
        ("forward_dynamics", [5], "give a list of names"),
    ],
)
def test_wrong_wrenches_are_told(what: str, wrenches: Any, words: str) -> None:
    with pytest.raises(supple.InputError, match=words):
        supple.compile(supple.load("puma"), what, wrenches=wrenches)


@pytest.mark.parametrize(("name", "unroll"), [("five-bar", None), ("lin-lewis-rf", False)])
def test_slopes_in_q_know_the_wrench(name: str, unroll: bool | None) -> None:
    """Of closed chains, and of chains as scans: against difference quotients."""
    robot, h = supple.load(name), 1e-6
    q = robot.home() if robot.loops else np.linspace(0.1, 0.3, robot.nq)
    rest = [np.zeros(robot.nv), np.linspace(-1, 1, robot.nv), np.array([0.1, 0.2, 0.3, 4, 5, -6])]
    with quickly():
        f = supple.compile(
            robot, "forward_dynamics", wrenches=[robot.links[-1].name], unroll=unroll
        )
        slope = f.jacobian("q")(q, *rest)
    ways = h * np.eye(robot.nq)
    found = np.transpose([(f(q + e, *rest) - f(q - e, *rest)) / (2 * h) for e in ways])
    assert_near(slope, found, 1e-7)
