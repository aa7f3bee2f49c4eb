"""A rigid link made to bend: a beam takes part of its mass, and the rest rides on the beam.

Mass, first and second moment of a body are one matrix, J = int rho [r; 1] [r; 1]^T, which no body
has below zero. Of the link's J the beam takes s J_beam, with the largest s up to 1 that leaves
J - s J_beam >= 0: the beam is the lighter, the less the link's inertia looks like that of a beam
along this line. What is left is a rigid part. Their sum is J, so that the link that does not bend
(EI -> infinity) is exactly the link of the file, wherever the rest rides.

Joints of the link sit where they sat, on the beam's node nearest to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from ...bodies import MassProperties
from ...elastic_kinematics import KINEMATICS, RIGID
from ...errors import caution
from ...screws import rpy_matrix, rpy_of
from ...types import Floats
from ..faults import Faults
from ..inertia import inertia_tensor
from ..link_body import link_body
from ..model_words import (
    AlongWords,
    BeamWords,
    BendWords,
    JointWords,
    LinkWords,
    MassWords,
)
from ..spec import LinkSpec
from ..yaml import Document

OWN: tuple[Literal["to", "end", "rest"], ...] = ("to", "end", "rest")  # no keys of a beam
Mass = Literal["mass", "density", "mass_per_length", "added_mass_per_length"]
MASS: tuple[Mass, ...] = get_args(Mass)
LIGHTER: tuple[Mass | Literal["polar_inertia"], ...] = (*MASS, "polar_inertia")
"""What a lighter beam has less of."""
LEAST = 1e-3  # of the link's mass: below it the beam would be no part of the link
EDGE = 1e-9  # of the length: a node at the beam's end


class NoBeamError(ValueError):
    """A link that cannot be made to bend as asked; `key`: the word of it that is to blame."""

    def __init__(self, message: str, help: str = "", key: str = "") -> None:
        super().__init__(message)
        self.help, self.key = help, key


@dataclass(frozen=True)
class Axis:
    """Where a beam is in its link: its root, its axes (x along it), its length."""

    start: Floats
    R: Floats
    length: float

    @classmethod
    def between(cls, start: Floats, end: Floats, rpy: list[float] | None) -> Axis:
        """From one point to another; y and z as the rpy say, or z as near to the link's as can
        be."""
        way = end - start
        length = float(np.linalg.norm(way))
        if not length > 1e-6:
            words = "the beam has no length: its ends are at one point"
            raise NoBeamError(words, "say where it ends: end: [x, y, z], or to: JOINT", "end")
        x = way / length
        if rpy is not None:
            return cls(start, rpy_matrix(*rpy), length)
        up = np.eye(3)[2 if abs(x[2]) < 0.9 else 1]
        z = up - (up @ x) * x
        z = z / np.linalg.norm(z)
        return cls(start, np.column_stack([x, np.cross(z, x), z]), length)

    def at(self, p: Floats) -> float:
        """The x of the node that is nearest to a point."""
        x = float(self.R[:, 0] @ (p - self.start))
        return min(max(x, 0.0), self.length)

    def seen(self, p: Floats, R: Floats, x: float) -> tuple[Floats, Floats]:
        """A pose in the link, as seen from the node at x."""
        node = self.start + x * self.R[:, 0]
        return self.R.T @ (p - node), self.R.T @ R


def bent(link: str, words: LinkWords, joints: list[JointWords], bend: BendWords) -> None:
    """Change the words of a link, and of the joints on it, so that it bends."""
    axis = _axis(link, joints, bend)
    beam = _beam(words, axis, bend)
    whole = moments(_mass_properties(words))
    beam, taken = _fitting(link, beam, whole)
    rest = mass_properties_of(whole - taken)
    part: Literal["rigid", "hub"]
    for part in ("rigid", "hub"):
        words.pop(part, None)
    words["beam"] = beam
    _place_rest(words, rest, axis, bend.get("rest", "centre"), float(whole[3, 3]))
    for joint in joints:
        if joint["parent"] == link:
            _rehang(joint, words, axis)


def _axis(link: str, joints: list[JointWords], bend: BendWords) -> Axis:
    """From the link's frame to the next joint, unless the words say otherwise."""
    start = np.array(bend.get("start") or [0.0] * 3, dtype=float)
    end = bend.get("end")
    if end is None:
        end = _next_joint(link, joints, bend.get("to"), start)
    axis = Axis.between(start, np.array(end, dtype=float), bend.get("rpy"))
    if (
        bend.get("rpy") is not None
        and axis.R[:, 0] @ (np.array(end) - start) < 0.99999 * axis.length
    ):
        raise NoBeamError("rpy turns the beam's x away from its end", "leave rpy out", "rpy")
    return axis


def _next_joint(link: str, joints: list[JointWords], to: str | None, start: Floats) -> list[float]:
    """Where the joint sits at which the beam ends: the one named, or the farthest that moves."""
    on = [j for j in joints if j["parent"] == link]
    named = [j for j in on if to in (j["name"], j["child"])]
    if to is not None and not named:
        names = ", ".join(j["name"] for j in on) or "none"
        raise NoBeamError(f"no joint on link {link!r} is named {to!r}", f"there are: {names}", "to")
    moving = named or [j for j in on if j["type"] != "fixed"] or on
    if not moving:
        words = f"no joint sits on link {link!r}, so where its beam ends is not known"
        raise NoBeamError(words, "say it: end: [x, y, z] in the link's axes", "end")

    def far(joint: JointWords) -> float:
        return float(np.linalg.norm(_xyz(joint) - start))

    end: list[float] = _xyz(max(moving, key=far)).tolist()
    return end


def _xyz(joint: JointWords) -> Floats:
    return np.array((joint.get("origin") or {}).get("xyz") or [0.0] * 3, dtype=float)


def _beam(words: LinkWords, axis: Axis, bend: BendWords) -> BeamWords:
    """The words of the beam; of no given mass it has all that the link has."""
    own = bend.copy()
    for key in OWN:
        own.pop(key, None)
    own |= {"length": axis.length, "start": axis.start.tolist(), "rpy": rpy_of(axis.R)}
    if not any(key in own for key in MASS):
        own["mass"] = float(_mass_properties(words).mass)
    return own


def _mass_properties(words: LinkWords) -> MassProperties:
    """The rigid link of the file."""
    body = words.get("rigid") or {}
    if not body.get("mass"):
        help = "only a link with mass can bend; its <inertial> gives it one"
        raise NoBeamError("the link has no mass", help)
    com = np.array(body.get("com") or [0.0] * 3, dtype=float)
    return MassProperties(float(body["mass"]), com, inertia_tensor(body.get("inertia")))


def moments(body: MassProperties) -> Floats:
    """J (4, 4) = int rho [r; 1] [r; 1]^T."""
    first = body.mass * body.com
    return np.block([[body.second_moment(), first[:, None]], [first[None], np.eye(1) * body.mass]])


def mass_properties_of(J: Floats) -> MassProperties:
    """Mass, centre and inertia of J; the centre of nothing is the origin."""
    mass = float(J[3, 3])
    com = J[:3, 3] / mass if mass > 0.0 else np.zeros(3)
    W = J[:3, :3] - mass * np.outer(com, com)
    return MassProperties(mass, com, np.trace(W) * np.eye(3) - W)


def _fitting(link: str, beam: BeamWords, whole: Floats) -> tuple[BeamWords, Floats]:
    """The beam with as much mass as the link's inertia leaves it, and its J."""
    J = _beam_moments(link, beam)
    share = largest_share(whole, J)
    if share * J[3, 3] < LEAST * whole[3, 3]:
        raise NoBeamError(
            f"the inertia of link {link!r} is not that of a body with a beam along this line: at "
            f"most {max(share, 0.0) * J[3, 3]:.3g} kg of {whole[3, 3]:.4g} kg could be in it",
            "look at its <inertial>, or say where the beam is: start and end",
        )
    if share >= 1.0:
        return beam, J
    if beam.get("mass") != whole[3, 3] or "polar_inertia" in beam:
        caution(
            f"the beam of link {link} weighs {J[3, 3]:.4g} kg, but of the link's mass and inertia "
            f"only {share * J[3, 3]:.4g} kg can be in it: it is made lighter, its stiffness stays"
        )
    lighter = beam.copy()
    for key in LIGHTER:
        if key in lighter:
            lighter[key] = _scaled(lighter[key], share)
    return lighter, share * J


def _scaled(value: AlongWords, share: float) -> AlongWords:
    if isinstance(value, dict):
        return {**value, "value": [share * x for x in value["value"]]}
    return [share * x for x in value] if isinstance(value, list) else share * value


def _beam_moments(link: str, beam: BeamWords) -> Floats:
    """J of the beam that does not bend, in the link's axes."""
    faults = Faults(Document({}, link))
    made = link_body(link, LinkSpec.model_validate({"beam": beam}), KINEMATICS[RIGID], faults)
    if made is None:
        fault = faults.found[0]
        raise NoBeamError(fault.message, fault.help, str(fault.path[-1]))
    body = made.body
    return np.block([[body.W0, body.c0[:, None]], [body.c0[None], np.eye(1) * body.mass]])


def largest_share(whole: Floats, part: Floats) -> float:
    """The largest s up to 1 with whole - s part >= 0; a little less, so that rounding leaves no
    less than nothing."""
    scale = np.sqrt(np.maximum(np.diag(whole), 1e-300))
    A, B = whole / np.outer(scale, scale), part / np.outer(scale, scale)
    sizes, V = np.linalg.eigh(A)
    if sizes[0] < -1e-9:
        return 0.0
    inside = sizes > 1e-12
    if abs(V[:, ~inside].T @ B @ V[:, ~inside]).max(initial=0.0) > 1e-9:
        return 0.0
    T = V[:, inside] / np.sqrt(sizes[inside])
    largest = float(np.linalg.eigvalsh(T.T @ B @ T)[-1])
    return min(1.0, (1.0 - 1e-9) / max(largest, 1e-300))


def _place_rest(
    words: LinkWords, rest: MassProperties, axis: Axis, where: str, mass: float
) -> None:
    """What the beam does not take: a hub at the root, or a body on the node below its centre (or
    at the tip)."""
    if where == "root" or rest.mass < 1e-6 * mass:
        words["hub"] = _words(rest)
        return
    x = axis.length if where == "tip" else axis.at(rest.com)
    station = _station(words, axis, x, "rest")
    com, R = axis.seen(rest.com, np.eye(3), x)
    words["payload"] = {
        **_words(MassProperties(rest.mass, com, R @ rest.inertia @ R.T)),
        "at": station,
    }


def _words(body: MassProperties) -> MassWords:
    I = body.inertia  # noqa: E741
    six = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
    return {
        "mass": max(body.mass, 0.0),
        "com": body.com.tolist(),
        "inertia": [float(v) for v in six],
    }


def _station(words: LinkWords, axis: Axis, x: float, name: str) -> str:
    """A station at x: an end of the beam, or one of this name."""
    if x <= EDGE * axis.length:
        return "root"
    if x >= (1.0 - EDGE) * axis.length:
        return "tip"
    words.setdefault("stations", {})[name] = {"x": x}
    return name


def _rehang(joint: JointWords, words: LinkWords, axis: Axis) -> None:
    """The joint where it was, on the node of the beam nearest to it."""
    origin = joint.get("origin") or {}
    p, R = _xyz(joint), rpy_matrix(*(origin.get("rpy") or [0.0] * 3))
    x = axis.at(p)
    joint["at"] = _station(words, axis, x, f"at_{joint['child']}"[:60].replace(".", "_"))
    r, turn = axis.seen(p, R, x)
    joint["origin"] = {"xyz": [float(v) if abs(v) > 1e-15 else 0.0 for v in r], "rpy": rpy_of(turn)}
