"""Blocks of points on all cores of this machine, or on the workers of a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from uuid import uuid4

from ..errors import InputError, SimulationError
from ..worker_process import Computed, close_session, compute, words_of
from .study import Study, packed

SILENCE = 10.0  # s without a scheduler, after which the study stops
WORKERLESS = 60.0  # s without a worker, after which it stops
SMALL = 1_000_000  # bytes; what is less goes with each block, and dies with no worker
AHEAD = 3  # blocks handed out for each thread: it need not wait, others may take over
GONE = "the scheduler is gone; what was finished is kept. Start it again and go on with --resume"
IDLE = (
    "the scheduler has no workers; what was finished is kept. Start some (dask worker ADDRESS) "
    "and go on with --resume"
)


@dataclass
class Session:
    """One study on one machine or cluster; its processes are its own."""

    pool: Executor
    study: Study
    limit: float
    threads: Callable[[], int]
    running: Callable[[], bool] = lambda: True
    scatter: Callable[[bytes], object] = lambda data: data
    name: str = field(default_factory=lambda: uuid4().hex)
    pending: dict[Future[Computed], int] = field(default_factory=dict)  # the block of each

    def __post_init__(self) -> None:
        data = packed(self.study)
        held: Any = data if len(data) <= SMALL else self.scatter(data)
        self._given = (held, self.name, self.limit)
        self._ready: list[Future[Computed]] = []

    def tried(self, point: int) -> str:
        """What is wrong with a point, or ""; processes are made ready meanwhile."""
        future = self._submit([point])
        if not self._ready:
            others = range(1, self.threads())
            self._ready = [self.pool.submit(compute, *self._given) for _ in others]
        self._wait([future])
        return self._result(future, f"point {point}")[0].trouble[0]

    def computed(self, todo: dict[int, list[int]]) -> Iterator[tuple[int, Computed]]:
        """(block, outcomes) as they come; of each block only some points may be asked for."""
        waiting = iter(todo.items())
        self._hand_out(waiting, AHEAD * max(self.threads(), 1))
        while self.pending:
            for future in self._wait(list(self.pending)):
                block = self.pending[future]
                found = self._result(future, f"block {block}")
                self._hand_out(waiting, 1)
                yield block, found
                del self.pending[future]  # it is kept by now

    def finished(self) -> Iterator[tuple[int, Computed]]:
        """What is done, but was not kept when the study stopped."""
        for future, block in self.pending.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                yield block, future.result()

    def _hand_out(self, waiting: Iterator[tuple[int, list[int]]], count: int) -> None:
        for block, rows in islice(waiting, count):
            self.pending[self._submit(rows)] = block

    def _submit(self, rows: list[int]) -> Future[Computed]:
        return self.pool.submit(compute, *self._given, self.study.points.some(rows))

    def _wait(self, futures: list[Future[Computed]]) -> list[Future[Computed]]:
        """Those that are done, one at least; an error where nobody is left to do them."""
        silent = idle = 0.0
        while True:
            done, _ = wait(futures, timeout=1.0, return_when=FIRST_COMPLETED)
            if done:
                return list(done)
            silent = 0.0 if self.running() else silent + 1.0
            idle = 0.0 if silent or self.threads() else idle + 1.0
            if silent >= SILENCE:
                raise SimulationError(GONE)
            if idle >= WORKERLESS:
                raise SimulationError(IDLE)

    def _result(self, future: Future[Computed], what: str) -> Computed:
        if future.cancelled():
            raise SimulationError(GONE)
        try:
            return future.result()
        except Exception as error:
            raise SimulationError(
                f"{what} could not be computed on any worker ({words_of(error)}); "
                f"what was finished is kept, --resume goes on"
            ) from None


@contextmanager
def session(
    study: Study, limit: float, scheduler: str | None, workers: int | None
) -> Iterator[Session]:
    """On this machine, a thread for each process; or on the cluster of a Dask scheduler."""
    if scheduler is not None:
        with _cluster(study, limit, scheduler) as found:
            yield found
        return
    count = workers or os.cpu_count() or 1
    with ThreadPoolExecutor(count) as pool:
        found = Session(pool, study, limit, lambda: count)
        try:
            yield found
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            close_session(found.name)


@contextmanager
def _cluster(study: Study, limit: float, address: str) -> Iterator[Session]:
    try:
        import dask
        import distributed
    except ImportError:
        raise InputError(
            "--scheduler needs Dask, which is not installed: pip install 'supple[cluster]'"
        ) from None
    connect: Any = distributed.Client
    settings = {
        "distributed.comm.timeouts.connect": f"{SILENCE:g}s",
        "distributed.logging": {"distributed": "critical"},
    }
    with dask.config.set(settings):
        try:
            client = connect(address, set_as_default=False, timeout=SILENCE)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(
                f"no scheduler answers at {address} ({type(error).__name__}); start one with "
                f"'dask scheduler' and workers with 'dask worker ADDRESS', or leave --scheduler out"
            ) from None

        def threads() -> int:
            try:
                return sum(client.nthreads().values())
            except OSError:  # the scheduler is going; `running` tells
                return 1

        with client:
            found = Session(
                client.get_executor(pure=False),
                study,
                limit,
                threads,
                lambda: client.status == "running",
                lambda data: client.scatter(data, hash=False, broadcast=True),
            )
            try:
                yield found
            finally:
                if found.running():
                    with suppress(Exception):  # a worker may go meanwhile
                        found.pool.shutdown(wait=False)
                        client.run(close_session, found.name, on_error="ignore")
