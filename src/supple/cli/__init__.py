"""The `supple` command: a file for related commands, nothing heavy imported before it is needed."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from io import TextIOWrapper

START = """\
Supple: kinematics and dynamics of robots whose links bend. Try first:

  supple simulate canadarm --plot run.png   simulate a space arm that bends
  supple new arm.yaml                       begin a robot of your own
  supple --help                             see all commands
"""
"""What `supple` alone says; nothing is imported for it."""
OWN_FAULT = "error: this is a fault of Supple, not yours; please report it with the lines above\n"


def main() -> None:
    """Run the command; a user's mistake is one message and exit code 2, never a traceback.

    Exit codes: 0 done; 1 a fault of Supple itself; 2 a mistake in what it was given, or a file or
    standard output that cannot be read or written; 3 no answer: a run that could not go on, a
    place out of reach; 130 interrupted.
    """
    signal.signal(signal.SIGINT, _leave)
    _open_streams()
    try:
        code = _command()
        sys.stdout.flush()
    except OSError as error:
        code = _unwritten(error)
    sys.exit(code)


def _command() -> int | str | None:
    """The command's exit code."""
    if len(sys.argv) < 2 and "_SUPPLE_COMPLETE" not in os.environ:
        sys.stdout.write(START)
        return 0
    from ..errors import SimulationError, SuppleError
    from .commands import app

    try:
        app()
    except SystemExit as leaving:
        return leaving.code
    except SuppleError as error:
        from .console import show_error

        with suppress(OSError):  # nobody listens
            show_error(error)
        return 3 if isinstance(error, SimulationError) else 2
    except OSError:
        raise
    except Exception:
        import traceback

        with suppress(OSError):
            traceback.print_exc()
            sys.stderr.write(OWN_FAULT)
        return 1
    return 0


def _open_streams() -> None:
    """Streams that were closed refuse to be written to, and no file takes their number; what the
    encoding of standard output cannot write is escaped, as on standard error."""
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        if getattr(sys, name) is None:
            way = os.O_RDONLY if number < 2 else os.O_WRONLY
            os.dup2(os.open(os.devnull, way), number)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _unwritten(error: OSError) -> int:
    """Standard output takes no more: a reader that left is no fault, a full disk is."""
    if error.filename is not None:
        raise error
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left goes nowhere
    if isinstance(error, BrokenPipeError):
        return 0
    with suppress(OSError):
        os.write(2, f"error: cannot write to standard output: {error.strerror}\n".encode())
    return 2


def _leave(*_: object) -> None:
    """Ctrl-C while there is nothing to save: leave at once, whatever is being imported."""
    os.write(2, b"\ninterrupted; nothing was saved.\n")
    os._exit(130)


def unwind_on_interrupt() -> None:
    """From here on Ctrl-C raises KeyboardInterrupt: there are files to finish or to remove."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, _unwind)


def _unwind(*_: object) -> None:
    """The first Ctrl-C; who is impatient and presses it again does not disturb the clearing up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def __getattr__(name: str) -> object:
    if name == "app":
        from .commands import app

        return app
    raise AttributeError(f"module 'supple.cli' has no attribute {name!r}")
