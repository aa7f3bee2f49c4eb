"""Derivatives of inverse dynamics of rigid links, in the axes of the world, about a point O that
is at rest.

J is a joint's screw, V and A a link's twist and acceleration, [w; v] and [dw; a]; of masses

    h = int rho x,  W = int rho x x^T,  E = int rho x' x^T,  P = int rho x'

and F = [n; f], the wrench that moves them: all are added from the tips on. A coordinate of link j
moves everything beyond it by J, and changes, seen from there, twists by c and accelerations by
d + c x V; a point x then gets d_v + d_w x x + 2 c_w x x' more. With X = V x J:

    q:    c = X,  d = A x J + V x X            qd:    c = J,  d = 2 X            qdd:    d = J

    I d + B c_w = [(tr W - W) d_w + h x d_v;  m d_v - h x d_w] + 2 [(tr E - E) c_w;  c_w x P]

So of the forces tau_i = J_i . F_i, with Y_j = I_j d_j + B_j c_j (of q: and + J_j x* F_j),

    d tau_i / d x_j = J_i . Y_j                              where j is i, or beyond it
                    = (I_i J_i) . d_j + (B_i^T J_i) . c_j    where i is beyond j.

Reference: the same sums, in other words, are those of Carpentier and Mansard (2018).
"""

from __future__ import annotations

import numpy as np

from ...screws import ArticulatedInertia, cross, skew
from ...types import Array, Scalar
from .stages import StageReader, Values

UPPER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


def turns(of: StageReader) -> Values:
    """The joint's own turn and shift: R from its parent, r there."""
    R0, q, slides = of("R0").reshape(3, 3), of("q")[0], of("slides")[0]
    angle = q * (1.0 - slides)
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = R0.T
    R = np.array([c * x + s * y, c * y - s * x, z]).T
    return {"turn": R.ravel(), "shift": of("r0") + (slides * q) * z}


def poses(of: StageReader) -> Values:
    """Outward: R and p in the world, r from the parent's joint."""
    R = of.parent("R").reshape(3, 3)
    r = R @ of("shift")
    return {"R": (R @ of("turn").reshape(3, 3)).ravel(), "p": of.parent("p") + r, "r": r}


def screws(of: StageReader) -> Values:
    """J = [z; x x z], or [0; z] of a slide; x from the point O, where the middle link is."""
    z, slides = of("R").reshape(3, 3)[:, 2], of("slides")[0]
    x = of("p") - of.middle("p")
    turn = 1.0 - slides
    return {"x": x, "J": np.concatenate([turn * z, turn * cross(x, z) + slides * z])}


def masses(of: StageReader) -> Values:
    """h and W of the link alone; hc, Wc are to be summed."""
    R, x, m = of("R").reshape(3, 3), of("x"), of("mass")[0]
    c, W = R @ of("c0"), R @ symmetric(of("W0")) @ R.T
    W = W + np.outer(c, x) + np.outer(x, c) + m * np.outer(x, x)
    h, six = c + m * x, packed(W)
    return {"h": h, "W": six, "hc": h, "Wc": six}


def bodies(of: StageReader) -> Values:
    """The link's inertia about its own joint, in blocks I, H, M."""
    R, m = of("R").reshape(3, 3), of("mass")[0]
    W = R @ symmetric(of("W0")) @ R.T
    spin = (W[0, 0] + W[1, 1] + W[2, 2]) * np.eye(3) - W
    return {
        "I": packed(spin),
        "H": skew(R @ of("c0")).ravel(),
        "M": packed(m * np.eye(3)),
    }


def articulated(of: StageReader) -> Values:
    """Inward: U D U^T = M, column by column: psi^ = X P, D = P . psi^, psi = psi^ / D, and
    X - psi^ psi^T goes to the parent. It is shifted there before D is known: dividing takes
    long.  Reference: `recursion.forward`."""
    X = ArticulatedInertia(symmetric(of("I")), of("H").reshape(3, 3), symmetric(of("M")))
    z, slides, r = of("R").reshape(3, 3)[:, 2], of("slides")[0], of("r")
    turn = 1.0 - slides
    inverse = 1.0 / (turn * along(X.I, z) + slides * along(X.M, z) + of("rotor")[0])
    n = turn * (X.I @ z) + slides * (X.H @ z)
    f = turn * (z @ X.H) + slides * (X.M @ z)
    Y, N = X.shifted(r), n + cross(r, f)
    return {
        "psi": np.concatenate([n, f]) * inverse,
        "pivot": np.array([inverse]),
        "+I": packed(Y.I - np.outer(N, N * inverse)),
        "+H": (Y.H - np.outer(N, f * inverse)).ravel(),
        "+M": packed(Y.M - np.outer(f, f * inverse)),
    }


def along(X: Array, z: Array) -> Scalar:
    """z . X z, in few steps after each other."""
    x, y, w = z
    first = x * x * X[0, 0] + y * y * X[1, 1]
    second = w * w * X[2, 2] + 2.0 * x * y * X[0, 1]
    return (first + second) + (2.0 * x * w * X[0, 2] + 2.0 * y * w * X[1, 2])


def pivots(of: StageReader) -> Values:
    """psi about O."""
    n, f = halves(of("psi"))
    return {"psi": np.concatenate([n + cross(of("x"), f), f])}


def shares(of: StageReader) -> Values:
    """What a joint's rate adds to its link's twist."""
    return {"V": of("J") * of("qd")[0]}


def crossed(of: StageReader) -> Values:
    """X, and what a joint adds to its link's acceleration."""
    X = motion_cross(of("V"), of("J"))
    return {"X": X, "A": X * of("qd")[0] + of("J") * of("qdd")[0]}


def crossed_at_rest(of: StageReader) -> Values:
    """The same where no joint accelerates."""
    X = motion_cross(of("V"), of("J"))
    return {"X": X, "A": X * of("qd")[0]}


def answering(of: StageReader) -> Values:
    """What the accelerations found add to a link's."""
    return {"dA": of("J") * of("qdd")[0]}


def answered(of: StageReader) -> Values:
    """Acceleration and wrench with it."""
    dA = of("dA")
    more = momentum(dA, of("h"), of("W"), of("mass")[0])
    return {"A": of("A") + dA, "F": of("F") + more}


def moving(of: StageReader) -> Values:
    """P, E and F of the link alone."""
    (w, v), (dw, a) = halves(of("V")), halves(of("A"))
    h, W, m = of("h"), symmetric(of("W")), of("mass")[0]
    P = m * v + cross(w, h)
    E = np.outer(v, h) + np.array([cross(w, row) for row in W]).T
    n = cross(h, a) + spun(W, dw) + spun(E, w)
    return {"P": P, "E": E.ravel(), "F": np.concatenate([n, m * a + cross(dw, h) + cross(w, P)])}


def bias(of: StageReader) -> Values:
    """Wrenches, to be summed while those of the links are kept."""
    return {"bias": of("F")}


def remaining_force(of: StageReader) -> Values:
    """Forces that are left to accelerate the links."""
    return {"left": of("tau") - of("passive") - np.array([of("J") @ of("bias")])}


def inertias(of: StageReader) -> Values:
    """I J, of the link with all that it carries."""
    return {"IJ": carried(of, of("J"))}


def columns(of: StageReader) -> Values:
    """d and Y of q and of qd, and B^T J."""
    J, X, P, E = of("J"), of("X"), of("P"), of("E").reshape(3, 3)
    (z, v), (n, f) = halves(J), halves(of("F"))
    c = X[:3]
    d = motion_cross(of("A"), J) + motion_cross(of("V"), X)
    tilt = np.concatenate([cross(z, n) + cross(v, f), cross(z, f)])

    def B(cw: Array) -> Array:
        return 2.0 * np.concatenate([spun(E, cw), cross(cw, P)])

    return {
        "d_q": d,
        "Y_q": carried(of, d) + B(c) + tilt,
        "Y_qd": 2.0 * carried(of, X) + B(z),
        "BJ": 2.0 * (spun(E.T, z) + cross(P, v)),
        "d_qd": 2.0 * X,
    }


def carried(of: StageReader, t: Array) -> Array:
    """I t, of the link with all that it carries."""
    return momentum(t, of("hc"), of("Wc"), of("total")[0])


def momentum(t: Array, h: Array, W: Array, m: Scalar) -> Array:
    """I t = [(tr W - W) w + h x v; m v - h x w]."""
    w, v = halves(t)
    return np.concatenate([spun(symmetric(W), w) + cross(h, v), m * v - cross(h, w)])


def spun(W: Array, w: Array) -> Array:
    """(tr W - W) w."""
    rows: list[Scalar] = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        rows.append((W[j, j] + W[k, k]) * w[i] - W[i, j] * w[j] - W[i, k] * w[k])
    return np.array(rows)


def motion_cross(t: Array, u: Array) -> Array:
    """t x u of twists."""
    (w, v), (a, b) = halves(t), halves(u)
    return np.concatenate([cross(w, a), cross(w, b) + cross(v, a)])


def halves(t: Array) -> tuple[Array, Array]:
    return t[:3], t[3:]


def symmetric(six: Array) -> Array:
    out = np.empty((3, 3), dtype=object)
    for (i, j), x in zip(UPPER, six, strict=True):
        out[i, j] = out[j, i] = x
    return out


def packed(W: Array) -> Array:
    return np.array([W[i, j] for i, j in UPPER])
