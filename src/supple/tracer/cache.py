"""Compiled code kept on disk, so that a robot is compiled once on a machine.

An entry is one file: a line of JSON (what it is, for whom it was made, a hash of the rest),
then the object code, which carries a hash of its own description: code and description that do
not belong together are not used. An entry that is not exactly what was asked for (other sources
of the package, another processor, a torn or altered file) is compiled anew. A folder that cannot
be written costs nothing but the time to compile.

Code found there is executed, so it must be the user's own: a folder or a file that belongs to
somebody else, or that others can write, is left alone and said to be so. What was used longest
ago goes when the folder is full.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from ..errors import (
    InputError,
    brief,
    caution,
    ignoring,
    interrupts_unchanged,
    let_signals_through,
)
from ..types import Json
from .machine import Code, assemble_object, host, load_object, versions
from .source_hash import source_hash

FORMAT = 3
SEAL = "supple_seal"
SUFFIX = ".supple"
UNFINISHED = ".new-"
LIMIT = 1000.0  # megabytes; $SUPPLE_CACHE_LIMIT says otherwise
FORGOTTEN = 3600.0  # seconds after which a file that was never finished is a leftover
ROOM = 0.8  # of the limit: what is left after making room, so that it is not made each time
LOOK = 0.01  # of the limit: so much more is written before a folder is looked through again
_place: ContextVar[str] = ContextVar("place", default="")  # instead of SUPPLE_CACHE
_unseen: dict[Path, float] = {}  # bytes that this process has written since it looked

Words = dict[str, Json]
"""What JSON can say of an entry."""


@dataclass(frozen=True)
class Entry:
    """Code and what is to be known of it without tracing."""

    code: Code
    about: Words


def key(*parts: bytes | str | int | tuple[int, ...]) -> str:
    """The name of an entry for these parts, this machine and all sources of the package."""
    digest = hashlib.sha256()
    for part in (FORMAT, str(source_hash()), *versions(), repr(host()), *parts):
        data = part if isinstance(part, bytes) else repr(part).encode()
        digest.update(f"{len(data)} ".encode() + data)  # where a part ends is part of it
    return digest.hexdigest()


def recall(
    name: str,
    make: Callable[[], tuple[str, Words]],
    functions: tuple[str, ...] = ("kernel",),
    *,
    optimise: bool = False,
) -> Entry:
    """The entry of this name, compiled by `make` (assembly, about) if it is not there;
    `functions`: what it defines."""
    kept = None if off() else _read(name, functions)
    if kept is not None:
        return kept
    with interrupts_unchanged():
        text, about = make()
    object_code = assemble_object(text + _seal(name, about), optimise=optimise)
    if not off() and source_hash() is not None:  # else made by sources that are no longer there
        head = {"name": name, "hash": hashlib.sha256(object_code).hexdigest(), "about": about}
        try:
            write(name, json.dumps(head).encode() + b"\n" + object_code)
        except OSError as error:
            let_signals_through(error)
            where = f"{error.filename}: " if isinstance(error, UntrustedError) else ""
            complain(where + (error.strerror or str(error)))
    return Entry(_loaded(object_code, functions), about)


def _seal(name: str, about: Words) -> str:
    """Assembly of a constant: the hash of the description that this code was made with."""
    digits = "".join(f"\\{byte:02X}" for byte in _about_hash(name, about))
    return f'\n@{SEAL} = constant [32 x i8] c"{digits}"\n'


def _about_hash(name: str, about: Words) -> bytes:
    return hashlib.sha256(f"{name} {json.dumps(about, sort_keys=True)}".encode()).digest()


def _read(name: str, functions: tuple[str, ...]) -> Entry | None:
    try:
        head, _, body = read(name).partition(b"\n")
        words = json.loads(head)
        about = words["about"]
        if words["name"] != name or words["hash"] != hashlib.sha256(body).hexdigest():
            return None
        code = _loaded(body, functions)
        place = code.address(SEAL)  # nothing where it says nothing of its own description
        sealed = ctypes.string_at(place, 32) if place else b""
        return Entry(code, about) if sealed == _about_hash(name, about) else None
    except UntrustedError as error:
        complain(f"{error.filename}: {error.strerror}")
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        let_signals_through(error)
        return None


@lru_cache(maxsize=128)
def _loaded(body: bytes, functions: tuple[str, ...]) -> Code:
    """Code that was linked into this process lately is not linked again."""
    return load_object(body, (*functions, SEAL))


def entries() -> list[tuple[str, Words, int]]:
    """(name, about, bytes) of every readable entry."""
    out = []
    for path in found():
        try:
            with open(path, "rb") as file:
                about = json.loads(file.readline())["about"]
            out.append((path.stem, {**about}, path.stat().st_size))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            out.append((path.stem, {"what": "unreadable"}, 0))
    return out


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
    no_links = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(path, "rb", opener=lambda at, flags: os.open(at, flags | no_links)) as file:
        check_own(os.fstat(file.fileno()), path)
        data = file.read()
    with ignoring(OSError):
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
        with ignoring(OSError):
            _remove_leftovers(folder())
    return sum(_remove(path) for path in entries)


def found() -> list[Path]:
    """The entries' files."""
    with ignoring(OSError):
        return [] if off() else _files(folder(), f"*{SUFFIX}")
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


def _files(home: Path, pattern: str) -> list[Path]:
    with ignoring(OSError):
        return sorted(home.glob(pattern))
    return []


def _stat(path: Path) -> tuple[float, int]:
    """When a file was last used, and its size; (0, 0): it is gone."""
    with ignoring(OSError):
        found = path.stat()
        return found.st_mtime, found.st_size
    return 0.0, 0


def _remove(path: Path) -> bool:
    with ignoring(OSError):
        path.unlink()
        return True
    return False
