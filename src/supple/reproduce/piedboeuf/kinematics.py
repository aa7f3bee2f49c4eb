"""[Piedboeuf], eqs. (7), (8) and (16): the order of rotations; eq. (43): the exact line of O(1).

A section that bends both ways has turned by neither Rz(v') Ry(-w') nor Ry(-w') Rz(v'): these
differ in second order, and the section knows no order. (16) follows from R' = R kappa~ (10),
which is integrated here exactly.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ...analyse.statics import unjudged
from ...model import build
from ...recursion import station_pose
from ...robot import Robot
from ...screws.dual.so3 import rotation_exp
from ...types import Floats
from ..report import Compared, ReportTable
from .elastica import PiedboeufArm
from .models import CURVES, END, FORCES, robot

SIZES = (0.2, 0.1, 0.05)  # rad: largest slopes
PIECES = 2000  # of the link, where R' = R kappa~ is integrated


def bends(s: float, x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """v', w', v'', w'' along a link of 1 m: different shapes in the two planes."""
    return s * (2 * x - x**2), s * x**2, s * (2 - 2 * x), 2 * s * x


def printed_7(v: float, w: float) -> Floats:
    """v' first, then -w', to second order."""
    return np.array(
        [
            [1 - 0.5 * (v * v + w * w), -v, -w],
            [v, 1 - 0.5 * v * v, -v * w],
            [w, 0.0, 1 - 0.5 * w * w],
        ]
    )


def printed_8(v: float, w: float) -> Floats:
    """-w' first, then v'."""
    R = printed_7(v, w)
    R[1, 2], R[2, 1] = R[2, 1], R[1, 2]
    return R


def printed_16(s: float) -> Floats:
    """By the curvatures, without twist."""
    x, dx = _middles()
    v, w, vv, ww = bends(s, x)
    R = printed_7(*_tip(s))
    R[1, 2], R[2, 1] = -float(v @ ww * dx), -float(vv @ w * dx)
    return R


def exact(s: float) -> Floats:
    """R' = R kappa~ with kappa = (0, -w'', v''), by the exponentials of many short pieces."""
    x, dx = _middles()
    _, _, vv, ww = bends(s, x)
    R = np.eye(3)
    for a, b in zip(-ww, vv, strict=True):
        R = R @ rotation_exp(np.array([0.0, a * dx, b * dx]))
    return R


def _middles() -> tuple[Floats, float]:
    return (np.arange(PIECES) + 0.5) / PIECES, 1.0 / PIECES


@cache
def bent_both_ways() -> Robot:
    """A link of 1 m with the slopes of `bends`: v = s (x^2 - x^3/3), w = s x^3/3."""
    modes = {"family": "polynomial", "bending_y": 2, "bending_z": 2}
    beam = {"length": 1.0, "mass_per_length": 1.0, "EI": 1.0, "modes": modes}
    words = {"name": "bent both ways", "elastic_kinematics": "second_order"}
    joints = [{"name": "root", "type": "fixed", "child": "arm"}]
    return build({**words, "links": {"arm": {"beam": beam}}, "joints": joints})


def supples(s: float) -> Floats:
    """R at the tip as Supple has it: second order, of a true rotation."""
    q = s * np.array([1.0, -1.0 / 3.0, 0.0, 1.0 / 3.0])
    return np.asarray(station_pose(bent_both_ways(), q, "arm.tip").R, dtype=float)


def rotations() -> ReportTable:
    """Which forms of R are off by s^2, and which by s^3."""
    forms = {
        "(7): v' first, then -w'": lambda s: printed_7(*_tip(s)),
        "(8): -w' first, then v'": lambda s: printed_8(*_tip(s)),
        "(16): by curvatures, no order": printed_16,
        "Supple, second_order": supples,
    }
    right = {s: exact(s) for s in SIZES}
    rows = []
    for name, form in forms.items():
        off = [float(np.abs(form(s) - right[s]).max()) for s in SIZES]
        order = float(np.log2(off[-2] / off[-1]))
        last = form(SIZES[0])
        rows.append((name, *off, round(order, 2), float(last[1, 2]), float(last[2, 1])))
    entries = right[SIZES[0]]
    corner = (float(entries[1, 2]), float(entries[2, 1]))
    rows.append(("exact: R' = R kappa~ (10)", 0.0, 0.0, 0.0, "", *corner))
    columns = ("form", *(f"off, s = {s:g}" for s in SIZES), "order", "R[2,3]", "R[3,2]")
    notes = (
        "A link of 1 m with v' = s (2x - x^2) and w' = s x^2: largest entry of R at its tip less "
        "the exact one, by the size s of the slopes; the last columns at s = 0.2. (7) and (8) are "
        "equal to first order and differ by a permutation in second, as the paper says; both stay "
        "off by s^2, (16) and Supple by s^3.",
    )
    return ReportTable("(7), (8), (16): the order of rotations", columns, tuple(rows), notes)


def _tip(s: float) -> tuple[float, float]:
    v, w, *_ = bends(s, np.array([1.0]))
    return float(v[0]), float(w[0])


def quartic(theta: float, force: float) -> Floats:
    """Coefficients of x^2, x^3, x^4 of the exact solution of (43).

    EI v'''' + rho g C = 0 with v(0) = v'(0) = 0, EI v'''(l) = (m_t g - f) C and
    EI v''(l) = -h' - h'' v'(l): h(phi) is the energy of tool and force by their offsets.
    """
    arm = PiedboeufArm()
    C, S, L, EI = np.cos(theta), np.sin(theta), arm.length, arm.EI
    x = arm.mt * arm.g * arm.lcx - force * arm.l2x
    y = arm.mt * arm.g * arm.lcy - force * arm.l2y
    first, second = x * C - y * S, -x * S - y * C
    c4 = -arm.rho * arm.g * C / (24 * EI)
    c3 = ((arm.mt * arm.g - force) * C / EI - 24 * c4 * L) / 6
    known = first + second * (3 * c3 * L**2 + 4 * c4 * L**3)
    c2 = -(known + EI * (6 * c3 * L + 12 * c4 * L**2)) / (2 * EI + 2 * second * L)
    return np.array([c2, c3, c4])


@cache
def quartic_gap(count: int) -> float:
    """Largest distance [m] between O(1) with so many polynomials and the exact line, over all
    forces and angles."""
    arm, worst = robot("first_order").with_modes(count), 0.0
    x = np.linspace(0.0, PiedboeufArm().length, 50)
    for k in CURVES:
        for angle in range(-90, 91, 30):
            theta, force = np.deg2rad(angle), FORCES[k - 1]
            found = unjudged(arm, [theta], {END: np.array([0.0, force, 0.0])}, linear=True)
            ours = sum(c * x ** (n + 2) for n, c in enumerate(found.q[1:]))
            right = sum(c * x ** (n + 2) for n, c in enumerate(quartic(theta, force)))
            worst = max(worst, float(np.abs(ours - right).max()))
    return worst


def polynomials() -> ReportTable:
    """3.5: three polynomials are exact for first-order kinematics."""
    rows = tuple((n, _shapes(n), quartic_gap(n)) for n in (1, 2, 3, 4, 5))
    notes = (
        "All seven forces, motor angles every 30 deg, 50 points along the link. The exact line "
        "is the quartic that solves (43) with its four boundary conditions; the tool's weight and "
        "the force turn with the tip, so the moment there holds its slope.",
    )
    columns = ("polynomials", "shapes", "largest distance from the exact line, m")
    return ReportTable("3.5: O(1) against the exact solution of (43)", columns, rows, notes)


def _shapes(n: int) -> str:
    return "x^2" if n == 1 else f"x^2 ... x^{n + 1}"


def compared() -> tuple[Compared, ...]:
    gap = quartic_gap(3)
    off = [float(np.abs(f - exact(0.1)).max()) for f in (printed_7(*_tip(0.1)), printed_16(0.1))]
    return (
        Compared(
            "3.5", "three polynomials, O(1), less the exact solution of (43)", "agree perfectly",
            f"{gap:.1e} m", "holds", "agrees",
        ),
        Compared(
            "2.3.1", "(7) less (8)", "[2,3] and [3,2] interchanged",
            f"so; both off by {off[0]:.1e}, (16) by {off[1]:.1e}", "holds", "agrees",
        ),
    )  # fmt: skip
