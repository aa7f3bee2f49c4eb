"""From the words of a link's `body` to its modal body: files read, reduced, placed in the link."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..bodies import Body, Station
from ..elastic_kinematics import ElasticKinematics
from ..errors import ModelError
from ..finite_elements.inside import inside
from ..finite_elements.part import of_kinematics, placed
from ..finite_elements.read import PartRequest, read_part
from ..screws import rpy_matrix
from .faults import Faults
from .spec import BodySpec, LinkSpec

if TYPE_CHECKING:
    from .link_body import Path as Keys


def part_or_fault(
    spec: LinkSpec, words: BodySpec, kinematics: ElasticKinematics, path: Keys, faults: Faults
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
                (*here, "file"), f"{Path(error.source).name}{line}: {fault.message}", fault.help
            )
        return None, ()
    notes = part.notes if kinematics.bends else ()
    if not kinematics.second:
        notes = tuple(note for note in notes if not note.startswith("geometric stiffening"))
    return _placed(of_kinematics(part.body, kinematics), words), notes


def _request(words: BodySpec, faults: Faults, here: Keys) -> PartRequest | None:
    """The files of the words, all inside the model's folder."""
    folder, before = faults.document.folder, len(faults.found)
    found: dict[tuple[str, ...], Path] = {}
    named = {key: getattr(words, key) for key in ("file", "mass", "nodes", "freedoms")}
    wanted: dict[tuple[str, ...], str] = {(k,): x for k, x in named.items() if x is not None}
    wanted |= {("stiffening", load): name for load, name in words.stiffening.items()}
    for keys, name in wanted.items():
        try:
            found[keys] = inside(folder, name)
        except ValueError as error:
            hint = f"files are named from {folder or '.'}, the folder of the model"
            faults.add((*here, *keys), str(error), hint)
    if len(faults.found) > before:
        return None
    of = {keys[0]: path for keys, path in found.items() if len(keys) == 1}
    loads = tuple((keys[1], path) for keys, path in found.items() if len(keys) == 2)
    return PartRequest(
        **of,  # type: ignore[arg-type]
        stiffening=loads,
        root=_nodes(words.root),
        stations=tuple((k, _nodes(v)) for k, v in words.stations.items()),  # type: ignore[misc]
        method=words.method,
        modes=words.modes,
        keep=words.keep,
        units=(words.units.length, words.units.mass),
    )


def _nodes(x: int | list[int] | str | None) -> int | tuple[int, ...] | str | None:
    return tuple(x) if isinstance(x, list) else x


def _placed(body: Body, words: BodySpec) -> Body:
    body = placed(body, np.array(words.start, dtype=float), rpy_matrix(*words.rpy))
    origin = Station(np.zeros(3), np.zeros((body.m, 3)), np.zeros((body.m, 3)))
    root = {} if "root" in body.stations else {"root": origin}
    return replace(body, stations={"origin": origin, **root, **body.stations})
