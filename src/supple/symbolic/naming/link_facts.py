"""What the model file says of a link, beside the moments that were made of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...bodies import Lump
from ...model.dh import link_words
from ...model.inertia import inertia_tensor
from ...model.parts import beam_and_basis
from ...model.spec import LinkSpec, LumpSpec, RobotSpec
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
    """A link's lumps by letter, where its payload sits, and its beam."""

    lumps: dict[str, Lump]
    payload_at: str | None = None
    beam: BeamFacts | None = None


def facts_of_links(robot: Robot) -> list[LinkFacts | None]:
    """For each link, or None where the moments alone are known."""
    if robot.spec is None:
        return [None] * len(robot.links)
    spec = RobotSpec.model_validate(robot.spec)
    known = link_words(spec)
    if spec.dh is not None:  # the moments of a rigid row are its words
        known = {name: words for name, words in known.items() if words.beam is not None}
    return [_of(robot, i, known) for i in range(len(robot.links))]


def _of(robot: Robot, i: int, known: dict[str, LinkSpec]) -> LinkFacts | None:
    link = robot.links[i]
    given = known.get(link.name)
    if given is None or link.role != "link":
        return None
    riders = {x.role for x in robot.links if x.parent == i}
    lumps, at = {}, None
    beam = _beam(given, robot.elastic_kinematics)
    if given.rigid is not None:
        lumps["r" if beam else ""] = _lump(given.rigid)
    if given.hub is not None and "hub" not in riders:
        lumps["h"] = _lump(given.hub)
    if given.payload is not None and "payload" not in riders:
        lumps["p"] = _lump(given.payload)
        at = given.payload.at or ("tip" if "tip" in link.body.stations else "origin")
    return LinkFacts(lumps, at, beam)


def _lump(given: LumpSpec) -> Lump:
    return Lump(given.mass, np.array(given.com, dtype=float), inertia_tensor(given.inertia))


def _beam(given: LinkSpec, kinematics: str) -> BeamFacts | None:
    if given.beam is None:
        return None
    made = beam_and_basis(given, given.beam, kinematics)
    integrals = Integrals(*made, second=kinematics == "second_order")
    per_length = isinstance(given.beam.mass_per_length, float)
    return BeamFacts(integrals, _families(integrals), per_length)


def _families(beam: Integrals) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Family, scale and formulas of every shape."""
    out: list[Any] = []
    for f in beam.base.fields:
        texts = getattr(f.family, "functions", ())
        for k in range(f.count):
            text = (texts[k],) if k < len(texts) and isinstance(texts[k], str) else ()
            out.append((f.family.name, f.scale, text))
    return tuple(out)
