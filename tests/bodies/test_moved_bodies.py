"""Bodies in moved frames, seen from their roots, with kinks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple


def bending(**words: Any) -> supple.Robot:
    modes = {"bending_y": 2, "bending_z": 1}
    beam = {"length": 1.0, "mass": 2.0, "EI": 25.0, "rotary_inertia": False, "modes": modes}
    joints: list[Any] = [{"name": "j", "type": "revolute", "child": "c", "axis": [0.3, 0.4, 1.0]}]
    joints += [{"name": "f", "type": "fixed", "parent": "c", "child": "a", "at": "origin"} | words]
    links = {"c": {"rigid": {"mass": 0.1, "inertia": 0.1}}, "a": {"beam": beam}}
    return supple.build({"links": links, "joints": joints, "elastic_kinematics": "second_order"})


def test_a_body_moved_in_a_frame_that_moves_back_is_the_same_body() -> None:
    """All moments about the new origin, those of products of shapes too."""
    from dataclasses import replace

    from supple.finite_elements.part import shifted

    b = np.array([0.3, -0.2, 0.5])
    plain, back = bending(), bending(origin={"xyz": (-b).tolist()})
    links = (back.links[0], replace(back.links[1], body=shifted(back.links[1].body, b)))
    moved = replace(back, links=links, spec=None)
    for q, qd, qdd in np.random.default_rng(3).normal(scale=0.3, size=(3, 3, plain.nv)):
        wanted = supple.inverse_dynamics(plain, q, qd, qdd)
        assert supple.inverse_dynamics(moved, q, qd, qdd) == pytest.approx(wanted, rel=1e-9)


def test_seen_from_its_root_a_body_leaves_its_root_in_place_unturned() -> None:
    """And what sits beside the root turns with its own turn less the root's."""
    from supple.finite_elements.part import anchored

    body = bending().links[1].body
    found = anchored(body, body.stations["tip"])
    for name, station in found.stations.items():
        turned = body.stations[name].Theta - body.stations["tip"].Theta
        assert station.Theta == pytest.approx(turned)
    assert np.abs(found.stations["tip"].S).max() < 1e-12
    assert np.abs(found.stations["root"].Theta).max() > 0.1


def test_a_stretched_profile_has_its_kinks_where_it_has_them() -> None:
    from supple.bodies import Profile
    from supple.bodies.profile import StretchedProfile

    plain = Profile(np.array([0.0, 0.4, 1.0]), np.array([1.0, 3.0, 2.0]))
    found = StretchedProfile(plain, 2.5, 0.5)
    (kink,), h = found.breaks, 1e-6
    bend = found(np.array([kink - h, kink, kink + h])) @ [1.0, -2.0, 1.0] / h
    assert bend == pytest.approx(0.5 * (-1.0 / 0.6 - 2.0 / 0.4) / 2.5, rel=1e-6)


def test_a_station_before_a_kink_of_its_beam_is_drawn_in_by_its_slopes() -> None:
    """x less 1/2 int_0^x v'^2 for a shape v: Gauss' rule on [0, x], smooth there."""
    table = {"x": [0.0, 0.7, 1.0], "value": [30.0, 20.0, 4.0]}
    beam = {"length": 1.0, "mass": 1.0, "EI": table, "modes": {"bending_y": 1}}
    link = {"beam": beam, "stations": {"early": {"x": 0.5}, "late": {"x": 0.9}}}
    words = {"links": {"a": link}, "joints": [{"type": "revolute", "child": "a"}]}
    robot = supple.build(words | {"elastic_kinematics": "second_order"})
    line, (t, w) = robot.links[0].body.line, np.polynomial.legendre.leggauss(30)
    assert line is not None
    for name, x in (("early", 0.5), ("late", 0.9)):
        slope = line.base.rotation(0.5 * x * (1.0 + t))[0, :, 2]
        drawn = robot.links[0].body.stations[name].S2[0, 0, 0]
        assert drawn == pytest.approx(-0.5 * x * w @ slope**2, rel=1e-9)
