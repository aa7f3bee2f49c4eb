"""Stiffness and damping of a robot's shapes, assembled from those of its bodies."""

from __future__ import annotations

import numpy as np

from ..robot import Robot
from ..types import Floats


def stiffness_matrix(robot: Robot) -> Floats:
    """K (nv, nv) of the shapes, zero for joints: their elastic force is K d."""
    return _assembled(robot, [link.body.K for link in robot.links])


def damping_matrix(robot: Robot) -> Floats:
    """D (nv, nv) of the shapes, zero for joints: their damping force is D d_dot."""
    return _assembled(robot, [link.body.D for link in robot.links])


def shape_stiffness(robot: Robot) -> Floats:
    """K of the shapes alone, in the order of `robot.mode_indices`."""
    shapes = robot.mode_indices
    return stiffness_matrix(robot)[np.ix_(shapes, shapes)]


def _assembled(robot: Robot, blocks: list[Floats]) -> Floats:
    out = np.zeros((robot.nv, robot.nv))
    for link, block in zip(robot.links, blocks, strict=True):
        out[link.e, link.e] = block
    return out
