"""Denavit-Hartenberg tables, three conventions, to links and joints.

Our link frame stands at the link's own joint, z along its axis. Saha's and the standard
convention put the link's data in the distal frame T = Rz(theta) Tz(b) Tx(a) Rx(alpha); Craig's
modified one in the link's frame itself. A beam leads from the joint to the next one: along x
of the distal frame, which is its tip's, over the length a; in Craig's convention along x of
the link's own frame over the length a of the next row.
"""

from __future__ import annotations

import numpy as np
from pydantic import ValidationError

from ..errors import KeyedError
from ..joints import KINDS
from ..screws import rpy_matrix
from ..types import Floats
from .faults import Faults
from .inertia import inertia_tensor
from .spec import DHRow, DHTable, JointSpec, LinkSpec, Passive


def row_name(i: int, row: DHRow) -> str:
    return row.name or f"link{i + 1}"


def table_to_links(table: DHTable) -> tuple[dict[str, LinkSpec], list[JointSpec]]:
    """One link and one joint a row."""
    links: dict[str, LinkSpec] = {}
    joints: list[JointSpec] = []
    parent = "world"
    modified = table.convention == "modified"
    for i, row in enumerate(table.rows):
        name = row_name(i, row)
        on_beam = i > 0 and table.rows[i - 1].beam is not None
        try:
            links[name] = _link(table, i)
            joints.append(_joint(f"joint{i + 1}", parent, name, row, modified, on_beam))
        except ValidationError:
            words = "the numbers of this row are too large: what follows from them is not finite"
            raise KeyedError(words, "rows", i) from None
        parent = name
    return links, joints


def _turns(row: DHRow) -> bool:
    """Whether the joint of a row turns; or else it slides."""
    return KINDS[row.joint].axes[0] < 3


def _link(table: DHTable, i: int) -> LinkSpec:
    """The link of a row: its beam, in the axes of the frame with the link's data, or what is rigid;
    and what is given in links and rows alike."""
    row, modified = table.rows[i], table.convention == "modified"
    others = {"hub": row.hub, "payload": row.payload, "stations": dict(row.stations)}
    offset = row.b if _turns(row) else 0.0
    if row.beam is not None:
        place: dict[str, object] = {"length": _span(table, i)}
        if not modified:
            place |= {"start": [0.0, 0.0, offset], "rpy": [row.alpha, 0.0, 0.0]}
        return LinkSpec(beam=row.beam.model_copy(update=place), **others)
    tensor = None if row.inertia is None else inertia_tensor(row.inertia)
    if modified:
        inertia = None if tensor is None else tensor.tolist()
        com = row.com or [0.0, 0.0, 0.0]
        return LinkSpec(rigid={"mass": row.mass, "com": com, "inertia": inertia}, **others)
    R, tip = rpy_matrix(row.alpha, 0.0, 0.0), np.array([row.a, 0.0, offset])
    if table.convention == "saha":  # r runs from the mass centre to the distal origin
        centre = tip - R @ np.array(row.r or [0.0, 0.0, 0.0])
    else:
        centre = tip + R @ np.array(row.com or [0.0, 0.0, 0.0])
    rigid = {
        "mass": row.mass,
        "com": centre.tolist(),
        "inertia": None if tensor is None else (R @ tensor @ R.T).tolist(),
        "tip": tip.tolist(),
        "tip_rpy": [row.alpha, 0.0, 0.0],
    }
    return LinkSpec(rigid=rigid, **others)


def check_rows(table: DHTable, faults: Faults) -> None:
    """Say what does not belong to a row, or to the convention."""
    right, wrong = ("r", "com") if table.convention == "saha" else ("com", "r")
    taken: set[str] = set()
    for i, row in enumerate(table.rows):
        path = ("dh", "rows", i)
        name = row_name(i, row)
        if name in taken:
            faults.add((*path, "name"), f"two links are named {name!r}", "rename one")
        taken.add(name)
        if getattr(row, wrong) is not None:
            faults.add(
                (*path, wrong),
                f"the {table.convention} convention has no {wrong!r}",
                f"give the mass centre by {right}; see supple help dh",
            )
        if row.beam is not None:
            _check_beam(table, i, faults)


def _check_beam(table: DHTable, i: int, faults: Faults) -> None:
    """A beam leads from its joint to the next one; beside it a link has hub and payload alone."""
    row, beam, path = table.rows[i], table.rows[i].beam, ("dh", "rows", i)
    assert beam is not None
    for key in ("mass", "r", "com", "inertia"):
        if key in row.model_fields_set:
            help = "what does not bend is its hub (at the joint) or its payload (at the tip)"
            faults.add((*path, key), f"a row with a beam has no {key} of its own", help)
    for key in ("start", "rpy"):
        if key in beam.model_fields_set:
            words = "the table places the beam: along x, from this joint to the next"
            faults.add((*path, "beam", key), words, f"leave {key} out")
    span = _span(table, i)
    whose = "the next row" if table.convention == "modified" else "this row"
    if span is None:
        faults.add((*path, "beam", "length"), "the beam of the last row needs its length")
    elif span <= 0.0:
        faults.add(
            (*path, "beam"),
            f"a beam runs along x over the length a, but a of {whose} is {span:g}",
            "only a link with a > 0 bends; write the robot by links and joints otherwise",
        )
    elif beam.length is not None and abs(beam.length - span) > 1e-9 * span:
        faults.add(
            (*path, "beam", "length"),
            f"the beam has the length {beam.length:g}, but a of {whose} is {span:g}",
            "leave length out: a is the distance to the next joint",
        )


def _span(table: DHTable, i: int) -> float | None:
    """Length of the beam of row i: a of this row, or of the next one in Craig's convention,
    where the last link ends as its own words say."""
    if table.convention != "modified":
        return table.rows[i].a
    if i + 1 < len(table.rows):
        return table.rows[i + 1].a
    beam = table.rows[i].beam
    return None if beam is None else beam.length


def _joint(
    label: str, parent: str, child: str, row: DHRow, modified: bool, on_beam: bool
) -> JointSpec:
    """theta offsets a revolute joint, b a prismatic one; all else is constant. On a beam's tip,
    Craig's a has been gone already."""
    revolute = _turns(row)
    passive = {key: getattr(row, key) for key in Passive.model_fields}
    if modified:  # Rx(alpha) Tx(a) Rz(theta) Tz(b), all before the joint's own motion
        R = rpy_matrix(row.alpha, 0.0, 0.0)
        xyz = (
            np.array([0.0 if on_beam else row.a, 0.0, 0.0]) + R @ np.array([0.0, 0.0, row.b])
        ).tolist()
        rpy = _rpy(R @ rpy_matrix(0.0, 0.0, row.theta))
    else:
        xyz = [0.0, 0.0, 0.0 if revolute else row.b]
        rpy = [0.0, 0.0, row.theta]
    return JointSpec(
        type=row.joint,
        name=label,
        parent=parent,
        child=child,
        at=None if parent == "world" else ("origin" if modified and not on_beam else "tip"),
        origin={"xyz": xyz, "rpy": rpy},
        **passive,
    )


def _rpy(R: Floats) -> list[float]:
    """Roll, pitch, yaw of R = Rz Ry Rx."""
    pitch = float(np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0])))
    return [float(np.arctan2(R[2, 1], R[2, 2])), pitch, float(np.arctan2(R[1, 0], R[0, 0]))]
