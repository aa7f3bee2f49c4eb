"""What travels to a worker process, and what is made of it there."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..tracer.source_hash import source_hash
from ..types import Word
from .experiments import ExperimentInputs, Trial
from .own import function_of, look_in
from .study import Study


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

    own = study.spec.experiment.function
    given: dict[str, Any] = {
        "supple": source_hash(),
        "paths": [str(Path(path).resolve()) for path in sys.path],
        "robot": dict(study.robot.spec or {}),
        "folder": str(Path(study.robot.folder).resolve()),
        "trial": type(study.experiment),
        "words": study.words,
        "names": study.points.names,
        "formulas": dict(study.spec.outcomes),
        "function": b"" if study.code else _pickled(study.function),
        "code": study.code,
        "called": (own.file if own else "", own.name if own else "", study.folder.resolve()),
    }
    return bytes(cloudpickle.dumps(partial(make, **given)))


def _pickled(function: Callable[..., object] | None) -> bytes:
    import cloudpickle

    try:
        return b"" if function is None else bytes(cloudpickle.dumps(function))
    except Exception as error:
        raise InputError(
            f"the function cannot be sent to other processes ({type(error).__name__}: {error}); "
            f"make within it what it holds, e.g. files and locks"
        ) from None
