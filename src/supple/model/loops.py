"""Loops of a model: cuts between stations, ties of mimic joints, which joints have motors, where to
close them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..bodies import Station
from ..errors import did_you_mean
from ..joints import KINDS, Gear, MimicTie
from ..robot import Link, Loop, split_station_name
from .faults import Faults, enumerated
from .link_assembly import WORLD, mount, onto
from .spec import JointSpec, LoopSpec, RobotSpec

LARGEST = 1e9  # of a guess: closing in on the loops from beyond would lose all digits
Path = tuple[str | int, ...]
Side = tuple[int, Station]


def loops_of(spec: RobotSpec, links: list[Link], faults: Faults) -> tuple[Loop, ...]:
    """The cuts, each checked."""
    out: list[Loop] = []
    for i, words in enumerate(spec.loops):
        path: Path = ("loops", i)
        name = words.name or f"loop{i + 1}"
        if any(name == loop.name for loop in out):
            faults.add((*path, "name"), f"two loops are named {name!r}", "rename one")
        between = enumerate(words.between)
        first, second = [_side(x, (*path, "between", k), links, faults) for k, x in between]
        axes_right = _check_axes(words, path, faults)
        if first is None or second is None or not axes_right:
            continue
        _check_ends(words, (*path, "between"), first[0], second[0], links, faults)
        kind, other = KINDS[words.type], words.second_axis or words.axis
        A, B = onto(words.axis, kind.has_axis), onto(other, kind.has_axis)
        turned = replace(second[1], R0=second[1].R0 @ B)
        ends = (first[0], mount(words.origin, first[1], A)), (second[0], turned)
        out.append(Loop(name, *ends, kind()))
    closed = spec.loops or any(joint.mimic for joint in spec.joints)
    for key in () if closed else ("actuated", "guess"):
        if getattr(spec, key):
            faults.add(
                (key,),
                f"{key} belongs to closed chains; this robot has no loops",
                "leave this key out, or close a chain with loops",
            )
    return tuple(out)


def _side(text: str, path: Path, links: list[Link], faults: Faults) -> Side | None:
    """The link (-1: the world) and the station that a text names."""
    places: dict[str, Mapping[str, Station]] = {"world": WORLD}
    places |= {
        link.name: link.body.stations for link in links if link.role not in ("helper", "rotor")
    }
    name, at = split_station_name(text, places)
    if name not in places:
        hint = did_you_mean(name, places) or f"links are: {', '.join(places)}"
        faults.add(path, f"the loop names no link: {name!r}", hint)
        return None
    stations = places[name]
    at = at or ("tip" if "tip" in stations else "origin")
    if at not in stations:
        hint = did_you_mean(at, stations) or f"stations are: {', '.join(stations)}"
        faults.add(path, f"{name!r} has no station {at!r}", hint)
        return None
    return next((i for i, link in enumerate(links) if link.name == name), -1), stations[at]


def _check_axes(words: LoopSpec, path: Path, faults: Faults) -> bool:
    """Axes are there for kinds that have them, and are not zero."""
    kind, before = KINDS[words.type], len(faults.found)
    able = {
        "axis": [name for name, other in KINDS.items() if other.has_axis],
        "second_axis": [name for name, x in KINDS.items() if x.has_axis and 2 in x.axes],
    }
    for key, names in able.items():
        given = getattr(words, key)
        if key in words.model_fields_set and kind.kind not in names:
            frame = "; `rpy` of a station turns its axes"
            hint = f"{enumerated(names)} loops can{frame}"
            faults.add((*path, key), f"a {words.type} loop cannot have {key}", hint)
        elif given is not None and not any(given):
            faults.add((*path, key), "the axis is zero", f"e.g. {key}: [0, 0, 1]")
    return len(faults.found) == before


def _check_ends(
    words: LoopSpec, path: Path, i: int, j: int, links: list[Link], faults: Faults
) -> None:
    """The two sides must be able to move against each other."""
    names = ["world" if k < 0 else links[k].name for k in (i, j)]
    if i == j:
        faults.add(
            path, f"the loop closes {names[0]!r} on itself", "name stations of two different links"
        )
    elif not _movable(i, j, links):
        words_of = f"{names[0]!r} and {names[1]!r} do not move against each other"
        faults.add(path, f"{words_of}: the loop closes nothing", "leave this loop out")


def _movable(i: int, j: int, links: list[Link]) -> bool:
    """Whether a joint or a bending link is between two links."""
    a, b = (_ancestry(k, links) for k in (i, j))
    between, shared = set(a) ^ set(b), set(a) & set(b)
    nearest = max(shared, default=-1)  # parents come before their children
    bends = nearest >= 0 and links[nearest].body.m > 0
    return bends or any(links[k].joint.nv or links[k].body.m for k in between)


def _ancestry(i: int, links: list[Link]) -> list[int]:
    out = []
    while i >= 0:
        out.append(i)
        i = links[i].parent
    return out


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
    name, other = joint.label, joint.mimic.joint
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
                k = next(i for i, x in enumerate(joints) if x.label == name)
                words = f"joint {name!r} mimics joints that mimic it"
                faults.add(("joints", k, "mimic", "joint"), words, "one of them must lead")
                return
            seen.add(here)


def motors(
    spec: RobotSpec, links: list[Link], gears: Sequence[Gear], faults: Faults
) -> tuple[str, ...] | None:
    """The joints that have a motor, in the order of the links; None: all. Of a joint with an
    elastic gear it is the rotor that has it."""
    if spec.actuated is None:
        return None
    geared = [gear.link for gear in gears]
    links = [link for i, link in enumerate(links) if i not in geared]
    found: dict[str, str] = {}
    for k, name in enumerate(spec.actuated):
        path: Path = ("actuated", k)
        meant = _joints(name, links)
        if not meant:
            names = [_said(link) for link in links if link.joint.nv]
            hint = did_you_mean(name, names) or f"joints are: {', '.join(names)}"
            faults.add(path, f"no joint named {name!r}", hint)
        elif not any(link.joint.nv for link in meant):
            faults.add(path, f"joint {name!r} is fixed: a motor could not move it")
        twice = [link.joint_name for link in meant if link.joint_name in found]
        if twice:
            faults.add(path, f"joint {twice[0]!r} is named twice", "name each joint once")
        found |= {link.joint_name: name for link in meant}
    return tuple(link.joint_name for link in links if link.joint_name in found and link.joint.nv)


def _said(link: Link) -> str:
    """How the file calls the joint of a link: of a rotor the joint that it drives."""
    return link.joint_name.removesuffix(".motor") if link.role == "rotor" else link.joint_name


def _joints(name: str, links: list[Link]) -> list[Link]:
    """Links on a joint: of this name, or whose parts have it as their first word."""
    return [link for link in links if name in (link.joint_name, link.joint_name.partition(".")[0])]


def guess_of(spec: RobotSpec, links: list[Link], faults: Faults) -> dict[str, float]:
    """Coordinates of the joints by name, where the loops start to close."""
    out: dict[str, float] = {}
    for name, value in spec.guess.items():
        path: Path = ("guess", name)
        names = _coordinates(name, links)
        if not names:
            every = [c for link in links for c in _of(link)]
            hint = did_you_mean(name, every) or f"coordinates are: {', '.join(every)}"
            faults.add(path, f"no joint named {name!r}", hint)
            continue
        values = value if isinstance(value, list) else [value]
        if len(values) != len(names):
            many = f"{len(names)} coordinates: {', '.join(names)}" if len(names) > 1 else "one"
            faults.add(path, f"joint {name!r} has {many}; got {len(values)} numbers")
            continue
        if max(map(abs, values)) > LARGEST:
            faults.add(path, f"the guess is {max(values, key=abs):g}, beyond {LARGEST:g}")
            continue
        out |= dict(zip(names, values, strict=True))
        _check_stops(name, values[0], links, faults)
    _check_quaternions(out, links, faults)
    return out


def _check_stops(name: str, value: float, links: list[Link], faults: Faults) -> None:
    """The guess is between the stops."""
    for link in links:
        drive = link.drive
        beyond = drive.stop_stiffness and not drive.lower <= value <= drive.upper
        if link.joint_name == name and beyond:
            words = f"the guess is {value:g}, beyond the stops of {name!r}"
            faults.add(("guess", name), words, f"they are at {drive.lower:g} and {drive.upper:g}")


def _check_quaternions(out: Mapping[str, float], links: list[Link], faults: Faults) -> None:
    for link in links:
        if link.joint.nq > link.joint.nv:
            names = _of(link)[:4]
            part = [out.get(n, x) for n, x in zip(names, link.joint.neutral(), strict=False)]
            if not 1e-3 < float(np.linalg.norm(part)) < 1e3:
                words = f"the quaternion {part} has no direction; give (w, x, y, z) of length 1"
                faults.add(("guess", link.joint_name), words)


def _of(link: Link) -> list[str]:
    return [link.joint_name + suffix for suffix in link.joint.coordinates]


def _coordinates(name: str, links: list[Link]) -> list[str]:
    """The coordinates that a name means: one of them, or all of a joint."""
    every = [c for link in links for c in _of(link)]
    return [name] if name in every else [c for link in _joints(name, links) for c in _of(link)]
