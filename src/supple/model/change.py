"""A robot changed a little: its words are changed and built again, so it is checked again."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from ..errors import InputError, unknown_name
from ..robot import Robot
from .build import build
from .plain import plain
from .spec import FIELD_KEYS, FieldModes, RobotSpec


def _words(robot: Robot) -> dict[str, Any]:
    if robot.spec is None:
        raise InputError(f"robot {robot.name} was not built from a model; it cannot be changed")
    return copy.deepcopy(dict(robot.spec))


def replaced(robot: Robot, changes: Mapping[str, Any]) -> Robot:
    """The robot with some top-level keys of its model changed."""
    words = _words(robot)
    for key, value in changes.items():
        if key not in RobotSpec.model_fields:
            raise unknown_name("key", key, RobotSpec.model_fields, where="a robot's model")
        words[key] = value
    return build(words)


def with_modes(robot: Robot, *args: Any, **changes: Any) -> Robot:
    """The robot with other mode shapes on all its beams, or on one named first."""
    words = _words(robot)
    beams = {
        name: link["beam"] for name, link in words.get("links", {}).items() if link.get("beam")
    }
    names = [a for a in args if isinstance(a, str)]
    counts = [plain(a) for a in args if not isinstance(a, str)]
    changes = {key: plain(value) for key, value in changes.items()}
    allowed = [*FIELD_KEYS, *(k for k in FieldModes.model_fields if k != "count")]
    for key in changes:
        if key not in allowed:
            raise unknown_name("mode option", key, allowed)
    for name in names:
        if name not in beams:
            raise unknown_name("beam", name, beams, where=f"robot {robot.name}")
    for beam in (beams[n] for n in names or beams):
        modes = dict(beam.get("modes") or {})
        for count in counts:
            for field in [f for f in modes if f in FIELD_KEYS] or ["bending_y"]:
                modes[field] = _counted(modes.get(field), count)
        for key, value in changes.items():
            if key in FIELD_KEYS and isinstance(value, int):
                modes[key] = _counted(modes.get(key), value)
            else:
                modes[key] = value
                if key == "family":
                    modes = {
                        k: _without(v, key) if k in FIELD_KEYS else v for k, v in modes.items()
                    }
        if "family" in changes and changes["family"] != "functions":
            modes = {k: _without(v, "functions") for k, v in modes.items() if k != "functions"}
            if "scale" not in changes:
                modes = {k: _without(v, "scale") for k, v in modes.items() if k != "scale"}
        beam["modes"] = modes
    return build(words)


def _counted(old: Any, count: int) -> Any:
    return {**old, "count": count} if isinstance(old, dict) else count


def _without(value: Any, key: str) -> Any:
    return {k: v for k, v in value.items() if k != key} if isinstance(value, dict) else value
