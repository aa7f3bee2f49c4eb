"""Figures of an energy study: power, energy given, energy of bending and losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..types import Floats
from .panels import Curve, Panel, panels, seen
from .style import styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..studies import EnergyStudy


@styled
def picture(study: EnergyStudy) -> Figure:
    """Four panels at most; what is zero throughout is left out."""
    data, t = study.data, np.asarray(study.data["time"].values)
    joints, links = ([str(n) for n in data[d].values] for d in ("joint", "link"))
    power, stored = data["power"].values, data["stored"].values
    given = data["given"].values
    lost = np.hstack([data["joint_lost"].values, data["bending_lost"].values])
    watt, joule = ("W", "J") if study.units == "SI" else ("model units",) * 2
    found = [
        Panel("motor power", watt, _curves(joints, power)),
        Panel("energy given by the motor", joule, _curves(joints, given)),
        Panel("energy stored in bending", joule, _curves(links, stored)),
        Panel("energy lost since the start", joule, _curves([*joints, *links], lost)),
    ]
    return panels(found, t, f"{study.name}: energy and power")


@styled
def power(study: EnergyStudy) -> Figure:
    """What each motor gives, over time."""
    data, t = study.data, np.asarray(study.data["time"].values)
    joints = [str(n) for n in data["joint"].values]
    curves = _curves(joints, data["power"].values)
    unit = "W" if study.units == "SI" else "model units"
    return panels([Panel("motor power", unit, curves)], t, study.name)


def _curves(names: list[str], values: Floats) -> tuple[Curve, ...]:
    return seen([Curve(n, x, n) for n, x in zip(names, values.T, strict=True)], 1e-9)
