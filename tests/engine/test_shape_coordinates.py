"""Forward dynamics by way of other shapes is that of the recursion."""

import numpy as np
import pytest

import supple
from supple import recursion
from supple.engine import shape_coordinates
from trees import BODIES, JOINTS, TREES, random_state, tree


def check(robot, q, qd, tau):
    """Equal as far as the mass matrix allows, its scales taken out."""
    with np.errstate(all="ignore"):
        found = shape_coordinates.forward_dynamics(robot, q, qd, tau)
    expected = recursion.forward_dynamics(robot, q, qd, tau)
    M = recursion.mass_matrix(robot, q)
    scale = np.sqrt(np.diag(M))
    condition = np.linalg.cond(M / np.outer(scale, scale)) if len(M) else 1.0
    gap, size = scale * (found - expected), scale * expected
    force = np.abs(tau / scale).max(initial=0.0)  # what cancels in a stiff robot
    limit = 1e-14 * condition * max(np.abs(size).max(initial=0.0), force)
    assert np.abs(gap).max(initial=0.0) <= limit + 1e-12 * np.abs(size).max(initial=0.0)


@pytest.mark.parametrize("start", [0, 1])
def test_random_trees(start):
    for seed in range(start, TREES, 2):
        robot = tree(seed, JOINTS, BODIES)
        q, qd, qdd = random_state(robot, np.random.default_rng(seed))
        check(robot, q, qd, qdd)


def arm(kinematics, modes, length=1.0, child=True, **beam):
    words = {"length": length, "mass": 1.0, "EI": 50.0, "modes": modes, **beam}
    links = {"a": {"hub": {"mass": 0.3, "inertia": 0.01}, "beam": words}}
    joints = [{"type": "revolute", "child": "a"}]
    if child:
        links["b"] = {"rigid": {"mass": 0.5, "inertia": 0.01}}
        joints.append({"type": "revolute", "child": "b", "parent": "a"})
    return supple.build({"elastic_kinematics": kinematics, "links": links, "joints": joints})


@pytest.mark.parametrize("kinematics", ["first_order", "second_order"])
@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3, 0.01, 0.1, 1.0])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_beams_a_little_aside(kinematics, angle, axis):
    rng = np.random.default_rng(0)
    rpy = [angle if i == axis else 0.0 for i in range(3)]
    for family, modes in (
        ("orthogonal", {"bending_y": 3, "bending_z": 3}),
        ("clamped_free", {"bending_y": 2, "bending_z": 1}),
        ("pinned_pinned", {"bending_y": 3}),
    ):
        robot = arm(kinematics, {"family": family, **modes}, rpy=rpy)
        check(robot, *(s * rng.normal(size=robot.nv) for s in (0.02, 0.1, 1.0)))


@pytest.mark.parametrize("kinematics", ["first_order", "second_order"])
@pytest.mark.parametrize("length", [1.0, 0.02, 1e-3])
def test_shapes_of_very_different_sizes(kinematics, length):
    rng = np.random.default_rng(0)
    robot = arm(kinematics, {"family": "polynomial", "bending_y": 4}, length, child=False)
    size = length ** np.array([0, 1, 2, 3, 4])
    check(robot, 0.01 / size, 0.1 * rng.normal(size=5) / size, rng.normal(size=5) * size)


def test_children_at_several_places():
    """Two children, of which the second moves by what the first leaves."""
    modes = {"family": "orthogonal", "bending_y": 3, "bending_z": 2, "torsion": 1}
    beam = {"length": 1.0, "mass": 1.0, "EI": 50.0, "GJ": 20.0, "polar_inertia": 1e-3}
    links = {"a": {"beam": {**beam, "modes": modes}, "stations": {"half": {"x": 0.5}}}}
    joints = [{"type": "revolute", "child": "a"}]
    for name, where in (("b", "half"), ("c", "tip"), ("d", "half")):
        links[name] = {"rigid": {"mass": 0.5, "com": [0.1, 0, 0], "inertia": 0.01}}
        joints.append({"type": "revolute", "child": name, "parent": "a", "at": where})
    robot = supple.build({"links": links, "joints": joints})
    for kinematics in ("first_order", "second_order"):
        same = robot.replace(elastic_kinematics=kinematics)
        rng = np.random.default_rng(1)
        check(same, *(s * rng.normal(size=same.nv) for s in (0.05, 0.3, 1.0)))
