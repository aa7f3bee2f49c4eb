"""Rigid bodies: a modal body without shapes, and rigid parts of any body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..types import Floats
from .beam import clean
from .body import Body
from .mass_properties import MassProperties, RigidPart
from .station import Station


def rigid_body(masses: tuple[MassProperties, ...], stations: Mapping[str, Station]) -> Body:
    """The body made of these masses, in its own axes, without shapes."""
    empty = Body(
        mass=0.0,
        c0=np.zeros(3),
        c1=np.zeros((0, 3)),
        c2=np.zeros((0, 0, 3)),
        W0=np.zeros((3, 3)),
        N0=np.zeros((0, 3, 3)),
        P=np.zeros((0, 0, 3, 3)),
        Q=np.zeros((0, 0, 3, 3)),
        Mdd=np.zeros((0, 0)),
        K=np.zeros((0, 0)),
        D=np.zeros((0, 0)),
        stations=dict(stations),
    )
    for mass in masses:
        empty = _with_still_mass(empty, mass)
    return empty


def takes_in(body: Body, part: RigidPart) -> bool:
    """Whether the body's moments can hold the part exactly: one that no shape moves, or a point
    mass on a bare node. Others ride on the body as links of their own."""
    if part.kind == "hub":
        return body.root_slope is None
    if not part.station:
        return True
    station = body.stations[part.station]
    if body.m == 0 or station.stands_still:
        return True
    return not any(map(np.any, (part.properties.inertia, part.properties.com, station.rho)))


def with_part(body: Body, part: RigidPart) -> Body:
    """The body with a part that it takes in, before it is turned."""
    body = replace(body, parts=(*body.parts, part))
    if not part.station:
        return _with_still_mass(body, part.properties)
    station = body.stations[part.station]
    if body.m == 0 or station.stands_still:
        here = part.properties.moved(station.r0 + station.rho, station.R0)
        return _with_still_mass(body, here)
    return _with_point_mass(body, part.properties.mass, station)


def _with_still_mass(body: Body, mass: MassProperties) -> Body:
    """Add a mass that stands still in the link frame."""
    return replace(
        body,
        mass=body.mass + mass.mass,
        c0=body.c0 + mass.mass * mass.com,
        W0=body.W0 + mass.second_moment(),
    )


def _with_point_mass(body: Body, mass: float, station: Station) -> Body:
    """Add a point mass that rides on a node of the elastic line."""
    S = station.S
    return body.changed(
        mass=body.mass + mass,
        c0=body.c0 + mass * station.r0,
        c1=body.c1 + mass * S,
        c2=body.c2 + mass * station.S2,
        W0=body.W0 + mass * np.outer(station.r0, station.r0),
        N0=body.N0 + mass * np.einsum("i,kj->kij", station.r0, S),
        P=body.P + mass * np.einsum("li,kj->lkij", S, S),
        Q=body.Q + mass * np.einsum("i,lkj->lkij", station.r0, station.S2),
        Mdd=body.Mdd + mass * S @ S.T,
        E=_grown(body.E, mass, station.r0),
    )


def modal_damping(
    bare: Body, body: Body, riders: Iterable[RigidPart], ratio: float, rayleigh: Sequence[float]
) -> Floats:
    """D = a M_bare + b K + 2 zeta M V diag(w) V^T M, K V = M V diag(w^2), V^T M V = 1: of the link
    clamped at its joint. M has all its parts, those that ride on it included."""
    K, (a, b) = bare.K, rayleigh
    M = body.Mdd
    for part in riders:  # m v_k . v_l + theta_k . I theta_l
        at, of = body.stations[part.station or "root"], part.properties
        moved, turns = at.S + np.cross(at.Theta, at.rho + at.R0 @ of.com), at.Theta @ at.R0
        M = M + of.mass * moved @ moved.T + turns @ of.inertia @ turns.T
    D = a * bare.Mdd + b * K
    if ratio and len(K) and np.isfinite(K).all() and np.isfinite(M).all():
        from scipy.linalg import eigh

        w2, V = eigh(K, M)
        MV = M @ V
        D = D + (MV * (2.0 * ratio * np.sqrt(np.maximum(w2, 0.0)))) @ MV.T
    return clean(D)


def without_shapes(body: Body) -> Body:
    """The body that does not bend: the same mass, in its undeformed shape."""
    stations = {name: still(station) for name, station in body.stations.items()}
    rigid = rigid_body((), stations)
    return replace(rigid, mass=body.mass, c0=body.c0, W0=body.W0)


def still(station: Station) -> Station:
    """The station of a body that does not bend."""
    none = np.zeros((0, 3))
    return Station(station.r0, none, none, station.rho, station.R0, x=station.x)


def _grown(E: Floats, mass: float, r0: Floats) -> Floats:
    """E for the fields (1, X) when a mass at r0 joins: E'^T E' = (G + mass v v^T)^-1, v = (1, r0).

    With u = E v: E' = (1 - g u u^T) E, g = (1 - 1/sqrt(1 + mass u.u)) / u.u.
    """
    u = E @ np.array([1.0, *r0])
    uu = float(u @ u)
    if uu == 0.0:
        return E
    g = (1.0 - 1.0 / np.sqrt(1.0 + mass * uu)) / uu
    return np.asarray(E - g * np.outer(u, u @ E))


def turned(body: Body, R: Floats) -> Body:
    """The body seen from axes turned by R: vectors become R^T v."""

    def move(s: Station) -> Station:
        vectors: Any = {name: getattr(s, name) @ R for name in Station.VECTORS}
        return replace(s, R0=R.T @ s.R0, **vectors)

    slope = body.root_slope
    return body.changed(
        **{name: getattr(body, name) @ R for name in ("c0", "c1", "c2")},
        **{name: R.T @ getattr(body, name) @ R for name in ("W0", "N0", "P", "Q")},
        E=np.column_stack([body.E[:, 0], body.E[:, 1:] @ R]),
        stations={name: move(s) for name, s in body.stations.items()},
        root_slope=None if slope is None else slope @ R,
        line=None if body.line is None else body.line.turned(R),
    )
