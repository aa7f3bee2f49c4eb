"""Standard Input Data <-> the moments of a modal body.

With r = X + S_k d_k + 1/2 q_kl d_k d_l and moments as in `bodies.body`:

    mdCM   c0;  c1                                  J      J0;  2 tr(N0_k) 1 - N0_k - N0_k^T
    Ct     c1;  c2                                  Cr     int X x S_k;  int S_l x S_k + X x q_kl
    Me     Mdd                                      Gr     -2 int X~ S_k~
    Ge_l   2 int S_l x S_k                          Oe     of w~ w~: N0_k;  P_lk + Q_kl
    phi    S;  S2                                   psi    Theta;  J_R1 (`truncated_kinematics`)

Oe holds, for a symmetric A, the factors of wx^2, wy^2, wz^2, wx wy, wy wz, wx wz in
w^T (A - tr(A) 1) w; some programs write wx wz before wy wz: J, which says the same, tells. Oe
knows P and Q only together. `Pe` parts them; where it is missing, q is the smallest affine field
that explains c2, X x q and the trace (that of P is Me): what it leaves open is of third order.
Reference: [Wallrapp]; Schwertassek and Wallrapp, Dynamik flexibler Mehrkoerpersysteme, ch. 6.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np

from ..bodies import Body, Station, rigid_body
from ..bodies.body import field_places
from ..errors import Fault, ModelError
from ..screws import axial, skew
from ..types import Floats
from .part import Part, whitening
from .sid import SYMMETRIC, Sid, SidNode, Taylor

PAIRS = ((0, 1), (1, 2), (0, 2))
LOOSE = 1e-5  # relative: files have six digits or more


def body_of_sid(sid: Sid) -> Part:
    """The body of a file, in its own axes; stations by node, and "root" and "tip": the first and
    the last of them."""
    notes: list[str] = []
    J = sid.parts["J"]
    c0, J0 = sid.parts["mdCM"].M0[:, 0], 0.5 * (J.M0 + J.M0.T)
    W0 = 0.5 * np.trace(J0) * np.eye(3) - J0
    _physical(sid, c0, J0)
    stations = {name: _station(node, sid.m) for name, node in _names(sid)}
    if sid.m == 0:
        rigid = replace(rigid_body((), stations), mass=sid.mass, c0=c0, W0=W0)
        return Part(rigid, sid.source, "SID")
    c1, c2 = _first_moments(sid, notes)
    N0 = _crossed(sid, notes)
    V, turn = _turning(sid, notes)
    both = _centrifugal(sid, N0, notes)  # sym(P_lk + Q_kl)
    Me, K = sid.parts["Me"].M0, sid.parts["Ke"].M0
    _elastic(sid, Me, K)
    D = sid.parts["De"].M0 if "De" in sid.parts else np.zeros_like(K)
    E = sid.parts["Ee"].M0 if "Ee" in sid.parts else whitening(sid.mass, c0, W0)
    P, Q = _parted(sid, _Known(E, c2, turn, both, Me), V)
    stiff = _beyond(c2, c1) or _beyond(turn, V, Q)  # products of shapes are more than rounding
    if not stiff and "Ee" not in sid.parts:
        E = np.zeros((0, 4))
        P, Q = P + _sym(Q), Q - _sym(Q)
        notes.append("geometric stiffening is missing: Ct, Cr and Oe hold none")
    body = Body(
        *(sid.mass, c0, c1, c2, W0, N0, P, Q),
        Mdd=np.einsum("lkii->lk", P),
        K=0.5 * (K + K.T),
        D=0.5 * (D + D.T),
        stations=stations,
        shape_names=tuple(f"mode{k + 1}" for k in range(sid.m)),
        E=E,
    )
    return Part(body, sid.source, "SID", tuple(notes), _checks(sid, body), stiff or bool(len(E)))


def _beyond(A: Floats, *sizes: Floats) -> bool:
    """Whether A is more than the rounding of a file with these moments."""
    return bool(np.abs(A).max() > LOOSE * max(*(np.abs(x).max() for x in sizes), 1e-300))


def _stop(sid: Sid, message: str, help: str = "") -> NoReturn:
    raise ModelError([Fault(message, help=help)], sid.source)


def _series(sid: Sid, name: str) -> Taylor:
    return sid.parts.get(name) or Taylor(0, 0)


def _names(sid: Sid) -> list[tuple[str, SidNode]]:
    named = [(f"node{node.id}".replace(" ", "_").replace(".", "_"), node) for node in sid.nodes]
    if sid.nodes:
        named += [("root", sid.nodes[0]), ("tip", sid.nodes[-1])]
    return named


def _physical(sid: Sid, c0: Floats, J0: Floats) -> None:
    """The inertia about the mass centre must be one that a body can have."""
    c = c0 / sid.mass
    about = J0 - sid.mass * (c @ c * np.eye(3) - np.outer(c, c))
    values = np.asarray(np.linalg.eigvalsh(about), dtype=float)
    if values[0] < -1e-6 * max(abs(values[-1]), np.abs(J0).max(), 1e-300):
        _stop(
            sid,
            f"the inertia about the mass centre {_words(c)} is not positive definite (principal "
            f"moments {_words(values)})",
            "J is taken about the origin of the body's frame, mdCM is mass times centre",
        )


def _elastic(sid: Sid, Me: Floats, K: Floats) -> None:
    for name, A, least in (("Me", Me, 1e-14), ("Ke", K, -1e-8)):
        size = max(np.abs(A).max(), 1e-300)
        skewness = np.abs(A - A.T).max() / size
        if skewness > LOOSE:
            _stop(sid, f"{name} is not symmetric: its halves differ by {skewness:.2g} of its size")
        d = np.sqrt(np.abs(np.diag(A)))
        low = float(np.linalg.eigvalsh(0.5 * (A + A.T) / np.outer(d + 1e-300, d + 1e-300))[0])
        if low < least or (name == "Me" and not (d > 0).all()):
            _stop(sid, f"{name} is not positive definite (smallest scaled eigenvalue {low:.3g})")


def _words(v: Floats) -> str:
    return "[" + ", ".join(f"{x:.6g}" for x in v) + "]"


def _first_moments(sid: Sid, notes: list[str]) -> tuple[Floats, Floats]:
    """c1 and c2 (m, m, 3)."""
    Ct, m = _series(sid, "Ct"), sid.m
    from_centre = sid.parts["mdCM"].M1[:, :, 0].T if sid.parts["mdCM"].one else None
    if not Ct.nrow and from_centre is None:
        _stop(
            sid,
            "neither Ct nor mdCM of order 1 is there: how shapes move the mass centre is not known",
            f"given: {', '.join(sid.parts)}",
        )
    c1 = Ct.M0 if Ct.nrow else (from_centre if from_centre is not None else np.zeros((m, 3)))
    if from_centre is not None and np.abs(c1 - from_centre).max() > LOOSE * (np.abs(c1).max()):
        notes.append(
            f"Ct and mdCM differ by {np.abs(c1 - from_centre).max():.3g} in how shapes move the "
            f"mass centre; Ct counts"
        )
    c2 = Ct.M1 if Ct.one else np.zeros((m, m, 3))
    return c1, 0.5 * (c2 + c2.transpose(1, 0, 2))


def _crossed(sid: Sid, notes: list[str]) -> Floats:
    """N0 (m, 3, 3): its symmetric part from J, its other part from Cr; or all of it from Gr."""
    J, Cr, Gr, m = sid.parts["J"], _series(sid, "Cr"), _series(sid, "Gr"), sid.m
    of_Gr = None
    if Gr.nrow:
        C4 = -0.5 * Gr.M0.reshape(3, m, 3).transpose(1, 0, 2)
        half = -0.5 * np.einsum("kii->k", C4)
        of_Gr = C4.transpose(0, 2, 1) + half[:, None, None] * np.eye(3)
    if J.one and Cr.nrow:
        J1 = J.M1.transpose(1, 0, 2)
        S = 0.5 * np.einsum("kii->k", J1)[:, None, None] * np.eye(3) - J1
        N0 = 0.5 * (S - np.array([skew(v) for v in Cr.M0]))
        if of_Gr is not None and np.abs(N0 - of_Gr).max() > LOOSE * np.abs(N0).max():
            notes.append(f"J and Gr differ by {np.abs(N0 - of_Gr).max():.3g}; J and Cr count")
        return np.asarray(N0)
    if of_Gr is not None:
        return np.asarray(of_Gr)
    _stop(
        sid,
        "neither Gr, nor J of order 1 with Cr, is there: how shapes and turns of the body act on "
        "each other is not known",
        f"given: {', '.join(sid.parts)}",
    )


def _turning(sid: Sid, notes: list[str]) -> tuple[Floats, Floats]:
    """V_lk = int S_l x S_k (l, k, 3), and int X x q_kl (k, l, 3)."""
    Cr, Ge, m = _series(sid, "Cr"), _series(sid, "Ge"), sid.m
    if Cr.one:
        C1 = Cr.M1
        V = 0.5 * (C1.transpose(1, 0, 2) - C1)
        return V, 0.5 * (C1 + C1.transpose(1, 0, 2))
    if Ge.nrow:
        V = 0.5 * Ge.M0.reshape(m, m, 3).transpose(1, 0, 2)
        if np.any(V) and _series(sid, "Ct").one:
            notes.append(
                "geometric stiffening by angular acceleration is missing: Cr has no order 1"
            )
        return 0.5 * (V - V.transpose(1, 0, 2)), np.zeros((m, m, 3))
    notes.append("neither Ge nor Cr of order 1 is there: gyroscopic forces of shapes are missing")
    return np.zeros((m, m, 3)), np.zeros((m, m, 3))


def _centrifugal(sid: Sid, N0: Floats, notes: list[str]) -> Floats:
    """sym(P_lk + Q_kl) (m, m, 3, 3)."""
    Oe = _series(sid, "Oe")
    if not Oe.one:
        notes.append("Oe has no order 1: how spin softens or stiffens shapes is taken as isotropic")
        return np.asarray(sid.parts["Me"].M0[:, :, None, None] * np.eye(3) / 3.0)
    order = [0, 1, 2, 3, 4, 5]
    swapped = [0, 1, 2, 3, 5, 4]
    S = 0.5 * (N0 + N0.transpose(0, 2, 1))
    apart = [np.abs(symmetric_of_six(Oe.M0[:, o]) - S).max() for o in (order, swapped)]
    if apart[1] < apart[0] * (1.0 - 1e-9) and apart[0] > LOOSE * np.abs(S).max():
        order = swapped
        notes.append("Oe has wx wz before wy wz, as J tells")
    if min(apart) > 1e-3 * np.abs(S).max():
        notes.append(f"Oe and J differ by {min(apart):.3g}; J counts")
    A = symmetric_of_six(Oe.M1[:, :, order])
    return np.asarray(0.5 * (A + A.transpose(1, 0, 2, 3)))


def symmetric_of_six(six: Floats) -> Floats:
    """A (..., 3, 3) from the six factors of w^T (A - tr(A) 1) w."""
    trace = -0.5 * six[..., :3].sum(axis=-1)
    out = np.zeros((*six.shape[:-1], 3, 3))
    for i in range(3):
        out[..., i, i] = six[..., i] + trace
    for n, (i, j) in enumerate(PAIRS):
        out[..., i, j] = out[..., j, i] = 0.5 * six[..., 3 + n]
    return out


def _six(A: Floats) -> Floats:
    """The reverse, of the symmetric part of A."""
    trace = np.einsum("...ii->...", A)
    squares = [A[..., i, i] - trace for i in range(3)]
    return np.stack([*squares, *(A[..., i, j] + A[..., j, i] for i, j in PAIRS)], axis=-1)


def _sym(A: Floats) -> Floats:
    """Of P_lk as Q_kl: symmetric parts."""
    return np.asarray(0.5 * (A + np.swapaxes(A, -1, -2)))


def antisymmetric(v: Floats) -> Floats:
    """A with A - A^T belonging to a x b = v, for A = int a b^T: -1/2 v~ (..., 3, 3)."""
    out = np.zeros((*v.shape, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[..., i, j] = 0.5 * v[..., k]
        out[..., j, i] = -0.5 * v[..., k]
    return out


@dataclass(frozen=True)
class _Known:
    """What a file tells of products of shapes."""

    E: Floats
    c2: Floats
    turn: Floats  # int X x q_kl
    both: Floats  # sym(P_lk + Q_kl)
    Me: Floats


def _parted(sid: Sid, x: _Known, V: Floats) -> tuple[Floats, Floats]:
    """P and Q, of which a file knows the sum: by Pe, or by the smallest fields."""
    if "Pe" not in sid.parts:
        return _smallest(x, V)
    P = sid.parts["Pe"].M0.reshape(sid.m, 3, sid.m, 3).transpose(0, 2, 1, 3)
    return P, x.both - _sym(P) + antisymmetric(x.turn)


def _smallest(x: _Known, V: Floats) -> tuple[Floats, Floats]:
    """P and Q: q_kl the smallest field g^T z with the moments that are known."""
    e, places = field_places(x.E)
    a, m = len(x.E), len(x.Me)
    rows = np.zeros((7, a, 3))
    for i in range(3):
        rows[i, :, i] = e  # c2
        rows[6, :, i] = places[:, i]  # trace
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        rows[3 + k, :, j] += places[:, i]  # (X x q)_k
        rows[3 + k, :, i] -= places[:, j]
    trace = np.einsum("klii->kl", x.both) - 0.5 * (x.Me + x.Me.T)
    wanted = np.concatenate([x.c2, x.turn, trace[:, :, None]], axis=2).reshape(-1, 7)
    z = np.linalg.lstsq(rows.reshape(7, -1), wanted.T, rcond=1e-12)[0].T.reshape(m, m, a, 3)
    Q = np.einsum("ai,klaj->klij", places, z)
    Q = _sym(Q) + antisymmetric(x.turn)
    P = x.both - _sym(Q) + antisymmetric(V)
    off = (0.5 * (x.Me + x.Me.T) - np.einsum("lkii->lk", P)) / 3.0  # what the fields cannot
    P = P + off[:, :, None, None] * np.eye(3)
    return P, Q - off[:, :, None, None] * np.eye(3)


def _station(node: SidNode, m: int) -> Station:
    def part(name: str) -> Taylor:
        return node.parts.get(name) or Taylor(3, m)

    phi, psi, origin = part("phi"), part("psi"), node.parts["origin"]
    S, S2 = phi.M0.T, None
    if "phi" not in node.parts and origin.one:
        S = origin.M1[:, :, 0].T
    if phi.one:
        S2 = phi.M1.transpose(1, 2, 0)  # m1(i, l, k): d phi_k / d q_l
        S2 = 0.5 * (S2 + S2.transpose(1, 0, 2))
    Theta2 = None
    if psi.one:
        both = psi.M1.transpose(1, 2, 0)
        Theta2 = 0.5 * (both + both.transpose(1, 0, 2))
    R0 = np.eye(3)
    if "AP" in node.parts and node.parts["AP"].zero:
        R0 = _rotation(node.parts["AP"].M0)
    return Station(origin.M0[:, 0], S, psi.M0.T, R0=R0, S2=S2, Theta2=Theta2)  # type: ignore[arg-type]


def _rotation(A: Floats) -> Floats:
    """The rotation nearest to a matrix written with few digits; the identity if there is none."""
    U, s, Vt = np.linalg.svd(A)
    near = U @ Vt
    if s[-1] < 0.5 or np.linalg.det(near) < 0.0:
        return np.eye(3)
    return A if np.abs(near - A).max() < 1e-14 else near


def _checks(sid: Sid, body: Body) -> tuple[tuple[str, float], ...]:
    Gr, Ge = _series(sid, "Gr"), _series(sid, "Ge")
    own = sid_of_body(body, {})
    out = []
    for name, given in (("Gr", Gr), ("Ge", Ge)):
        if given.nrow:
            size = max(np.abs(own.parts[name].M0).max(), np.abs(given.M0).max(), 1e-300)
            apart = float(np.abs(own.parts[name].M0 - given.M0).max() / size)
            out.append((f"{name} against J, Cr", apart))
    return tuple(out)


def sid_of_body(body: Body, stations: dict[str, Station], exact: bool = True) -> Sid:
    """A body as Standard Input Data, in its own axes; `exact`: with what Supple adds."""
    m, N0, P, Q = body.m, body.N0, body.P, body.Q
    J0 = np.trace(body.W0) * np.eye(3) - body.W0
    Nt = np.einsum("kii->k", N0)[:, None, None] * np.eye(3)
    J1 = 2.0 * Nt - N0 - N0.transpose(0, 2, 1)
    C4 = N0.transpose(0, 2, 1) - Nt
    V = np.array([[axial(P[n, k].T) for n in range(m)] for k in range(m)]).reshape(m, m, 3)
    turn = np.array([[axial(Q[k, n].T) for n in range(m)] for k in range(m)]).reshape(m, m, 3)
    both = _sym(P.transpose(1, 0, 2, 3)) + _sym(Q)
    parts = {
        "mdCM": Taylor.of(body.c0[:, None], body.c1.T[:, :, None]),
        "J": Taylor.of(J0, J1.transpose(1, 0, 2), SYMMETRIC),
        "Ct": Taylor.of(body.c1, body.c2),
        "Cr": Taylor.of(np.array([axial(N.T) for N in N0]).reshape(m, 3), V + turn),
        "Me": Taylor.of(body.Mdd, structure=SYMMETRIC),
        "Gr": Taylor.of(-2.0 * C4.transpose(1, 0, 2).reshape(3, 3 * m)),
        "Ge": Taylor.of(2.0 * V.reshape(m, 3 * m)),
        "Oe": Taylor.of(_six(N0).reshape(m, 6), _six(both)),
        "ksigma": Taylor.of(np.zeros((m, 1))),
        "Ke": Taylor.of(body.K, structure=SYMMETRIC),
        "De": Taylor.of(body.D, structure=SYMMETRIC),
    }
    if exact:
        flat = P.transpose(0, 2, 1, 3).reshape(3 * m, 3 * m)
        parts |= {"Pe": Taylor.of(flat, structure=SYMMETRIC), "Ee": Taylor.of(body.E)}
    nodes = [_node(str(i + 1), s) for i, s in enumerate(stations.values())]
    names = body.shape_names or tuple(f"mode{k + 1}" for k in range(m))
    return Sid(body.mass, tuple(names), tuple(nodes), parts)


def _node(name: str, s: Station) -> SidNode:
    T = s.Theta
    turn = s.Theta2 + 0.5 * np.cross(T[:, None, :], T[None, :, :])  # (d, rate, component)
    A1 = np.array([skew(v) @ s.R0 for v in T]).reshape(-1, 3, 3)
    parts = {
        "origin": Taylor.of(s.r0[:, None], s.S.T[:, :, None]),
        "phi": Taylor.of(s.S.T, s.S2.transpose(2, 0, 1)),
        "psi": Taylor.of(T.T, turn.transpose(2, 0, 1)),
        "AP": Taylor.of(s.R0, A1.transpose(1, 0, 2)),
    }
    return SidNode(name, parts)
