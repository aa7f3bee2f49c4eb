"""The figure of a run: every curve has its colour and its panel, and no legend hides data."""

from functools import cache

import numpy as np
import pytest

import supple
from supple.view.plots import COLOURS, colours
from supple.view.turns import rotation_vectors


def chain(n):
    body = {"rigid": {"mass": 1, "com": [0.1, 0, 0], "inertia": 0.1, "tip": [0.3, 0, 0]}}
    joints = [{"type": "revolute", "child": f"l{i}", "parent": f"l{i - 1}"} for i in range(1, n)]
    slide = {"type": "prismatic", "child": "l0", "axis": [1, 0, 0]}
    links = {f"l{i}": body for i in range(n)}
    return supple.build({"name": "chain", "links": links, "joints": [slide, *joints]})


@cache
def figure(name):
    robot = chain(int(name[5:])) if name.startswith("chain") else supple.load(name)
    driven = {"motor": "0.1*t**2"} if name == "piedboeuf-arm" else None
    push = None if driven else np.ones(len(robot.joint_indices))
    out = supple.simulate(robot, push, 0.05, prescribed=driven, samples=4, rtol=1e-4).plot()
    out.draw_without_rendering()
    return out


NAMES = ["canadarm", "space-robot", "puma", "chain14", "chain40", "piedboeuf-arm"]


def panels(name):
    return [axes for axes in figure(name).axes if axes.get_visible()]


@pytest.mark.parametrize("name", NAMES)
def test_no_two_curves_of_a_panel_have_the_same_colour(name):
    for axes in panels(name):
        seen = [line.get_color() for line in axes.lines]
        assert len(set(map(str, seen))) == len(seen) > 0


@pytest.mark.parametrize("name", NAMES)
def test_legends_are_beside_the_data_and_within_the_figure(name):
    for axes in panels(name):
        legend, data = axes.get_legend().get_window_extent(), axes.get_window_extent()
        assert legend.x0 >= data.x1
        assert legend.x1 <= figure(name).bbox.x1
        others = [a.get_window_extent() for a in panels(name) if a is not axes]
        assert not any(legend.overlaps(other) for other in others)


def titles(name):
    return {axes.get_title(loc="left").partition(" (")[0]: axes for axes in panels(name)}


def test_torques_reactions_forces_and_turns_have_panels():
    assert set(titles("puma")) == {"joint angles", "torques of joints", "energy since the start"}
    assert "torques that prescribed joints need" in titles("piedboeuf-arm")
    assert "torques of joints" not in titles("piedboeuf-arm")
    shafts = titles("flexible-joint-arm")
    assert [len(shafts[x].lines) for x in ("joint angles", "motor angles")] == [2, 2]
    slide = titles("chain14")
    assert slide["forces of joints"].get_ylabel() == "N"
    assert [line.get_label() for line in slide["joint positions"].lines] == ["l0_joint"]
    base = titles("space-robot")["turns"]
    assert [x.get_label() for x in base.lines] == [f"base about {x}" for x in "xyz"]


def test_too_many_curves_get_a_panel_a_link():
    shown = titles("space-robot")
    for link in ("left_upper", "left_fore", "right_upper", "right_fore"):
        lines = shown[f"modal amplitudes: {link}"].lines
        assert [x.get_label() for x in lines][-1] == "torsion1"
    assert len(titles("chain40")["joint angles"].get_legend().get_texts()) == 12


def test_colours_differ_however_many():
    for count in (1, len(COLOURS), 11, 200):
        assert len(set(colours(count))) == count


def test_turns_are_rotation_vectors_without_jumps():
    t = np.linspace(0.0, 20.0, 400)
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    half = 0.5 * t[:, None]
    spin = np.hstack([np.cos(half), np.sin(half) * axis])  # three turns about one axis
    signs = np.where(np.arange(400) % 7 < 3, -1.0, 1.0)[:, None]  # -q is the same turn
    assert np.abs(rotation_vectors(signs * spin) - t[:, None] * axis).max() < 1e-9
    assert np.array_equal(rotation_vectors(np.array([[1.0, 0, 0, 0]])), [[0, 0, 0]])


def test_turns_give_the_rotation_back():
    from scipy.spatial.transform import Rotation

    rng = np.random.default_rng(0)
    path = Rotation.from_euler("zyx", np.cumsum(0.1 * rng.normal(size=(200, 3)), axis=0))
    x, y, z, w = path.as_quat().T
    r = rotation_vectors(np.stack([w, x, y, z], axis=1))
    assert np.abs(Rotation.from_rotvec(r).as_matrix() - path.as_matrix()).max() < 1e-12
    assert np.linalg.norm(np.diff(r, axis=0), axis=1).max() < 1.5
