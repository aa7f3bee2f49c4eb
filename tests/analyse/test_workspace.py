"""Maps of workspaces against statics by hand and closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from agree import assert_near
from sliders import beam_on_a_slide
from supple.analyse import compliance
from supple.errors import InputError, SuppleWarning

EI, L = 4000.0, 1.2


def arm(**changes):
    beam = {"length": L, "mass": 1.0, "EI": EI, "modes": {"bending_y": 3}}
    links = {"upper": {"rigid": {"mass": 1, "inertia": 0.1, "length": 0.8}}, "fore": {"beam": beam}}
    joints = [
        {"name": "shoulder", "type": "revolute", "child": "upper"},
        {"name": "elbow", "type": "revolute", "parent": "upper", "child": "fore"},
    ]
    words = {"name": "arm", "gravity": [0, 0, 0], "links": links, "joints": joints}
    return supple.build(words | changes)


def test_a_bending_forearm_is_a_cantilever_everywhere():
    """Square to the forearm C = L^3/3EI; along it there is none."""
    grid = {"x": np.linspace(0.5, 1.5, 3), "y": np.linspace(-0.9, 0.9, 3)}
    found = supple.workspace_map(arm(), "fore.tip", grid, start={"elbow": 1.0})
    assert found.blank == 0
    for place in found.data.stack(place=("x", "y")).place.values:
        here = found.data.sel(x=place[0], y=place[1])
        a = float(here.q.sel(coordinate="shoulder") + here.q.sel(coordinate="elbow"))
        n = np.array([-np.sin(a), np.cos(a), 0])
        assert_near(here.compliance, L**3 / (3 * EI) * np.outer(n, n), 1e-9)
        assert_near(here.unbent[:2], place, 1e-8)
    assert_near(found.data.softest, np.full((3, 3), 3 * EI / L**3), 1e-9)


def test_a_map_is_statics_place_by_place():
    robot, load = arm(gravity=[0, -9.81, 0]), [3.0, -20.0, 0.0]
    grid = {"shoulder": [-0.4, 0.3], "elbow": [0.2, 0.7, 1.1]}
    found = supple.workspace_map(robot, "fore.tip", grid, load)
    for i, a in enumerate(grid["shoulder"]):
        for j, b in enumerate(grid["elbow"]):
            rest = supple.statics(robot, [a, b], {"fore.tip": load})
            straight = supple.pose(robot, [a, b, 0, 0, 0], "fore.tip").p
            assert_near(found.data.deflection[i, j], rest.position("fore.tip") - straight, 1e-12)
            assert_near(found.data.torque[i, j], rest.tau[:2], 1e-12)
            way = np.array(load) / np.linalg.norm(load)
            C = found.data.compliance[i, j].values
            assert_near(found.data.along[i, j], 1 / (way @ C @ way), 1e-12)


@pytest.mark.parametrize("name", ["four-bar-flexible", "lin-lewis-rfr", "lin-lewis-f"])
def test_compliance_is_the_difference_quotient_of_statics(name):
    """Open and closed chains, clamped and pinned shapes."""
    robot, h = supple.load(name), 1e-4
    where = {"four-bar-flexible": "rocker.middle"}.get(name, robot.links[-1].name)
    if name == "four-bar-flexible":
        words = robot.spec["links"]["rocker"] | {"stations": {"middle": {"x": 0.2}}}
        robot = robot.replace(links=robot.spec["links"] | {"rocker": words})
    base = {where: np.array([0.1, 0.2, 0.0])}
    C = compliance(supple.statics(robot, None, base), where)
    for k, way in enumerate(np.eye(3)[:2]):
        ends = [supple.statics(robot, None, {where: base[where] + s * h * way}) for s in (1, -1)]
        moved = (ends[0].position(where) - ends[1].position(where)) / (2 * h)
        assert_near(C[:, k], moved, 1e-5, size=np.abs(C).max())


def test_places_out_of_reach_are_blank_and_counted():
    grid = {"x": np.linspace(0.0, 3.0, 7), "y": [0.1]}
    found = supple.workspace_map(arm(), "fore.tip", grid, start={"elbow": 1.0})
    reached = np.hypot(grid["x"], 0.1)
    want = (reached < 2.0) & (reached > 0.4)
    assert np.array_equal(np.isfinite(found.data.sag.values[:, 0]), want)
    assert found.blank == 7 - want.sum()
    with pytest.warns(SuppleWarning, match="no place of the map is reached"):
        supple.workspace_map(arm(), "fore.tip", {"x": [5.0, 6.0], "y": [5.0]})


def test_torques_of_a_map_are_those_of_its_motors():
    robot, told = supple.load("lin-lewis-rfr").replace(gravity=[0, -0.1, 0]), []
    first, *_, last = (x.joint_name for x in robot.links if x.joint.nv)
    grid = {first: [0.1, 0.3], last: [0.2]}
    found = supple.workspace_map(robot, robot.links[-1].name, grid, progress=told.append)
    assert told == [1.0, 2.0]
    for k, angle in enumerate(grid[first]):
        rest = supple.statics(robot, {first: angle, last: 0.2})
        for name in found.data.joint.values:
            torque = float(found.data.torque.sel(joint=name)[k, 0])
            assert torque == pytest.approx(rest.tau[robot.velocity_names.index(name)])


@pytest.mark.parametrize(("half", "seam"), [(40, False), (50, True)])
def test_a_joint_that_turns_by_more_than_a_right_angle_makes_a_seam(half, seam):
    """The shoulder by twice this, the elbow not at all."""
    x, y = 1.5 * np.cos(np.deg2rad(half)), 1.5 * np.sin(np.deg2rad(half))
    found = supple.workspace_map(arm(), "fore.tip", {"x": [x], "y": [-y, y]}, start=[-0.9, 1.0])
    assert any("posture jumps" in words for words in found.warnings) == seam


def test_a_long_slide_is_no_seam():
    found = supple.workspace_map(beam_on_a_slide(), "arm.tip", {"y": [0.0, 3.0]})
    assert found.reached == 2
    assert found.warnings == ()


def test_places_without_a_rest_are_counted_and_so_are_doubtful_ones():
    """Pushed along itself the forearm buckles; bent far off its kinematics mean nothing."""
    grid, push = {"shoulder": [0.0], "elbow": [0.0, 1.0, 2.0]}, [-2e4, 0.0, 0.0]
    with pytest.warns(SuppleWarning, match="2 places of the map without a rest"):
        found = supple.workspace_map(arm(), "fore.tip", grid, push)
    assert found.blank == 2
    assert any(words.startswith("1 warning at 3 places") for words in found.warnings)


def test_one_place_is_no_places():
    found = supple.workspace_map(beam_on_a_slide(), "arm.tip", {"y": [0.0]})
    assert str(found).splitlines()[0].endswith("at 1 of 1 place")


def test_seams_between_postures_are_told():
    """Past the base from one side to the other in one step."""
    with pytest.warns(SuppleWarning, match="the posture jumps"):
        supple.workspace_map(arm(), "fore.tip", {"x": [-1.2, 1.2], "y": [0.1]}, start=[3.0, 1.0])


def test_a_coordinate_that_is_free_is_told_and_can_be_held():
    robot = supple.load("puma")
    grid, up = {"x": [0.3, 0.5], "y": [0.3]}, [0, -0.5, 0.8, 0, 0, 0]
    with pytest.warns(SuppleWarning, match="z is free"):
        supple.workspace_map(robot, "link6", grid, start=up)
    found = supple.workspace_map(robot, "link6", grid | {"z": 0.4}, start=up)
    assert_near(found.data.unbent.sel(axis="z"), [[0.4], [0.4]], 1e-8)


@pytest.mark.parametrize(
    ("axes", "words"),
    [
        ({"u": [1, 2]}, "no axis named 'u'"),
        ({"x": [2, 1]}, "must rise"),
        ({"x": [0, 1], "elbow": [0, 1]}, "one kind"),
        ({}, "0 names"),
        ({"x": np.arange(200.0), "y": np.arange(200.0)}, "more than"),
        ([1], "mapping"),
        ({"x": ["a"]}, "finite numbers"),
    ],
)
def test_mistakes_get_one_message(axes, words):
    with pytest.raises(InputError, match=words):
        supple.workspace_map(arm(), "fore.tip", axes)
