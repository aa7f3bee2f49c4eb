"""Open a model file of any kind: the words of a model come out."""

from __future__ import annotations

from pathlib import Path

from ..errors import Fault, ModelError, printable
from .motions import with_tables
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
