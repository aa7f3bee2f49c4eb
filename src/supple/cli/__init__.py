"""The `supple` command: one small file a command, nothing heavy imported before it is needed."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any


def main() -> None:
    """Run the command; a user's mistake is one message and exit code 2, never a traceback."""
    signal.signal(signal.SIGINT, _leave)
    from ..errors import SuppleError
    from .commands import app

    try:
        app()
    except SuppleError as error:
        from .console import show_error

        show_error(error)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def _leave(*_: Any) -> None:
    """Ctrl-C while there is nothing to save: leave at once, whatever is being imported."""
    os.write(2, b"\ninterrupted; nothing was saved.\n")
    os._exit(130)


def unwind_on_interrupt() -> None:
    """From here on Ctrl-C raises KeyboardInterrupt: there are files to finish or to remove."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def __getattr__(name: str) -> Any:
    if name == "app":
        from .commands import app

        return app
    raise AttributeError(f"module 'supple.cli' has no attribute {name!r}")
