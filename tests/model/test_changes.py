"""robot.replace and robot.with_modes: a changed robot is a checked robot."""

import numpy as np
import pytest

import supple
from supple import InputError, ModelError


@pytest.fixture(scope="module")
def arm():
    return supple.load("canadarm")


def test_replace_changes_the_new_robot_only(arm):
    other = arm.replace(gravity=(0, -9.81, 0), elastic_kinematics="rigid", name="stiff")
    assert (other.nv, arm.nv, other.name) == (3, 9, "stiff")
    assert np.array_equal(other.gravity, [0, -9.81, 0])
    assert np.array_equal(arm.gravity, [0, 0, 0])


def test_replace_refuses_wrong_keys_and_values(arm):
    with pytest.raises(InputError, match=r"no key named 'gravty'.*Did you mean gravity\?"):
        arm.replace(gravty=(0, 0, 0))
    with pytest.raises(ModelError, match=r"list of three numbers, got \[0, 0\]"):
        arm.replace(gravity=(0, 0))
    with pytest.raises(ModelError, match="finite"):
        arm.replace(gravity=np.array([0, 0, np.nan]))


@pytest.mark.parametrize("count", [0, 1, 3, np.int64(4)])
def test_with_modes_sets_the_count_on_every_beam(arm, count):
    assert arm.with_modes(count).nv == 3 + 3 * count


def test_with_modes_changes_one_link(arm):
    other = arm.with_modes("link2", bending_y=1, bending_z=2)
    assert [link.body.m for link in other.links] == [2, 3, 2]
    assert arm.with_modes("link2", 5).modes == 9


@pytest.mark.parametrize(
    "family", ["orthogonal", "clamped_free", "clamped_mass", "polynomial", "finite_elements"]
)
def test_with_modes_changes_the_family_and_keeps_the_first_frequency(arm, family):
    first = supple.frequencies(arm.with_modes(3), locked=True).omega[0]
    other = supple.frequencies(arm.with_modes(3).with_modes(family=family), locked=True).omega[0]
    assert other == pytest.approx(first, rel=0.05)


def test_with_modes_refuses_wrong_names_and_counts(arm):
    with pytest.raises(InputError, match=r"no beam named 'link9'.*link1, link2, link3"):
        arm.with_modes("link9", 2)
    with pytest.raises(InputError, match=r"Did you mean bending_y\?"):
        arm.with_modes(bendin_y=2)
    with pytest.raises(ModelError, match=r"did you mean clamped_free\?"):
        arm.with_modes(family="clamped_fre")
    for bad in (-1, 61, 1.5):
        with pytest.raises(ModelError, match=f"got {bad}"):
            arm.with_modes(bad)


def test_a_robot_loaded_again_is_as_in_its_file(tmp_path):
    """Shipped texts are read once in a process, and nobody can change the robot that they make; a
    file that changes is read again."""
    robot = supple.load("canadarm")
    with pytest.raises(TypeError, match=r"read-only.*robot\.replace"):
        robot.spec["links"].clear()
    with pytest.raises(ValueError, match="read-only"):
        robot.links[0].body.stations["tip"].r0[:] = 7.0
    assert supple.load("canadarm") == robot
    file = tmp_path / "arm.yaml"
    masses = []
    for mass in (1.0, 2.0):
        words = (
            f"links: {{a: {{rigid: {{mass: {mass}}}}}}}\njoints: [{{type: prismatic, child: a}}]\n"
        )
        file.write_text(words)
        masses.append(supple.load(file).mass)
    assert masses == [1.0, 2.0]
