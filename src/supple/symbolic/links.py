"""Links with named constants: the moments of `bodies` written in symbols.

A number of the model file that is zero stays zero; all others get a name. Whatever the names
make is compared with what the recursion uses; a link of which only the moments are
known (no model file, or words that do not give them) has its moments as constants.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..bodies import Lump, Station
from ..formulations.lagrange import Arm, Fields, Inertia, Mount, Part
from ..formulations.turns import ElasticAngle
from ..robot import Link, Robot
from ..tracer import evaluate
from ..types import Array, Floats, Scalar
from .bare import MOMENTS, bare_inertia, bare_mount, same_inertia, same_place
from .beam import length, node, place
from .moments import Axis, beam_inertia, point_mass
from .namer import Namer, link_number
from .passive import Passive, passive_terms
from .sheet import Sheet, sheet_values
from .words import Words, all_words

AXES = "xyz"
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class Written:
    """A robot on a sheet."""

    arm: Arm
    passive: list[Passive]
    B: Array


def written(sheet: Sheet, robot: Robot, kept: ElasticAngle) -> Written:
    """All links of the robot in symbols."""
    words = all_words(robot)
    parts = [_part(sheet, robot, i, words) for i in range(len(robot.links))]
    g = float(np.linalg.norm(robot.gravity))
    gravity: Array = np.zeros(3)
    if g:
        size = Namer(sheet, "").model("g", g, "gravity")
        gravity = np.array([_times(size, x / g) for x in robot.gravity], dtype=object)
    arm = Arm(parts, gravity, robot.nv, sheet.stumpff, kept)
    passive = [passive_terms(sheet, robot, i, words[i]) for i in range(len(robot.links))]
    return Written(arm, passive, _input_matrix(sheet, robot, words))


def _part(sheet: Sheet, robot: Robot, i: int, words: list[Words | None]) -> Part:
    link = robot.links[i]
    name = Namer(sheet, link_number(robot, i))
    inertia = _inertia(name, robot, i, words[i])
    mount = _mount(sheet, robot, i, words)
    rotor = name.model("Jr", link.drive.rotor_inertia, f"rotor of {link.joint_name}")
    return Part(link.parent, inertia, link.joint, mount, rotor, link.q, link.d, link.u, link.e)


def _inertia(name: Namer, robot: Robot, i: int, words: Words | None) -> Inertia:
    link = robot.links[i]
    letter = {"_hub": "h", "_payload": "p"}.get(link.name[link.name.rfind("_") :], "")
    letter = letter if name.number != str(i + 1) else ""
    if words is None and link.body.m == 0:
        return _lumped(name, link, {letter: _as_lump(link)}, {})
    if words is not None:
        made = _spoken(name, link, words)
        if same_inertia(name.sheet, made, link.body):
            return made
    return bare_inertia(name, link.body)


def _spoken(name: Namer, link: Link, words: Words) -> Inertia:
    """From the words: lumps, the beam, a payload on its tip."""
    fixed = {k: v for k, v in words.lumps.items() if k != "p"}
    carried = words.lumps.get("p")
    at = link.body.stations[words.payload_at] if words.payload_at else None
    places: dict[str, Array] = {}
    if carried is not None and at is not None and at.stands_still:
        fixed["p"] = carried.moved(np.zeros(3), link.frame.T @ at.R0)
        places["p"] = _place(name, name, link, at, "payload")
        carried = None
    out = _lumped(name, link, fixed, places)
    if words.beam is None:
        return out
    return _sum(out, beam_inertia(name, link, words, _carried(name, link, words, carried)))


def _carried(name: Namer, link: Link, words: Words, lump: Lump | None) -> Axis | None:
    """A payload that rides on a bare node of the beam."""
    if lump is None or words.payload_at is None:
        return None
    at = link.body.stations[words.payload_at]
    mass = name.model("mp", lump.mass, f"payload of {link.name}")
    x = place(link, words, at, "").ratio * length(name, link, words)
    return point_mass(mass, x, node(name, link, words, at, ""))


def _as_lump(link: Link) -> Lump:
    """A rigid body as one lump, in file axes."""
    body, F = link.body, link.frame
    mass = body.mass
    com = F.T @ body.c0 / mass if mass else np.zeros(3)
    W = F.T @ body.W0 @ F
    about = np.trace(W) * np.eye(3) - W
    shifted = about - mass * (com @ com * np.eye(3) - np.outer(com, com))
    size = np.abs(about).max(initial=0.0)
    com = np.where(np.abs(com) > 1e-15 * (1.0 + np.abs(com).max()), com, 0.0)
    return Lump(mass, com, np.where(np.abs(shifted) > 1e-13 * size, shifted, 0.0))


def _lumped(name: Namer, link: Link, lumps: dict[str, Lump], places: dict[str, Array]) -> Inertia:
    """Mass, first moment and inertia about O of lumps, in link axes; a lump may have a place,
    from which its mass centre is measured."""
    mass: Scalar = 0.0
    c0: Array = np.zeros(3, dtype=object)
    I0: Array = np.zeros((3, 3), dtype=object)
    for letter, lump in lumps.items():
        what = {"": "", "h": "hub of ", "p": "payload of ", "r": "rigid part of "}[letter]
        m = name.model(f"m{letter}", lump.mass, f"mass, {what}{link.name}")
        c = _vector(name, f"c{letter}", lump.com, f"mass centre, {what}{link.name}")
        c = c + places.get(letter, 0.0)
        J = np.zeros((3, 3), dtype=object)
        for i, j in PAIRS:
            about = f"inertia {AXES[i]}{AXES[j]} about the mass centre, {what}{link.name}"
            J[i, j] = J[j, i] = name.model(
                f"I{letter}{AXES[i]}{AXES[j]}", float(lump.inertia[i, j]), about
            )
        mass, c0, I0 = mass + m, c0 + m * c, I0 + J + m * _parallel(c)
    F = link.frame
    return _without_shapes(mass, F @ c0, F @ I0 @ F.T, link.body.m)


def _parallel(c: Array) -> Array:
    """c.c 1 - c c'."""
    x, y, z = c
    xx, yy, zz = x * x, y * y, z * z
    return np.array(
        [
            [yy + zz, -(x * y), -(x * z)],
            [-(x * y), xx + zz, -(y * z)],
            [-(x * z), -(y * z), xx + yy],
        ],
        dtype=object,
    )


def _vector(name: Namer, letter: str, v: Floats, meaning: str) -> Array:
    parts = [
        name.model(f"{letter}{AXES[i]}", float(v[i]), f"{meaning}, {AXES[i]}") for i in (0, 1, 2)
    ]
    return np.array(parts, dtype=object)


def _without_shapes(mass: Scalar, c0: Array, I0: Array, m: int) -> Inertia:
    empty = {
        "c1": np.zeros((m, 3), dtype=object),
        "c2": np.zeros((m, m, 3), dtype=object),
        "N0": np.zeros((m, 3, 3), dtype=object),
        "P": np.zeros((m, m, 3, 3), dtype=object),
        "Q": np.zeros((m, m, 3, 3), dtype=object),
        "Mdd": np.zeros((m, m), dtype=object),
    }
    return Inertia(mass=mass, c0=c0, I0=I0, fields=Fields.none(m), **empty)


def _sum(still: Inertia, moving: Inertia) -> Inertia:
    """Lumps that stand still in the link and what moves there."""
    moments = {n: getattr(still, n) + getattr(moving, n) for n in MOMENTS}
    return Inertia(**moments, fields=moving.fields)


def _mount(sheet: Sheet, robot: Robot, i: int, words: list[Words | None]) -> Mount:
    """Where joint i sits on its parent, in symbols."""
    link = robot.links[i]
    at, number = link.mount, str(i + 1)
    name = Namer(sheet, number)
    carrier = robot.links[link.parent] if link.parent >= 0 else None
    F = carrier.frame if carrier else np.eye(3)
    said = words[link.parent] if carrier else None
    if at.stands_still:
        r = _rigid_place(name, robot, link)
        return Mount(r, at.S, at.Theta, at.S2, at.Theta2, np.zeros(3), at.R0)
    assert carrier is not None
    rho = F @ _vector(name, "o", F.T @ at.rho, f"offset of {link.joint_name} on {carrier.name}")
    if said is not None and said.beam is not None:
        host = Namer(sheet, link_number(robot, link.parent))
        made = replace(node(host, carrier, said, at, number), rho=rho)
        if same_place(sheet, made, at):
            return made
    return bare_mount(name, at, rho)


def _rigid_place(name: Namer, robot: Robot, link: Link) -> Array:
    """The vector to a joint that no shape moves, in the axes of its carrier."""
    at = link.mount
    if link.parent < 0:
        return _vector(name, "o", at.r0 + at.rho, f"place of {link.joint_name}")
    carrier = robot.links[link.parent]
    host = Namer(name.sheet, link_number(robot, link.parent))
    return np.asarray(carrier.frame @ _place(host, name, carrier, at, link.joint_name))


def _place(host: Namer, name: Namer, carrier: Link, at: Station, what: str) -> Array:
    """A station that no shape moves, in file axes: the carrier's length, and offsets."""
    F, tip = carrier.frame, carrier.body.stations.get("tip")
    about = f"offset of {what} on {carrier.name}"
    if tip is None or carrier.body.m or not np.array_equal(tip.r0, at.r0):
        return _vector(name, "o", F.T @ (at.r0 + at.rho), about)
    ways = [
        host.model(letter, float(along), f"tip of {carrier.name}, {axis}")
        for letter, along, axis in zip(("L", "Ly", "Lz"), F.T @ tip.r0, AXES, strict=True)
    ]
    return np.array(ways, dtype=object) + _vector(name, "o", F.T @ at.rho, about)


def _input_matrix(sheet: Sheet, robot: Robot, words: list[Words | None]) -> Array:
    """B, with phi'(0) of shapes that turn the root. Reference: [LinLewis], B' = [I phi'(0)]."""
    B = np.zeros(robot.input_matrix.shape, dtype=object)
    B[:, :] = robot.input_matrix
    for i, link in enumerate(robot.links):
        said = words[i]
        if link.body.root_slope is None or said is None or said.beam is None:
            continue
        name = Namer(sheet, link_number(robot, i))
        at = link.body.stations["root"]
        Theta = node(name, link, said, at, "root").Theta
        values = evaluate(sheet.graph, list(Theta.ravel()), sheet_values(sheet))
        if not np.allclose(values, link.body.root_slope.ravel(), rtol=1e-11, atol=1e-13):
            continue
        columns = [robot.joint_indices.index(u) for u in range(link.u.start, link.u.stop)]
        for column, axis in zip(columns, link.joint.axes, strict=True):
            if axis < 3:
                B[link.e, column] = Theta[:, axis]
    return B


def _times(x: Scalar, factor: float) -> Scalar:
    return 0.0 if factor == 0.0 else x * factor
