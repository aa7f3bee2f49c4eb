"""The places of a picture are those of the robot: against `supple.pose`, against the recursion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import supple
from agree import assert_near
from supple.recursion import station_pose
from supple.view.page.figure import PageFigure
from supple.view.page.places import PagePlaces
from supple.view.page.unbent import magnified_way, unbent_way
from supple.view.skeleton import all_lines
from trees import BODIES, JOINTS, tree


def somewhere(robot, count=3, size=0.1):
    rng = np.random.default_rng(1)
    q = robot.home() + size * rng.normal(size=(count, robot.nq))
    return np.array([robot.normalized(row) for row in q])


@pytest.mark.parametrize("name", supple.shipped())
def test_stations_are_where_the_recursion_has_them(name):
    robot = supple.load(name)
    places, q = PagePlaces.of(robot, 3), somewhere(robot)
    at = places.at(q)
    for i, link in enumerate(robot.links):
        for station, k in places.stations[i].items():
            pose = station_pose(robot, q[2], f"{link.name}.{station}")
            assert_near(at.p[2, k], pose.p, 1e-9)
            assert_near(at.R[2, k], pose.R, 1e-9)


@pytest.mark.parametrize("kinematics", ["second_order", "first_order", "linearized"])
def test_sections_lie_on_the_bent_axis(kinematics):
    robot = supple.load("cibicik-arm").replace(elastic_kinematics=kinematics)
    places, q = PagePlaces.of(robot, 9), somewhere(robot, 1)
    at = places.at(q)
    lines = {x.link: x.points for x in all_lines(robot, q[0], 9) if x.beam}
    for i, first in places.first.items():
        drawn = at.p[0, first : first + len(places.sections[i].x)]
        assert_near(drawn, lines[robot.links[i].name], 1e-8)


def test_the_ghost_of_a_closed_chain_is_closed_and_its_motors_are_where_they_were():
    robot = supple.load("four-bar-flexible")
    q = np.array([robot.home()] * 3)
    q[:, [k for link in robot.links for k in range(link.d.start, link.d.stop)]] = 1e-3
    still = unbent_way(robot, q)
    assert np.abs(supple.closure(robot, still[1])).max() < 1e-9
    held = [link.q for link in robot.links if link.joint_name in robot.actuated]
    motors = [k for part in held for k in range(part.start, part.stop)]
    assert_near(still[:, motors], q[:, motors], 1e-12)
    assert_near(magnified_way(robot, q, 3.0), still + 3.0 * (q - still), 1e-9)


def test_every_rod_of_a_rigid_link_ends_where_something_sits():
    figure = PageFigure.of(PagePlaces.of(supple.load("puma"), 3))
    ends = [s.r0 + s.rho for _, s in figure.places.nodes]
    rods = [x for x in figure.solids if x.form == "cylinder" and x.paint >= 0 and x.other is None]
    assert len(rods) >= 6
    for rod in rods:
        tip = rod.matrix[:, 3] + 0.5 * rod.matrix[:, 2]
        centre = figure.robot.links[rod.place].body
        near = [*ends, centre.c0 / centre.mass]
        assert min(np.linalg.norm(tip - x) for x in near) < 1e-9


def test_random_trees_of_every_joint_and_body_have_figures_and_places():
    for seed in range(6):
        robot = tree(seed, JOINTS, BODIES)
        figure = PageFigure.of(PagePlaces.of(robot, 3))
        at = figure.places.at(somewhere(robot, 2))
        assert np.isfinite(at.p).all()
        assert all(np.isfinite(x.matrix).all() for x in figure.solids)
        last = robot.links[-1].name
        k = figure.places.stations[-1]["origin"]
        pose = station_pose(robot, somewhere(robot, 2)[1], f"{last}.origin")
        assert_near(at.p[1, k], pose.p, 1e-9)


def test_a_body_that_bends_without_a_line_has_rods_that_move_with_its_nodes():
    robot = supple.load("lin-lewis-rf")
    links = [replace(x, body=replace(x.body, line=None)) for x in robot.links]
    figure = PageFigure.of(PagePlaces.of(replace(robot, links=tuple(links), spec=None)))
    i = next(i for i, link in enumerate(robot.links) if link.body.m)
    rods = [x for x in figure.solids if x.place == i and x.other is not None]
    q = somewhere(robot, 1)
    ends = figure.places.at(q).p[0, [x.other for x in rods]]
    tip = supple.pose(robot, q[0], f"{robot.links[i].name}.tip").p
    assert np.abs(ends - tip).max(axis=1).min() < 1e-9
