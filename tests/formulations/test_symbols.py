"""The dual procedure on SymPy symbols: eqs. (146)-(149) of [CibicikEgeland], and equations
that a person can read."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import sympy as sp

import supple
from supple import recursion
from supple.formulations import kane, symbols
from supple.reproduce.cibicik_egeland import appendix_b, groups, written_out

derived = cache(appendix_b.equations)


@pytest.mark.parametrize("name", ["(146)", "(147)", "(149)"])
def test_velocities_of_appendix_b(name: str) -> None:
    """Directly from the dual projection matrix, no nonlinear step."""
    ours, terms = derived()[name]
    book = appendix_b.printed(terms, appendix_b.basis(appendix_b.arm()))
    assert appendix_b.zero(ours.r - book.r)
    assert appendix_b.zero(ours.d - book.d)
    assert not appendix_b.zero(ours.d)


def test_all_of_148_but_its_last_term_is_w_x_p() -> None:
    """With w_03 as printed, which is not the angular velocity of Rx Ry Rz."""
    n = appendix_b.numbers(0.3)
    q = np.array([n[k] for k in appendix_b.NAMES])
    R2, R3 = (np.asarray(R, dtype=float) for R in appendix_b._frames(q))
    w = n["u1"] * np.eye(3)[2] + n["u3"] * R3[:, 2]
    w = w + R2 @ [n["dt1"], n["dt2"], n["u2"] + n["dt3"]]
    place, drift = R3 @ [n["x"], n["k2"], n["k3"]], R3 @ [0.0, n["dk2"], n["dk3"]]
    right = appendix_b.true_velocity(n, "2'") + drift + np.cross(w, place)
    np.testing.assert_allclose(appendix_b.velocity_148(n, last=False), right, atol=1e-13)
    wrong, mended = appendix_b.nonlinear().rows
    assert wrong[3] > 1.0  # as printed, even with no deflection
    assert mended[1] / mended[3] == pytest.approx(100.0, rel=0.2)  # of first order


def test_kanes_equations_written_out_are_those_of_the_recursion() -> None:
    arm, rng = supple.load("cibicik-arm"), np.random.default_rng(5)
    q, u, tau = 0.05 * rng.normal(size=16), rng.normal(size=16), rng.normal(size=16)
    ours = np.asarray(written_out.forward_dynamics(arm, q, u, tau), dtype=float)
    theirs = np.asarray(recursion.forward_dynamics(arm, q, u, tau), dtype=float)
    np.testing.assert_allclose(ours, theirs, atol=1e-11 * np.abs(theirs).max())
    (a, b, full), (c, d, short) = (written_out.counts(way) for way in written_out.WAYS)
    assert c + d < a + b < 2 * (c + d)
    assert full > 100 * short


def test_right_velocities_of_g2_and_twelve_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """(15)-(21), (91)-(96) at a state of our own."""
    rng, arm = np.random.default_rng(6), supple.load("cibicik-arm")
    at = arm, 0.2 * rng.normal(size=16), rng.normal(size=16)
    monkeypatch.setattr(groups, "state", lambda: at)
    assert groups.largest_defect() < 1e-13


def test_equations_in_symbols_are_the_numbers() -> None:
    """One-link and two-link arms: substitute numbers into the symbolic M, C and gravity."""
    for name in ("lin-lewis-f", "lin-lewis-rf", "lin-lewis-rr"):
        robot = supple.load(name).replace(gravity=(0.0, -9.81, 0.0))
        eq = symbols.equations(robot)
        at, speed = symbols.state(robot)
        rng = np.random.default_rng(3)
        numbers = 0.3 * rng.normal(size=robot.nq), rng.normal(size=robot.nv)
        table = dict(zip([*at, *speed], np.concatenate(numbers), strict=True))
        plain = kane.equations(robot, *numbers)
        for symbolic, value in ((eq.M, plain.M), (eq.C, plain.C), (eq.gravity.T, plain.gravity)):
            got = np.array(symbolic.subs(table).tolist(), dtype=float)
            assert np.abs(got - value).max() < 1e-12 * (1.0 + np.abs(value).max())


def test_a_pendulum_reads_as_in_a_textbook() -> None:
    words = {
        "name": "pendulum",
        "gravity": [0, -9.81, 0],
        "links": {"arm": {"rigid": {"mass": 2, "com": [1, 0, 0], "inertia": [0, 0, 0]}}},
        "joints": [{"name": "swing", "type": "revolute", "child": "arm"}],
    }
    eq = symbols.equations(supple.build(words))
    angle = symbols.Coordinate("swing")
    assert sp.simplify(eq.M[0] - 2) == 0
    assert sp.simplify(sp.nsimplify(eq.gravity[0] - 2 * sp.Rational(981, 100) * sp.cos(angle))) == 0
    assert eq.C[0] == 0
