"""Moments and stations as they are: whether names give them, and constants where none do."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...bodies import Body, Station
from ...formulations.lagrange import ArmFields, Inertia, Mount
from ...types import Array, Floats
from ..naming.link_namer import LinkNamer
from ..naming.named_graph import NamedGraph

MOMENTS = ("mass", "c0", "c1", "c2", "I0", "N0", "P", "Q", "Mdd")
PLACE = ("r0", "S", "Theta", "S2", "Theta2")
SYMMETRIC = {"I0": 2, "Mdd": 2, "c2": 2, "Q": 2}  # leading indices that can change places


def same_inertia(named: NamedGraph, made: Inertia, body: Body) -> bool:
    """Whether the names give the moments that the recursion uses."""
    given = _numbers(body)
    pairs = [(named.numbers(getattr(made, n)), getattr(given, n)) for n in MOMENTS]
    fields = ArmFields(*(named.numbers(x) for x in vars(made.fields).values()))
    pairs += zip(_products(fields), _products(given.fields), strict=True)
    return all(_near(have, np.asarray(wanted, dtype=float)) for have, wanted in pairs)


def same_place(named: NamedGraph, made: Mount, station: Station) -> bool:
    """Whether the names give the station that the recursion uses."""
    have = [named.numbers(getattr(made, n)).ravel() for n in PLACE]
    return _near(np.concatenate(have), np.concatenate([getattr(station, n).ravel() for n in PLACE]))


def _near(have: Floats, wanted: Floats) -> bool:
    size = np.abs(wanted).max(initial=1e-300)
    return bool(np.abs(have - wanted).max(initial=0.0) <= 1e-11 * size)


def _products(fields: ArmFields) -> tuple[Floats, Floats]:
    """int rho S_k q_lm^T and int rho q_jk q_lm^T, whatever the fields' scales."""
    z = fields.z * fields.weight[:, None]
    mixed = np.einsum("kai,lmac->klmic", fields.s, z)
    return mixed, np.einsum("jkai,lmac->jklmic", fields.z, z)


def _numbers(body: Body) -> Inertia:
    I0 = np.trace(body.W0) * np.eye(3) - body.W0
    fields = ArmFields(np.ones(len(body.e)), body.s, body.z)
    return Inertia(
        body.mass, body.c0, body.c1, body.c2, I0, body.N0, body.P, body.Q, body.Mdd, fields
    )


def constant_inertia(name: LinkNamer, body: Body) -> Inertia:
    """Every moment a constant of its own."""
    numbers = _numbers(body)
    made = {n: _constants(name, n, getattr(numbers, n), SYMMETRIC.get(n, 1)) for n in MOMENTS}
    s, z = _constants(name, "s", body.s), _constants(name, "z", body.z, 2)
    mass = made.pop("mass")[()]
    return Inertia(mass=mass, **made, fields=ArmFields(numbers.fields.weight, s, z))


def constant_mount(name: LinkNamer, station: Station, rho: Array) -> Mount:
    """Every number of a station a constant of its own."""
    what = "station of the carrier:"
    return Mount(
        _constants(name, "r", station.r0, what=what),
        _constants(name, "S", station.S, what=what),
        _constants(name, "T", station.Theta, what=what),
        _constants(name, "SS", station.S2, 2, what),
        _constants(name, "TT", station.Theta2, 2, what),
        rho,
        station.R0,
    )


def _constants(
    name: LinkNamer, letter: str, X: ArrayLike, symmetric: int = 1, what: str = "moment"
) -> Array:
    """A constant for each entry; the first `symmetric` indices can change places."""
    X = np.asarray(X, dtype=float)
    out = np.zeros(X.shape, dtype=object)
    for at in np.ndindex(X.shape):
        key = (*sorted(at[:symmetric]), *at[symmetric:])
        label = "".join(str(k + 1) for k in key)
        out[at] = name.integral(f"{letter}_{label}_", float(X[key]), f"{what} {letter}")
    return out
