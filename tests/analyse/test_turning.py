"""Robots that turn steadily: what is said of their stability and steadiness."""

from __future__ import annotations

import re
import warnings

import pytest

import supple
from rotors import rotor, rotor_growth
from supple.errors import SuppleWarning


def told(robot: supple.Robot, rates: dict[str, float]) -> list[str]:
    """What frequencies and linear models say, which is the same."""
    held = [x.joint_name for x in robot.links if x.joint.nv]
    words = []
    for asked in (
        lambda: supple.frequencies(robot, rates=rates),
        lambda: supple.linearise(robot, qd=rates, held=held, outputs=[]),
    ):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", SuppleWarning)
            asked()
        words.append([str(w.message) for w in said])
    plain = [
        re.sub("these frequencies hold|the model holds", "it holds", "|".join(x)) for x in words
    ]
    assert plain[0] == plain[1]
    return words[0]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_between_its_two_frequencies_a_rotor_is_told_to_grow_as_fast_as_it_does(share):
    """With less stiffness in one plane than centrifugal forces: no gyroscopic forces hold it."""
    w = supple.frequencies(rotor(), locked=True).omega
    speed = (1.0 - share) * w[0] + share * w[1]
    (words,) = told(rotor(), {"spin": speed})
    found = re.search(r"not stable at these rates: .* by the factor e in (\S+) s", words)
    assert found is not None
    assert 1.0 / float(found[1]) == pytest.approx(rotor_growth(w, speed), rel=6e-3)


def test_beyond_both_only_gyroscopic_forces_hold_it_until_damping_turns_with_it():
    fast = 1.2 * supple.frequencies(rotor(), locked=True).omega[1]
    (held,) = told(rotor(), {"spin": fast})
    assert "only gyroscopic forces hold it" in held
    (grows,) = told(rotor(damping={"ratio": 0.02}), {"spin": fast})
    assert "not stable at these rates" in grows
    assert not told(rotor(damping={"ratio": 0.02}), {"spin": 0.5 * fast})


def arm(axis: list[float], gravity: list[float]) -> supple.Robot:
    """A beam on a second joint, which turns about `axis`."""
    beam = {"length": 1.0, "mass": 1.0, "EI": 60.0, "modes": {"bending_y": 1, "bending_z": 1}}
    hub = {"rigid": {"mass": 1.0, "inertia": 0.1, "length": 0.3}}
    joints = [
        {"name": "j", "type": "revolute", "child": "h"},
        {"name": "k", "type": "revolute", "parent": "h", "child": "a", "axis": axis},
    ]
    links = {"h": hub, "a": {"beam": beam}}
    return supple.build({"gravity": gravity, "links": links, "joints": joints})


@pytest.mark.parametrize(
    ("axis", "gravity", "rates", "steady"),
    [
        ([0, 1, 0], [0, 0, 0], {"j": 5.0, "k": 8.0}, False),  # crossed axes
        ([0, 1, 0], [0, 0, 0], {"j": 5.0}, True),
        ([0, 0, 1], [0, -9.81, 0], {"j": 5.0}, False),  # weight in the plane of turning
        ([0, 0, 1], [0, 0, -0.1], {"j": 5.0}, True),
        ([0, 0, 1], [0, -9.81, 0], {}, True),  # at rest
    ],
)
def test_motions_that_change_their_equations_are_told_and_no_others(axis, gravity, rates, steady):
    words = told(arm(axis, gravity), rates)
    assert ["that instant alone" in x for x in words] == [True] * (not steady)
