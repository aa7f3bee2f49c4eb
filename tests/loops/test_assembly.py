"""Loops are closed from a guess, in every way there is; or it is said which cannot, and by how
much."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from linkages import bennett, four_bar
from shipped_robots import CLOSED
from supple.loops.gaps import gaps


def rockers(crank: float) -> list[float]:
    """Freudenstein's equation: A sin c + B cos c = C."""
    x, y = 0.9 - 0.3 * np.cos(crank), -0.3 * np.sin(crank)
    C = (1.0 - x * x - y * y - 0.64) / 1.6
    at, half = np.arctan2(y, x), np.arccos(C / np.hypot(x, y))
    return [at + half, at - half]


@pytest.mark.parametrize("crank", [0.2, 1.0, 2.5, 4.0])
def test_both_ways_of_a_four_bar_are_freudensteins(crank: float) -> None:
    found = supple.assemble(supple.build(four_bar()), {"a": crank})
    ours = sorted(np.cos(q[2]) for q in found)
    assert len(found) == 2
    assert np.allclose(ours, sorted(np.cos(rockers(crank))), atol=1e-12)
    assert all(q[0] == crank for q in found)  # the motor is held


def test_the_guess_chooses_the_way_and_the_user_may_choose_another() -> None:
    up, down = (supple.build(four_bar(guess={"a": 1.0, "c": c})) for c in (1.5, -2.0))
    assert np.sin(up.home()[2]) > 0 > np.sin(down.home()[2])
    found = supple.assemble(up)
    assert np.allclose(found[0], up.home(), atol=1e-9)
    assert np.allclose(np.exp(1j * found.nearest({"c": 4.2})), np.exp(1j * down.home()), atol=1e-9)
    assert str(found).startswith("four-bar: 2 ways to close its loops with a held")


def test_assembly_finds_the_same_each_time() -> None:
    robot = supple.build(four_bar())
    once, again = supple.assemble(robot), supple.assemble(robot)
    assert all(np.array_equal(x, y) for x, y in zip(once, again, strict=True))


def test_a_loop_that_cannot_close_is_named_with_its_gap() -> None:
    with pytest.raises(supple.ModelError, match="pin stays open by 1 m and 0 rad") as error:
        supple.build(four_bar(coupler=3.0))
    (fault,) = error.value.faults
    assert fault.key == "loops.0"
    robot = supple.build(four_bar(coupler=0.35))  # reaches 1.15, and the pins are 1.2 apart
    with pytest.raises(supple.InputError, match=r"with a held: pin stays open by 0\.05 m"):
        supple.assemble(robot, {"a": np.pi})


def test_axes_that_cannot_meet_are_told_by_their_angle() -> None:
    pin = {"name": "pin", "type": "revolute", "between": ["coupler", "rocker"]}
    with pytest.raises(supple.ModelError, match=r"0 m and 3\.14 rad") as error:
        supple.build(four_bar(loops=[pin | {"second_axis": [0, 0, -1]}]))
    assert "second_axis" in error.value.faults[0].help


def test_held_joints_stay_and_the_others_give_way() -> None:
    robot = supple.build(four_bar())
    found = supple.assemble(robot, {"c": 1.6}, held=["c"])
    assert all(q[2] == 1.6 for q in found)
    assert all(max(g.distance for g in gaps(robot, q)) < 1e-13 for q in found)
    assert supple.assemble(robot, held=[]).free == 1


def test_units_do_not_matter() -> None:
    words = four_bar()
    for link in words["links"].values():
        link["rigid"]["length"] *= 1000.0
    words["joints"][2]["origin"]["xyz"] = [900.0, 0, 0]
    metres, millimetres = supple.build(four_bar()).home(), supple.build(words).home()
    assert np.allclose(metres, millimetres, atol=1e-11)


@pytest.mark.parametrize("name", CLOSED)
def test_every_shipped_robot_stands_closed(name: str) -> None:
    robot = supple.load(name)
    for gap in gaps(robot, robot.home()):
        assert gap.distance < 1e-12
        assert gap.angle < 1e-12
    fixed = supple.load(name).home()
    fixed[:] = 0.0
    assert robot.home().any()  # a copy is handed out


@pytest.mark.parametrize("name", ["four-bar-flexible", "slider-crank-flexible"])
def test_changed_robots_keep_their_loops(name: str) -> None:
    from supple.robot import without_shapes

    robot = supple.load(name)
    others = [robot.replace(gravity=[0, 0, 0]), robot.with_modes(1), without_shapes(robot)]
    others += [robot.with_parameters({robot.parameter_names[0]: 0.3})]
    for other in others:
        assert [loop.name for loop in other.loops] == [loop.name for loop in robot.loops]
        assert other.actuated == robot.actuated
        assert max(gap.distance for gap in gaps(other, other.home())) < 1e-12


def test_an_axis_may_have_other_numbers_on_the_second_side() -> None:
    words = four_bar()
    words["links"]["rocker"]["stations"] = {"bush": {"rpy": [0.4, 0.0, 0.9]}}
    words["loops"][0] |= {"between": ["coupler", "rocker.bush"]}
    with pytest.raises(supple.ModelError, match=r"stays open by \S+ m and 0\.\d+ rad"):
        supple.build(words)
    words["loops"][0] |= {"second_axis": [0.0, 2.0 * np.sin(0.4), 2.0 * np.cos(0.4)]}
    assert np.allclose(supple.build(words).home(), supple.build(four_bar()).home(), atol=1e-12)


def test_a_table_may_be_closed_on_the_world() -> None:
    rows = [{"a": a, "mass": 1.0, "com": [-a / 2, 0, 0], "inertia": 0.1} for a in (0.3, 1.0, 0.8)]
    cut = {"type": "revolute", "between": ["world", "link3"], "origin": {"xyz": [0.9, 0, 0]}}
    words = {"dh": {"convention": "standard", "rows": rows}, "loops": [cut], "actuated": ["joint1"]}
    robot = supple.build({**words, "guess": {"joint1": 1.0, "joint2": -0.5, "joint3": -1.2}})
    q, other = robot.home(), supple.build(four_bar()).home()
    assert np.allclose(q[:2], other[:2], atol=1e-12)
    assert np.allclose(q.sum(), other[2] - np.pi, atol=1e-12)  # the last link, seen from its pin


def test_a_closed_robot_tells_its_loops() -> None:
    robot = supple.build(four_bar())
    assert repr(robot) == "<Robot four-bar: 3 links, 3 coordinates of its tree, closed by 1 loop>"
    lines = str(robot).splitlines()
    assert lines[-2].split() == ["pin", "revolute", "coupler", "rocker"]
    assert lines[-1] == "  motors at: a"


def test_a_redundant_loop_with_too_few_digits_is_told_so() -> None:
    words = bennett()
    words["links"]["two"]["rigid"]["tip"][0] += 1e-5
    with pytest.raises(supple.ModelError, match="need all digits"):
        supple.build(words)
    words["loops"][0]["type"] = "spherical"
    assert supple.build(words).loops
