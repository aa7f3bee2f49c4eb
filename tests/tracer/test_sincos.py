"""The inlined sine and cosine, against mpmath."""

from __future__ import annotations

import ctypes

import mpmath
import numpy as np
import pytest

from supple.tracer import assemble, host
from supple.tracer.llvm.elementary import sincos
from supple.tracer.llvm.module import Module
from supple.tracer.llvm.values import POINTER, REAL, vector


def compiled(lanes: int) -> ctypes._CFuncPtr:
    module = Module()
    given = dict.fromkeys(("angles", "sines", "cosines"), POINTER)
    with module.function("f", given) as (b, (angles, sines, cosines)):
        s, c = sincos(b, b.load(vector(REAL, lanes), angles))
        b.store(s, sines)
        b.store(c, cosines)
    code = assemble(module.text(), ["f"])
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(code.address("f"))
    function.code = code
    return function


def ulps(got: float, exact: mpmath.mpf) -> float:
    return float(abs(mpmath.mpf(got) - exact) / np.spacing(abs(float(exact)) or 5e-324))


@pytest.mark.parametrize("lanes", sorted({1, host().lanes}))
def test_beyond_any_meaning_the_answer_is_nan(lanes: int) -> None:
    function = compiled(lanes)
    for angle in (1e15, -1e16, 1e300, np.inf, np.nan):
        x, s, c = np.full(lanes, angle), np.empty(lanes), np.empty(lanes)
        function(*(a.ctypes.data for a in (x, s, c)))
        assert np.all(np.isnan(s))
        assert np.all(np.isnan(c))
    x = np.full(lanes, 1e14)
    function(*(a.ctypes.data for a in (x, s, c)))
    assert abs(s[0] - np.sin(1e14)) < 1e-15


@pytest.mark.parametrize("lanes", sorted({1, host().lanes}))
def test_within_two_ulp_to_a_hundred_million(lanes: int) -> None:
    function = compiled(lanes)
    rng = np.random.default_rng(0)
    near_zeros = np.round(rng.uniform(-6e7, 6e7, 400)) * (np.pi / 2)
    x = np.concatenate(
        [
            rng.uniform(-4, 4, 800),
            rng.uniform(-1e8, 1e8, 800),
            np.exp(rng.uniform(-40, 18, 400)),
            near_zeros,
            [0.0, 1e-300, np.pi, np.pi / 2, -np.pi, 1e8, -1e8],
        ]
    )
    x = np.concatenate([x, np.zeros(-len(x) % lanes)])
    s, c = np.empty_like(x), np.empty_like(x)
    for i in range(0, len(x), lanes):
        function(*(a[i:].ctypes.data for a in (x, s, c)))
    with mpmath.workdps(50):
        worst = max(
            max(ulps(a, mpmath.sin(mpmath.mpf(v))), ulps(b, mpmath.cos(mpmath.mpf(v))))
            for v, a, b in zip(x, s, c, strict=True)
            if v != 0.0
        )
    assert worst <= 2.0
    assert s[np.flatnonzero(x == 0.0)[0]] == 0.0
