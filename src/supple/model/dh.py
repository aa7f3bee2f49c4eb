"""Denavit-Hartenberg tables, three conventions, to links and joints.

Our link frame stands at the link's own joint, z along its axis. Saha's and the standard
convention put the link's data in the distal frame T = Rz(theta) Tz(b) Tx(a) Rx(alpha); Craig's
modified one in the link's frame itself.
"""

from __future__ import annotations

import numpy as np

from ..screws import rpy_matrix
from ..types import Floats
from .inertia import inertia_tensor
from .spec import DHRow, DHTable, JointSpec, LinkSpec, Passive


def table_to_links(table: DHTable) -> tuple[dict[str, LinkSpec], list[JointSpec]]:
    """One link and one joint a row."""
    links: dict[str, LinkSpec] = {}
    joints: list[JointSpec] = []
    parent = "world"
    for i, row in enumerate(table.rows):
        name = row.name or f"link{i + 1}"
        modified = table.convention == "modified"
        links[name] = _craig_link(row) if modified else _distal_link(row, table.convention)
        joints.append(_joint(f"joint{i + 1}", parent, name, row, modified))
        parent = name
    return links, joints


def _joint(label: str, parent: str, child: str, row: DHRow, modified: bool) -> JointSpec:
    """theta offsets a revolute joint, b a prismatic one; the rest is constant."""
    revolute = row.joint == "revolute"
    passive = {key: getattr(row, key) for key in Passive.model_fields}
    if modified:  # Rx(alpha) Tx(a) Rz(theta) Tz(b), all before the joint's own motion
        R = rpy_matrix(row.alpha, 0.0, 0.0)
        xyz = (np.array([row.a, 0.0, 0.0]) + R @ np.array([0.0, 0.0, row.b])).tolist()
        rpy = _rpy(R @ rpy_matrix(0.0, 0.0, row.theta))
    else:
        xyz = [0.0, 0.0, 0.0 if revolute else row.b]
        rpy = [0.0, 0.0, row.theta]
    return JointSpec(
        type=row.joint,
        name=label,
        parent=parent,
        child=child,
        at=None if parent == "world" else ("origin" if modified else "tip"),
        origin={"xyz": xyz, "rpy": rpy},
        **passive,
    )


def _distal_link(row: DHRow, convention: str) -> LinkSpec:
    R = rpy_matrix(row.alpha, 0.0, 0.0)
    tip = np.array([row.a, 0.0, row.b if row.joint == "revolute" else 0.0])
    if convention == "saha":  # r runs from the mass centre to the distal origin
        com = tip - R @ np.array(row.r or [0.0, 0.0, 0.0])
    else:
        com = tip + R @ np.array(row.com or [0.0, 0.0, 0.0])
    inertia = None if row.inertia is None else (R @ inertia_tensor(row.inertia) @ R.T).tolist()
    return LinkSpec(
        rigid={
            "mass": row.mass,
            "com": com.tolist(),
            "inertia": inertia,
            "tip": tip.tolist(),
            "tip_rpy": [row.alpha, 0.0, 0.0],
        },
        payload=row.payload,
    )


def _craig_link(row: DHRow) -> LinkSpec:
    inertia = None if row.inertia is None else inertia_tensor(row.inertia).tolist()
    com = row.com or [0.0, 0.0, 0.0]
    return LinkSpec(rigid={"mass": row.mass, "com": com, "inertia": inertia}, payload=row.payload)


def _rpy(R: Floats) -> list[float]:
    """Roll, pitch, yaw of R = Rz Ry Rx."""
    pitch = float(np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0])))
    return [float(np.arctan2(R[2, 1], R[2, 2])), pitch, float(np.arctan2(R[1, 0], R[0, 0]))]
