"""Eqs. (97)-(112) of [CibicikEgeland] as they are printed: matrices with twelve rows, integrals
along each link, against the same from dual arithmetic and the modal body."""

from __future__ import annotations

from typing import Any

import numpy as np

import supple
from arm import paper_beam, sections, state
from supple.bodies import Station, beam_station
from supple.bodies.beam import quadrature
from supple.formulations import at_station, kane, projections, station_rate
from supple.screws import skew
from supple.screws.dual import DualArray, stacked

Z3, Z6 = np.zeros((3, 3)), np.zeros((6, 6))
IHAT = np.block([[np.eye(3), np.eye(3)], [np.eye(3), Z3]])


def doubled(M: Any) -> Any:
    """[[M, M], [M, 0]], eq. (99)."""
    return np.block([[M, M], [M, Z3]])


def D(J: Any, mass: float) -> Any:
    """Eqs. (102), (107)."""
    return np.block([[doubled(J), Z6], [Z6, mass * IHAT]])


def up(w: Any) -> Any:
    """[w]^ of twelve-row vectors' halves, eq. (38)."""
    return np.block([[skew(w[:3]), Z3], [skew(w[3:]), skew(w[:3])]])


def down(w: Any) -> Any:
    """[w]_^, eq. (100)."""
    return np.block([[skew(w[:3]), skew(w[3:])], [Z3, skew(w[:3])]])


def twice(A: Any, B: Any) -> Any:
    return np.block([[A, Z6], [Z6, B]])


def section_force(P: Any, rate: Any, Dhat: Any, w: Any, u: Any, third: Any) -> Any:
    """(D P_dot + D W_I P + W_II D P) u of a section of an elastic link, eq. (112)."""
    t = P @ u
    force = Dhat @ (rate @ u) + Dhat @ twice(up(w), up(w)) @ t
    return force + twice(third(t[:6]), Z6) @ Dhat @ t


def columns(robot: Any, i: int, at: Station, p: Any, q: Any, u: Any) -> tuple[Any, Any, Any]:
    """P^, P~ and P^_dot with twelve rows at a point of link i, of projections p."""
    P, Pu = at_station(robot, i, at, p, q)
    return stacked(P), stacked(Pu), stacked(station_rate(robot, i, at, P, u))


def printed_equations(given: Any, q: Any, u: Any, third: Any = down) -> tuple[Any, Any, Any]:
    """M, C u and gravity summed over rigid links and integrated over elastic ones."""
    robot = supple.load("cibicik-arm")
    M, Cu, gravity = np.zeros((16, 16)), np.zeros(16), np.zeros(16)
    ps = projections(robot, q)
    for i, c, mass, J in rigid(given):
        at = Station(c, np.zeros((0, 3)), np.zeros((0, 3)))
        P, Pu, rate = columns(robot, i, at, ps[i], q, u)
        Dhat, t = D(J, mass), P @ u
        W = twice(down(t[:6]), down(t[:6]))
        M += Pu.T @ Dhat @ Pu
        Cu += Pu.T @ (Dhat @ rate @ u + W @ Dhat @ t)
        gravity -= Pu.T @ weight(robot, ps[i], mass)
    for i in (1, 2):
        beam, base = paper_beam(given, i + 1)
        assert beam.turning is not None
        w = stacked(ps[i].jacobian[:6])[:6] @ u
        for x, dx in zip(*quadrature(beam, 2), strict=True):
            at = beam_station(beam, base, float(x), np.zeros(3), np.eye(3))
            P, Pu, rate = columns(robot, i, at, ps[i], q, u)
            J = np.diag([float(j(np.array([x]))[0]) for j in beam.turning])
            mass = float(beam.mass(np.array([x]))[0])
            M = M + dx * (Pu.T @ D(J, mass) @ Pu)
            Cu = Cu + dx * (Pu.T @ section_force(P, rate, D(J, mass), w, u, third))
            gravity = gravity - dx * (Pu.T @ weight(robot, ps[i], mass))
    return M, Cu, gravity


def rigid(given: Any) -> list[tuple[int, Any, float, Any]]:
    x = given["inputs"]
    first = np.diag([0.0, 0.0, x["I13"]])
    return [
        (0, np.array([0.0, 0.0, x["d1"]]), x["m1"], first),
        (3, np.array([x["d4"], 0.0, 0.0]), x["m4"], np.diag(x["I4"])),
    ]


def weight(robot: Any, p: Any, mass: float) -> Any:
    """PI^ w^ of eqs. (102), (123)-(124): moments first, as the rows of P."""
    f = mass * (p.pose.X.inverse() @ robot.gravity)
    return np.concatenate([np.zeros(6), IHAT @ f.matrix()])


def test_the_printed_matrices_are_dual_arithmetic(reference: Any) -> None:
    given = reference("cibicik_arm")
    robot = supple.load("cibicik-arm")
    for s in given["states"]:
        q, u = state(s)
        eq = kane.equations(robot, q, u, kane.Order("paper", sections(given)))
        M, Cu, gravity = printed_equations(given, q, u)
        assert np.abs(M - eq.M).max() < 1e-11 * np.abs(M).max()
        assert np.abs(Cu - eq.C @ u).max() < 1e-11 * np.abs(Cu).max()
        assert np.abs(gravity - eq.gravity).max() < 1e-11 * np.abs(gravity).max()


def test_the_third_term_of_105_needs_the_lower_wedge(reference: Any) -> None:
    """With [.]^ as printed in (105) instead of [.]_^ of (108), C u is another."""
    given = reference("cibicik_arm")
    q, u = state(given["states"][1])
    _, right, _ = printed_equations(given, q, u)
    _, wrong, _ = printed_equations(given, q, u, up)
    assert np.abs(right - wrong).max() > 1e-6


def test_identity_after_100() -> None:
    """I^ [w]^ = [w]_^ I^."""
    w = np.arange(1.0, 7.0)
    assert np.array_equal(IHAT @ up(w), down(w) @ IHAT)
    assert np.array_equal(DualArray(w[:3], w[3:]).matrix(), w)
