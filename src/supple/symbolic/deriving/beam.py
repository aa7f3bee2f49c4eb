"""A beam in symbols: mass, length, stiffness, and the points of its elastic line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...bodies import Station
from ...formulations.lagrange import Mount
from ...robot import Link
from ...types import Array, Floats, Scalar
from ..naming.link_facts import BeamFacts
from ..naming.link_namer import LinkNamer
from ..shapes.closed_forms import ClosedForms


def length(name: LinkNamer, link: Link, facts: BeamFacts) -> Scalar:
    return name.model("L", facts.integrals.beam.length, f"length, {link.name}")


def mass(name: LinkNamer, link: Link, facts: BeamFacts) -> Scalar:
    """m, or rhoA L where the model gives the mass per length."""
    beam = facts.integrals
    if facts.per_length:
        per = name.model("rhoA", beam.mass / beam.beam.length, f"mass per length, {link.name}")
        return per * length(name, link, facts)
    return name.model("m", beam.mass, f"mass, {link.name}")


def frame(link: Link) -> tuple[Floats, Floats]:
    """Root and axes of the beam, in link axes."""
    line = link.body.line
    assert line is not None
    return line.start, line.R


def start_of(name: LinkNamer, link: Link) -> Array:
    """The root's place, in link axes, in symbols of the file's axes."""
    start = link.frame.T @ frame(link)[0]
    parts = [
        name.model(f"s{'xyz'[k]}", float(start[k]), f"root of the beam, {link.name}, {'xyz'[k]}")
        for k in (0, 1, 2)
    ]
    return np.asarray(link.frame @ np.array(parts, dtype=object))


def scaled(direction: Floats, size: Scalar) -> Array:
    return np.array([0.0 if x == 0.0 else size * x for x in direction], dtype=object)


def pair_value(
    name: LinkNamer, closed: ClosedForms, letter: str, table: Floats, j: int, k: int, meaning: str
) -> Scalar:
    j, k = min(j, k), max(j, k)
    first, second = closed.shape(j).label, closed.shape(k).label
    exact = closed.text(letter, j, k)
    index = f"{letter}_{first}{second}_"
    return name.integral(index, float(table[j, k]), f"{meaning}, shapes {first}, {second}", exact)


def pairs(name: LinkNamer, facts: BeamFacts, letter: str, table: Floats, meaning: str) -> Array:
    """(m, m, 3) of a table of second order: a constant for each pair of shapes, beam axes."""
    shapes = facts.integrals.shapes
    out = np.zeros(table.shape, dtype=object)
    for j, k, i in zip(*np.nonzero(table), strict=True):
        j, k = min(j, k), max(j, k)
        first, second = shapes[j].label, shapes[k].label
        what = f"{meaning}, shapes {first}, {second}"
        value = name.integral(f"{letter}_{first}{second}_", float(table[j, k, i]), what)
        out[j, k, i] = out[k, j, i] = value
    return out


def powers(L: Scalar, exponents: npt.NDArray[np.int_]) -> Array:
    """L^n, (m, m, 1)."""
    made = [[[power(L, int(n))] for n in row] for row in exponents]
    return np.array(made, dtype=object).reshape(*exponents.shape, 1)


def power(L: Scalar, n: int) -> Scalar:
    """L^n."""
    if n < 0:
        return 1.0 / power(L, -n)
    return L * power(L, n - 1) if n > 1 else L if n else 1.0


def beam_stiffness(name: LinkNamer, link: Link, facts: BeamFacts) -> Array:
    """K: EI/L^3 k_jk in bending, GJ/L and EA/L. Reference: [LinLewis], eqs. (16), (19)."""
    beam, closed = facts.integrals, facts.closed
    L, n = length(name, link, facts), len(beam.shapes)
    K = np.zeros((n, n), dtype=object)
    for j, k in zip(*np.triu_indices(n), strict=True):
        shape = beam.shapes[j]
        if shape.field != beam.shapes[k].field:
            continue
        size = name.model(
            shape.kind.stiffness, beam.stiffness(shape.field), f"stiffness, {link.name}"
        )
        strain = "phi'' phi''" if shape.bends else "phi' phi'"
        value = pair_value(name, closed, "k", beam.k, int(j), int(k), f"int {strain}")
        K[j, k] = K[k, j] = size * value / (L * L * L) if shape.bends else size * value / L
    return K


@dataclass(frozen=True)
class Place:
    """A point of the elastic line: x, its share of the length, and how its constants are told
    apart from those of other points."""

    x: float
    ratio: float
    tag: str

    @property
    def text(self) -> str:
        return "at the tip" if self.ratio == 1.0 else f"at x = {self.x:.6g}"


def place(link: Link, facts: BeamFacts, station: Station, child: str) -> Place:
    """Where a station sits on the beam; `child` tells points within the beam apart."""
    start, R = frame(link)
    x = float((R.T @ (station.r0 - start))[0])
    ratio = x / facts.integrals.beam.length
    ratio = float(round(ratio)) if abs(ratio - round(ratio)) < 1e-12 else ratio
    return Place(x, ratio, {1.0: "", 0.0: "0"}.get(ratio, f"x{child}o"))


def node(name: LinkNamer, link: Link, facts: BeamFacts, station: Station, child: str) -> Mount:
    """A point of the elastic line in symbols."""
    here, (_, R), L = place(link, facts, station, child), frame(link), length(name, link, facts)
    S, Theta = _slopes(name, facts, here, L, R)
    S2, Theta2 = _products(name, facts, here, L, R)
    r0 = start_of(name, link) + scaled(R[:, 0], here.ratio * L)
    return Mount(r0, S, Theta, S2, Theta2, np.zeros(3), station.R0)


def _slopes(
    name: LinkNamer, facts: BeamFacts, point: Place, L: Scalar, R: Floats
) -> tuple[Array, Array]:
    """S and Theta: phi and phi' of every shape."""
    beam, closed = facts.integrals, facts.closed
    phi, slope = beam.at(point.x)
    n, tip = len(beam.shapes), point.ratio == 1.0
    S, Theta = np.zeros((n, 3), dtype=object), np.zeros((n, 3), dtype=object)
    for k, shape in enumerate(beam.shapes):
        about = f"of shape {shape.label} {point.text}"
        exact = closed.text("phi", k) if tip else ""
        value = name.integral(
            f"phi{point.tag}_{shape.label}_", _still(phi[k]), f"phi {about}", exact
        )
        S[k] = scaled(R @ shape.moves, value)
        if not shape.bends:
            Theta[k] = scaled(R @ shape.turns, value)
            continue
        if _chord(facts, point):
            Theta[k] = scaled(R @ shape.turns, value / (point.ratio * L))
            continue
        exact = closed.text("dphi", k) if tip else ""
        turn = name.integral(
            f"dphi{point.tag}_{shape.label}_", _still(slope[k]), f"L phi' {about}", exact
        )
        Theta[k] = scaled(R @ shape.turns, turn / L)
    return S, Theta


def _products(
    name: LinkNamer, facts: BeamFacts, point: Place, L: Scalar, R: Floats
) -> tuple[Array, Array]:
    """S2 and Theta2: psi and chi of every pair of shapes."""
    beam = facts.integrals
    psi, chi = beam.products_at(point.x)
    if _chord(facts, point):
        chi = np.zeros_like(chi)
    S2 = pairs(name, facts, f"psi{point.tag}", psi, f"psi {point.text}") @ R.T
    Theta2 = pairs(name, facts, f"chi{point.tag}", chi, f"chi {point.text}") @ R.T
    return powers(L, 1 - beam.orders) * S2, powers(L, -beam.orders) * Theta2


def _chord(facts: BeamFacts, point: Place) -> bool:
    return facts.integrals.beam.tip_angle == "chord" and point.x > 0.0


def _still(value: float) -> float:
    """A value at the root that rounding made."""
    return 0.0 if abs(value) < 1e-13 else float(value)
