"""What travels to a worker, and what it does there with a block."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..types import Floats
from .desk import Desk, block_of
from .experiments import KINDS, Assignment, Trial
from .formulas import parse
from .points import Points
from .study import Study, function_of

_DESKS: dict[str, Desk] = {}
_ONE = threading.Lock()


def make(words: dict[str, Any]) -> Trial:
    """The experiment of a study, in the process that does it."""
    from ..model.build import build

    function: Callable[..., object] | None = words["function"]
    if words["code"]:
        function = function_of(words["code"], words["file"], words["name"])
    robot, formulas = build(words["robot"], words["folder"]), words["formulas"]
    trees = {name: parse(text) for name, text in formulas.items()}
    task = Assignment(robot, words["words"], words["names"], formulas, function, trees)
    return KINDS[words["kind"]](task)


def packed(study: Study) -> bytes:
    """All that a desk needs to know, as bytes."""
    import cloudpickle

    own = study.spec.experiment.function
    words = {
        "robot": dict(study.robot.spec or {}),
        "folder": str(Path(study.robot.folder).resolve()),
        "words": study.words,
        "names": study.points.names,
        "formulas": dict(study.spec.outcomes),
        "kind": study.spec.experiment.kind,
        "function": None if study.code else study.function,
        "code": study.code,
        "file": own.file if own is not None else "",
        "name": own.name if own is not None else "",
    }
    return bytes(cloudpickle.dumps(partial(make, words)))


def compute(
    study: bytes, mark: str, limit: float, names: tuple[str, ...], values: Floats
) -> tuple[dict[str, Floats], list[str], float]:
    """A block on a worker, at its desk."""
    with _ONE:  # a desk does one thing at a time
        for key in [key for key in _DESKS if key != mark]:
            _DESKS.pop(key).close()
        desk = _DESKS.setdefault(mark, Desk(study, limit))
        found, seconds = block_of(desk, Points(names, np.asarray(values)))
    return found.columns, found.trouble, seconds
