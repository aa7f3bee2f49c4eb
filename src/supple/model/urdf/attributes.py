"""Numbers of attributes, with a fault where they are none. All faults are collected."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from ...errors import Fault, brief, did_you_mean
from ..model_words import OriginWords
from .xml_tree import Element, XmlFile

MOST = 200  # faults that are told at once


@dataclass
class Attributes:
    """Reads attributes of a file's elements, and collects what is wrong and what is left out."""

    file: XmlFile
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ignored: dict[str, int] = field(default_factory=dict)

    def fault(self, element: Element, message: str, help: str = "", attribute: str = "") -> None:
        if len(self.faults) < MOST:
            self.faults.append(self.file.fault(element, message, help, attribute))

    def ignore(self, element: Element, known: Iterable[str], where: str) -> None:
        """Count the children that are not read."""
        for child in element.children:
            if child.tag not in known:
                name = f"{where}{child.tag}"
                self.ignored[name] = self.ignored.get(name, 0) + 1

    def text(self, element: Element, name: str) -> str:
        """A required attribute; '' and a fault where it is missing."""
        value = element.attributes.get(name, "")
        if not value.strip():
            given = ", ".join(element.attributes) or "none"
            near = did_you_mean(name, element.attributes)
            help = near or f"attributes given: {given}"
            self.fault(element, f"<{element.tag}> needs the attribute {name!r}", help)
        return value

    def number(self, element: Element | None, name: str, default: float | None = None) -> float:
        """One finite number; the default where the attribute is missing and need not be there."""
        if element is None or (name not in element.attributes and default is not None):
            return default or 0.0
        if name not in element.attributes:
            self.text(element, name)
            return 0.0
        return self._numbers(element, name, 1)[0]

    def vector(self, element: Element | None, name: str, default: list[float]) -> list[float]:
        """As many finite numbers as the default has, which is taken where none are given."""
        if element is None or name not in element.attributes:
            return list(default)
        return self._numbers(element, name, len(default))

    def origin(self, of: Element) -> OriginWords:
        """Where an element's <origin> places it, without what is zero."""
        found: OriginWords = {}
        key: Literal["xyz", "rpy"]
        for key in ("xyz", "rpy"):
            numbers = self.vector(of.find("origin"), key, [0.0] * 3)
            if any(numbers):
                found[key] = numbers
        return found

    def limit(self, element: Element, name: str) -> float | None:
        """A number, or None where it is missing or infinite."""
        text = element.attributes.get(name, "")
        if not text or text.strip().lower().lstrip("+-") in ("inf", "infinity", "nan"):
            return None
        return self.number(element, name)

    def _numbers(self, element: Element, name: str, count: int) -> list[float]:
        parts = element.attributes[name].split()
        values = [_number(part) for part in parts[: count + 1]]
        if len(parts) != count or any(v is None for v in values):
            many = "one number" if count == 1 else f"{count} numbers with blanks between"
            given = brief(element.attributes[name], 40)
            self.fault(element, f"{name} should be {many}, got {given}", attribute=name)
            return [0.0] * count
        return [v for v in values if v is not None]


def _number(text: str) -> float | None:
    """A finite number; None: it is none."""
    try:
        value = float(text) if "_" not in text else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None
