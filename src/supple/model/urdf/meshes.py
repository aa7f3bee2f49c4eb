"""Where meshes are: paths of a robot's file, none outside its folder and the packages given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

SHELVES = ("urdf", "robots", "robot", "xacro", "mjcf", "xml")
"""Folders in which packages keep their models: the meshes are beside them."""


class OutsideError(ValueError):
    """A path that leads out of the folders that may be read."""


@dataclass(frozen=True)
class Packages:
    """The folder of the model's file, and folders of packages by name."""

    folder: Path
    given: Mapping[str, Path] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """What belongs to the model: its folder, or the package that this is part of."""
        here = self.folder.resolve()
        for above in (here, *list(here.parents)[:3]):
            if (above / "package.xml").is_file():
                return above
        return here.parent if here.name.lower() in SHELVES else here

    def path(self, name: str) -> Path:
        """The file that a name means; OutsideError where that may not be read. It need not be
        there."""
        text = unquote(name.strip()).replace("\\", "/")
        if "\0" in text or len(text) > 1000:
            raise OutsideError("it is no name of a file")
        scheme, sign, rest = text.partition("://")
        if sign and scheme in ("package", "model"):
            package, _, inside = rest.partition("/")
            return _inside(self._package(package), inside)
        if sign and scheme != "file":
            raise OutsideError(f"only files of this machine are read, not {scheme}://")
        return _inside(self.home, rest if sign else text, self.folder)

    def _package(self, name: str) -> Path:
        """A package given, or a folder of this name that the model is in."""
        if name in self.given:
            return self.given[name].resolve()
        here = self.folder.resolve()
        for above in (here, *here.parents):
            if above.name == name:
                return above
        return self.home


def _inside(home: Path, name: str, start: Path | None = None) -> Path:
    """A file of a folder, its name as seen from `start`."""
    found = ((start or home) / name).resolve()
    if not found.is_relative_to(home.resolve()):
        raise OutsideError(f"it is outside the folder {home.name or home}")
    return found
