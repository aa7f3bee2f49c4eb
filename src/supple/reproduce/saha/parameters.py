"""[Saha], Tables 3 and 4: the arms as the model files hold them."""

from __future__ import annotations

from typing import Any

from ...model import load
from ..report import ReportTable

TITLES = {
    "puma": "Table 3: DH and inertia parameters of the PUMA",
    "stanford": "Table 4: DH and inertia parameters of the Stanford arm",
}


def table(name: str) -> ReportTable:
    """Each row in the words of the file."""
    robot = load(name)
    spec: Any = robot.spec or {}
    rows = []
    for k, (row, link) in enumerate(zip(spec["dh"]["rows"], robot.links, strict=True), 1):
        kind = {"revolute": "r", "prismatic": "p"}[link.joint.kind]
        where = [row.get(key, "JV") for key in ("a", "b", "alpha")]
        rows.append(
            (k, kind, *map(_text, where), row["mass"], _list(row["r"]), _list(row["inertia"]))
        )
    columns = ("link", "joint", "a", "b", "alpha", "mass", "r", "I_xx, I_yy, I_zz")
    notes = (
        "m, rad, kg, kg m^2, all as printed. T = Rz(theta) Tz(b) Tx(a) Rx(alpha); r runs from the "
        "mass centre to O_{i+1}, the inertia is about the mass centre, both in frame i + 1, which "
        "is fixed to link i. JV: the joint's own variable. All products of inertia are 0.",
    )
    return ReportTable(TITLES[name], columns, tuple(rows), notes)


def _text(x: object) -> str:
    return f"{x:g}" if isinstance(x, int | float) else str(x)


def _list(values: Any) -> str:
    return ", ".join(_text(x) for x in values)
