"""What shapes mean when numbers of the model change.

Integrals of shapes are constants without units, so equations with another length or mass keep the
shapes phi(xi) of the model, xi = x / L, stretched to the new length. A robot built with those
numbers has the shapes psi(xi) of its own line. Where psi_k = c_k phi_k the same motion has other
coordinates, d_k / c_k; where their form differs they are other equations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...bodies import Beam
from ...bodies.beam import basis
from ...bodies.profile import Along, StretchedProfile
from ...modes import Shapes
from ...robot import Robot
from ...types import Floats
from ..naming.coordinate_names import coordinate_names
from ..naming.link_facts import facts_of_links
from ..naming.link_namer import link_number

KNOWN = ("L", "m", "rhoA", "mp")  # what a family of shapes may look at
SAME = 1e-9  # shapes that differ by less are the same


def notes_on_shapes(robot: Robot, changes: Mapping[str, float]) -> list[str]:
    """A note for each link whose shapes the changed numbers would have changed."""
    out, names = [], coordinate_names(robot).q
    for i, (link, facts) in enumerate(zip(robot.links, facts_of_links(robot), strict=True)):
        mine = _of_link(changes, link_number(robot, i))
        if facts is None or facts.beam is None or not link.body.m or not mine:
            continue
        beam, base = facts.beam.integrals.beam, facts.beam.integrals.base
        made = _changed(beam, facts.beam.integrals.mass, mine)
        pairs = zip(base.shapes, basis(made, base.fields).shapes, strict=True)
        found = [_compared(old, beam.length, new, made.length) for old, new in pairs]
        note = _note(names[link.d], np.concatenate(found))
        out += [f"{link.name}: {note}"] if note else []
    return out


def _of_link(changes: Mapping[str, float], number: str) -> dict[str, float]:
    """{"mp": 2.0} of {"mp3": 2.0}: what changes of one link, if a beam can have it."""
    found = {name: re.fullmatch(r"([A-Za-z]+)(\d+)", name) for name in changes}
    own = {m[1]: changes[name] for name, m in found.items() if m and m[2] == number}
    own = {letters: value for letters, value in own.items() if letters in KNOWN}
    return own if all(value > 0.0 for value in own.values()) else {}


def _changed(beam: Beam, mass: float, new: Mapping[str, float]) -> Beam:
    """The beam with other length, mass and tip body, its profiles stretched along."""
    stretch = new.get("L", beam.length) / beam.length
    share = new.get("rhoA", mass / beam.length) * beam.length / mass
    share = share if beam.per_length else new.get("m", mass) / (mass * stretch)
    return replace(
        beam,
        length=stretch * beam.length,
        mass=StretchedProfile(beam.mass, stretch, share),
        stiffness={name: StretchedProfile(p, stretch, 1.0) for name, p in beam.stiffness.items()},
        turning=_stretched(beam.turning, stretch) if beam.turning else None,
        tip=replace(beam.tip, mass=new.get("mp", beam.tip.mass)) if beam.tip else None,
    )


def _stretched(turning: tuple[Along, Along, Along], stretch: float) -> tuple[Along, Along, Along]:
    x, y, z = (StretchedProfile(p, stretch, 1.0) for p in turning)
    return x, y, z


def _compared(old: Shapes, length: float, new: Shapes, other: float) -> Floats:
    """c_k of every shape, nan where the form differs."""
    xi = np.linspace(0.0, 1.0, 41)
    phi, psi = old(xi * length), new(xi * other)
    c = np.sum(phi * psi, axis=1) / np.sum(phi * phi, axis=1)
    off = np.abs(psi - c[:, None] * phi).max(axis=1) > SAME * np.abs(psi).max(axis=1)
    return np.where(off, np.nan, np.where(np.abs(c - 1.0) < SAME, 1.0, c))


def _note(names: tuple[str, ...], c: Floats) -> str:
    if np.isnan(c).any():
        return (
            f"{', '.join(names)} stay sizes of the model's shapes, stretched to the new length; a "
            f"robot with these numbers has shapes of another form. Build it for its own equations"
        )
    other = [f"{name} / {k:.6g}" for name, k in zip(names, c, strict=True) if k != 1.0]
    if not other:
        return ""
    return (
        f"its shapes stay as large as in the model, stretched to the new length; a robot with "
        f"these numbers has them in another scale: its coordinates are {', '.join(other)}"
    )
