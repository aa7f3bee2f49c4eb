"""Lagrange in symbols = the DeNOC recursion = native code; M_dot - 2 D skew; M definite."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import supple
import trees
from agree import assert_near
from sequences import of, random_state, sequence, skew_defect
from shipped_robots import OPEN
from supple.checks import input_columns
from supple.tracer import quickly

near = partial(assert_near, tolerance=1e-10, least=1.0)
SMALL = [name for name in OPEN if supple.load(name).nv <= 10]


def agrees(eq: supple.Equations, seed: int = 0, states: int = 2, native: Any = None) -> Any:
    """Every matrix against the recursion, the whole against inverse dynamics, and as native code
    where it is given; all matrices at the last state."""
    rng, robot = np.random.default_rng(seed), eq.robot
    x: dict[str, Any] = {}
    for _ in range(states):
        q, qd, qdd = random_state(robot, rng)
        x = eq.at(q, qd)
        near(x["M"], supple.mass_matrix(robot, q))
        near(x["D"] @ qd, supple.coriolis_force(robot, q, qd))
        near(x["G"], supple.gravity_force(robot, q))
        near(x["B"], input_columns(robot, robot.motor_indices))
        tau = eq.inverse_dynamics(q, qd, qdd)
        near(tau, supple.inverse_dynamics(robot, q, qd, qdd))
        if native is not None:
            near(tau, native(q, qd, qdd))
    return x


@pytest.mark.parametrize("parameters", ["symbolic", "numeric"])
@pytest.mark.parametrize("name", SMALL)
def test_shipped_robots_agree_with_the_recursion(name: str, parameters: str) -> None:
    agrees(of(name, parameters))


@pytest.mark.parametrize("name", SMALL)
def test_shipped_robots_agree_with_native_code(name: str) -> None:
    eq = of(name)
    native = supple.compile(eq.robot, "inverse_dynamics")
    q, qd, qdd = random_state(eq.robot, np.random.default_rng(3))
    near(eq.inverse_dynamics(q, qd, qdd), native(q, qd, qdd))
    assert not unnamed(eq)


@pytest.mark.parametrize("index", range(30))
def test_random_sequences_agree_with_the_recursion_and_native_code(index: int) -> None:
    eq = supple.equations(sequence(index))
    with quickly():
        native = supple.compile(eq.robot, "inverse_dynamics")
    D = agrees(eq, index, 1, native)["D"]
    assert not unnamed(eq)
    q, qd, _ = random_state(eq.robot, np.random.default_rng(index))
    assert skew_defect(eq, q, qd, D) < 1e-12


def unnamed(eq: supple.Equations) -> list[str]:
    """Moments and stations that stand as they are, not made of lengths, masses and integrals."""
    return [p.name for p in eq.parameters if p.meaning.startswith(("moment", "station"))]


@pytest.mark.parametrize("index", [3, 24, 36, 41, 58, 77])
def test_trees_of_every_joint_agree(index: int) -> None:
    """Quaternions, floating bases, branches: the brackets of the rates join in."""
    eq = supple.equations(trees.tree(index, trees.JOINTS, trees.BODIES))
    D = agrees(eq, index, 1)["D"]
    q, qd, _ = random_state(eq.robot, np.random.default_rng(index))
    assert skew_defect(eq, q, qd, D) < 1e-12


def test_a_floating_tree_has_a_skew_matrix_too() -> None:
    words = trees.words(100, ("spherical", "floating"), ("rigid", "beam_yz"))
    words["links"] = {k: words["links"][k] for k in ("link0", "link1")}
    words["joints"] = words["joints"][:2]
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
        x = eq.at(q, qd)
        assert np.array_equal(x["M"], x["M"].T)
        assert np.linalg.eigvalsh(x["M"]).min() > 0.0
        assert skew_defect(eq, q, qd, x["D"]) < 1e-12


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
    near(eq.inverse_dynamics(q, qd, qdd, changes), wanted)


def bent(length: float, mass: float, payload: float, polar: float) -> supple.Robot:
    """Every field of a beam with sections, a payload and a link on its tip: second order."""
    modes = {"bending_y": 2, "bending_z": 1, "torsion": 1, "axial": 1}
    beam = {"length": length, "mass": mass, "EI": 50.0, "GJ": 20.0, "EA": 1e3, "modes": modes}
    beam |= {"polar_inertia": polar, "start": [0.1, 0.0, 0.2]}
    tool = {"rigid": {"mass": 1.0, "com": [0.2, 0, 0.1], "inertia": [0.1, 0.1, 0.1]}}
    links = {"a": {"beam": beam, "payload": {"mass": payload}}, "b": tool}
    joints = [{"type": "revolute", "child": "a"}, {"type": "revolute", "parent": "a", "child": "b"}]
    return supple.build({"name": "bent", "links": links, "joints": joints, "gravity": [1, 2, 3]})


def test_names_of_second_order_mean_what_they_say() -> None:
    """psi, chi, f, fx, ch have no units: lengths and masses can change beside them."""
    eq, other = supple.equations(bent(1.3, 2.0, 0.4, 0.02)), bent(1.7, 2.5, 0.9, 0.05)
    letters = {p.name.partition("1_")[0] for p in eq.parameters}
    assert {"psi", "chi", "f", "fx", "ch"} <= letters
    assert not unnamed(eq)
    changes = {"L1": 1.7, "m1": 2.5, "mp1": 0.9, "rIy1": 0.025, "rIz1": 0.025}
    q, qd, qdd = random_state(other, np.random.default_rng(6))
    x, wanted = eq.at(q, qd, changes), supple.inverse_dynamics(other, q, qd, qdd)
    near(x["M"], supple.mass_matrix(other, q))
    near(eq.inverse_dynamics(q, qd, qdd, changes), wanted)


def test_tapered_beams_and_points_within_them_agree() -> None:
    """A payload and a joint halfway along a turned, tapered beam with sections: second order."""
    modes = {"bending_y": 1, "bending_z": 1, "torsion": 1}
    beam = {"length": 1.2, "mass_per_length": [2.0, 0.8], "EI": {"x": [0, 1.2], "value": [90, 40]}}
    beam |= {"GJ": 20.0, "polar_inertia": [0.03, 0.01], "rpy": [0.3, -0.2, 0.5], "modes": modes}
    link = {"beam": beam, "payload": {"mass": 0.5, "at": "mid"}, "stations": {"mid": {"x": 0.7}}}
    tool = {"rigid": {"mass": 1.0, "com": [0.2, 0, 0.1], "inertia": [0.1, 0.1, 0.1]}}
    joints = [{"type": "revolute", "child": "a", "axis": [0, 1, 0]}]
    joints += [{"type": "revolute", "parent": "a", "at": "mid", "child": "b"}]
    words = {"name": "tapered", "gravity": [1, 2, 3], "joints": joints}
    eq = supple.equations(supple.build({**words, "links": {"a": link, "b": tool}}))
    agrees(eq)
    assert not unnamed(eq)


def test_some_names_stay_and_the_others_are_numbers() -> None:
    eq = supple.equations(supple.load("lin-lewis-rfr"), ["L2", "mp3"])
    assert {p.name for p in eq.parameters} == {"L2", "mp3"}
    agrees(eq)


@pytest.mark.parametrize("kinematics", ["first_order", "second_order"])
def test_small_elastic_angles_are_kept_to_their_order(kinematics: str) -> None:
    """The error falls with the angle, one power faster than the order; D stays consistent."""
    modes = {"bending_y": 1, "bending_z": 1}
    links = {k: {"beam": {"length": 1.0, "mass": 1.0, "EI": 9.0, "modes": modes}} for k in "ab"}
    joints = [{"type": "revolute", "child": "a"}, {"type": "revolute", "parent": "a", "child": "b"}]
    words = {"name": "two", "elastic_kinematics": kinematics, "links": links, "joints": joints}
    robot = supple.build(words)
    q, qd, _ = random_state(robot, np.random.default_rng(4))
    shapes = np.isin(np.arange(robot.nv), robot.mode_indices)
    states = [np.where(shapes, factor * q, q) for factor in (0.1, 0.05)]
    exact = [supple.mass_matrix(robot, here) for here in states]
    for order, least in (("linear", 1.8), ("quadratic", 2.8)):
        small = supple.equations(robot, elastic_angle=order)
        gaps = [np.abs(small.at(x)["M"] - M).max() for x, M in zip(states, exact, strict=True)]
        assert np.log2(gaps[0] / gaps[1]) > least
        assert skew_defect(small, states[0], qd) < 1e-12


def test_chord_and_slope_are_choices() -> None:
    robot = supple.load("lin-lewis-rfr")
    chord, slope = (supple.equations(robot, tip_angle=a) for a in ("chord", "slope"))
    assert (chord.tip_angle, slope.tip_angle) == ("chord", "slope")
    near(slope.values[slope.symbols["dphi2_v1"]], 0.8210844526410762, tolerance=1e-12)
    agrees(slope)
    agrees(chord)


def test_symbols_are_plain_sympy() -> None:
    """M can be substituted, differentiated and lambdified like any expression."""
    import sympy

    eq = of("piedboeuf-arm")
    q, _, _ = random_state(eq.robot, np.random.default_rng(1))
    f = sympy.lambdify([eq.q, list(eq.values)], eq.M)
    near(f(q, list(eq.values.values())), supple.mass_matrix(eq.robot, q))
    rr = of("lin-lewis-rr")
    assert rr.M.subs({"theta2": 0})[1, 1] == rr.M[1, 1]
