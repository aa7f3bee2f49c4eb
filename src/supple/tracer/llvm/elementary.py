"""Elementary functions in LLVM, on doubles, floats, or vectors of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .builder import Builder
from .values import (
    INDEX,
    REAL,
    SINGLE,
    Value,
    bytes_of,
    constant,
    element_of,
    not_a_number,
    vector,
)

# pi/2 in three parts: 1.5707..., and what it leaves out, twice
_HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)
_SINE = (
    1.58969099521155010221e-10,
    -2.50507602534068634195e-08,
    2.75573137070700676789e-06,
    -1.98412698298579493134e-04,
    8.33333333332248946124e-03,
    -1.66666666666666324348e-01,
)
_COSINE = (
    -1.13596475577881948265e-11,
    2.08757232129817482790e-09,
    -2.75573143513906633035e-07,
    2.48015872894767294178e-05,
    -1.38888888888741095749e-03,
    4.16666666666666019037e-02,
)
_TANH = (  # (tanh x - x) / x^3 in powers of x^2
    -929569 / 638512875,
    21844 / 6081075,
    -1382 / 155925,
    62 / 2835,
    -17 / 315,
    2 / 15,
    -1 / 3,
)
_FAR = 1e15
_ROUND = 6755399441055744.0  # 1.5 x 2^52: adding it rounds to a whole number


def reciprocal(b: Builder, x: Value) -> Value:
    return b.fdiv(constant(1.0, x.type), x)


def fused(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """x y + z, rounded once where the machine can."""
    return b.intrinsic("fmuladd", x, y, z, flags="nsz ")


def polynomial(b: Builder, coefficients: Sequence[float], z: Value) -> Value:
    """Highest power first."""
    total = constant(coefficients[0], z.type)
    for c in coefficients[1:]:
        total = fused(b, z, total, constant(c, z.type))
    return total


def sincos(b: Builder, x: Value) -> tuple[Value, Value]:
    """Sine and cosine, within 2 ulp for |x| up to 1e8 (in fact to 1e14); NaN beyond 1e15,
    where a double holds no fraction of a turn. Written once for an angle.

    k = nearest whole number to 2 x / pi, r = x - k pi/2 exactly (three fused steps), two
    polynomials in r^2, and k mod 4 says which is which and with what sign.
    """
    return b.once("sincos", x, lambda: _sincos(b, x))


def know_sincos(b: Builder, x: Value, pair: tuple[Value, Value]) -> None:
    """They have been taken already."""
    b.know("sincos", x, pair)


def _sincos(b: Builder, x: Value) -> tuple[Value, Value]:
    """Floats are reduced as doubles, so that they lose nothing either; their polynomials may be
    shorter."""
    single, kind, lanes = element_of(x.type) == SINGLE, x.type, x.lanes
    r, quarter = _reduced(b, b.convert("fpext", x, vector(REAL, lanes)) if single else x)
    if single:
        r = b.convert("fptrunc", r, kind)
        quarter = b.convert("trunc", quarter, vector("i32", lanes))
    short = 2 if single else 0
    z = b.exactly("fmul", r, r)
    sine = fused(b, b.exactly("fmul", z, r), polynomial(b, _SINE[short:], z), r)
    square = b.exactly("fmul", z, z)
    head = fused(b, z, constant(-0.5, kind), constant(1.0, kind))
    cosine = fused(b, square, polynomial(b, _COSINE[short:], z), head)
    return _quadrant(b, quarter, sine, cosine)


def _reduced(b: Builder, x: Value) -> tuple[Value, Value]:
    """x - k pi/2 and k."""
    kind, big = x.type, constant(_ROUND, x.type)
    shifted = b.exactly("fadd", b.fmul(x, constant(2.0 / math.pi, kind)), big)
    k = b.exactly("fsub", shifted, big)
    known = b.fcmp("olt", b.intrinsic("fabs", x), constant(_FAR, kind))
    r = b.select(known, x, not_a_number(kind))
    for part in _HALF_PI:
        r = b.intrinsic("fma", k, constant(-part, kind), r)
    return r, b.convert("bitcast", shifted, vector(INDEX, x.lanes))


def _quadrant(b: Builder, k: Value, sine: Value, cosine: Value) -> tuple[Value, Value]:
    odd = b.icmp("ne", b.bits("and", k, 1), 0)
    first, second = b.select(odd, cosine, sine), b.select(odd, sine, cosine)
    return _signed(b, first, k), _signed(b, second, b.add(k, 1))


def _signed(b: Builder, x: Value, k: Value) -> Value:
    """x, negated where the second bit of k is set."""
    sign = b.bits("shl", b.bits("and", k, 2), 8 * bytes_of(k.type) - 2)
    turned = b.bits("xor", b.convert("bitcast", x, k.type), sign)
    return b.convert("bitcast", turned, x.type)


def tanh(b: Builder, x: Value) -> Value:
    """1 - 2 / (exp(2 x) + 1), and a series where that would cancel."""
    one, two = constant(1.0, x.type), constant(2.0, x.type)
    grown = b.fadd(b.intrinsic("exp", b.fadd(x, x)), one)
    far = b.fsub(one, b.fdiv(two, grown))
    square = b.fmul(x, x)
    near = fused(b, b.fmul(x, square), polynomial(b, _TANH, square), x)
    small = b.fcmp("olt", b.intrinsic("fabs", x), constant(0.125, x.type))
    return b.select(small, near, far)


def larger(b: Builder, x: Value, y: Value) -> Value:
    """The larger one; where x is no number, neither is it."""
    return b.select(b.fcmp("ogt", y, x), y, x)


def step(b: Builder, x: Value) -> Value:
    """1 where x is above zero, else 0."""
    above = b.fcmp("ogt", x, constant(0.0, x.type))
    return b.select(above, constant(1.0, x.type), constant(0.0, x.type))


def above_zero(b: Builder, x: Value) -> Value:
    """x where it is above zero, else NaN."""
    return b.select(b.fcmp("ogt", x, constant(0.0, x.type)), x, not_a_number(x.type))
