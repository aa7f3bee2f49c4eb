"""A URDF file as the words of a model, each of which knows its place in the file.

    link, inertial           -> links: {NAME: {rigid: {mass, com, inertia}, visuals: [...]}}
    joint, transmission      -> joints: [{type, parent, child, axis, origin, drive, ...}]
    a link that none carries -> the base: fixed to the world, or floating

A link's frame is that of its joint, as in the file; a link without inertial has no mass. What is
not read (sensors, plugins, calibration) is counted in the notes. Faults are told all at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, cast

from ...errors import Fault, ModelError, brief, caution, did_you_mean
from ...screws import rpy_matrix
from ..faults import Faults
from ..inertia import inertia_tensor
from ..model_words import DriveWords, JointWords, LinkWords, MassWords, ModelWords, VisualWords
from ..spec import MESH, RobotSpec
from ..tree import RESULT_NAMES, tree_order, tree_words
from ..validate import validate
from ..yaml import Document
from ..yaml_nodes import Path as Keys
from .meshes import OutsideError, Packages
from .xml_tree import Attributes, Element, XmlFile, read_xml

EXPAND = "expand it first: xacro robot.urdf.xacro > robot.urdf (of ROS, or pip install xacro)"
TYPES = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating", "spherical")
KINDS = {name: name for name in TYPES} | {"continuous": "revolute"}
"""Types of URDF (spherical is a common extension) and our kinds of joints."""

READ = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")  # of a joint
INERTIA = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
RATIO = ("mechanicalReduction", "drake:gear_ratio")
ROTOR = ("motorInertia", "rotorInertia", "drake:rotor_inertia")

Origin = Callable[[str, str], Fault]
"""A fault, of its message and help, where the file says what a word was made of."""


@dataclass(frozen=True)
class MadeDocument(Document):
    """Words made of other files: a fault of theirs is told where those say it."""

    data: ModelWords
    made: Mapping[Keys, Origin] = field(default_factory=dict)

    def fault(self, path: Keys, message: str, help: str = "") -> Fault:
        known = path
        while known and known not in self.made:
            known = known[:-1]
        if known in self.made:
            return self.made[known](message, help)
        return Fault(message, path, help=help)


@dataclass
class ModelNames:
    """Names of a file as names of a model: without blanks, dots only before digits, not too long,
    not taken."""

    kind: str  # "link", "body" or "joint"
    given: dict[str, str] = field(default_factory=dict)

    def take(self, name: str) -> str:
        """The name in the model for this name of the file; to be called once for each name."""
        plain = re.sub(r"\s|\.(?!\d)", "_", name.strip())[:56].strip(".") or self.kind
        if plain in (RESULT_NAMES if self.kind == "joint" else ("world",)):
            plain = f"{plain}_{self.kind}"
        while plain in self.given.values():
            plain += "_"
        self.given[name] = plain
        return plain


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
    reader = _Reader(file, Packages(file.folder, packages or {}), base)
    document = MadeDocument(reader.words(), file.source, folder=file.folder, made=reader.made)
    if faults := reader.at.faults:
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
    found: list[tuple[Element, str]] = []
    for element in file.root.walk():
        found += [(element, "")] if element.tag.startswith("xacro:") else []
        values = element.attributes.items()
        found += [(element, key) for key, value in values if "${" in value or "$(" in value]
    if found:
        element, attribute = found[0]
        words = f"the file has {len(found)} macros of xacro that are not expanded"
        raise ModelError([file.fault(element, words, EXPAND, attribute)], file.source)


class _Reader:
    """Goes through the file once. `made`: the place in the file of each word."""

    def __init__(self, file: XmlFile, packages: Packages, base: str) -> None:
        self.file, self.packages, self.base = file, packages, base
        self.at = Attributes(file)
        self.loose = Attributes(file)  # of what no equation reads: noted, not refused
        self.notes: list[str] = []
        self.ignored: Counter[str] = Counter()
        self.missing: list[str] = []  # meshes that are not there
        self.made: dict[Keys, Origin] = {}
        self.links, self.joints = ModelNames("link"), ModelNames("joint")
        materials = file.root.all("material")
        self.colors = {m.attributes.get("name", ""): self._color(m) for m in materials}

    def words(self) -> ModelWords:
        """Of the whole robot."""
        root = self.file.root
        links, joints, transmissions = (
            list(root.all(tag)) for tag in ("link", "joint", "transmission")
        )
        self._ignore(root, ("link", "joint", "material", "transmission"), "")
        if not links:
            self.at.fault(root, "the robot has no links", "a URDF robot has <link> elements")
        named = self._named(links, self.links)
        tree = self._root_joint(named, joints)
        drives = self._drives(transmissions)
        given = [(e, self.links.given[e.attributes["name"]]) for e, _ in named]
        words: ModelWords = {
            "supple": 1,
            "name": " ".join(root.attributes.get("name", "").split())[:60] or "robot",
            "source": f"URDF: {self.file.source.replace(chr(92), '/').rpartition('/')[2]}",
            "as_given": True,
            "links": {name: self._link(e, name) for e, name in given if name != "world"},
            "joints": tree,
        }
        for element, name in self._named(joints, self.joints):
            drive = drives.get(element.attributes["name"], {})
            tree.append(self._joint(element, name, len(tree), drive))
        if notes := self._all_notes():
            words["notes"] = notes
        return words

    def _ignore(self, element: Element, known: Iterable[str], where: str) -> None:
        """Count the children that are not read."""
        self.ignored.update(f"{where}{c.tag}" for c in element.children if c.tag not in known)

    def _place(self, keys: Keys, element: Element, attribute: str = "") -> None:
        """Faults of this word are told at this element."""
        self.made[keys] = partial(self.file.fault, element, attribute=attribute)

    def _named(self, elements: list[Element], names: ModelNames) -> list[tuple[Element, str]]:
        """Elements with a name of their own."""
        out = []
        for element in elements:
            name = self.at.text(element, "name")
            if name in names.given:
                words = f"two {names.kind}s are named {name!r}"
                self.at.fault(element, words, "rename one", attribute="name")
            elif name.strip():
                out.append((element, names.take(name)))
        return out

    def _root_joint(
        self, named: list[tuple[Element, str]], joints: list[Element]
    ) -> list[JointWords]:
        """The joint between the world and the link that no joint carries. A root that is called
        world and has no mass is the world."""
        carried = {c.attributes.get("link") for j in joints if (c := j.find("child")) is not None}
        roots = [(e, n) for e, n in named if e.attributes["name"] not in carried]
        misspelt = carried - self.links.given.keys()  # told at the joint
        if len(roots) > 1 and not misspelt:
            names = ", ".join(e.attributes["name"] for e, _ in roots[:8])
            words = f"{len(roots)} links hang on no joint: {names}"
            self.at.fault(roots[1][0], words, "a robot has one root; join the others to it")
        if not roots:
            return []  # a cycle: the tree says it
        element, name = roots[0]
        bare = element.find("inertial") is None and element.find("visual") is None
        world = element.attributes["name"] == "world" and bare and len(named) > 1
        if world and self.base == "fixed":
            self.links.given["world"] = "world"
            return []
        self._place(("joints", 0), element)
        kind = "floating" if self.base == "floating" else "fixed"
        label = self.joints.take("root_joint")
        return [{"name": label, "type": kind, "parent": "world", "child": name}]

    def _link(self, element: Element, name: str) -> LinkWords:
        self._ignore(element, ("inertial", "visual", "collision"), "link/")
        words: LinkWords = {}
        self._place(("links", name), element)
        inertial = element.find("inertial")
        if inertial is not None:
            self._inertial(inertial, name, words)
        shown = [self._visual(e) for e in (*element.all("visual"), *element.all("collision"))]
        if visuals := [x for x in shown if x]:
            words["visuals"] = visuals
        return words

    def _inertial(self, element: Element, name: str, words: LinkWords) -> None:
        """Mass, centre, and inertia turned into the link's axes: I = R I_given R^T."""
        origin, mass, inertia = (element.find(tag) for tag in ("origin", "mass", "inertia"))
        if mass is None:
            self.at.fault(element, "<inertial> needs a <mass value=...>", "or leave <inertial> out")
            return
        given = [
            self.at.number(inertia, key, 0.0 if key in INERTIA[3:] else None) for key in INERTIA
        ]
        R = rpy_matrix(*self.at.vector(origin, "rpy", [0.0] * 3))
        tensor = R @ inertia_tensor(given) @ R.T
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
            self._place(("links", name, part, *keys), place or element)

    def _joint(self, element: Element, name: str, i: int, drive: DriveWords) -> JointWords:
        given = self.at.text(element, "type").strip()
        if given and given not in KINDS:
            help = did_you_mean(given, KINDS) or f"types are: {', '.join(KINDS)}"
            self.at.fault(element, f"unknown type of joint {brief(given)}", help, "type")
        kind = KINDS.get(given, "fixed")
        single = kind in ("revolute", "prismatic")  # one coordinate
        self._ignore(element, READ if single or kind == "fixed" else READ[:4], "joint/")
        words: JointWords = {"name": name, "type": kind, **self._ends(element)}
        if origin := self.at.origin(element):
            words["origin"] = origin
        if single or kind == "planar":
            words["axis"] = self.at.vector(element.find("axis"), "xyz", [1.0, 0.0, 0.0])
        if single:
            words |= self._limits(element, given) | self._dynamics(element) | self._mimic(element)
            if drive:
                words["drive"] = drive
        self._place(("joints", i), element)
        for key in ("type", "name"):
            self._place(("joints", i, key), element, key)
        tags = {"limits": "limit", "damping": "dynamics", "friction": "dynamics"}
        for key in ("parent", "child", "axis", "origin", "mimic", *tags):
            self._place(("joints", i, key), element.find(tags.get(key, key)) or element)
        return words

    def _ends(self, element: Element) -> JointWords:
        """Parent and child, by their names in the model; the parent is stood on at its frame."""
        out: JointWords = {}
        end: Literal["parent", "child"]
        for end in ("parent", "child"):
            child = element.find(end)
            if child is None:
                self.at.fault(element, f"<joint> needs a <{end} link=...>")
                continue
            name = self.at.text(child, "link")
            if name and name not in self.links.given:
                help = did_you_mean(name, self.links.given) or "a <link> of this name is missing"
                self.at.fault(child, f"no link is named {brief(name)}", help, "link")
            out[end] = self.links.given.get(name, name)
        if out.get("parent") not in (None, "world"):
            out["at"] = "origin"
        return out

    def _limits(self, element: Element, given: str) -> JointWords:
        """What is missing or infinite is no limit."""
        limit = element.find("limit")
        if limit is None:
            return {}
        found: dict[str, float] = {}
        ends = () if given == "continuous" else ("lower", "upper")
        for key in (*ends, "effort", "velocity"):
            text = limit.attributes.get(key, "")
            if not text or text.strip().lower().lstrip("+-") in ("inf", "infinity", "nan"):
                continue
            found[key] = self.at.number(limit, key)
            if key not in ends and found[key] < 0.0:
                self.at.fault(limit, f"{key} should be 0 or above", attribute=key)
        return {"limits": found} if found else {}

    def _dynamics(self, element: Element) -> JointWords:
        """Damping, and dry friction."""
        dynamics = element.find("dynamics")
        out: JointWords = {}
        for key in ("damping", "friction"):
            value = self.at.number(dynamics, key, 0.0)
            if value < 0.0 and dynamics is not None:
                self.at.fault(dynamics, f"{key} should be 0 or above, got {value:g}", attribute=key)
            elif value and key == "damping":
                out["damping"] = value
            elif value:
                out["friction"] = {"coulomb": value}
        return out

    def _mimic(self, element: Element) -> JointWords:
        mimic = element.find("mimic")
        if mimic is None:
            return {}
        name = self.at.text(mimic, "joint")
        if name and name not in self.joints.given:
            words = f"mimics {brief(name)}, which is no joint of this file: it moves by itself"
            self.loose.fault(mimic, words, attribute="joint")
            joint = element.attributes["name"]
            caution(f"{self.file.source}, line {mimic.line}: joint {joint} {words}")
            return {}
        name = self.joints.given.get(name, name)
        ratio, offset = (
            self.at.number(mimic, k, x) for k, x in (("multiplier", 1.0), ("offset", 0.0))
        )
        return {"mimic": {"joint": name, "ratio": ratio, "offset": offset}}

    def _drives(self, transmissions: list[Element]) -> dict[str, DriveWords]:
        """Drives by the name of their joint: the gear ratio, and the rotor's inertia where it is
        given. A negative ratio turns the motor the other way round: its size counts."""
        out: dict[str, DriveWords] = {}
        for element in transmissions:
            joints = [j.attributes.get("name", "") for j in element.all("joint")]
            ratio = [v for v in self._values(element, RATIO) if v]
            rotor = [v for v in self._values(element, ROTOR) if v > 0.0]
            words: DriveWords = {"gear_ratio": abs(ratio[0])} if ratio else {}
            if rotor:
                words["rotor_inertia"] = rotor[0]
            if len(joints) == 1 and words:
                out[joints[0]] = words
            elif len(joints) > 1:
                many = f"a transmission of {len(joints)} joints is not read"
                self.notes.append(f"{element.path}: {many}")
        return out

    def _values(self, element: Element, tags: tuple[str, ...]) -> list[float]:
        """Numbers of the elements with these tags, given as `value` or as text."""
        found = [child for child in element.walk() if child.tag in tags]
        for child in found:
            child.attributes["value"] = child.attributes.get("value", child.text).strip()
        return [self.loose.number(child, "value") for child in found]

    def _visual(self, element: Element) -> VisualWords:
        """A shape with its place and colour, a mesh by its place on this machine. Shapes that
        cannot be made out, and meshes that may not be read, are left out and noted: {}."""
        geometry, before = element.find("geometry"), len(self.loose.faults)
        words = VisualWords() if geometry is None else self._shape(geometry)
        found = bool(words)
        if origin := self.loose.origin(element):
            words["origin"] = origin
        if not found or len(self.loose.faults) > before:
            return {}
        material = element.find("material")
        if element.tag == "collision":
            words["collision"] = True
        elif material is not None:
            name = material.attributes.get("name", "")
            if color := self._color(material) or self.colors.get(name):
                words["color"] = color
        return words

    def _shape(self, geometry: Element) -> VisualWords:
        for child in geometry.children:
            if child.tag == "mesh":
                return self._mesh(child)
            if child.tag == "box":
                size = self.loose.vector(child, "size", [0.0] * 3)
            elif child.tag in ("sphere", "cylinder", "capsule"):
                keys = ("radius",) if child.tag == "sphere" else ("radius", "length")
                size = [self.loose.number(child, key) for key in keys]
            else:
                continue
            if min(size) < 0.0:
                self.loose.fault(child, f"the {child.tag} has a size below 0")
            if min(size) <= 0.0:  # without a size, as in some files, it is not there
                return {}
            given = size[0] if child.tag == "sphere" else size
            return cast(VisualWords, {child.tag: given})
        return {}

    def _mesh(self, element: Element) -> VisualWords:
        name = self.loose.text(element, "filename")
        if not name.strip():
            return {}
        if not re.search(MESH, name.strip()):
            kind = name.strip().rpartition(".")[2][:12]
            self.notes.append(f"{element.path}: meshes of the kind {kind!r} are not read")
            return {}
        try:
            path = self.packages.path(name)
        except (OutsideError, OSError, ValueError, RuntimeError) as error:
            words = f"the mesh {brief(name)} is not read: {error}"
            self.loose.fault(element, words, attribute="filename")
            return {}
        if not path.is_file():
            self.missing.append(name)
        scale = self.loose.vector(element, "scale", [1.0] * 3)
        return {"mesh": str(path), "scale": scale} if scale != [1.0] * 3 else {"mesh": str(path)}

    def _color(self, material: Element) -> list[float] | None:
        color = material.find("color")
        if color is None or "rgba" not in color.attributes:
            return None
        rgba = self.loose.vector(color, "rgba", [0.5, 0.5, 0.5, 1.0])
        return [min(max(x, 0.0), 1.0) for x in rgba]

    def _all_notes(self) -> list[str]:
        notes, lost = list(self.notes), self.missing
        notes += [f"meshes that are not there: {len(lost)}, e.g. {lost[0]!r}"] if lost else []
        notes += [f"line {f.line}, {f.key}: {f.message}" for f in self.loose.faults[:10]]
        for names in (self.links, self.joints):
            changed = [(old, new) for old, new in names.given.items() if old != new]
            notes += [f"{names.kind} {old!r} is called {new!r}" for old, new in changed]
        if self.ignored:
            counts = ", ".join(f"{n} <{tag}>" for tag, n in sorted(self.ignored.items()))
            notes.append(f"not read: {counts}")
        return notes
