"""A first model of a URDF robot with bending links: sections guessed from mass, inertia and boxes.

The beam runs along the link's long axis of inertia, through its mass centre, from beside its joint
to beside the next one. Across it the link is as wide as what it looks like (meshes and shapes), or
as wide as the block that has its inertia. Of aluminium, the wall is as thick as the beam's mass
asks for. It is a proposal: a real section is on a drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...bodies import MassProperties
from ...errors import InputError, unknown_name
from ...screws import rpy_matrix
from ...types import Floats
from ..inertia import inertia_tensor
from ..model_words import ModelWords, VisualWords
from .bend import Axis, NoBeamError, largest_share, moments
from .mesh_box import mesh_box
from .read_urdf import read_urdf

E, DENSITY, NU = 70e9, 2700.0, 0.33  # aluminium
ROUND = 0.25  # widths as near as this are those of a tube


@dataclass(frozen=True)
class Proposal:
    """A beam for a link: its ends, its widths across (y, z) and where these come from, its mass."""

    link: str
    axis: Axis
    widths: tuple[float, float]
    why: str
    mass: float

    @property
    def is_round(self) -> bool:
        a, b = self.widths
        return abs(a - b) <= ROUND * max(a, b)

    @property
    def section(self) -> str:
        """The words of the section: a tube, or a box."""
        wall = self.wall
        if self.is_round:
            diameter = round(float(np.mean(self.widths)), 4)
            return f"{{shape: tube, diameter: {diameter:g}, wall: {wall:.2g}}}"
        a, b = self.widths
        return f"{{shape: box, width: {a:.4g}, height: {b:.4g}, wall: {wall:.2g}}}"

    @property
    def wall(self) -> float:
        """As thick as the mass asks for: mass = DENSITY x length x around x wall, at most a third
        of the width."""
        a, b = self.widths
        around = np.pi * (a + b) / 2.0 if self.is_round else 2.0 * (a + b)
        return min(max(self.mass / (DENSITY * self.axis.length * around), 5e-4), min(a, b) / 3.0)


def proposal(file: Path, urdf: Path, links: Sequence[str]) -> str:
    """The text of a model file that extends the URDF file and makes these links bend."""
    words = read_urdf(urdf).data
    known = [name for name, link in words["links"].items() if (link.get("rigid") or {}).get("mass")]
    for name in links:
        if name not in words["links"]:
            raise unknown_name("link", name, known, where=str(urdf))
    beams = [_propose(name, words) for name in links]
    return _text(file, urdf, words, beams, known)


def _propose(link: str, words: ModelWords) -> Proposal:
    rigid = (words["links"][link].get("rigid")) or {}
    if not rigid.get("mass"):
        raise InputError(f"link {link} has no mass in the URDF file: it cannot bend")
    body = MassProperties(
        rigid["mass"], np.array(rigid["com"], dtype=float), inertia_tensor(rigid["inertia"])
    )
    ends = [j for j in words["joints"] if j["parent"] == link and j["type"] != "fixed"]
    ends = ends or [j for j in words["joints"] if j["parent"] == link]
    places = [np.array((j.get("origin") or {}).get("xyz", [0.0] * 3), dtype=float) for j in ends]
    axis = _axis(link, body, max(places, key=lambda p: float(np.linalg.norm(p)), default=None))
    box = _box(words["links"][link].get("visuals") or [], axis)
    widths = box or _block(body, axis)
    why = "what the link looks like" if box else "its inertia, as that of a block"
    return Proposal(link, axis, widths, why, _share(body, axis))


def _axis(link: str, body: MassProperties, end: Floats | None) -> Axis:
    """Through the mass centre along the axis of the least moment of inertia, as long as the way
    to the next joint is along it; if that is none, straight to the joint."""
    if end is None:
        raise InputError(f"link {link} carries no joint: say in `bend` where its beam ends")
    _, V = np.linalg.eigh(body.inertia)
    x = V[:, 0] * (1.0 if V[:, 0] @ end >= 0.0 else -1.0)
    first, last = (body.com + ((p - body.com) @ x) * x for p in (np.zeros(3), end))
    straight = (last - first) @ x
    start, stop = (first, last) if straight > 0.7 * np.linalg.norm(end) else (np.zeros(3), end)
    try:
        return Axis.between(np.round(start, 6), np.round(stop, 6), None)
    except NoBeamError as error:
        raise InputError(f"link {link}: {error}") from None


def _box(visuals: list[VisualWords], axis: Axis) -> tuple[float, float] | None:
    """How wide the visuals are across the beam; None where none can be made out."""
    shown = [v for v in visuals if not v.get("collision")] or visuals
    corners = [c for c in map(_corners, shown) if c is not None]
    if not corners:
        return None
    points = np.vstack(corners) @ axis.R
    size = points.max(axis=0) - points.min(axis=0)
    return (float(size[1]), float(size[2])) if min(size[1], size[2]) > 1e-4 else None


def _corners(visual: VisualWords) -> Floats | None:
    """The corners of the box around a shape, in the link's axes."""
    if "mesh" in visual:
        box = mesh_box(Path(visual["mesh"]))
        if box is None:
            return None
        box = box * np.array(visual.get("scale", [1.0] * 3))
    elif "box" in visual:
        box = np.array([[-0.5], [0.5]]) * np.array(visual["box"])
    elif "sphere" in visual:
        box = np.array([[-1.0], [1.0]]) * np.full(3, visual["sphere"])
    else:
        radius, length = visual.get("cylinder") or visual["capsule"]
        box = np.array([[-1.0], [1.0]]) * np.array([radius, radius, 0.5 * length])
    all_eight = np.array(np.meshgrid(*box.T)).reshape(3, -1).T
    origin = visual.get("origin") or {}
    R = rpy_matrix(*origin.get("rpy", [0.0] * 3))
    return np.asarray(all_eight @ R.T + np.array(origin.get("xyz", [0.0] * 3)))


def _block(body: MassProperties, axis: Axis) -> tuple[float, float]:
    """Across the beam, the widths of the block with this inertia: w_k^2 = 12 W_kk / m."""
    W = 0.5 * np.trace(body.inertia) * np.eye(3) - body.inertia
    widths = np.sqrt(12.0 * np.maximum(np.diag(axis.R.T @ W @ axis.R), 0.0) / body.mass)
    least = 0.02 * axis.length
    return max(float(widths[1]), least), max(float(widths[2]), least)


def _share(body: MassProperties, axis: Axis) -> float:
    """The mass that a thin rod along the beam may take of the link."""
    a, b = np.append(axis.start, 1.0), np.append(axis.start + axis.length * axis.R[:, 0], 1.0)
    rod = (2.0 * np.outer(a, a) + 2.0 * np.outer(b, b) + np.outer(a, b) + np.outer(b, a)) / 6.0
    share = largest_share(moments(body), body.mass * rod)
    return float(share * body.mass)


def _text(
    file: Path, urdf: Path, words: ModelWords, beams: list[Proposal], known: list[str]
) -> str:
    from os.path import relpath

    there = relpath(urdf.resolve(), file.resolve().parent).replace("\\", "/")
    lines = [
        f"# {words['name']}, whose links may bend. The robot is that of the URDF file; this file",
        "# says what that cannot say. `supple help urdf` explains every key.",
        "supple: 1",
        f'urdf: "{there}"',
        "base: fixed            # or floating",
        "gravity: [0, 0, -9.81]",
        "",
        "# PROPOSAL: sections guessed from mass, inertia and size, of aluminium. Put in those of",
        "# your robot. Mass, centre and inertia of the unbent links stay those of the URDF file.",
    ]
    if beams:
        lines += ["bend:", *(line for beam in beams for line in _beam_lines(beam))]
    else:
        example = known[-1] if known else "LINK"
        lines += ["# bend:", f"#   {example}: {{EI: 1e4, modes: {{bending_y: 1}}}}"]
    moving = [j["name"] for j in words["joints"] if j["type"] in ("revolute", "prismatic")]
    drive = "{drive: {gear_ratio: 100, rotor_inertia: 4e-5, stiffness: 2e4}}"
    lines += ["", "# Drives whose gears give way, for each joint that has one:", "# joints:"]
    lines.append(f"#   {moving[0] if moving else 'JOINT'}: {drive}")
    return "\n".join(lines) + "\n"


def _beam_lines(beam: Proposal) -> list[str]:
    """The lines of one link that bends."""
    a = beam.axis
    return [
        f"  {beam.link}:",
        f"    start: {_row(a.start)}  # along the link's long axis, of {a.length:.4g} m",
        f"    end: {_row(a.start + a.length * a.R[:, 0])}",
        f"    section: {beam.section}  # guessed from {beam.why}",
        f"    E: {E:g}",
        f"    nu: {NU}",
        f"    mass: {beam.mass:.4g}  # as much of the link's as its inertia leaves for a beam",
        "    modes: {bending_y: 1, bending_z: 1}",
        "    damping: {ratio: 0.01}",
    ]


def _row(p: Floats) -> str:
    return "[" + ", ".join(f"{x:.6g}" for x in p) + "]"
