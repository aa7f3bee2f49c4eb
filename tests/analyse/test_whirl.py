"""Shafts that turn about their own axis, against closed forms of rotor dynamics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple.analyse.frequencies import growth
from supple.analyse.zeros import Zeros

DISK = 0.25  # I / (m l^2) about a diameter


def rotor(disk: float, n: int = 2, **beam: Any) -> supple.Robot:
    """A cantilever with EI = l = 1 and a thin disk of mass 1 at its end, turning about itself."""
    words = {"length": 1.0, "mass": 1e-7, "EI": 1.0, "GJ": 1.0, "rotary_inertia": False}
    words |= {"modes": {"bending_y": n, "bending_z": n}, **beam}
    payload = {"mass": 1.0, "inertia": [2.0 * disk, disk, disk]}
    link = {"beam": words, "hub": {"inertia": 0.1}, "payload": payload}
    joint = {"name": "spin", "type": "revolute", "axis": [1, 0, 0], "child": "shaft"}
    return supple.build({"gravity": [0, 0, 0], "links": {"shaft": link}, "joints": [joint]})


def critical(disk: float, order: float, sense: int) -> list[float]:
    """[DenHartog], 6.6: (12 - w^2)(4 - D w^2 + 2 D W w) = 36, w = sense order W."""
    k = sense * order
    slope = disk * (2.0 * k - k**2)
    squares = np.roots([-slope * k**2, 12.0 * slope - 4.0 * k**2, 12.0])
    return sorted(np.sqrt(x.real) for x in squares if x.real > 0.0)


def test_the_closed_form_has_den_hartogs_speed():
    """K^4 + (4/D - 12) K^2 - 12/D = 0: K = 2.2828 of D = 1/4."""
    assert critical(DISK, 1, 1) == pytest.approx([2.2828], abs=1e-4)


@pytest.mark.parametrize("speeds", [np.linspace(0.0, 6.0, 13), np.linspace(-6.0, 0.0, 8)])
@pytest.mark.parametrize("disk", [DISK, 0.05])
def test_critical_speeds_are_den_hartogs_of_every_order_and_sense(disk, speeds):
    found = supple.campbell(rotor(disk), "spin", speeds, orders=[1, 2, 3]).crossings
    for order in (1, 2, 3):
        for sense, name in ((1, "forward"), (-1, "backward")):
            mine = sorted(abs(c.speed) for c in found if (c.order, c.whirl) == (order, name))
            assert mine == pytest.approx([x for x in critical(disk, order, sense) if x < 6.0])
    assert all(c.omega == pytest.approx(c.order * abs(c.speed)) for c in found)


def test_an_uneven_shaft_is_critical_at_both_of_its_frequencies():
    """To unbalance: between them it diverges. [Dimentberg]"""
    robot = rotor(0.0, n=1, EI=None, EIy=2.0, EIz=1.0)
    w = supple.frequencies(robot, locked=True).omega
    with pytest.warns(supple.SuppleWarning, match="not stable"):
        found = supple.campbell(robot, "spin", np.linspace(0.0, 2.0 * w[1], 11), orders=[1])
    mine = [c.speed for c in found.crossings if c.whirl == "forward"]
    assert mine == pytest.approx(list(w), rel=1e-6)
    assert [found.unstable[0].first, found.unstable[0].last] == pytest.approx(mine, rel=1e-5)


def test_torsion_of_a_shaft_meets_an_order_at_the_same_speed_in_both_frames():
    shapes = {"bending_y": 1, "bending_z": 1, "torsion": 1}
    robot = rotor(DISK, modes=shapes, rotary_inertia=None, polar_inertia=1e-9)
    found = supple.campbell(robot, "spin", np.linspace(0.0, 3.0, 9), orders=[1])
    w = np.sqrt(1.0 / (2.0 * DISK))  # GJ / l over the disk's inertia about the axis
    mine = [c for c in found.crossings if "torsion" in c.mode]
    assert [(c.speed, c.whirl) for c in mine] == [(pytest.approx(w, rel=1e-3), "")]
    assert np.isnan(found.data["whirl"].sel(mode=mine[0].mode)).all()


@pytest.mark.parametrize("ratio", [1e-2, 1e-4])
@pytest.mark.parametrize("n", [1, 4, 8])
def test_damping_of_the_shaft_feeds_its_whirl_from_the_critical_speed_on(n, ratio):
    """For any number of shapes, the highest some thousand times faster than the whirl."""
    robot = rotor(1e-6, n, mass=1.0, damping={"ratio": ratio})
    w = supple.frequencies(robot, locked=True).omega[0]
    with pytest.warns(supple.SuppleWarning, match="not stable"):
        found = supple.campbell(robot, "spin", [0.5 * w, 1.5 * w], orders=[1])
    (window,) = found.unstable
    assert window.first == pytest.approx(w, rel=1e-5)


@pytest.mark.parametrize("fast", [1.0, 1e3, 1e6])
def test_damping_of_the_bearings_raises_the_threshold_by_its_share(fast):
    """Jeffcott's rotor: stable below w (1 + c_e / c_i), whatever else there is that is fast."""
    w, inner, outer = 2.0, 1e-4, 3e-4
    M = np.eye(3)

    def jeffcott(W: float) -> np.ndarray:
        turn = np.array([[0.0, -1.0], [1.0, 0.0]])
        K, C = np.zeros((2, 3, 3))
        K[:2, :2] = (w**2 - W**2) * np.eye(2) + outer * W * turn
        C[:2, :2] = (inner + outer) * np.eye(2) + 2.0 * W * turn
        K[2, 2] = fast**2
        return np.block([[np.zeros((3, 3)), M], [-K, -C]])

    limit = w * (1.0 + outer / inner)
    assert growth(jeffcott(limit * (1.0 - 1e-6)), M) == 0.0
    assert growth(jeffcott(limit * (1.0 + 1e-6)), M) > 0.0


@pytest.mark.parametrize("n", [1, 3, 6])
def test_an_undamped_round_shaft_never_grows(n):
    w = supple.frequencies(rotor(DISK, n, mass=1.0), locked=True).omega[0]
    found = supple.campbell(rotor(DISK, n, mass=1.0), "spin", np.linspace(0, 3 * w, 40), orders=[])
    assert found.unstable == ()


def test_slow_zeros_that_grow_are_unstable_beside_fast_ones():
    found = Zeros(np.array([1e-3, -1e-3, 1e5j, -1e5j]), np.zeros(0), (), ())
    assert found.stability.startswith("unstable")
    model = supple.linearise(rotor(1e-6, 8, mass=1.0, damping={"ratio": 1e-6}), None, {"spin": 2.0})
    assert model.poles().real.max() > 0.0
    assert model.stability == "unstable"
