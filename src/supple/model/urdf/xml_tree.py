"""XML with places: every element knows its line, and its path in words; numbers of attributes.

Read by expat under defusedxml: no document type, no entities, nothing from outside the file.
Size, depth and number of elements are bounded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from ...errors import Fault, ModelError, brief, did_you_mean, printable
from ..model_files import file_bytes
from ..model_words import OriginWords

LARGEST = 16_000_000  # bytes; the largest robots known have two million
DEEPEST = 60  # elements one inside the other
MOST = 200_000  # elements
MOST_FAULTS = 200  # that are told at once
NOT_A_MODEL = "is this a robot's model? Supple reads .yaml, .urdf and MJCF .xml files"


@dataclass(eq=False)
class Element:
    """An element: its tag, attributes, text, children, and where it starts (from 1)."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    parent: Element | None = None
    children: list[Element] = field(default_factory=list)
    text: str = ""

    @property
    def path(self) -> str:
        """Where it is, as robot/link[forearm]/inertial."""
        above = f"{self.parent.path}/" if self.parent is not None else ""
        name = self.attributes.get("name", "") if self.parent is not None else ""
        return f"{above}{self.tag}" + (f"[{name}]" if name else "")

    def find(self, tag: str) -> Element | None:
        """The first child with this tag."""
        return next(self.all(tag), None)

    def all(self, tag: str) -> Iterator[Element]:
        """The children with this tag."""
        return (child for child in self.children if child.tag == tag)

    def walk(self) -> Iterator[Element]:
        """This element and all inside it, in the order of the file."""
        waiting = [self]
        while waiting:
            here = waiting.pop()
            yield here
            waiting += reversed(here.children)


@dataclass(frozen=True)
class XmlFile:
    """The elements of a file, and its lines."""

    root: Element
    source: str
    lines: tuple[str, ...]
    folder: Path

    def fault(self, element: Element, message: str, help: str = "", attribute: str = "") -> Fault:
        """A fault at an element, or at one of its attributes."""
        line, column = self.place(element, attribute)
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        path = element.path + (f"@{attribute}" if attribute else "")
        return Fault(message, (path,), line, column, text, help, self.source)

    def place(self, element: Element, attribute: str = "") -> tuple[int, int]:
        """Line and column of an element, or of its attribute where that is written."""
        if attribute in element.attributes:
            sign = re.compile(rf"(?<![\w:-]){re.escape(attribute)}\s*=")
            for line in range(element.line, min(element.line + 10, len(self.lines)) + 1):
                start = element.column if line == element.line else 0
                found = sign.search(self.lines[line - 1], start)
                if found:
                    return line, found.start() + 1
                if ">" in self.lines[line - 1][start:]:
                    break
        return element.line, element.column


@dataclass
class Attributes:
    """Reads attributes of a file's elements, and collects all that is wrong with them."""

    file: XmlFile
    faults: list[Fault] = field(default_factory=list)

    def fault(self, element: Element, message: str, help: str = "", attribute: str = "") -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(self.file.fault(element, message, help, attribute))

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
        if element is not None and name not in element.attributes and default is None:
            self.text(element, name)
        return self.vector(element, name, [default or 0.0])[0]

    def vector(self, element: Element | None, name: str, default: list[float]) -> list[float]:
        """As many finite numbers as the default has, which is taken where none are given."""
        if element is None or name not in element.attributes:
            return list(default)
        parts, count = element.attributes[name].split(), len(default)
        numbers = [_number(part) for part in parts[: count + 1]]
        if len(parts) != count or not all(map(math.isfinite, numbers)):
            many = "one number" if count == 1 else f"{count} numbers with blanks between"
            given = brief(element.attributes[name], 40)
            self.fault(element, f"{name} should be {many}, got {given}", attribute=name)
            return [0.0] * count
        return numbers

    def origin(self, of: Element) -> OriginWords:
        """Where an element's <origin> places it, without what is zero."""
        found: OriginWords = {}
        key: Literal["xyz", "rpy"]
        for key in ("xyz", "rpy"):
            numbers = self.vector(of.find("origin"), key, [0.0] * 3)
            if any(numbers):
                found[key] = numbers
        return found


def _number(text: str) -> float:
    """A number; nan where it is none."""
    try:
        return float(text) if "_" not in text else math.nan
    except ValueError:
        return math.nan


class _TooMuchError(Exception):
    """A file that nests too deeply or has too many elements."""


class _Builder(ContentHandler):
    """Makes elements of the parser's events."""

    def __init__(self, locator: Locator, before: int) -> None:
        super().__init__()
        self.root: Element | None = None
        self.open: list[Element] = []
        self.many = 0
        self.locator, self.before = locator, before  # empty lines that were not parsed

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        self.many += 1
        if len(self.open) >= DEEPEST or self.many > MOST:
            raise _TooMuchError
        parent = self.open[-1] if self.open else None
        line, column = self.locator.getLineNumber() or 1, self.locator.getColumnNumber() or 0
        element = Element(name, dict(attrs.items()), line + self.before, column + 1, parent)
        if parent is None:
            self.root = element
        else:
            parent.children.append(element)
        self.open.append(element)

    def endElement(self, name: str) -> None:
        self.open.pop()

    def characters(self, content: str) -> None:
        if self.open and len(self.open[-1].text) < 10_000:
            self.open[-1].text += content


def read_xml(path: Path) -> XmlFile:
    """The elements of a file, or one ModelError that says why not."""
    content = file_bytes(path, LARGEST, NOT_A_MODEL)
    return parse_xml(content, printable(str(path)), path.parent)


def parse_xml(content: bytes, source: str, folder: Path) -> XmlFile:
    """The elements of XML text."""
    lines = tuple(_text(content).splitlines())
    try:
        root = _root(content)
    except _RefusedError as error:
        fault = error.fault
        if fault.line and fault.line <= len(lines):
            text = lines[fault.line - 1]
            fault = Fault(fault.message, (), fault.line, fault.column, text, fault.help)
        raise ModelError([fault], source) from None
    return XmlFile(root, source, lines, folder)


class _RefusedError(Exception):
    def __init__(self, fault: Fault) -> None:
        self.fault = fault


def _root(content: bytes) -> Element:
    from xml.sax import SAXException, SAXParseException

    from defusedxml import DefusedXmlException
    from defusedxml.expatreader import create_parser

    bare = content.lstrip()  # a declaration must come first; many files have a line before it
    before = content[: len(content) - len(bare)].count(b"\n")
    parser = create_parser(forbid_dtd=True)
    builder = _Builder(parser, before)
    parser.setContentHandler(builder)
    try:
        for start in range(0, len(bare), 65536):
            parser.feed(bare[start : start + 65536])
        parser.close()
    except SAXParseException as error:
        line, column = error.getLineNumber() or 1, error.getColumnNumber() or 0
        words = f"not valid XML: {str(error.getMessage())[:200]}"
        raise _RefusedError(Fault(words, (), line + before, column + 1, help=NOT_A_MODEL)) from None
    except DefusedXmlException:
        words = "a document type or entities (<!DOCTYPE, <!ENTITY) are not read"
        help = "take them out: a robot's model needs neither"
        raise _RefusedError(Fault(words, help=help)) from None
    except _TooMuchError:
        words = f"more than {DEEPEST} elements one inside the other, or more than {MOST} in all"
        raise _RefusedError(Fault(words, help=NOT_A_MODEL)) from None
    except (SAXException, ValueError, LookupError) as error:  # odd encodings
        raise _RefusedError(Fault(f"not valid XML: {str(error)[:200]}", help=NOT_A_MODEL)) from None
    if builder.root is None:
        raise _RefusedError(Fault("the file is empty", help=NOT_A_MODEL))
    return builder.root


def _text(content: bytes) -> str:
    """The text, to show lines of it."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    return content.decode("utf-8-sig", "replace")
