"""Derivatives of the dynamics are what complex steps of the plain recursion give: a hundred random
robots of up to 60 links, rigid and bending, in all elastic kinematics."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from complex_steps import by_complex_steps
from supple import recursion
from supple.elastic_kinematics import KINEMATICS
from supple.engine import Request, trace_quantity
from supple.engine.choose import choose_recipe
from supple.tracer import StraightLine, evaluate, quickly
from trees import BODIES, GEARED, JOINTS, native_code, random_state, words

DYNAMICS = {
    "forward_dynamics": recursion.forward_dynamics,
    "inverse_dynamics": recursion.inverse_dynamics,
}
MOVING = tuple(kind for kind in JOINTS if kind not in (*GEARED, "fixed"))
SHORT = 3000  # operations that LLVM is asked to compile; more are run number by number
LONG = {  # links of chains, and their bodies
    **{("rigid", n): "rigid" for n in (7, 9, 14, 24, 40, 60)},
    **{("beam_y", n): "second_order" for n in (5, 12)},
    **{("beam_y", n): "first_order" for n in (4, 60)},
}


def state(robot: supple.Robot, seed: int) -> list[Any]:
    """Where shapes are so small that a linearised mass matrix is positive definite."""
    q, qd, other = random_state(robot, np.random.default_rng(seed))
    for link in robot.links:
        q[link.d] *= 0.02 if robot.kinematics.small else 1.0
    return [q, qd, other]


def straight_line(robot: supple.Robot, what: str, given: list[Any]) -> Any:
    slope = trace_quantity(Request(robot, what)).jacobian("q", "qd")
    if len(slope.program().ops) > SHORT:
        return np.reshape(evaluate(slope.graph, slope.flat, np.concatenate(given)), (robot.nv, -1))
    with quickly():
        return native_code(StraightLine(lambda: slope))(*given)


def scan(robot: supple.Robot, what: str, given: list[Any]) -> Any:
    with quickly():
        return native_code(choose_recipe(Request(robot, what), False).jacobian("q", "qd"))(*given)


def agree(robot: supple.Robot, way: Any, seed: int) -> None:
    given = state(robot, seed)
    for what, run in DYNAMICS.items():
        wanted = by_complex_steps(partial(run, robot), given, 0, 1)
        assert_near(way(robot, what, given), wanted, 1e-10)


@pytest.mark.parametrize("ten", range(9))
def test_derivatives_of_trees_are_complex_steps(ten: int) -> None:
    """Every joint and body kind, straight-line code and scans by turns; few links, since
    compiling costs most."""
    for k in range(10 * ten, 10 * ten + 10):
        kinematics = [*KINEMATICS][k % len(KINEMATICS)]
        way = (straight_line, scan)[k // len(KINEMATICS) % 2]
        count = 1 + (way is straight_line and k % 10 == 0) + (kinematics == "rigid")
        made = words(k, MOVING, BODIES, count) | {"elastic_kinematics": kinematics}
        agree(supple.build(made), way, k)


def chain(body: str, count: int, kinematics: str) -> supple.Robot:
    """One link after another, all of one kind: a scan's code does not grow with them."""
    made = words(count, ("revolute_axis",), (body,), 1)
    (link,), (joint,) = made["links"].values(), made["joints"]
    joint["origin"] = {"rpy": [0.4, -0.9, 1.3]}
    names = [f"link{i}" for i in range(count)]
    joints = [joint | {"name": f"joint{i}", "child": name} for i, name in enumerate(names)]
    for below, above in zip(names, joints[1:], strict=False):
        above["parent"] = below
    links = dict.fromkeys(names, link)
    return supple.build(made | {"elastic_kinematics": kinematics, "links": links, "joints": joints})


@pytest.mark.parametrize(("body", "count"), LONG)
def test_derivatives_of_chains_are_complex_steps(body: str, count: int) -> None:
    agree(chain(body, count, LONG[body, count]), scan, count)


def test_derivatives_come_together_and_in_batches() -> None:
    """d qdd / d tau = M^-1, in any order of the arguments; many states are as one."""
    robot = chain("beam_y", 3, "first_order")
    given = state(robot, 0)
    with quickly():
        slope = supple.compile(robot, "forward_dynamics", unroll=False).jacobian("tau", "q", "qd")
        many = slope.batch(*[np.tile(x, (3, 1)) for x in given])
    found, run = slope(*given), partial(recursion.forward_dynamics, robot)
    assert np.array_equal(many, [found] * 3)
    wanted = np.linalg.inv(supple.mass_matrix(robot, given[0]))
    assert_near(found, np.hstack([wanted, by_complex_steps(run, given, 0, 1)]), 1e-10)
