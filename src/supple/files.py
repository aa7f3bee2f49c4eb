"""Files are whole or not there, and what is read is what was written.

A file is made in memory, written beside its target under another name, brought to the disk and
only then given its name. A saved run ends with a seal: the SHA-256 digest of all before it.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, overload
from uuid import uuid4

from .checks import file_name
from .errors import FileError, let_signals_through

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RUNS = (".nc", ".nc4", ".h5")
PLOTS = (".png", ".pdf", ".svg")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # file systems that cannot be asked to
_MARK = b"\nsupple sha256 "
_SEAL = len(_MARK) + 65


def check_target(path: str | Path, suffixes: tuple[str, ...] = ()) -> Path:
    """Say before the work, not after, that a file cannot be written."""
    target = file_name(path, "write")
    if target.is_dir():
        raise FileError(f"cannot write {target}: it is a folder; give a file name")
    if suffixes and target.suffix.lower() not in suffixes:
        raise FileError(
            f"cannot write {target}: file type {target.suffix!r} is not known; "
            f"use {' or '.join(filter(None, (', '.join(suffixes[:-1]), suffixes[-1])))}"
        )
    if not target.parent.is_dir():
        raise FileError(f"cannot write {target}: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise FileError(f"cannot write {target}: the folder {target.parent} is read-only")
    if target.exists() and not os.access(target, os.W_OK):
        raise FileError(f"cannot write {target}: the file is read-only; choose another name")
    return target


@overload
def drawn(path: str | Path, draw: Callable[[], Figure]) -> Path: ...


@overload
def drawn(path: str | Path | None, draw: Callable[[], Figure]) -> Figure | Path: ...


def drawn(path: str | Path | None, draw: Callable[[], Figure]) -> Figure | Path:
    """The matplotlib figure that `draw` makes, or, where a path is given, the file it is saved
    to; whether that can be written is looked at before the work."""
    kind = "" if path is None else check_target(path, PLOTS).suffix[1:].lower()
    figure = draw()
    if path is None:
        return figure
    return write_whole(path, lambda file: figure.savefig(file, format=kind))


def make_folder(path: str | Path) -> Path:
    """A folder to write into, made if it is not there."""
    folder = file_name(path, "write into")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot write into {folder}: {error.strerror or error}") from None
    return folder


def write_whole(path: str | Path, content: str | bytes | Callable[[BinaryIO], object]) -> Path:
    """Write text, bytes, or what a function writes into the open file it is given.

    The file appears whole or not at all; an old one stays until the new one is complete.
    """
    target = check_target(path)
    data = content.encode() if isinstance(content, str) else content
    if not isinstance(data, bytes):  # no library that writes a format ever meets a full disk
        buffer = io.BytesIO()
        data(buffer)
        data = buffer.getvalue()
    try:
        _write_beside(Path(os.path.realpath(target)), data)
    except OSError as error:
        let_signals_through(error)
        way = "make room there, or write" if error.errno in _FULL else "write"
        if isinstance(error, PermissionError) and target.exists():
            way = "close it in other programs, or write"  # Windows keeps files that are open
        raise FileError(
            f"cannot write {target}: {error.strerror or error}; no part of it was "
            f"left there. {way.capitalize()} to another folder"
        ) from None
    return target


def _write_beside(target: Path, data: bytes) -> None:
    name = target.with_name(f".supple-{uuid4().hex}{target.suffix}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(name, flags, 0o666)  # less the umask, which the system alone takes off
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            try:
                os.fsync(handle)  # to the disk itself: a late fault is still ours to tell
            except OSError as error:
                if error.errno not in _NO_SYNC:
                    raise
        if os.path.getsize(name) != len(data):
            raise OSError(errno.EIO, "the file was cut short")
        os.replace(name, target)
    finally:
        with suppress(OSError):
            os.unlink(name)


def read_bytes(path: str | Path) -> bytes:
    """A file's content, or a clear refusal."""
    target = file_name(path, "read")
    if not target.is_file():
        raise FileError(f"cannot read {target}: there is no such file")
    try:
        return target.read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {target}: {error.strerror or error}") from None


def sealed(data: bytes) -> bytes:
    """The content with its digest behind it; readers of HDF5 pass over what follows its end."""
    return data + _MARK + hashlib.sha256(data).hexdigest().encode() + b"\n"


def unsealed(raw: bytes, path: str | Path) -> tuple[bytes, bool]:
    """The content, and whether a digest vouches for it: files of other programs have none."""
    data, seal = raw[:-_SEAL], raw[-_SEAL:]
    if not seal.startswith(_MARK):
        return raw, False
    if sealed(data) != raw:
        raise FileError(
            f"{path} is damaged, or was changed since Supple wrote it: its content does not fit "
            f"its checksum. Take another copy, or run the simulation again"
        )
    return data, True
