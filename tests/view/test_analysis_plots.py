"""Bode plots, Campbell diagrams, maps, torques and energies: curves, colours, labels, blanks."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from rotors import rotor
from supple.errors import SuppleWarning
from supple.view.bode import frequencies_of


@pytest.fixture(scope="module")
def model():
    return supple.linearise(supple.load("canadarm"), {"joint2": 0.4})


def curves(axes):
    return [line for line in axes.lines if len(line.get_xdata()) > 2]


def test_a_bode_plot_has_gain_over_phase_for_each_unit(model):
    figure = model.bode(inputs=["joint1"])
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels[:2] == ["gain from joint1 [rad per N m]", "gain from joint1 [m per N m]"]
    for axes in figure.axes:
        seen = [str(line.get_color()) for line in curves(axes)]
        assert len(set(seen)) == len(seen) > 0
    assert "no damping" in figure.get_suptitle()


def test_the_default_frequencies_come_near_to_every_peak(model):
    w = frequencies_of(model)
    for pole in model.modes():
        if pole.omega:
            assert np.abs(w / pole.omega - 1).min() < 2e-5


def test_a_double_integrator_begins_at_minus_180_degrees(model):
    figure = model.bode(inputs=["joint1"], outputs=["joint1"])
    assert curves(figure.axes[1])[0].get_ydata()[0] == pytest.approx(-180)


def test_a_campbell_diagram_has_a_curve_a_mode_a_line_an_order_and_dots_where_they_meet():
    beam = {"length": 1, "mass": 1, "EI": 1, "modes": {"bending_z": 2}}
    robot = supple.build(
        {
            "gravity": [0, 0, 0],
            "links": {"blade": {"beam": beam}},
            "joints": [{"name": "hub", "type": "revolute", "child": "blade"}],
        }
    )
    found = supple.campbell(robot, "hub", [0.0, 1.0, 2.5], orders=[1, 2])
    (axes,) = found.plot().axes
    assert len(axes.lines) == 2 + 2 + 1
    (dots,) = (line for line in axes.lines if line.get_marker() == "o")
    assert len(dots.get_xdata()) == len(found.crossings) == 1
    assert {text.get_text() for text in axes.texts} == {"1x", "2x"}
    assert not axes.patches


def test_speeds_that_are_not_stable_are_a_band_of_a_campbell_diagram():
    with pytest.warns(SuppleWarning, match="not stable"):
        found = supple.campbell(rotor(), "spin", [0.0, 40.0, 80.0])
    (band,) = found.plot().axes[0].patches
    assert [band.get_x(), band.get_x() + band.get_width()] == pytest.approx(
        [found.unstable[0].first, found.unstable[0].last]
    )


def test_blank_places_of_a_map_are_counted_in_its_title():
    grid = {"x": [10.0, 14.0], "y": [0.0, 13.0]}
    found = supple.workspace_map(supple.load("canadarm"), "link3", grid, start=[0.1, 0.2, 0.1])
    figure = found.plot()
    assert f"{found.blank} of 4 places blank" in figure.get_suptitle()
    assert figure.axes[0].get_xlabel() == "x of link3, unbent [m]"
    lone = found.plot(what="stiffest")
    assert "stiffest" in lone.axes[0].get_title(loc="left")


def test_torques_and_energies_have_their_panels():
    found = supple.inverse_along(supple.load("puma"), samples=11)
    labels = [axes.get_ylabel() for axes in found.plot().axes]
    named = ["joint position [rad]", "joint rate [rad/s]", "joint torque [N m]", "motor power [W]"]
    assert labels == named
    run = supple.simulate(supple.load("puma"), [0.1] * 6, 0.02, samples=5)
    labels = [axes.get_ylabel() for axes in supple.energy_study(run).plot().axes]
    assert labels[:2] == ["motor power [W]", "energy given by the motor [J]"]
