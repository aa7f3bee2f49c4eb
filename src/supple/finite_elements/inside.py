"""Files that a model names lie in its folder: nothing outside it is read."""

from __future__ import annotations

from pathlib import Path

from ..errors import printable


def inside(folder: Path, name: str) -> Path:
    """The file of this name in the folder; ValueError says why not."""
    shown = printable(name)
    try:
        home, path = folder.resolve(), (folder / name).resolve()
    except (OSError, ValueError, RuntimeError):  # a NUL in it, too long, or links in a circle
        raise ValueError(f"{shown!r} is no name of a file") from None
    if not path.is_relative_to(home):
        raise ValueError(f"{shown!r} leads out of the model's folder")
    if not path.is_file():
        raise ValueError(f"there is no file {shown!r}")
    return folder / name
