"""What the model file says of a link, beside the moments that were made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bodies import Lump
from ..model.dh import link_words
from ..model.inertia import inertia_tensor
from ..model.parts import beam_and_basis
from ..model.spec import LinkSpec, LumpSpec, RobotSpec
from ..robot import Link, Robot
from .integrals import Integrals


@dataclass(frozen=True)
class Words:
    """A link's words: its lumps by letter, its beam's integrals, and how its mass is given."""

    lumps: dict[str, Lump]
    payload_at: str | None = None
    beam: Integrals | None = None
    families: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # family, scale, functions
    per_length: bool = False  # the mass was given per length


def all_words(robot: Robot) -> list[Words | None]:
    """For each link, or None where the moments alone are known."""
    if robot.spec is None:
        return [None] * len(robot.links)
    spec = RobotSpec.model_validate(robot.spec)
    known = link_words(spec)
    if spec.dh is not None:  # the moments of a rigid row are its words
        known = {name: words for name, words in known.items() if words.beam is not None}
    return [_of(robot, link, known) for link in robot.links]


def _of(robot: Robot, link: Link, known: dict[str, LinkSpec]) -> Words | None:
    words = known.get(link.name)
    if words is None:
        return None
    riders = {x.name for x in robot.links} - set(known)
    lumps = {}
    beam = _beam(words, robot.elastic_kinematics) if words.beam is not None else None
    if words.rigid is not None:
        lumps["r" if beam else ""] = _lump(words.rigid)
    if words.hub is not None and f"{link.name}_hub" not in riders:
        lumps["h"] = _lump(words.hub)
    at = None
    if words.payload is not None and f"{link.name}_payload" not in riders:
        lumps["p"] = _lump(words.payload)
        at = words.payload.at or ("tip" if "tip" in link.body.stations else "origin")
    per_length = words.beam is not None and isinstance(words.beam.mass_per_length, float)
    return Words(lumps, at, beam, _families(beam), per_length)


def _lump(words: LumpSpec) -> Lump:
    return Lump(words.mass, np.array(words.com, dtype=float), inertia_tensor(words.inertia))


def _beam(words: LinkSpec, kinematics: str) -> Integrals:
    assert words.beam is not None
    made = beam_and_basis(words, words.beam, kinematics)
    return Integrals(*made, second=kinematics == "second_order")


def _families(beam: Integrals | None) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Family, scale and formulas of every shape."""
    if beam is None:
        return ()
    out: list[Any] = []
    for f in beam.base.fields:
        texts = getattr(f.family, "functions", ())
        for k in range(f.count):
            text = (texts[k],) if k < len(texts) and isinstance(texts[k], str) else ()
            out.append((f.family.name, f.scale, text))
    return tuple(out)
