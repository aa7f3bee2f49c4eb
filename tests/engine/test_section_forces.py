"""Forces in the sections of beams as native code: closed forms, and the plain way."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from supple.tracer import quickly
from trees import BODIES, JOINTS, random_state, tree


def compiled(robot: supple.Robot, at: str, **options: Any) -> Any:
    with quickly():
        return supple.compile(robot, "section_forces", station=at, **options)


def test_a_turning_cantilever_under_a_tip_load_is_as_by_hand() -> None:
    """At x, unbent: a pull m w^2 (L^2 - x^2) / (2 L) + Fx, a shear Fy + m a (L^2 - x^2) / (2 L)
    against the turn's acceleration, a moment Fy (L - x) - m a (2 L^3 - 3 L^2 x + x^3) / (6 L)."""
    L, m, x, w, a, F = 2.0, 3.0, 0.5, 1.5, 0.7, np.array([2.0, 5.0, 0.0])
    beam = {"length": L, "mass": m, "EI": 50.0, "modes": {"bending_y": 2}}
    words = {"links": {"a": {"beam": beam, "stations": {"g": {"x": x}}}}, "gravity": [0, 0, 0]}
    robot = supple.build(words | {"joints": [{"type": "revolute", "child": "a"}]})
    f = compiled(robot, "a.g", wrenches=["a.tip"])
    one = np.eye(3)[0]
    force, moment = f(0.0 * one, w * one, a * one, np.array([0, 0, 0, *F]))
    rest = (L**2 - x**2) / (2 * L)
    assert_near(force, [m * w**2 * rest + F[0], F[1] - m * a * rest, 0.0], 1e-12)
    lever = (2 * L**3 - 3 * L**2 * x + x**3) / (6 * L)
    assert_near(moment, [0.0, 0.0, F[1] * (L - x) - m * a * lever], 1e-12)


@pytest.mark.parametrize("index", [46, 67, 72])
def test_native_code_gives_what_gauges_do(index: int) -> None:
    robot = tree(index, JOINTS, BODIES)
    at = next(
        f"{link.name}.{name}"
        for link in robot.links
        for name, station in link.body.stations.items()
        if link.body.line is not None and station.x
    )
    q, qd, qdd = random_state(robot, np.random.default_rng(index))
    w, end = np.linspace(-1, 2, 6), robot.links[-1].name
    f, wanted = compiled(robot, at, wrenches=[end]), supple.gauge(robot, q, at, qd, qdd, {end: w})
    plain = supple.section_forces(robot, q, qd, qdd, at, {end: w})
    for found in (f(q, qd, qdd, w), plain):
        assert_near(found[0], wanted.force, 1e-11)
        assert_near(found[1], wanted.moment, 1e-11)


def test_closed_chains_carry_their_cuts() -> None:
    robot = supple.load("four-bar-flexible")
    q, still = robot.home(), np.zeros(robot.nv)
    f, wanted = compiled(robot, "coupler.root"), supple.gauge(robot, q, "coupler.root")
    force, moment = f(q, still, still)
    assert_near(force, wanted.force, 1e-9)
    assert_near(moment, wanted.moment, 1e-9, least=1.0)


def test_it_comes_back_from_a_pickle() -> None:
    robot = supple.load("lin-lewis-f")
    link = robot.links[-1].name
    q = np.full(robot.nv, 0.02)
    f, wanted = compiled(robot, f"{link}.root"), supple.gauge(robot, q, f"{link}.root", q, q)
    assert_near(f(q, q, q)[1], wanted.moment, 1e-11)
    with quickly():
        assert np.array_equal(pickle.loads(pickle.dumps(f))(q, q, q)[1], f(q, q, q)[1])


def test_wrong_places_are_told() -> None:
    robot = supple.load("lin-lewis-rf")
    for call in (
        lambda at: supple.compile(robot, "section_forces", station=at),
        lambda at: supple.section_forces(robot, *[np.zeros(robot.nv)] * 3, at),
    ):
        with pytest.raises(supple.InputError, match=r"turret of .* is not on a beam.*barrel\.tip"):
            call("turret")
    with pytest.raises(supple.InputError, match=r"e\.g\. station='barrel\.root'"):
        supple.compile(robot, "section_forces")
    with pytest.raises(supple.InputError, match="is of beams; puma has none"):
        supple.compile(supple.load("puma"), "section_forces", station="link6")
    with pytest.raises(supple.InputError, match="takes no parameters"):
        supple.compile(robot, "section_forces", station="barrel", parameters=["barrel.beam.EI"])
