"""[LinLewis]: the four case studies of section 4, the Appendix and Theorem 1."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...analyse.zeros import Zeros, shape_eigenvalues, zeros
from ...model import load
from ...robot import Robot
from ...symbolic import equations
from ...types import Floats, Json
from ..report import ReportTable, printed_data

if TYPE_CHECKING:
    import sympy

COUNTS = (2, 5, 10, 15)
FAMILIES = ("pinned_pinned", "clamped_free")
ORDER = (0, 1, 3, 2)  # the paper's (theta1, theta2, theta3, v) in our link by link order


def printed() -> Json:
    """What the paper prints."""
    return printed_data("lin-lewis")


def textbook() -> dict[str, sympy.Expr]:
    """M, C qd in matrix form and g of the two-link arm, term by term.

    Reference: [SpongVidyasagar]: h = -m2 l1 lc2 sin q2.
    """
    import sympy

    m1, m2, l1, a, b, i1, i2, g = sympy.symbols("m1 m2 L1 cx1 cx2 Izz1 Izz2 g")
    q1, q2, u1, u2 = sympy.symbols("theta1 theta2 theta1_dot theta2_dot")
    c2, h = sympy.cos(q2), -m2 * l1 * b * sympy.sin(q2)
    d12 = m2 * (b**2 + l1 * b * c2) + i2
    d11 = m1 * a**2 + m2 * (l1**2 + b**2 + 2 * l1 * b * c2) + i1 + i2
    second = m2 * b * g * sympy.cos(q1 + q2)
    return {
        "M[1,1]": d11,
        "M[1,2]": d12,
        "M[2,2]": m2 * b**2 + i2,
        "D[1,1]": h * u2,
        "D[1,2]": h * (u1 + u2),
        "D[2,1]": -h * u1,
        "D[2,2]": sympy.S.Zero,
        "G[1]": (m1 * a + m2 * l1) * g * sympy.cos(q1) + second,
        "G[2]": second,
    }


def rigid_two_links() -> ReportTable:
    """Case 4.1: our entries less the textbook's."""
    import sympy

    eq = equations(load("lin-lewis-rr"))
    rows = []
    for place, book in textbook().items():
        index = [int(x) - 1 for x in place[2:-1].split(",")]
        ours = getattr(eq, place[0])[(*index, 0)[:2]]
        rows.append((place, str(book), str(sympy.expand(ours - book))))
    return ReportTable(
        "4.1 rigid two-link arm", ("entry", "textbook", "ours - textbook"), tuple(rows)
    )


def one_link(family: str, count: int) -> Robot:
    return load("lin-lewis-f").with_modes(count, family=family)


def eigenvalues(data: Json) -> ReportTable:
    """Case 4.2: eigenvalues of M_FF^-1 U_FF, 15 pinned-pinned shapes."""
    robot = one_link("pinned_pinned", 15)
    ours = shape_eigenvalues(robot, robot.neutral())
    rho, EI, L = 2.54e-4 * 0.14, 4120.0, 47.0
    rows = []
    for k, (value, text) in enumerate(zip(ours, data["eigenvalues_pinned_15"], strict=True), 1):
        exact = EI / rho * (k * np.pi / L) ** 4
        word = data["eigenvalue_faults"].get(str(k), "truncated")
        rows.append((k, float(value), float(exact), text, word))
    return ReportTable(
        "4.2 one flexible link: eigenvalues of M_FF^-1 U_FF, 15 pinned-pinned shapes",
        ("mode", "ours", "EI/(rho A) (k pi/L)^4", "printed", "the print"),
        tuple(rows),
        ("They are squares of frequencies. The pinned tip mass does not move.",),
    )


def blocks() -> ReportTable:
    """Lower modes are blocks of M and U with more modes."""
    rows = []
    for family in FAMILIES:
        few = [one_link(family, n).links[0].body for n in COUNTS]
        for body, wide in itertools.pairwise(few):
            n = body.m
            M = np.abs(wide.Mdd[:n, :n] - body.Mdd).max() / np.abs(body.Mdd).max()
            U = np.abs(wide.K[:n, :n] - body.K).max() / np.abs(body.K).max()
            rows.append((family, f"{n} in {wide.m}", float(M), float(U)))
    return ReportTable(
        "4.2 the block of the lower modes, largest difference (relative)",
        ("family", "modes", "M_FF", "U_FF"),
        tuple(rows),
    )


def zeros_table(data: Json) -> ReportTable:
    """Case 4.2: zeros with the joint angle as output, two shapes, beside the printed ones."""
    rows: list[tuple[object, ...]] = []
    for family, key in zip(FAMILIES, ("zeros_pinned", "zeros_clamped"), strict=True):
        for count in COUNTS:
            found = zeros(one_link(family, count))
            text = _text(data[key]) if count == 2 else ""
            rows.append((family, count, _shown(found), text, found.stability))
    rows.append(("pinned, phi'(0) M_RF halved", 2, _pairs(halved_zeros()), "as printed", ""))
    return ReportTable(
        "4.2 zeros with the joint angle as output",
        ("family", "modes", "ours (the four nearest to zero)", "printed", "zero dynamics"),
        tuple(rows),
        ("The printed pinned-pinned zeros come out only when phi'(0) M_RF is halved.",),
    )


def halved_zeros() -> np.ndarray:
    """s of det(s^2 (M_FF - b M_RF / 2) + U_FF) = 0: what the paper seems to have solved."""
    from ...recursion import mass_matrix

    robot = one_link("pinned_pinned", 2)
    M, b = mass_matrix(robot, robot.neutral()), robot.input_matrix[1:, 0]
    wrong = M[1:, 1:] - 0.5 * np.outer(b, M[0, 1:])
    squares = np.linalg.eigvals(-np.linalg.solve(wrong, robot.links[0].body.K)).astype(complex)
    return np.concatenate([np.sqrt(squares), -np.sqrt(squares)])


def _shown(found: Zeros) -> str:
    return _pairs(found.zeros)


def _pairs(values: np.ndarray) -> str:
    ordered = sorted(values, key=lambda z: (abs(z), -z.real, -z.imag))[:4]
    return _text([[z.real, z.imag] for z in ordered])


def _text(values: Iterable[Sequence[float]]) -> str:
    out = []
    for real, imag in values:
        if abs(imag) < 1e-9 * abs(real):
            out.append(f"{real:.6g}")
        elif abs(real) < 1e-9 * abs(imag):
            out.append(f"{'-' if imag < 0 else ''}j{abs(imag):.6g}")
        else:
            out.append(f"{real:.6g}{'-' if imag < 0 else '+'}j{abs(imag):.6g}")
    return ", ".join(out)


def turret() -> ReportTable:
    """Case 4.3: turret and barrel in three dimensions, both families."""
    rows = []
    for family in FAMILIES:
        robot = load("lin-lewis-rf").with_modes(family=family).replace(gravity=(0, 0, 0))
        found = zeros(robot)
        size = equations(robot).operations()
        coordinates = ", ".join(robot.coordinate_names)
        rows.append((family, coordinates, size["common"], _shown(found), found.stability))
    return ReportTable(
        "4.3 rigid and flexible link in three dimensions, two shapes a plane",
        ("family", "coordinates", "operations", "zeros nearest to zero", "zero dynamics"),
        tuple(rows),
        (
            "The paper gives no numbers here; it finds the pinned zero dynamics unstable and the "
            "clamped ones marginally stable.",
        ),
    )


def appendix_differences(data: Json) -> dict[str, sympy.Expr]:
    """Ours less the printed M, entry by entry, in the paper's letters; rounding left out."""
    import sympy

    eq = equations(load("lin-lewis-rfr"), tip_angle="chord")
    values = {p.name: p.value for p in eq.parameters}
    out = {}
    for key, text in data["appendix"].items():
        i, j = (ORDER[int(x) - 1] for x in key)
        ours, book = _letters(eq.M[i, j]), sympy.sympify(text)
        numbers = {"c": values["phi2_v1"], "p1": values["a2_v1"], "p2": values["e2_v1v1"]}
        numbers["py"] = values["b2_v1"]
        out[key] = _less(ours, book, {sympy.Symbol(k): v for k, v in numbers.items()})
    return out


def _letters(e: sympy.Expr) -> sympy.Expr:
    """Our symbols in the paper's letters."""
    import sympy

    new = {
        "theta1": "t1", "theta2": "t2", "theta3": "t3", "v2_1": "v", "Izz1": "I1", "Izz3": "I3",
        "cx1": "Lc1", "cx3": "Lc3", "m1": "ms1", "m3": "ms3", "mp3": "mpd", "phi2_v1": "c",
        "a2_v1": "p1", "e2_v1v1": "p2", "b2_v1": "py",
    }  # fmt: skip
    table = {sympy.Symbol(a): sympy.Symbol(b) for a, b in new.items()}
    table[sympy.Symbol("rhoA2")] = sympy.Symbol("A2") * sympy.Symbol("ro2")
    return e.xreplace(table)


def _less(ours: sympy.Expr, book: sympy.Expr, numbers: dict[sympy.Symbol, float]) -> sympy.Expr:
    """Expanded difference, sines and cosines as they stand, coefficients of rounding dropped."""
    import sympy

    waves = {f: sympy.Dummy() for f in (ours - book).atoms(sympy.sin, sympy.cos)}
    back = {d: f for f, d in waves.items()}
    plain = sympy.expand((ours - book).xreplace(waves).xreplace(numbers))
    kept = [t for t in sympy.Add.make_args(plain) if abs(t.as_coeff_Mul()[0]) > 2e-6]
    return sympy.Add(*kept).xreplace(back)


def appendix(data: Json) -> ReportTable:
    """Case 4.4 and the Appendix."""
    import sympy

    rows = []
    for key, difference in appendix_differences(data).items():
        rounded = difference.xreplace({f: sympy.Float(f, 6) for f in difference.atoms(sympy.Float)})
        fault = data["appendix_faults"].get(key, "")
        rows.append((f"M[{key[0]},{key[1]}]", str(rounded), fault or "correct"))
    return ReportTable(
        "4.4 RFR arm, clamped-loaded shape, chord angle: the Appendix's M entry by entry",
        ("entry", "ours - printed", "the print"),
        tuple(rows),
        ("c = phi(L2) = 0.5497897; th3* = th3 + c v/L2. The print holds five digits in places.",),
    )


def skew_table() -> ReportTable:
    """M_dot - 2 D at a state, with D of (26) and with D of (22), (24)."""
    robot = load("lin-lewis-rfr")
    q, qd = np.array([0.3, 0.5, 0.05, -0.7]), np.array([0.2, -0.3, 0.6, 0.4])
    right, wrong = skew_defects(robot, q, qd)
    rows = (("(26), Christoffel symbols", right), ("(22) with (24)", wrong))
    return ReportTable(
        "Theorem 1: largest entry of the symmetric part of M_dot - 2 D", ("D by", "defect"), rows
    )


def skew_defects(robot: Robot, q: Floats, qd: Floats) -> tuple[float, float]:
    """How far M_dot - 2 D is from skew: for D of (26), and of (22) with (24)."""
    import sympy

    eq = equations(robot)
    n = len(q)
    slopes = [[[eq.M[a, b].diff(c) for c in eq.q] for b in range(n)] for a in range(n)]
    from ...symbolic import subexpressions

    values = {**eq.values, **dict(zip(eq.q, q, strict=True)), **dict(zip(eq.qd, qd, strict=True))}
    flat = subexpressions.evaluate([sympy.sympify(x) for r in slopes for s in r for x in s], values)
    H = np.array(flat, dtype=float).reshape(n, n, n)  # dM_ab / dq_c
    M_dot = H @ qd
    printed_D = np.einsum("agb,g->ab", H, qd) - 0.5 * np.einsum("bga,g->ab", H, qd)
    out = []
    for D in (eq.at(q, qd)["D"], printed_D):
        W = M_dot - 2.0 * D
        out.append(float(np.abs(W + W.T).max()))
    return out[0], out[1]
