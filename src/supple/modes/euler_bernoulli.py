"""Clamped Euler-Bernoulli shapes with a tip body, stable for every mode number.

    phi(x) = (cosh z - cos z) - sigma (sinh z - sin z),     z = b x / L

loses all digits near mode 12, because cosh and sinh cancel. The same shape in a basis of size one,

    phi = g1 + kappa g2,        kappa = (1 - sigma) e^b / 2
    g1 = e^-z - cos z + sin z,  g2 = e^(z-b) - e^(-z-b) - 2 e^-b sin z,

does not. Near z = 0 both are summed from their power series. Primes of g are with respect to z.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from math import exp, factorial, floor, pi
from sys import float_info

import numpy as np

from .base import Array, Shapes

_SERIES_BELOW = 2.0
_SERIES = np.array([[1.0 / factorial(4 * k + j) for k in range(7)] for j in range(4)])


@dataclass(frozen=True)
class TipRatios:
    """Tip body over beam: m / (rho A L), J / (rho A L^3) about its mass centre, e / L."""

    mass: float = 0.0
    inertia: float = 0.0
    offset: float = 0.0


def clamped_shapes(count: int, length: float, tip: TipRatios) -> Shapes:
    """The first `count` shapes, in the raw scale of the formula above."""
    betas = np.array([root(k, tip) for k in range(1, count + 1)])
    kappas = np.array([_kappa(b, tip) for b in betas])
    formula = partial(_clamped, betas, kappas, length)
    return Shapes(count, formula, 3, betas, sigmas=1.0 - 2.0 * kappas * np.exp(-betas))


def _clamped(betas: Array, kappas: Array, length: float, x: Array, derivative: int) -> Array:
    values = np.empty((len(betas), len(x)))
    for k, (b, kappa) in enumerate(zip(betas, kappas, strict=True)):
        g1, g2 = basis(b * x / length, b, derivative)
        values[k] = (b / length) ** derivative * (g1 + kappa * g2)
    return values


def basis(z: Array, b: float, derivative: int) -> tuple[Array, Array]:
    """g1 and g2 (or a derivative) at z: (n,)."""
    d = derivative
    s, c = np.sin(z), np.cos(z)
    wave = (s, c, -s, -c)
    sine, cosine, sign = wave[d % 4], wave[(d + 1) % 4], (-1.0) ** d
    g1 = sign * np.exp(-z) - cosine + sine
    g2 = np.exp(z - b) - sign * np.exp(-z - b) - 2.0 * exp(-b) * sine
    near = z < _SERIES_BELOW
    if near.any():
        K2, K3 = _krylov((2 - d) % 4, z[near]), _krylov((3 - d) % 4, z[near])
        g1[near] = 2.0 * (K2 - K3)
        g2[near] = 4.0 * exp(-b) * K3
    return g1, g2


def _krylov(j: int, z: Array) -> Array:
    """K_j = sum_k z^(4k+j) / (4k+j)!, so K_2 = (cosh z - cos z)/2, K_3 = (sinh z - sin z)/2."""
    square = z * z
    fourth, series = square * square, np.full_like(z, _SERIES[j, -1])
    for factor in _SERIES[j, -2::-1]:
        series = series * fourth + factor
    return z**j * series


def _tip_rows(b: float, tip: TipRatios) -> tuple[Array, Array]:
    """Tip motion F = [f; f'] and tip balance T, each (2, 2) with a column for g1 and for g2.

    EI phi'''= -w^2 m (phi + e phi')                    T_1 = f''' + mu b (f + eps b f')
    EI phi'' =  w^2 [(J + m e^2) phi' + m e phi]        T_2 = f'' - b^3 (j + mu eps^2) f'
                                                              - b^2 mu eps f
    """
    f = np.array([np.ravel(basis(np.array([b]), b, d)) for d in range(4)])
    mu, eps, about_tip = tip.mass, tip.offset, tip.inertia + tip.mass * tip.offset**2
    shear = f[3] + mu * b * (f[0] + eps * b * f[1])
    moment = f[2] - b**3 * about_tip * f[1] - b**2 * mu * eps * f[0]
    return f[:2], np.array([shear, moment])


def _balance(b: float, tip: TipRatios) -> Array:
    """T with its rows divided by their size, so that no ratio and no b makes it large."""
    mu, eps, about_tip = tip.mass, abs(tip.offset), tip.inertia + tip.mass * tip.offset**2
    shear = 1.0 + mu * b * (1.0 + eps * b)
    moment = 1.0 + b**3 * about_tip + b**2 * mu * eps
    T: Array = _tip_rows(b, tip)[1] / np.array([[shear], [moment]])
    return T


def characteristic(b: float, tip: TipRatios) -> float:
    """det T, of size one; zero at the roots b = beta L."""
    return _det(_balance(b, tip))


def modes_below(b: float, tip: TipRatios) -> int:
    """How many roots lie below b (Wittrick and Williams).

    The clamped-clamped roots below b, plus the negative eigenvalues of the dynamic stiffness of
    the tip, K = [-T_1; T_2] F^-1, counted on the congruent matrix F^T K F.
    """
    F, T = _tip_rows(b, tip)
    det_F, i = _det(F), floor(b / pi)
    sign = 1 if det_F > 0.0 else -1
    clamped_clamped = i - (1 - (-1 if i % 2 else 1) * sign) // 2
    if -_det(T) * sign < 0.0:  # det F^T K F has the sign of -det T det F
        return clamped_clamped + 1
    trace = F[0] @ -T[0] + F[1] @ T[1]
    return clamped_clamped + (2 if trace < 0.0 else 0)


@lru_cache(maxsize=1024)
def root(k: int, tip: TipRatios) -> float:
    """The k-th root b, enclosed by counting, then refined to the last digit."""
    low, high = 0.0, k * pi
    below_low, below_high = 0, modes_below(high, tip)
    while (below_low, below_high) != (k - 1, k) and high - low > 1e-14 * high:
        middle = 0.5 * (low + high)
        below = modes_below(middle, tip)
        if below < k:
            low, below_low = middle, below
        else:
            high, below_high = middle, below
    if characteristic(low, tip) * characteristic(high, tip) > 0.0:
        return 0.5 * (low + high)  # a double root: no sign change to refine
    return enclosed_root(lambda b: characteristic(b, tip), low, high)


def enclosed_root(f: Callable[[float], float], low: float, high: float) -> float:
    """Where f is zero between low and high, to the last digit, its signs there being different.
    (SciPy has such functions too; importing them takes longer than to load a robot.)

    Inverse quadratic interpolation where the last three places show that it is safe, else
    halves. Reference: Chandrupatla, Advances in Engineering Software 28 (1997) 145-149.
    """
    a, b, fa, fb, share = low, high, f(low), f(high), 0.5
    while True:
        best, left = (a, fa) if abs(fa) < abs(fb) else (b, fb)
        least = 2.0 * float_info.epsilon * abs(best) / abs(b - a) if b != a else 1.0
        if left == 0.0 or least > 0.5:
            return best
        x = a + min(max(share, least), 1.0 - least) * (b - a)
        fx = f(x)
        if (fx > 0.0) == (fa > 0.0):
            c, fc = a, fa
        else:
            c, fc, b, fb = b, fb, a, fa
        a, fa = x, fx
        share = 0.5
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        if phi * phi < xi and (1.0 - phi) ** 2 < 1.0 - xi:
            share = fa / (fb - fa) * fc / (fb - fc)
            share += (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)


def _kappa(b: float, tip: TipRatios) -> float:
    """kappa of T [1; kappa] = 0, from the row that holds more digits."""
    T = _balance(b, tip)
    row = T[np.argmax(np.abs(T).max(axis=1))]
    return float(-row[0] / row[1])


def _det(A: Array) -> float:
    return float(A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0])
