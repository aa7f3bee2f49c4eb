"""supple.load: a shipped name, or a path to a model file."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from ..errors import Fault, InputError, ModelError, brief, did_you_mean
from ..robot import Robot
from .build import build
from .open_file import SUFFIXES, open_document
from .yaml import parse


def shipped() -> list[str]:
    """Names of the robots that come with the package."""
    folder = files("supple") / "robots"
    return sorted(
        p.name.removesuffix(".yaml") for p in folder.iterdir() if p.name.endswith(".yaml")
    )


def load(name_or_path: str | Path) -> Robot:
    """A robot by its shipped name, or from a file: .yaml, .urdf, or MJCF's .xml."""
    if not isinstance(name_or_path, str | os.PathLike):
        raise InputError(
            f"supple.load takes the name of a shipped robot or of a file, got "
            f"{brief(name_or_path)}; words given in Python are for supple.build"
        )
    text = os.fsdecode(name_or_path)
    path = Path(text)
    if text in shipped():
        words = (files("supple") / "robots" / f"{text}.yaml").read_text(encoding="utf-8")
        return _remembered(words, f"{text}.yaml")
    looks_like_file = path.suffix.lower() in SUFFIXES or len(path.parts) > 1 or _exists(path)
    if looks_like_file:
        return build(open_document(path))
    hint = did_you_mean(text, shipped()) or f"shipped robots: {', '.join(shipped())}"
    name = brief(text)
    raise ModelError([Fault(f"no robot and no file named {name}", help=hint)], name.strip("'"))


@lru_cache(maxsize=64)
def _remembered(words: str, source: str) -> Robot:
    """A robot is frozen: one that ships is built once. Files beside other models may change."""
    return build(parse(words, source))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long a name, or a NUL in it
        return False


def check(path: str | Path) -> Robot:
    """Read and build a model file; the ModelError it raises holds every fault."""
    return load(path)
