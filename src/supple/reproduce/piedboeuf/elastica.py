"""The arm of [Piedboeuf] as an inextensible elastica, bent exactly: the judge of its models.

With phi = theta + psi the section's angle in the world and W(s) the weight carried beyond s,

    V = 1/2 EI int psi'^2 ds + int W sin(phi) ds + h(phi_l),   W = rho g (l - s) + m_t g - f_y,

h being what tool and force add by their offsets. psi = sum c_k s P_k(2 s/l - 1); V is made
stationary by Newton's method. Nothing is shared with the recursion or its shapes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import eval_legendre

from ...types import Floats

TERMS = 14


@dataclass(frozen=True)
class PiedboeufArm:
    """Table 1 of the paper; g = 9.81."""

    l1x: float = 0.0365
    length: float = 0.7845
    EI: float = 13.4
    rho: float = 0.650
    mt: float = 0.1608
    l2x: float = 0.0115
    l2y: float = -0.3159
    lcx: float = 0.0115
    lcy: float = -0.158
    g: float = 9.81


@dataclass(frozen=True)
class Elastica:
    """Motor torque, curvature at the gauges, tip and endpoint of the exact arm."""

    torque: float
    curvature: Floats
    tip: Floats  # (2,) tip less the straight one, along and across the root's axis
    endpoint: Floats  # (2,) in the world


def elastica(arm: PiedboeufArm, theta: float, force: float, gauges: Floats) -> Elastica:
    """The exact arm at motor angle theta under the vertical force at its endpoint."""
    c = _solve(arm, theta, force)
    s, w = _points(arm.length)
    phi = theta + c @ _basis(s, arm.length)
    end = float(theta + c @ _basis(np.array([arm.length]), arm.length)[:, 0])
    sin, cos, L = np.sin(end), np.cos(end), arm.length
    psi = phi - theta
    tip = np.array([w @ np.cos(psi) - L, w @ np.sin(psi)])
    x = arm.l1x * np.cos(theta) + w @ np.cos(phi) + arm.l2x * cos - arm.l2y * sin
    y = arm.l1x * np.sin(theta) + w @ np.sin(phi) + arm.l2x * sin + arm.l2y * cos
    carried = arm.rho * arm.g * L + arm.mt * arm.g - force
    torque = w @ (_load(arm, force, s) * np.cos(phi)) + carried * arm.l1x * np.cos(theta)
    torque += _ends(arm, force, end)[0]
    return Elastica(float(torque), c @ _basis(gauges, L, 1), tip, np.array([x, y]))


def _points(length: float) -> tuple[Floats, Floats]:
    t, w = np.polynomial.legendre.leggauss(40)
    return 0.5 * length * (t + 1.0), 0.5 * length * w


def _basis(s: Floats, length: float, derivative: int = 0) -> Floats:
    """s P_k(2 s/l - 1) or its slope: (TERMS, n)."""
    t, rows = 2.0 * s / length - 1.0, []
    for k in range(TERMS):
        P = np.polynomial.legendre.Legendre.basis(k)
        slope = P.deriv()(t) * 2.0 / length
        rows.append(s * eval_legendre(k, t) if derivative == 0 else P(t) + s * slope)
    return np.array(rows)


def _load(arm: PiedboeufArm, force: float, s: Floats) -> Floats:
    return np.asarray(arm.rho * arm.g * (arm.length - s) + arm.mt * arm.g - force)


def _ends(arm: PiedboeufArm, force: float, phi: float) -> tuple[float, float]:
    """h'(phi) and h''(phi) of the tool's weight and the force."""
    x = arm.mt * arm.g * arm.lcx - force * arm.l2x
    y = arm.mt * arm.g * arm.lcy - force * arm.l2y
    return x * np.cos(phi) - y * np.sin(phi), -x * np.sin(phi) - y * np.cos(phi)


def _solve(arm: PiedboeufArm, theta: float, force: float) -> Floats:
    s, w = _points(arm.length)
    B, dB, W = _basis(s, arm.length), _basis(s, arm.length, 1), _load(arm, force, s)
    tip = _basis(np.array([arm.length]), arm.length)[:, 0]
    K = arm.EI * (dB * w) @ dB.T
    c = np.zeros(TERMS)
    for _ in range(50):
        phi, (first, second) = theta + c @ B, _ends(arm, force, float(theta + c @ tip))
        slope = K @ c + B @ (w * W * np.cos(phi)) + first * tip
        bend = K - (B * (w * W * np.sin(phi))) @ B.T + second * np.outer(tip, tip)
        step = np.linalg.solve(bend, slope)
        c = c - step
        if np.abs(step).max() < 1e-13:
            break
    return c
