"""Names of a robot's file as names of a model: without blanks, dots only before digits, not too
long, not taken."""

from __future__ import annotations

import re
from collections.abc import Collection

from ..tree import RESULT_NAMES

LONGEST = 56


class UrdfNames:
    """Gives each name of one kind (links, joints) a name in the model."""

    def __init__(self, reserved: Collection[str] = ()) -> None:
        self.reserved = reserved
        self.given: dict[str, str] = {}

    def take(self, name: str, kind: str) -> str:
        """The name in the model for this name of the file; to be called once for each name."""
        plain = re.sub(r"\s|\.(?!\d)", "_", name.strip())[:LONGEST].strip(".") or kind
        if plain in self.reserved:
            plain = f"{plain}_{kind}"
        while plain in self.given.values():
            plain += "_"
        self.given[name] = plain
        return plain

    @property
    def changed(self) -> list[str]:
        return [f"{old!r} is called {new!r}" for old, new in self.given.items() if old != new]


def link_names() -> UrdfNames:
    return UrdfNames(("world",))


def joint_names() -> UrdfNames:
    return UrdfNames(RESULT_NAMES)
