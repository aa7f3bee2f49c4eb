"""A study: a robot, what varies, what is done at each point, what is kept of it.

words of a file, or arguments of `supple.sweep` -> StudySpec -> Study, checked, its points known
Study -> `packed`, bytes that travel to a worker process -> `make`, the experiment there
"""

from __future__ import annotations

import hashlib
import json
import pickle
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import InputError, ModelError, SuppleError, did_you_mean, unknown_name
from ..files import read_bytes
from ..lazy import cached_property
from ..model import load
from ..model.faults import Faults
from ..model.parameters import parameter_names, parameter_value
from ..model.validate import validate
from ..model.yaml import Document, read
from ..robot import Robot
from ..tracer.source_hash import source_hash
from ..types import Word
from ..worker_process import Points
from .experiments import KINDS, ExperimentInputs, Trial, place
from .experiments.base import KEPT
from .experiments.simulate import STATES, shared
from .formulas import parse
from .own import files_of, function_of, function_parts, look_in
from .points import csv_points, points
from .spec import StudySpec
from .store import digest

SHARES = 32
"""Blocks that a study has at least, where they are not too small to be worth it."""
OWN_OUTCOMES = ("frequencies", "function")
"""Experiments that have outcomes without a formula."""
_OMEGA = re.compile(r"omega[1-9][0-9]*")


@dataclass(frozen=True)
class Study:
    """A study that can be run."""

    spec: StudySpec
    robot: Robot
    points: Points
    source: str = ""
    function: Callable[..., object] | None = None
    code: str = ""  # of the function, where a file holds it
    folder: Path = Path()  # of the study's file

    def __len__(self) -> int:
        return len(self.points)

    @cached_property
    def experiment(self) -> Trial:
        formulas, names = dict(self.spec.outcomes), self.points.names
        task = ExperimentInputs(self.robot, self.words, names, formulas, self.function)
        return KINDS[self.spec.experiment.kind](task)

    def notes(self, doubtful: bool = False) -> list[str]:
        """Numbers that only the function sees; `doubtful`: whose names are near one of the model's
        numbers."""
        known = parameter_names(self.robot) if self.function is not None else self.points.names
        hints = {n: did_you_mean(n, known) for n in self.points.names if n not in known}
        return [
            f"{name} is no number of robot {self.robot.name}, only the function sees it"
            + (f"; {hint}" if hint else "")
            for name, hint in hints.items()
            if hint or not doubtful
        ]

    @property
    def words(self) -> dict[str, Any]:
        """Of the experiment."""
        found = getattr(self.spec.experiment, self.spec.experiment.kind)
        return dict(found.model_dump())

    @property
    def block(self) -> int:
        """Points of a block. Small studies have small blocks, so that all cores have some."""
        trial = self.experiment
        return self.spec.block or min(max(len(self) // SHARES, trial.few), trial.many)

    @property
    def blocks(self) -> list[range]:
        """The points of each block: of the study alone, whoever computes it."""
        n, size = len(self), self.block
        return [range(k, min(k + size, n)) for k in range(0, n, size)]

    @cached_property
    def marks(self) -> dict[str, str]:
        """A digest of each part whose change would make another study."""
        spec = self.spec
        parts: dict[str, str | bytes] = {
            "Supple": str(source_hash()),
            "robot": json.dumps(dict(self.robot.spec or {}), sort_keys=True, default=str),
            "files of the robot": json.dumps(dict(_files(self.robot.spec, self.robot.folder))),
            "experiment": json.dumps(spec.experiment.model_dump(), sort_keys=True),
            "outcomes": json.dumps(spec.outcomes, sort_keys=True),
            "names that vary": json.dumps(self.points.names),
            "points": hashlib.sha256(self.points.values.tobytes()).hexdigest(),
            "block": str(self.block),
        }
        if self.code:
            parts["function"] = self.code
            parts |= files_of([self.code], self.folder)
        elif self.function is not None:
            parts |= function_parts(self.function)
        return {key: digest(x) for key, x in sorted(parts.items())}

    @property
    def mark(self) -> str:
        return digest(json.dumps(self.marks))


def _files(words: object, folder: str) -> Iterator[tuple[str, str]]:
    """Files that a model names, each with a digest of what is in it."""
    if isinstance(words, Mapping | list):
        for inner in words.values() if isinstance(words, Mapping) else words:
            yield from _files(inner, folder)
    elif isinstance(words, str) and "." in words and len(words) < 400 and "\0" not in words:
        path = Path(folder) / words
        if path.is_file():
            yield words, hashlib.sha256(read_bytes(path)).hexdigest()


def read_study(path: str | Path) -> Study:
    """A study from its file; one ModelError with all its faults."""
    document = read(Path(path))
    return study_of(document, Path(path).parent)


def study_of(
    document: Document,
    folder: Path,
    robot: Robot | None = None,
    function: Callable[..., object] | None = None,
) -> Study:
    """The words checked, all names looked up."""
    try:
        spec = validate(document, StudySpec)
        faults = Faults(document)
        arm = robot if robot is not None else _robot(spec, folder, faults)
        code = ""
        if function is None and spec.experiment.function is not None:
            function, code = _function(spec, folder, faults)
        _formulas(spec, faults)
        faults.stop()
        assert arm is not None
        made = _points(spec, arm, folder, faults)
        faults.stop()
        assert made is not None
        _columns(spec, made, faults)
        faults.stop()
        return Study(spec, arm, made, document.source, function, code, folder)
    except ModelError as error:
        raise ModelError(error.faults, error.source, "study") from None


def _robot(spec: StudySpec, folder: Path, faults: Faults) -> Robot | None:
    try:
        beside = folder / spec.robot
        arm = load(str(beside) if beside.is_file() else spec.robot)
        return arm if spec.kinematics is None else arm.replace(elastic_kinematics=spec.kinematics)
    except ModelError as error:
        for fault in error.faults:
            faults.add(("robot",), f"robot {spec.robot}: {fault.message}", fault.help)
    except SuppleError as error:
        faults.add(("robot",), str(error))
    return None


def _function(
    spec: StudySpec, folder: Path, faults: Faults
) -> tuple[Callable[..., object] | None, str]:
    """The function and its source, which travels to the workers."""
    words = spec.experiment.function
    assert words is not None
    try:
        code = read_bytes(folder / words.file).decode("utf-8")
        return function_of(code, words.file, words.name, folder), code
    except (SuppleError, UnicodeDecodeError) as error:
        faults.add(("experiment", "function"), str(error))
    return None, ""


def _formulas(spec: StudySpec, faults: Faults) -> None:
    for name, text in spec.outcomes.items():
        try:
            parse(text)
            if spec.experiment.frequencies is not None and _OMEGA.fullmatch(name):
                raise InputError(f"{name} is a frequency already; call the outcome otherwise")
        except InputError as error:
            faults.add(("outcomes", name), str(error))
    if not spec.outcomes and spec.experiment.kind not in OWN_OUTCOMES:
        example = "outcomes: {end: last(joint1)}"
        faults.add(("experiment",), f"{spec.experiment.kind} has no outcome to keep", example)


def _columns(spec: StudySpec, made: Points, faults: Faults) -> None:
    """Each column of the results has a name of its own."""
    key = "csv" if spec.csv is not None else "vary"
    for name in (n for n in made.names if n in KEPT):
        faults.add((key, name), f"{name} is kept of every point; what varies needs another name")
    for name in spec.outcomes:
        if name in KEPT or name in made.names:
            why = "is kept of every point" if name in KEPT else "varies"
            faults.add(("outcomes", name), f"{name} {why}; an outcome needs another name")


def _points(spec: StudySpec, robot: Robot, folder: Path, faults: Faults) -> Points | None:
    """All points, or the faults of what varies."""
    nominal: dict[str, float] = {}
    for name, way in spec.vary.items():
        try:
            nominal[name] = _nominal(spec, robot, name, way.relative)
            if way.relative and nominal[name] == 0.0:
                raise InputError(f"{name} is 0, and so are all its multiples; leave relative out")
        except InputError as error:
            faults.add(("vary", name), str(error))
    if faults.found:
        return None
    try:
        if spec.csv is not None:
            if spec.vary:
                raise InputError("a study has its points from csv or from vary, not from both")
            if "design" in spec.model_fields_set:
                raise InputError("a csv gives the points themselves; leave design out")
            made = csv_points(folder / spec.csv)
            for name in made.names:
                _nominal(spec, robot, name, False)
            return made
        if not spec.vary:
            raise InputError("nothing varies; name numbers under vary, or give a csv of points")
        return points(spec.vary, spec.design, nominal)
    except (InputError, OSError) as error:
        faults.add(("csv",) if spec.csv is not None else ("vary",), str(error))
    return None


def _nominal(spec: StudySpec, robot: Robot, name: str, relative: bool) -> float:
    """The number as it is without the study; an error where there is none of this name."""
    kind = spec.experiment.kind
    head = shared(name)
    if kind == "simulate" and head is not None:
        known = robot.coordinate_names if head == "q0" else robot.velocity_names
        if name.partition(".")[2] not in known:
            raise unknown_name(head, name.partition(".")[2], known, where=f"robot {robot.name}")
        if relative:
            raise InputError(f"{name} has no number of its own to be relative to")
        return 0.0
    if name.startswith("experiment."):
        words = getattr(spec.experiment, kind).model_dump()
        try:
            holder, key = place(words, name)
        except KeyError:
            raise InputError(
                f"{name} is no number of the experiment; those are named by their keys, e.g. "
                f"experiment.duration or experiment.pd.0, and must be in the file"
            ) from None
        if (kind, name) == ("frequencies", "experiment.count"):
            raise InputError("every point of a study has the same outcomes; count cannot vary")
        return float(holder[key])
    if kind == "function" and _only_the_functions(robot, name):
        return 1.0
    try:
        return parameter_value(robot, name)
    except InputError as error:
        more = (
            f" States are {', '.join(f'{x}.NAME' for x in STATES)}." if kind == "simulate" else ""
        )
        raise InputError(f"{error}{more}") from None


def _only_the_functions(robot: Robot, name: str) -> bool:
    """A number that the model does not have, and that is not meant to be one of its parts'."""
    known = parameter_names(robot)
    parts = {n.partition(".")[0] for n in (*known, *robot.velocity_names, "gravity.2")}
    parts |= {n for x in robot.links for n in (x.name, x.joint_name)}
    return name not in known and not any(name.startswith(f"{part}.") for part in parts)


def document_of(words: Mapping[str, object]) -> Document:
    """Words given in Python, as a document without lines."""
    return Document(dict(words), "study")


def make(
    supple: str | None,  # its sources, which a worker has too
    paths: list[str],
    robot: dict[str, Word],
    folder: str,  # of the robot's file
    trial: Callable[[ExperimentInputs], Trial],  # which of its kind was found out already
    words: dict[str, Word],  # of the experiment
    names: tuple[str, ...],  # of the numbers that vary
    formulas: dict[str, str],
    function: bytes,  # the user's own, where no file holds it
    code: str,  # of the function's file
    called: tuple[str, str, Path],  # its file, its name, the folder of the study's file
) -> Trial:
    """The experiment of a study, in the process that does it."""
    from ..model.build import build

    if supple != source_hash():
        raise InputError(
            f"Supple at {Path(__file__).parents[1]} is not the one that began the study, or was "
            f"changed since; install the same version everywhere and start workers and study anew"
        )
    look_in(paths)
    own = function_of(code, *called) if code else pickle.loads(function) if function else None
    return trial(ExperimentInputs(build(robot, folder), words, names, formulas, own))


def packed(study: Study) -> bytes:
    """All that a worker process needs to know, as bytes."""
    import cloudpickle

    own, function = study.spec.experiment.function, b""
    if study.function is not None and not study.code:
        try:
            function = bytes(cloudpickle.dumps(study.function))
        except Exception as error:
            raise InputError(
                f"the function cannot be sent to other processes ({type(error).__name__}: "
                f"{error}); make within it what it holds, e.g. files and locks"
            ) from None
    given: dict[str, Any] = {
        "supple": source_hash(),
        "paths": [str(Path(path).resolve()) for path in sys.path],
        "robot": dict(study.robot.spec or {}),
        "folder": str(Path(study.robot.folder).resolve()),
        "trial": type(study.experiment),
        "words": study.words,
        "names": study.points.names,
        "formulas": dict(study.spec.outcomes),
        "function": function,
        "code": study.code,
        "called": (own.file if own else "", own.name if own else "", study.folder.resolve()),
    }
    return bytes(cloudpickle.dumps(partial(make, **given)))
