"""Ties that are open, and motors behind elastic gears in closed chains."""

from __future__ import annotations

import numpy as np
import pytest

import supple


def test_a_tie_that_is_open_is_open_by_an_angle_or_by_a_length() -> None:
    from supple.loops.gaps import gaps

    for kind in ("revolute", "prismatic"):
        links = {name: {"rigid": {"mass": 1.0, "inertia": 0.1}} for name in "ab"}
        joints = [{"name": f"j{n}", "type": kind, "child": n} for n in "ab"]
        joints[1]["mimic"] = {"joint": "ja", "ratio": 2.0, "offset": 0.1}
        robot = supple.build({"links": links, "joints": joints})
        (gap,) = gaps(robot, np.array([0.3, 0.2]))
        found = (gap.distance, gap.angle) if kind == "prismatic" else (gap.angle, gap.distance)
        assert found == pytest.approx((2.0 * 0.3 + 0.1 - 0.2, 0.0))


def test_a_motor_behind_an_elastic_gear_drives_one_freedom_of_a_linkage() -> None:
    drive = {"gear_ratio": 20.0, "rotor_inertia": 5e-5, "stiffness": 300.0}
    words = dict(supple.load("five-bar").spec)
    words["joints"] = [dict(joint) for joint in words["joints"]]
    plain = supple.mobility(supple.build(words))
    words["joints"][0] |= {"drive": drive}
    geared = supple.mobility(supple.build(words))
    for name in ("motors", "driven", "rigid", "spare_motors", "undriven"):
        assert getattr(geared, name) == getattr(plain, name)
