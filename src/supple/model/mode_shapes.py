"""From what a file says of a beam and its modes to the beam and its shape functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..bodies import FIELDS, Basis, Beam, FieldShapes, MassProperties, basis
from ..elastic_kinematics import ElasticKinematics
from ..errors import KeyedError
from ..modes import root_values
from ..modes.families import DEFAULT, FAMILIES, family, listing, options_of, required
from . import section
from .inertia import inertia_tensor
from .spec import BeamSpec, FieldModes, LinkSpec, Modes


def beam_and_basis(
    spec: LinkSpec, words: BeamSpec, kinematics: ElasticKinematics
) -> tuple[Beam, Basis]:
    """A link's beam and its shape functions."""
    fields = field_options(words.modes) if kinematics.bends else []
    beam = section.beam(words, [name for name, _ in fields])
    if spec.payload is not None and spec.payload.at in (None, "tip"):
        com, inertia = np.array(spec.payload.com, dtype=float), inertia_tensor(spec.payload.inertia)
        beam = replace(beam, tip=MassProperties(spec.payload.mass, com, inertia))
    made = tuple(_field(name, options, words.modes) for name, options in fields)
    try:
        base = basis(beam, made)
    except ValueError as error:
        raise KeyedError(str(error), "modes") from None
    _check_roots(base, beam.length)
    return beam, base


def field_options(modes: Modes) -> list[tuple[str, FieldModes]]:
    """Elastic fields in file order, each with its options."""
    out = []
    for name in modes.order or FIELDS:
        value = getattr(modes, name)
        if value is None:
            continue
        options = FieldModes(count=value) if isinstance(value, int) else value
        out.append((name, _counted(name, options)))
    return [(name, options) for name, options in out if options.count]


def _counted(name: str, options: FieldModes) -> FieldModes:
    """A field that lists its shapes one by one has as many as it lists."""
    for key in listing():
        listed = getattr(options, key)
        if listed is None:
            continue
        if "count" in options.model_fields_set and options.count != len(listed):
            words = f"{options.count} {name} modes asked, {len(listed)} {key} given"
            raise KeyedError(words, "modes", name, "count")
        options = options.model_copy(update={"count": len(listed)})
    return options


def family_name(options: FieldModes, common: FieldModes) -> str:
    """The family of a field: its own, that of all, that of shapes listed, or the default."""
    listed = [name for key, name in listing().items() if _pick(key, options, common)]
    return str(_pick("family", options, common) or [*listed, DEFAULT][0])


def _pick(key: str, options: FieldModes, common: FieldModes) -> Any:
    """The field's own option, or that of all fields."""
    own = getattr(options, key)
    return getattr(common, key) if own is None else own


def _field(name: str, options: FieldModes, common: FieldModes) -> FieldShapes:
    kind = family_name(options, common)
    picked = {key: _pick(key, options, common) for key in options_of(kind)}
    given = {k: tuple(v) if isinstance(v, list) else v for k, v in picked.items() if v is not None}
    for key, what in required(kind).items():
        if not given.get(key):
            words = f"the family {kind!r} needs `{key}`, {what}"
            raise KeyedError(words, *_where(name, options, "family"))
    listed = FAMILIES[kind].listed
    if listed and options.count > len(given[listed]):
        words = f"{options.count} {name} modes asked, {len(given[listed])} {listed} given"
        raise KeyedError(words, "modes", name)
    scale = _pick("scale", options, common) or "raw"
    try:
        return FieldShapes(name, options.count, family(kind, **given), scale)
    except ValueError as error:
        about = [key for key in given if str(error).startswith(key)]
        key = [*about, *given, "family"][0]
        raise KeyedError(str(error), *_where(name, options, key)) from None


def _where(name: str, options: FieldModes, key: str) -> tuple[str, ...]:
    """Where the option of a field stands: with the field, or with the modes for all."""
    return ("modes", key) if getattr(options, key) is None else ("modes", name, key)


def _check_roots(base: Basis, length: float) -> None:
    """A shape must not move the link's root off the joint."""
    for f, shapes in zip(base.fields, base.shapes, strict=True):
        lift = root_values(shapes)[:, 0]
        size = np.abs(shapes(np.linspace(0.0, length, 11))).max(axis=1, initial=0.0)
        for k, value in enumerate(lift):
            if abs(value) > 1e-9 * size[k]:
                raise KeyedError(
                    f"{f.name} shape {k + 1} is {value:.3g} at x = 0; a shape must vanish at the "
                    f"joint",
                    "modes",
                    f.name,
                )
