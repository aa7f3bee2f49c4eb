"""Numbers of a model by name: `upper.beam.mass`, `elbow.stiffness`, `link2.rigid.com.0`,
`gravity.2`. The first word is a link (or a row of a dh table), a joint, or `gravity`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..checks import finite_number
from ..errors import InputError, brief, unknown_name
from ..robot import Robot
from .build import build, unclosed
from .model_words import ModelWords, model_words
from .spec import number

_SKIP = ("motions", "modes", "name", "supple")
_COUNTS = ("root", "keep", "stations")  # of a body: nodes and shapes, no numbers to change


def parameter_names(robot: Robot) -> list[str]:
    """Every number of the robot's model that can be a parameter."""
    return list(_leaves(_words(robot)))


def parameter_value(robot: Robot, name: str) -> float:
    """The number of this name in the robot's model."""
    found = _leaves(_words(robot))
    if not isinstance(name, str) or name not in found:
        raise unknown_name("parameter", name, found, where=f"robot {robot.name}")
    holder, key = found[name]
    return float(number(holder[key]))


def with_parameters(robot: Robot, values: Mapping[str, float], close: bool = True) -> Robot:
    """The robot with some numbers of its model changed, checked again. The loops of one that is
    only looked at need not be closed."""
    if not isinstance(values, Mapping):
        raise InputError(
            f"with_parameters takes a mapping of names to numbers, e.g. "
            f"{{{next(iter(parameter_names(robot)), 'gravity.2')!r}: 1.0}}, got {brief(values)}"
        )
    words = _words(robot)
    found = _leaves(words)
    for name, value in values.items():
        if not isinstance(name, str) or name not in found:
            raise unknown_name("parameter", brief(name).strip("'"), found, f"robot {robot.name}")
        holder, key = found[name]
        holder[key] = finite_number(value, f"parameter {name}", "one finite number")
    return build(words, robot.folder) if close else unclosed(words, robot.folder)


def _words(robot: Robot) -> ModelWords:
    if robot.spec is None:
        raise InputError(f"robot {robot.name} was not built from a model; it has no parameters")
    return model_words(robot.spec)


def _leaves(words: ModelWords) -> dict[str, tuple[Any, str | int]]:
    """Where each number stands: (mapping or list, key)."""
    out: dict[str, tuple[Any, str | int]] = {}
    for name, part in _parts(words):
        for path, holder, key in _walk(part, name):
            out.setdefault(path, (holder, key))
    if isinstance(words.get("gravity"), list):
        for i in range(3):
            out[f"gravity.{i}"] = (words["gravity"], i)
    return out


def _parts(words: ModelWords) -> Iterator[tuple[str, object]]:
    yield from (words.get("links") or {}).items()
    for joint in words.get("joints") or []:
        yield joint.get("name") or f"{joint.get('child')}_joint", joint
    for i, row in enumerate((words.get("dh") or {}).get("rows") or []):
        yield row.get("name") or f"link{i + 1}", row


def _walk(part: Any, path: str) -> Iterator[tuple[str, Any, str | int]]:
    items = part.items() if isinstance(part, dict) else enumerate(part)
    for key, value in items:
        if key in _SKIP or (path.endswith(".body") and key in _COUNTS):
            continue
        if isinstance(value, dict | list):
            yield from _walk(value, f"{path}.{key}")
        elif isinstance(number(value), float | int) and not isinstance(value, bool):
            yield f"{path}.{key}", part, key
