"""Wrenches at joints and cuts, and the matrices of the papers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import supple
from loops.mechanisms import consistent, five_bar, fixed_point, four_bar, place, random_closed
from supple.joints import KINDS, Drive
from supple.loops.assembly import moved
from supple.robot import place_coordinates
from trees import random_state, tree


def freed(robot: Any, i: int, q: Any, qd: Any, qdd: Any) -> tuple[Any, ...]:
    """The robot with joint i floating, in the same motion: its forces are the joint's wrench."""
    links = list(robot.links)
    links[i] = replace(links[i], joint=KINDS["floating"](), drive=Drive())
    new = replace(robot, links=place_coordinates(links), spec=None)
    place_of, old = new.links[i], robot.links[i]
    turns = old.joint.axes == (2,)
    out = []
    for x, q_like in ((q, True), (qd, False), (qdd, False)):
        own = old.q if q_like else old.u
        value = x[own][0]
        six = np.zeros(6)
        six[2 if turns else 5] = value
        if q_like:
            half = value / 2 if turns else 0.0
            six = np.array([np.cos(half), 0, 0, np.sin(half), 0, 0, 0.0 if turns else value])
        out.append(np.concatenate([x[: own.start], six, x[own.stop :]]))
    return (new, place_of, *out)


@pytest.mark.parametrize("index", range(100, 220, 12))
def test_a_joints_wrench_is_the_force_of_the_joint_set_free(index: int) -> None:
    robot = tree(index, ("revolute", "prismatic"), ("rigid", "beam_yz", "tool"))
    q, qd, qdd = random_state(robot, np.random.default_rng(index))
    loads = {robot.links[-1].name: np.arange(6.0)}
    found = supple.joint_wrenches(robot, q, qd, qdd, loads)
    for i, link in enumerate(robot.links):
        if link.joint.axes not in ((2,), (5,)):
            continue
        new, there, *state = freed(robot, i, q, qd, qdd)
        R, _ = place(new, state[0], (i, fixed_point(link.body.m)))
        wrench = supple.inverse_dynamics(new, *state, loads)[there.u]
        world = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
        np.testing.assert_allclose(found[i], world, atol=1e-9 * (1 + np.abs(world).max()))


def momentum_rate(robot: Any, q: Any, qd: Any, qdd: Any, h: float = 1e-4) -> Any:
    """d/dt of momentum about the world's origin, of fourth order."""

    def at(s: float) -> Any:
        middle = (
            qd + 0.5 * s * qdd
        )  # the way is s qd + s^2/2 qdd, but for joints that turn in space
        return supple.momentum(robot, moved(robot, q, s * middle), qd + s * qdd)

    return (at(-2 * h) - 8 * at(-h) + 8 * at(h) - at(2 * h)) / (12 * h)


@pytest.mark.parametrize("case", ["five_bar", "four_bar", "bending"])
def test_the_grounds_wrenches_change_the_momentum(case: str) -> None:
    robot, q = {"five_bar": five_bar, "four_bar": four_bar, "bending": lambda: four_bar(True)}[
        case
    ]()
    qd, qdd = consistent(robot, q, np.random.default_rng(3))
    found = supple.joint_wrenches(robot, q, qd, qdd)
    total = np.zeros(6)
    frames = supple.recursion.link_poses(robot, q)
    for i, link in enumerate(robot.links):
        if link.parent < 0:
            n, f = found[i][:3], found[i][3:]
            total += np.concatenate([n + np.cross(frames[i].p, f), f])
    cuts = supple.cut_wrenches(robot, q, qd, qdd)
    for loop, wrench in zip(robot.loops, cuts, strict=True):
        if loop.first[0] < 0:
            _, p = place(robot, q, loop.second)
            total += np.concatenate([wrench[:3] + np.cross(p, wrench[3:]), wrench[3:]])
    weight = robot.mass * robot.gravity
    c = supple.centre_of_mass(robot, q)
    total += np.concatenate([np.cross(c, weight), weight])
    np.testing.assert_allclose(total, momentum_rate(robot, q, qd, qdd), atol=1e-7)


def test_motors_torques_are_parts_of_the_joints_wrenches() -> None:
    robot, q = five_bar()
    qd, qdd = consistent(robot, q, np.random.default_rng(3))
    found = supple.joint_wrenches(robot, q, qd, qdd)
    np.testing.assert_allclose(found[:, 2], supple.inverse_dynamics(robot, q, qd, qdd), atol=1e-11)


@pytest.mark.parametrize("index", range(50, 220, 17))
def test_the_papers_matrices_give_the_same_equations(index: int) -> None:
    robot = tree(index, ("revolute", "prismatic", "spherical"), ("rigid", "beam_y", "beam_yz"))
    q, qd, _ = random_state(robot, np.random.default_rng(index))
    at = supple.denoc(robot, q, qd)
    rotors = np.zeros(robot.nv)
    for link in robot.links:
        rotors[link.u] = link.drive.rotor_inertia
    size = 1 + np.abs(at.I).max()
    assert np.abs(at.I + np.diag(rotors) - supple.mass_matrix(robot, q)).max() < 1e-11 * size
    forces = supple.coriolis_force(robot, q, qd)
    assert np.abs(at.C @ qd - forces).max() < 1e-10 * (1 + np.abs(forces).max())
    twists = (at.N @ qd)[[k for s in _spans(robot) for k in range(s, s + 6)]].reshape(-1, 6)
    np.testing.assert_allclose(twists, supple.twists(robot, q, qd), atol=1e-11)


def _spans(robot: Any) -> list[int]:
    return [0, *np.cumsum([6 + link.body.m for link in robot.links])[:-1].tolist()]


def test_the_matrix_of_rigid_robots_is_the_papers() -> None:
    robot = tree(200, ("revolute", "prismatic"), ("rigid",))
    rng = np.random.default_rng(0)
    q, qd = rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    at = supple.denoc(robot, q, qd)
    np.testing.assert_allclose(at.gyroscopic, at.W @ at.M @ at.E, atol=1e-12)
    h = 1e-5
    N = [supple.denoc(robot, q + s * qd, qd).N for s in (-h, h)]
    np.testing.assert_allclose(at.N_dot, (N[1] - N[0]) / (2 * h), atol=1e-8)
    assert np.abs(np.triu(at.N_l, 6)).max() == 0.0


def test_constraint_forces_of_random_closed_trees_do_no_work() -> None:
    for index in range(0, 60, 2):
        case = random_closed(index, ("rigid",))
        if case is None:
            continue
        robot, q, qd, qdd = case
        found = supple.joint_wrenches(robot, q, qd, qdd)
        tau = supple.inverse_dynamics(robot, q, qd, qdd) - supple.passive_force(robot, q, qd)
        frames = supple.recursion.link_poses(robot, q)
        assert len(found) == len(frames)
        for link, wrench in zip(robot.links, found, strict=True):
            rotor = link.drive.rotor_inertia * qdd[link.u]
            R = frames[robot.index(link.name)].R @ link.frame.T
            six = np.concatenate([R.T @ wrench[:3], R.T @ wrench[3:]])
            own = six[list(link.joint.axes)] + rotor
            np.testing.assert_allclose(own, tau[link.u], atol=1e-9 * (1 + np.abs(found).max()))
