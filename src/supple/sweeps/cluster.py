"""Blocks on workers: an embedded cluster of this machine's cores, or one by its address."""

from __future__ import annotations

import os
import queue
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..errors import InputError, SimulationError
from . import deaf
from .store import EXTRA
from .task import compute, packed

if TYPE_CHECKING:
    from .study import Study

SILENCE = 10.0  # s without a scheduler, after which the study stops
SMALL = 1_000_000  # bytes; what is less goes with each block, and dies with no worker
AHEAD = 3  # blocks that are handed out for each worker: it need not wait, others may take over


class ClusterLostError(SimulationError):
    """The scheduler is gone; what was finished is kept."""


@contextmanager
def connected(scheduler: str | None, workers: int | None) -> Iterator[Any]:
    """A client of Dask."""
    try:
        import dask
        import distributed
    except ImportError:
        raise InputError(f"studies run on Dask, which is not here: {EXTRA}") from None
    kind: Any = distributed.Client
    local: Any = distributed.LocalCluster
    settings = {
        "distributed.scheduler.worker-saturation": 1.0,
        "distributed.scheduler.allowed-failures": 3,
        "distributed.comm.timeouts.connect": f"{SILENCE:g}s",
        "distributed.worker.memory.target": False,
        "distributed.worker.memory.spill": False,
        "distributed.admin.log-format": "%(message)s",
        "distributed.logging": {"distributed": "critical", "bokeh": "critical"},
    }
    with dask.config.set(settings):
        if scheduler is not None:
            with _client(kind, scheduler) as client:
                yield client
            return
        with _embedded(local, workers) as cluster, kind(cluster, set_as_default=False) as client:
            yield client


def _embedded(kind: Any, workers: int | None) -> Any:
    try:
        return kind(
            n_workers=workers or os.cpu_count() or 1,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
            preload=deaf.__name__,
        )
    except (RuntimeError, OSError) as error:
        raise InputError(
            f"workers could not be started ({type(error).__name__}: {error}). They read the script "
            f"that calls sweep once more: it must be a file, and keep the call under "
            f"if __name__ == '__main__':"
        ) from None


def _client(kind: Any, address: str) -> Any:
    try:
        return kind(address, set_as_default=False, timeout=SILENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            f"no scheduler answers at {address} ({type(error).__name__}); start one with "
            f"'dask scheduler' and workers with 'dask worker ADDRESS', or leave --scheduler out"
        ) from None


def computed(
    client: Any, study: Study, todo: dict[int, list[int]], limit: float
) -> Iterator[tuple[int, Any]]:
    """(block, outcomes) as they come; of each block only some points may be asked for."""
    data, session = packed(study), uuid4().hex
    if len(data) > SMALL:
        data = client.scatter(data, hash=False, broadcast=True)
    waiting, finished = iter(todo.items()), queue.Queue[Any]()
    out: dict[str, tuple[int, Any]] = {}

    def hand_out() -> None:
        for block, rows in waiting:
            future = client.submit(
                *(compute, data, session, limit, study.points.names, study.points.values[rows]),
                key=f"supple-{session}-{block}",
                pure=False,
            )
            out[future.key] = (block, future)
            future.add_done_callback(finished.put)
            return

    for _ in range(AHEAD * max(len(client.scheduler_info()["workers"]), 1)):
        hand_out()
    try:
        while out:
            future = _next(client, finished)
            block, _ = out.pop(future.key)
            if future.status != "finished":
                raise _reason(client, future, block)
            yield block, _result(future)
            hand_out()
    finally:
        with suppress(Exception):  # blocks that nobody waits for any more
            client.cancel([future for _, future in out.values()], force=True)


def _next(client: Any, finished: queue.Queue[Any]) -> Any:
    """The next block that is done; an error where the scheduler is gone."""
    silent = 0.0
    while True:
        try:
            return finished.get(timeout=1.0)
        except queue.Empty:
            silent = 0.0 if client.status == "running" else silent + 1.0
            if silent >= SILENCE:
                raise _gone() from None


def _result(future: Any) -> Any:
    from distributed import CancelledError

    try:
        return future.result(timeout=SILENCE * 6)
    except (CancelledError, TimeoutError, OSError):
        raise _gone() from None


def _gone() -> ClusterLostError:
    return ClusterLostError(
        "the scheduler is gone; what was finished is kept. Start it again and go on with --resume"
    )


def _reason(client: Any, future: Any, block: int) -> Exception:
    if future.status in ("cancelled", "lost") or client.status != "running":
        return _gone()
    error = future.exception()
    return SimulationError(
        f"block {block} could not be computed on any worker ({type(error).__name__}: {error}); "
        f"what was finished is kept, --resume goes on"
    )
