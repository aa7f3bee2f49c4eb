"""What the links of a URDF robot look like, as words: meshes, boxes, cylinders, spheres."""

from __future__ import annotations

import re

from ...errors import brief
from ..model_words import VisualWords
from ..spec import MESH
from .attributes import Attributes
from .meshes import OutsideError, Packages
from .xml_tree import Element


class VisualReader:
    """Reads visual and collision elements; meshes by their place on this machine. Shapes that
    cannot be made out, and meshes that may not be read, are left out and noted."""

    def __init__(self, loose: Attributes, packages: Packages, root: Element) -> None:
        self.at, self.packages = loose, packages
        self.missing: list[str] = []  # meshes that are not there
        self.colors = {m.attributes.get("name", ""): self._color(m) for m in root.all("material")}

    def of(self, link: Element) -> list[VisualWords]:
        """All of a link, those for collisions marked."""
        out: list[VisualWords] = []
        for element in (*link.all("visual"), *link.all("collision")):
            geometry = element.find("geometry")
            before = len(self.at.faults)
            shape = self._shape(geometry) if geometry is not None else VisualWords()
            words = shape | self._origin(element)
            if not shape or len(self.at.faults) > before:
                continue
            if element.tag == "collision":
                out.append({**words, "collision": True})
                continue
            color = self._material(element)
            out.append(words | ({"color": color} if color else {}))
        return out

    def _origin(self, element: Element) -> VisualWords:
        found = self.at.origin(element)
        return {"origin": found} if found else {}

    def _shape(self, geometry: Element) -> VisualWords:
        for child in geometry.children:
            if child.tag == "mesh":
                return self._mesh(child)
            if child.tag == "box":
                size = self.at.vector(child, "size", [0.0] * 3)
                return {"box": size} if self._positive(child, size) else {}
            if child.tag == "sphere":
                radius = self.at.number(child, "radius")
                return {"sphere": radius} if self._positive(child, [radius]) else {}
            if child.tag in ("cylinder", "capsule"):
                return self._round(child)
        return {}

    def _round(self, element: Element) -> VisualWords:
        """A cylinder or a capsule."""
        size = [self.at.number(element, key) for key in ("radius", "length")]
        if not self._positive(element, size):
            return {}
        return {"cylinder": size} if element.tag == "cylinder" else {"capsule": size}

    def _positive(self, element: Element, size: list[float]) -> bool:
        """Whether a shape has a size; one that has none, as some files do, is not there."""
        if any(x < 0.0 for x in size):
            self.at.fault(element, f"the {element.tag} has a size below 0")
        return all(x > 0.0 for x in size)

    def _mesh(self, element: Element) -> VisualWords:
        name = self.at.text(element, "filename")
        if not name.strip():
            return {}
        if not re.search(MESH, name.strip()):
            kind = name.strip().rpartition(".")[2][:12]
            self.at.notes.append(f"{element.path}: meshes of the kind {kind!r} are not read")
            return {}
        try:
            path = self.packages.path(name)
        except (OutsideError, OSError, ValueError, RuntimeError) as error:
            self.at.fault(element, f"the mesh {brief(name)} is not read: {error}", "", "filename")
            return {}
        if not path.is_file():
            self.missing.append(name)
        scale = self.at.vector(element, "scale", [1.0] * 3)
        words: VisualWords = {"mesh": str(path)}
        if scale != [1.0] * 3:
            words["scale"] = scale
        return words

    def _material(self, element: Element) -> list[float] | None:
        material = element.find("material")
        if material is None:
            return None
        return self._color(material) or self.colors.get(material.attributes.get("name", ""))

    def _color(self, material: Element) -> list[float] | None:
        color = material.find("color")
        if color is None or "rgba" not in color.attributes:
            return None
        return [min(max(x, 0.0), 1.0) for x in self.at.vector(color, "rgba", [0.5] * 3 + [1.0])]
