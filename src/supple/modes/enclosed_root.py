"""The zero of a function between two places, to the last digit.

SciPy has such functions too; importing them takes longer than to load a robot.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import float_info


def enclosed_root(f: Callable[[float], float], low: float, high: float) -> float:
    """Where f is zero between low and high, its signs there being different.

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
