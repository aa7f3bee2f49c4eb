"""All that is known of a kind of joint stands in its class: its register is the only list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import numpy as np
import pytest

import supple
from supple.joints import KINDS, Joint
from supple.model import spec
from supple.model.explain import keys

BODY = {"mass": 1.0, "com": [0.1, 0.2, 0.3], "inertia": [0.2, 0.3, 0.4]}
MOVING = [name for name, kind in KINDS.items() if kind.axes]
MAY_HAVE: list[tuple[str, Any, Callable[[type[Joint]], bool]]] = [
    ("axis", [1, 0, 0], lambda kind: kind.has_axis),
    ("stiffness", 2.0, lambda kind: len(kind.axes) == 1),
    ("rotor_inertia", 2.0, lambda kind: len(kind.axes) == 1),
]


def on(kind: str, **words: Any) -> supple.Robot:
    joint = {"type": kind, "child": "a", "name": "j"} | words
    return supple.build({"links": {"a": {"rigid": BODY}}, "joints": [joint]})


def test_the_model_file_and_its_help_name_every_kind() -> None:
    (key,) = [key for key in keys("joint") if key.name == "type"]
    assert get_args(spec.JointName) == tuple(KINDS)
    for name, kind in KINDS.items():
        assert name in key.holds
        assert f"{name} {kind.meaning}" in key.meaning


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_names_all_its_coordinates_and_starts_where_it_hangs(kind: str) -> None:
    joint = KINDS[kind]()
    assert len(joint.symbols) == len(joint.coordinates) == joint.nq
    assert len(joint.speeds) == joint.nv
    assert len(joint.speed_symbols) in (0, joint.nv)
    r, R = joint.place(joint.neutral())
    assert r is None or not np.any(r)
    assert np.array_equal(R.matrix(), np.eye(3))


@pytest.mark.parametrize("kind", MOVING)
def test_the_equations_of_a_kind_are_those_of_the_recursion(kind: str) -> None:
    robot = on(kind)
    equations = supple.equations(robot)
    rng = np.random.default_rng(3)
    q = robot.normalized(robot.neutral() + 0.3 * rng.normal(size=robot.nq))
    u, a = rng.normal(size=(2, robot.nv))
    tau = supple.inverse_dynamics(robot, q, u, a)
    assert [str(x) for x in equations.q] == [x.format(n=1) for x in KINDS[kind].symbols]
    assert np.allclose(equations.inverse_dynamics(q, u, a), tau, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(("key", "value", "able"), MAY_HAVE, ids=[row[0] for row in MAY_HAVE])
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_kind_cannot_have_is_told_with_those_that_can(
    kind: str, key: str, value: Any, able: Callable[[type[Joint]], bool]
) -> None:
    if able(KINDS[kind]):
        assert on(kind, **{key: value}).links[0].joint.kind == kind
        return
    with pytest.raises(supple.ModelError, match=f"a {kind} joint cannot have") as error:
        on(kind, **{key: value})
    assert all(name in str(error.value) for name, other in KINDS.items() if able(other))
