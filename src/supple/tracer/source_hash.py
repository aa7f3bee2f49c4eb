"""A hash of the package's own sources: machine code made by other sources is never used.

Every source counts. Which of them decide what a kernel computes is not known beforehand (a
kernel may be traced from anywhere), so none is left out.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


def sources(package: Path) -> list[str]:
    """All Python files of a package (compiled ones where it came without sources)."""
    found = [
        os.path.join(folder, name)
        for folder, _, names in os.walk(package)
        for name in names
        if name.endswith((".py", ".pyc")) and not folder.endswith("__pycache__")
    ]
    return sorted(found)


def content_hash(package: Path) -> str:
    """Of the names and bytes of all sources."""
    digest, start = hashlib.sha256(), len(str(package))
    for path in sources(package):
        with open(path, "rb", buffering=0) as file:
            data = file.read()
        digest.update(f"{path[start:]} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()


def appearance(package: Path) -> list[tuple[str, int, int]]:
    """Name, size and time of every source: quickly read, and seldom the same after a change."""
    stats = [(path, os.stat(path)) for path in sources(package)]
    return [(path, s.st_size, s.st_mtime_ns) for path, s in stats]


_at_import = appearance(PACKAGE)


@cache
def source_hash() -> str | None:
    """Of this package, when it is first asked for.

    This process runs the sources as they were when it imported them. If they are others by now,
    what it compiles belongs to no sources on disk: None, and it is not to be kept.
    """
    return content_hash(PACKAGE) if appearance(PACKAGE) == _at_import else None
