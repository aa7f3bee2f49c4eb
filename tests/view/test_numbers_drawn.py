"""The numbers that plots draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple


def curves(axes: Any) -> dict[str, Any]:
    return {str(line.get_label()): np.asarray(line.get_ydata()) for line in axes.lines}


def drawn(figure: Any, words: str) -> Any:
    return next(axes for axes in figure.axes if words in axes.get_ylabel().replace("\n", " "))


def test_dashed_power_is_rigid_torque_times_rate() -> None:
    found = supple.inverse_along(supple.load("canadarm"), samples=21)
    axes, data = drawn(found.plot(), "motor power"), found.data
    dashed = [line for line in axes.lines if line.get_linestyle() == "--" and len(line.get_xdata())]
    for k, line in enumerate(dashed):
        power = data["rigid"].values[:, k] * data["qd"].values[:, k]
        assert np.asarray(line.get_ydata()) == pytest.approx(power)
    assert len(dashed) == 3


def test_energy_since_the_start_begins_at_nothing_and_losses_have_their_names() -> None:
    """From 3 rad/s: what is kinetic at the start is no energy since the start."""
    beam = {"length": 1.0, "mass": 1.0, "EI": 20.0, "damping": {"ratio": 0.05}}
    link = {"beam": beam | {"modes": {"bending_y": 1}}}
    joint = {"name": "hub", "type": "revolute", "child": "arm", "damping": 0.5}
    robot = supple.build({"gravity": [0, 0, 0], "links": {"arm": link}, "joints": [joint]})
    run = supple.simulate(robot, [0.5], 1.0, qd0={"hub": 3.0}, samples=401)
    for values in curves(drawn(run.plot(), "energy since the start")).values():
        assert values[0] == 0.0
    study = supple.energy_study(run)
    lost = curves(drawn(study.plot(), "energy lost"))
    assert lost["hub"][-1] == pytest.approx(study.joints[0].lost, rel=1e-3)
    assert lost["arm"][-1] == pytest.approx(study.links[0].lost, rel=1e-3)


def test_an_arrow_ends_at_the_station_and_points_where_the_load_pushes() -> None:
    beam = {"length": 1.0, "mass": 1.0, "EI": 50.0, "modes": {"bending_y": 2}}
    joint = {"name": "hub", "type": "revolute", "child": "arm"}
    words = {"gravity": [0, 0, 0], "links": {"arm": {"beam": beam}}, "joints": [joint]}
    rest = supple.statics(supple.build(words), None, {"arm.tip": [0.0, 3.0, 0.0]})
    from supple.view.statics import picture

    (arrow,) = (x for x in picture(rest).axes[0].texts if getattr(x, "arrow_patch", None))
    assert arrow.xy == pytest.approx(rest.position("arm.tip")[:2])
    assert (np.array(arrow.xy) - arrow.get_position()) @ [0.0, 1.0] > 0.0


def test_the_robot_on_a_map_ends_at_one_of_its_places() -> None:
    grid = {"x": [0.5, 0.9], "y": [0.3, 0.4]}
    found = supple.workspace_map(supple.load("lin-lewis-rr"), "link2.tip", grid, start=[0.0, 1.0])
    line = found.plot(what="sag").axes[0].lines[-1]
    x, y = line.get_xdata(), line.get_ydata()
    assert (x[0], y[0]) == pytest.approx((0.0, 0.0))
    assert np.abs(np.array(grid["x"]) - x[-1]).min() < 1e-6
    assert np.abs(np.array(grid["y"]) - y[-1]).min() < 1e-6


def test_a_mode_is_named_by_kinetic_energy_not_by_size() -> None:
    """The motor turns I/(R J) = 8 times as far as the load, with I/(R^2 J) = 0.16 of its energy."""
    from supple.view.mode_shapes import modes

    drive = {"gear_ratio": 50.0, "rotor_inertia": 1e-3, "stiffness": 500.0}
    link = {"rigid": {"mass": 0.4, "inertia": 0.4, "length": 1.0}}
    joint = {"name": "j", "type": "revolute", "child": "a", "drive": drive}
    robot = supple.build({"gravity": [0, 0, 0], "links": {"a": link}, "joints": [joint]})
    (axes,) = (x for x in modes(robot, locked=False).axes if x.get_visible())
    assert axes.get_title(loc="left").split()[-1] == "j"
