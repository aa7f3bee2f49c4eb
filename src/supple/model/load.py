"""supple.load: a shipped name, or a path to a model file of any kind."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from ..errors import (
    Fault,
    InputError,
    ModelError,
    brief,
    did_you_mean,
    let_signals_through,
    printable,
)
from ..robot import Robot
from .build import build
from .motions import with_tables
from .yaml import Document, parse, read

SUFFIXES = (".yaml", ".yml", ".urdf", ".xml", ".mjcf", ".json", ".toml", ".sdf", ".xacro")
UNREAD = (".json", ".toml", ".sdf")


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
    except (OSError, ValueError) as error:  # too long a name, or a NUL in it
        let_signals_through(error)
        return False


def check(path: str | Path) -> Robot:
    """Read and build a model file; the ModelError it raises holds every fault."""
    return load(path)


def open_document(path: Path) -> Document:
    """A file as the words of a model. ModelError where it holds none."""
    suffix = path.suffix.lower()
    if suffix in UNREAD:
        hint = "Supple reads .yaml, .urdf and MJCF .xml files; `supple new FILE` writes a template"
        fault = Fault(f"{path.suffix} files are not read", help=hint)
        raise ModelError([fault], printable(str(path)))
    if suffix not in (".urdf", ".xml", ".mjcf", ".xacro"):
        return with_meshes(with_tables(read(path), path.parent), path.parent)
    from .urdf.read_urdf import urdf_document
    from .urdf.xml_tree import read_xml

    file = read_xml(path)
    if file.root.tag == "mujoco":
        from .urdf.mjcf_file import mjcf_document

        return mjcf_document(file, path)
    return urdf_document(file)


def with_meshes(document: Document, folder: Path) -> Document:
    """The document with the meshes of its links by their place on this machine. ModelError where
    one is outside the folder."""
    links = document.data.get("links")
    if "urdf" in document.data or not isinstance(links, dict):
        return document
    from .urdf.meshes import OutsideError, Packages

    home, faults = Packages(folder), []
    for name, link in links.items():
        visuals = link.get("visuals") if isinstance(link, dict) else None
        for k, visual in enumerate(visuals if isinstance(visuals, list) else ()):
            if not isinstance(visual, dict) or not isinstance(visual.get("mesh"), str):
                continue
            try:
                visual["mesh"] = str(home.path(visual["mesh"]))
            except (OutsideError, OSError, ValueError, RuntimeError) as error:
                where = ("links", name, "visuals", k, "mesh")
                help = "put it beside the model file"
                faults.append(document.fault(where, f"the mesh is not read: {error}", help))
    if faults:
        raise ModelError(faults, document.source)
    return document
