"""Which robots may be computed in the axes of the world."""

from __future__ import annotations

import numpy as np

from ...robot import Robot
from .emit import Tree

LOSS = 1e-11  # relative, of the inertia of a link about its joint, that may be lost at most
SLIDE = 1.0  # m: how far a slide without stops is thought to go


def suits(robot: Robot) -> bool:
    """Whether all links are rigid, sit on joints of one coordinate, are listed branch by branch,
    and none is so small and so far away that its inertia about a distant point loses its digits:
    a link of radius rho at a distance x loses a factor of (x / rho)^2."""
    simple = all(x.body.m == 0 and x.joint.kind in KINDS for x in robot.links)
    if not (simple and robot.links) or robot.gears or robot.loops:
        return False
    return _by_branches(robot.parents) and _loss(robot) <= LOSS


KINDS = ("revolute", "prismatic")


def _by_branches(parents: tuple[int, ...]) -> bool:
    open_links: list[int] = []
    for i, p in enumerate(parents):
        while open_links and open_links[-1] != p:
            open_links.pop()
        if p >= 0 and not open_links:
            return False
        open_links.append(i)
    return True


def tree_of(robot: Robot) -> Tree:
    n = len(robot.links)
    ends = [i + 1 for i in range(n)]
    for i in range(n - 1, -1, -1):
        p = robot.parents[i]
        if p >= 0:
            ends[p] = max(ends[p], ends[i])
    away = [_far(robot, i) for i in range(n)]
    return Tree(robot.parents, tuple(ends), int(np.argmin(away)))


def _steps(robot: Robot) -> list[float]:
    """How far each joint may be from its parent's."""
    out = []
    for link in robot.links:
        far = float(np.linalg.norm(link.mount.r0 + link.mount.rho))
        if link.joint.kind == "prismatic":
            ends = [abs(x) for x in (link.drive.lower, link.drive.upper) if np.isfinite(x)]
            far += max(ends, default=SLIDE)
        out.append(far)
    return out


def _far(robot: Robot, i: int) -> float:
    """How far the farthest joint may be from that of link i."""
    steps, distance = _steps(robot), {i: 0.0}
    j = i
    while robot.parents[j] >= 0:
        distance[robot.parents[j]] = distance[j] + steps[j]
        j = robot.parents[j]
    for k, p in enumerate(robot.parents):
        if k not in distance:
            start = distance[p] if p >= 0 else distance[j] + steps[j]
            distance[k] = start + steps[k]
    return max(distance.values())


def _loss(robot: Robot) -> float:
    far = min(_far(robot, i) for i in range(len(robot.links)))
    radii = [
        (link.body.W0[0, 0] + link.body.W0[1, 1]) / link.body.mass
        for link in robot.links
        if link.body.mass > 0.0 and link.joint.kind == "revolute"
    ]
    least = min(radii, default=1.0)
    return float(np.finfo(float).eps * far**2 / least) if least > 0.0 else np.inf
