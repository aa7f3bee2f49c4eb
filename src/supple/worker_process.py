"""A process in which points of a study are computed, and that may hang, be killed or die.

    supervisor -> worker process -> experiment       blocks of points go, their outcomes come back

Neither threads nor Dask can stop a task that hangs or survive one that takes its process along, so
each thread that computes (of this process, or of a worker of a cluster) supervises a process of its
own. The study and the points go to its standard input, the answers come on what was its standard
output; it leaves as soon as its supervisor is gone. This module imports nothing that computes, so
that it is there soon.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from .errors import ModelError, SuppleError
from .types import Floats

STARTING = 600.0  # s, at most
START = f"from {__name__} import main; main()"
SESSIONS = 2  # that a worker of a cluster keeps processes of: two studies may take turns
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Points:
    """`values` (points, names): one column for each number that varies."""

    names: tuple[str, ...]
    values: Floats

    def __len__(self) -> int:
        return len(self.values)

    def at(self, k: int) -> dict[str, float]:
        """One point by name."""
        return {n: float(x) for n, x in zip(self.names, self.values[k], strict=True)}

    def some(self, rows: slice | list[int]) -> Points:
        return Points(self.names, self.values[rows])


@dataclass(frozen=True)
class Outcomes:
    """A column for each outcome, and words for each point that has none."""

    columns: dict[str, Floats]
    trouble: list[str]


Answer: TypeAlias = bool | Outcomes | str | None
"""Of a process: to the study `one_by_one`, to points their outcomes; words of an error; None: it
died."""


def joined(n: int, parts: Iterable[tuple[Sequence[int], Outcomes]]) -> Outcomes:
    """The outcomes of n points from those of some of them, the later in place of the earlier; NaN
    where a part lacks an outcome."""
    columns: dict[str, Floats] = {}
    trouble = [""] * n
    for rows, part in parts:
        for name in dict.fromkeys((*columns, *part.columns)):
            if name not in columns:
                columns[name] = np.full(n, np.nan)
            columns[name][rows] = part.columns.get(name, np.nan)
        for k, words in zip(rows, part.trouble, strict=True):
            trouble[k] = words
    return Outcomes(columns, trouble)


class WorkerError(SuppleError):
    """Points that a process could not compute."""


class WorkerDiedError(WorkerError):
    """A process that died by itself, or was killed by somebody else."""


class SessionClosedError(SuppleError):
    """The study is over, and nobody waits for the points."""


def words_of(error: Exception) -> str:
    """An error on one line."""
    if isinstance(error, ModelError):
        return "; ".join(f"{fault.key}: {fault.message}".lstrip(": ") for fault in error.faults)
    text = " ".join(str(error).split())
    if isinstance(error, SuppleError):
        return text or type(error).__name__
    return f"{type(error).__name__}: {text[:300]}"


# the supervisor's side ------------------------------------------------------------------------


@dataclass(eq=False)
class WorkerProcess:
    """One process, started when it is first needed and again when it was lost."""

    study: bytes  # a function that makes the experiment, pickled by cloudpickle
    limit: float  # s: of a point, and of a block whose points are computed together
    one_by_one: bool = True
    process: subprocess.Popen[bytes] | None = None
    answers: queue.Queue[Answer] = field(default_factory=queue.Queue)
    listener: threading.Thread | None = None
    busy: bool = False
    closed: bool = False  # by another thread: its session is over
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, points: Points) -> Outcomes:
        """The outcomes of some points; WorkerError where the process died, or time ran out."""
        process = self.started()
        try:
            self._send(process, points)
            answer = self.answers.get(timeout=min(self.limit, threading.TIMEOUT_MAX))
        except OSError:
            answer = None
        except queue.Empty:
            self.kill()
            raise WorkerError(f"took longer than the limit of {self.limit:g} s") from None
        if isinstance(answer, Outcomes):
            return answer
        raise WorkerError(answer) if isinstance(answer, str) else self._lost(process)

    def started(self) -> subprocess.Popen[bytes]:
        """Its process; one that is killed while it starts is started once more."""
        process = self.process
        if process is not None and process.poll() is None:
            return process
        try:
            return self._start()
        except WorkerDiedError:
            return self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        # a group of its own: Ctrl-C is for the study alone, and what a point starts ends with it;
        # the same search path: a file of the user's beside the study hides no module of Python's
        paths = [str(path) for path in sys.path]
        with self.lock:
            if self.closed:
                raise SessionClosedError("the study is over")
            self.process = process = subprocess.Popen(
                [sys.executable, "-c", f"import sys; sys.path[:] = {paths!r}; {START}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=ONE_THREAD | os.environ,  # there is a process for each core
                process_group=0,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        self.answers = queue.Queue()
        heard = (process, self.answers)
        self.listener = threading.Thread(target=self._listen, args=heard, daemon=True)
        self.listener.start()
        with suppress(OSError):  # that it died is heard below
            self._send(process, self.study)
        answer = self.answers.get(timeout=STARTING)
        if isinstance(answer, str):
            self.kill()
            raise WorkerError(answer)
        if not isinstance(answer, bool):
            raise self._lost(process, "while it started")
        self.one_by_one = answer
        return process

    @staticmethod
    def _send(process: subprocess.Popen[bytes], message: bytes | Points) -> None:
        assert process.stdin is not None
        pickle.dump(message, process.stdin)
        process.stdin.flush()

    @staticmethod
    def _listen(process: subprocess.Popen[bytes], answers: queue.Queue[Answer]) -> None:
        assert process.stdout is not None
        with suppress(Exception):  # at its end, or within an answer when it is killed
            while True:
                answers.put(pickle.load(process.stdout))
        answers.put(None)

    def _lost(self, process: subprocess.Popen[bytes], when: str = "") -> SuppleError:
        with suppress(subprocess.TimeoutExpired):  # it may only have closed what it answers on
            process.wait(1.0)
        code = process.poll()
        self.kill()
        if self.closed:
            return SessionClosedError("the study is over")
        if code is None:
            return WorkerDiedError("its process answers no more")
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return WorkerDiedError(f"its process died {when}".rstrip() + f" ({how})")

    def kill(self) -> None:
        """End the process and what it started, if there is one."""
        with self.lock:
            process, self.process = self.process, None
            if process is not None:
                _kill_group(process.pid)
                process.kill()
                process.wait()
                if self.listener is not None:  # none reads while the interpreter ends
                    self.listener.join(1.0)

    def close(self) -> None:
        """For good: no other process is started."""
        self.closed = True
        self.kill()


def _kill_group(group: int) -> None:
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)


def block_of(worker: WorkerProcess, points: Points) -> Outcomes:
    """The outcomes of a block, whatever its points do.

    A process that dies may have been killed by somebody who wanted memory: its points are tried
    once more, in another one. A block that fails as a whole is taken apart, until the point that
    fails is alone.
    """
    worker.started()  # says whether points are computed together
    parts = [[k] for k in range(len(points))] if worker.one_by_one else [range(len(points))]
    return joined(len(points), [(rows, _tried(worker, points.some(list(rows)))) for rows in parts])


def _tried(worker: WorkerProcess, points: Points) -> Outcomes:
    try:
        try:
            return worker.run(points)
        except WorkerDiedError:
            return worker.run(points)
    except SessionClosedError:
        raise
    except Exception as error:
        if len(points) == 1:
            return Outcomes({}, [words_of(error)])
    middle = (len(points) + 1) // 2
    halves = range(middle), range(middle, len(points))
    return joined(len(points), [(half, _tried(worker, points.some(list(half)))) for half in halves])


Computed: TypeAlias = tuple[Outcomes, float]
"""Of a block: the outcomes, and the seconds it took."""
_WORKERS: dict[str, list[WorkerProcess]] = {}  # of each session
_CLOSED: set[str] = set()
_REGISTER = threading.Lock()


def compute(study: bytes, session: str, limit: float, points: Points | None = None) -> Computed:
    """A block of points, in a process that is idle or a new one; without points it is only made
    ready."""
    began = time.perf_counter()
    with _worker(study, session, limit) as worker:
        if points is None:
            worker.started()
            return Outcomes({}, []), 0.0
        return block_of(worker, points), time.perf_counter() - began


@contextmanager
def _worker(study: bytes, session: str, limit: float) -> Iterator[WorkerProcess]:
    """Each session has its own: files and functions may have changed since the last one."""
    with _REGISTER:
        if session in _CLOSED:
            raise SessionClosedError("the study is over")
        own = _WORKERS[session] = _WORKERS.pop(session, [])  # the last one used is the last
        worker = next((x for x in own if not x.busy), None) or WorkerProcess(study, limit)
        own += [] if worker in own else [worker]
        worker.busy = True
        quiet = [k for k, workers in _WORKERS.items() if not any(x.busy for x in workers)]
        left = [x for key in quiet[: 1 - SESSIONS] for x in _WORKERS.pop(key)]
    for other in left:  # of studies whose process was killed
        other.close()
    try:
        yield worker
    finally:
        with _REGISTER:
            worker.busy = False


def close_session(session: str) -> None:
    """A study is over: its processes end, at work or not."""
    with _REGISTER:
        _CLOSED.add(session)
        workers = _WORKERS.pop(session, [])
    for worker in workers:
        worker.close()


# the process's own side -----------------------------------------------------------------------


def main() -> None:
    """Points in, outcomes out, until the supervisor is gone."""
    inward, outward = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what functions print goes to the log
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)  # and there is nothing for them to read
    work: queue.Queue[bytes | Points] = queue.Queue()
    own = os.getpid()

    def watch() -> None:
        with suppress(EOFError, OSError):
            while True:
                work.put(pickle.load(inward))
        _kill_group(own)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    experiment: Any  # a `Trial` of the study
    while True:
        message = work.get()
        answer: Answer
        try:
            if isinstance(message, bytes):
                experiment = pickle.loads(message)()
                answer = experiment.one_by_one
            else:
                answer = experiment.run(message)
        except Exception as error:
            answer = words_of(error)
        if os.getpid() != own:  # a function forked, and this is not who was asked
            os._exit(0)
        pickle.dump(answer, outward)
        outward.flush()
