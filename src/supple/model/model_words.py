"""The words of a model as dictionaries, by their keys: those that are made, or read, outside of
`spec.py`, which says what every key may hold.

They are plain data. Those of a URDF or MJCF file hold numbers as written here; where a user
wrote a number as arithmetic (`pi/2`), it is still text.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TypeAlias, TypedDict, cast

from ..types import Word


class TableWords(TypedDict, total=False):
    """A property tabulated along a beam."""

    x: list[float]
    value: list[float]


AlongWords: TypeAlias = float | list[float] | TableWords
"""A number, [root, tip], or a table."""


class OriginWords(TypedDict, total=False):
    """A placement."""

    xyz: list[float]
    rpy: list[float]


class MassWords(TypedDict, total=False):
    """A rigid part; a payload stands at a station."""

    mass: float
    com: list[float]
    inertia: list[float]
    at: str


class StationWords(TypedDict, total=False):
    """A named point of a link."""

    x: float
    offset: list[float]
    rpy: list[float]


class VisualWords(TypedDict, total=False):
    """What a link looks like: one shape."""

    mesh: str
    scale: list[float]
    box: list[float]
    cylinder: list[float]
    capsule: list[float]
    sphere: float
    origin: OriginWords
    color: list[float]
    collision: bool


class BeamWords(TypedDict, total=False):
    """A beam: where it is, what it weighs, its modes."""

    length: float
    start: list[float]
    rpy: list[float]
    mass: AlongWords
    density: AlongWords
    mass_per_length: AlongWords
    added_mass_per_length: AlongWords
    polar_inertia: AlongWords
    modes: dict[str, Word]
    tip_angle: str


class BendWords(BeamWords, total=False):
    """How a link of a URDF file bends: its beam, where that ends, and on what the rest rides."""

    to: str
    end: list[float]
    rest: str


class LinkWords(TypedDict, total=False):
    """A link."""

    rigid: MassWords
    hub: MassWords
    payload: MassWords
    beam: BeamWords
    body: dict[str, Word]
    stations: dict[str, StationWords]
    visuals: list[VisualWords]


class DHRowWords(LinkWords, total=False):
    """A row of a table: a link with its joint."""

    name: str


class DHTableWords(TypedDict, total=False):
    """A Denavit-Hartenberg table."""

    convention: str
    rows: list[DHRowWords]


class DriveWords(TypedDict, total=False):
    """A motor and its gear."""

    gear_ratio: float
    rotor_inertia: float


class MimicWords(TypedDict, total=False):
    """A tie to another joint."""

    joint: str
    ratio: float
    offset: float


class JointWords(TypedDict, total=False):
    """A joint."""

    name: str
    type: str
    parent: str
    child: str
    at: str
    axis: list[float]
    origin: OriginWords
    limits: dict[str, float]
    mimic: MimicWords
    damping: float
    friction: dict[str, float]
    stiffness: float
    rest: float
    rotor_inertia: float
    drive: DriveWords


class LoopWords(TypedDict, total=False):
    """A cut of a closed chain."""

    name: str
    type: str
    between: list[str]


class SharedWords(TypedDict, total=False):
    """Keys that mean the same in every model, of a URDF file or not."""

    description: str
    gravity: list[float]
    elastic_kinematics: str
    motions: dict[str, Word]
    loops: list[LoopWords]
    actuated: list[str]
    guess: dict[str, Word]


class ModelWords(SharedWords, total=False):
    """A whole model."""

    supple: int
    name: str
    source: str
    notes: list[str]
    units: str
    as_given: bool
    links: dict[str, LinkWords]
    joints: list[JointWords]
    dh: DHTableWords


class UrdfWords(SharedWords, total=False):
    """A model that extends a URDF file; links and joints by the names that they have there."""

    name: str
    links: dict[str, LinkWords | None]
    joints: dict[str, JointWords | None]
    bend: dict[str, BendWords | None]
    locked: list[str]
    free: list[str]


def model_words(spec: Mapping[str, object]) -> ModelWords:
    """The words of a robot that is built, so they are those of a model; a copy, to be changed."""
    return cast(ModelWords, deepcopy(dict(spec)))
