"""Files of a model: its bytes, as many as it may have, and those that it names, in its folder."""

from __future__ import annotations

import stat
from pathlib import Path

from ..errors import Fault, ModelError, let_signals_through, printable


def file_bytes(path: Path, most: int, template: str) -> bytes:
    """The file's content, or one ModelError that says why not; `template`: what would help."""
    source = printable(str(path))

    def stop(message: str, help: str = "") -> ModelError:
        return ModelError([Fault(message, help=help)], source)

    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise stop("this is a folder, not a model file")
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise stop("this is a device, not a model file", "a file or a pipe can be read")
        with path.open("rb") as file:
            content = file.read(most + 1)  # no more: a pipe may have no end
    except (OSError, ValueError) as error:  # a NUL in its name is a ValueError
        let_signals_through(error)
        if isinstance(error, ModelError):
            raise
        hint = "supple new FILE writes one" if isinstance(error, FileNotFoundError) else ""
        reason = getattr(error, "strerror", None) or error
        raise stop(f"cannot read the file: {reason}", hint) from None
    if len(content) > most:
        raise stop(
            f"the file is larger than {most / 1e6:g} MB, the most a model file may have", template
        )
    return content


def inside(folder: Path, name: str) -> Path:
    """The file of this name in the folder of a model, which names none outside it; ValueError says
    why not."""
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
