"""A modal body to first order: moments, inertia and velocity terms as dual matrices.

The real part is the undeformed body, the dual part linear in the shapes d and their rates.
    mc = c0 + e d_k c1_k                    C_k = c1_k + e d_l c2_kl
    W  = W0 + e d_k (N0_k + N0_k^T)         N_k = N0_k + e d_l (P_lk + Q_kl)
    Md = Mdd + e (s_k . z_l + z_k . s_l),   z_k = z_kl d_l: the affine fields of the body
The paper integrates along each elastic link at every step; here the integrals are the
moments of `bodies`, taken once.
Reference: [CibicikEgeland], eqs. (97)-(108).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..bodies import Basis, Beam, Body, Profile, beam_body
from ..model.lines import beam_lines
from ..robot import Robot
from ..screws import axial, weighted
from ..screws.dual import DualArray, hstack, vstack, wedge
from ..types import Array, Floats


@dataclass(frozen=True, eq=False)
class LinearMoments:
    """The moments of a body, to first order in its shapes."""

    body: Body
    mc: DualArray  # (3,)
    C: DualArray  # (m, 3)
    W: DualArray  # (3, 3)
    N: tuple[DualArray, ...]  # m x (3, 3)
    Md: DualArray  # (m, m)


def linear_moments(body: Body, d: Array, still: Body | None = None) -> LinearMoments:
    """Moments at shape d: (m,).

    `still`: the part of the body made by its sections alone (`section_part`), when their
    inertia is to stay fixed in the link's axes, as in [CibicikEgeland], eq. (104).
    """
    ks = range(body.m)
    C1 = [weighted(d, body.c2[k]) for k in ks]
    N1 = [weighted(d, body.P[:, k] + body.Q[k]) for k in ks]
    N0 = body.N0
    if still is not None:
        N1 = [N1[k] - weighted(d, still.P[:, k] + still.Q[k]) for k in ks]
        N0 = N0 - still.N0
    W1 = weighted(d, N0 + N0.transpose(0, 2, 1))
    return LinearMoments(
        body,
        DualArray(body.c0, weighted(d, body.c1)),
        DualArray(body.c1, np.array(C1).reshape(body.m, 3)),
        DualArray(body.W0, W1),
        tuple(DualArray(body.N0[k], N1[k]) for k in ks),
        DualArray(body.Mdd, _modal_mass_slope(body, d)),
    )


def _modal_mass_slope(body: Body, d: Array) -> Array:
    """(m, m): s_k . z_ln d_n and its transpose, summed over the fields."""
    half = weighted(d, np.einsum("kai,lnai->nkl", body.s, body.z))
    return half + half.T


def section_part(beam: Beam, base: Basis, start: Floats, R: Floats) -> Body:
    """The integrals of a beam's sections alone: its body without mass on the axis."""
    bare = replace(beam, mass=Profile.constant(0.0))
    return beam_body(bare, base, start, R)


def still_sections(robot: Robot) -> dict[str, Body]:
    """`section_part` of every beam of a robot, in its link's axes: what `kane.Order` takes for
    the sections of [CibicikEgeland], whose inertia stays fixed in these axes."""
    out = {}
    for name, line in beam_lines(robot).items():
        out[name] = section_part(line.beam, line.base, line.start, line.R)
    return out


def dual_inertia(moments: LinearMoments) -> DualArray:
    """M^_i (6+m, 6+m): what D^_r and the integral of D^_e are in the paper.

    Reference: [CibicikEgeland], eqs. (102), (107).
    """
    H, one = wedge(moments.mc), DualArray.of(moments.body.mass * np.eye(3))
    CN, CF = _columns([_axial(N.T) for N in moments.N], moments.body.m), moments.C.T
    return vstack(
        [
            hstack([_inertia(moments.W), H, CN]),
            hstack([H.T, one, CF]),
            hstack([CN.T, CF.T, moments.Md]),
        ]
    )


def dual_gyroscopic(moments: LinearMoments, w: DualArray, dd: Array) -> DualArray:
    """G^_i (6+m, 6+m): with the twist t = [w; v; d_dot], M^ t_dot + G^ t is the inertia
    force.

    A material point has the velocity v + w x r + r_dot. Its acceleration, less what t_dot
    gives, is c x r_dot + w x (c x r) for a twist column c of angular kind, w x c for a
    linear one and w x S_l for shape l; rows are the moments of that with r x, 1 and S_k.
    Reference: [CibicikEgeland], eqs. (103), (108), (112).
    """
    body, ks = moments.body, range(moments.body.m)
    rate = DualArray.first_order(weighted(dd, body.c1))
    L = DualArray.first_order(weighted(dd, body.N0.transpose(0, 2, 1)))  # int rho r_dot r^T
    wx, mcx = wedge(w), wedge(moments.mc)
    turn = [_transverse(N, w) for N in moments.N]  # int rho r x (w x S_k)
    coupling = [DualArray.first_order(axial(weighted(dd, body.P[:, k]).T)) - turn[k] for k in ks]
    Cw = [wedge(moments.C[k]) @ w for k in ks]
    shapes = [[DualArray.of(axial(body.P[j, k].T)) @ w for j in ks] for k in ks]
    return vstack(
        [
            hstack([_inertia(L) + wedge(moments.W @ w), mcx @ wx, _columns(turn, body.m)]),
            hstack([-wedge(rate) - wx @ mcx, body.mass * wx, wx @ moments.C.T]),
            hstack([_columns(coupling, body.m).T, _columns(Cw, body.m).T, _square(shapes)]),
        ]
    )


def dual_weight(moments: LinearMoments, g: DualArray) -> DualArray:
    """The wrench [n; f] and modal forces of gravity g (link axes): (6+m,).

    Reference: [CibicikEgeland], eqs. (123)-(124).
    """
    return vstack([wedge(moments.mc) @ g, moments.body.mass * g, moments.C @ g])


def _transverse(N: DualArray, w: DualArray) -> DualArray:
    """int rho r x (w x S) = tr(N) w - N^T w."""
    return _trace(N) * w - N.T @ w


def _inertia(W: DualArray) -> DualArray:
    return _trace(W) * np.eye(3) - W


def _trace(W: DualArray) -> DualArray:
    return DualArray(np.asarray(np.trace(W.r)), np.asarray(np.trace(W.d)))


def _axial(T: DualArray) -> DualArray:
    return DualArray(axial(T.r), axial(T.d))


def _columns(vectors: list[DualArray], m: int) -> DualArray:
    """(3, m), also when m = 0."""
    r = np.array([v.r for v in vectors]).reshape(m, 3).T
    return DualArray(r, np.array([v.d for v in vectors]).reshape(m, 3).T)


def _square(rows: list[list[DualArray]]) -> DualArray:
    m = len(rows)
    r = np.array([[x.r for x in row] for row in rows]).reshape(m, m)
    return DualArray(r, np.array([[x.d for x in row] for row in rows]).reshape(m, m))
