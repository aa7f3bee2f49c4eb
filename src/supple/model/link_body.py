"""From a link's words to its body: rigid parts, beam, shapes, stations, payload."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace

import numpy as np

from ..bodies import (
    BeamLine,
    Body,
    MassProperties,
    RigidPart,
    Station,
    beam_body,
    modal_damping,
    rigid_body,
    takes_in,
    with_part,
)
from ..elastic_kinematics import ElasticKinematics
from ..errors import did_you_mean
from ..screws import rpy_matrix
from ..types import Floats
from .faults import Faults
from .inertia import inertia_tensor
from .mode_shapes import beam_and_basis
from .part_body import part_or_fault
from .spec import BeamSpec, LinkSpec, MassSpec, PayloadSpec, RigidSpec

Path = tuple[str | int, ...]
"""Keys that lead to a place in a model file."""


@dataclass(frozen=True)
class LinkBody:
    """A link's body in its own axes, with what must ride on it as a body of its own."""

    body: Body
    riders: tuple[RigidPart, ...] = ()
    notes: tuple[str, ...] = ()

    def as_one(self) -> LinkBody:
        """The same without what it was made of: a row of a table gives its numbers in other axes
        than the link's, in which only their sum is known."""
        return replace(self, body=replace(self.body, parts=()))


def _mass_properties(spec: MassSpec, path: Path, faults: Faults) -> MassProperties:
    inertia = inertia_tensor(spec.inertia)
    _check_inertia(spec, inertia, path, faults)
    return MassProperties(spec.mass, np.array(spec.com, dtype=float), inertia)


def _check_inertia(spec: MassSpec, inertia: Floats, path: Path, faults: Faults) -> None:
    size = float(np.abs(inertia).max()) or 1.0
    share = inertia / size  # sums of the largest numbers would not be finite
    if np.abs(share - share.T).max() > 1e-9:
        faults.add((*path, "inertia"), "the inertia is not symmetric")
    low = float(np.linalg.eigvalsh(0.5 * (share + share.T))[0])
    if low < -1e-12:
        faults.add(
            (*path, "inertia"),
            f"the inertia is not positive definite (smallest principal moment {low * size:.6g})",
            "it is taken about the mass centre, in the link's axes: xx, yy, zz[, xy, xz, yz]",
        )
    if spec.inertia is not None and spec.mass == 0.0 and np.any(inertia) and "hub" not in path:
        faults.add((*path, "mass"), "a body with inertia needs a mass, got 0")


def link_body(
    name: str,
    spec: LinkSpec,
    kinematics: ElasticKinematics,
    faults: Faults,
    as_given: bool = False,
) -> LinkBody | None:
    """The body of a link, or None where faults leave no body to go on with. Inertias that no body
    can have are faults, unless they are to be taken as they are given.

    Bodies are kept: where one number is changed, those of all other links come again."""
    words, before = pickle.dumps((name, spec, kinematics, as_given)), len(faults.found)
    kept = _lately.get(words)
    if kept is not None:
        return kept
    try:
        made = _built(name, spec, kinematics, faults, as_given)
    except (ArithmeticError, np.linalg.LinAlgError, MemoryError):  # powers of floats may overflow
        reason = "the numbers of the link are too large or too small to compute with"
        faults.add(("links", name), reason, "is a power of ten wrong?")
        return None
    if made is None or len(faults.found) > before or spec.body is not None:  # files may change
        return made
    for old in list(_lately)[: len(_lately) - KEPT + 1]:
        _lately.pop(old, None)
    _lately[words] = made
    return made


KEPT = 200
_lately: dict[bytes, LinkBody] = {}
"""By their words, the bodies that were built last."""


def _built(
    name: str, spec: LinkSpec, kinematics: ElasticKinematics, faults: Faults, as_given: bool
) -> LinkBody | None:
    path: Path = ("links", name)
    given = (("rigid", spec.rigid), ("hub", spec.hub))
    told = Faults(faults.document) if as_given else faults
    parts = [
        RigidPart(kind, _mass_properties(words, (*path, kind), told))
        for kind, words in given
        if words is not None
    ]
    notes: tuple[str, ...] = ()
    if spec.body is not None:
        body, notes = part_or_fault(spec, spec.body, kinematics, path, faults)
    elif spec.beam is None:
        body = rigid_body((), _rigid_stations(spec.rigid))
    else:
        body = _beam_or_fault(spec, spec.beam, kinematics, path, faults)
    if body is None:
        return None
    body = _with_stations(body, spec, path, faults)
    if spec.payload is not None:
        payload = _payload(spec.payload, body, path, faults)
        if payload is None:
            return None
        parts.append(payload)
    bare = body
    for part in (part for part in parts if takes_in(body, part)):
        body = with_part(body, part)
    riders = tuple(part for part in parts if not takes_in(body, part))
    bends = spec.beam or spec.body
    if bends is not None and bends.damping is not None:
        D = modal_damping(bare, body, riders, bends.damping.ratio, bends.damping.rayleigh)
        body = replace(body, D=D)
    return LinkBody(body, riders, tuple(f"{name}: {note}" for note in notes))


def _rigid_stations(words: RigidSpec | None) -> dict[str, Station]:
    """The origin of a link without beam, and its tip where the words give one."""
    origin = Station(np.zeros(3), np.zeros((0, 3)), np.zeros((0, 3)))
    if words is None or not (words.tip or words.length):
        return {"origin": origin}
    tip = words.tip or [words.length or 0.0, 0.0, 0.0]
    R = rpy_matrix(*words.tip_rpy)
    return {"origin": origin, "tip": replace(origin, r0=np.array(tip, dtype=float), R0=R)}


def _payload(words: PayloadSpec, body: Body, path: Path, faults: Faults) -> RigidPart | None:
    payload = _mass_properties(words, (*path, "payload"), faults)
    at = words.at or ("tip" if "tip" in body.stations else "origin")
    if at not in body.stations:
        faults.add(
            (*path, "payload", "at"),
            f"link {path[-1]!r} has no station {at!r}",
            did_you_mean(at, body.stations) or f"stations are: {', '.join(body.stations)}",
        )
        return None
    return RigidPart("payload", payload, at)


def _beam_or_fault(
    spec: LinkSpec, words: BeamSpec, kinematics: ElasticKinematics, path: Path, faults: Faults
) -> Body | None:
    """The beam's body, unless its numbers give none."""
    if spec.rigid is not None and (spec.rigid.tip or spec.rigid.length):
        key = "tip" if spec.rigid.tip else "length"
        faults.add(
            (*path, "rigid", key),
            f"the link has a beam, whose end is its tip; rigid.{key} would be another",
            f"leave {key} out, or place the beam with beam.start",
        )
    try:
        return _beam(spec, words, kinematics)
    except ValueError as error:
        faults.add((*path, "beam", *getattr(error, "keys", ())), str(error))
    return None


def _beam(spec: LinkSpec, words: BeamSpec, kinematics: ElasticKinematics) -> Body:
    """The beam's body in link axes, with its line."""
    beam, base = beam_and_basis(spec, words, kinematics)
    start, R = np.array(words.start, dtype=float), rpy_matrix(*words.rpy)
    body = beam_body(beam, base, start, R, kinematics.second)
    m = body.m
    origin = Station(np.zeros(3), np.zeros((m, 3)), np.zeros((m, 3)))
    ends = {"root": (0.0, np.zeros(3)), "tip": (beam.length, np.zeros(3))}
    line = BeamLine(beam, base, start, R, kinematics.second, ends)
    return replace(body, stations={"origin": origin, **body.stations}, line=line)


def _with_stations(body: Body, spec: LinkSpec, path: Path, faults: Faults) -> Body:
    stations, line = dict(body.stations), body.line
    on_line = dict(line.stations) if line is not None else {}
    default = "tip" if "tip" in stations else "origin"
    for name, words in spec.stations.items():
        where = (*path, "stations", name)
        if words.x is not None and line is None:
            faults.add((*where, "x"), "only a beam has points along x", "use offset")
            continue
        if words.x is not None and line is not None and words.x > line.beam.length:
            length = line.beam.length
            faults.add(
                (*where, "x"),
                f"x is {words.x:g}, beyond the beam's length {length:g}",
                f"x runs from 0 to {length:g}; offset leads further",
            )
            continue
        base, offset = stations[default], np.array(words.offset, dtype=float)
        if words.x is not None and line is not None:
            base, on_line[name] = line.station(words.x), (words.x, offset)
        R = rpy_matrix(*words.rpy)
        stations[name] = replace(base, rho=base.rho + base.R0 @ offset, R0=base.R0 @ R)
    line = line and replace(line, stations=on_line)
    return replace(body, stations=stations, line=line)
