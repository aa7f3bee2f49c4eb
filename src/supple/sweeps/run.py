"""sweep: study -> store -> blocks on all cores -> Sweep. Nothing is lost, nothing done twice."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ..errors import FileError, InputError, brief, caution
from ..files import make_folder
from ..robot import Robot
from ..worker_process import Computed, Outcomes, joined
from .executor import Session, session
from .experiments.base import KEPT
from .store import Store, Sweep, create, parquet, warmed_up
from .study import Study, document_of, packed, read_study, study_of


@dataclass(frozen=True)
class StudyProgress:
    """How far a study is."""

    done: int  # points, with those of earlier sessions
    failed: int
    total: int
    new: int  # points of this session
    seconds: float  # of this session
    latest: Outcomes = field(default_factory=lambda: Outcomes({}, []))

    @property
    def rate(self) -> float:
        """Points a second."""
        return self.new / self.seconds if self.seconds > 0.0 else 0.0

    @property
    def left(self) -> float:
        """Seconds, if it goes on like this."""
        return (self.total - self.done) / self.rate if self.rate > 0.0 else float("inf")


Progress = Callable[[StudyProgress], None]


def sweep(
    study: str | Path | Study | Mapping[str, object] | None = None,
    *,
    robot: Robot | str | None = None,
    vary: Mapping[str, object] | None = None,
    experiment: Mapping[str, object] | Callable[..., object] | None = None,
    outcomes: Mapping[str, str] | None = None,
    design: Mapping[str, object] | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    retry: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    limit: float | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Vary numbers of a robot, of its start or of what is done with it, and keep the outcomes.

    study: a study file, or its words as a mapping; or give its parts: robot (or its name), vary
    {name: {"normal": [1, 0.05], "relative": True}, ...}, experiment {"simulate": {...}} or a
    function f(robot, point) that gives a number or numbers by name, outcomes {name: formula},
    design {"kind": "sobol", "points": 1000, "seed": 1} (see supple help study).
    out: the folder of the results, by default NAME.sweep. resume: go on with what is there.
    retry: compute points anew that failed. workers: processes on this machine, by default one for
    each core. scheduler: address of a Dask scheduler instead. limit: seconds a point may take.
    """
    made = _study(study, robot, vary, experiment, outcomes, design)
    if workers is not None and (not isinstance(workers, int) or workers < 1):
        raise InputError(f"workers is {brief(workers)}; it must be a whole number, 1 or more")
    seconds = made.spec.limit if limit is None else limit
    if not isinstance(seconds, int | float) or not 0.0 < seconds <= sys.float_info.max:
        raise InputError(f"limit is {brief(seconds)}; it must be a positive number of seconds")
    parquet()
    folder = Path(out) if out is not None else Path(f"{made.spec.name}.sweep")
    made.experiment  # noqa: B018  what cannot be made is said before anything is written
    packed(made)
    for note in made.notes(doubtful=True):
        caution(note)
    with _alone(make_folder(folder)):
        store = create(made, folder, resume or retry)
        todo = _todo(made, store, retry)
        if todo:
            warming = threading.Thread(target=warmed_up, daemon=True)  # while workers start
            warming.start()
            with session(made, float(seconds), scheduler, workers) as open_session:
                if len(todo) == len(made.blocks):
                    _try_out(made, open_session)
                try:
                    _run(made, store, todo, open_session.computed(todo), progress)
                finally:  # Ctrl-C, or an error: what is done meanwhile is kept too
                    with suppress(FileError):
                        _run(made, store, todo, open_session.finished(), None)
            warming.join()
    return Sweep.of(store)


def _study(
    given: object,
    robot: Robot | str | None,
    vary: Mapping[str, object] | None,
    experiment: Mapping[str, object] | Callable[..., object] | None,
    outcomes: Mapping[str, str] | None,
    design: Mapping[str, object] | None,
) -> Study:
    if isinstance(given, Study):
        return given
    if isinstance(given, str | Path):
        return read_study(given)
    words: dict[str, object] = dict(given) if isinstance(given, Mapping) else {}
    if given is not None and not isinstance(given, Mapping):
        raise InputError(f"study is {brief(given)}; give a study file, or its words as a mapping")
    arm = robot if isinstance(robot, Robot) else None
    if arm is not None and arm.spec is None:
        raise InputError(f"robot {arm.name} was not built from a model; a study cannot vary it")
    if robot is not None:
        words["robot"] = arm.name if arm is not None else robot
    function = experiment if callable(experiment) else None
    parts = {"vary": vary, "experiment": experiment, "outcomes": outcomes, "design": design}
    for key, value in parts.items():
        if key == "experiment" and function is not None:
            name = getattr(function, "__qualname__", "function")
            words[key] = {"function": {"file": "", "name": name}}
        elif isinstance(value, Mapping):
            words[key] = dict(value)
        elif value is not None:
            more = ", or a function" if key == "experiment" else ", as in a study file"
            raise InputError(f"{key} is {brief(value)}; give a mapping{more}")
    return replace(study_of(document_of(words), Path(), arm, function), source="")


def _try_out(study: Study, session: Session) -> None:
    """Some points before all others: their native code is made once, for all workers of a machine,
    which start their processes meanwhile, and a study whose every point must fail for one reason is
    refused. Functions of the user's own are asked once."""
    if study.spec.experiment.kind == "function":
        return
    last, why = len(study) - 1, ""
    for k in dict.fromkeys((0, last // 2, last)):
        words = session.tried(k)
        if not words or (why and words != why):
            return
        why = words
    raise InputError(
        f"the first, the middle and the last point of the study fail, so nothing was begun: {why}"
    )


def _todo(study: Study, store: Store, retry: bool) -> dict[int, list[int]]:
    """Points of each block that are not there; with retry also those that failed."""
    done, out = store.done(), dict[int, list[int]]()
    for block, rows in enumerate(study.blocks):
        if block not in done:
            out[block] = list(rows)
            continue
        trouble = store.get(done[block]).column("trouble").to_pylist()  # refuses what is not sound
        failed = [k for k, words in zip(rows, trouble, strict=True) if words and retry]
        if failed:
            out[block] = failed
    return out


def _run(
    study: Study,
    store: Store,
    todo: dict[int, list[int]],
    coming: Iterator[tuple[int, Computed]],
    progress: Progress | None,
) -> None:
    began, new = time.perf_counter(), 0
    kept = sum(len(rows) for k, rows in enumerate(study.blocks) if k not in todo)
    kept += sum(len(study.blocks[k]) - len(rows) for k, rows in todo.items())
    failed = 0
    for block, (found, took) in coming:
        nothing = {name: np.full(len(found.trouble), np.nan) for name in study.spec.outcomes}
        rows, found = study.blocks[block], Outcomes(nothing | found.columns, found.trouble)
        new += len(todo[block])
        failed += sum(bool(words) for words in found.trouble)
        if len(todo[block]) < len(rows):
            found = _mended(study, store, block, todo[block], found)
        store.put(block, rows, study.points.some(slice(rows.start, rows.stop)), found, took)
        if progress is not None:
            spent = time.perf_counter() - began
            progress(StudyProgress(kept + new, failed, len(study), new, spent, found))


def _mended(study: Study, store: Store, block: int, again: list[int], found: Outcomes) -> Outcomes:
    """A block whose failed points were computed anew; what was sound stays."""
    rows, varied = study.blocks[block], study.points.names
    before = store.get(store.done()[block])
    names = [n for n in before.column_names if n not in (*KEPT, *varied)]
    columns = {n: np.array(before.column(n).to_numpy(), dtype=float) for n in names}
    kept = Outcomes(columns, before.column("trouble").to_pylist())
    places = [k - rows.start for k in again]
    return joined(len(rows), [(range(len(rows)), kept), (places, found)])


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time writes to a store; a lock of one that was killed is none."""
    try:
        handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise FileError(f"cannot write into {folder}: {error.strerror or error}") from None
    try:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            windows = sys.platform == "win32" and error.errno in (errno.EACCES, errno.EDEADLK)
            if windows or isinstance(error, BlockingIOError):
                raise FileError(
                    f"another process is writing to {folder}; wait for it, or give --out"
                ) from None
            raise FileError(
                f"cannot lock {folder / '.lock'}: {error.strerror or error}. If its file system "
                f"has no locks, give --out a folder on another one, e.g. on a disk of this machine"
            ) from None
        yield
    finally:
        os.close(handle)
