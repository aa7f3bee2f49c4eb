"""Matrices and derivatives in the axes of the world are those of the plain recursion, by complex
steps; robots that they do not suit have them otherwise."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from complex_steps import by_complex_steps
from studies.chains import general_chain, rigid_chain
from supple import recursion
from supple.engine.world import World, suits
from supple.tracer import quickly
from trees import native_code

LINKS = (1, 2, 3, 5, 7, 8, 9, 12, 16, 17, 20, 24)


def rigid_tree(seed: int) -> supple.Robot:
    """A chain, or a tree: links that turn and slide, with springs, dampers and rotors."""
    rng = np.random.default_rng(seed)
    n, chain = LINKS[seed % len(LINKS)], seed % 3 == 0
    links: dict[str, Any] = {}
    joints: list[dict[str, Any]] = []
    branch = [-1]
    for i in range(n):
        A = rng.normal(size=(3, 3))
        body = {"mass": rng.uniform(0.5, 2), "com": rng.uniform(-0.2, 0.2, 3).tolist()}
        body["inertia"] = (0.02 * (A @ A.T + np.eye(3))).tolist()
        links[f"l{i}"] = {"rigid": body}
        kind = "prismatic" if rng.random() < 0.2 else "revolute"
        axis = rng.normal(size=3).tolist()
        joint: dict[str, Any] = {"type": kind, "child": f"l{i}", "axis": axis}
        place = {"xyz": rng.uniform(-0.3, 0.3, 3).tolist(), "rpy": rng.uniform(-2, 2, 3).tolist()}
        joint |= {"origin": place, "stiffness": 0.7, "damping": 0.3}
        joint["rotor_inertia"] = 0.05 * (i % 2)
        while not chain and len(branch) > 1 and rng.random() < 0.3:
            branch.pop()
        if branch[-1] >= 0:
            joint["parent"] = f"l{branch[-1]}"
        branch.append(i)
        joints.append(joint)
    return supple.build({"name": f"rigid tree {seed}", "links": links, "joints": joints})


def in_world(robot: supple.Robot, what: str, *wrt: str) -> Any:
    assert suits(robot)
    with quickly():
        return native_code(World(robot, what, wrt, None))  # type: ignore[arg-type]


def state(robot: supple.Robot, seed: int) -> list[Any]:
    return list(0.5 * np.random.default_rng(seed).normal(size=(3, robot.nv)))


def check(robot: supple.Robot, seed: int) -> None:
    """J from ID in a random order of its arguments; dFD by d qdd = -M^-1 dID."""
    q, qd, qdd = state(robot, seed)
    run = partial(recursion.inverse_dynamics, robot)
    slopes = {x: by_complex_steps(run, [q, qd, qdd], k) for k, x in enumerate(("q", "qd", "qdd"))}
    order = np.random.default_rng(seed).permutation(["q", "qd", "qdd"]).tolist()
    found = in_world(robot, "inverse_dynamics", *order)(q, qd, qdd)
    assert_near(found, np.hstack([slopes[x] for x in order]), 1e-11)
    M, inverse = slopes["qdd"], recursion.inverse_mass_matrix(robot, q)
    assert_near(in_world(robot, "mass_matrix")(q), M, 1e-12)
    assert_near(in_world(robot, "inverse_mass_matrix")(q), inverse, 1e-10)
    answers = in_world(robot, "forward_dynamics", "qd", "tau", "q")
    wanted = np.hstack([-inverse @ slopes["qd"], inverse, -inverse @ slopes["q"]])
    assert_near(answers(q, qd, recursion.inverse_dynamics(robot, q, qd, qdd)), wanted, 1e-10)


@pytest.mark.parametrize("seed", [0, 2, 3, 5, 6, 8, 9])
def test_rigid_trees_in_the_axes_of_the_world_are_as_complex_steps_say(seed: int) -> None:
    check(rigid_tree(seed), seed)


def test_a_chain_of_24_nearly_straight_links_keeps_ten_digits() -> None:
    """Forces at its base are great sums: the worst case for a product with the inverse of M."""
    robot = rigid_chain(24)
    given = state(robot, 1)
    names = ("q", "qd", "tau")
    found, other = (
        supple.compile(robot, "forward_dynamics", unroll=unroll).jacobian(*names)(*given)
        for unroll in (None, False)
    )
    assert_near(found, other, 1e-10)


def test_a_single_call_and_a_batch_agree_to_the_last_bit() -> None:
    robot = general_chain(12)
    slope = supple.compile(robot, "inverse_dynamics").jacobian("q", "qd")
    x = 0.5 * np.random.default_rng(0).normal(size=(3, 4, 12))
    assert np.array_equal(slope.batch(*x)[2], slope(*x[:, 2]))


def test_small_far_links_flexible_ones_and_mixed_branches_are_computed_otherwise() -> None:
    """A pin of a millimetre's radius, ten metres away: its inertia about a distant point says
    nothing of it."""
    robot = rigid_chain(8)
    assert suits(robot)
    pin = {"mass": 0.001, "inertia": [1e-9] * 3, "com": [0, 0, 0]}
    words = {"links": {"link7": {"rigid": pin}}}
    assert not suits(with_words(robot, words))
    assert not suits(supple.load("canadarm"))
    assert not suits(supple.load("delta"))


def with_words(robot: supple.Robot, words: Any) -> supple.Robot:
    spec = dict(robot.spec or {})
    return supple.build(spec | {"links": spec["links"] | words["links"]})


def test_more_derivatives_and_sources_come_from_straight_line_code() -> None:
    robot = general_chain(9)
    M, q = supple.compile(robot, "mass_matrix"), 0.3 * np.ones(9)
    assert not M.unrolled
    assert "double" in M.c_source()
    v = np.random.default_rng(0).normal(size=9)
    step = 1e-6
    slope = (M(q + step * v) - M(q - step * v)) / (2.0 * step)
    assert_near(M.jacobian("q")(q) @ v, slope, 1e-7)


@pytest.mark.parametrize("shift", range(3))
def test_any_work_space_will_do(shift: int) -> None:
    """Integrators call the machine code themselves, and lend memory on any boundary."""
    robot = general_chain(12)
    slope = supple.compile(robot, "forward_dynamics").jacobian("q", "qd")
    entry, given = slope.entry(), state(robot, 0)
    assert entry is not None
    room, out = np.zeros(entry.work + 8), np.zeros((12, 24))
    pointers = (ctypes.c_void_p * 4)(*(x.ctypes.data for x in (*given, room[shift:])))
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(entry.address)
    call(ctypes.addressof(pointers), out.ctypes.data)
    assert np.array_equal(out, slope(*given))
