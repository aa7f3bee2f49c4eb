"""[Saha], Tables 3 and 4: the arms as the robots hold them."""

from __future__ import annotations

import numpy as np

from ...model import load
from ...robot import Link
from ...types import Floats
from ..report import ReportTable
from .serial import clean

TITLES = {
    "puma": "Table 3: DH and inertia parameters of the PUMA",
    "stanford": "Table 4: DH and inertia parameters of the Stanford arm",
}
QUARTERS = {-1: "-pi/2", 0: "0", 1: "pi/2"}  # of a turn: the twists that are printed


def table(name: str) -> ReportTable:
    """Each link in the numbers of the print."""
    rows = tuple((k, *_row(link)) for k, link in enumerate(load(name).links, 1))
    columns = ("link", "joint", "a", "b", "alpha", "mass", "r", "I_xx, I_yy, I_zz")
    notes = (
        "m, rad, kg, kg m^2, all as printed. T = Rz(theta) Tz(b) Tx(a) Rx(alpha); r runs from the "
        "mass centre to O_{i+1}, the inertia is about the mass centre, both in frame i + 1, which "
        "is fixed to link i. JV: the joint's own variable. All products of inertia are 0.",
    )
    return ReportTable(TITLES[name], columns, rows, notes)


def _row(link: Link) -> tuple[object, ...]:
    """joint, a, b, alpha, mass, r, inertia. Tz(b) Tx(a) Rx(alpha) takes the link's own frame to its
    tip; where the joint slides, b is the joint's.

    r = R^T (tip - c),   I = R^T (tr(W) 1 - W) R,   W = W0 - m c c^T,   R = Rx(alpha)
    """
    body, tip = link.body, link.body.stations["tip"]
    end, R, c = tip.r0 + tip.rho, tip.R0, body.c0 / body.mass
    W = body.W0 - body.mass * np.outer(c, c)
    inertia = R.T @ (np.trace(W) * np.eye(3) - W) @ R
    a, _, b = map(_text, clean(end))
    alpha = QUARTERS[round(float(np.arctan2(R[2, 1], R[2, 2]) / (np.pi / 2)))]
    kind, offset = {"revolute": ("r", b), "prismatic": ("p", "JV")}[link.joint.kind]
    mass = float(body.mass)
    return kind, a, offset, alpha, mass, _list(R.T @ (end - c)), _list(np.diag(inertia))


def _text(x: float) -> str:
    return f"{x:g}"


def _list(values: Floats) -> str:
    return ", ".join(map(_text, clean(values)))
