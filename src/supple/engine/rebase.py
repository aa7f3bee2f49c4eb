"""Choose each link's shape coordinates anew, so that less is left to compute.

Any combinations of a link's shapes serve as well as the shapes themselves. With d = T d',
T chosen so that the nodes where its children sit shift and turn by 1 or 0 for each unit of d',
products with the nodes' constants fold away when the forward dynamics is traced.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..recursion import accelerations_under, passive_force
from ..robot import Link, Robot
from ..types import Array, Floats

_LEAST = 1e-3  # of a column's largest entry: what may be divided by


def forward_dynamics(robot: Robot, q: Array, qd: Array, tau: Array) -> Array:
    """The same as the recursion's, by way of other shapes."""
    bases = _bases(robot)
    other = _rebased(robot, bases)
    force = np.array(tau - passive_force(robot, q, qd))
    q, qd = np.array(q), np.array(qd)
    for link, T in zip(robot.links, bases, strict=True):
        back = _tidy(np.asarray(np.linalg.inv(T), dtype=float))
        q[link.d], qd[link.e] = back @ q[link.d], back @ qd[link.e]
        force[link.e] = T.T @ force[link.e]
    out = accelerations_under(other, q, qd, force)
    for link, T in zip(robot.links, bases, strict=True):
        out[link.e] = T @ out[link.e]
    return out


def _bases(robot: Robot) -> list[Floats]:
    """T of every link: (m, m)."""
    moves: list[list[Floats]] = [[] for _ in robot.links]
    for link in robot.links:
        if link.parent >= 0:
            moves[link.parent] += [link.mount.S, link.mount.Theta]
    return [
        _tidy(_echelon(np.hstack(found)).T) if found else np.eye(link.body.m)
        for link, found in zip(robot.links, moves, strict=True)
    ]


def _echelon(moves: Floats) -> Floats:
    """E (m, m) with E @ moves in reduced echelon form, pivots the largest there are."""
    m = len(moves)
    rows = np.hstack([moves, np.eye(m)])
    size = np.abs(moves).max(axis=0, initial=0.0)
    scale = np.where(size > 0.0, size, np.inf)
    free = list(range(m))
    while free:
        share = np.abs(rows[free, : len(size)]) / scale
        k, j = np.unravel_index(np.argmax(share), share.shape)
        if share[k, j] < _LEAST:
            break
        i = free.pop(int(k))
        rows[i] /= rows[i, j]
        others = np.arange(m) != i
        rows[others] -= np.outer(rows[others, j], rows[i])
    return rows[:, len(size) :]


def _rebased(robot: Robot, bases: list[Floats]) -> Robot:
    """The robot in its new coordinates; of its elasticity and damping nothing is kept."""
    links = []
    for link, T in zip(robot.links, bases, strict=True):
        body = link.body
        one = {name: _once(T, getattr(body, name)) for name in ("c1", "N0")}
        two = {name: _twice(T, getattr(body, name)) for name in ("c2", "P", "Q", "Mdd")}
        links.append(replace(_remounted(link, bases), body=body.changed(**one, **two)))
    return replace(robot, links=tuple(links))


def _remounted(link: Link, bases: list[Floats]) -> Link:
    if link.parent < 0:
        return link
    T, mount = bases[link.parent], link.mount
    one = {name: _once(T, getattr(mount, name)) for name in ("S", "Theta")}
    two = {name: _twice(T, getattr(mount, name)) for name in ("S2", "Theta2")}
    return replace(link, mount=replace(mount, **one, **two))


def _once(T: Floats, tensor: Floats) -> Floats:
    return _tidy(np.einsum("kK,k...->K...", T, tensor))


def _twice(T: Floats, tensor: Floats) -> Floats:
    return _tidy(np.einsum("kK,lL,kl...->KL...", T, T, tensor))


def _tidy(tensor: Floats) -> Floats:
    """Zeros and ones where only rounding keeps them from it."""
    limit = 1e-14 * np.abs(tensor).max(initial=0.0)
    out = np.where(np.abs(tensor) <= limit, 0.0, tensor)
    return np.where(np.abs(out - 1.0) <= 1e-14, 1.0, out)
