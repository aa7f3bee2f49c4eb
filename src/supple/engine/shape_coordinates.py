"""Choose each link's shape coordinates anew, so that less is left to compute.

Any combinations of a link's shapes serve as well as the shapes themselves. With d = T d',
T chosen so that the nodes where its children sit shift and turn by 1 or 0 for each unit of d',
products with the nodes' constants fold away when the forward dynamics is traced.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..bodies import Body, Station
from ..loops.dynamics import accelerations_under
from ..recursion import passive_force
from ..recursion.inverse import Wrenches
from ..robot import Loop, Robot
from ..types import Array, Floats
from .base_inertia import with_base_inertia

_LEAST = 0.05  # what may be divided by, beside the body's own displacement by the shape


@dataclass(frozen=True)
class ShapeChange:
    """d = T d' of a link: (m, m), its inverse, and how its children's nodes move for d'."""

    T: Floats
    back: Floats
    moves: Floats  # (m, 6 children): S, Theta of each in turn


def forward_dynamics(
    robot: Robot, q: Array, qd: Array, tau: Array, external: Wrenches | None = None
) -> Array:
    """The same as the recursion's, by way of other shapes."""
    bases = _bases(robot)
    other = _rebased(with_base_inertia(robot), bases)
    force = np.array(tau - passive_force(robot, q, qd))
    q, qd = np.array(q), np.array(qd)
    for link, to in zip(robot.links, bases, strict=True):
        q[link.d], qd[link.e] = to.back @ q[link.d], to.back @ qd[link.e]
        force[link.e] = to.T.T @ force[link.e]
    out = accelerations_under(other, q, qd, force, external)
    for link, to in zip(robot.links, bases, strict=True):
        out[link.e] = to.T @ out[link.e]
    return out


def _bases(robot: Robot) -> list[ShapeChange]:
    moves: list[list[Floats]] = [[] for _ in robot.links]
    for link in robot.links:
        if link.parent >= 0:
            moves[link.parent] += [link.mount.S, link.mount.Theta]
    for i, station in _cuts(robot):
        moves[i] += [station.S, station.Theta]
    return [_basis(x.body, found) for x, found in zip(robot.links, moves, strict=True)]


def _cuts(robot: Robot) -> list[tuple[int, Station]]:
    """The sides of all loops that are on links."""
    return [side for x in robot.loops for side in (x.first, x.second) if side[0] >= 0]


def _basis(body: Body, moves: list[Floats]) -> ShapeChange:
    """Reduced echelon form of how the nodes move; pivots are the largest entries there are.

    A shape is measured by its mean displacement, a turn by what it does at the body's radius of
    gyration: what is small beside that may be rounding, and is nothing to divide by.
    """
    m = body.m
    if not moves or body.mass <= 0.0 or not (np.diag(body.Mdd) > 0.0).all():
        return ShapeChange(np.eye(m), np.eye(m), np.hstack([np.zeros((m, 0)), *moves]))
    radius = float(np.sqrt(np.trace(body.W0) / body.mass))
    scale = np.tile(np.repeat([1.0, radius], 3), len(moves) // 2)
    rows = np.hstack([*moves, np.eye(m)]) / np.sqrt(np.diag(body.Mdd) / body.mass)[:, None]
    free = list(range(m))
    while free:
        share = np.abs(rows[free, : len(scale)]) * scale
        k, j = np.unravel_index(np.argmax(share), share.shape)
        if share[k, j] < _LEAST:
            break
        i = free.pop(int(k))
        rows[i] /= rows[i, j]
        others = np.arange(m) != i
        rows[others] -= np.outer(rows[others, j], rows[i])
    T = rows[:, len(scale) :].T
    return ShapeChange(T, np.asarray(np.linalg.inv(T), dtype=float), rows[:, : len(scale)])


def _rebased(robot: Robot, bases: list[ShapeChange]) -> Robot:
    """The robot in its new coordinates; its elasticity and damping are not looked at again."""
    links, taken = [], [0] * len(robot.links)
    for link, to in zip(robot.links, bases, strict=True):
        body = link.body
        one = {name: _once(to.T, getattr(body, name)) for name in ("c1", "N0")}
        two = {name: _twice(to.T, getattr(body, name)) for name in ("c2", "P", "Q", "Mdd")}
        stations = {name: _changed(to.T, station) for name, station in body.stations.items()}
        new = replace(link, body=body.changed(**one, **two, stations=stations, line=None))
        if link.parent >= 0:
            at = taken[link.parent]
            taken[link.parent] += 6
            new = replace(new, mount=_remounted(link.mount, bases[link.parent], at))
        links.append(new)

    def side(i: int, station: Station) -> tuple[int, Station]:
        if i < 0:
            return i, station
        taken[i] += 6
        return i, _remounted(station, bases[i], taken[i] - 6)

    def recut(loop: Loop) -> Loop:
        return replace(loop, first=side(*loop.first), second=side(*loop.second))

    return replace(robot, links=tuple(links), loops=tuple(map(recut, robot.loops)))


def _changed(T: Floats, station: Station) -> Station:
    """A station of a link with other shapes."""
    S, Theta = _once(T, station.S), _once(T, station.Theta)
    S2, Theta2 = _twice(T, station.S2), _twice(T, station.Theta2)
    return replace(station, S=S, Theta=Theta, S2=S2, Theta2=Theta2)


def _remounted(mount: Station, to: ShapeChange, at: int) -> Station:
    return replace(
        mount,
        S=to.moves[:, at : at + 3],
        Theta=to.moves[:, at + 3 : at + 6],
        S2=_twice(to.T, mount.S2),
        Theta2=_twice(to.T, mount.Theta2),
    )


def _once(T: Floats, tensor: Floats) -> Floats:
    return np.asarray(np.einsum("kK,k...->K...", T, tensor))


def _twice(T: Floats, tensor: Floats) -> Floats:
    return np.asarray(np.einsum("kK,lL,kl...->KL...", T, T, tensor))
