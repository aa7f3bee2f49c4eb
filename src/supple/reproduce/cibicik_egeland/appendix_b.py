"""[CibicikEgeland], Appendix B: velocities of the frames 2_e, 2' and 3_e.

(146), (147) and (149) are compared as symbols: each term as it is printed, against the velocity
that the dual projection matrices give directly. (148), without linearisation, is compared as
numbers, against the derivative of the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ...bodies import Station, rigid_body
from ...formulations import symbols
from ...formulations.projection import at_station, projections
from ...joints import Drive, Revolute
from ...robot import Link, Robot, place_coordinates
from ...screws.dual import DualArray, dual_part, seed
from ...types import Array, Floats, Scalar
from ..report import ReportTable

if TYPE_CHECKING:
    import sympy

Term = tuple[Scalar, int, int]
"""A coefficient, and the axis (0 to 2) of a frame (1 to 3) that it goes along."""
X, Y, Z = np.eye(3, dtype=int)
NAMES = ("q1", "q2", "t1", "t2", "t3", "r2", "r3", "q3", "k2", "k3")
RATES = ("u1", "u2", "dt1", "dt2", "dt3", "dr2", "dr3", "u3", "dk2", "dk3")
ELASTIC = (2, 3, 4, 5, 6, 8, 9)


@cache
def letters() -> dict[str, sympy.Expr]:
    """Symbols of the coordinates, speeds and lengths, and sines and cosines, by name."""
    import sympy

    out: dict[str, sympy.Expr] = dict(zip(NAMES, symbols.coordinates(NAMES), strict=True))
    out |= dict(zip(RATES, symbols.coordinates(RATES), strict=True))
    out |= {name: sympy.Symbol(name, real=True) for name in ("x", "L2")}
    for k in (2, 3):
        out |= {f"c{k}": sympy.cos(out[f"q{k}"]), f"s{k}": sympy.sin(out[f"q{k}"])}
    return out


def state() -> tuple[Array, Array]:
    """q and u of the arm below."""
    at = letters()
    return tuple(np.array([at[n] for n in names], dtype=object) for names in (NAMES, RATES))  # type: ignore[return-value]


def station(
    r: Sequence[Scalar],
    S: Sequence[Array] = (),
    Theta: Sequence[Array] = (),
    R0: Array | None = None,
) -> Station:
    moves, turns = (np.array(x, dtype=int).reshape(-1, 3) for x in (S, Theta))
    R = np.eye(3, dtype=int) if R0 is None else R0
    return Station(np.array(r, dtype=object), moves, turns, np.zeros(3, dtype=int), R)


def node_2(at: sympy.Expr) -> Station:
    """2_e at x, or 2' at L2: turned by t, moved by r."""
    return station([at, 0, 0], [0 * X, 0 * X, 0 * X, Y, Z], [X, Y, Z, 0 * X, 0 * X])


def node_3() -> Station:
    """3_e: moved by k."""
    return station([letters()["x"], 0, 0], [Y, Z], [0 * X, 0 * X])


def arm() -> Robot:
    """Frames 0 to 3 of section VI. Shapes of link 2: t1, t2, t3, r2, r3 at its tip; of link 3: k2,
    k3 at 3_e."""
    R12 = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])  # Rx(-pi/2) Rz(-pi/2)
    links = [
        _link("1", station([0, 0, 0]), -1, 0),
        _link("2", station([0, 0, 0], R0=R12), 0, 5),
        _link("3", node_2(letters()["L2"]), 1, 2),
    ]
    return Robot("arm", place_coordinates(links), np.zeros(3), "first_order")


def _link(name: str, mount: Station, parent: int, shapes: int) -> Link:
    body = replace(rigid_body((), {}), c1=np.zeros((shapes, 3)))
    return Link(name, parent, mount, name, Revolute(), Drive(), body)


def basis(robot: Robot) -> dict[int, DualArray]:
    """Columns x_i, y_i, z_i in the axes of frame 1, as dual vectors."""
    P = projections(robot, state()[0])
    first = P[0].pose.X.inverse()
    return {i + 1: (first @ P[i].pose.X).array() for i in range(3)}


def printed(terms: list[Term], frames: dict[int, DualArray]) -> DualArray:
    """Sum of coefficient * axis, in axes of frame 1, to first order: elastic symbols in the
    coefficients are of order one."""
    import sympy

    e, (q, u) = sympy.Symbol("e"), state()
    small = {s: e * s for s in (*q[list(ELASTIC)], *u[list(ELASTIC)])}
    r, d = np.zeros(3, dtype=object), np.zeros(3, dtype=object)
    for coefficient, frame, axis in terms:
        c = sympy.expand(sympy.sympify(coefficient).subs(small, simultaneous=True))
        c0, c1 = c.coeff(e, 0), c.coeff(e, 1)
        a = frames[frame][:, axis]
        r, d = r + c0 * a.r, d + c0 * a.d + c1 * a.r
    return DualArray(r, d)


def velocity(robot: Robot, i: int, node: Station) -> DualArray:
    """v_{0, i_e} = P^ u at a node of link i (counted from 1), in axes of frame 1."""
    q, u = state()
    J, _ = at_station(robot, i - 1, node, projections(robot, q)[i - 1], q)
    return basis(robot)[i] @ (J @ u)[3:]


def equation_146(at: sympy.Expr) -> list[Term]:
    """(146) with x, (147) with L2."""
    n = letters()
    u1, u2, r2, r3 = (n[k] for k in ("u1", "u2", "r2", "r3"))
    return [
        (n["dr2"], 2, 1),
        (n["dr3"], 2, 2),
        (-u1 * r3, 1, 0),
        (u1 * (at * n["s2"] + r2 * n["c2"]), 2, 2),
        (u2 * at, 2, 1),
        (-u2 * r2, 2, 0),
    ]


def equation_149() -> list[Term]:
    """Line by line."""
    n = letters()
    u1, u2, u3, x, k2, k3 = (n[k] for k in ("u1", "u2", "u3", "x", "k2", "k3"))
    t1, t2, t3, dt1, dt2, dt3 = (n[k] for k in ("t1", "t2", "t3", "dt1", "dt2", "dt3"))
    c2, s2, c3, s3 = (n[k] for k in ("c2", "s2", "c3", "s3"))
    return [
        *equation_146(n["L2"]),
        (n["dk2"], 3, 1),
        (n["dk3"], 3, 2),
        (u1 * x * (-s3 * t1 + c3 * t2), 1, 0),
        (u1 * x * (c3 * (c2 * t3 + s2) + s3 * (c2 - t3 * s2)), 1, 1),
        (u1 * k2 * (c3 * c2 - s3 * s2), 1, 1),
        (-u1 * k3, 1, 0),
        (u2 * x * (-s3 - c3 * t3), 2, 0),
        (u2 * x * (c3 - t3 * s3), 2, 1),
        (-u2 * k2 * c3, 2, 0),
        (-u2 * k2 * s3, 2, 1),
        (u3 * x, 3, 1),
        (-u3 * k2, 3, 0),
        (dt1 * x * s3, 2, 2),
        (-dt2 * x * c3, 2, 2),
        (-dt3 * x * s3, 2, 0),
        (dt3 * x * c3, 2, 1),
    ]


def zero(v: Array) -> bool:
    """Nothing is left when cos^2 + sin^2 = 1 is used up."""
    import sympy

    CS = sympy.symbols("C1:4 S1:4")
    angles = [letters()[f"q{k}"] for k in (1, 2, 3)]
    plain = dict(zip([*map(sympy.cos, angles), *map(sympy.sin, angles)], CS, strict=True))
    ones = [c**2 + s**2 - 1 for c, s in zip(CS[:3], CS[3:], strict=True)]
    rests = [sympy.nsimplify(sympy.expand(sympy.sympify(k).subs(plain))) for k in np.ravel(v)]
    return all(sympy.reduced(rest, ones, *CS)[1] == 0 for rest in rests)


@cache
def equations() -> dict[str, tuple[DualArray, list[Term]]]:
    """Ours and the terms as printed, of (146), (147) and (149)."""
    robot, n = arm(), letters()
    return {
        "(146)": (velocity(robot, 2, node_2(n["x"])), equation_146(n["x"])),
        "(147)": (velocity(robot, 2, node_2(n["L2"])), equation_146(n["L2"])),
        "(149)": (velocity(robot, 3, node_3()), equation_149()),
    }


FRAMES = {"(146)": "2_e", "(147)": "2'", "(149)": "3_e"}


def table() -> ReportTable:
    """The three equations term by term, and whether they are right."""
    frames, rows = basis(arm()), []
    for name, (ours, terms) in equations().items():
        book = printed(terms, frames)
        right = zero(ours.r - book.r) and zero(ours.d - book.d)
        rows.append((name, FRAMES[name], written(terms), "0" if right else "not 0"))
    notes = (
        "x_i, y_i, z_i: axes of frame i. c_i, s_i: cosine and sine of q_i; t: the small angles "
        "theta of 2', r and k: displacements; a d before a letter: its rate. The difference is "
        "taken as symbols, real and dual part, all entries; (149) comes directly from the dual "
        "projection matrix, and no nonlinear expression is written down on the way.",
    )
    columns = ("equation", "velocity of", "as printed", "P^ u less it")
    return ReportTable("Appendix B: (146), (147), (149)", columns, tuple(rows), notes)


def written(terms: list[Term]) -> str:
    """The sum as text: (a) x_1 + (b) y_2 ..."""
    import sympy

    n = letters()
    back = {n[f]: sympy.Symbol(f) for f in ("c2", "s2", "c3", "s3")}
    parts = []
    for c, frame, axis in terms:
        text = str(sympy.sympify(c).xreplace(back)).replace("**", "^").replace("*", " ")
        parts.append(f"({text}) {'xyz'[axis]}_{frame}")
    return " + ".join(parts)


def terms_148(n: dict[str, float], last: bool = True) -> list[Term]:
    """(148) as it is printed, of numbers; `last`: with its last term."""
    c2, s2, c3, s3 = n["c2"], n["s2"], n["c3"], n["s3"]
    (a, b, c), (sa, sb, sc) = ([f(n[k]) for k in ("t1", "t2", "t3")] for f in (np.cos, np.sin))
    u1, u2, u3, x, k2, k3 = (n[k] for k in ("u1", "u2", "u3", "x", "k2", "k3"))
    dt1, dt2, dt3 = n["dt1"], n["dt2"], n["dt3"]
    A, B = c * sa + a * sb * sc, sa * sc - a * c * sb
    C, D = a * c - sa * sb * sc, a * sc + c * sa * sb
    w = u2 + dt3
    out: list[Term] = [
        (n["dk2"], 3, 1), (n["dk3"], 3, 2),
        (-u1 * x * (s3 * A + c3 * B), 1, 0),
        (u1 * x * (c3 * (c2 * D + b * c * s2) + s3 * (c2 * C - b * sc * s2)), 1, 1),
        (u1 * k2 * (s3 * B - c3 * A), 1, 0),
        (u1 * k2 * (c3 * (c2 * C - b * sc * s2) - s3 * (c2 * D + b * c * s2)), 1, 1),
        (-u1 * k3 * a * b, 1, 0), (u1 * k3 * (sb * s2 - b * sa * c2), 1, 1),
        (w * x * (-s3 * C - c3 * D), 2, 0), (w * x * (b * c * c3 - b * sc * s3), 2, 1),
        (w * k2 * (s3 * D - c3 * C), 2, 0), (w * k2 * (-b * c * s3 - b * sc * c3), 2, 1),
        (w * k3 * b * sa, 2, 0), (w * k3 * sb, 2, 1),
        (u3 * x, 3, 1), (-u3 * k2, 3, 0),
        (-dt1 * x * (s3 * A + c3 * B), 2, 1), (dt1 * x * (s3 * C + c3 * D), 2, 2),
        (dt1 * k2 * (s3 * B - c3 * A), 2, 1), (dt1 * k2 * (c3 * C - s3 * D), 2, 2),
        (-dt1 * k3 * a * b, 2, 1), (-dt1 * k3 * b * sa, 2, 2),
        (dt2 * x * (s3 * A + c3 * B), 2, 0), (dt2 * x * (b * sc * s3 - b * c * c3), 2, 2),
        (dt2 * k2 * (c3 * A - s3 * B), 2, 0), (dt2 * k2 * (b * c * s3 + b * sc * c3), 2, 2),
        (dt2 * k3 * a * b, 2, 0), (-dt2 * k3 * sb, 2, 2),
    ]  # fmt: skip
    return [*out, (-dt3 * x * (s3 * C + c3 * D), 2, 0)] if last else out


def _turn(axis: int, angle: Scalar) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    R = np.zeros((3, 3)).astype(object)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R[axis, axis], R[i, i], R[j, j], R[i, j], R[j, i] = 1.0, c, c, -s, s
    return R


def _frames(q: Array) -> tuple[Array, Array]:
    """Axes of frames 2 and 3 in those of frame 1."""
    R2 = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]) @ _turn(2, q[1])
    bent = _turn(0, q[2]) @ _turn(1, q[3]) @ _turn(2, q[4])
    return R2, R2 @ bent @ _turn(2, q[7])


def true_velocity(n: dict[str, float], part: str = "3_e") -> Floats:
    """Of 3_e (or of 2' alone) in axes of frame 1: the position in the world, differentiated by
    dual numbers."""
    q, u = (np.array([n[k] for k in names], dtype=float) for names in (NAMES, RATES))
    at = seed(q, u)
    R2, R3 = _frames(at)
    place = R2 @ np.array([n["L2"], at[5], at[6]])
    if part == "3_e":
        place = place + R3 @ np.array([n["x"], at[8], at[9]])
    moved = np.asarray(dual_part(_turn(2, at[0]) @ place), dtype=float)
    return np.asarray(np.asarray(_turn(2, q[0]), dtype=float).T @ moved)


def velocity_148(n: dict[str, float], last: bool = True) -> Floats:
    """The printed one in axes of frame 1."""
    q = np.array([n[k] for k in NAMES], dtype=float)
    R2, R3 = (np.asarray(R, dtype=float) for R in _frames(q))
    axes = {1: np.eye(3), 2: R2, 3: R3}
    beyond = [c * axes[frame][:, axis] for c, frame, axis in terms_148(n, last)]
    return np.asarray(true_velocity(n, "2'") + sum(beyond))


def numbers(size: float, start: int = 0) -> dict[str, float]:
    """A state whose elastic angles and displacements are of this size, rates of order one."""
    rng = np.random.default_rng(start)
    out = {name: float(v) for name, v in zip((*NAMES, *RATES), rng.normal(size=20), strict=True)}
    for k in ELASTIC:
        out[NAMES[k]] *= size
    out |= {"x": 1.1, "L2": 2.0}
    for k in (2, 3):
        out |= {f"c{k}": np.cos(out[f"q{k}"]), f"s{k}": np.sin(out[f"q{k}"])}
    return out


def nonlinear() -> ReportTable:
    """(148): with and without its last term."""
    rows = []
    for name, last in (("(148) as printed", True), ("(148) without its last term", False)):
        off = [
            float(np.linalg.norm(velocity_148(numbers(s), last) - true_velocity(numbers(s))))
            for s in (0.1, 0.01, 0.001)
        ]
        rows.append((name, *off))
    notes = (
        "v of 3_e at a state with rates of order one and elastic angles of size s, less the "
        "derivative of the position, m/s. The last term doubles what (u_2 + theta_dot_3) holds "
        "already: the error stays. Without it an error of order s is left, since w_03 takes "
        "theta_dot in the axes of frame 2, which is not the angular velocity of Rx Ry Rz.",
    )
    columns = ("", "off, s = 0.1", "s = 0.01", "s = 0.001")
    return ReportTable("Appendix B: (148), not linearised", columns, tuple(rows), notes)
