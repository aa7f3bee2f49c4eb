"""The words of a model that extends a URDF file: what bends, what closes, what drives."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...elastic_kinematics import DEFAULT
from ..spec import (
    BeamSpec,
    BodySpec,
    Guess,
    KinematicsName,
    LimitsSpec,
    LoopSpec,
    MimicSpec,
    MotionSpec,
    Name,
    Origin,
    Passive,
    PayloadSpec,
    Positive,
    Spec,
    StationSpec,
    Vector,
)


class BendSpec(BeamSpec):
    """How a link of a URDF file bends: a beam from its joint to the next one, which takes as much
    of the link's mass as it is given, or as much as it can; the rest stays rigid and rides on it.
    Mass, centre and inertia of the unbent link stay those of the file."""

    length: Positive | None = None  # type: ignore[assignment]
    to: Annotated[str, Field(min_length=1)] | None = None
    end: Vector | None = None
    rest: Literal["root", "centre", "tip"] = "centre"


class UrdfJoint(Passive):
    """What is added to a joint of a URDF file, or stands in place of what it says."""

    at: str | None = None
    origin: Origin = Origin()
    limits: LimitsSpec | None = None
    mimic: MimicSpec | None = None


class UrdfLink(Spec):
    """What is added to a link of a URDF file; a body from finite elements stands in place of the
    link's own mass and inertia."""

    body: BodySpec | None = None
    payload: PayloadSpec | None = None
    stations: dict[Name, StationSpec] = {}


class UrdfSpec(Spec):
    """A robot that is a URDF file, and what that cannot say."""

    supple: Literal[1] = 1
    urdf: Annotated[str, Field(min_length=1)]
    packages: dict[str, str] = {}
    base: Literal["fixed", "floating"] = "fixed"
    name: str | None = None
    description: str = ""
    source: str = ""
    notes: list[str] = []
    gravity: Vector = [0.0, 0.0, -9.81]
    elastic_kinematics: KinematicsName = DEFAULT
    bend: dict[str, BendSpec] = {}
    links: dict[str, UrdfLink] = {}
    joints: dict[str, UrdfJoint] = {}
    locked: list[str] = []
    free: list[str] = []
    motions: dict[Name, MotionSpec] = {}
    loops: list[LoopSpec] = []
    actuated: list[str] | None = None
    guess: dict[str, Guess] = {}


COPIED = (
    *("description", "gravity", "elastic_kinematics", "motions", "loops", "actuated", "guess"),
)
"""Keys that hold in the model as they stand: those of `SharedWords`."""
