"""YAML with places: every key knows its line and column, for errors that point."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from ..errors import Fault, ModelError, let_signals_through, printable
from ..types import Word
from .model_files import file_bytes
from .yaml_nodes import DEEPEST, Path, Places, PlainData, RefusedError, reader

if TYPE_CHECKING:
    from ruamel.yaml.error import MarkedYAMLError

LARGEST = 200_000  # bytes; a hundred links take about 30 000


@dataclass(frozen=True)
class Document:
    """A parsed file: plain data, and where each key stood."""

    data: Mapping[str, object]
    source: str
    lines: tuple[str, ...] = ()
    places: Places | None = None
    folder: FilePath = FilePath()  # where files that it names are

    def fault(self, path: Path, message: str, help: str = "") -> Fault:
        """A fault at a key, or at its nearest ancestor that the file has."""
        places = self.places or Places()
        known = path
        while known and known not in places:
            known = known[:-1]
        if known not in places:
            return Fault(message, path, help=help)
        line, column = places[known]
        text = self.lines[line] if line < len(self.lines) else ""
        return Fault(message, path, line + 1, column + 1, text, help)


def read(path: FilePath) -> Document:
    """Read a model file, or say in one ModelError why not."""
    return replace(parse(*read_text(path)), folder=path.parent)


def read_text(path: FilePath) -> tuple[str, str]:
    """Its text, and what it is called in messages."""
    source = printable(str(path))
    template = "is this a model file? `supple new FILE` writes a template"
    try:
        text = file_bytes(path, LARGEST, template).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"the file is not text (byte {error.start} is not UTF-8)"
        raise ModelError([Fault(reason, help=template)], source) from None
    return text, source


def parse(text: str, source: str = "model") -> Document:
    """Parse YAML text into a Document."""
    from ruamel.yaml.error import MarkedYAMLError

    lines, places = tuple(text.splitlines()), Places()
    try:
        return Document(_mapping(text, places), source, lines, places)
    except RefusedError as refused:
        fault = refused.fault
    except MarkedYAMLError as error:
        fault = _marked(error)
    except RecursionError:
        fault = Fault(
            "the file is nested too deeply, or its aliases multiply without end",
            help=f"a model file nests its keys less than {DEEPEST} deep",
        )
    shown = lines[fault.line - 1] if fault.line and fault.line <= len(lines) else ""
    raise ModelError([replace(fault, text=shown)], source)


def _mapping(text: str, places: Places) -> dict[str, Word]:
    """The outermost mapping, as plain data."""
    from ruamel.yaml.error import MarkedYAMLError

    yaml = reader()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an anchor may be written anew
            root = yaml.compose(text)
            data = None if root is None else PlainData(yaml.constructor, places).value(root)
    except (MarkedYAMLError, RecursionError, RefusedError):
        raise
    except Exception as error:  # the parser's own slips on odd input end here too
        let_signals_through(error)
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise RefusedError(Fault(f"not valid YAML: {reason}")) from None
    if isinstance(data, dict):
        return data
    template = "`supple new FILE` writes a commented template"
    if data is None:
        raise RefusedError(Fault("the file is empty", help=template))
    given = "a list" if isinstance(data, list) else f"{str(data)[:40]!r}"
    words = f"a model file is a mapping of keys (name, links, joints, ...), got {given}"
    raise RefusedError(Fault(words, help=template))


def _marked(error: MarkedYAMLError) -> Fault:
    """What the parser found, in one plain sentence, at its line and column."""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    text = (error.problem or error.context or "it cannot be parsed").split("\n")[0].strip()
    if "cannot start any token" in text and "'\\t'" in text:
        text = "a tab cannot indent a line; use spaces"
    if "another document" in text:
        text = "a model file holds one document, here a second one starts"
    return Fault(f"not valid YAML: {text}", (), line + 1, column + 1)
