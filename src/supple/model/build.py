"""From checked words to a Robot: bodies, stations, tree order. All faults are collected."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from ..errors import Fault, InputError, KeyedError, ModelError, brief, did_you_mean
from ..expressions import CONSTANTS, parse
from ..joints import KINDS
from ..kinematics import KINEMATICS, named
from ..loops import OpenLoopError
from ..robot import Link, MotionFormulas, Robot, place_coordinates
from .assemble import assemble_links
from .computable import check_computable
from .dh import check_rows, row_name, table_to_links
from .faults import Faults
from .link_body import LinkBody, link_body
from .loops import guess_of, loops_of, motors
from .plain_data import plain_data
from .spec import JointSpec, LinkSpec, RobotSpec
from .validate import validate
from .without_faults import without_faults
from .yaml import Document

HISTORIES = (
    *("q", "qd", "tau", "amplitude", "kinetic", "gravity", "elastic", "work", "dissipated"),
    *("tip", "deflection", "desired", "reaction"),
    *("time", "coordinate", "velocity", "mode", "link", "axis", "joint", "driven"),
)
"""What a Result calls by these names: run["q"] must not mean a joint as well."""


def build(data: Mapping[str, Any] | Document) -> Robot:
    """A Robot from the words of a model file (a mapping, or a read document)."""
    document = data if isinstance(data, Document) else _document(data)
    with np.errstate(all="ignore"):  # numbers too large or small are found by check_computable
        robot = _build(document)
        _close(robot, document)
    return robot


def unclosed(data: Mapping[str, Any]) -> Robot:
    """The same without a place in which its loops are closed."""
    with np.errstate(all="ignore"):
        return _build(_document(data))


def _build(document: Document) -> Robot:
    try:
        spec = validate(document)
    except ModelError as error:
        raise ModelError(_with_others(document, error.faults), document.source) from None
    faults = Faults(document)
    links, joints, made = _parts(spec, faults)
    faults.stop()
    order = _tree_order(links, joints, faults)
    faults.stop()
    built = assemble_links(order, joints, made, faults)
    _check_motions(spec, built, faults)
    loops = loops_of(spec, built, faults)
    actuated, guess = motors(spec, built, faults), guess_of(spec, built, faults)
    faults.stop()
    robot = Robot(
        name=spec.name,
        links=place_coordinates(built),
        gravity=np.array(spec.gravity, dtype=float),
        elastic_kinematics=spec.elastic_kinematics,
        elastic_columns=spec.elastic_columns,
        loops=loops,
        actuated=actuated,  # type: ignore[arg-type]  # None: all
        guess=guess,
        units=spec.units,
        description=spec.description,
        source=spec.source,
        notes=tuple(spec.notes),
        motions={name: MotionFormulas(m.duration, m.joints) for name, m in spec.motions.items()},
        spec=dict(document.data),
    )
    check_computable(robot, {name: i for name, (i, _) in joints.items()}, faults)
    faults.stop()
    return robot


def _close(robot: Robot, document: Document) -> None:
    """The loops must close somewhere; the place is kept."""
    faults = Faults(document)
    try:
        robot.home()
    except OpenLoopError as error:
        faults.add(("loops", error.loop), error.words, error.help)
    faults.stop()


def _document(data: Mapping[str, Any]) -> Document:
    """The words given in Python, made plain."""
    if not isinstance(data, Mapping):
        raise InputError(
            f"supple.build takes a mapping of keys (name, links, joints, ...), got {brief(data)}; "
            f"a file is read by supple.load"
        )
    return Document(plain_data(data), "model")


def _with_others(document: Document, found: tuple[Fault, ...]) -> list[Fault]:
    """Wrong words do not hide what else is wrong: all other words are checked as well."""
    left = without_faults(document, found)
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
) -> tuple[dict[str, LinkSpec], dict[str, tuple[int, JointSpec]], dict[str, LinkBody]]:
    """Links, the joint that carries each, and their bodies, but for those to skip."""
    how = KINEMATICS[spec.elastic_kinematics]
    free = how.small or not how.bends  # rigid robots have no columns
    if spec.elastic_columns != "exponential" and not free:
        faults.add(
            ("elastic_columns",),
            f"elastic columns are {spec.elastic_columns!r}, which linearised kinematics alone can "
            f"have; elastic_kinematics is {spec.elastic_kinematics!r}",
            f"leave this key out, or write elastic_kinematics: {named(lambda kind: kind.small)[0]}",
        )
    links, joints = _tree_words(spec, faults)
    bodies = {k: link_body(k, v, how, faults) for k, v in links.items() if k not in skip}
    made = {name: body for name, body in bodies.items() if body is not None}
    if spec.dh is not None:
        made = {k: v if links[k].beam else v.as_one() for k, v in made.items()}
    return links, joints, made


def _tree_words(
    spec: RobotSpec, faults: Faults
) -> tuple[dict[str, LinkSpec], dict[str, tuple[int, JointSpec]]]:
    """Links and, by child, the joint that carries each; a table is unrolled first."""
    links, listed = dict(spec.links), list(spec.joints)
    if spec.dh is not None:
        if links or listed:
            faults.add(("dh",), "a model has either a dh table or links and joints, not both")
        check_rows(spec.dh, faults)
        faults.rows = {row_name(i, row): i for i, row in enumerate(spec.dh.rows)}
        if faults.found:
            return {}, {}
        try:
            links, listed = table_to_links(spec.dh)
        except KeyedError as error:
            faults.add(("dh", *error.keys), str(error), "is a power of ten wrong?")
            return {}, {}
    if not links and not faults.found:
        faults.add((), "a robot needs at least one link", "add `links:` or a `dh:` table")
    if "world" in links:
        faults.add(("links", "world"), "a link cannot be named 'world'", "that is the fixed frame")
    joints: dict[str, tuple[int, JointSpec]] = {}
    names: dict[str, int] = {}
    for i, joint in enumerate(listed):
        path: tuple[str | int, ...] = ("joints", i)
        for end in ("parent", "child"):
            name = getattr(joint, end)
            if name not in links and not (end == "parent" and name == "world"):
                hint = did_you_mean(name, links) or f"links are: {', '.join(links)}"
                faults.add((*path, end), f"the joint names no link: {name!r}", hint)
        label = joint.name or f"{joint.child}_joint"
        if label in names:
            faults.add((*path, "name"), f"two joints are named {label!r}", "rename one")
        if label in HISTORIES and "" in KINDS[joint.type].coordinates:
            faults.add(
                (*path, "name"),
                f"a joint cannot be named {label!r}: run[{label!r}] of a result is another history",
                f"rename it, e.g. {label}_joint",
            )
        names[label] = i
        if joint.child in joints:
            other = joints[joint.child][1]
            faults.add(
                (*path, "child"),
                f"link {joint.child!r} is already carried by joint "
                f"{other.name or joint.child + '_joint'!r}",
                "a link hangs on one joint; a second one closes a loop: see supple help loop",
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
                parse(text, ("t", *CONSTANTS))
            except ValueError as error:
                faults.add(path, str(error))


def _tree_order(
    links: dict[str, LinkSpec], joints: dict[str, tuple[int, JointSpec]], faults: Faults
) -> list[str]:
    """File order, but parents before children."""
    place = {name: i for i, name in enumerate(links)}
    children: dict[str, list[str]] = {}
    for name in links:
        children.setdefault(joints[name][1].parent, []).append(name)
    ready = [(place[name], name) for name in children.get("world", [])]
    heapify(ready)
    order: list[str] = []
    while ready:
        name = heappop(ready)[1]
        order.append(name)
        for child in children.get(name, []):
            heappush(ready, (place[child], child))
    if len(order) < len(links):
        done = set(order)
        waiting = [name for name in links if name not in done]
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
    return order
