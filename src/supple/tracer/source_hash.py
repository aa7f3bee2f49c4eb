"""A hash of the package's own sources: machine code made by other sources is never used.

Every source counts. Which of them decide what a kernel computes is not known beforehand (a
kernel may be traced from anywhere), so none is left out.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent


def _sources() -> list[Path]:
    """All Python files of the package (compiled ones where it came without sources)."""
    found = (path for path in HOME.rglob("*.py*") if "__pycache__" not in path.parts)
    return sorted(path for path in found if path.suffix in (".py", ".pyc"))


def _looks() -> list[tuple[str, int, int]]:
    """Name, size and time of every source: cheap, and different when one was changed."""
    stats = [(path, path.stat()) for path in _sources()]
    return [(str(path), s.st_size, s.st_mtime_ns) for path, s in stats]


_AT_IMPORT = _looks()


@cache
def source_hash() -> str | None:
    """Of the bytes of all sources.

    This process runs the sources as they were when it imported them. If they are others by now,
    what it compiles belongs to no sources on disk: None, and it is not to be kept.
    """
    if _looks() != _AT_IMPORT:
        return None
    digest = hashlib.sha256()
    for path in _sources():
        data = path.read_bytes()
        digest.update(f"{path.relative_to(HOME).as_posix()} {len(data)}\n".encode() + data)
    return digest.hexdigest()
