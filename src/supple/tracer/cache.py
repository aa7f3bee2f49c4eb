"""Compiled code kept on disk, so that a robot is compiled once on a machine.

An entry is one file: a line of JSON (what it is, for whom it was made, a hash of the rest),
then the object code, which carries a hash of its own description: code and description that do
not belong together are not used. An entry that is not exactly what was asked for (other sources
of the package, another processor, a torn or altered file) is compiled anew; one that others can
have written is not even looked at (`cache_folder`). A folder that cannot be written costs nothing
but the time to compile.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ..errors import interrupts_unchanged, let_signals_through
from ..types import Json
from . import cache_folder
from .cache_folder import clear, folder, kept_in, off
from .machine import Code, assemble_object, host, load_object, versions
from .source_hash import source_hash

FORMAT = 3

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
    found = None if off() else _read(name, functions)
    if found is not None:
        return found
    with interrupts_unchanged():
        text, about = make()
    object_code = assemble_object(text + _seal(name, about), optimise=optimise)
    if not off():
        _write(name, about, object_code)
    return Entry(_loaded(object_code, functions), about)


SEAL = "supple_seal"


def _seal(name: str, about: Words) -> str:
    """Assembly of a constant: the hash of the description that this code was made with."""
    digits = "".join(f"\\{byte:02X}" for byte in _about_hash(name, about))
    return f'\n@{SEAL} = constant [32 x i8] c"{digits}"\n'


def _about_hash(name: str, about: Words) -> bytes:
    return hashlib.sha256(f"{name} {json.dumps(about, sort_keys=True)}".encode()).digest()


def _read(name: str, functions: tuple[str, ...] = ("kernel",)) -> Entry | None:
    try:
        head, _, body = cache_folder.read(name).partition(b"\n")
        words = json.loads(head)
        about = words["about"]
        if words["name"] != name or words["hash"] != hashlib.sha256(body).hexdigest():
            return None
        code = _loaded(body, functions)
        return Entry(code, about) if _sealed(code) == _about_hash(name, about) else None
    except cache_folder.UntrustedError as error:
        cache_folder.complain(f"{error.filename}: {error.strerror}")
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        let_signals_through(error)
        return None


@lru_cache(maxsize=128)
def _loaded(body: bytes, functions: tuple[str, ...]) -> Code:
    """Code that was linked into this process lately is not linked again."""
    return load_object(body, (*functions, SEAL))


def _sealed(code: Code) -> bytes:
    """What the code says of its own description; nothing where it says nothing."""
    place = code.address(SEAL)
    return ctypes.string_at(place, 32) if place else b""


def _write(name: str, about: Words, body: bytes) -> None:
    if source_hash() is None:  # made by sources that are no longer there
        return
    head = {"name": name, "hash": hashlib.sha256(body).hexdigest(), "about": about}
    try:
        cache_folder.write(name, json.dumps(head).encode() + b"\n" + body)
    except OSError as error:
        let_signals_through(error)
        where = f"{error.filename}: " if isinstance(error, cache_folder.UntrustedError) else ""
        cache_folder.complain(where + (error.strerror or str(error)))


def entries() -> list[tuple[str, Words, int]]:
    """(name, about, bytes) of every readable entry."""
    out = []
    for path in cache_folder.found():
        try:
            with open(path, "rb") as file:
                about = json.loads(file.readline())["about"]
            out.append((path.stem, {**about}, path.stat().st_size))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            out.append((path.stem, {"what": "unreadable"}, 0))
    return out


__all__ = ["Entry", "Words", "clear", "entries", "folder", "kept_in", "key", "off", "recall"]
