"""What each worker of the embedded cluster begins with: Ctrl-C is for the study alone, which ends
its workers; they need not each show where they were."""

import signal


def dask_setup(worker: object) -> None:
    """Dask calls this in the worker's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
