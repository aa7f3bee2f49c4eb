"""A body that came from finite elements, with what is to be said of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np

from ..bodies import Body, Station, turned, without_shapes
from ..elastic_kinematics import ElasticKinematics
from ..screws import skew
from ..types import Floats


@dataclass(frozen=True)
class Part:
    """A body in its own axes, its stations "root", "tip" and by name; `notes` say what its data
    lack, `checks` what was looked at, with the numbers."""

    body: Body
    source: str
    kind: str
    notes: tuple[str, ...] = ()
    checks: tuple[tuple[str, float], ...] = ()
    stiffens: bool = False  # whether products of shapes are known

    def __str__(self) -> str:
        """What was read, in a few lines."""
        facts = summary(self)
        omega = ", ".join(f"{w:.6g}" for w in facts["frequencies_clamped_rad_s"][:6])
        lines = [f"{self.source}: {self.kind}, {self.body.m} shapes, mass {self.body.mass:.6g}"]
        lines.append(f"  mass centre {[float(f'{x:.6g}') for x in facts['com']]}")
        lines += [f"  held at the root: {omega} rad/s"] if omega else []
        lines.append(f"  stations: {', '.join(self.body.stations) or 'none'}")
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


def whitening(mass: float, c0: Floats, W0: Floats) -> Floats:
    """E with E G E^T = 1 for G = int rho [1; X] [1; X]^T; directions without mass left out."""
    G = np.block([[np.full((1, 1), mass), c0[None]], [c0[:, None], W0]])
    size = np.sqrt(np.diag(G))
    size = np.where(size > 1e-9 * size[1:].max(initial=0.0), size, np.inf)
    size[0] = np.sqrt(mass)
    values, V = np.linalg.eigh(G / np.outer(size, size))
    keep = values > 1e-12
    return np.asarray((V[:, keep] / np.sqrt(values[keep])).T / size)


def shifted(body: Body, start: Floats) -> Body:
    """The body moved by `start`: X becomes X + start."""
    b, c = np.asarray(start, dtype=float), body.c0
    E = body.E.copy()
    E[:, 0] = E[:, 0] - E[:, 1:] @ b
    return body.changed(
        c0=c + body.mass * b,
        W0=body.W0 + np.outer(b, c) + np.outer(c, b) + body.mass * np.outer(b, b),
        N0=body.N0 + np.einsum("i,kj->kij", b, body.c1),
        Q=body.Q + np.einsum("i,klj->klij", b, body.c2),
        E=E,
        stations={name: replace(s, r0=s.r0 + b) for name, s in body.stations.items()},
    )


def placed(body: Body, start: Floats, R: Floats) -> Body:
    """X becomes start + R X."""
    return shifted(turned(body, R.T), start)


def anchored(body: Body, root: Station) -> Body:
    """The body seen from its root: shapes less the rigid motion that they give the root,
    S_k - phi_k - psi_k x (X - r). Products of shapes are not known then."""
    a = root.S - np.cross(root.Theta, root.r0)  # at the origin
    T = np.array([skew(psi) for psi in root.Theta]).reshape(-1, 3, 3)
    c0, W0, m = body.c0, body.W0, body.m
    H = np.einsum("li,kj->lkij", a, body.c1) + np.einsum("lij,kjn->lkin", T, body.N0)
    u = T @ c0  # psi x c0
    R = body.mass * np.einsum("li,kj->lkij", a, a) + np.einsum("li,kj->lkij", a, u)
    R = R + np.einsum("li,kj->lkij", u, a) + np.einsum("lij,jn,kmn->lkim", T, W0, T)
    P = body.P - H - H.transpose(1, 0, 3, 2) + R
    N0 = body.N0 - np.einsum("i,kj->kij", c0, a) - np.einsum("ij,knj->kin", W0, T)

    def seen(s: Station) -> Station:
        moved = s.S - a - np.cross(root.Theta, s.r0)
        return Station(s.r0, moved, s.Theta - root.Theta, s.rho, s.R0)

    return first_order(body).changed(
        c1=body.c1 - body.mass * a - u,
        N0=N0,
        P=P,
        Mdd=np.einsum("lkii->lk", P),
        Q=np.zeros((m, m, 3, 3)),
        stations={name: seen(s) for name, s in body.stations.items()},
    )


def first_order(body: Body) -> Body:
    """The body without products of shapes."""
    m = body.m
    stations = {n: Station(s.r0, s.S, s.Theta, s.rho, s.R0) for n, s in body.stations.items()}
    Q = np.zeros((m, m, 3, 3)) if len(body.E) else body.Q
    return body.changed(c2=np.zeros((m, m, 3)), Q=Q, E=np.zeros((0, 4)), stations=stations)


def of_kinematics(body: Body, how: ElasticKinematics) -> Body:
    """As much of the body as the elastic kinematics keeps."""
    if not how.bends:
        return without_shapes(body)
    return body if how.second else first_order(body)


class PartSummary(TypedDict):
    """What was read: mass, centre, inertia about it, shapes, places of stations."""

    source: str
    kind: str
    mass: float
    com: list[float]
    inertia: list[list[float]]
    shapes: int
    frequencies_clamped_rad_s: list[float]
    stations: dict[str, list[float]]
    stiffens: bool
    checks: dict[str, float]
    notes: list[str]


def summary(part: Part) -> PartSummary:
    """What was read, as plain data: mass, centre, inertia about it, shapes, stations."""
    from scipy.linalg import eigh

    body = part.body
    com = body.c0 / body.mass
    W = body.W0 - body.mass * np.outer(com, com)
    inertia = np.trace(W) * np.eye(3) - W
    omega = np.sqrt(np.maximum(eigh(body.K, body.Mdd, eigvals_only=True), 0.0)) if body.m else []
    return {
        "source": part.source,
        "kind": part.kind,
        "mass": float(body.mass),
        "com": com.tolist(),
        "inertia": inertia.tolist(),
        "shapes": body.m,
        "frequencies_clamped_rad_s": [float(w) for w in omega],
        "stations": {name: s.r0.tolist() for name, s in body.stations.items()},
        "stiffens": part.stiffens,
        "checks": dict(part.checks),
        "notes": list(part.notes),
    }
