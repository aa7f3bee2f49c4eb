"""The figure of a run: every curve has its colour and its panel, and no legend hides data."""

from functools import cache

import numpy as np
import pytest

import supple
from apart import overlaps
from quick_runs import quick_run
from supple.view.style import COLOURS, PAGES, colours, looks
from supple.view.turns import rotation_vectors


def chain(n):
    body = {"rigid": {"mass": 1, "com": [0.1, 0, 0], "inertia": 0.1, "tip": [0.3, 0, 0]}}
    joints = [{"type": "revolute", "child": f"l{i}", "parent": f"l{i - 1}"} for i in range(1, n)]
    slide = {"type": "prismatic", "child": "l0", "axis": [1, 0, 0]}
    links = {f"l{i}": body for i in range(n)}
    return supple.build({"name": "chain", "links": links, "joints": [slide, *joints]})


@cache
def run(name):
    robot = chain(int(name[5:])) if name.startswith("chain") else supple.load(name)
    driven = {"motor": "0.1*t**2"} if name == "piedboeuf-arm" else None
    push = None if driven else np.ones(len(robot.joint_indices))
    with quick_run():
        return supple.simulate(robot, push, 0.05, prescribed=driven, samples=4, rtol=1e-4)


@cache
def figure(name, width="screen"):
    return run(name).plot(width=width)


NAMES = ["canadarm", "space-robot", "puma", "chain14", "chain40", "piedboeuf-arm"]


def panels(name, width="screen"):
    return [axes for axes in figure(name, width).axes if axes.get_visible()]


@pytest.mark.parametrize("name", NAMES)
def test_no_two_curves_of_a_panel_look_the_same(name):
    for axes in panels(name):
        seen = [(str(line.get_color()), line.get_linestyle()) for line in axes.lines]
        assert len(set(seen)) == len(seen) > 0


@pytest.mark.parametrize("width", PAGES)
@pytest.mark.parametrize("name", NAMES)
def test_legends_and_labels_cover_no_data_nor_each_other(name, width):
    assert overlaps(figure(name, width)) == []


def labels(name):
    return {axes.get_ylabel().replace("\n", " "): axes for axes in panels(name)}


def test_torques_reactions_forces_and_turns_have_panels():
    known = {"joint angle [rad]", "joint torque [N m]", "energy since the start [J]"}
    assert set(labels("puma")) == known
    assert "reaction torque of motor [N m]" in labels("piedboeuf-arm")
    assert "joint torque [N m]" not in labels("piedboeuf-arm")
    shafts = labels("flexible-joint-arm")
    assert [len(shafts[f"{x} angle [rad]"].lines) for x in ("joint", "motor")] == [2, 2]
    slide = labels("chain14")
    assert "joint force of l0_joint [N]" in slide
    assert "joint position of l0_joint [m]" in slide
    base = labels("space-robot")["turn (rotation vector) [rad]"]
    assert [x.get_label() for x in base.lines] == [f"base about {x}" for x in "xyz"]


def test_too_many_curves_get_a_panel_a_link():
    shown = labels("space-robot")
    for link in ("left_upper", "left_fore", "right_upper", "right_fore"):
        lines = shown[f"modal amplitude of {link}"].lines
        assert [x.get_label() for x in lines][-1] == "torsion1"
    assert len(labels("chain40")["joint angle [rad]"].get_legend().get_texts()) == 12


@pytest.mark.parametrize("count", [1, len(COLOURS), 11, 14, 15, 200])
def test_colours_and_looks_differ_however_many(count):
    assert len(set(colours(count))) == len(set(looks(count))) == count


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
