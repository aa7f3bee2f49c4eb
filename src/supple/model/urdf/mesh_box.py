"""The box around a mesh: of STL (binary and text), OBJ and Collada files. Nothing else of them is
read, and never more than a part of the file at a time."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

import numpy as np

from ...types import Floats

LARGEST = 200_000_000  # bytes that are looked at
PIECE = 1 << 20


def mesh_box(path: Path) -> Floats | None:
    """Least and largest x, y, z (2, 3) of a mesh's points; None where they cannot be made out."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return None
        with path.open("rb") as file:
            box = _around(_points(file, path.suffix.lower()))
    except (OSError, ValueError, UnicodeDecodeError, struct.error):
        return None
    return box if np.isfinite(box).all() and (box[1] >= box[0]).all() else None


def _around(pieces: Iterator[Floats]) -> Floats:
    box = np.array([np.full(3, np.inf), np.full(3, -np.inf)])
    for points in pieces:
        if len(points):
            box[0] = np.minimum(box[0], points.min(axis=0))
            box[1] = np.maximum(box[1], points.max(axis=0))
    return box


def _points(file: BinaryIO, suffix: str) -> Iterator[Floats]:
    if suffix == ".stl":
        return _stl(file)
    if suffix == ".obj":
        return _lines(file, b"v")
    return _collada(file) if suffix == ".dae" else iter(())


def _stl(file: BinaryIO) -> Iterator[Floats]:
    """Binary: 80 bytes, the number of triangles, 50 bytes each. Else text."""
    head = file.read(84)
    size = file.seek(0, 2)
    many = struct.unpack("<I", head[80:84])[0] if len(head) == 84 else -1
    file.seek(84 if size == 84 + 50 * many else 0)
    if size != 84 + 50 * many:
        yield from _lines(file, b"vertex")
        return
    triangle = np.dtype([("normal", "<f4", 3), ("points", "<f4", (3, 3)), ("more", "<u2")])
    while piece := file.read(50 * 20_000):
        whole = len(piece) // 50 * 50
        yield np.frombuffer(piece[:whole], triangle)["points"].reshape(-1, 3).astype(float)


def _lines(file: BinaryIO, word: bytes) -> Iterator[Floats]:
    """Three numbers of every line that starts with the word."""
    left = b""
    while piece := file.read(PIECE):
        *lines, left = (left + piece).split(b"\n")
        left = left[:1000]
        yield _rows(lines, word)
    yield _rows([left], word)


def _rows(lines: list[bytes], word: bytes) -> Floats:
    parts = [line.split(None, 4) for line in lines]
    rows = [part[1:4] for part in parts if len(part) > 3 and part[0] == word]
    return np.array(rows, dtype=bytes).astype(float).reshape(-1, 3)


class _Arrays(ContentHandler):
    """Collects the arrays of numbers that are positions, and the length of the file's unit."""

    def __init__(self) -> None:
        super().__init__()
        self.unit, self.array, self.source = 1.0, "", ""
        self.text: list[str] = []
        self.found: dict[str, Floats] = {}
        self.positions: set[str] = set()

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        given = dict(attrs.items())
        if name == "unit":
            self.unit = float(given.get("meter", 1.0))
        elif name == "source":
            self.source = given.get("id", "")
        elif name == "input" and given.get("semantic") == "POSITION":
            self.positions.add(given.get("source", "").lstrip("#"))
        self.array = self.source if name == "float_array" else ""
        self.text = []

    def characters(self, content: str) -> None:
        if self.array:
            self.text.append(content)

    def endElement(self, name: str) -> None:
        if name == "float_array" and self.array:
            numbers = np.array("".join(self.text).split(), dtype=float)
            self.found[self.array] = numbers[: len(numbers) // 3 * 3].reshape(-1, 3)
        self.array = ""


def _collada(file: BinaryIO) -> Iterator[Floats]:
    from xml.sax import SAXException

    from defusedxml.expatreader import create_parser

    parser, arrays = create_parser(forbid_dtd=True), _Arrays()
    parser.setContentHandler(arrays)
    try:
        while piece := file.read(PIECE):
            parser.feed(piece)
    except SAXException as error:
        raise ValueError(str(error)) from None
    for name in arrays.positions & arrays.found.keys():
        yield arrays.unit * arrays.found[name]
