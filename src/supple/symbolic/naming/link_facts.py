"""What a link was made of, beside the moments that were made of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...bodies import BeamLine, Body, MassProperties
from ...lazy import cached_property
from ...robot import Robot
from ..shapes.closed_forms import ClosedForms
from ..shapes.integrals import Integrals, flat


@dataclass(frozen=True)
class BeamFacts:
    """A beam's integrals, the family of every shape, and how its mass is given."""

    integrals: Integrals
    families: tuple[tuple[str, str, tuple[str, ...]], ...]  # family, scale, functions
    per_length: bool  # the mass was given per length

    @cached_property
    def closed(self) -> ClosedForms:
        beam = self.integrals.beam
        x = np.linspace(0.0, beam.length, 41)
        profiles = [beam.mass, *(beam.stiffness[s.field] for s in self.integrals.shapes)]
        even = all(flat(p(x)) for p in [*profiles, *(beam.turning or ())])
        return ClosedForms(self.integrals, self.families, even)


@dataclass(frozen=True)
class LinkFacts:
    """A link's rigid parts by letter, where its payload sits, and its beam."""

    parts: dict[str, MassProperties]
    payload_at: str | None = None
    beam: BeamFacts | None = None


def facts_of_links(robot: Robot) -> list[LinkFacts | None]:
    """For each link, or None where the moments alone are known."""
    return [_of(link.body) for link in robot.links]


def _of(body: Body) -> LinkFacts | None:
    if body.line is None and not body.parts:
        return None
    letters = {"rigid": "r" if body.line else "", "hub": "h", "payload": "p"}
    parts = {letters[part.kind]: part.properties for part in body.parts}
    at = next((part.station for part in body.parts if part.station), None)
    return LinkFacts(parts, at, _beam(body.line) if body.line else None)


def _beam(line: BeamLine) -> BeamFacts:
    integrals = Integrals(line.beam, line.base, line.second)
    return BeamFacts(integrals, _families(integrals), line.beam.per_length)


def _families(beam: Integrals) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Family, scale and formulas of every shape."""
    out: list[tuple[str, str, tuple[str, ...]]] = []
    for f in beam.base.fields:
        texts = getattr(f.family, "functions", ())
        for k in range(f.count):
            text = (texts[k],) if k < len(texts) and isinstance(texts[k], str) else ()
            out.append((f.family.name, f.scale, text))
    return tuple(out)
