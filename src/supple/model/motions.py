"""Motions of a model file: words checked, and tables read from their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from ..csv_columns import read_columns
from ..errors import FileError, ModelError, did_you_mean
from ..expressions import CONSTANTS, parse
from ..robot import KeptMotion, Link, MotionFormulas, MotionPoints, MotionTargets
from .faults import Faults
from .spec import MotionSpec, RobotSpec
from .yaml import Document


def with_tables(document: Document, folder: Path) -> Document:
    """The words with every table of a motion put in as points, so that they stand alone."""
    motions = document.data.get("motions")
    if not isinstance(motions, Mapping):
        return document
    made = {name: _points(document, name, words, folder) for name, words in motions.items()}
    if all(made[name] is motions[name] for name in motions):
        return document
    return replace(document, data={**document.data, "motions": made})


def _points(document: Document, name: str, words: object, folder: Path) -> object:
    if not isinstance(words, Mapping) or set(words) != {"table"}:
        return words  # other keys beside a table are told later
    file = words["table"]
    if not isinstance(file, str):
        return words
    try:
        t, columns = read_columns(folder / file)
    except FileError as error:
        path = ("motions", name, "table")
        raise ModelError([document.fault(path, str(error))], document.source) from None
    return {"times": t.tolist(), "through": {k: v.tolist() for k, v in columns.items()}}


def motions_of(spec: RobotSpec, links: list[Link], faults: Faults) -> dict[str, KeptMotion]:
    """A motion names joints of one coordinate, and says where each is."""
    names = [link.joint_name for link in links if link.joint.nv == 1]
    for label, motion in spec.motions.items():
        for key in ("joints", "cycloidal", "quintic", "trapezoidal", "through"):
            for joint in getattr(motion, key) or ():
                if joint not in names:
                    hint = did_you_mean(joint, names) or f"joints are: {', '.join(names) or 'none'}"
                    path = ("motions", label, key, joint)
                    faults.add(path, f"the motion names no joint: {joint!r}", hint)
        _check_formulas(label, motion, faults)
        _check_course(label, motion, faults)
        _check_points(label, motion, faults)
    return {} if faults.found else {k: _kept(motion) for k, motion in spec.motions.items()}


def _check_formulas(label: str, motion: MotionSpec, faults: Faults) -> None:
    for joint, text in (motion.joints or {}).items():
        try:
            parse(text, ("t", *CONSTANTS))
        except ValueError as error:
            faults.add(("motions", label, "joints", joint), str(error))


def _check_course(label: str, motion: MotionSpec, faults: Faults) -> None:
    for key in ("cycloidal", "quintic", "trapezoidal"):
        to = getattr(motion, key)
        if to is not None and not to:
            faults.add(("motions", label, key), "the motion moves no joint", "name one")
        for which in ("rate", "acceleration"):
            limit = getattr(motion, which)
            for joint in to or () if isinstance(limit, dict) else ():
                if joint not in limit:
                    path = ("motions", label, which)
                    faults.add(path, f"{joint} moves, and has no limit here", "give it one")


def _check_points(label: str, motion: MotionSpec, faults: Faults) -> None:
    if motion.through is None or motion.times is None:
        return
    times = motion.times
    if len(times) < 2 or any(b <= a for a, b in pairwise(times)):
        faults.add(("motions", label, "times"), "times must be two or more, and rise")
    if times and times[0] < 0.0:
        faults.add(("motions", label, "times"), "a motion cannot begin before t = 0")
    if not motion.through:
        faults.add(("motions", label, "through"), "the motion moves no joint", "name one")
    for joint, places in motion.through.items():
        if len(places) != len(times):
            words = f"{joint} has {len(places)} places, there are {len(times)} times"
            faults.add(("motions", label, "through", joint), words)


def _kept(motion: MotionSpec) -> KeptMotion:
    if motion.joints is not None:
        return MotionFormulas(float(motion.duration or 0.0), motion.joints)
    if motion.through is not None:
        places = {joint: tuple(row) for joint, row in motion.through.items()}
        return MotionPoints(tuple(motion.times or ()), places)
    kind = next(k for k in ("cycloidal", "quintic", "trapezoidal") if getattr(motion, k))
    targets = getattr(motion, kind)
    to = {k: (x[0], x[1]) if isinstance(x, list) else x for k, x in targets.items()}
    given = {key: getattr(motion, key) for key in ("duration", "start", "rate", "acceleration")}
    return MotionTargets(kind, to, {key: x for key, x in given.items() if x is not None})
