"""The dual procedure on SymPy symbols: eqs. (146)-(149) of [CibicikEgeland], and equations
that a person can read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy as sp

import supple
from supple.bodies import Station, rigid_body
from supple.formulations import kane, symbols
from supple.formulations.projection import at_station, projections
from supple.joints import Drive, Revolute
from supple.robot import Link, Robot, place_coordinates
from supple.screws.dual import DualArray

x, L2, L3 = sp.symbols("x L2 L3", real=True)
e = sp.Symbol("e")  # the dual unit, in what is printed
X, Y, Z = np.eye(3, dtype=int)
NONE = np.zeros((0, 3), dtype=int)


def station(r: Any, S: Any = NONE, Theta: Any = NONE, R0: Any = None) -> Station:
    R0 = np.eye(3, dtype=int) if R0 is None else R0
    S, Theta, rho = np.array(S), np.array(Theta), np.zeros(3, dtype=int)
    return Station(np.array(r, dtype=object), S, Theta, rho, R0)


def link(name: str, mount: Station, parent: int, shapes: int) -> Link:
    body = replace(rigid_body((), {}), c1=np.zeros((shapes, 3)))
    return Link(name, parent, mount, name, Revolute(), Drive(), body)


def arm() -> Robot:
    """Frames 0 to 3 of section VI. Shapes of link 2: theta_1, theta_2, theta_3, r_2, r_3 at its
    tip; of link 3: k_2, k_3 at 3_e."""
    R12 = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])  # Rx(-pi/2) Rz(-pi/2)
    tip = station([L2, 0, 0], [0 * X, 0 * X, 0 * X, Y, Z], [X, Y, Z, 0 * X, 0 * X])
    links = [
        link("1", station([0, 0, 0]), -1, 0),
        link("2", station([0, 0, 0], R0=R12), 0, 5),
        link("3", tip, 1, 2),
    ]
    return Robot("arm", place_coordinates(links), np.zeros(3), "first_order")


names = ["q1", "q2", "t1", "t2", "t3", "r2", "r3", "q3", "k2", "k3"]
q = symbols.coordinates(names)
u = symbols.coordinates(["u1", "u2", "dt1", "dt2", "dt3", "dr2", "dr3", "u3", "dk2", "dk3"])
u1, u2, dt1, dt2, dt3, dr2, dr3, u3, dk2, dk3 = u
q1, q2, t1, t2, t3, r2, r3, q3, k2, k3 = q
c2, s2, c3, s3 = sp.cos(q2), sp.sin(q2), sp.cos(q3), sp.sin(q3)


CS = sp.symbols("C1:4 S1:4")


def zero(v: Any) -> bool:
    """Nothing is left when cos^2 + sin^2 = 1 is used up."""
    angles = (q1, q2, q3)
    plain = dict(zip([*map(sp.cos, angles), *map(sp.sin, angles)], CS, strict=True))
    ones = [c**2 + s**2 - 1 for c, s in zip(CS[:3], CS[3:], strict=True)]
    rests = [sp.nsimplify(sp.expand(sp.sympify(k).subs(plain))) for k in np.ravel(v)]
    return all(sp.reduced(rest, ones, *CS)[1] == 0 for rest in rests)


def basis(robot: Robot) -> dict[int, DualArray]:
    """Columns x_i, y_i, z_i in the axes of frame 1, as dual vectors."""
    P = projections(robot, q)
    first = P[0].pose.X.inverse()
    return {i + 1: (first @ P[i].pose.X).array() for i in range(3)}


def printed(terms: list[tuple[Any, int, int]], frames: dict[int, DualArray]) -> DualArray:
    """Sum of coefficient * axis of a frame, in axes of frame 1, to first order: elastic symbols
    in the coefficients are of order one."""
    small = {s: e * s for s in (*q[[2, 3, 4, 5, 6, 8, 9]], *u[[2, 3, 4, 5, 6, 8, 9]])}
    r, d = np.zeros(3, dtype=object), np.zeros(3, dtype=object)
    for coefficient, frame, axis in terms:
        c = sp.expand(sp.sympify(coefficient).subs(small, simultaneous=True))
        c0, c1 = c.coeff(e, 0), c.coeff(e, 1)
        a = frames[frame][:, axis]
        r, d = r + c0 * a.r, d + c0 * a.d + c1 * a.r
    return DualArray(r, d)


def velocity(robot: Robot, i: int, node: Station) -> DualArray:
    """v_{0, i_e} = P^ u at a node of link i (counted from 1), in axes of frame 1."""
    P = projections(robot, q)
    J, _ = at_station(robot, i - 1, node, P[i - 1], q)
    return basis(robot)[i] @ (J @ u)[3:]


def v146(at: Any) -> list[tuple[Any, int, int]]:
    """Eqs. (146) and (147)."""
    terms = [(dr2, 2, 1), (dr3, 2, 2), (-u1 * r3, 1, 0)]
    terms += [(u1 * (at * s2 + r2 * c2), 2, 2), (u2 * at, 2, 1), (-u2 * r2, 2, 0)]
    return terms


@pytest.mark.parametrize("at", [x, L2])
def test_equations_146_and_147(at: Any) -> None:
    robot = arm()
    node = station([at, 0, 0], [0 * X, 0 * X, 0 * X, Y, Z], [X, Y, Z, 0 * X, 0 * X])
    got, want = velocity(robot, 2, node), printed(v146(at), basis(robot))
    assert zero(got.r - want.r)
    assert zero(got.d - want.d)


def v149() -> list[tuple[Any, int, int]]:
    """Eq. (149) line by line."""
    terms = v146(L2)
    terms += [(dk2, 3, 1), (dk3, 3, 2), (u1 * x * (-s3 * t1 + c3 * t2), 1, 0)]
    terms += [(u1 * x * (c3 * (c2 * t3 + s2) + s3 * (c2 - t3 * s2)), 1, 1)]
    terms += [(u1 * k2 * (c3 * c2 - s3 * s2), 1, 1), (-u1 * k3, 1, 0)]
    terms += [(u2 * x * (-s3 - c3 * t3), 2, 0), (u2 * x * (c3 - t3 * s3), 2, 1)]
    terms += [(-u2 * k2 * c3, 2, 0), (-u2 * k2 * s3, 2, 1), (u3 * x, 3, 1), (-u3 * k2, 3, 0)]
    terms += [(dt1 * x * s3, 2, 2), (-dt2 * x * c3, 2, 2)]
    return [*terms, (-dt3 * x * s3, 2, 0), (dt3 * x * c3, 2, 1)]


def test_equation_149() -> None:
    """The velocity of 3_e directly from the dual projection matrix, no nonlinear step."""
    robot = arm()
    node = station([x, 0, 0], [Y, Z], [0 * X, 0 * X])
    got, want = velocity(robot, 3, node), printed(v149(), basis(robot))
    assert zero(got.r - want.r)
    assert zero(got.d - want.d)
    assert not zero(got.d)


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
