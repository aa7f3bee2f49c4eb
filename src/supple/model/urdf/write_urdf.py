"""A robot as a rigid URDF file. Shapes, loops and elastic gears have no words there: what is lost
is told.

A link's frame in the file is the user's, v_ours = F v_user. A joint's placement at zero is that of
the child's frame in the parent's: xyz = F_p^T r, R = F_p^T R0 F_c; its axis is F_c^T z.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from ...bodies import Visual
from ...recursion.gears import rigid_gears
from ...robot import Link, Robot, without_shapes
from ...screws import rpy_of
from ...types import Floats

FAR = 1e9  # a limit that is none
SPLIT = {  # kinds that URDF does not have, as joints in turn: type, axis of ours
    "spherical": (("continuous", 2), ("continuous", 1), ("continuous", 0)),
    "cylindrical": (("prismatic", 2), ("continuous", 2)),
}


def urdf_text(robot: Robot, folder: Path) -> tuple[str, list[str]]:
    """The text of the file, and what it cannot say."""
    rigid = without_shapes(rigid_gears(robot))
    writer = _UrdfWriter(rigid, folder)
    return writer.text(), [*_lost(robot), *writer.lost]


def _lost(robot: Robot) -> list[str]:
    bends = [link.name for link in robot.links if link.body.m]
    cuts = [loop.name for loop in robot.loops if not loop.is_tie]
    springs = [x.joint_name for x in robot.links if x.drive.stiffness or x.drive.stop_stiffness]
    rotors = [x.joint_name for x in robot.links if x.drive.rotor_inertia]
    elastic = [robot.links[gear.link].joint_name for gear in robot.gears]
    parts = {
        "links no longer bend": bends,
        "loops are left open": cuts,
        "elastic gears are rigid, and their rotors left out": elastic,
        "springs and stops are left out": springs,
        "rotor inertias are left out": rotors,
    }
    out = [f"{words}: {', '.join(names)}" for words, names in parts.items() if names]
    if not np.allclose(robot.gravity, [0.0, 0.0, -9.81]):
        given = ", ".join(f"{x:g}" for x in robot.gravity)
        out.append(f"gravity [{given}] is not in the file")
    return out


@dataclass
class _UrdfWriter:
    robot: Robot
    folder: Path
    lines: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    far: int = 0

    def text(self) -> str:
        robot = self.robot
        self.lines += ['<?xml version="1.0"?>', f"<robot name={quoteattr(robot.name)}>"]
        root = self._root()
        if root is None:
            self.lines.append('  <link name="world"/>')
        ties = {loop.second[0]: loop for loop in robot.loops if loop.is_tie}
        for i, link in enumerate(robot.links):
            self._link(link)
            if i != root:
                tie = ties.get(i)
                of = "" if tie is None else robot.links[tie.first[0]].joint_name
                mimic = "" if tie is None else _mimic(of, tie.ratio or 0.0, tie.offset)
                self._joint(link, mimic)
        if self.far:
            self.lost.append(f"{self.far} meshes that are not in the file's folder are left out")
        return "\n".join([*self.lines, "</robot>", ""])

    def _root(self) -> int | None:
        """The one link that stands fixed at the world's origin, or floats: the file's root."""
        roots = [i for i, link in enumerate(self.robot.links) if link.parent < 0]
        if len(roots) != 1:
            return None
        link = self.robot.links[roots[0]]
        at_origin = not np.any(link.mount.r0 + link.mount.rho) and np.allclose(
            link.mount.R0 @ link.frame, np.eye(3), atol=1e-15
        )
        if link.joint.kind == "floating":
            self.lost.append(f"the base floats: load the file with base: floating ({link.name})")
            return roots[0]
        return roots[0] if link.joint.kind == "fixed" and at_origin else None

    def _link(self, link: Link) -> None:
        body = link.body
        inner = []
        if body.mass > 0.0 or np.any(body.W0):
            inner = self._inertial(link)
        inner += [line for visual in link.visuals for line in self._visual(link, visual)]
        head = f"  <link name={quoteattr(link.name)}"
        self.lines += [head + ">", *inner, "  </link>"] if inner else [head + "/>"]

    def _inertial(self, link: Link) -> list[str]:
        body, F = link.body, link.frame
        com = body.c0 / body.mass if body.mass > 0.0 else np.zeros(3)
        W = body.W0 - body.mass * np.outer(com, com)
        I = F.T @ (np.trace(W) * np.eye(3) - W) @ F  # noqa: E741
        names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        six = " ".join(f'{k}="{I[at]:.17g}"' for k, at in zip(names, places, strict=True))
        return [
            "    <inertial>",
            f'      <origin xyz="{_row(F.T @ com)}"/>',
            f'      <mass value="{body.mass:.17g}"/>',
            f"      <inertia {six}/>",
            "    </inertial>",
        ]

    def _visual(self, link: Link, visual: Visual) -> list[str]:
        from ..write_model import near

        mesh = near(visual.mesh, self.folder)
        if mesh is None:
            self.far += 1
            return []
        tag = "collision" if visual.collision else "visual"
        F = link.frame
        color = ""
        if visual.color is not None and not visual.collision:
            color = f'<material name=""><color rgba="{_row(visual.color)}"/></material>'
        return [
            f"    <{tag}>{_origin(F.T @ visual.r, F.T @ visual.R)}",
            f"      <geometry>{_shape(visual, mesh)}</geometry>{color}",
            f"    </{tag}>",
        ]

    def _joint(self, link: Link, mimic: str) -> None:
        parent = "world" if link.parent < 0 else self.robot.links[link.parent].name
        F = np.eye(3) if link.parent < 0 else self.robot.links[link.parent].frame
        mount = link.mount
        place = _origin(F.T @ (mount.r0 + mount.rho), F.T @ mount.R0 @ link.frame)
        if link.joint.kind in SPLIT:
            self._split(link, parent, place)
            return
        kind = link.joint.kind
        if kind == "revolute" and (_range(link) is None):
            kind = "continuous"
        inner = [*_drive(link, kind), mimic] if link.joint.nv == 1 else []
        self._write(kind, link.joint_name, parent, link.name, place, link.frame[2], inner)

    def _split(self, link: Link, parent: str, place: str) -> None:
        """A joint that URDF does not have, as several with massless links between them."""
        parts = SPLIT[link.joint.kind]
        self.lost.append(
            f"{link.joint.kind} joint {link.joint_name} is {len(parts)} joints in turn"
        )
        for k, (kind, axis) in enumerate(parts):
            last = k == len(parts) - 1
            child = link.name if last else f"{link.name}_{k + 1}"
            if not last:
                self.lines.append(f"  <link name={quoteattr(child)}/>")
            here = place if k == 0 else _origin(np.zeros(3), np.eye(3))
            name = f"{link.joint_name}_{k + 1}"
            inner = [_limit(-FAR, FAR, FAR, FAR)] if kind == "prismatic" else []
            self._write(kind, name, parent, child, here, link.frame[axis], inner)
            parent = child

    def _write(
        self,
        kind: str,
        name: str,
        parent: str,
        child: str,
        place: str,
        axis: Floats,
        inner: list[str],
    ) -> None:
        lines = [place, f"<parent link={quoteattr(parent)}/>", f"<child link={quoteattr(child)}/>"]
        if kind not in ("fixed", "floating"):
            lines.append(f'<axis xyz="{_row(axis)}"/>')
        head = f"  <joint name={quoteattr(name)} type={quoteattr(kind)}>"
        self.lines += [head, *(f"    {line}" for line in (*lines, *inner) if line), "  </joint>"]


def _range(link: Link) -> tuple[float, float] | None:
    """Least and largest coordinate, of the limits or of the stops."""
    if link.limits is not None and None not in (link.limits.lower, link.limits.upper):
        return float(link.limits.lower or 0.0), float(link.limits.upper or 0.0)
    return (link.drive.lower, link.drive.upper) if link.drive.stop_stiffness else None


def _drive(link: Link, kind: str) -> list[str]:
    """Limits, damping and dry friction."""
    lower, upper = _range(link) or (-FAR, FAR)
    told, drive = link.limits, link.drive
    effort = told.effort if told and told.effort is not None else drive.torque_limit or FAR
    fast = told.velocity if told and told.velocity is not None else drive.speed_limit or FAR
    out = [_limit(None if kind == "continuous" else lower, upper, effort, fast)]
    damping = drive.damping + drive.viscous
    if damping or drive.coulomb:
        out.append(f'<dynamics damping="{damping:.17g}" friction="{drive.coulomb:.17g}"/>')
    return out


def _limit(lower: float | None, upper: float, effort: float, velocity: float) -> str:
    ends = "" if lower is None else f'lower="{lower:.17g}" upper="{upper:.17g}" '
    return f'<limit {ends}effort="{effort:.17g}" velocity="{velocity:.17g}"/>'


def _mimic(joint: str, ratio: float, offset: float) -> str:
    return f'<mimic joint={quoteattr(joint)} multiplier="{ratio:.17g}" offset="{offset:.17g}"/>'


def _shape(visual: Visual, mesh: str) -> str:
    size = visual.size
    if visual.shape == "mesh":
        return f'<mesh filename={quoteattr(escape(mesh))} scale="{_row(size)}"/>'
    if visual.shape == "box":
        return f'<box size="{_row(size)}"/>'
    if visual.shape == "sphere":
        return f'<sphere radius="{size[0]:.17g}"/>'
    return f'<{visual.shape} radius="{size[0]:.17g}" length="{size[1]:.17g}"/>'


def _origin(r: Floats, R: Floats) -> str:
    return f'<origin xyz="{_row(r)}" rpy="{_row(rpy_of(np.asarray(R)))}"/>'


def _row(numbers: object) -> str:
    return " ".join(f"{x + 0.0:.17g}" for x in np.asarray(numbers, dtype=float))
