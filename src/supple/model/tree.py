"""The tree of links and joints that a model's words describe: who carries whom, in which order."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from ..errors import KeyedError, did_you_mean
from ..joints import KINDS
from .dh import check_rows, row_name, table_to_links
from .faults import Faults
from .spec import DHTable, JointSpec, LinkSpec, RobotSpec

Carriers = dict[str, tuple[int, JointSpec]]
"""By the name of a link: the joint that carries it, and its place in the list of joints."""

RESULT_NAMES = (
    *("q", "qd", "tau", "amplitude", "kinetic", "gravity", "elastic", "work", "dissipated"),
    *("tip", "deflection", "desired", "reaction", "multipliers", "closure", "constraint_power"),
    *("time", "coordinate", "velocity", "mode", "link", "axis", "joint", "driven", "cut"),
)
"""What a Result calls by these names: run["q"] must not mean a joint as well."""


def tree_words(spec: RobotSpec, faults: Faults) -> tuple[dict[str, LinkSpec], Carriers]:
    """Links and, by child, the joint that carries each; a table is unrolled first."""
    links, listed = dict(spec.links), list(spec.joints)
    if spec.dh is not None:
        if links or listed:
            faults.add(("dh",), "a model has either a dh table or links and joints, not both")
        links, listed = _unrolled(spec.dh, faults)
        if faults.found:
            return {}, {}
    if not links and not faults.found:
        faults.add((), "a robot needs at least one link", "add `links:` or a `dh:` table")
    if "world" in links:
        faults.add(("links", "world"), "a link cannot be named 'world'", "that is the fixed frame")
    joints: Carriers = {}
    names: set[str] = set()
    for i, joint in enumerate(listed):
        _check_joint(i, joint, links, joints, names, faults)
        names.add(joint.label)
        joints.setdefault(joint.child, (i, joint))
    for name in links:
        if name not in joints and not faults.found:
            faults.add(
                ("links", name),
                f"no joint carries link {name!r}",
                "add a joint with this child; `type: fixed, parent: world` fixes it",
            )
    return links, joints


def _unrolled(table: DHTable, faults: Faults) -> tuple[dict[str, LinkSpec], list[JointSpec]]:
    """The links and joints of a table; none if anything was wrong so far."""
    check_rows(table, faults)
    faults.rows = {row_name(i, row): i for i, row in enumerate(table.rows)}
    if faults.found:
        return {}, []
    try:
        return table_to_links(table)
    except KeyedError as error:
        faults.add(("dh", *error.keys), str(error), "is a power of ten wrong?")
        return {}, []


def _check_joint(
    i: int,
    joint: JointSpec,
    links: dict[str, LinkSpec],
    before: Carriers,
    taken: set[str],
    faults: Faults,
) -> None:
    """It leads from a link, or from the world, to a link that hangs on no joint before it. Its
    name is taken neither by another joint nor by a history of a result."""
    for end in ("parent", "child"):
        name = getattr(joint, end)
        if name not in links and not (end == "parent" and name == "world"):
            hint = did_you_mean(name, links) or f"links are: {', '.join(links)}"
            faults.add(("joints", i, end), f"the joint names no link: {name!r}", hint)
    label, path = joint.label, ("joints", i, "name")
    if label in taken:
        faults.add(path, f"two joints are named {label!r}", "rename one")
    if label in RESULT_NAMES and "" in KINDS[joint.type].coordinates:
        faults.add(
            path,
            f"a joint cannot be named {label!r}: run[{label!r}] of a result is another history",
            f"rename it, e.g. {label}_joint",
        )
    if joint.child in before:
        faults.add(
            ("joints", i, "child"),
            f"link {joint.child!r} is already carried by joint {before[joint.child][1].label!r}",
            "a link hangs on one joint; a second one closes a loop: see supple help loop",
        )


def tree_order(links: dict[str, LinkSpec], joints: Carriers, faults: Faults) -> list[str]:
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
