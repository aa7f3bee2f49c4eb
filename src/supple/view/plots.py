"""Figures of a run over time: what moves, what drives it, what bends, where the energy goes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..types import Floats
from .panels import Curve, Panel, panels, seen
from .style import styled
from .turns import rotation_vectors

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..simulation.result import Result

QUATERNION = (".qw", ".qx", ".qy", ".qz")


@styled
def overview(result: Result) -> Figure:
    """Joints, torques, reactions, forces of cuts, tip deflections, modal amplitudes and energies
    in one figure."""
    end = " (interrupted)" if result.interrupted else ""
    title = f"{result.robot_name}{end}: energy imbalance {result.energy_error:.1e} relative"
    return panels(run_panels(result), result.time, title)


def run_panels(result: Result) -> list[Panel]:
    """All that the run holds and that is not zero throughout."""
    return [panel for of in HISTORIES.values() for panel in of(result)]


@styled
def history(result: Result, what: str) -> Figure:
    """One row of `HISTORIES` alone."""
    found = HISTORIES[what](result)
    return panels(found, result.time, result.robot_name)


def _unit(result: Result, si: str) -> str:
    return si if result.data.attrs.get("units", "SI") == "SI" else "model units"


def _coordinates(result: Result) -> list[Panel]:
    """Joint angles, angles of motors on elastic gears, which are as many times larger as the ratio
    says, lengths, and quaternions as turns."""
    names: list[str] = json.loads(result.data.attrs["joints"])
    wide = [n.removesuffix(".qw") for n in names if n.endswith(".qw")]
    turned = [joint for joint in wide if all(joint + end in names for end in QUATERNION)]
    plain = [n for n in names if not any(n == joint + e for joint in turned for e in QUATERNION)]
    lengths = json.loads(result.data.attrs.get("lengths", "[]"))
    wanted = _wanted(result)
    turning = [Curve(n, result[n], n, wanted.get(n)) for n in plain if n not in lengths]
    motors = [c for c in turning if c.label.endswith(".motor")]
    angles = [c for c in turning if not c.label.endswith(".motor")]
    places = [Curve(n, result[n], n, wanted.get(n)) for n in plain if n in lengths]
    turns = [
        Curve(f"{joint} about {axis}", values, joint)
        for joint in turned
        for axis, values in zip("xyz", _turn(result, joint), strict=True)
    ]
    return [
        Panel("joint angle", "rad", tuple(angles)),
        Panel("motor angle", "rad", tuple(motors)),
        Panel("joint position", _unit(result, "m"), tuple(places)),
        Panel("turn (rotation vector)", "rad", tuple(turns)),
    ]


def _turn(result: Result, joint: str) -> Floats:
    return rotation_vectors(np.stack([result[joint + end] for end in QUATERNION], axis=1)).T


def _wanted(result: Result) -> dict[str, Floats]:
    if "desired" not in result.data:
        return {}
    names = [str(n) for n in result.data["joint"].values]
    return dict(zip(names, result["desired"].T, strict=True))


def _forces(result: Result) -> list[Panel]:
    """Torques and forces of joints, and the reactions of those that are prescribed."""
    rates = [str(n) for n in result.data["velocity"].values]
    driven = [str(n) for n in result.data["driven"].values] if "reaction" in result.data else []
    modes, lengths = _names(result, "mode"), json.loads(result.data.attrs.get("lengths", "[]"))
    own = [(n, result["tau"][:, i]) for i, n in enumerate(rates) if n not in {*modes, *driven}]
    told = [(n, result["reaction"][:, i]) for i, n in enumerate(driven)]
    out = []
    for title, pairs in (("joint {}", own), ("reaction {}", told)):
        curves = seen([Curve(n, values, n) for n, values in pairs])
        turning = tuple(c for c in curves if c.label not in lengths)
        sliding = tuple(c for c in curves if c.label in lengths)
        out += [
            Panel(title.format("torque"), _unit(result, "N m"), turning),
            Panel(title.format("force"), _unit(result, "N"), sliding),
        ]
    return out


def _cuts(result: Result) -> list[Panel]:
    """Forces and moments at the cuts of closed chains, in the axes of their first sides."""
    if "multipliers" not in result.data:
        return []
    names, rows = _names(result, "cut"), result["multipliers"].T
    kinds = {"f": ("force at the cut", "N"), "n": ("moment at the cut", "N m")}
    pairs = zip(names, rows, strict=True)
    there = seen([Curve(n, x, n.rpartition(".")[0]) for n, x in pairs])
    return [
        Panel(title, _unit(result, unit), tuple(c for c in there if c.label[-2] == letter))
        for letter, (title, unit) in kinds.items()
    ]


def _deflections(result: Result) -> list[Panel]:
    bend = result["deflection"]
    curves = [
        Curve(f"{link} {letter}", bend[:, i, k], link)
        for i, link in enumerate(_names(result, "link"))
        for k, letter in enumerate("xyz")
    ]
    return [Panel("tip deflection in link axes", _unit(result, "m"), seen(curves))]


def _amplitudes(result: Result) -> list[Panel]:
    names, rows = _names(result, "mode"), result["amplitude"].T
    curves = [Curve(n, x, n.partition(".")[0]) for n, x in zip(names, rows, strict=True)]
    return [Panel("modal amplitude", "", tuple(curves))]


def _energies(result: Result) -> list[Panel]:
    names = ("kinetic", "elastic", "gravity", "work", "dissipated")
    curves = [Curve(n, result[n] - result[n][0], n) for n in names]
    some = seen(curves) or tuple(curves[:1])
    return [Panel("energy since the start", _unit(result, "J"), some, listed=True)]


def _names(result: Result, dimension: str) -> list[str]:
    return [str(n) for n in result.data[dimension].values]


HISTORIES: dict[str, Callable[[Result], list[Panel]]] = {
    "joints": _coordinates,
    "torque": _forces,
    "cuts": _cuts,
    "deflection": _deflections,
    "amplitude": _amplitudes,
    "balance": _energies,
}
"""What a run holds over time, by the name of its plot."""

__all__ = ["HISTORIES", "Curve", "Panel", "history", "overview", "panels", "run_panels"]
