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
    if not KINDS[kind].parts:
        assert [str(x) for x in equations.q] == [x.format(n=1) for x in KINDS[kind].symbols]
    assert np.allclose(equations.inverse_dynamics(q, u, a), tau, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(("key", "value", "able"), MAY_HAVE, ids=[row[0] for row in MAY_HAVE])
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_kind_cannot_have_is_told_with_those_that_can(
    kind: str, key: str, value: Any, able: Callable[[type[Joint]], bool]
) -> None:
    if able(KINDS[kind]):
        joint = on(kind, **{key: value}).links[0].joint
        assert joint.kind in (kind, *(part.kind for part in KINDS[kind].parts))
        return
    with pytest.raises(supple.ModelError, match=f"a {kind} joint cannot have") as error:
        on(kind, **{key: value})
    assert all(name in str(error.value) for name, other in KINDS.items() if able(other))


@pytest.mark.parametrize(("kind", "axis"), [("universal", None), ("planar", [1, 2, -2])])
def test_a_joint_of_parts_moves_as_its_formula_says(kind: str, axis: list[float] | None) -> None:
    from supple.screws import rotation_from_axes

    robot = on(kind, **({"axis": axis} if axis else {}))
    q = np.array([0.4, -0.7, 1.1])[: robot.nq]
    at = supple.pose(robot, q, "a.origin")
    c, s = np.cos(q), np.sin(q)
    if kind == "universal":
        Rx = np.array([[1, 0, 0], [0, c[0], -s[0]], [0, s[0], c[0]]])
        Ry = np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
        R, p = Rx @ Ry, np.zeros(3)
    else:
        A = rotation_from_axes(np.array(axis) / 3.0)
        R, p = A @ [[c[2], -s[2], 0], [s[2], c[2], 0], [0, 0, 1]] @ A.T, A @ [q[0], q[1], 0.0]
    assert np.allclose(at.R, R, atol=1e-14)
    assert np.allclose(at.p, p, atol=1e-14)


def test_a_link_made_by_hand_cannot_hang_on_a_joint_of_parts() -> None:
    from dataclasses import replace

    from supple.robot import place_coordinates

    link = replace(on("revolute").links[0], joint=KINDS["universal"]())
    with pytest.raises(supple.InputError, match="universal joint, which in a tree is 2 joints"):
        place_coordinates([link])


def test_a_universal_joint_has_no_gimbal_lock() -> None:
    robot = on("universal")
    q, tau = np.array([0.3, np.pi / 2]), np.array([1.0, -2.0])
    qdd = supple.forward_dynamics(robot, q, np.zeros(2), tau)
    assert np.allclose(supple.inverse_dynamics(robot, q, np.zeros(2), qdd), tau, atol=1e-12)
