"""Rigid bodies: a modal body without shapes, and lumps fixed to one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..types import Floats
from .body import Body
from .line import BeamLine
from .lump import Lump
from .station import Station


def rigid_body(lumps: tuple[Lump, ...], stations: Mapping[str, Station]) -> Body:
    """The body made of these lumps, without shapes."""
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
    return with_lumps(empty, lumps)


def with_lumps(body: Body, lumps: tuple[Lump, ...]) -> Body:
    """Add lumps that stand still in the link frame (hub, rigid parts)."""
    for lump in lumps:
        body = replace(
            body,
            mass=body.mass + lump.mass,
            c0=body.c0 + lump.mass * lump.com,
            W0=body.W0 + lump.second_moment(),
        )
    return body


def with_still_payload(body: Body, lump: Lump, at: Station) -> Body:
    """Add a lump, given in a station's axes, on a station that no shape moves."""
    here = lump.moved(at.r0 + at.rho, at.R0)
    return with_lumps(replace(body, line=_carrying(body, at, here)), (here,))


def _carrying(body: Body, at: Station, lump: Lump) -> BeamLine | None:
    """The body's line, which knows of the lump where the station is on it."""
    if body.line is None or at.x is None:
        return body.line
    return body.line.carrying(at.x, lump)


def with_point_mass(body: Body, mass: float, at: Station) -> Body:
    """Add a point mass that rides on a node of the elastic line."""
    S = at.S
    return body.changed(
        mass=body.mass + mass,
        c0=body.c0 + mass * at.r0,
        c1=body.c1 + mass * S,
        c2=body.c2 + mass * at.S2,
        W0=body.W0 + mass * np.outer(at.r0, at.r0),
        N0=body.N0 + mass * np.einsum("i,kj->kij", at.r0, S),
        P=body.P + mass * np.einsum("li,kj->lkij", S, S),
        Q=body.Q + mass * np.einsum("i,lkj->lkij", at.r0, at.S2),
        Mdd=body.Mdd + mass * S @ S.T,
        E=_grown(body.E, mass, at.r0),
        line=_carrying(body, at, Lump(mass, at.r0, np.zeros((3, 3)))),
    )


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

    def vec(v: Floats) -> Floats:
        return np.asarray(v @ R)

    def mat(A: Floats) -> Floats:
        return np.asarray(R.T @ A @ R)

    def move(s: Station) -> Station:
        vectors: Any = {name: vec(getattr(s, name)) for name in Station.VECTORS}
        return replace(s, R0=R.T @ s.R0, **vectors)

    slope = body.root_slope
    return body.changed(
        c0=vec(body.c0),
        c1=vec(body.c1),
        c2=vec(body.c2),
        W0=mat(body.W0),
        N0=mat(body.N0),
        P=mat(body.P),
        Q=mat(body.Q),
        E=np.column_stack([body.E[:, 0], vec(body.E[:, 1:])]),
        stations={name: move(s) for name, s in body.stations.items()},
        root_slope=None if slope is None else vec(slope),
        line=None if body.line is None else body.line.turned(R),
    )
