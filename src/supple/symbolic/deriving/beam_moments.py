"""The moments of a beam in symbols: mass on its axis, sections that turn, affine fields.

All about the beam's root, then moved to the link's origin; vectors in link axes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ...formulations.lagrange import ArmFields, Inertia, Mount
from ...robot import Link
from ...screws import skew
from ...types import Array, Floats, Scalar
from ..naming.link_facts import BeamFacts
from ..naming.link_namer import LinkNamer
from .beam import (
    frame,
    length,
    mass,
    pair_value,
    pairs,
    power,
    powers,
    scaled,
    start_of,
)

SECTION = ("rIx", "rIz", "rIy")  # int rho x^2, y^2, z^2 dA


@dataclass(frozen=True)
class AxisMoments:
    """Moments of mass on the axis, x running from the root."""

    mass: Scalar
    first: Scalar  # int rho x
    second: Scalar  # int rho x^2
    c1: Array  # (m, 3) int rho S_k
    x1: Array  # (m, 3) int rho x S_k
    c2: Array  # (m, m, 3) int rho q_kl
    x2: Array  # (m, m, 3) int rho x q_kl
    P: Array  # (m, m, 3, 3) int rho S_l S_k^T

    def __add__(self, other: AxisMoments) -> AxisMoments:
        return AxisMoments(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True)
class SectionMoments:
    """Moments of the sections with their distance y along one of the beam's directions."""

    second: Scalar  # int rho y^2
    y1: Array  # (m, 3) int rho y S_k
    y2: Array  # (m, m, 3) int rho y q_kl
    P: Array  # (m, m, 3, 3)


def beam_inertia(
    name: LinkNamer, link: Link, facts: BeamFacts, carried: AxisMoments | None = None
) -> Inertia:
    """The moments of `bodies.beam` in symbols, with a point mass that it carries."""
    _, R = frame(link)
    axis = _of_mass(name, link, facts, R)
    axis = axis if carried is None else axis + carried
    sections = [_of_sections(name, link, facts, R, k) for k in range(3)]
    n, x = len(facts.integrals.shapes), R[:, 0]
    I0 = axis.second * (np.eye(3) - np.outer(x, x))
    N0, P, Q = _outer(x, axis.x1), axis.P, _outer(x, axis.x2)
    for k, at in enumerate(sections):
        I0 = I0 + _matrix(np.eye(3) - np.outer(R[:, k], R[:, k]), at.second)
        N0, P, Q = N0 + _outer(R[:, k], at.y1), P + at.P, Q + _outer(R[:, k], at.y2)
    Mdd = np.array([[np.trace(P[j, k]) for k in range(n)] for j in range(n)], dtype=object)
    moving = _fields(axis, sections) if facts.integrals.second else ArmFields.none(n)
    c0, Mdd = scaled(x, axis.first), Mdd.reshape(n, n)
    about_root = Inertia(axis.mass, c0, axis.c1, axis.c2, I0, N0, P, Q, Mdd, moving)
    return _moved(about_root, start_of(name, link))


def _moved(body: Inertia, s: Array) -> Inertia:
    """Seen from an origin from which the old one is at s."""
    size = body.mass * (s @ s) + 2.0 * (s @ body.c0)
    outer = body.mass * np.outer(s, s) + np.outer(s, body.c0) + np.outer(body.c0, s)
    return replace(
        body,
        c0=body.mass * s + body.c0,
        I0=body.I0 + (size * np.eye(3) - outer),
        N0=body.N0 + _outer(s, body.c1),
        Q=body.Q + _outer(s, body.c2),
    )


def _fields(axis: AxisMoments, sections: list[SectionMoments]) -> ArmFields:
    """1, x from the mass centre, and y, z where sections have inertia: no two overlap."""
    along, *across = sections
    centre = axis.first / axis.mass
    x1, x2 = axis.x1 + along.y1, axis.x2 + along.y2
    second = axis.second + along.second - axis.first * centre
    found = [
        (axis.mass, axis.c1, axis.c2),
        (second, x1 - centre * axis.c1, x2 - centre * axis.c2),
        *((at.second, at.y1, at.y2) for at in across if not _is_zero(at.second)),
    ]
    weight = np.array([1.0 / size for size, _, _ in found], dtype=object)
    s, z = (np.stack([f[k] for f in found], axis=-2) for k in (1, 2))
    return ArmFields(weight, s, z)


def point_mass(mass: Scalar, x: Scalar, mount: Mount) -> AxisMoments:
    """A point mass that rides on a node at x."""
    S, first = mount.S, mass * x
    P = np.array([[mass * np.outer(a, b) for b in S] for a in S], dtype=object)
    P = P.reshape(len(S), len(S), 3, 3)
    return AxisMoments(
        mass, first, first * x, mass * S, first * S, mass * mount.S2, first * mount.S2, P
    )


def _of_mass(name: LinkNamer, link: Link, facts: BeamFacts, R: Floats) -> AxisMoments:
    beam, closed = facts.integrals, facts.closed
    m, L, n = mass(name, link, facts), length(name, link, facts), len(beam.shapes)
    first, second = _along(name, link, facts)
    c1, x1 = np.zeros((n, 3), dtype=object), np.zeros((n, 3), dtype=object)
    P = np.zeros((n, n, 3, 3), dtype=object)
    moves = [R @ shape.moves for shape in beam.shapes]
    for k, shape in enumerate(beam.shapes):
        if not np.any(shape.moves):
            continue
        what = f"shape {shape.label}"
        a = name.integral(f"a_{shape.label}_", beam.a[k], f"int phi, {what}", closed.text("a", k))
        b = name.integral(
            f"b_{shape.label}_", beam.b[k], f"int xi phi, {what}", closed.text("b", k)
        )
        c1[k], x1[k] = scaled(moves[k], m * a), scaled(moves[k], m * (L * b))
        for j in range(n):
            if np.any(beam.shapes[j].moves):
                value = pair_value(name, closed, "e", beam.e, j, k, "int phi phi")
                P[j, k] = _matrix(np.outer(moves[j], moves[k]), m * value)
    c2 = m * powers(L, 1 - beam.orders) * (pairs(name, facts, "f", beam.f, "int psi") @ R.T)
    x2 = m * powers(L, 2 - beam.orders) * (pairs(name, facts, "fx", beam.fx, "int xi psi") @ R.T)
    return AxisMoments(m, m * (L * first), m * (L * L) * second, c1, x1, c2, x2, P)


def _along(name: LinkNamer, link: Link, facts: BeamFacts) -> tuple[Scalar, Scalar]:
    first, second = facts.integrals.along
    if (first, second) == (0.5, 1.0 / 3.0):
        return first, second
    what = f"of the mass along {link.name}"
    return (
        name.integral("x_1_", first, f"int xi {what}"),
        name.integral("x_2_", second, f"int xi^2 {what}"),
    )


def _of_sections(
    name: LinkNamer, link: Link, facts: BeamFacts, R: Floats, axis: int
) -> SectionMoments:
    """The sections' own inertia along direction `axis`; they turn with the beam."""
    beam, closed = facts.integrals, facts.closed
    n = len(beam.shapes)
    y1, y2 = np.zeros((n, 3), dtype=object), np.zeros((n, n, 3), dtype=object)
    P = np.zeros((n, n, 3, 3), dtype=object)
    if beam.sections[axis] == 0.0:
        return SectionMoments(0.0, y1, y2, P)
    letter, e = "xyz"[axis], np.eye(3)[axis]
    what = f"int rho {letter}^2 dA per length, {link.name}"
    r = name.model(SECTION[axis], float(beam.sections[axis]), what)
    L, tag = length(name, link, facts), "" if closed.uniform else letter
    turns = [skew(shape.turns) for shape in beam.shapes]
    turning = [k for k in range(n) if np.any(turns[k])]
    for k in turning:
        shape = beam.shapes[k]
        value = name.integral(
            f"h{tag}_{shape.label}_",
            float(beam.h1[axis, k]),
            f"int f, shape {shape.label}",
            closed.text("h", k),
        )
        y1[k] = scaled(R @ turns[k] @ e, r * value * power(L, 1 - int(shape.bends)))
        for j in turning:
            value = pair_value(name, closed, f"h{tag}", beam.h2[axis], j, k, "int f f")
            bends = int(shape.bends) + int(beam.shapes[j].bends)
            size = r * (value * power(L, 1 - bends))
            P[j, k] = _matrix(R @ np.outer(turns[j] @ e, turns[k] @ e) @ R.T, size)
            y2[k, j] = scaled(0.5 * R @ (turns[k] @ turns[j] + turns[j] @ turns[k]) @ e, size)
    chi = pairs(name, facts, f"ch{tag}", beam.chi(axis), "int chi")
    y2 = y2 + r * powers(L, 1 - beam.orders) * (chi @ -skew(e).T @ R.T)  # chi x e
    return SectionMoments(r * L, y1, y2, P)


def _outer(direction: Array, vectors: Array) -> Array:
    """direction v^T for every vector v: (..., 3) -> (..., 3, 3)."""
    return np.asarray(np.asarray(direction)[:, None] * vectors[..., None, :])


def _matrix(pattern: Floats, size: Scalar) -> Array:
    out = np.zeros(pattern.shape, dtype=object)
    for at in zip(*np.nonzero(pattern), strict=True):
        out[at] = size * float(pattern[at])
    return out


def _is_zero(x: Scalar) -> bool:
    return isinstance(x, float) and x == 0.0
