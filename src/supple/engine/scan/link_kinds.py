"""Links of a kind: those whose steps are the same code with other numbers.

A long chain has a few kinds (the first link, those in between, the last). One link stands for
each; what is the same in all links of its kind stays a number and folds, what differs becomes
a column of a table.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from ...robot import Link, Robot, place_coordinates
from ...screws import FullRotation
from ...screws.dual import Dual
from ...tracer import Expression
from ...types import Scalar
from ..robot_constants import DRIVE, link_constants


@dataclass(frozen=True)
class LinkKind:
    """Which links, which kinds their parents are (empty: the world), how many children."""

    members: tuple[int, ...]
    parents: tuple[int, ...]
    children: int


def sort_links(robot: Robot, alone: frozenset[int]) -> list[LinkKind]:
    """The kinds of the robot's links; those in `alone` are a kind each."""
    children = [0] * len(robot.links)
    for link in robot.links:
        if link.parent >= 0:
            children[link.parent] += 1
    groups: dict[Hashable, list[int]] = {}
    for i, link in enumerate(robot.links):
        groups.setdefault((_key(robot, link, children[i]), i in alone and i), []).append(i)
    number = {i: k for k, members in enumerate(groups.values()) for i in members}
    out = []
    for members in groups.values():
        parents = {number[robot.links[i].parent] for i in members if robot.links[i].parent >= 0}
        out.append(LinkKind(tuple(members), tuple(sorted(parents)), children[members[0]]))
    return out


def _key(robot: Robot, link: Link, children: int) -> tuple[Hashable, ...]:
    """What decides the code of a step: kinds of joints, numbers of shapes, what is absent."""
    up = robot.links[link.parent] if link.parent >= 0 else None
    factors = link.mount.fixed_turn.factors
    turns = (
        tuple((type(f), getattr(f, "k", 0)) for f in factors)
        if len(factors) < 2
        else (FullRotation, 0)
    )
    absent = tuple(_is_zero(getattr(link.drive, n)) for n in DRIVE)
    changing = tuple(is_changing(x) for x in link_constants(link))
    return (
        link.joint.kind,
        link.body.m,
        None if up is None else (up.joint.kind, up.body.m),
        children,
        turns,
        all(_is_zero(x) for x in link.mount.rho),
        link.mount.turn_axes,
        absent,
        changing if any(changing) else (),
    )


def is_changing(x: Scalar) -> bool:
    """Whether a constant is an expression of parameters."""
    return isinstance(x, Expression | Dual)


def _is_zero(x: Scalar) -> bool:
    return not is_changing(x) and x == 0.0


@dataclass(frozen=True)
class ConstantTable:
    """Constants of one kind: a number, or (column, sign) of its table for each place."""

    places: list[float | tuple[int, int]]
    table: list[list[Scalar]]  # column by column, one entry a member

    @classmethod
    def of(cls, links: list[Link]) -> ConstantTable:
        rows = [link_constants(link) for link in links]
        places: list[float | tuple[int, int]] = []
        table: list[list[Scalar]] = []
        known: dict[tuple[Hashable, ...], tuple[int, int]] = {}
        for column in zip(*rows, strict=True):
            words = tuple(_word(x) for x in column)
            if all(w == words[0] for w in words) and not is_changing(column[0]):
                places.append(float(column[0]))
                continue
            if words not in known:
                known[words] = (len(table), 1)
                # its negative is in the table too
                known.setdefault(tuple(_word(-x) for x in column), (len(table), -1))
                table.append(list(column))
            places.append(known[words])
        return cls(places, table)

    def values(self, symbols: Mapping[int, Scalar]) -> list[Scalar]:
        """The constants with a symbol for every column."""
        return [
            p if isinstance(p, float) else (symbols[p[0]] if p[1] > 0 else -symbols[p[0]])
            for p in self.places
        ]


def _word(x: Scalar) -> Hashable:
    if isinstance(x, Dual):
        return ("dual", _word(x.a), _word(x.b))
    return ("node", x.number) if isinstance(x, Expression) else float(x)


def pattern_links(robot: Robot, kinds: list[LinkKind]) -> tuple[Link, ...]:
    """One link for each kind, then the parent of each that has one, numbered anew."""
    first = [robot.links[kind.members[0]] for kind in kinds]
    out: list[Link] = []
    ups: list[Link] = []
    for link in first:
        up = -1
        if link.parent >= 0:
            up = len(kinds) + len(ups)
            ups.append(replace(robot.links[link.parent], parent=-1))
        out.append(replace(link, parent=up))
    return place_coordinates([*out, *ups])
