"""Lagrange in symbols = the DeNOC recursion = native code; M_dot - 2 D skew; M definite."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple

sys.path.insert(0, str(Path(__file__).parent))
import sequences
from sequences import random_state, skew_defect

import trees

SMALL = [name for name in supple.shipped() if supple.load(name).nv <= 10]


@cache
def of(name: str, parameters: str = "symbolic") -> supple.Equations:
    return supple.equations(sequences.first_order(name), parameters)


def near(value: Any, wanted: Any, tolerance: float = 1e-10) -> bool:
    size = max(1.0, float(np.abs(wanted).max(initial=0.0)))
    return bool(np.abs(np.asarray(value) - wanted).max(initial=0.0) <= tolerance * size)


def agrees(eq: supple.Equations, seed: int = 0, states: int = 2) -> None:
    """Every matrix against the recursion, the whole against inverse dynamics."""
    rng, robot = np.random.default_rng(seed), eq.robot
    for _ in range(states):
        q, qd, qdd = random_state(robot, rng)
        x = eq.at(q, qd)
        assert near(x["M"], supple.mass_matrix(robot, q))
        assert near(x["D"] @ qd, supple.coriolis_force(robot, q, qd))
        assert near(x["G"], supple.gravity_force(robot, q))
        assert near(x["B"], robot.input_matrix)
        assert near(eq.inverse_dynamics(q, qd, qdd), supple.inverse_dynamics(robot, q, qd, qdd))


@pytest.mark.parametrize("parameters", ["symbolic", "numeric"])
@pytest.mark.parametrize("name", SMALL)
def test_shipped_robots_agree_with_the_recursion(name: str, parameters: str) -> None:
    agrees(of(name, parameters))


@pytest.mark.parametrize("name", SMALL)
def test_shipped_robots_agree_with_native_code(name: str) -> None:
    eq, robot = of(name), sequences.first_order(name)
    native = supple.compile(robot, "inverse_dynamics")
    q, qd, qdd = random_state(robot, np.random.default_rng(3))
    assert near(eq.inverse_dynamics(q, qd, qdd), native(q, qd, qdd))


@pytest.mark.parametrize("index", range(30))
def test_random_sequences_agree_with_the_recursion(index: int) -> None:
    eq = supple.equations(sequences.sequence(index))
    agrees(eq, index)
    q, qd, _ = random_state(eq.robot, np.random.default_rng(index))
    assert skew_defect(eq, q, qd) < 1e-12


@pytest.mark.parametrize("index", [3, 17, 29, 41, 58, 77])
def test_trees_of_every_joint_agree(index: int) -> None:
    """Quaternions, floating bases, branches: the brackets of the rates join in."""
    words = trees.words(index, trees.JOINTS, trees.BODIES)
    eq = supple.equations(supple.build({**words, "elastic_kinematics": "first_order"}))
    agrees(eq, index)
    q, qd, _ = random_state(eq.robot, np.random.default_rng(index))
    assert skew_defect(eq, q, qd) < 1e-12


def test_a_floating_tree_has_a_skew_matrix_too() -> None:
    words = trees.words(100, ("spherical", "floating"), ("rigid", "beam_yz"))
    words["links"] = {k: words["links"][k] for k in ("link0", "link1")}
    words["joints"] = words["joints"][:2]
    words["elastic_kinematics"] = "first_order"
    words["joints"][0] |= {"type": "floating"}
    words["joints"][1] |= {"type": "spherical", "parent": "link0"}
    for key in ("stiffness", "rest", "rotor_inertia", "axis"):
        words["joints"][0].pop(key, None)
        words["joints"][1].pop(key, None)
    eq = supple.equations(supple.build(words))
    agrees(eq)
    q, qd, _ = random_state(eq.robot, np.random.default_rng(5))
    assert skew_defect(eq, q, qd) < 1e-12


@pytest.mark.parametrize("name", SMALL)
def test_mass_is_definite_and_m_dot_less_2d_skew(name: str) -> None:
    eq = of(name)
    rng = np.random.default_rng(7)
    for _ in range(3):
        q, qd, _ = random_state(eq.robot, rng)
        M = eq.at(q, qd)["M"]
        assert np.array_equal(M, M.T)
        assert np.linalg.eigvalsh(M).min() > 0.0
        assert skew_defect(eq, q, qd) < 1e-12


def test_other_parameter_values_give_the_other_robot() -> None:
    """Symbols mean what their names say: change them and compare with a changed model."""
    eq = of("lin-lewis-rfr")
    words: Any = dict(eq.robot.spec or {})
    words = {**words, "links": {k: dict(v) for k, v in words["links"].items()}}
    words["links"]["link2"]["beam"] = {**words["links"]["link2"]["beam"], "length": 1.3, "EI": 7.0}
    words["links"]["link3"]["payload"] = {"mass": 0.8}
    other = supple.build(words)
    changes = {"L2": 1.3, "EIz2": 7.0, "mp3": 0.8}
    q, qd, qdd = random_state(other, np.random.default_rng(2))
    wanted = supple.inverse_dynamics(other, q, qd, qdd)
    assert near(eq.inverse_dynamics(q, qd, qdd, changes), wanted)


def test_some_names_stay_and_the_others_are_numbers() -> None:
    eq = supple.equations(supple.load("lin-lewis-rfr"), ["L2", "mp3"])
    assert {p.name for p in eq.parameters} == {"L2", "mp3"}
    agrees(eq)


@pytest.mark.parametrize("order", ["linear", "quadratic"])
def test_small_elastic_angles_are_kept_to_their_order(order: str) -> None:
    """The error falls with the angle, one power faster than the order; D stays consistent."""
    robot = supple.load("canadarm-spatial").with_modes(1)
    exact, small = supple.equations(robot), supple.equations(robot, elastic_angle=order)
    rng = np.random.default_rng(4)
    q, qd, _ = random_state(robot, rng)
    errors = []
    for factor in (0.1, 0.05):
        here = q.copy()
        for link in robot.links:
            here[link.d] *= factor
        errors.append(np.abs(exact.at(here)["M"] - small.at(here)["M"]).max())
        assert skew_defect(small, here, qd) < 1e-12
    power = np.log2(errors[0] / errors[1])
    assert power > (1.8 if order == "linear" else 2.8)


def test_chord_and_slope_are_choices() -> None:
    robot = supple.load("lin-lewis-rfr")
    chord, slope = (supple.equations(robot, tip_angle=a) for a in ("chord", "slope"))
    assert (chord.tip_angle, slope.tip_angle) == ("chord", "slope")
    assert near(slope.values[slope.symbols["dphi2_v1"]], 0.8210844526410762, 1e-12)
    agrees(slope)
    agrees(chord)


def test_symbols_are_plain_sympy() -> None:
    """M can be substituted, differentiated and lambdified like any expression."""
    import sympy

    eq = of("piedboeuf-arm")
    q, _, _ = random_state(eq.robot, np.random.default_rng(1))
    f = sympy.lambdify([eq.q, list(eq.values)], eq.M)
    assert near(f(q, list(eq.values.values())), supple.mass_matrix(eq.robot, q))
    rr = of("lin-lewis-rr")
    assert rr.M.subs({"theta2": 0})[1, 1] == rr.M[1, 1]
