"""Damping of a link's shapes: by Rayleigh's factors, of the beam or part itself, and by a ratio
for each mode of the link clamped at its joint with its hub and payload on it. Links on its further
joints are not part of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..types import Floats
from .beam import clean
from .body import Body
from .mass_properties import RigidPart


def modal_damping(
    bare: Body, body: Body, riders: Iterable[RigidPart], ratio: float, rayleigh: Sequence[float]
) -> Floats:
    """D = a M_bare + b K + 2 zeta M V diag(w) V^T M with K V = M V diag(w^2), V^T M V = 1: M is
    that of the body with all parts, those that ride on it as links of their own included."""
    K, (a, b) = bare.K, rayleigh
    M = body.Mdd + sum((_modal_mass(body, part) for part in riders), np.zeros_like(K))
    D = a * bare.Mdd + b * K
    if ratio and len(K) and np.isfinite(K).all() and np.isfinite(M).all():
        from scipy.linalg import eigh

        w2, V = eigh(K, M)
        MV = M @ V
        D = D + (MV * (2.0 * ratio * np.sqrt(np.maximum(w2, 0.0)))) @ MV.T
    return clean(D)


def _modal_mass(body: Body, part: RigidPart) -> Floats:
    """(m, m) of a part on a station of the undeformed link: m v_k . v_l + theta_k . I theta_l."""
    at, of = body.stations[part.station or "root"], part.properties
    moved = at.S + np.cross(at.Theta, at.rho + at.R0 @ of.com)
    turned = at.Theta @ at.R0
    return np.asarray(of.mass * moved @ moved.T + turned @ of.inertia @ turned.T)
