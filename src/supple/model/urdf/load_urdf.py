"""Read a URDF file: safe XML, no macros left in it, all faults at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...errors import Fault, ModelError
from ..faults import Faults
from ..spec import RobotSpec
from ..tree import tree_order, tree_words
from ..validate import validate
from .document import MadeDocument
from .link_words import urdf_words
from .meshes import Packages
from .xml_tree import Element, XmlFile, read_xml

EXPAND = "expand it first: xacro robot.urdf.xacro > robot.urdf (of ROS, or pip install xacro)"


def read_urdf(
    path: Path, base: str = "fixed", packages: Mapping[str, Path] | None = None
) -> MadeDocument:
    """The words of a URDF file. ModelError with all that is wrong with it."""
    return urdf_document(read_xml(path), base, packages)


def urdf_document(
    file: XmlFile, base: str = "fixed", packages: Mapping[str, Path] | None = None
) -> MadeDocument:
    """The words of a URDF file that is read."""
    root = file.root
    check_expanded(file)
    if root.tag != "robot":
        help = "a URDF file holds one <robot>; Supple reads MJCF (<mujoco>) too, SDF it does not"
        raise ModelError([file.fault(root, f"the file holds <{root.tag[:40]}>", help)], file.source)
    document, faults = urdf_words(file, Packages(file.folder, packages or {}), base)
    if faults:
        known, more = [f.key for f in faults], _tree_faults(document)
        faults += [f for f in more if not any(key.startswith(f.key) for key in known)]
        raise ModelError(sorted(faults, key=lambda f: (f.line or 0, f.column or 0)), file.source)
    return document


def _tree_faults(document: MadeDocument) -> list[Fault]:
    """What is wrong with the tree, beside words that are wrong by themselves."""
    faults = Faults(document)
    if not document.data["links"]:
        return []
    try:
        links, joints = tree_words(validate(document, RobotSpec), faults)
    except ModelError:
        return []  # what is missing is told already
    if not faults.found:
        tree_order(links, joints, faults)
    return faults.found


def check_expanded(file: XmlFile) -> None:
    """Macros of xacro must be expanded by xacro."""
    found = [(e, a) for e in file.root.walk() for a in _macros(e)]
    if found:
        element, attribute = found[0]
        words = f"the file has {len(found)} macros of xacro that are not expanded"
        raise ModelError([file.fault(element, words, EXPAND, attribute)], file.source)


def _macros(element: Element) -> list[str]:
    """Attributes that xacro must expand; '' for an element of its own."""
    out = [""] if element.tag.startswith("xacro:") else []
    values = element.attributes.items()
    return out + [key for key, value in values if "${" in value or "$(" in value]
