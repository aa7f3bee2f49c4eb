"""From checked words to a Robot: bodies, stations, tree order. All faults are collected."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..bodies import (
    Body,
    Field,
    Lump,
    Station,
    basis,
    beam_body,
    beam_station,
    rigid_body,
    turned,
    with_lumps,
    with_point_mass,
)
from ..errors import Fault, KeyedError, ModelError, did_you_mean
from ..expressions import parse
from ..joints import KINDS, Drive, Fixed, Revolute
from ..modes import root_values
from ..modes.families import family
from ..robot import Link, Robot, place_coordinates
from ..screws import rotation_from_axes, rpy_matrix
from ..types import Floats
from . import section
from .dh import table_to_links
from .rest import rest
from .spec import (
    FIELD_KEYS,
    BeamSpec,
    DHTable,
    FieldModes,
    JointSpec,
    LinkSpec,
    LumpSpec,
    Modes,
    Passive,
    RobotSpec,
)
from .validate import validate
from .yaml import Document

READY = ("first_order", "rigid")


@dataclass(frozen=True)
class Made:
    """A link's body in its own axes, with what must ride on it as a body of its own."""

    body: Body
    riders: tuple[tuple[str, str, Lump], ...] = ()  # name, station, lump


class Faults:
    """Collects faults while building; `stop` raises them together."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.found: list[Fault] = []
        self.rows: dict[str, int] = {}  # row of a DH table by link name

    def add(self, path: tuple[str | int, ...], message: str, help: str = "") -> None:
        self.found.append(self.document.fault(self._written(path), message, help))

    def _written(self, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
        """Where the file says it: a DH table has rows in place of links and joints."""
        if not self.rows or path[:1] not in (("links",), ("joints",)) or len(path) < 2:
            return path
        row = self.rows[str(path[1])] if path[0] == "links" else path[1]
        return ("dh", "rows", row, *(key for key in path[2:] if key != "rigid"))

    def stop(self) -> None:
        if self.found:
            raise ModelError(self.found, self.document.source)


def build(data: Mapping[str, Any] | Document) -> Robot:
    """A Robot from the words of a model file (a mapping, or a read document)."""
    document = data if isinstance(data, Document) else Document(dict(data), "model")
    try:
        spec = validate(document)
    except ModelError as error:
        raise ModelError(_with_rest(document, error.faults), document.source) from None
    faults = Faults(document)
    links, joints, made = _parts(spec, faults)
    faults.stop()
    order = _tree_order(links, joints, faults)
    faults.stop()
    built = _links(order, joints, made, faults)
    _check_motions(spec, built, faults)
    faults.stop()
    robot = Robot(
        name=spec.name,
        links=place_coordinates(built),
        gravity=np.array(spec.gravity, dtype=float),
        elastic_kinematics=spec.elastic_kinematics,
        spec=dict(document.data),
    )
    _check_inertia(robot, {name: i for name, (i, _) in joints.items()}, faults)
    faults.stop()
    return robot


def _with_rest(document: Document, found: tuple[Fault, ...]) -> list[Fault]:
    """Wrong words do not hide what else is wrong: the rest of the model is checked as well."""
    left = rest(document, found)
    if left is None:
        return list(found)
    spec, emptied = left
    faults = Faults(document)
    links, joints, _ = _parts(spec, faults, emptied)
    if not faults.found:
        _tree_order(links, joints, faults)
    return sorted([*found, *faults.found], key=lambda fault: (fault.line or 0, fault.column or 0))


def _parts(
    spec: RobotSpec, faults: Faults, skip: Collection[str] = ()
) -> tuple[dict[str, LinkSpec], dict[str, tuple[int, JointSpec]], dict[str, Made]]:
    """Links, the joint that carries each, and their bodies, but for those to skip."""
    if spec.loops:
        faults.add(
            ("loops",), "closed loops are reserved and cannot be used yet", "leave this key out"
        )
    if spec.elastic_kinematics not in READY:
        faults.add(
            ("elastic_kinematics",),
            f"elastic kinematics {spec.elastic_kinematics!r} is not available yet",
            f"use one of: {', '.join(READY)}",
        )
    links, joints = _tree_words(spec, faults)
    rigid = spec.elastic_kinematics == "rigid"
    with np.errstate(all="ignore"):  # numbers too large or small are found by _check_inertia
        bodies = {k: _body(k, v, rigid, faults) for k, v in links.items() if k not in skip}
    return links, joints, {name: body for name, body in bodies.items() if body is not None}


def _tree_words(
    spec: RobotSpec, faults: Faults
) -> tuple[dict[str, LinkSpec], dict[str, tuple[int, JointSpec]]]:
    """Links and, by child, the joint that carries each; a table is unrolled first."""
    links, listed = dict(spec.links), list(spec.joints)
    if spec.dh is not None:
        if links or listed:
            faults.add(("dh",), "a model has either a dh table or links and joints, not both")
        faults.rows = _rows(spec.dh, faults)
        if faults.found:
            return {}, {}
        links, listed = table_to_links(spec.dh)
    if not links and not faults.found:
        faults.add((), "a robot needs at least one link", "add `links:` or a `dh:` table")
    if "world" in links:
        faults.add(("links", "world"), "a link cannot be named 'world'", "that is the fixed frame")
    joints: dict[str, tuple[int, JointSpec]] = {}
    names: dict[str, int] = {}
    for i, joint in enumerate(listed):
        at: tuple[str | int, ...] = ("joints", i)
        for end in ("parent", "child"):
            name = getattr(joint, end)
            if name not in links and not (end == "parent" and name == "world"):
                hint = did_you_mean(name, links) or f"links are: {', '.join(links)}"
                faults.add((*at, end), f"the joint names no link: {name!r}", hint)
        label = joint.name or f"{joint.child}_joint"
        if label in names:
            faults.add((*at, "name"), f"two joints are named {label!r}", "rename one")
        names[label] = i
        if joint.child in joints:
            other = joints[joint.child][1]
            faults.add(
                (*at, "child"),
                f"link {joint.child!r} is already carried by joint "
                f"{other.name or joint.child + '_joint'!r}",
                "a link hangs on one joint; closed loops are not available yet",
            )
        joints.setdefault(joint.child, (i, joint))
    for name in links:
        if name not in joints and not faults.found:
            faults.add(
                ("links", name),
                f"no joint carries link {name!r}",
                "add a joint with this child; `type: fixed, parent: world` fixes it",
            )
    return links, joints


def _rows(table: DHTable, faults: Faults) -> dict[str, int]:
    """The row of each link by name; says which words do not belong to the convention."""
    rows: dict[str, int] = {}
    right, wrong = ("r", "com") if table.convention == "saha" else ("com", "r")
    for i, row in enumerate(table.rows):
        name = row.name or f"link{i + 1}"
        if name in rows:
            faults.add(("dh", "rows", i, "name"), f"two links are named {name!r}", "rename one")
        if getattr(row, wrong) is not None:
            faults.add(
                ("dh", "rows", i, wrong),
                f"the {table.convention} convention has no {wrong!r}",
                f"give the mass centre by {right}; see supple help dh",
            )
        rows.setdefault(name, i)
    return rows


def _check_motions(spec: RobotSpec, links: list[Link], faults: Faults) -> None:
    """A motion names joints of one coordinate and gives each a formula in t."""
    names = [link.joint_name for link in links if link.joint.nv == 1]
    for label, motion in spec.motions.items():
        for joint, text in motion.joints.items():
            path = ("motions", label, "joints", joint)
            if joint not in names:
                hint = did_you_mean(joint, names) or f"joints are: {', '.join(names) or 'none'}"
                faults.add(path, f"the motion names no joint: {joint!r}", hint)
            try:
                parse(text, ("t", "pi"))
            except ValueError as error:
                faults.add(path, str(error))


def _tree_order(
    links: dict[str, LinkSpec], joints: dict[str, tuple[int, JointSpec]], faults: Faults
) -> list[str]:
    """File order, but parents before children."""
    order: list[str] = []
    waiting = list(links)
    while waiting:
        ready = [n for n in waiting if joints[n][1].parent in ("world", *order)]
        if not ready:
            chain = [waiting[0]]
            while joints[chain[-1]][1].parent not in chain:
                chain.append(joints[chain[-1]][1].parent)
            loop = chain[chain.index(joints[chain[-1]][1].parent) :]
            i = joints[loop[0]][0]
            faults.add(
                ("joints", i, "parent"),
                "the joints form a cycle: " + " -> ".join([*reversed(loop), loop[-1]]),
                "a tree starts at parent: world",
            )
            return []
        order.append(ready[0])
        waiting.remove(ready[0])
    return order


def _tensor(value: Any) -> Floats:
    """A 3x3 inertia from any of the ways to write one."""
    if value is None:
        return np.zeros((3, 3))
    a = np.asarray(value, dtype=float)
    if a.shape == (3, 3):
        return a
    if a.ndim == 0:
        return np.asarray(np.eye(3) * a)
    if a.shape == (3,):
        return np.diag(a)
    xx, yy, zz, xy, xz, yz = a
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _lump(spec: LumpSpec, path: tuple[str | int, ...], faults: Faults) -> Lump:
    inertia = _tensor(spec.inertia)
    if np.abs(inertia - inertia.T).max() > 1e-9 * np.abs(inertia).max():
        faults.add((*path, "inertia"), "the inertia is not symmetric")
    low = float(np.linalg.eigvalsh(0.5 * (inertia + inertia.T))[0])
    if low < -1e-12 * max(1e-300, float(np.abs(inertia).max())):
        faults.add(
            (*path, "inertia"),
            f"the inertia is not positive definite (smallest principal moment {low:.6g})",
            "it is taken about the mass centre, in the link's axes: xx, yy, zz[, xy, xz, yz]",
        )
    if spec.inertia is not None and spec.mass == 0.0 and np.any(inertia) and "hub" not in path:
        faults.add((*path, "mass"), "a body with inertia needs a mass, got 0")
    return Lump(spec.mass, np.array(spec.com, dtype=float), inertia)


def _body(name: str, spec: LinkSpec, rigid: bool, faults: Faults) -> Made | None:
    path: tuple[str | int, ...] = ("links", name)
    lumps = []
    if spec.rigid is not None:
        lumps.append(_lump(spec.rigid, (*path, "rigid"), faults))
    if spec.hub is not None:
        lumps.append(_lump(spec.hub, (*path, "hub"), faults))
    origin = Station(np.zeros(3), np.zeros((0, 3)), np.zeros((0, 3)))
    if spec.beam is None:
        stations = {"origin": origin}
        if spec.rigid is not None and (spec.rigid.tip or spec.rigid.length):
            tip = spec.rigid.tip or [spec.rigid.length or 0.0, 0.0, 0.0]
            R = rpy_matrix(*spec.rigid.tip_rpy)
            stations["tip"] = replace(origin, r0=np.array(tip, dtype=float), R0=R)
        body: Body = rigid_body((), stations)
        nodes = None
    else:
        if spec.rigid is not None and (spec.rigid.tip or spec.rigid.length):
            key = "tip" if spec.rigid.tip else "length"
            faults.add(
                (*path, "rigid", key),
                f"the link has a beam, whose end is its tip; rigid.{key} would be another",
                f"leave {key} out, or place the beam with beam.start",
            )
        try:
            body, nodes = _beam(name, spec, spec.beam, rigid)
        except ValueError as error:
            faults.add((*path, "beam", *getattr(error, "keys", ())), str(error))
            return None
    body = _with_stations(body, spec, nodes, path, faults)
    if body.root_slope is not None and spec.hub is not None:
        riders = [(f"{name}_hub", "root", lumps.pop())]
    else:
        riders = []
    body = with_lumps(body, tuple(lumps))
    if spec.payload is not None:
        lump = _lump(spec.payload, (*path, "payload"), faults)
        at = spec.payload.at or ("tip" if "tip" in body.stations else "origin")
        if at not in body.stations:
            faults.add(
                (*path, "payload", "at"),
                f"link {name!r} has no station {at!r}",
                did_you_mean(at, body.stations) or f"stations are: {', '.join(body.stations)}",
            )
            return None
        body, more = _with_payload(name, body, at, lump)
        riders += more
    return Made(body, tuple(riders))


def _beam(name: str, spec: LinkSpec, words: BeamSpec, rigid: bool) -> tuple[Body, Any]:
    """The beam's body in link axes, and a maker of its stations."""
    fields = [] if rigid else _fields(words.modes)
    names = [f for f, _ in fields]
    beam = section.beam(words, names, rigid)
    if spec.payload is not None and spec.payload.at in (None, "tip"):
        com, inertia = np.array(spec.payload.com, dtype=float), _tensor(spec.payload.inertia)
        beam = replace(beam, tip=Lump(spec.payload.mass, com, inertia))
    made = tuple(_field(f, options, words.modes) for f, options in fields)
    try:
        base = basis(beam, made)
    except ValueError as error:
        raise KeyedError(str(error), "modes") from None
    _check_roots(base, beam.length)
    start, R = np.array(words.start, dtype=float), rpy_matrix(*words.rpy)
    body = beam_body(beam, base, start, R)
    m = body.m
    origin = Station(np.zeros(3), np.zeros((m, 3)), np.zeros((m, 3)))
    body = replace(body, stations={"origin": origin, **body.stations})
    return body, (beam, base, start, R)


def _fields(modes: Modes) -> list[tuple[str, FieldModes]]:
    """Elastic fields in file order, each with its options."""
    out = []
    for name in modes.order or FIELD_KEYS:
        value = getattr(modes, name)
        if value is None:
            continue
        options = FieldModes(count=value) if isinstance(value, int) else value
        if options.functions is not None:
            given = len(options.functions)
            if "count" in options.model_fields_set and options.count != given:
                raise KeyedError(
                    f"{options.count} {name} modes asked, {given} functions given",
                    "modes",
                    name,
                    "count",
                )
            options = options.model_copy(update={"count": given})
        if options.count:
            out.append((name, options))
    return out


def _field(name: str, options: FieldModes, common: FieldModes) -> Field:
    def pick(key: str) -> Any:
        own = getattr(options, key)
        return getattr(common, key) if own is None else own

    kind = pick("family") or ("functions" if pick("functions") else "orthogonal")
    arguments: dict[str, Any] = {}
    if kind == "clamped_mass":
        ratios = {key: pick(key) for key in ("mass_ratio", "inertia_ratio", "offset_ratio")}
        arguments = {key: value for key, value in ratios.items() if value is not None}
    elif kind == "functions":
        functions = pick("functions")
        if not functions:
            raise KeyedError(
                "the family 'functions' needs `functions`, a list of formulas in x",
                *_where(name, options, "family"),
            )
        if options.count > len(functions):
            raise KeyedError(
                f"{options.count} {name} modes asked, {len(functions)} functions given",
                "modes",
                name,
            )
        arguments = {"functions": tuple(functions)}
    elif kind == "finite_elements" and pick("root"):
        arguments = {"root": pick("root")}
    try:
        return Field(name, options.count, family(kind, **arguments), pick("scale") or "raw")
    except ValueError as error:
        raise KeyedError(str(error), *_where(name, options, "functions")) from None


def _where(name: str, options: FieldModes, key: str) -> tuple[str, ...]:
    """Where the option of a field stands: with the field, or with the modes for all."""
    return ("modes", key) if getattr(options, key) is None else ("modes", name, key)


def _check_roots(base: Any, length: float) -> None:
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


def _with_stations(
    body: Body, spec: LinkSpec, nodes: Any, path: tuple[str | int, ...], faults: Faults
) -> Body:
    stations = dict(body.stations)
    default = "tip" if "tip" in stations else "origin"
    for name, words in spec.stations.items():
        at = (*path, "stations", name)
        if words.x is not None and nodes is None:
            faults.add((*at, "x"), "only a beam has points along x", "use offset")
            continue
        if words.x is not None and words.x > spec.beam.length:  # type: ignore[union-attr]
            length = spec.beam.length  # type: ignore[union-attr]
            faults.add(
                (*at, "x"),
                f"x is {words.x:g}, beyond the beam's length {length:g}",
                f"x runs from 0 to {length:g}; offset leads further",
            )
            continue
        base = (
            stations[default]
            if words.x is None
            else beam_station(nodes[0], nodes[1], words.x, *nodes[2:])
        )
        R = rpy_matrix(*words.rpy)
        offset = base.R0 @ np.array(words.offset, dtype=float)
        stations[name] = replace(base, rho=base.rho + offset, R0=base.R0 @ R)
    return replace(body, stations=stations)


def _with_payload(
    name: str, body: Body, at: str, lump: Lump
) -> tuple[Body, list[tuple[str, str, Lump]]]:
    """A payload stays exact: a lump on what cannot turn, a point mass on a bare node, else a
    body of its own behind a fixed joint."""
    station = body.stations[at]
    if body.m == 0 or not (np.any(station.S) or np.any(station.Theta)):
        return with_lumps(body, (lump.moved(station.r0 + station.rho, station.R0),)), []
    bare = not (np.any(lump.inertia) or np.any(lump.com) or np.any(station.rho))
    if bare:
        return with_point_mass(body, lump.mass, station), []
    return body, [(f"{name}_payload", at, lump)]


def _drive(words: Passive) -> Drive:
    return Drive(
        stiffness=words.stiffness,
        rest=words.rest,
        damping=words.damping,
        coulomb=words.friction.coulomb,
        viscous=words.friction.viscous,
        smoothing=words.friction.smoothing,
        rotor_inertia=words.rotor_inertia,
    )


def _mount(joint: JointSpec, station: Station, A: Floats) -> Station:
    """The parent's station with the joint's own placement and the turn onto its axis."""
    R = rpy_matrix(*joint.origin.rpy)
    offset = station.R0 @ np.array(joint.origin.xyz, dtype=float)
    return replace(station, rho=station.rho + offset, R0=station.R0 @ R @ A)


def _links(
    order: list[str],
    joints: dict[str, tuple[int, JointSpec]],
    made: dict[str, Made],
    faults: Faults,
) -> list[Link]:
    out: list[Link] = []
    index: dict[str, int] = {}
    world = {"origin": Station(np.zeros(3), np.zeros((0, 3)), np.zeros((0, 3)))}
    for name in order:
        i, joint = joints[name]
        path: tuple[str | int, ...] = ("joints", i)
        axis = np.array(joint.axis, dtype=float)
        length = float(np.linalg.norm(axis))
        if length == 0.0:
            faults.add((*path, "axis"), "the axis is zero", "e.g. axis: [0, 0, 1]")
            continue
        A = (
            rotation_from_axes(axis / length)
            if joint.type in ("revolute", "prismatic")
            else np.eye(3)
        )
        p = -1 if joint.parent == "world" else index.get(joint.parent, -2)
        if p == -2:
            continue
        stations = world if p < 0 else out[p].body.stations
        at = joint.at or ("tip" if "tip" in stations else "origin")
        if at not in stations:
            faults.add(
                (*path, "at"),
                f"{joint.parent!r} has no station {at!r}",
                did_you_mean(at, stations) or f"stations are: {', '.join(stations)}",
            )
            continue
        _check_drive(joint, path, faults)
        label = joint.name or f"{name}_joint"
        body = turned(made[name].body, A)
        mount = _mount(joint, stations[at], A)
        if joint.type == "spherical" and joint.coordinates == "zyx":
            mount, p = _three_turns(label, name, mount, p, _drive(joint), out)
            kind: Any = Revolute
            A = rotation_from_axes(np.array([1.0, 0.0, 0.0]))
            body = turned(made[name].body, A)
            label += ".x"
        else:
            kind = KINDS[joint.type]
        index[name] = len(out)
        out.append(Link(name, p, mount, label, kind(), _drive(joint), body, A.T))
        for rider, station, lump in made[name].riders:
            if rider in order:
                faults.add(("links", rider), f"the name {rider!r} is taken by a part of {name!r}")
            rest = {"origin": Station(np.zeros(3), np.zeros((0, 3)), np.zeros((0, 3)))}
            alone = rigid_body((lump,), rest)
            here = body.stations[station]
            fixed = Link(rider, index[name], here, f"{rider}_joint", Fixed(), Drive(), alone)
            out.append(fixed)
    return out


def _three_turns(
    label: str, name: str, mount: Station, p: int, drive: Drive, out: list[Link]
) -> tuple[Station, int]:
    """A spherical joint as turns about z, then y, then x: two massless links go before."""
    for letter, axis in (("z", (0.0, 0.0, 1.0)), ("y", (0.0, 1.0, 0.0))):
        A = rotation_from_axes(np.array(axis))
        origin = Station(np.zeros(3), np.zeros((0, 3)), np.zeros((0, 3)), R0=A.T)
        empty = rigid_body((), {"origin": origin})
        here = replace(mount, R0=mount.R0 @ A)
        out.append(
            Link(f"{name}_{letter}", p, here, f"{label}.{letter}", Revolute(), drive, empty, A.T)
        )
        mount, p = origin, len(out) - 1
    A = rotation_from_axes(np.array([1.0, 0.0, 0.0]))
    return replace(mount, R0=mount.R0 @ A), p


def _check_drive(joint: JointSpec, path: tuple[str | int, ...], faults: Faults) -> None:
    """Springs, rotors and axes belong to joints that turn or slide about one axis."""
    turns = joint.type == "spherical" and joint.coordinates == "zyx"
    if joint.type in ("revolute", "prismatic"):
        return
    for key, what in (("stiffness", "a spring"), ("rotor_inertia", "a rotor"), ("axis", "an axis")):
        given = "axis" in joint.model_fields_set if key == "axis" else getattr(joint, key)
        if given and not (turns and key != "axis"):
            faults.add(
                (*path, key),
                f"a {joint.type} joint cannot have {what}",
                "revolute and prismatic joints can; `origin: {rpy: ...}` turns a joint's frame"
                if key == "axis"
                else "revolute and prismatic joints can",
            )


def _check_inertia(robot: Robot, joints: dict[str, int], faults: Faults) -> None:
    """Every coordinate must move some mass, or the equations have no solution."""
    from ..recursion import udu_factors

    names = robot.velocity_names
    with np.errstate(all="ignore"):
        _, D = udu_factors(robot, robot.neutral())
    top = float(np.max(np.abs(D[np.isfinite(D)]), initial=0.0))
    bad = [i for i, value in enumerate(D) if not np.inf > value > 1e-14 * top]
    if not bad:
        return
    i = bad[-1]  # the factors run from the tips to the base
    link = next(x for x in robot.links if i < x.e.stop)
    path = ("links", link.name) if i >= link.e.start else ("joints", joints.get(link.name, 0))
    faults.add(
        path,
        f"coordinate {names[i]!r} moves no inertia: the robot cannot be simulated",
        "a shape must differ from zero and from the others before it"
        if i >= link.e.start
        else "give its link, or one that it carries, a mass or inertia",
    )
