"""A process in which points are computed, and that may be killed.

A point that hangs, or that kills its process, costs a desk and not the study. The worker sends the
study and blocks of points to the desk's standard input; the desk answers on what was its standard
output. A desk whose worker is gone leaves at once.
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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, Protocol, TypeAlias

import numpy as np

from ..errors import SuppleError
from ..types import Floats
from .block import Outcomes, Points, words_of

STARTING = 600.0  # s, at most
START = f"from {__name__} import main; main()"


class BlockComputer(Protocol):
    """What a desk makes of the study: it computes blocks of points."""

    @property
    def one_by_one(self) -> bool: ...

    def run(self, points: Points) -> Outcomes: ...


Question: TypeAlias = bytes | Points
"""What the worker sends: the study, then blocks of points."""
Answer: TypeAlias = bool | Outcomes | Exception
"""What the desk sends: of the study whether its points are begun in turn, then outcomes."""


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started here do not hear Ctrl-C: they end with who started them, and a
    user sees one message instead of a traceback from each."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class DeskError(SuppleError):
    """A desk that died, or was killed because time ran out."""


class DeskDiedError(DeskError):
    """A desk that died by itself, or was killed by somebody else."""


def _send(pipe: IO[bytes], message: Question | Answer) -> None:
    data = pickle.dumps(message)
    pipe.write(len(data).to_bytes(8, "little") + data)
    pipe.flush()


def _received(pipe: IO[bytes]) -> bytes:
    """A message as it was sent, still pickled."""
    head = pipe.read(8)
    if len(head) < 8:
        raise EOFError
    return pipe.read(int.from_bytes(head, "little"))


@dataclass
class Desk:
    """The worker's side."""

    study: bytes  # a function that makes the experiment, pickled by cloudpickle
    limit: float  # s: of a point, and of a block whose points are computed together
    one_by_one: bool = True
    process: subprocess.Popen[bytes] | None = None
    answers: queue.Queue[Answer | None] = field(default_factory=queue.Queue)  # None: it died

    def run(self, points: Points) -> Outcomes:
        """The outcomes of some points; DeskError where the desk died, or time ran out."""
        process = self.started()
        assert process.stdin is not None
        try:
            _send(process.stdin, points)
            answer = self.answers.get(timeout=min(self.limit, threading.TIMEOUT_MAX))
        except OSError:
            raise self._lost() from None
        except queue.Empty:
            self.close()
            raise DeskError(f"took longer than the limit of {self.limit:g} s") from None
        if isinstance(answer, Outcomes):
            return answer
        raise answer if isinstance(answer, Exception) else self._lost()

    def started(self) -> subprocess.Popen[bytes]:
        """Its process; one that is killed while it starts is started once more."""
        if self.process is not None and self.process.poll() is None:
            return self.process
        try:
            return self._start()
        except DeskDiedError:
            return self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        self.answers = queue.Queue()
        with _deaf():
            self.process = subprocess.Popen(
                [sys.executable, "-c", START], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        process = self.process
        threading.Thread(target=self._listen, args=(process, self.answers), daemon=True).start()
        assert process.stdin is not None
        with suppress(OSError):  # that it died is heard below
            _send(process.stdin, self.study)
        answer = self.answers.get(timeout=STARTING)
        if isinstance(answer, Exception):
            self.close()
            raise answer
        if not isinstance(answer, bool):
            raise self._lost("while it started")
        self.one_by_one = answer
        return process

    @staticmethod
    def _listen(process: subprocess.Popen[bytes], answers: queue.Queue[Answer | None]) -> None:
        assert process.stdout is not None
        try:
            while True:
                answers.put(pickle.loads(_received(process.stdout)))
        except (EOFError, OSError, pickle.UnpicklingError):
            answers.put(None)

    def _lost(self, when: str = "") -> DeskDiedError:
        assert self.process is not None
        with suppress(subprocess.TimeoutExpired):  # it may only have closed what it answers on
            self.process.wait(1.0)
        code = self.process.poll()
        self.close()
        if code is None:
            return DeskDiedError("its process answers no more")
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return DeskDiedError(f"its process died {when}".rstrip() + f" ({how})")

    def close(self) -> None:
        """Kill the process, if there is one."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def main() -> None:
    """The desk's side."""
    inward, outward = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what functions print goes to the log
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)  # and there is nothing for them to read
    work: queue.Queue[Question] = queue.Queue()
    threading.Thread(target=_watch, args=(inward, work), daemon=True).start()
    experiment: BlockComputer
    own = os.getpid()
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
            answer = _sendable(error)
        if os.getpid() != own:  # a function forked, and this is not who was asked
            os._exit(0)
        _send(outward, answer)


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return DeskError(words_of(error))
    return error


def _watch(pipe: IO[bytes], work: queue.Queue[Question]) -> None:
    """Messages to the queue; when the worker is gone, so is the desk."""
    try:
        while True:
            work.put(pickle.loads(_received(pipe)))
    except (EOFError, OSError):
        os._exit(0)


def block_of(desk: Desk, points: Points) -> tuple[Outcomes, float]:
    """The outcomes of a block, whatever its points do; and the seconds it took.

    A desk that dies may have been killed by somebody who wanted memory: its points are tried once
    more, at another one. A block that fails as a whole is taken apart, until the point that fails
    is alone.
    """
    began = time.perf_counter()
    desk.started()  # says whether points are computed together
    return _tried(desk, points), time.perf_counter() - began


def _tried(desk: Desk, points: Points) -> Outcomes:
    if desk.one_by_one and len(points) > 1:
        return _joined([_tried(desk, points.some([k])) for k in range(len(points))])
    try:
        return _run_or_again(desk, points)
    except Exception as error:
        if len(points) == 1:
            return Outcomes({}, [words_of(error)])
    middle = (len(points) + 1) // 2
    halves = points.some(slice(0, middle)), points.some(slice(middle, None))
    return _joined([_tried(desk, half) for half in halves])


def _run_or_again(desk: Desk, points: Points) -> Outcomes:
    try:
        return desk.run(points)
    except DeskDiedError:
        return desk.run(points)


def _joined(parts: list[Outcomes]) -> Outcomes:
    """Parts of a block one after the other; NaN where a part lacks an outcome."""
    names = dict.fromkeys(name for part in parts for name in part.columns)

    def column(part: Outcomes, name: str) -> Floats:
        return part.columns.get(name, np.full(len(part.trouble), np.nan))

    columns = {name: np.concatenate([column(part, name) for part in parts]) for name in names}
    return Outcomes(columns, [words for part in parts for words in part.trouble])
