"""Sections, slides before beams, damping of URDF files, proposed boxes, inertias as given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple


def test_a_rectangle_looks_as_it_bends() -> None:
    """int y^2 dA = A w^2 / 12 along y, the width, and A h^2 / 12 along z."""
    section = {"shape": "rectangle", "width": 0.03, "height": 0.05}
    modes = {"bending_y": 1, "bending_z": 1, "axial": 1}
    beam = {"length": 1.0, "density": 2700, "E": 7e10, "section": section, "modes": modes}
    joint = {"type": "revolute", "child": "a"}
    robot = supple.build({"links": {"a": {"beam": beam}}, "joints": [joint]})
    line = robot.links[0].body.line
    assert line is not None
    assert line.beam.outline is not None
    stiff = {name: float(of(0.5)) for name, of in line.beam.stiffness.items()}
    wide, high = 2.0 * line.beam.outline.half(np.array([0.5]))[0]
    assert 12.0 * stiff["bending_y"] / stiff["axial"] == pytest.approx(wide**2)
    assert 12.0 * stiff["bending_z"] / stiff["axial"] == pytest.approx(high**2)


def test_an_inertia_that_was_taken_as_given_is_still_a_fault_elsewhere() -> None:
    """Of no body: a moment below zero, which a file from elsewhere may have."""
    link = {"rigid": {"mass": 1.0, "inertia": [1.0, 1.0, -0.5]}}
    words = {"links": {"odd": link}, "joints": [{"type": "revolute", "child": "odd"}]}
    for _ in range(3):  # what comes again and again is kept
        supple.build(words | {"as_given": True})
    with pytest.raises(supple.ModelError, match="not positive definite"):
        supple.build(words)


def test_a_beam_on_a_slide_of_a_table_ends_where_the_link_without_it_does() -> None:
    """b of a row that slides is in its joint already."""
    row = {"joint": "prismatic", "a": 0.5, "alpha": 0.4, "b": 0.3, "theta": 0.2}
    beam = {"beam": {"mass": 1.0, "EI": 50.0, "modes": {"bending_y": 1}}}
    for convention in ("standard", "saha"):
        tips = []
        for more in ({"mass": 1.0}, beam):
            table = {"convention": convention, "rows": [row | more]}
            robot = supple.build(
                {"dh": table},
            )
            tips.append(supple.pose(robot, [0.1] + [0.0] * (robot.nq - 1), "link1.tip"))
        assert tips[1].p == pytest.approx(tips[0].p)
        assert np.abs(tips[1].R - tips[0].R).max() < 1e-12


def test_a_urdf_file_keeps_all_that_resists_in_proportion(tmp_path: Any) -> None:
    """damping 0.4 and viscous 0.3 are 0.7 there."""
    friction = {"coulomb": 0.2, "viscous": 0.3}
    joint = {"name": "j", "type": "revolute", "child": "a", "damping": 0.4, "friction": friction}
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 0.1}}}, "joints": [joint]}
    robot = supple.build(words)
    supple.write_model(robot, tmp_path / "arm.urdf")
    again = supple.load(tmp_path / "arm.urdf")
    for rate in (-2.0, 0.5):
        force = supple.passive_force(robot, [0.0], [rate])
        assert supple.passive_force(again, [0.0], [rate]) == pytest.approx(force)


def test_a_proposed_box_weighs_what_the_beam_is_to_weigh() -> None:
    """density x length x (around the walls) x wall, of a thin one."""
    from supple.model.urdf.bend import Axis
    from supple.model.urdf.propose import DENSITY, Proposal

    axis = Axis.between(np.zeros(3), np.array([0.8, 0.0, 0.0]), None)
    for widths, around in (((0.1, 0.2), 0.6), ((0.1, 0.1), 0.1 * np.pi)):
        wall = Proposal("a", axis, widths, "", 4.0).wall
        assert DENSITY * 0.8 * around * wall == pytest.approx(4.0)
