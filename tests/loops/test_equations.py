"""Closed chains in symbols: M, D, U, G of the tree, closure, J and gamma against the recursion."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from linkages import bennett
from loops.mechanisms import random_closed
from sequences import random_state
from supple import recursion
from supple.loops.closure import closure
from supple.symbolic.writing.plain_text import shown

near = partial(assert_near, tolerance=1e-10, least=1.0)
NAMES = ("five-bar", "four-bar-flexible", "slider-crank-flexible", "three-rrr", "carpet-scraper")


@cache
def of(name: str, parameters: str = "symbolic") -> supple.Equations:
    return supple.equations(supple.load(name), parameters)


def agrees(eq: supple.Equations, seed: int = 0) -> None:
    """At places where the loops need not be closed."""
    robot, rng = eq.robot, np.random.default_rng(seed)
    q, qd, qdd = random_state(robot, rng)
    x, at = eq.at(q, qd), closure(robot, q, qd, np.zeros(robot.nv))
    near(x["closure"], at.residual)
    near(x["J"], supple.closure_jacobian(robot, q))
    near(x["J"] @ qd, at.rate)
    near(x["gamma"], at.acceleration)
    near(x["M"], supple.mass_matrix(robot, q))
    near(x["D"] @ qd, supple.coriolis_force(robot, q, qd))
    near(x["G"], supple.gravity_force(robot, q))
    near(eq.inverse_dynamics(q, qd, qdd), recursion.inverse_dynamics(robot, q, qd, qdd))
    motors = [robot.joint_indices.index(k) for k in robot.motor_indices]
    near(x["B"], robot.input_matrix[:, motors])


@pytest.mark.parametrize("parameters", ["symbolic", "numeric"])
@pytest.mark.parametrize("name", NAMES)
def test_shipped_closed_chains_agree_with_the_recursion(name: str, parameters: str) -> None:
    agrees(of(name, parameters))


def test_a_linkage_in_space_agrees_with_the_recursion() -> None:
    agrees(supple.equations(supple.build(bennett() | {"name": "bennett"})))


@pytest.mark.parametrize("index", range(12))
def test_random_closed_trees_agree_with_the_recursion(index: int) -> None:
    made = random_closed(index, ("rigid", "beam"))
    if made is None or made[0].nv > 12:
        pytest.skip("no loops, or too large to be read")
    agrees(supple.equations(made[0], "numeric"), index)


def test_the_equations_with_their_multipliers_are_those_of_forward_dynamics() -> None:
    eq = of("four-bar-flexible")
    robot = eq.robot
    q, tau, still = robot.home(), np.array([0.3]), np.zeros(robot.nv)
    x = eq.at(q)
    J, force = x["J"][2:4], x["B"] @ tau - x["G"] - x["U"] @ (q - x["rest"])
    whole = np.block([[x["M"], -J.T], [J, np.zeros((2, 2))]])
    found = np.linalg.solve(whole, np.concatenate([force, -x["gamma"][2:4]]))
    near(found[:-2], supple.forward_dynamics(robot, q, still, tau))
    near(found[-2:], supple.multipliers(robot, q, still, tau)[2:4])


def test_generated_functions_give_closure_and_its_jacobian() -> None:
    eq, scope = of("five-bar"), dict[str, Any]()
    exec(eq.code("python", "matrices"), scope)
    q, qd, _ = random_state(eq.robot, np.random.default_rng(4))
    expected, names = eq.at(q, qd), shown(eq)
    assert names == [*"MDUGB", "closure", "J", "gamma"]
    for name, value in zip(names, scope["matrices"](q, qd), strict=True):
        near(value.reshape(expected[name].shape), expected[name])


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")
def test_generated_c_gives_closure_and_its_jacobian(tmp_path: Path) -> None:
    eq = of("slider-crank-flexible")
    (tmp_path / "f.c").write_text(eq.code("c", "matrices"))
    words = [
        "cc",
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-shared",
        "-fPIC",
        "-o",
        "f.so",
        "f.c",
        "-lm",
    ]
    subprocess.run(words, cwd=tmp_path, check=True)
    made = ctypes.CDLL(str(tmp_path / "f.so")).matrices
    q, qd, _ = random_state(eq.robot, np.random.default_rng(4))
    expected, p = eq.at(q, qd), np.array([x.value for x in eq.parameters])
    out = {name: np.zeros(expected[name].shape) for name in shown(eq)}
    made(*(ctypes.c_void_p(x.ctypes.data) for x in (q, qd, p, *out.values())))
    for name, value in out.items():
        near(value, expected[name])


def test_text_and_latex_show_the_closure_and_what_of_it_is_redundant() -> None:
    text, latex = of("five-bar").pretty(), of("five-bar").latex()
    assert "B tau + J^T lambda,  J qdd + gamma = 0,  closure = 0" in text
    assert "closure[3] = " in text
    assert "rows 1, 2, 5 of closure and J follow from the others" in text
    assert r"+ J(q)^T \lambda" in latex
    for language in ("c", "julia", "matlab", "mathematica"):
        assert "closure" in of("five-bar").code(language)


def test_zero_dynamics_in_symbols_is_refused() -> None:
    with pytest.raises(supple.InputError, match=r"supple\.zeros has the numbers"):
        of("four-bar-flexible").zero_dynamics()
