"""The folder of compiled code: where it is, whether it may be trusted, how large it may grow.

Code found there is executed, so it must be the user's own: a folder or a file that belongs to
somebody else, or that others can write, is left alone and said to be so. What was used longest
ago goes when the folder is full.
"""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from ..errors import InputError, brief, caution

SUFFIX = ".supple"
UNFINISHED = ".new-"
LIMIT = 1000.0  # megabytes; $SUPPLE_CACHE_LIMIT says otherwise
FORGOTTEN = 3600.0  # seconds after which a file that was never finished is a leftover
ROOM = 0.8  # of the limit: what is left after making room, so that it is not made each time
LOOK = 0.01  # of the limit: so much more is written before a folder is looked through again
_place: ContextVar[str] = ContextVar("place", default="")  # instead of SUPPLE_CACHE
_unseen: dict[Path, float] = {}  # bytes that this process has written since it looked


class UntrustedError(OSError):
    """A file or folder that others may have written."""


def off() -> bool:
    """SUPPLE_CACHE=off: nothing is kept, nothing is found."""
    return _given().strip().lower() == "off"


def _given() -> str:
    given = _place.get() or os.environ.get("SUPPLE_CACHE", "")
    if given and not given.strip():
        raise InputError(f"SUPPLE_CACHE is {given!r}; it may be a folder, or off")
    return given


def folder() -> Path:
    """Where entries live: $SUPPLE_CACHE, or the user's cache folder. Relative paths elsewhere are
    invalid, as the XDG Base Directory Specification has it: each working directory would have a
    cache of its own."""
    try:
        if given := _given():
            return Path(given).expanduser()
        for base in map(os.environ.get, ("XDG_CACHE_HOME", "LOCALAPPDATA")):
            if base and Path(base).is_absolute():
                return Path(base) / "supple"
        home = Path.home()
    except RuntimeError:
        raise OSError(0, "this user has no home folder", "~/.cache/supple") from None
    if not home.is_absolute():
        raise OSError(0, f"the home folder {str(home)!r} is no absolute path", "~/.cache/supple")
    return home / ".cache" / "supple"


@contextmanager
def kept_in(place: str) -> Iterator[None]:
    """Keep the code that this thread compiles in another folder for a while."""
    token = _place.set(place)
    try:
        yield
    finally:
        _place.reset(token)


def limit() -> float:
    """Bytes that may be kept: $SUPPLE_CACHE_LIMIT in megabytes, or 1000 of them."""
    given = os.environ.get("SUPPLE_CACHE_LIMIT")
    try:
        megabytes = LIMIT if not given else float(given)
    except ValueError:
        megabytes = -1.0
    if not megabytes >= 0:
        raise InputError(
            f"SUPPLE_CACHE_LIMIT is {brief(given)}; it may be a number of megabytes, 0 or more"
        )
    return 1e6 * megabytes


def read(name: str) -> bytes:
    """An entry's bytes, if only this user can have written them."""
    home = folder()
    check_own(os.stat(home), home)
    path = home / (name + SUFFIX)
    with open(path, "rb", opener=_no_links) as file:
        check_own(os.fstat(file.fileno()), path)
        data = file.read()
    with suppress(OSError):
        os.utime(path)  # used now
    return data


def write(name: str, data: bytes) -> None:
    """Keep an entry: written beside its place and moved there, so that several processes may do
    so at once and none finds half of it."""
    home = folder()
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    check_own(os.stat(home), home)
    target = home / (name + SUFFIX)
    handle, temporary = tempfile.mkstemp(dir=home, prefix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, target)
    except PermissionError:
        if not target.is_file():  # else another process has it open, on Windows
            raise
    finally:
        Path(temporary).unlink(missing_ok=True)
    _unseen[home] = _unseen.get(home, limit()) + len(data)
    if _unseen[home] >= LOOK * limit():
        _unseen[home] = 0.0
        make_room(home, name + SUFFIX)


def check_own(found: os.stat_result, path: Path) -> None:
    """Refuse what belongs to another user or may be written by one (where users are numbered)."""
    if not hasattr(os, "geteuid"):
        return
    if found.st_uid != os.geteuid():
        raise UntrustedError(0, f"it belongs to another user (number {found.st_uid})", str(path))
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        mode = stat.S_IMODE(found.st_mode)
        raise UntrustedError(0, f"others can write it (mode {mode:04o}; chmod go-w)", str(path))


def make_room(home: Path, kept: str) -> None:
    """Remove leftovers, and, above the limit, the entries used longest ago; but not `kept`.

    The first time a process writes, then after every hundredth of the limit: looking through a
    folder of some thousand entries takes as long as compiling a short one."""
    _remove_leftovers(home)
    entries = {path: _stat(path) for path in _files(home, f"*{SUFFIX}")}
    total, most = sum(size for _, size in entries.values()), limit()
    if total <= most:
        return
    for path in sorted(entries, key=lambda path: entries[path][0]):
        if total <= ROOM * most:
            break
        if path.name != kept and _remove(path):
            total -= entries[path][1]


def _remove_leftovers(home: Path) -> None:
    """Files that were never finished, but not those that another process is writing now."""
    for path in _files(home, f"{UNFINISHED}*"):
        if time.time() - _stat(path)[0] > FORGOTTEN:
            _remove(path)


def clear() -> int:
    """Remove every entry; how many there were."""
    entries = found()
    if not off():
        with suppress(OSError):
            _remove_leftovers(folder())
    return sum(_remove(path) for path in entries)


def found() -> list[Path]:
    """The entries' files."""
    try:
        return [] if off() else _files(folder(), f"*{SUFFIX}")
    except OSError:
        return []


@cache
def complain(reason: str) -> None:
    """Once a process: compiled code cannot be kept or is not used."""
    try:
        home = str(folder())
    except OSError as error:
        home = str(error.filename or "the cache")
    caution(
        f"compiled code cannot be kept in {home} ({reason}); every process compiles anew. Set "
        f"SUPPLE_CACHE to a folder of your own that can be written, or to off."
    )


def _no_links(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))


def _files(home: Path, pattern: str) -> list[Path]:
    try:
        return sorted(home.glob(pattern))
    except OSError:
        return []


def _stat(path: Path) -> tuple[float, int]:
    """When a file was last used, and its size; (0, 0): it is gone."""
    try:
        found = path.stat()
    except OSError:
        return 0.0, 0
    return found.st_mtime, found.st_size


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True
