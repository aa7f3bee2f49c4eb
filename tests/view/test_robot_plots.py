"""Sticks, modes, shapes, convergence, frequencies and spectra draw what the robot does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from geared import two_mass
from shipped_robots import OPEN
from supple.view.mode_shapes import mode_slopes
from supple.view.plane import chosen_plane
from supple.view.skeleton import all_lines, skeleton
from supple.view.spectrum import amplitudes
from supple.view.stick_figures import sticks, unbent

BEAM = {"length": 1.0, "mass": 1.0, "EI": 1.0, "modes": {"bending_y": 2}}
FIRST = 3.5160152685  # (beta_1 L)^2 of a clamped-free beam


@pytest.fixture(scope="module")
def arm():
    joint = {"name": "hub", "type": "revolute", "child": "blade"}
    return supple.build(
        {"name": "arm", "gravity": [0, 0, 0], "links": {"blade": {"beam": BEAM}}, "joints": [joint]}
    )


def bent(robot, seed=0):
    rng = np.random.default_rng(seed)
    return robot.normalized(robot.home() + 0.05 * rng.normal(size=robot.nq))


@pytest.mark.parametrize("name", OPEN)
def test_lines_of_a_robot_end_where_its_stations_are(name):
    robot = supple.load(name)
    q = bent(robot)
    for line in all_lines(robot, q):
        if line.beam:
            assert line.points[-1] == pytest.approx(supple.pose(robot, q, f"{line.link}.tip").p)
    ends = np.vstack([line.points[[0, -1]] for line in skeleton(robot, q)])
    for link in robot.links:
        if "tip" in link.body.stations and link.role == "link":
            tip = supple.pose(robot, q, f"{link.name}.tip").p
            assert np.abs(ends - tip).max(axis=1).min() < 1e-9


def test_the_lines_of_a_closed_chain_close_bent_or_unbent():
    robot = supple.load("four-bar-flexible")
    q = supple.statics(robot, None, {"coupler.tip": [0.5, -1, 0]}).q
    for at in (q, unbent(robot, q)):
        tips = [line.points[-1] for line in skeleton(robot, at) if line.beam]
        assert tips[0] == pytest.approx(tips[1], abs=1e-9)


def test_a_mode_moves_the_tip_along_its_jacobian():
    robot = supple.load("canadarm-spatial")
    q = bent(robot)
    shape = supple.frequencies(robot, q, locked=True).shapes[:, 2]
    moved = [line for line in mode_slopes(robot, q, shape) if line.link == "link3" and line.beam]
    expected = supple.jacobian(robot, q, "link3.tip")[3:] @ shape
    assert moved[0].points[-1] == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_sticks_are_ghosts_in_time_over_thin_unbent_robots(arm):
    t = np.linspace(0.0, 1.0, 11)
    q = np.column_stack([t, 0.1 * t, 0.0 * t])
    figure = sticks(arm, t, q, frames=3, plane="xy")
    (axes,) = figure.axes
    thick = [x for x in axes.lines if x.get_label().endswith(" s")]
    assert [x.get_label() for x in thick] == ["0 s", "0.5 s", "1 s"]
    tip = supple.pose(arm, q[-1], "blade.tip").p
    assert thick[-1].get_xydata()[-1] == pytest.approx(tip[:2])
    thin = [x for x in axes.lines if len(x.get_xdata()) > 0 and x.get_linewidth() < 1.0]
    straight = [x.get_xydata()[-1] for x in thin if len(x.get_xdata()) > 1]
    assert any(np.allclose(end, [np.cos(1.0), np.sin(1.0)]) for end in straight)
    assert axes.get_xlabel() == "x [m]"


def test_magnified_bending_is_as_many_times_larger(arm):
    t, q = np.array([0.0, 1.0]), np.array([[0.0, 1e-4, 0.0]] * 2)
    ends = [
        sticks(arm, t, q, frames=1, magnify=times).axes[0].lines[1].get_xydata()[-1, 1]
        for times in (1.0, 20.0)
    ]
    assert ends[1] / ends[0] == pytest.approx(20.0, rel=1e-3)


@pytest.mark.parametrize("lean", [0.0, 0.7, 1.2])
def test_a_tilted_plane_is_seen_without_foreshortening(lean):
    rng = np.random.default_rng(1)
    up = [-0.8 * np.sin(lean), 0.6 * np.sin(lean), np.cos(lean)]
    flat = rng.normal(size=(20, 2)) @ np.array([[0.6, 0.8, 0.0], up])
    view = chosen_plane("auto", flat)
    gaps = np.linalg.norm(np.diff(flat, axis=0), axis=1)
    assert np.linalg.norm(np.diff(view.seen(flat), axis=0), axis=1) == pytest.approx(gaps)
    assert view.names[0] == "along (0.60, 0.80, 0.00)"
    assert (view.names[1] == "z") == (lean == 0.0)


def test_a_robot_in_space_is_seen_along_its_two_largest_ways():
    points = np.random.default_rng(1).normal(size=(9, 3)) * [1, 5, 3]
    assert chosen_plane("auto", points).names == ("y", "z")


def test_convergence_leads_to_the_clamped_beam_from_above(arm):
    upper, lower = supple.plot(arm, "convergence", count=1).axes
    hertz = upper.lines[0].get_ydata() * 2 * np.pi
    assert hertz[-1] == pytest.approx(FIRST, rel=1e-8)
    assert np.all(np.diff(hertz) < 1e-9)
    assert lower.lines[0].get_ydata()[0] == pytest.approx(hertz[0] / FIRST - 1, rel=1e-6)


def test_frequencies_over_a_joint_are_those_of_each_place():
    robot = supple.load("canadarm")
    (axes,) = supple.plot(robot, "frequency", joint="joint2", count=2).axes
    x, hertz = axes.lines[0].get_data()
    assert hertz == pytest.approx(hertz[::-1])  # the arm and its mirror image
    at = supple.frequencies(robot, [0, 0, 0, x[30], 0, 0, 0, 0, 0], locked=True)
    assert hertz[30] == pytest.approx(at.hertz[0])
    assert axes.get_xlabel() == "position of joint2 [rad]"


def test_shape_functions_are_drawn_link_by_link():
    figure = supple.plot(supple.load("canadarm"), "shapes")
    names = [axes.get_ylabel() for axes in figure.axes if axes.get_visible()]
    assert names == [f"shape of link{k}" for k in (1, 2, 3)]
    assert [x.get_label() for x in figure.axes[0].lines] == ["bending_y1", "bending_y2"]


def test_modes_are_named_by_frequency_and_by_what_moves(arm):
    first, *_ = supple.plot(arm.with_modes(5), "modes", count=2).axes
    assert first.get_title(loc="left") == f"{FIRST / 2 / np.pi:.4g} Hz, blade.bending_y1"


def test_a_spectrum_peaks_at_the_amplitude_of_a_sine():
    t = np.linspace(0.0, 10.0, 1001)
    f, size = amplitudes(t, (0.3 * np.sin(2 * np.pi * 7.0 * t) + 2.0 + 0.1 * t)[:, None])
    k = int(np.argmax(size[:, 0]))
    assert f[k] == pytest.approx(7.0, rel=1e-2)
    assert size[k, 0] == pytest.approx(0.3, rel=0.02)


@pytest.mark.parametrize(("kind", "options"), [("modes", {"free": True}), ("sticks", {})])
def test_a_robot_without_lengths_cannot_be_drawn_and_says_so(kind: str, options: Any) -> None:
    with pytest.raises(supple.InputError, match="nothing to draw"):
        supple.plot(two_mass(), kind, **options)
