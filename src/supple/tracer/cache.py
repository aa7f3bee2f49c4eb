"""Compiled code kept on disk, so that a robot is compiled once on a machine.

An entry is one file: a line of JSON (what it is, for whom it was made, a hash of the rest),
then the object code. It is written beside its place and moved there, so that several processes
may do so at once. An entry that is not exactly what was asked for (other sources of the
package, another processor, a torn or altered file) is compiled anew. A folder that cannot be
written costs nothing but the time to compile.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..errors import caution
from ..types import Json
from .machine import Code, assemble_object, host, load_object, versions
from .source_hash import source_hash

FORMAT = 2
SUFFIX = ".supple"

Words = dict[str, Json]
"""What JSON can say of an entry."""


def folder() -> Path:
    """Where entries live: $SUPPLE_CACHE, or the user's cache folder."""
    given = os.environ.get("SUPPLE_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if base:
        return Path(base) / "supple"
    try:
        return Path.home() / ".cache" / "supple"
    except RuntimeError:
        raise OSError(0, "this user has no home folder", "~/.cache/supple") from None


@contextmanager
def kept_in(place: str) -> Iterator[None]:
    """Keep code in another folder for a while."""
    old = os.environ.get("SUPPLE_CACHE")
    os.environ["SUPPLE_CACHE"] = place
    try:
        yield
    finally:
        os.environ.pop("SUPPLE_CACHE")
        if old is not None:
            os.environ["SUPPLE_CACHE"] = old


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


def recall(name: str, make: Callable[[], tuple[str, Words]], *, optimise: bool = False) -> Entry:
    """The entry of this name, compiled by `make` (assembly, about) if it is not there."""
    found = _read(name)
    if found is not None:
        return found
    text, about = make()
    object_code = assemble_object(text, optimise=optimise)
    _write(name, about, object_code)
    return Entry(load_object(object_code), about)


def _read(name: str) -> Entry | None:
    try:
        data = (folder() / (name + SUFFIX)).read_bytes()
        head, _, body = data.partition(b"\n")
        about = json.loads(head)
        if about["name"] != name or about["hash"] != _hash(about["about"], body):
            return None
        return Entry(load_object(body), about["about"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError):
        return None


def _hash(about: Words, body: bytes) -> str:
    """Of the code and of what is said about it."""
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode() + body).hexdigest()


def _write(name: str, about: Words, body: bytes) -> None:
    if source_hash() is None:  # made by sources that are no longer there
        return
    head = {"name": name, "hash": _hash(about, body), "about": about}
    temporary = None
    try:
        home = folder()
        home.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=home, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(head).encode() + b"\n" + body)
        os.replace(temporary, home / (name + SUFFIX))
        temporary = None
    except OSError as error:
        _complain(_folder_name(), error.strerror or str(error))
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _folder_name() -> str:
    try:
        return str(folder())
    except OSError as error:
        return str(error.filename or "")


@cache
def _complain(home: str, reason: str) -> None:
    """Once a process: compiled code cannot be kept."""
    caution(
        f"compiled code cannot be kept in {home or 'the cache'} ({reason}); every process compiles "
        f"anew. Set SUPPLE_CACHE to a folder that can be written."
    )


def _files(pattern: str) -> list[Path]:
    try:
        return sorted(folder().glob(pattern))
    except OSError:
        return []


def entries() -> list[tuple[str, Words, int]]:
    """(name, about, bytes) of every readable entry."""
    out = []
    for path in _files(f"*{SUFFIX}"):
        try:
            with open(path, "rb") as file:
                about = json.loads(file.readline())["about"]
            out.append((path.stem, {**about}, path.stat().st_size))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            out.append((path.stem, {"what": "unreadable"}, 0))
    return out


def clear() -> int:
    """Remove every entry; how many there were."""
    count = 0
    for path in [*_files(f"*{SUFFIX}"), *_files(".new-*")]:
        try:
            path.unlink()
            count += path.suffix == SUFFIX
        except OSError:
            continue
    return count
