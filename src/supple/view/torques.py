"""Figures of the torques along a motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .panels import Curve, Panel, panels
from .style import styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..studies import TorquesAlong


@styled
def picture(found: TorquesAlong) -> Figure:
    """Positions, rates, torques and powers of the joints; dashed: the rigid robot."""
    data, t = found.data, np.asarray(found.data["time"].values)
    names = [str(n) for n in data["joint"].values]
    which = "bending" if "bending" in data else "rigid"
    tau, rigid, qd = (np.asarray(data[n].values) for n in (which, "rigid", "qd"))
    si = found.robot.units == "SI"
    slides = {x.joint_name for x in found.robot.links if x.joint.nv == 1 and x.joint.axes[0] > 2}
    out = [
        Panel("joint position", "rad, m" if slides else "rad", _plain(names, data["q"].values)),
        Panel("joint rate", "rad/s, m/s" if slides else "rad/s", _plain(names, qd)),
    ]
    out += [
        Panel(
            kind,
            unit if si else "model units",
            tuple(
                Curve(n, a[:, k], n, b[:, k] if which == "bending" else None)
                for k, n in enumerate(names)
            ),
        )
        for kind, unit, a, b in (
            ("joint torque", "N m, N" if slides else "N m", tau, rigid),
            ("motor power", "W", tau * qd, rigid * qd),
        )
    ]
    return panels(out, t, f"{found.robot.name}: torques along the motion", "rigid robot")


def _plain(names: list[str], values: np.ndarray) -> tuple[Curve, ...]:
    return tuple(Curve(n, values[:, k], n) for k, n in enumerate(names))
