"""Mimic joints of a model: ties between the coordinates of two joints."""

from __future__ import annotations

from ..errors import did_you_mean
from ..joints import MimicTie
from ..robot import Link, Loop
from .faults import Faults
from .spec import JointSpec


def ties_of(joints: list[JointSpec], links: list[Link], faults: Faults) -> tuple[Loop, ...]:
    """A tie for each joint that mimics another."""
    places = {x.joint_name: k for k, x in enumerate(links) if x.joint.nv == 1 and x.role == "link"}
    found = [_tie(i, joint, places, links, faults) for i, joint in enumerate(joints) if joint.mimic]
    ties = [tie for tie in found if tie is not None]
    _check_chains(ties, joints, links, faults)
    return tuple(ties)


def _tie(
    i: int, joint: JointSpec, places: dict[str, int], links: list[Link], faults: Faults
) -> Loop | None:
    assert joint.mimic is not None
    name, other = joint.name or f"{joint.child}_joint", joint.mimic.joint
    if name not in places:
        words = f"a {joint.type} joint cannot mimic another: it does not have one coordinate"
        faults.add(("joints", i, "mimic"), words, "revolute and prismatic joints can")
        return None
    if other not in places or other == name:
        words = "the joint mimics itself" if other == name else f"no joint {other!r} to mimic"
        names = [x for x in places if x != name]
        help = did_you_mean(other, names) or f"joints of one coordinate: {', '.join(names)}"
        faults.add(("joints", i, "mimic", "joint"), words, help)
        return None
    a, b = places[other], places[name]
    sides = tuple((k, links[k].body.stations["origin"]) for k in (a, b))
    ratio, offset = joint.mimic.ratio, joint.mimic.offset
    return Loop(f"{name}_mimic", sides[0], sides[1], MimicTie(), ratio=ratio, offset=offset)


def _check_chains(
    ties: list[Loop], joints: list[JointSpec], links: list[Link], faults: Faults
) -> None:
    """Ties in a ring leave no joint to follow."""
    leader = {tie.second[0]: tie.first[0] for tie in ties}
    for start in leader:
        here, seen = start, {start}
        while here in leader:
            here = leader[here]
            if here in seen:
                name = links[start].joint_name
                k = next(i for i, x in enumerate(joints) if (x.name or f"{x.child}_joint") == name)
                words = f"joint {name!r} mimics joints that mimic it"
                faults.add(("joints", k, "mimic", "joint"), words, "one of them must lead")
                return
            seen.add(here)
