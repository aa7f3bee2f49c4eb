"""Names that a model may use, though Supple uses them too."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import supple

BODY = {"rigid": {"mass": 1.0, "com": [0.1, 0.2, 0.3], "inertia": 0.1, "length": 1.0}}


def test_links_may_be_named_like_the_helpers_of_a_zyx_joint() -> None:
    joint = {"type": "spherical", "coordinates": "zyx", "child": "b"}
    names = ["b", "b_y", "b_z", "b_z_"]
    more = [{"type": "revolute", "parent": a, "child": b} for a, b in pairwise(names)]
    robot = supple.build({"links": dict.fromkeys(names, BODY), "joints": [joint, *more]})
    assert len({link.name for link in robot.links}) == len(robot.links) == 6
    q = np.zeros(robot.nq)
    places = [supple.pose(robot, q, name).p[0] for name in names]
    assert np.allclose(places, [1.0, 2.0, 3.0, 4.0])
