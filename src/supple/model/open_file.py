"""Open a model file of any kind: the words of a model come out."""

from __future__ import annotations

from pathlib import Path

from ..errors import Fault, ModelError, printable
from .yaml import Document, read

SUFFIXES = (".yaml", ".yml", ".urdf", ".xml", ".mjcf", ".json", ".toml", ".sdf", ".xacro")
UNREAD = (".json", ".toml", ".sdf")


def open_document(path: Path) -> Document:
    """A file as the words of a model. ModelError where it holds none."""
    suffix = path.suffix.lower()
    if suffix in UNREAD:
        hint = "Supple reads .yaml, .urdf and MJCF .xml files; `supple new FILE` writes a template"
        fault = Fault(f"{path.suffix} files are not read", help=hint)
        raise ModelError([fault], printable(str(path)))
    if suffix not in (".urdf", ".xml", ".mjcf", ".xacro"):
        return read(path)
    from .urdf.load_urdf import urdf_document
    from .urdf.xml_tree import read_xml

    return urdf_document(read_xml(path))
