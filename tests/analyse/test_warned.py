"""Statics says when a link bends too far or is near buckling, and when a result means nothing."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import supple
from supple.errors import SimulationError, SuppleWarning


def cantilever(joint: str = "fixed", **words: Any) -> supple.Robot:
    """L = EI = 1; the root's slope under the end force F is F / 2."""
    beam = {"length": 1.0, "mass": 1.0, "EI": 1.0, "modes": {"bending_y": 4}}
    joints = [{"name": "j", "type": joint, "child": "a"}]
    return supple.build(
        {"gravity": [0, 0, 0], "links": {"a": {"beam": beam}}, "joints": joints} | words
    )


def test_within_the_range_nothing_is_said() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = supple.statics(cantilever(), [], {"a": [0.0, 0.39, 0.0]})
    assert found.warnings == ()
    assert "warning" not in str(found)


def test_a_link_that_bends_too_far_is_warned_of_at_the_users_line() -> None:
    with pytest.warns(SuppleWarning, match=r"link a bends by a slope of 28.6 deg") as told:
        found = supple.statics(cantilever(), [], {"a": [0.0, 1.0, 0.0]})
    assert told[0].filename == __file__
    assert [str(w.message) for w in told] == list(found.warnings)
    assert f"warning: {found.warnings[0]}" in str(found)
    with pytest.warns(SuppleWarning, match="Use second_order"):
        supple.statics(cantilever(elastic_kinematics="first_order"), [], {"a": [0, 0.2, 0]})


@pytest.mark.parametrize("linear", [False, True])
def test_what_means_nothing_is_refused(linear: bool) -> None:
    with pytest.raises(SimulationError, match=r"link a of robot bends by a slope of 229 deg"):
        supple.statics(cantilever(), [], {"a": [0.0, 8.0, 0.0]}, linear=linear)


def test_the_stiffness_left_falls_to_nothing_at_eulers_load() -> None:
    """P = pi^2 EI / 4 L^2: what is left is 1 - P / P_cr of the first shape, its own."""
    euler = np.pi**2 / 4.0
    for share in (0.0, 0.5, 0.8):
        found = supple.statics(cantilever(), [], {"a": [-share * euler, 0.0, 0.0]})
        assert found.stiffness_left == pytest.approx(1.0 - share, abs=1e-5)
        assert found.warnings == ()
    with pytest.warns(SuppleWarning, match=r"near a buckling load of robot: 5 %"):
        supple.statics(cantilever(), [], {"a": [-0.95 * euler, 0.0, 0.0]})
    with pytest.warns(SuppleWarning, match=r"not stable: these loads are beyond"):
        assert not supple.statics(cantilever(), [], {"a": [-1.2 * euler, 0, 0]}).stable


@pytest.mark.filterwarnings("ignore::supple.errors.SuppleWarning")
@pytest.mark.parametrize("shapes", range(1, 7))
def test_the_stiffness_left_goes_on_through_the_buckling_load(shapes: int) -> None:
    """A straight beam loses stiffness in proportion to the load: 1 - P / P_cr, at P_cr too."""
    beam = cantilever().with_modes(shapes)
    critical = 1.0 / (1.0 - supple.statics(beam, [], {"a": [-1.0, 0.0, 0.0]}).stiffness_left)
    near = critical * (1.0 + np.array([-1e-9, -4e-16, -2e-16, 0.0, 2e-16, 4e-16, 1e-9, 0.5]))
    left = [supple.statics(beam, [], {"a": [-load, 0.0, 0.0]}).stiffness_left for load in near]
    assert left == pytest.approx(1.0 - near / critical, abs=1e-12)


def test_a_place_that_only_a_meaningless_shape_reaches_is_refused() -> None:
    """A force of 2 lifts the tip to 0.67 and a slope of 1 with the joint at 0; 0.62 needs more."""
    with pytest.warns(SuppleWarning, match="link a bends"):
        supple.reach(cantilever("revolute"), {"a": (None, 0.5, None)}, {"a": [0.0, 0.8, 0.0]})
    with pytest.raises(SimulationError, match=r"link a of robot bends"):
        supple.reach(cantilever("revolute"), {"a": (None, 0.62, None)}, {"a": [0.0, 2.0, 0.0]})


def test_a_turning_beam_that_bends_too_far_is_warned_of() -> None:
    """A beam mounted askew: turning bends it towards the plane."""
    joints = [{"name": "j", "type": "revolute", "child": "a", "axis": [0.7, 1.0, 0.0]}]
    with pytest.warns(SuppleWarning, match="link a bends"):
        supple.frequencies(cantilever(joints=joints), rates={"j": 3.0})
    slow = {"name": "j", "type": "revolute", "child": "a"}
    soft = cantilever(joints=[slow], elastic_kinematics="first_order")
    first = supple.frequencies(soft, locked=True).omega[0]
    with pytest.warns(SuppleWarning, match=r"these rates are near a buckling load"):
        supple.frequencies(soft, rates={"j": 0.99 * first})


def test_a_result_prints_on_one_page() -> None:
    found = supple.statics(supple.load("space-robot"))
    text = str(found)
    assert repr(found) == text
    assert len(text.splitlines()) < 60
    small = str(supple.statics(supple.load("piedboeuf-arm"), [0.4], {"arm.endpoint": [0, -1, 0]}))
    for word in ("piedboeuf-arm at rest", "motor", "arm.bending_y5", "arm.endpoint", "stable"):
        assert word in small
