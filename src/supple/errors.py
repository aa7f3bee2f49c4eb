"""The one tree of errors a user can meet.

    SuppleError
    |-- ModelError       a model file or table is wrong; holds every fault found
    |-- InputError       an argument is wrong (size, non-finite, unknown name)
    |-- SimulationError  a run could not go on; says when and why
    `-- FileError        a result or input file cannot be read or written
    SuppleWarning        (a UserWarning) what was computed is to be read with care
Each message says what, where, what was given, what is allowed, and the next step.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from signal import getsignal, valid_signals
from types import CodeType
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from .simulation import Result

WIDEST = 120  # letters of a source line that an error shows


class SuppleError(Exception):
    """Base class of all errors that Supple reports to its user."""

    def __reduce__(self) -> tuple[object, ...]:
        """Whatever its class takes to be made, a pickle is made of what it holds."""
        return _raised, (type(self), super().__reduce__()[1]), vars(self)


def _raised(kind: type[SuppleError], args: tuple[object, ...]) -> SuppleError:
    error = kind.__new__(kind, *args)
    error.args = error.args or args
    return error


class InputError(SuppleError, ValueError):
    """An argument is not what the function takes."""


class SimulationError(SuppleError, RuntimeError):
    """A run could not be finished; `partial` is a Result of what was reached, if anything."""

    partial: Result | None = None


class FileError(SuppleError, OSError):
    """A file cannot be read or written."""


class SuppleWarning(UserWarning):
    """What was computed is to be read with care; the message says why, where, and what to do."""


def caution(words: str) -> None:
    """Warn the user, at the line of theirs that called into Supple."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("supple"):
        level, frame = level + 1, frame.f_back
    warnings.warn(words, SuppleWarning, stacklevel=level)


def raised_by_signal(error: BaseException) -> bool:
    """Whether it comes out of a signal handler, as of a timeout: it belongs to whoever set the
    handler, and is no fault of the code that it interrupted. Such a handler is a function that is
    set for a signal, or was given the frame it was called from."""
    step, handlers = error.__traceback__, {_code(getsignal(x)) for x in valid_signals()} - {None}
    while step is not None:
        if step.tb_frame.f_code in handlers:
            return True
        caller, known = step.tb_frame.f_back, list(step.tb_frame.f_locals.values())
        known += [x for value in known if type(value) is tuple for x in value]  # of *args
        if caller is not None and any(x is caller for x in known):
            return True
        step = step.tb_next
    return False


def _code(handler: object) -> CodeType | None:
    """What runs where a signal handler is called: a function, a method, an object, parts of one."""
    while isinstance(handler, partial):
        handler = handler.func
    if not hasattr(handler, "__code__"):
        handler = getattr(handler, "__func__", getattr(type(handler), "__call__", None))  # noqa: B004
    return getattr(handler, "__code__", None)


def let_signals_through(error: BaseException) -> None:
    """Raise it again where it comes out of a signal handler."""
    if raised_by_signal(error):
        raise error


@contextmanager
def ignoring(*kinds: type[Exception]) -> Iterator[None]:
    """contextlib.suppress for what does not come out of a signal handler: TimeoutError is an
    OSError."""
    try:
        yield
    except kinds as error:
        let_signals_through(error)


@contextmanager
def interrupts_unchanged() -> Iterator[None]:
    """What a signal handler raises inside NumPy's arithmetic of objects comes out of NumPy as the
    cause of a SystemError; here it goes on as itself."""
    try:
        yield
    except SystemError as error:
        origin: BaseException = error
        while origin.__cause__ is not None or origin.__context__ is not None:
            origin = origin.__cause__ or origin.__context__  # type: ignore[assignment]
        if isinstance(origin, Exception) and not raised_by_signal(origin):
            raise
        raise origin from None


class KeyedError(ValueError):
    """A ValueError about one key; `keys` leads to it from where the error is caught."""

    def __init__(self, message: str, *keys: str | int) -> None:
        super().__init__(message)
        self.keys = keys


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a model: what, where, and what would help."""

    message: str
    path: tuple[str | int, ...] = ()
    line: int | None = None  # from 1
    column: int | None = None  # from 1
    text: str = ""  # the source line
    help: str = ""
    source: str = ""  # its file, where a model is of several

    @property
    def key(self) -> str:
        return printable(".".join(str(p) for p in self.path))

    def lines(self, source: str, word: str = "error") -> list[str]:
        """The fault as the lines a terminal shows; a doubt is a "warning"."""
        where = self.source or source
        if self.line is not None:
            where += f":{self.line}" + (f":{self.column}" if self.column else "")
        out = [
            f"{word}: {self.message}",
            f"  --> {where}" + (f"  ({self.key})" if self.key else ""),
        ]
        help_text = f"help: {self.help}" if self.help else ""
        if self.line is not None and self.text:
            margin = f"{self.line:>4}"
            text, before = self._window()
            out.append(f"{margin} | {text}")
            caret = " " * sum(2 if east_asian_width(c) in "WF" else 1 for c in before) + "^"
            out.append(f"{' ' * len(margin)} | {caret}" + (f"  {help_text}" if help_text else ""))
        elif help_text:
            out.append(f"       {help_text}")
        return out

    def _window(self) -> tuple[str, str]:
        """What to show of the source line, and its part before the caret."""
        text, at = printable(self.text), (self.column or 1) - 1
        start = max(0, at - WIDEST // 2) if len(text) > WIDEST else 0
        shown = ("..." if start else "") + text[start : start + WIDEST]
        shown += "..." if start + WIDEST < len(text) else ""
        return shown, shown[: at - start + (3 if start else 0)]


class ModelError(SuppleError, ValueError):
    """A model that cannot be used, with all its faults; or a study (`topic`)."""

    def __init__(
        self, faults: Iterable[Fault], source: str = "model", topic: str = "model"
    ) -> None:
        self.faults = tuple(faults)
        self.source, self.topic = source, topic
        super().__init__(self._text())

    @property
    def summary(self) -> str:
        return f"{self.source}: {counted(len(self.faults), 'error')}; nothing was run."

    def _text(self) -> str:
        blocks = ["\n".join(fault.lines(self.source)) for fault in self.faults]
        return "\n\n".join([*blocks, f"{self.summary} See supple help {self.topic}."])


def printable(text: str) -> str:
    """The text with blanks for tabs and for what a terminal would obey."""
    return "".join(c if c.isprintable() else " " for c in text)


def brief(value: object, longest: int = 60) -> str:
    """A value as Python writes it, on one line and cut where it is long."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a whole number of too many digits, or an object that cannot tell
        text = f"a {type(value).__name__}"
    return text if len(text) <= longest else text[: longest - 3] + "..."


def counted(count: int, what: str) -> str:
    """1 place, 2 places."""
    return f"{count} {what}{'s' if count != 1 else ''}"


def did_you_mean(given: str, allowed: Iterable[str]) -> str:
    """'did you mean X?' when something is near, else ''."""
    if not isinstance(given, str):
        return ""
    near = get_close_matches(given, [str(a) for a in allowed], n=1, cutoff=0.6)
    return f"did you mean {near[0]}?" if near else ""


def unknown_name(kind: str, given: object, allowed: Iterable[str], where: str = "") -> InputError:
    """The error for a name that is not there: it lists those that are."""
    names = list(allowed)
    shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    text = f"no {kind} named {brief(given)}" + (f" in {where}" if where else "")
    hint = did_you_mean(given, names) if isinstance(given, str) else ""
    hint = f" {hint[0].upper()}{hint[1:]}" if hint else ""
    return InputError(f"{text}; there are: {shown or 'none'}.{hint}")
