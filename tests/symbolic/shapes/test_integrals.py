"""Closed forms = numbers; named constants; what cannot be integrated is told."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

import supple

BEAM = {"length": 1.3, "mass": 2.0, "EI": 50.0, "GJ": 20.0, "EA": 1e3, "polar_inertia": 0.01}


def arm(modes: Any, **beam: Any) -> supple.Robot:
    link = {"beam": {**BEAM, **beam, "modes": modes}}
    joints = [{"type": "revolute", "child": "a"}, {"type": "revolute", "parent": "a", "child": "b"}]
    tip = {"rigid": {"mass": 1.0, "length": 0.4, "inertia": [0.1, 0.1, 0.1]}}
    words = {"name": "arm", "gravity": [0, -9.81, 0], "joints": joints}
    words |= {"elastic_kinematics": "first_order"}
    return supple.build({**words, "links": {"a": link, "b": tip}})


FIELDS = {"bending_y": 3, "torsion": 2, "axial": 2}


@pytest.mark.parametrize("family", ["orthogonal", "pinned_pinned", "clamped_free"])
def test_closed_forms_equal_the_quadrature(family: str) -> None:
    from supple.modes import family as made, uniform
    from supple.symbolic.naming.link_facts import facts_of_links

    robot = arm({**FIELDS, "family": family})
    shapes = made("clamped_free").shapes(3, uniform(1.0))
    roots = {f"beta{k + 1}": float(shapes.betas[k]) for k in range(3)}
    roots |= {f"sigma{k + 1}": float(shapes.sigmas[k]) for k in range(3)}
    eq = supple.equations(robot)
    beam = facts_of_links(robot)[0].beam.integrals
    numbers = {"a": beam.a, "b": beam.b, "e": beam.e, "k": beam.k, "h": beam.h2[1]}
    labels = [s.label for s in beam.shapes]
    closed = [p for p in eq.parameters if p.exact]
    assert len(closed) >= 12
    for p in closed:
        value = float(sympy.sympify(p.exact).subs(roots))
        assert abs(value - p.value) < 1e-13 * max(1.0, abs(value)), p
        letter, _, index = p.name.partition("1_")
        pair = [k for k in range(len(labels)) if labels[k] in index]
        if letter in ("a", "b"):
            assert abs(numbers[letter][pair[0]] - value) < 1e-13
        elif letter in ("e", "k") and len(pair) == 2:
            assert abs(numbers[letter][pair[0], pair[1]] - value) < 1e-11 * max(1.0, abs(value))


def test_user_functions_and_polynomials_close_too() -> None:
    functions = {"functions": ["(x/L)**2 * (3 - x/L)", "(x/L)**3"]}
    eq = supple.equations(arm({"bending_y": functions}))
    exact = {p.name: p.exact for p in eq.parameters}
    assert exact["a1_v1"] == "3/4"
    assert exact["k1_v1v1"] == "12"
    assert exact["phi1_v1"] == "2"
    wild = {"functions": ["cosh(x/L) - cos(x/L)"]}
    eq = supple.equations(arm({"bending_y": wild}))
    assert all(not p.exact for p in eq.parameters if p.name == "e1_v1v1")


def test_constants_have_fifteen_digits() -> None:
    """a = 2 sigma / beta and b = 2 / beta^2 of the clamped-free beam, by mpmath."""
    import mpmath

    mpmath.mp.dps = 30
    eq = supple.equations(supple.load("lin-lewis-f").replace(gravity=(0, -386.09, 0)))
    values = {p.name: p.value for p in eq.parameters}
    for k, start in ((1, 1.875), (2, 4.694)):
        beta = mpmath.findroot(lambda b: 1 + mpmath.cosh(b) * mpmath.cos(b), start)
        top = mpmath.cosh(beta) + mpmath.cos(beta)
        sigma = top / (mpmath.sinh(beta) + mpmath.sin(beta))
        assert abs(values[f"a1_v{k}"] / float(2 * sigma / beta) - 1) < 2e-15 * 4
        assert abs(values[f"b1_v{k}"] / float(2 / beta**2) - 1) < 1e-14


BAD = {
    "moves the root": (["cos(x/L)"], "a shape must vanish at the joint"),
    "pole inside": (["x**2/(x - 0.6123*L)"], "cannot be integrated|has a pole|has a kink"),
    "kink": (["x**2*abs(x - 0.4567*L)"], "cannot be integrated|has a pole|has a kink"),
    "curvature not square integrable": (["(x/L)**1.5"], "(not finite|cannot be integrated)"),
    "not finite": (["x**2*log(x)"], "not finite"),
}


@pytest.mark.parametrize("case", BAD)
def test_functions_that_cannot_be_shapes_are_told(case: str) -> None:
    functions, message = BAD[case]
    with pytest.raises(supple.SuppleError, match=message):
        supple.equations(arm({"bending_y": {"functions": functions}}))


@pytest.mark.parametrize("kinematics", ["first_order", "second_order"])
def test_bodies_of_unknown_make_have_their_moments_as_constants(kinematics: str) -> None:
    from dataclasses import replace

    import numpy as np

    from trees import random_state

    robot = supple.load("canadarm-spatial").with_modes(1)
    robot = robot.replace(elastic_kinematics=kinematics)
    links = [replace(x, body=replace(x.body, line=None, parts=())) for x in robot.links]
    robot = replace(robot, links=tuple(links))
    eq = supple.equations(robot)
    assert any(p.meaning.startswith("moment") for p in eq.parameters)
    q, qd, qdd = random_state(robot, np.random.default_rng(0))
    tau = supple.inverse_dynamics(robot, q, qd, qdd)
    assert np.abs(eq.inverse_dynamics(q, qd, qdd) - tau).max() < 1e-10 * np.abs(tau).max()
