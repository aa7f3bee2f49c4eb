"""The closure of loops in symbols.

Each side of a cut is a station that its link carries like a joint. From the nearest link that
carries both, side a is at p_a, turned by R_a, side b at p_b, turned by R_b:

    closure = [c(R_a'R_b); closed components of R_a'(p_b - p_a)],   J = d closure / dq,
    gamma = d(J qd)/dq qd,      so that closed loops keep J qd = 0 and J qdd + gamma = 0

Turns about one axis add up on the way, so that cos(theta_1 + theta_2) appears as such. Nothing
here uses the recursion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...formulations.arm import Arm, ArmPart, ChildFrame, Mount, child_frame
from ...formulations.turns import Chain, PendingTurns, inverse, matrix
from ...joints import KINDS
from ...loops.closure import closed_part, tie_gap
from ...recursion.sweep import ancestry
from ...robot import Loop, Robot
from ...types import Array, Scalar
from ..naming.link_facts import facts_of_links
from ..naming.link_namer import LinkNamer
from ..naming.named_graph import NamedGraph
from .motion import directions, velocity
from .robot_in_symbols import mount_at

NOWHERE = slice(0, 0)


@dataclass(frozen=True)
class ClosureTerms:
    """closure (rows,), J (rows, nv), gamma (rows,)."""

    closure: Array
    J: Array
    gamma: Array


def closure_terms(named: NamedGraph, robot: Robot, arm: Arm, q: Array, qd: Array) -> ClosureTerms:
    """Of all loops; nothing where there are none."""
    if not robot.loops:
        return ClosureTerms(np.zeros(0), np.zeros((0, len(qd))), np.zeros(0))
    rows = _closure(named, robot, arm, q)
    moves = directions(arm.parts, q, len(qd))
    J = np.array([named.along(rows, move) for move in moves], dtype=object).T
    gamma = named.along(list(J @ qd), velocity(arm.parts, q, qd))
    return ClosureTerms(np.array(rows, dtype=object), J, np.array(gamma, dtype=object))


def _closure(named: NamedGraph, robot: Robot, arm: Arm, q: Array) -> list[Scalar]:
    frames, facts = [child_frame(arm, part, q) for part in arm.parts], facts_of_links(robot)
    rows: list[Scalar] = []
    for k, loop in enumerate(robot.loops):
        if loop.is_tie:
            rows += list(tie_gap(robot, loop, q))
            continue
        lines = [ancestry(robot.parents, i) for i, _ in (loop.first, loop.second)]
        shared = set(lines[0]) & set(lines[1])
        ways = []
        for letter, line, (i, station) in zip("ab", lines, (loop.first, loop.second), strict=True):
            name = LinkNamer(named, f"c{k + 1}{letter}")
            mount = mount_at(name, robot, i, station, f"loop {loop.name}", facts)
            end = child_frame(arm, _carried(arm, i, mount), q)
            ways.append([*(frames[n] for n in reversed(line) if n not in shared), end])
        rows += _open(loop, *ways)
    return rows


def _carried(arm: Arm, i: int, mount: Mount) -> ArmPart:
    """A station of link i, as if it were a link on a fixed joint."""
    fixed, none = KINDS["fixed"](), NOWHERE
    return replace(arm.parts[0], parent=i, mount=mount, joint=fixed, q=none, d=none, u=none, e=none)


def _open(loop: Loop, a: list[ChildFrame], b: list[ChildFrame]) -> list[Scalar]:
    """What is left open of a loop, along the ways from the link that carries both sides."""
    apart = _reach(b)
    for frame in a:  # into the axes of the first side
        apart = (apart + PendingTurns.of(-frame.r[:, None])).through(inverse(frame.chain))
    R = matrix((*inverse(_turns(a)), *_turns(b)))
    return list(closed_part(loop, R, apart.value((3, 1))[:, 0]))


def _turns(way: list[ChildFrame]) -> Chain:
    return tuple(turn for frame in way for turn in frame.chain)


def _reach(way: list[ChildFrame]) -> PendingTurns:
    """Where the way ends."""
    out = PendingTurns()
    for frame in reversed(way):
        out = out.through(frame.chain) + PendingTurns.of(frame.r[:, None])
    return out
