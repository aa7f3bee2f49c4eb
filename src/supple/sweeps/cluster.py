"""Blocks on workers: an embedded cluster of this machine's cores, or one by its address."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Protocol
from uuid import uuid4

from ..desks import ignore_interrupts
from ..desks.worker import Computed, compute, prepare
from ..errors import InputError, SimulationError
from .store import EXTRA
from .task import packed

if TYPE_CHECKING:
    from .study import Study

SILENCE = 10.0  # s without a scheduler, after which the study stops
SMALL = 1_000_000  # bytes; what is less goes with each block, and dies with no worker
AHEAD = 3  # blocks handed out for each thread: it need not wait, others may take over

SETTINGS = {
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.allowed-failures": 3,
    "distributed.comm.timeouts.connect": f"{SILENCE:g}s",
    "distributed.admin.log-format": "%(message)s",
    "distributed.logging": {"distributed": "critical", "bokeh": "critical"},
    # workers only wait for their desks: nobody need look at what they do many times a second
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}


class DaskFuture(Protocol):
    """Of Dask: a block that is computed somewhere."""

    key: str
    status: str

    def result(self, timeout: float) -> Computed: ...

    def add_done_callback(self, told: Callable[[DaskFuture], None]) -> object: ...


class DaskClient(Protocol):
    """Of Dask: who hands out blocks."""

    status: str

    def submit(self, work: Callable[..., object], *given: object, **how: object) -> DaskFuture: ...

    def scatter(self, data: bytes, *, hash: bool, broadcast: bool) -> object: ...

    def nthreads(self) -> dict[str, int]: ...

    def cancel(self, futures: list[DaskFuture], *, force: bool) -> object: ...


class ClusterLostError(SimulationError):
    """The scheduler is gone; what was finished is kept."""


@contextmanager
def connected(scheduler: str | None, workers: int | None) -> Iterator[DaskClient]:
    """A client of Dask."""
    try:
        import dask
        import distributed
    except ImportError:
        raise InputError(f"studies run on Dask, which is not installed: {EXTRA}") from None
    kind: Callable[..., AbstractContextManager[DaskClient]] = distributed.Client
    local: Callable[..., AbstractContextManager[object]] = distributed.LocalCluster
    with dask.config.set(SETTINGS):
        if scheduler is not None:
            with _client(kind, scheduler) as client:
                yield client
            return
        with _embedded(local, workers) as cluster, kind(cluster, set_as_default=False) as client:
            yield client


def _embedded(
    kind: Callable[..., AbstractContextManager[object]], workers: int | None
) -> AbstractContextManager[object]:
    try:
        return kind(
            n_workers=workers or os.cpu_count() or 1,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
            memory_limit=0,  # what takes memory are desks, which it would not see
            preload=ignore_interrupts.__name__,
        )
    except (RuntimeError, OSError) as error:
        raise InputError(
            f"workers could not be started ({type(error).__name__}: {error}). They read the script "
            f"that calls sweep once more: it must be a file, and keep the call under "
            f"if __name__ == '__main__':"
        ) from None


def _client(
    kind: Callable[..., AbstractContextManager[DaskClient]], address: str
) -> AbstractContextManager[DaskClient]:
    try:
        return kind(address, set_as_default=False, timeout=SILENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            f"no scheduler answers at {address} ({type(error).__name__}); start one with "
            f"'dask scheduler' and workers with 'dask worker ADDRESS', or leave --scheduler out"
        ) from None


class Session:
    """One study on one cluster; its desks are its own."""

    def __init__(self, client: DaskClient, study: Study, limit: float) -> None:
        self.client, self.points, self.name = client, study.points, uuid4().hex
        data = packed(study)
        small = len(data) <= SMALL
        there = data if small else client.scatter(data, hash=False, broadcast=True)
        self._given, self._opening = (there, self.name, limit), list[DaskFuture]()

    def tried(self, point: int) -> str:
        """What is wrong with a point, or ""; desks are opened everywhere meanwhile."""
        future = self._submit(f"point-{point}", [point])
        if not self._opening:
            self._open_desks()
        finished = queue.Queue[DaskFuture]()
        future.add_done_callback(finished.put)
        _, trouble, _ = self._result(_next(self.client, finished), f"point {point}")
        return str(trouble[0])

    def _open_desks(self) -> None:
        for k, where in enumerate(self._threads()):
            key = f"supple-{self.name}-desk-{k}"
            here = {"workers": [where], "allow_other_workers": True, "pure": False}
            self._opening.append(self.client.submit(prepare, *self._given, key=key, **here))

    def computed(self, todo: dict[int, list[int]]) -> Iterator[tuple[int, Computed]]:
        """(block, outcomes) as they come; of each block only some points may be asked for."""
        waiting, finished = iter(todo.items()), queue.Queue[DaskFuture]()
        out: dict[str, tuple[int, DaskFuture]] = {}

        def hand_out() -> None:
            for block, rows in waiting:
                future = self._submit(str(block), rows)
                out[future.key] = (block, future)
                future.add_done_callback(finished.put)
                return

        for _ in range(AHEAD * max(len(self._threads()), 1)):
            hand_out()
        try:
            while out:
                future = _next(self.client, finished)
                block, _ = out.pop(future.key)
                found = self._result(future, f"block {block}")
                hand_out()
                yield block, found
        finally:
            with suppress(Exception):  # blocks that nobody waits for any more
                self.client.cancel([future for _, future in out.values()], force=True)

    def _threads(self) -> list[str]:
        """The worker of each thread that computes."""
        return [where for where, count in self.client.nthreads().items() for _ in range(count)]

    def _submit(self, what: str, rows: list[int]) -> DaskFuture:
        return self.client.submit(
            *(compute, *self._given, self.points.names, self.points.values[rows]),
            key=f"supple-{self.name}-{what}",
            pure=False,
        )

    def _result(self, future: DaskFuture, what: str) -> Computed:
        """What was computed. A worker may die with it after it was done: then it is computed once
        more, and waited for."""
        while True:
            try:
                return future.result(timeout=SILENCE)
            except Exception as error:
                lost = self.client.status != "running" or future.status in ("cancelled", "lost")
                if lost:
                    raise _gone() from None
                if not isinstance(error, TimeoutError) or future.status == "error":
                    raise _failed(what, error) from None


def _next(client: DaskClient, finished: queue.Queue[DaskFuture]) -> DaskFuture:
    """The next block that is done; an error where the scheduler is gone."""
    silent = 0.0
    while True:
        try:
            return finished.get(timeout=1.0)
        except queue.Empty:
            silent = 0.0 if client.status == "running" else silent + 1.0
            if silent >= SILENCE:
                raise _gone() from None


def _gone() -> ClusterLostError:
    return ClusterLostError(
        "the scheduler is gone; what was finished is kept. Start it again and go on with --resume"
    )


def _failed(what: str, error: Exception) -> SimulationError:
    return SimulationError(
        f"{what} could not be computed on any worker ({type(error).__name__}: {error}); "
        f"what was finished is kept, --resume goes on"
    )
