"""Words that were made of something else, each of which knows what it was made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from ...errors import Fault
from ..model_words import ModelWords
from ..yaml import Document
from ..yaml_nodes import Path
from .xml_tree import Element, XmlFile

Origin = Callable[[str, str], Fault]
"""A fault, of its message and help, where the file says what a word was made of."""


@dataclass(frozen=True)
class MadeDocument(Document):
    """Words made of other files: a fault of theirs is told where those say it."""

    data: ModelWords
    made: Mapping[Path, Origin] = field(default_factory=dict)

    def fault(self, path: Path, message: str, help: str = "") -> Fault:
        known = path
        while known and known not in self.made:
            known = known[:-1]
        if known in self.made:
            return self.made[known](message, help)
        return Fault(message, path, help=help)


def at_element(file: XmlFile, element: Element, attribute: str = "") -> Origin:
    """Of a word made of an element."""
    return partial(_element_fault, file, element, attribute)


def _element_fault(
    file: XmlFile, element: Element, attribute: str, message: str, help: str
) -> Fault:
    return file.fault(element, message, help, attribute)


def at_key(document: Document, path: Path) -> Origin:
    """Of a word made of a key of another document."""
    return partial(_key_fault, document, path)


def _key_fault(document: Document, path: Path, message: str, help: str) -> Fault:
    return replace(document.fault(path, message, help), source=document.source)
