"""What travels to a worker process, and what is made of it there."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypedDict

from ..errors import InputError
from ..tracer.source_hash import source_hash
from ..types import Word
from .experiments import ExperimentInputs, Trial
from .formulas import parse
from .own import function_of, look_in
from .study import Study


class PackedStudy(TypedDict):
    """All that a worker process needs to know of a study."""

    supple: str | None  # its sources, which a worker has too
    robot: dict[str, Word]
    folder: str  # of the robot's file
    words: dict[str, Word]  # of the experiment
    names: tuple[str, ...]  # of the numbers that vary
    formulas: dict[str, str]
    trial: Callable[[ExperimentInputs], Trial]  # which of its kind was found out already
    function: bytes  # the user's own, where no file holds it
    paths: list[str]
    code: str  # of the function's file
    file: str
    name: str
    beside: Path  # the folder of the study's file


def make(words: PackedStudy) -> Trial:
    """The experiment of a study, in the process that does it."""
    from ..model.build import build

    if words["supple"] != source_hash():
        raise InputError(
            f"Supple at {Path(__file__).parents[1]} is not the one that began the study, or was "
            f"changed since; install the same version everywhere and start workers and study anew"
        )
    look_in(words["paths"])
    function: Callable[..., object] | None = None
    if words["code"]:
        function = function_of(words["code"], words["file"], words["name"], words["beside"])
    elif words["function"]:
        function = pickle.loads(words["function"])
    robot, formulas = build(words["robot"], words["folder"]), words["formulas"]
    trees = {name: parse(text) for name, text in formulas.items()}
    task = ExperimentInputs(robot, words["words"], words["names"], formulas, function, trees)
    return words["trial"](task)


def packed(study: Study) -> bytes:
    """All that a worker process needs to know, as bytes."""
    import cloudpickle

    own = study.spec.experiment.function
    words: PackedStudy = {
        "supple": source_hash(),
        "robot": dict(study.robot.spec or {}),
        "folder": str(Path(study.robot.folder).resolve()),
        "words": study.words,
        "names": study.points.names,
        "formulas": dict(study.spec.outcomes),
        "trial": type(study.experiment),
        "function": b"" if study.code else _pickled(study.function),
        "paths": [str(Path(path).resolve()) for path in sys.path],
        "beside": study.folder.resolve(),
        "code": study.code,
        "file": own.file if own is not None else "",
        "name": own.name if own is not None else "",
    }
    return bytes(cloudpickle.dumps(partial(make, words)))


def _pickled(function: Callable[..., object] | None) -> bytes:
    import cloudpickle

    try:
        return b"" if function is None else bytes(cloudpickle.dumps(function))
    except Exception as error:
        raise InputError(
            f"the function cannot be sent to other processes ({type(error).__name__}: {error}); "
            f"make within it what it holds, e.g. files and locks"
        ) from None
