"""From a link's words to its body: rigid parts, a beam with shapes or a part of finite elements,
stations, payload."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

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
from ..errors import ModelError, did_you_mean
from ..finite_elements.part import of_kinematics, placed
from ..finite_elements.read import PartRequest, read_part
from ..screws import rpy_matrix
from .faults import Faults
from .inertia import inertia_tensor
from .mode_shapes import beam_and_basis
from .model_files import inside
from .spec import BeamSpec, BodySpec, LinkSpec, MassSpec, RigidSpec

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
    return MassProperties(spec.mass, np.array(spec.com, dtype=float), inertia)


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
        body, notes = _part_or_fault(spec, spec.body, kinematics, path, faults)
    elif spec.beam is None:
        body = rigid_body((), _rigid_stations(spec.rigid))
    else:
        body = _beam_or_fault(spec, spec.beam, kinematics, path, faults)
    if body is None:
        return None
    body = _with_stations(body, spec, path, faults)
    if spec.payload is not None:
        payload = _mass_properties(spec.payload, (*path, "payload"), faults)
        at = spec.payload.at or ("tip" if "tip" in body.stations else "origin")
        if at not in body.stations:
            help = did_you_mean(at, body.stations) or f"stations are: {', '.join(body.stations)}"
            faults.add((*path, "payload", "at"), f"link {name!r} has no station {at!r}", help)
            return None
        parts.append(RigidPart("payload", payload, at))
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
    origin = Station.origin()
    if words is None or not (words.tip or words.length):
        return {"origin": origin}
    tip = words.tip or [words.length or 0.0, 0.0, 0.0]
    R = rpy_matrix(*words.tip_rpy)
    return {"origin": origin, "tip": replace(origin, r0=np.array(tip, dtype=float), R0=R)}


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
    start, R = np.array(words.start, dtype=float), rpy_matrix(*words.rpy)
    try:
        beam, base = beam_and_basis(spec, words, kinematics)
        body = beam_body(beam, base, start, R, kinematics.second)
        ends = {"root": (0.0, np.zeros(3)), "tip": (beam.length, np.zeros(3))}
        line = BeamLine(beam, base, start, R, kinematics.second, ends)
        stations = {"origin": Station.origin(body.m), **body.stations}
        return replace(body, stations=stations, line=line)
    except ValueError as error:
        faults.add((*path, "beam", *getattr(error, "keys", ())), str(error))
    return None


def _part_or_fault(
    spec: LinkSpec, words: BodySpec, kinematics: ElasticKinematics, path: Path, faults: Faults
) -> tuple[Body | None, tuple[str, ...]]:
    """The part's body in link axes and what is to be said of it; None where there is none."""
    here = (*path, "body")
    if spec.beam is not None:
        faults.add(here, "the link has a beam and a body; it can bend in one way only")
        return None, ()
    if spec.rigid is not None and (spec.rigid.tip or spec.rigid.length):
        key = "tip" if spec.rigid.tip else "length"
        faults.add((*path, "rigid", key), "the link has a body, which says where its tip is",
                   f"leave {key} out, or name a station of the body tip")  # fmt: skip
    request = _request(words, faults, here)
    if request is None:
        return None, ()
    try:
        part = read_part(request)
    except ModelError as error:
        for fault in error.faults:
            line = f":{fault.line}" if fault.line else ""
            faults.add(
                (*here, "file"), f"{FilePath(error.source).name}{line}: {fault.message}", fault.help
            )
        return None, ()
    notes = part.notes if kinematics.bends else ()
    if not kinematics.second:
        notes = tuple(note for note in notes if not note.startswith("geometric stiffening"))
    R = rpy_matrix(*words.rpy)
    body = placed(of_kinematics(part.body, kinematics), np.array(words.start, dtype=float), R)
    origin = Station.origin(body.m)
    root = {} if "root" in body.stations else {"root": origin}
    return replace(body, stations={"origin": origin, **root, **body.stations}), notes


def _request(words: BodySpec, faults: Faults, here: Path) -> PartRequest | None:
    """The files of the words, all inside the model's folder."""
    folder, before = faults.document.folder, len(faults.found)

    def found(name: str | None, *keys: str) -> FilePath | None:
        try:
            return None if name is None else inside(folder, name)
        except ValueError as error:
            hint = f"files are named from {folder or '.'}, the folder of the model"
            faults.add((*here, *keys), str(error), hint)
            return None

    def nodes(x: int | list[int] | str | None) -> int | tuple[int, ...] | str | None:
        return tuple(x) if isinstance(x, list) else x

    named = {key: found(getattr(words, key), key) for key in ("file", "mass", "nodes", "freedoms")}
    loads = tuple((k, found(name, "stiffening", k)) for k, name in words.stiffening.items())
    if len(faults.found) > before:
        return None
    return PartRequest(
        **named,  # type: ignore[arg-type]
        stiffening=loads,  # type: ignore[arg-type]
        root=nodes(words.root),
        stations=tuple((k, nodes(v)) for k, v in words.stations.items()),  # type: ignore[misc]
        method=words.method,
        modes=words.modes,
        keep=words.keep,
        units=(words.units.length, words.units.mass),
    )


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
