"""A robot changed a little: its words are changed and built again, so it is checked again."""

from __future__ import annotations

from collections.abc import Mapping

from ..bodies import FIELDS
from ..errors import InputError, brief, unknown_name
from ..modes.families import listing
from ..robot import Robot
from ..types import Word
from .build import build
from .model_words import BeamWords, ModelWords, model_words
from .plain_data import plain_data
from .spec import FieldModes, RobotSpec


def _words(robot: Robot) -> ModelWords:
    if robot.spec is None:
        raise InputError(f"robot {robot.name} was not built from a model; it cannot be changed")
    return model_words(robot.spec)


def replaced(robot: Robot, changes: Mapping[str, object]) -> Robot:
    """The robot with some top-level keys of its model changed."""
    words = _words(robot)
    for key in changes:
        if key not in RobotSpec.model_fields:
            raise unknown_name("key", key, RobotSpec.model_fields, where="a robot's model")
    return build({**words, **changes}, robot.folder)


def with_modes(robot: Robot, *args: object, **changes: object) -> Robot:
    """The robot with other mode shapes on all its beams, or on those named first."""
    words = _words(robot)
    beams = beam_words(words)
    names = [a for a in args if isinstance(a, str)]
    counts = [plain_data(a) for a in args if not isinstance(a, str)]
    options = {key: plain_data(value) for key, value in changes.items()}
    _check_changes(robot, beams, names, counts, options)
    for beam in (beams[n] for n in names or beams):
        modes = dict(beam.get("modes") or {})
        for count in counts:
            for field in [f for f in modes if f in FIELDS] or list(FIELDS)[:1]:
                modes[field] = _counted(modes.get(field), count)
        for key, value in options.items():
            modes = _changed(modes, key, value)
        if "family" in options and options["family"] not in listing().values():
            for key in listing():
                modes = {k: _without(v, key) for k, v in modes.items() if k != key}
            if "scale" not in options:
                modes = {k: _without(v, "scale") for k, v in modes.items() if k != "scale"}
        beam["modes"] = modes
    return build(words, robot.folder)


def with_tip_angle(robot: Robot, tip_angle: str) -> Robot:
    """The robot with all its beams' tips turned by slope or chord."""
    if robot.spec is None:
        raise InputError(f"{robot.name} was not built from a model; its tip angle cannot change")
    words = _words(robot)
    for beam in beam_words(words).values():
        beam["tip_angle"] = tip_angle
    return build(words, robot.folder)


def beam_words(words: ModelWords) -> dict[str, BeamWords]:
    """The words of every beam, by the name of its link."""
    rows = (words.get("dh") or {}).get("rows") or []
    links = dict(words.get("links") or {})
    links |= {row.get("name") or f"link{i + 1}": row for i, row in enumerate(rows)}
    return {name: link["beam"] for name, link in links.items() if link.get("beam")}


def _check_changes(
    robot: Robot,
    beams: Mapping[str, BeamWords],
    names: list[str],
    counts: list[Word],
    options: Mapping[str, Word],
) -> None:
    """Names of beams, then at most one number of shapes, then options of modes."""
    allowed = [*FIELDS, *(k for k in FieldModes.model_fields if k != "count")]
    for key in options:
        if key not in allowed:
            raise unknown_name("mode option", key, allowed)
    if not beams:
        raise InputError(f"robot {robot.name} has no beams, so it has no modes to change")
    for name in names:
        if name not in beams:
            raise unknown_name("beam", name, beams, where=f"robot {robot.name}")
    if len(counts) > 1 or None in counts:
        given = ", ".join(brief(c) for c in counts)
        raise InputError(
            f"with_modes takes one number of shapes, got {given}; each field has its own by name, "
            f"e.g. with_modes(bending_y=2, torsion=1)"
        )


def _changed(modes: dict[str, Word], key: str, value: Word) -> dict[str, Word]:
    """The modes with one option changed; a family holds for every field."""
    if key in FIELDS and isinstance(value, int):
        return modes | {key: _counted(modes.get(key), value)}
    modes = modes | {key: value}
    if key != "family":
        return modes
    return {k: _without(v, key) if k in FIELDS else v for k, v in modes.items()}


def _counted(old: Word, count: Word) -> Word:
    return {**old, "count": count} if isinstance(old, dict) else count


def _without(value: Word, key: str) -> Word:
    return {k: v for k, v in value.items() if k != key} if isinstance(value, dict) else value
