"""From checked words to a Robot: bodies, stations, tree order. All faults are collected."""

from __future__ import annotations

import copy
import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from ..elastic_kinematics import KINEMATICS, named
from ..errors import Fault, InputError, ModelError, brief
from ..joints import Fixed
from ..loops import OpenLoopError
from ..robot import Robot, place_coordinates
from .computable import check_computable
from .faults import Faults
from .link_assembly import assemble_links
from .link_body import LinkBody, link_body
from .loops import guess_of, loops_of, motors, ties_of
from .motions import motions_of, with_tables
from .plain_data import plain_data
from .spec import LinkSpec, RobotSpec
from .tree import Carriers, tree_order, tree_words
from .validate import validate
from .yaml import Document


def build(data: Mapping[str, object] | Document, folder: str | Path = "") -> Robot:
    """A Robot from the words of a model file (a mapping, or a read document). Files that a mapping
    names are in `folder`, by default the one Python runs in."""
    document = complete(data if isinstance(data, Document) else _document(data, folder))
    with np.errstate(all="ignore"):  # numbers too large or small are found by check_computable
        robot = _build(document)
        _close(robot, document)
    return robot


def complete(document: Document) -> Document:
    """The document, with the words of the file that it extends."""
    if "urdf" not in document.data:
        return document
    from .urdf.extend import extended

    return extended(document)


def unclosed(data: Mapping[str, object], folder: str | Path = "") -> Robot:
    """The same, but its loops need not be closed."""
    with np.errstate(all="ignore"):
        return _build(_document(data, folder))


def _build(document: Document) -> Robot:
    spec = _checked_words(document)
    faults = Faults(document)
    links, joints, made = _parts(spec, faults)
    faults.stop()
    order = tree_order(links, joints, faults)
    faults.stop()
    built, gears = assemble_links(order, links, joints, made, faults)
    motions = motions_of(spec, built, faults)
    loops = loops_of(spec, built, faults) + ties_of([j for _, j in joints.values()], built, faults)
    actuated, guess = motors(spec, built, gears, faults), guess_of(spec, built, faults)
    faults.stop()
    robot = Robot(
        name=spec.name,
        links=place_coordinates(built),
        gravity=np.array(spec.gravity, dtype=float),
        elastic_kinematics=spec.elastic_kinematics,
        elastic_columns=spec.elastic_columns,
        gears=gears,
        loops=loops,
        actuated=actuated,  # type: ignore[arg-type]  # None: all
        guess=guess,
        units=spec.units,
        description=spec.description,
        source=spec.source,
        notes=(*spec.notes, *(note for x in made.values() for note in x.notes)),
        motions=motions,
        spec=dict(document.data),
        folder=str(document.folder),
    )
    places = {name: i for name, (i, _) in joints.items()}
    still = check_computable(robot, places, faults, spec.as_given)
    faults.stop()
    return replace(robot, massless=still) if still else robot


def _checked_words(document: Document) -> RobotSpec:
    """The words of the model, or a ModelError with all that is wrong in them."""
    try:
        return validate(document, RobotSpec)
    except ModelError as error:
        raise ModelError(_with_others(document, error.faults), document.source) from None


def _close(robot: Robot, document: Document) -> None:
    """The loops must close somewhere; the place is kept."""
    faults = Faults(document)
    try:
        robot.home()
    except OpenLoopError as error:
        loops = document.data.get("loops")
        cut = isinstance(loops, list) and error.loop < len(loops)
        faults.add(("loops", error.loop) if cut else ("joints",), error.words, error.help)
    faults.stop()


def _document(data: Mapping[str, object], folder: str | Path) -> Document:
    """The words given in Python, made plain."""
    if not isinstance(folder, str | os.PathLike) or "\0" in str(folder):
        raise InputError(f"folder is {brief(folder)}; it must be the name of a folder")
    if not isinstance(data, Mapping):
        raise InputError(
            f"supple.build takes a mapping of keys (name, links, joints, ...), got {brief(data)}; "
            f"a file is read by supple.load"
        )
    words = plain_data(data)
    assert isinstance(words, dict)  # as a mapping is
    found = Document(words, "model", folder=Path(folder))
    return with_tables(found, found.folder)


def _with_others(document: Document, found: tuple[Fault, ...]) -> list[Fault]:
    """Wrong words do not hide what else is wrong: all other words are checked as well."""
    left = _without_faults(document, found)
    if left is None:
        return list(found)
    spec, emptied = left
    faults = Faults(document)
    links, joints, _ = _parts(spec, faults, emptied)
    if not faults.found:
        tree_order(links, joints, faults)
    return sorted([*found, *faults.found], key=lambda fault: (fault.line or 0, fault.column or 0))


def _without_faults(
    document: Document, faults: tuple[Fault, ...]
) -> tuple[RobotSpec, set[str]] | None:
    """The model without its faulty words, and the links that lost some; None if too little is
    left to say more."""
    data = copy.deepcopy(dict(document.data))
    emptied: set[str] = set()
    for fault in faults:
        if not _take_out(data, fault.path, emptied):
            return None
    try:
        return RobotSpec.model_validate(data), emptied
    except ValidationError:
        return None


def _take_out(data: dict[str, Any], path: tuple[str | int, ...], emptied: set[str]) -> bool:
    """Links are emptied, joints keep their ends, other top-level keys go."""
    top = path[0] if path else ""
    if top not in ("links", "joints", "dh"):
        data.pop(str(top), None)
        return bool(path)
    if top == "links" and len(path) > 2:
        data["links"][path[1]] = {}
        emptied.add(str(path[1]))
        return True
    if top == "joints" and len(path) > 2 and path[2] != "child":
        joint = data["joints"][path[1]]
        joint.pop(path[2], None)
        joint.setdefault("type", Fixed.kind)
        return True
    return False


def _parts(
    spec: RobotSpec, faults: Faults, skip: Collection[str] = ()
) -> tuple[dict[str, LinkSpec], Carriers, dict[str, LinkBody]]:
    """Links, the joint that carries each, and their bodies, but for those to skip."""
    how = KINEMATICS[spec.elastic_kinematics]
    free = how.small or not how.bends  # rigid robots have no columns
    if spec.elastic_columns != "exponential" and not free:
        faults.add(
            ("elastic_columns",),
            f"elastic columns are {spec.elastic_columns!r}, which linearised kinematics alone can "
            f"have; elastic_kinematics is {spec.elastic_kinematics!r}",
            f"leave this key out, or write elastic_kinematics: {named(lambda kind: kind.small)[0]}",
        )
    links, joints = tree_words(spec, faults)
    bodies = {
        k: link_body(k, v, how, faults, spec.as_given) for k, v in links.items() if k not in skip
    }
    made = {name: body for name, body in bodies.items() if body is not None}
    if spec.dh is not None:
        made = {k: v if links[k].beam else v.as_one() for k, v in made.items()}
    return links, joints, made
