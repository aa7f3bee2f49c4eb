"""YAML with places: every key knows its line and column, for errors that point."""

from __future__ import annotations

import stat
import warnings
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from ..errors import Fault, ModelError, printable

LARGEST = 200_000  # bytes; a hundred links take about 30 000
DEEPEST = 40  # keys and list items one inside the other
MOST = 100_000  # values, after aliases are followed


@dataclass(frozen=True)
class Document:
    """A parsed file: plain data, and where each key stood."""

    data: dict[str, Any]
    source: str
    lines: tuple[str, ...] = ()
    places: dict[tuple[str | int, ...], tuple[int, int]] | None = None

    def fault(self, path: tuple[str | int, ...], message: str, help: str = "") -> Fault:
        """A fault at a key, or at its nearest ancestor that the file has."""
        places = self.places or {}
        known: tuple[str | int, ...] = path
        while known and known not in places:
            known = known[:-1]
        if known not in places:
            return Fault(message, path, help=help)
        line, column = places[known]
        text = self.lines[line] if line < len(self.lines) else ""
        return Fault(message, path, line + 1, column + 1, text, help)


def read(path: FilePath) -> Document:
    """Read a model file, or say in one ModelError why not."""
    source = printable(str(path))

    def stop(message: str, help: str = "") -> ModelError:
        return ModelError([Fault(message, help=help)], source)

    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise stop("this is a folder, not a model file")
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise stop("this is a device, not a model file", "a file or a pipe can be read")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)  # no more: a pipe may have no end
        if len(content) > LARGEST:
            raise stop(
                f"the file is larger than {LARGEST / 1e6:g} MB, the most a model file may have",
                "is this a model file? `supple new FILE` writes a template",
            )
        text = content.decode("utf-8-sig")
    except ModelError:
        raise
    except UnicodeDecodeError as error:
        raise stop(
            f"the file is not text (byte {error.start} is not UTF-8)",
            "is this a model file? `supple new FILE` writes a template",
        ) from None
    except (OSError, ValueError) as error:  # a NUL in its name is a ValueError
        hint = "supple new FILE writes one" if isinstance(error, FileNotFoundError) else ""
        reason = getattr(error, "strerror", None) or error
        raise stop(f"cannot read the file: {reason}", hint) from None
    return parse(text, source)


def parse(text: str, source: str = "model") -> Document:
    """Parse YAML text into a Document."""
    from ruamel.yaml.error import MarkedYAMLError

    lines = tuple(text.splitlines())
    places: dict[tuple[str | int, ...], tuple[int, int]] = {}
    try:
        return Document(_plain(_root(text), (), places), source, lines, places)
    except _RefusedError as refused:
        fault = refused.fault
    except MarkedYAMLError as error:
        fault = _marked(error, lines)
    except RecursionError:
        fault = Fault(
            "the file is nested too deeply, or its aliases multiply without end",
            help=f"a model file nests its keys less than {DEEPEST} deep",
        )
    raise ModelError([fault], source)


class _RefusedError(Exception):
    """Text that holds no mapping of keys."""

    def __init__(self, message: str, help: str = "") -> None:
        self.fault = Fault(message, help=help)


def _root(text: str) -> dict[Any, Any]:
    """The outermost mapping as the parser reads it."""
    from ruamel.yaml.error import MarkedYAMLError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an anchor may be written anew
            root = _reader().load(text)
    except (MarkedYAMLError, RecursionError):
        raise
    except Exception as error:  # the parser's own slips on odd input end here too
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise _RefusedError(f"not valid YAML: {reason}") from None
    if isinstance(root, dict):
        return root
    template = "`supple new FILE` writes a commented template"
    if root is None:
        raise _RefusedError("the file is empty", template)
    given = "a list" if isinstance(root, list) else f"{str(root)[:40]!r}"
    words = f"a model file is a mapping of keys (name, links, joints, ...), got {given}"
    raise _RefusedError(words, template)


def _marked(error: Any, lines: tuple[str, ...]) -> Fault:
    """What the parser found, at its line and column."""
    from ruamel.yaml.constructor import DuplicateKeyError

    mark = error.problem_mark or error.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    shown = lines[line] if line < len(lines) else ""
    fault = Fault(*_problem(error), line + 1, column + 1, shown)
    if isinstance(error, DuplicateKeyError):
        fault = replace(fault, help="each key is written once; rename or remove one of the two")
    return fault


@cache
def _scanner() -> Any:
    """ruamel's scanner that stops at too many open brackets, not at the end of the file: its
    time grows with their number squared."""
    from ruamel.yaml.scanner import RoundTripScanner

    class Scanner(RoundTripScanner):
        def fetch_flow_collection_start(self, *args: Any, **kwargs: Any) -> None:
            if len(self.flow_context) > DEEPEST:
                raise RecursionError
            super().fetch_flow_collection_start(*args, **kwargs)

    return Scanner


def _reader() -> Any:
    from ruamel.yaml import YAML

    reader = YAML(typ="rt")
    reader.Scanner = _scanner()
    return reader


def _problem(error: Any) -> tuple[str, tuple[str | int, ...]]:
    """What the parser says, in one plain sentence, and the key it is about."""
    from ruamel.yaml.constructor import DuplicateKeyError

    text = (error.problem or error.context or "it cannot be parsed").split("\n")[0].strip()
    if isinstance(error, DuplicateKeyError):
        name = text.split('"')[1]
        return f"duplicate key {name!r}", (name,)
    if "cannot start any token" in text and "'\\t'" in text:
        text = "a tab cannot indent a line; use spaces"
    if "another document" in text:
        text = "a model file holds one document, here a second one starts"
    return f"not valid YAML: {text}", ()


def _plain(node: Any, path: tuple[str | int, ...], places: dict[Any, tuple[int, int]]) -> Any:
    """Plain Python data; records the place of every key and list item."""
    from ruamel.yaml.scalarbool import ScalarBoolean

    if len(path) > DEEPEST or len(places) > MOST:
        raise RecursionError
    if isinstance(node, dict):
        out = {}
        for key, value in node.items():
            name = key if isinstance(key, str) else str(key)
            here = (*path, name)
            lc = getattr(node, "lc", None)
            if lc is not None and lc.data and key in lc.data:
                places[here] = (lc.data[key][0], lc.data[key][1])
            out[name] = _plain(value, here, places)
        return out
    if isinstance(node, list):
        items = []
        for i, value in enumerate(node):
            here = (*path, i)
            lc = getattr(node, "lc", None)
            if lc is not None and lc.data and i in lc.data:
                places[here] = (lc.data[i][0], lc.data[i][1])
            items.append(_plain(value, here, places))
        return items
    if isinstance(node, bool | ScalarBoolean) or node is None:  # the latter has an anchor
        return node if node is None else bool(node)
    if isinstance(node, int):
        return int(node)
    if isinstance(node, float):
        return float(node)
    return str(node)
