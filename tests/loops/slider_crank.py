"""The flexible slider-crank of [Simeon] by Lagrange's equations, apart from Supple.

Coordinates phi1, phi2 (both from the x axis), x3, q1 and q2 (bending, sines), q3 and q4 (extension,
parabolas of the rod's middle and end). Points of the rod at x = l2 s:

    r = l1 e(phi1) + (x + u) e(phi2) + v n(phi2),   u = q3 U1 + q4 U2,   v = q1 V1 + q2 V2

The crank turns by a law; two closures hold the slider. `Print` holds what the code of [IVPTestSet]
has instead of the integrals: see docs/errata.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import cos, sin
from typing import Any

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

OMEGA, L1, L2, SIDE, E, RHO = 150, sp.S("0.15"), sp.S("0.3"), sp.S("0.008"), sp.S("2e11"), 7870
CRANK, SLIDER = sp.S("0.002727"), sp.S("0.075552")
CRANK_LENGTH, ROD_LENGTH = float(L1), float(L2)
MASS = RHO * SIDE**2 * L2
START = np.array([0, 0, 0.450016933, 0, 0, 0.103339863e-4, 0.169327969e-4])
RATES = np.array(
    [150.0, -74.9957670, -0.268938672e-5, 0.444896105, 0.463434311e-2, -0.178591076e-5,
     -0.268938672e-5]
)  # fmt: skip
END = {  # at t = 0.1 s
    "phi2": -0.3311734988256260,
    "x3": 0.1697373328427860,
    "q1": 1.893192899613509e-4,
    "q2": 2.375751249879174e-5,
    "q3": -5.323896770569702e-6,
    "q4": -8.363313279112129e-6,
    "lambda1": -62.32935833287916,
    "lambda2": -163.7920993367306,
    "lambda3": 25.29857947066878,
}
s = sp.Symbol("s")
U = (4 * s - 4 * s**2, 2 * s**2 - s)
V = (sp.sin(sp.pi * s), sp.sin(2 * sp.pi * s))
Q: Any = sp.symbols("phi1 phi2 x3 q1:5")
QD: Any = sp.symbols("dphi1 dphi2 dx3 dq1:5")


@dataclass(frozen=True)
class Print:
    """Numbers of an equation that are not what the integrals give."""

    axial: float = 1.0  # factor on the mass of the extensions with each other
    inertia: Any = MASS * L2**2 / 3  # of the straight rod about the crank pin
    pi: Any = sp.pi


TEST_SET = Print(15, sp.S("0.0045339259"), sp.S("3.1415927"))


@cache
def _integral(f: Any) -> Any:
    """Along the whole rod."""
    return sp.integrate(f, (s, 0, 1))


def _kinetic(given: Print) -> Any:
    """Kinetic energy: |v|^2 along the axes of the rod, integrated over it."""
    phi, (w1, w) = Q[0] - Q[1], QD[:2]
    a, b, da, db = (sp.Matrix(x) for x in (Q[5:], Q[3:5], QD[5:], QD[3:5]))

    def mean(f: Any) -> Any:
        return _integral(f).subs(sp.pi, given.pi)

    def pairs(f: Any, g: Any) -> Any:
        return sp.Matrix(2, 2, lambda i, j: mean(f[i] * g[j]))

    mu, mv = (sp.Matrix([[mean(f) for f in fs]]) for fs in (U, V))
    xu, xv = (L2 * sp.Matrix([[mean(s * f) for f in fs]]) for fs in (U, V))
    UU, VV, UV = given.axial * pairs(U, U), pairs(V, V), pairs(U, V)
    turn = 2 * xu * a + a.T * UU * a + b.T * VV * b
    own = da.T * UU * da + db.T * VV * db + w**2 * turn
    own += 2 * w * (xv * db + a.T * UV * db - da.T * UV * b)
    along, across = mu * da - w * mv * b, mv * db + w * (mu * a + sp.Matrix([L2 / 2]))
    carried = 2 * L1 * w1 * (sp.cos(phi) * across - sp.sin(phi) * along)
    rod = MASS * (L1**2 * w1**2 + (own + carried)[0]) + given.inertia * w**2
    return (rod + CRANK * w1**2 + SLIDER * QD[2] ** 2) / 2


def _strain(given: Print) -> Any:
    u, v = Q[5] * U[0] + Q[6] * U[1], Q[3] * V[0] + Q[4] * V[1]
    density = sp.diff(u, s) ** 2 + SIDE**2 / (12 * L2**2) * sp.diff(v, s, 2) ** 2
    return E * SIDE**2 / (2 * L2) * _integral(sp.expand(density)).subs(sp.pi, given.pi)


@cache
def equations(given: Print) -> Callable[..., Any]:
    """[M G^T; G 0] and -[h; gamma] of M a + h + G^T lambda = 0, G a + gamma = 0."""
    phi1, phi2, rod = Q[0], Q[1], L2 + Q[6]
    gaps = sp.Matrix(
        [
            L1 * sp.sin(phi1) + rod * sp.sin(phi2),
            Q[2] - L1 * sp.cos(phi1) - rod * sp.cos(phi2),
            phi1,
        ]
    )
    T, rates = _kinetic(given), sp.Matrix(QD)
    p = sp.Matrix([T]).jacobian(QD).T
    M, G = p.jacobian(QD), gaps.jacobian(Q)
    h = p.jacobian(Q) * rates - sp.Matrix([T - _strain(given)]).jacobian(Q).T
    gamma = (G * rates).jacobian(Q) * rates
    matrix = M.row_join(G.T).col_join(G.row_join(sp.zeros(3)))
    return sp.lambdify([Q, QD], [list(matrix), list(-h.col_join(gamma))], "math", cse=True)


def accelerations(given: Print, q: Any, qd: Any) -> Any:
    """The seven accelerations and the three multipliers."""
    matrix, right = equations(given)(*(np.asarray(x).tolist() for x in (q, qd)))  # plain: faster
    return np.linalg.solve(np.array(matrix).reshape(10, 10), right)


def start(given: Print) -> tuple[Any, Any]:
    """The published start. Its rates open the loop at 1.2e-8 m/s: they are closed by the smallest
    change in the sense of M, as a solver of the velocity equations does at once."""
    matrix = np.reshape(equations(given)(START, RATES)[0], (10, 10))
    gap = matrix[7:, :7] @ RATES - [0, 0, OMEGA]
    return START, RATES + np.linalg.solve(matrix, np.concatenate([np.zeros(7), -gap]))[:7]


def whole(t: float, y: Any) -> tuple[list[float], list[float]]:
    """q and qd of y = (phi2, x3, q1..q4, rates of q1..q4): the rates keep the loop closed."""
    q, shapes = [OMEGA * t, *y[:6].tolist()], y[6:].tolist()
    l1, rod = CRANK_LENGTH, ROD_LENGTH + q[6]
    phi2 = -(l1 * cos(q[0]) * OMEGA + sin(q[1]) * shapes[3]) / (rod * cos(q[1]))
    x3 = -l1 * sin(q[0]) * OMEGA - rod * sin(q[1]) * phi2 + cos(q[1]) * shapes[3]
    return q, [OMEGA, phi2, x3, *shapes]


def end(given: Print, first: tuple[Any, Any], duration: float, rtol: float) -> dict[str, float]:
    """Coordinates and multipliers after some time."""

    def rate(t: float, y: Any) -> Any:
        q, qd = whole(t, y)
        return np.concatenate([qd[1:], accelerations(given, q, qd)[3:7]])

    y0 = np.concatenate([first[0][1:], first[1][3:]])
    run = solve_ivp(rate, (0.0, duration), y0, "DOP853", [duration], rtol=rtol, atol=1e-4 * rtol)
    q, qd = whole(duration, run.y[:, -1])
    return dict(zip(END, [*q[1:], *accelerations(given, q, qd)[7:]], strict=True))
