"""Collect every fault of a model, each where the file says it."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import Fault, ModelError
from .yaml import Document


def enumerated(names: Iterable[str], last: str = "and") -> str:
    """Names as a sentence holds them: a, b and c."""
    *most, end = dict.fromkeys(names)
    return f"{', '.join(most)} {last} {end}" if most else end


class Faults:
    """Collects faults while building; `stop` raises them together."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.found: list[Fault] = []
        self.rows: dict[str, int] = {}  # row of a DH table by link name

    def add(self, path: tuple[str | int, ...], message: str, help: str = "") -> None:
        self.found.append(self.document.fault(self._written(path), message, help))

    def _written(self, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
        """Where the file says it: a DH table has rows in place of links and joints."""
        if not self.rows or path[:1] not in (("links",), ("joints",)) or len(path) < 2:
            return path
        row = self.rows[str(path[1])] if path[0] == "links" else path[1]
        return ("dh", "rows", row, *(key for key in path[2:] if key != "rigid"))

    def stop(self) -> None:
        if self.found:
            raise ModelError(self.found, self.document.source)
