"""Compiled code kept on disk, so that a robot is compiled once on a machine.

An entry is one file: a line of JSON (what it is, for whom it was made, a hash of the rest),
then the object code. It is written beside its place and moved there, so that several processes
may do so at once. An entry that is not exactly what was asked for (another version, another
processor, a torn or altered file) is compiled anew. A folder that cannot be written costs
nothing but the time to compile.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..bodies import Station
from ..errors import caution
from ..robot import Link, Robot
from .constants import BODY, DRIVE, MOUNT
from .machine import Code, assemble_object, host, load_object

FORMAT = 1
SUFFIX = ".supple"


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


@cache
def _sources() -> str:
    """A hash of the code that decides what a kernel computes."""
    home = Path(__file__).parent.parent
    digest = hashlib.sha256(__version__.encode())
    for part in ("screws", "joints", "bodies", "recursion", "engine", "simulation"):
        for path in sorted((home / part).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def fingerprint(value: Any) -> bytes:
    """Bytes that differ when anything in a robot's constants differs."""
    digest = hashlib.sha256()
    for piece in _pieces(value):
        digest.update(piece)
    return digest.digest()


def motion_fingerprint(robot: Robot, station: str | None) -> bytes:
    """The same of all that moves a robot and of one station; other stations may differ."""
    first = fingerprint(None if station is None else robot.station(station))
    return hashlib.sha256(b"".join([first, *_robot_pieces(robot, stations=False)])).digest()


def _robot_pieces(robot: Robot, stations: bool) -> Iterator[bytes]:
    yield from _pieces((robot.gravity, robot.elastic_kinematics, robot.elastic_columns))
    for link in robot.links:
        yield _link_bytes(link, link.body.stations if stations else {})


def _pieces(value: Any) -> Iterator[bytes]:
    if isinstance(value, np.ndarray):
        yield str(value.shape).encode() + value.tobytes()
    elif isinstance(value, Robot):
        yield from _robot_pieces(value, stations=True)
    elif is_dataclass(value):
        for f in fields(value):
            yield f.name.encode()
            yield from _pieces(getattr(value, f.name))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key).encode()
            yield from _pieces(item)
    elif isinstance(value, tuple | list):
        yield str(len(value)).encode()
        for item in value:
            yield from _pieces(item)
    elif isinstance(value, float | int | str | slice | type(None)):
        yield repr(value).encode()
    else:
        yield type(value).__qualname__.encode()


_drive, _node = attrgetter(*DRIVE), attrgetter(*MOUNT)
_numbers = struct.Struct(f"{1 + len(DRIVE)}d").pack
_arrays = attrgetter(*(name for name in BODY if name != "mass"))


def _link_bytes(link: Link, stations: Mapping[str, Station]) -> bytes:
    """All of a link that its equations can depend on, at once: long robots have many."""
    body, slope = link.body, link.body.root_slope
    words = f"{link.name}/{link.parent}/{link.joint.kind}/{len(body.c1)}/{body.shape_names}"
    values = [*_arrays(body), *_node(link.mount)]
    for name, station in stations.items():
        words += f"/{name}"
        values += _node(station)
    if slope is not None:
        words += "/turning"
        values.append(slope)
    numbers = _numbers(body.mass, *_drive(link.drive))
    return b"".join([words.encode(), numbers, *map(np.ndarray.tobytes, values)])


@dataclass(frozen=True)
class Entry:
    """Code and what is to be known of it without tracing."""

    code: Code
    about: dict[str, Any]


def key(*parts: Any) -> str:
    """The name of an entry for these parts, this machine and this version."""
    here = host()
    digest = hashlib.sha256(f"{FORMAT} {_sources()} {here}".encode())
    for part in parts:
        digest.update(part if isinstance(part, bytes) else repr(part).encode())
    return digest.hexdigest()


def recall(name: str, make: Callable[[], tuple[str, dict[str, Any]]]) -> Entry:
    """The entry of this name, compiled by `make` (assembly, about) if it is not there."""
    found = _read(name)
    if found is not None:
        return found
    text, about = make()
    object_code = assemble_object(text)
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


def _hash(about: dict[str, Any], body: bytes) -> str:
    """Of the code and of what is said about it."""
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode() + body).hexdigest()


def _write(name: str, about: dict[str, Any], body: bytes) -> None:
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


def entries() -> list[tuple[str, dict[str, Any], int]]:
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
