"""What a link carries: the same as a body fixed to it, and what its mode shapes must know of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple

BEAM = {"length": 1.3, "mass": 2.0, "EI": 40.0, "GJ": 30.0, "polar_inertia": 0.02}
RIGID = {"mass": 1.0, "com": [0.3, 0.1, -0.2], "inertia": [0.1, 0.2, 0.3], "length": 1.3}
TOOL = {"mass": 0.7, "com": [0.1, -0.2, 0.3], "inertia": [0.03, 0.04, 0.06, 0.01, -0.005, 0.008]}
POINT = {"mass": 0.7}


def pair(link: dict[str, Any], lump: dict[str, Any], at: str) -> tuple[Any, Any]:
    """The lump as the link's payload, and as a link of its own behind a fixed joint."""
    stations = {"flange": {"offset": [0.2, 0.1, -0.3], "rpy": [0.4, -0.7, 1.1]}}
    link = link | {"stations": stations}
    floating = {"type": "floating", "child": "a"}
    fixed = {"type": "fixed", "parent": "a", "child": "b", "at": at}
    one = {"links": {"a": link | {"payload": lump | {"at": at}}}, "joints": [floating]}
    two = {"links": {"a": link, "b": {"rigid": lump}}, "joints": [floating, fixed]}
    # of second order a point on the tip is right to second order only: it joins the body
    exact = {"elastic_kinematics": "first_order"}
    return supple.build(one | exact), supple.build(two | exact)


@pytest.mark.parametrize("at", ["tip", "flange"])
@pytest.mark.parametrize("lump", [TOOL, POINT], ids=["tool", "point"])
@pytest.mark.parametrize("kind", ["rigid", "beam"])
def test_a_payload_is_a_body_fixed_to_its_station(kind: str, lump: Any, at: str) -> None:
    beam = BEAM | {"modes": {"bending_y": 2, "bending_z": 1, "torsion": 1}}
    one, two = pair({"rigid": RIGID} if kind == "rigid" else {"beam": beam}, lump, at)
    rng = np.random.default_rng(3)
    q = one.normalized(one.neutral() + 0.1 * rng.normal(size=one.nq))
    qd, qdd = rng.normal(size=one.nv), rng.normal(size=one.nv)
    assert np.allclose(supple.mass_matrix(one, q), supple.mass_matrix(two, q), rtol=1e-11)
    ours = supple.inverse_dynamics(one, q, qd, qdd)
    assert np.allclose(ours, supple.inverse_dynamics(two, q, qd, qdd), rtol=1e-10)


@pytest.mark.parametrize("field", ["bending_y", "bending_z", "torsion"])
def test_the_shape_of_a_beam_with_a_tip_body_is_its_exact_first_mode(field: str) -> None:
    tool = {"mass": 1.5, "com": [0.2, 0.5, 0.3], "inertia": [0.2, 0.9, 0.1]}
    if field != "torsion":
        tool["com"] = [0.2, 0.0, 0.0]

    beam = {
        key: value for key, value in BEAM.items() if field == "torsion" or key != "polar_inertia"
    }

    def first(family: str, count: int) -> float:
        modes = {field: count, "family": family}
        links = {"a": {"beam": beam | {"modes": modes}, "payload": tool}}
        joints = [{"type": "revolute", "child": "a"}]
        robot = supple.build({"gravity": [0, 0, 0], "links": links, "joints": joints})
        return float(supple.frequencies(robot, locked=True).omega[0])

    assert first("clamped_mass", 1) == pytest.approx(first("orthogonal", 9), rel=1e-7)
