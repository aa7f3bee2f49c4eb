"""Where to cut: spanning trees of a mechanism, the one with the smallest largest solve first.

Bodies and joints are a graph; taking away as many joints as there are loops, so that a tree is
left, cuts it open. Each choice leaves other subsystems, and so other systems of equations, one
after another (`subsystems`). A cut at a joint with f freedoms brings d - f multipliers, d = 3 in
the plane and 6 in space: d is what the robot's own cuts tell. Joints with motors are not cut.
Reference: [Saha], 4.1 and Fig. 17; 4.4 for the cost O(sum n^3 / 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from ..errors import InputError
from ..robot import Robot
from .assembly import motor_links
from .rows import kept_rows
from .subsystems import Subsystem, ordered

MOST = 20_000  # choices that are looked at one by one; beyond, cuts are moved one at a time


@dataclass(frozen=True)
class Edge:
    """A joint between two bodies, -1 the world."""

    name: str
    bodies: tuple[int, int]
    freedom: int
    motor: bool


@dataclass(frozen=True)
class CutChoice:
    """Joints to cut, and the sizes of the systems that are then solved one after another."""

    cuts: tuple[str, ...]
    sizes: tuple[int, ...]

    @property
    def cost(self) -> float:
        """Multiplications of all the solves, about: sum n^3 / 3."""
        return sum(n**3 for n in self.sizes) / 3.0


def cut_choices(robot: Robot) -> list[CutChoice]:
    """Ways to cut a closed chain open that leave a determinate tree, the best first."""
    if any(loop.is_tie for loop in robot.loops):
        raise InputError(f"{robot.name} has mimic joints: where they are tied nothing can be cut")
    edges, order = _edges(robot), _order(robot)
    free = [k for k, edge in enumerate(edges) if edge.freedom and not edge.motor]
    many = comb(len(free), len(robot.loops)) > MOST
    sets = _moved(robot, edges, free) if many else combinations(free, len(robot.loops))
    found = (_choice(edges, len(robot.links), cuts, order) for cuts in sets)
    return sorted((x for x in found if x), key=lambda x: (max(x.sizes), x.cost, x.cuts))


def _edges(robot: Robot) -> list[Edge]:
    motors = motor_links(robot)
    tree = [
        Edge(link.joint_name, (link.parent, i), link.joint.nv, i in motors)
        for i, link in enumerate(robot.links)
    ]
    cut = [
        Edge(loop.name, (loop.first[0], loop.second[0]), loop.joint.nv, False)
        for loop in robot.loops
    ]
    return tree + cut


def _order(robot: Robot) -> int:
    """d: the dimension of the motions in which the loops close."""
    freedom = sum(loop.joint.nv for loop in robot.loops)
    return round((len(kept_rows(robot)) + freedom) / len(robot.loops))


def _moved(robot: Robot, edges: list[Edge], free: list[int]) -> Iterator[tuple[int, ...]]:
    """The robot's own cuts, and all that differ from them in one."""
    own = range(len(robot.links), len(edges))
    yield tuple(own)
    for gone in own:
        for new in (k for k in free if k not in own):
            yield tuple(sorted({*own, new} - {gone}))


def _choice(edges: list[Edge], links: int, cuts: tuple[int, ...], order: int) -> CutChoice | None:
    """What is solved after these cuts; None where no tree, or no determinate one, is left."""
    branch = _branches(edges, links, cuts)
    if branch is None:
        return None
    rows, at = {}, 0
    for k in cuts:
        rows[k] = tuple(range(at, at + max(order - edges[k].freedom, 0)))
        at += len(rows[k])
    parts = []
    for root in sorted(set(branch.values())):
        inside = {i for i, b in branch.items() if b == root}
        joints = [e for k, e in enumerate(edges) if k not in cuts and inside & set(e.bodies)]
        freedom = tuple(range(sum(e.freedom for e in joints)))
        motors = tuple(range(sum(e.freedom for e in joints if e.motor)))
        crossed = [k for k in cuts if inside & set(edges[k].bodies)]
        own = tuple(r for k in crossed for r in rows[k])
        parts.append(Subsystem(str(root), tuple(inside), (), freedom, own, motors))
    steps = ordered(tuple(parts))
    if steps is None:
        return None
    return CutChoice(tuple(edges[k].name for k in cuts), tuple(step.size for step in steps))


def _branches(edges: list[Edge], links: int, cuts: tuple[int, ...]) -> dict[int, int] | None:
    """The branch of every body, named by its body next to the world; None if no tree is left."""
    near: dict[int, list[int]] = {i: [] for i in range(-1, links)}
    for k, edge in enumerate(edges):
        if k not in cuts:
            a, b = edge.bodies
            near[a].append(b)
            near[b].append(a)
    branch: dict[int, int] = {}
    waiting = [(i, i) for i in near[-1]]
    while waiting:
        i, root = waiting.pop()
        if i in branch:
            return None
        branch[i] = root
        waiting += [(j, root) for j in near[i] if j != -1 and branch.get(j) != root]
    return branch if len(branch) == links else None
