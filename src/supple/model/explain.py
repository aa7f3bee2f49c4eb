"""The words of a model file explained: what `supple help TOPIC` says, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from inspect import cleandoc, get_annotations
from re import sub
from types import UnionType
from typing import Annotated, Literal, TypedDict, Union, get_args, get_origin, get_type_hints

from ..bodies import FIELDS
from ..elastic_kinematics import KINEMATICS
from ..finite_elements.methods import LOADS, METHODS
from ..joints import KINDS
from ..modes import SCALES
from ..modes.families import FAMILIES, options_of
from . import spec
from .faults import enumerated
from .spec import Spec
from .urdf import spec as urdf

TOPICS: dict[str, type[Spec]] = {
    "model": spec.RobotSpec,
    "link": spec.LinkSpec,
    "beam": spec.BeamSpec,
    "modes": spec.Modes,
    "field": spec.FieldModes,
    "section": spec.Section,
    "damping": spec.Damping,
    "table": spec.Table,
    "body": spec.BodySpec,
    "units": spec.FileUnits,
    "rigid": spec.RigidSpec,
    "hub": spec.MassSpec,
    "payload": spec.PayloadSpec,
    "station": spec.StationSpec,
    "visual": spec.VisualSpec,
    "joint": spec.JointSpec,
    "limits": spec.LimitsSpec,
    "mimic": spec.MimicSpec,
    "origin": spec.Origin,
    "friction": spec.Friction,
    "drive": spec.DriveSpec,
    "stops": spec.StopsSpec,
    "dh": spec.DHTable,
    "dh-row": spec.DHRow,
    "motion": spec.MotionSpec,
    "loop": spec.LoopSpec,
    "urdf": urdf.UrdfSpec,
    "bend": urdf.BendSpec,
    "urdf-joint": urdf.UrdfJoint,
    "urdf-link": urdf.UrdfLink,
}


FILES = ["model/help.yaml"]
"""Where the texts of the topics are."""


def learn(topics: dict[str, type[Spec]], file: str) -> None:
    """Topics of another kind of file, as of studies, explained in a file of their own."""
    TOPICS.update(topics)
    if file not in FILES:
        FILES.append(file)
        _texts.cache_clear()


@dataclass(frozen=True)
class Key:
    """One key: what it may hold, whether it must be there, what it means."""

    name: str
    holds: str
    need: str
    meaning: str
    unit: str
    example: str


class KeyText(TypedDict, total=False):
    """What help.yaml says of a key; an example may be a number."""

    meaning: str
    unit: str
    example: object


class TopicText(TypedDict, total=False):
    """What it says of a topic, whose keys are those of topics that it is like, and its own."""

    title: str
    like: list[str]
    keys: dict[str, KeyText]


def titles() -> dict[str, str]:
    """Every topic with its one line."""
    return {topic: str(_texts()[topic]["title"]) for topic in TOPICS}


def about(topic: str) -> str:
    """What is to be said of the part beyond its title and its keys."""
    text = " ".join(cleandoc(TOPICS[topic].__doc__ or "").split())
    return "" if text.rstrip(".").lower() == titles()[topic].lower() else text


def keys(topic: str) -> list[Key]:
    """The keys of a topic, its own before those it shares with others."""
    model, words = TOPICS[topic], key_texts(topic)
    hints = get_type_hints(model, include_extras=True)
    out = []
    listed = [name for part in model.__mro__ for name in get_annotations(part)]
    for name in dict.fromkeys(name for name in listed if name in model.model_fields):
        if name == "order":
            continue
        info, text = model.model_fields[name], words[name]
        need = _need(info.is_required(), info.get_default())
        unit = str(text.get("unit", ""))
        out.append(
            Key(name, _holds(hints[name]), need, str(text["meaning"]), unit, str(text["example"]))
        )
    return out


def key_texts(topic: str) -> dict[str, KeyText]:
    """The texts of a topic's keys: its own, then those of the topics it is like."""
    own = _texts()[topic]
    out: dict[str, KeyText] = {}
    for other in reversed(own.get("like", [])):
        out |= key_texts(other)
    return {**out, **VARIANTS.get(topic, dict)(), **own["keys"]}


def _elastic_fields() -> dict[str, KeyText]:
    return {
        name: {"meaning": field.meaning, "example": f"{name}: {field.example}"}
        for name, field in FIELDS.items()
    }


def _family_options() -> dict[str, KeyText]:
    out: dict[str, KeyText] = {}
    for name, kind in FAMILIES.items():
        for key, option in options_of(name).items():
            whose = "" if key == kind.listed else f"{name} only: "
            example = f"{key}: {option.metadata['example']}"
            out[key] = {"meaning": whose + option.metadata["meaning"], "example": example}
    return out


VARIANTS: dict[str, Callable[[], dict[str, KeyText]]] = {
    "modes": _elastic_fields,
    "field": _family_options,
}
"""Topics with keys that are variants, which bring their own texts."""

LISTS = {
    "<joints>": "; ".join(f"{name} {kind.meaning}" for name, kind in KINDS.items()),
    "<closing joints>": "; ".join(f"{name} {KINDS[name].meaning}" for name in spec.CLOSING),
    "<joints with an axis>": enumerated(name for name, kind in KINDS.items() if kind.has_axis),
    "<joints along an axis>": enumerated(spec.ALONG_AXIS, "or"),
    "<families>": "; ".join(f"{name} {kind.meaning}" for name, kind in FAMILIES.items()),
    "<scales>": ", ".join(f"{name} ({scale.meaning})" for name, scale in SCALES.items()),
    "<methods>": "; ".join(f"{name}: {words}" for name, words in METHODS.items()),
    "<loads>": ", ".join(LOADS),
    "<kinematics>": ". ".join(f"{name} {kind.meaning}" for name, kind in KINEMATICS.items()),
}
"""Lists of variants that stand in texts."""


@cache
def _texts() -> dict[str, TopicText]:
    from ruamel.yaml import YAML

    text = "\n".join((files("supple") / name).read_text(encoding="utf-8") for name in FILES)
    for mark, words in LISTS.items():
        text = text.replace(mark, words)
    return dict(YAML(typ="safe", pure=True).load(text))


def _need(required: bool, default: object) -> str:
    if required:
        return "required"
    if default is None or isinstance(default, Spec | dict) or default in ("", []):
        return "optional"
    return f"default {default}"


HOLDS = {
    "Guess": "a number, or a list of them",
    "Limit": "a number above 0, or a mapping of joints to such",
    "Along": "a number, [root, tip] or a table",
    "Inertia": "a number, [xx, yy, zz], [xx, yy, zz, xy, xz, yz], or three rows",
    "Vector": "a list of three numbers",
    "Positive": "a number above 0",
    "NotNegative": "a number, 0 or above",
    "Number": "a number",
    "Count": "a whole number from 0 to 60",
    "ModeCount": "a whole number, or a mapping (see supple help field)",
    "Name": "a name",
    "NodeSet": "a node's number, a list of them, or the name of a node set",
    "FileName": "a file's name",
}


def _holds(hint: object) -> str:
    """What a key may hold, in words."""
    for name, words in HOLDS.items():
        if hint == getattr(spec, name):
            return words
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return enumerated((str(a) for a in arguments), "or")
    if origin in (UnionType, Union):
        return enumerated((_holds(a) for a in arguments if a is not type(None)), "or")
    if origin is Annotated:
        return _holds(arguments[0])
    if origin is list:
        return "a list of " + sub(r"^(?:a )?(whole \w+|\w+)", r"\1s", _holds(arguments[0]))
    if origin is dict:
        return "a mapping"
    plain: dict[object, str] = {
        float: "a number",
        int: "a whole number",
        str: "text",
        bool: "true or false",
    }
    return plain.get(hint, "a mapping")
