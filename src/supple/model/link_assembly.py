"""Assemble the links: bodies on their joints, with mounts, axes, drives, looks, and what rides on
them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..bodies import RigidPart, Station, Visual, agreeing, rigid_body, turned
from ..errors import did_you_mean
from ..joints import KINDS, Drive, Fixed, Gear, JointPart, Limits, Revolute
from ..robot import Link
from ..screws import rotation_from_axes, rpy_matrix
from ..types import Floats
from .drives import check_drive, drive_of, elastic_gear, rotor
from .faults import Faults
from .link_body import LinkBody
from .spec import VISUAL_SHAPES, JointSpec, LinkSpec, Origin, VisualSpec

WORLD = {"origin": Station.origin()}
"""The stations of the world."""


def mount(origin: Origin, station: Station, A: Floats) -> Station:
    """A station with a joint's own placement and the turn onto its axis."""
    R = rpy_matrix(*origin.rpy)
    offset = station.R0 @ np.array(origin.xyz, dtype=float)
    return replace(station, rho=station.rho + offset, R0=station.R0 @ R @ A)


def onto(axis: Sequence[float] | Floats, has_axis: bool = True) -> Floats:
    """Axes whose z is this axis, of any length: its largest part is made 1 first, since a square
    may be too large or too small to be a number. Those of the station where there is none."""
    if not has_axis:
        return np.eye(3)
    a = np.array(axis, dtype=float)
    a = a / np.abs(a).max()
    return rotation_from_axes(np.asarray(a / np.linalg.norm(a)))


def assemble_links(
    order: list[str],
    words: Mapping[str, LinkSpec],
    joints: Mapping[str, tuple[int, JointSpec]],
    made: Mapping[str, LinkBody],
    faults: Faults,
) -> tuple[list[Link], tuple[Gear, ...]]:
    """Links in tree order, each on its parent, and the elastic gears between them; what hangs on
    a faulty joint is left out."""
    out = _Assembly(set(order), faults)
    for name in order:
        i, joint = joints[name]
        if not any(joint.axis):
            faults.add(("joints", i, "axis"), "the axis is zero", "e.g. axis: [0, 0, 1]")
        elif joint.parent == "world" or joint.parent in out.index:
            out.add(i, joint, words[name], made[name])
    return out.links, tuple(out.gears)


@dataclass
class _Assembly:
    """The links so far, in tree order, with the elastic gears between them."""

    taken: set[str]  # names that the model gives to links
    faults: Faults
    links: list[Link] = field(default_factory=list)
    gears: list[Gear] = field(default_factory=list)
    index: dict[str, int] = field(default_factory=dict)  # of links that the model names

    def add(self, i: int, joint: JointSpec, words: LinkSpec, made: LinkBody) -> None:
        """Add the link of joint i, after the massless ones of a joint that turns axis by axis, and
        after the motor of an elastic gear; then what rides on it."""
        name, p = joint.child, self.index.get(joint.parent, -1)
        stations = WORLD if p < 0 else self.links[p].body.stations
        at = joint.at or ("tip" if "tip" in stations else "origin")
        if at not in stations:
            help = did_you_mean(at, stations) or f"stations are: {', '.join(stations)}"
            self.faults.add(("joints", i, "at"), f"{joint.parent!r} has no station {at!r}", help)
            return
        check_drive(joint, ("joints", i), self.faults)
        kind, drive, label = KINDS[joint.type], drive_of(joint), joint.label
        A = onto(joint.axis, kind.has_axis)
        here = mount(joint.origin, stations[at], A)
        turns = kind.as_turns.get(joint.coordinates, "")
        parts = kind.parts or [JointPart(x, Revolute.kind, "xyz".index(x)) for x in turns]
        names = self._untaken(*(f"{name}_{part.name}" for part in parts[:-1]))
        for helper, part in zip(names, parts, strict=False):
            here, p = self._add_helper(helper, label, part, here, p, drive)
        if parts:
            last = onto(np.eye(3)[parts[-1].axis])
            kind, label, A = KINDS[parts[-1].kind], f"{label}.{parts[-1].name}", A @ last
            here = replace(here, R0=here.R0 @ last)
        gear, k = elastic_gear(joint), len(self.links)
        if gear is not None and gear.stiffness is not None:
            (motor,) = self._untaken(f"{name}_rotor")
            self.links.append(rotor(motor, label, p, here, gear))
            play = (gear.damping, gear.backlash)
            self.gears.append(Gear(k, k + 1, gear.gear_ratio, gear.stiffness, *play))
        limits = None if joint.limits is None else Limits(**joint.limits.model_dump())
        body, looks = agreeing(turned(made.body, A)), tuple(_visual(x, A.T) for x in words.visuals)
        link = Link(name, p, here, label, kind(), drive, body, A.T, limits=limits, visuals=looks)
        self.index[name] = len(self.links)
        self.links.append(link)
        for rider in made.riders:
            self._add_rider(link, rider)

    def _add_helper(
        self, name: str, label: str, part: JointPart, station: Station, p: int, drive: Drive
    ) -> tuple[Station, int]:
        """Add the massless link of one motion of a joint that is several; what is next stands at
        its origin."""
        A = onto(np.eye(3)[part.axis])
        origin = replace(Station.origin(), R0=A.T)
        here, empty = replace(station, R0=station.R0 @ A), rigid_body((), {"origin": origin})
        moves = (f"{label}.{part.name}", KINDS[part.kind](), drive)
        self.links.append(Link(name, p, here, *moves, empty, A.T, role="helper"))
        return origin, len(self.links) - 1

    def _add_rider(self, link: Link, part: RigidPart) -> None:
        """Add a link of its own, fixed to the link, for a part that its body cannot take in."""
        name = f"{link.name}_{part.kind}"
        if name in self.taken:
            words = f"the name {name!r} is taken by a part of {link.name!r}"
            self.faults.add(("links", name), words)
        alone = rigid_body((part.properties,), WORLD)
        here, p = link.body.stations[part.station or "root"], self.index[link.name]
        stays = (f"{name}_joint", Fixed(), Drive())
        self.links.append(Link(name, p, here, *stays, alone, role=part.kind))

    def _untaken(self, *names: str) -> list[str]:
        """Names for links that the model does not name, changed until no link of it has them."""
        while any(name in self.taken for name in names):
            names = tuple(name + "_" for name in names)
        return list(names)


def _visual(words: VisualSpec, frame: Floats) -> Visual:
    """What a link looks like whose user's axes are `frame` in ours."""
    shape = next(key for key in VISUAL_SHAPES if getattr(words, key) is not None)
    size = words.scale if shape == "mesh" else np.atleast_1d(getattr(words, shape))
    return Visual(
        shape,
        tuple(map(float, size)),
        frame @ np.array(words.origin.xyz, dtype=float),
        frame @ rpy_matrix(*words.origin.rpy),
        words.mesh or "",
        None if words.color is None else tuple(words.color),
        words.collision,
    )
