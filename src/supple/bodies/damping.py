"""Damping of a link's shapes: by Rayleigh's factors, and by a ratio for each mode of the link
clamped at its joint with all its rigid parts (`rigid`, hub, payload) on it; links on its joints
are not part of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..types import Floats
from .beam import clean
from .body import Body
from .mass_properties import RigidPart


def modal_damping(
    body: Body, riders: Iterable[RigidPart], ratio: float, rayleigh: Sequence[float]
) -> Floats:
    """D = a M + b K + 2 zeta M V diag(w) V^T M with K V = M V diag(w^2), V^T M V = 1. M holds
    the parts that the body took in, and its riders."""
    K, (a, b) = body.K, rayleigh
    M = body.Mdd + sum((_modal_mass(body, part) for part in riders), np.zeros_like(K))
    D = a * M + b * K
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
