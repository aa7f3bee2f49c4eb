"""Polynomials in n with rational coefficients, found by counting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

FAR = 200  # links beyond which no two of the tables' polynomials cross


@dataclass(frozen=True)
class CountPolynomial:
    """Coefficients, highest power first."""

    coefficients: tuple[Fraction, ...]

    @classmethod
    def of(cls, coefficients: Sequence[str]) -> CountPolynomial:
        """From words such as "23/2"."""
        return cls(tuple(Fraction(c) for c in coefficients))

    def __call__(self, n: int) -> Fraction:
        value = Fraction(0)
        for c in self.coefficients:
            value = value * n + c
        return value

    def __add__(self, other: CountPolynomial) -> CountPolynomial:
        a, b = sorted((self.coefficients, other.coefficients), key=len)
        filled = (Fraction(0),) * (len(b) - len(a)) + a
        return CountPolynomial(tuple(x + y for x, y in zip(filled, b, strict=True)))

    def __str__(self) -> str:
        """23n^2/2 + 115n/3 - 47"""
        out = ""
        for power, c in reversed([*enumerate(reversed(self.coefficients))]):
            if c:
                sign = (" - " if c < 0 else " + ") if out else ("-" if c < 0 else "")
                out += sign + _term(abs(c), power)
        return out or "0"


def _term(c: Fraction, power: int) -> str:
    letter = {0: "", 1: "n"}.get(power, f"n^{power}")
    top = "" if c.numerator == 1 and letter else str(c.numerator)
    return f"{top}{letter}" + (f"/{c.denominator}" if c.denominator > 1 else "")


def fitted(counts: Mapping[int, int]) -> CountPolynomial:
    """The polynomial of lowest degree that gives every count at successive n, exactly, with two
    counts more than it has coefficients. ValueError where there is none.

    Newton's forward differences: p(n) = sum_k D^k (n - n0 choose k).
    """
    n0, line = min(counts), [Fraction(counts[n]) for n in sorted(counts)]
    if sorted(counts) != list(range(n0, n0 + len(counts))):
        raise ValueError(f"counts at successive n are needed, got {sorted(counts)}")
    total, factor = CountPolynomial((Fraction(0),)), CountPolynomial((Fraction(1),))
    for k in range(len(counts) - 2):
        total = total + _scaled(factor, line[0])
        line = [b - a for a, b in pairwise(line)]
        if not any(line):
            return total
        factor = _scaled(_times(factor, n0 + k), Fraction(1, k + 1))
    raise ValueError(f"no polynomial of degree up to {len(counts) - 3} gives {dict(counts)}")


def _scaled(p: CountPolynomial, c: Fraction) -> CountPolynomial:
    return CountPolynomial(tuple(c * x for x in p.coefficients))


def _times(p: CountPolynomial, root: int) -> CountPolynomial:
    """p (n - root)."""
    up = CountPolynomial((*p.coefficients, Fraction(0)))
    return up + _scaled(p, Fraction(-root))


def fewer_from(pairs: Sequence[tuple[CountPolynomial, CountPolynomial]]) -> int:
    """The least n from which on every first polynomial is below its second."""
    n = FAR
    while n > 1 and all(a(n - 1) < b(n - 1) for a, b in pairs):
        n -= 1
    return n
