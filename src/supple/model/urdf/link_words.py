"""A URDF file's elements as the words of a model.

    link, inertial           -> links: {NAME: {rigid: {mass, com, inertia}, visuals: [...]}}
    joint                    -> joints: [{type, parent, child, axis, origin, ...}]
    a link that none carries -> the base: fixed to the world, or floating

A link's frame is that of its joint, as in the file; a link without inertial has no mass. What is
not read (sensors, plugins, calibration) is counted in the notes.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ...errors import Fault
from ...screws import rpy_matrix
from ..model_words import DriveWords, JointWords, LinkWords, MassWords, ModelWords
from ..yaml_nodes import Path
from .attributes import Attributes
from .document import MadeDocument, Origin, at_element
from .joint_words import joint_words
from .meshes import Packages
from .names import UrdfNames, joint_names, link_names
from .transmissions import drive_words
from .visual_words import VisualReader
from .xml_tree import Element, XmlFile

PARTS = ("link", "joint", "material", "transmission")
INERTIA = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def urdf_words(
    file: XmlFile, packages: Packages, base: str = "fixed"
) -> tuple[MadeDocument, list[Fault]]:
    """The words of a URDF file, and what is wrong with it that words cannot say."""
    found = _Words(file, packages, base)
    found.read()
    document = MadeDocument(found.data, file.source, folder=file.folder, made=found.made)
    return document, found.at.faults


class _Words:
    def __init__(self, file: XmlFile, packages: Packages, base: str) -> None:
        self.file, self.base, self.at = file, base, Attributes(file)
        self.links: dict[str, LinkWords] = {}
        self.joints: list[JointWords] = []
        self.made: dict[Path, Origin] = {}
        self.link_names, self.joint_names = link_names(), joint_names()
        self.loose = Attributes(file)  # of what no equation reads: noted, not refused
        self.looks = VisualReader(self.loose, packages, file.root)
        self.data: ModelWords = {}

    def read(self) -> None:
        root = self.file.root
        elements = {tag: list(root.all(tag)) for tag in ("link", "joint", "transmission")}
        self.at.ignore(root, PARTS, "")
        if not elements["link"]:
            self.at.fault(root, "the robot has no links", "a URDF robot has <link> elements")
        named = self._named(elements["link"], self.link_names, "link")
        base = self._base(named, elements["joint"])
        drives = drive_words(elements["transmission"], self.loose)
        for element, name in named:
            self._link(element, name)
        for element, name in self._named(elements["joint"], self.joint_names, "joint"):
            self._joint(element, name, drives.get(element.attributes["name"], {}))
        self.data = {
            "supple": 1,
            "name": " ".join(root.attributes.get("name", "").split())[:60] or "robot",
            "source": f"URDF: {self.file.source.replace(chr(92), '/').rpartition('/')[2]}",
            "as_given": True,
            "links": self.links,
            "joints": base + self.joints,
        }
        notes = self._notes()
        if notes:
            self.data["notes"] = notes

    def _named(
        self, elements: list[Element], names: UrdfNames, kind: str
    ) -> list[tuple[Element, str]]:
        """Elements with a name of their own."""
        out = []
        for element in elements:
            name = self.at.text(element, "name")
            if name in names.given:
                words = f"two {kind}s are named {name!r}"
                self.at.fault(element, words, "rename one", attribute="name")
            elif name.strip():
                out.append((element, names.take(name, kind)))
        return out

    def _base(self, named: list[tuple[Element, str]], joints: list[Element]) -> list[JointWords]:
        """The joint between the world and the link that no joint carries. A root that is called
        world and has no mass is the world."""
        ends = [(j.find("parent"), j.find("child")) for j in joints]
        carried = {child.attributes.get("link") for _, child in ends if child is not None}
        roots = [(e, n) for e, n in named if e.attributes["name"] not in carried]
        misspelt = carried - self.link_names.given.keys()  # told at the joint
        if len(roots) > 1 and not misspelt:
            names = ", ".join(e.attributes["name"] for e, _ in roots[:8])
            words = f"{len(roots)} links hang on no joint: {names}"
            self.at.fault(roots[1][0], words, "a robot has one root; join the others to it")
        if not roots:
            return []  # a cycle: the tree says it
        element, name = roots[0]
        bare = element.find("inertial") is None and element.find("visual") is None
        if (
            element.attributes["name"] == "world"
            and self.base == "fixed"
            and bare
            and len(named) > 1
        ):
            self.link_names.given["world"] = "world"
            return []
        self.made[("joints", 0)] = at_element(self.file, element)
        kind = "floating" if self.base == "floating" else "fixed"
        label = self.joint_names.take("root_joint", "joint")
        return [{"name": label, "type": kind, "parent": "world", "child": name}]

    def _link(self, element: Element, name: str) -> None:
        name = self.link_names.given[element.attributes["name"]]
        if name == "world":
            return
        self.at.ignore(element, ("inertial", "visual", "collision"), "link/")
        words: LinkWords = {}
        self.made[("links", name)] = at_element(self.file, element)
        inertial = element.find("inertial")
        if inertial is not None:
            self._inertial(inertial, name, words)
        visuals = self.looks.of(element)
        if visuals:
            words["visuals"] = visuals
        self.links[name] = words

    def _inertial(self, element: Element, name: str, words: LinkWords) -> None:
        """Mass, centre, and inertia turned into the link's axes: I = R I_given R^T."""
        origin, mass, inertia = (element.find(tag) for tag in ("origin", "mass", "inertia"))
        if mass is None:
            self.at.fault(element, "<inertial> needs a <mass value=...>", "or leave <inertial> out")
            return
        given = [
            self.at.number(inertia, key, 0.0 if key in INERTIA[3:] else None) for key in INERTIA
        ]
        xx, yy, zz, xy, xz, yz = given
        R = rpy_matrix(*self.at.vector(origin, "rpy", [0.0] * 3))
        tensor = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        rigid: MassWords = {
            "mass": self.at.number(mass, "value"),
            "com": self.at.vector(origin, "xyz", [0.0] * 3),
            "inertia": [float(tensor[k]) for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))],
        }
        if rigid["mass"] == 0.0 and not any(given):
            return
        # a hub may have inertia alone
        part: Literal["rigid", "hub"] = "rigid" if rigid["mass"] else "hub"
        words[part] = rigid
        places = ((), element), (("mass",), mass), (("com",), origin), (("inertia",), inertia)
        for keys, place in places:
            self.made["links", name, part, *keys] = at_element(self.file, place or element)

    def _joint(self, element: Element, name: str, drive: DriveWords) -> None:
        i = len(self.joints) + (1 if ("joints", 0) in self.made else 0)
        words = joint_words(element, name, self.link_names, self.joint_names, self.at, self.loose)
        moves = words.get("type") in ("revolute", "prismatic")
        if drive and moves:
            words["drive"] = drive
        self.joints.append(words)
        keys = {"parent": "parent", "child": "child", "axis": "axis", "origin": "origin"}
        keys |= {"limits": "limit", "mimic": "mimic", "damping": "dynamics", "friction": "dynamics"}
        self.made["joints", i] = at_element(self.file, element)
        self.made["joints", i, "type"] = at_element(self.file, element, "type")
        self.made["joints", i, "name"] = at_element(self.file, element, "name")
        for key, tag in keys.items():
            self.made["joints", i, key] = at_element(self.file, element.find(tag) or element)

    def _notes(self) -> list[str]:
        notes = [*self.at.notes, *self.loose.notes]
        lost = self.looks.missing
        notes += [f"meshes that are not there: {len(lost)}, e.g. {lost[0]!r}"] if lost else []
        notes += [f"line {f.line}, {f.key}: {f.message}" for f in self.loose.faults[:10]]
        for kind, names in (("link", self.link_names), ("joint", self.joint_names)):
            notes += [f"{kind} {words}" for words in names.changed]
        if self.at.ignored:
            counts = ", ".join(f"{n} <{tag}>" for tag, n in sorted(self.at.ignored.items()))
            notes.append(f"not read: {counts}")
        return notes
