"""Numbers of a model as arguments of compiled functions, and derivatives in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import supple
from agree import assert_near
from studies.chains import flexible_chain
from trees import random_state, usually_or_quickly

CASES = {
    "canadarm-spatial": ("link1.beam.mass", "link2.beam.length", "link2.beam.EI"),
    "puma": ("link2.mass", "link3.r.0", "link2.inertia.1"),
    "cibicik-arm": ("gravity.2",),
}


def crane() -> supple.Robot:
    """Payload, hub, damping, springs and friction, a fixed tool."""
    modes = {"family": "polynomial", "bending_y": 2, "torsion": 1}
    beam = {"length": 2.0, "mass": 3.0, "EI": 400.0, "GJ": 90.0, "polar_inertia": 0.01}
    boom = {
        "beam": {**beam, "modes": modes, "damping": {"rayleigh": [0.1, 1e-3]}},
        "hub": {"mass": 1.0, "inertia": 0.1},
        "payload": {"mass": 2.0, "com": [0.1, 0.05, 0], "inertia": 0.03},
    }
    arm = {"rigid": {"mass": 1.5, "com": [0.3, 0, 0], "inertia": [0.01, 0.1, 0.1], "length": 0.6}}
    friction = {"coulomb": 1.0, "viscous": 0.2, "smoothing": 0.1}
    joints = [
        {"name": "slew", "type": "revolute", "child": "boom", "damping": 0.3},
        {
            "name": "elbow", "type": "revolute", "parent": "boom", "child": "arm",
            "stiffness": 20.0, "rest": 0.1, "friction": friction, "rotor_inertia": 0.05,
        },
    ]  # fmt: skip
    return supple.build({"name": "crane", "links": {"boom": boom, "arm": arm}, "joints": joints})


CRANE = (
    "boom.beam.length",
    "boom.beam.EI",
    "boom.payload.mass",
    "boom.beam.damping.rayleigh.1",
    "elbow.stiffness",
    "elbow.friction.coulomb",
    "elbow.rotor_inertia",
)


@cache
def robots() -> list[tuple[supple.Robot, tuple[str, ...]]]:
    return [(supple.load(name), names) for name, names in CASES.items()] + [(crane(), CRANE)]


@pytest.fixture
def native(robot: supple.Robot) -> Iterator[None]:
    with usually_or_quickly(robot):
        yield


@pytest.mark.usefixtures("native")
@pytest.mark.parametrize("unroll", [True, False])
@pytest.mark.parametrize(("robot", "names"), robots(), ids=lambda x: getattr(x, "name", ""))
def test_other_values_give_the_robot_built_anew(
    robot: supple.Robot, names: tuple[str, ...], unroll: bool
) -> None:
    rng = np.random.default_rng(3)
    for what in ("forward_dynamics", "inverse_dynamics", "kinetic_energy"):
        f = supple.compile(robot, what, parameters=names, unroll=unroll)
        assert list(f.arguments)[-1] == "parameters"
        assert tuple(f.parameters) == names
        p = np.array(list(f.parameters.values())) * rng.uniform(0.8, 1.3, len(names))
        q, qd, qdd = random_state(robot, rng)
        state = (q, qd, qdd)[: len(f.arguments) - 1]
        other = robot.with_parameters(dict(zip(names, p, strict=True)))
        expected = getattr(supple, what)(other, *state)
        assert_near(f(*state, p), expected, 1e-9 if what == "forward_dynamics" else 1e-11)
        states = [np.tile(x, (5, 1)) for x in (*state, p)]
        assert_near(f.batch(*states)[2], f(*state, p), 1e-9)


@pytest.mark.usefixtures("native")
@pytest.mark.parametrize("unroll", [True, False])
@pytest.mark.parametrize(("robot", "names"), robots(), ids=lambda x: getattr(x, "name", ""))
def test_derivatives_in_the_parameters_are_difference_quotients(
    robot: supple.Robot, names: tuple[str, ...], unroll: bool
) -> None:
    f = supple.compile(robot, "forward_dynamics", parameters=names, unroll=unroll)
    slope = f.jacobian("parameters")
    p = np.array(list(f.parameters.values()))
    state = random_state(robot, np.random.default_rng(4))
    got = slope(*state, p)
    for j, size in enumerate(np.abs(p)):
        h = np.zeros(len(p))
        h[j] = 1e-5 * size
        assert_near(got[:, j], (f(*state, p + h) - f(*state, p - h)) / (2 * h[j]), 1e-5)


def test_many_links_of_a_kind_may_change() -> None:
    """Loops keep a table of what changes."""
    robot = flexible_chain(6, planes=1, modes=1)
    names = tuple(f"link{i}.beam.mass" for i in range(1, 6))
    f = supple.compile(robot, "inverse_dynamics", parameters=names, unroll=False)
    rng = np.random.default_rng(5)
    p = rng.uniform(1.0, 3.0, 5)
    q, qd, qdd = 0.1 * rng.normal(size=(3, robot.nv))
    other = robot.with_parameters(dict(zip(names, p, strict=True)))
    assert_near(f(q, qd, qdd, p), supple.inverse_dynamics(other, q, qd, qdd), 1e-12)
    plain = supple.compile(robot, "inverse_dynamics", parameters=names, unroll=True)
    assert_near(
        f.jacobian("q", "parameters")(q, qd, qdd, p),
        plain.jacobian("q", "parameters")(q, qd, qdd, p),
        1e-11,
    )


def test_wrong_parameters_are_refused_clearly() -> None:
    puma = supple.load("puma")
    compile = supple.compile
    with pytest.raises(supple.InputError, match=r"link2\.mas.*Did you mean link2\.mass"):
        compile(puma, "forward_dynamics", parameters=["link2.mas"])
    with pytest.raises(supple.InputError, match="give a list of names"):
        compile(puma, "forward_dynamics", parameters="link2.mass")
    with pytest.raises(supple.InputError, match="named twice"):
        compile(puma, "mass_matrix", parameters=["link2.mass", "link2.mass"])
    with pytest.raises(supple.InputError, match=r"no sum of powers of link2\.alpha"):
        compile(puma, "mass_matrix", parameters=["link2.alpha"])
    with pytest.raises(supple.InputError, match=r"parameters is \[3\]; give a list of names"):
        compile(puma, "mass_matrix", parameters=[3])  # type: ignore[list-item]


def test_names_of_parameters() -> None:
    names = crane().parameter_names
    assert {"boom.hub.mass", "arm.rigid.com.0", "slew.damping", *CRANE} <= set(names)
    assert not any("modes" in name for name in names)
