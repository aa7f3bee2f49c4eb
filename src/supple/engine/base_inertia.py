"""Regroup inertia that a joint hides, so that less is left to compute.

Mass points on the axis of a revolute joint move alike whether they belong to the link or to
its parent. So a link's mass, its first moment along z and a second moment along z may be
handed to the parent without changing any motion: the link's own constants become zeros,
which fold away when the recursion is traced. (Khalil and Gautier's base parameters.)
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..bodies import Body, Station
from ..robot import Link, Robot
from ..types import Floats, Scalar

TURN = (2,)  # the axes of a joint that turns about z, and nothing else


def with_base_inertia(robot: Robot) -> Robot:
    """A robot with the same equations of motion and fewer constants."""
    links = list(robot.links)
    for i in range(len(links) - 1, -1, -1):
        link = links[i]
        if link.joint.axes != TURN:
            continue
        parent = links[link.parent] if link.parent >= 0 else None
        if parent is not None and not _stands_still(parent.body, link.mount):
            continue
        mass, first, second = _hidden(link.body)
        links[i] = _less(link, mass, first)
        if parent is not None:
            links[link.parent] = _more(parent, link.mount, mass, first, second)
    return replace(robot, links=tuple(links), spec=None)


def _stands_still(body: Body, mount: Station) -> bool:
    return body.m == 0 or mount.stands_still


def _hidden(body: Body) -> tuple[Scalar, Scalar, Scalar]:
    """Mass, first and second moment along z to hand over: as much as leaves zeros.

    The second moment is chosen so that Iyy = Wxx + Wzz of what is left vanishes.
    """
    return body.mass, body.c0[2], body.W0[2, 2] + body.W0[0, 0]


def _less(link: Link, mass: Scalar, first: Scalar) -> Link:
    """What is left; of Iyy exactly nothing, not a rounding that would have to be added."""
    body = link.body
    c0, W0 = body.c0.copy(), body.W0.copy()
    c0[2] -= first
    W0[2, 2] = -W0[0, 0]
    return replace(link, body=replace(body, mass=body.mass - mass, c0=c0, W0=W0))


def _more(parent: Link, mount: Station, mass: Scalar, first: Scalar, second: Scalar) -> Link:
    body = parent.body
    p, z = mount.r0 + mount.rho, mount.R0[:, 2]
    moment: Floats = mass * p + first * z
    W = mass * np.outer(p, p) + first * (np.outer(p, z) + np.outer(z, p)) + second * np.outer(z, z)
    grown = replace(body, mass=body.mass + mass, c0=body.c0 + moment, W0=body.W0 + W)
    return replace(parent, body=grown)
