"""Plain data of the parser's nodes: what a YAML file holds, and where.

Only nodes are made by ruamel: data that remembers its comments, so that it could be written
again, would take twice as long.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..errors import Fault

DEEPEST = 40  # keys and list items one inside the other
MOST = 100_000  # values, after aliases are followed

Path = tuple[str | int, ...]
"""Keys and list places, from the outermost in."""

Pairs = dict[str, tuple[Any, Any]]
"""The nodes of a key and of its value, by the key's name."""

NOT_TEXT = ("int", "float", "bool", "null")
"""Kinds of scalars, as the ends of YAML's names for them."""


class Places(dict[Path, tuple[int, int]]):
    """Line and column of every key and list item, from zero."""


class RefusedError(Exception):
    """Text that holds no mapping of keys."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


@cache
def _parts() -> tuple[Any, Any, Any]:
    """ruamel's scanner, parser and composer, made faster: each finds the others once, not at
    every token, and the scanner looks once whether its next token is known. It stops at too many
    open brackets, not at the end of the file: its time grows with their number squared."""
    from ruamel.yaml.composer import Composer as PlainComposer
    from ruamel.yaml.parser import Parser as PlainParser
    from ruamel.yaml.scanner import Scanner as PlainScanner

    class Scanner(PlainScanner):
        reader: Any = None
        known = False  # the next token: it is the first of `tokens`, or there is none

        def __init__(self, loader: Any) -> None:
            self.reader = loader.reader
            super().__init__(loader)

        def look(self) -> None:
            while self.need_more_tokens():
                self.fetch_more_tokens()
            self.known = True

        def peek_token(self) -> Any:
            if not self.known:
                self.look()
            return self.tokens[0] if self.tokens else None

        def check_token(self, *kinds: Any) -> bool:
            if not self.known:
                self.look()
            return bool(self.tokens) and isinstance(self.tokens[0], kinds or object)

        def get_token(self) -> Any:
            token = self.peek_token()
            if token is not None:
                del self.tokens[0]
                self.tokens_taken += 1
                self.known = False
            return token

        def fetch_flow_collection_start(self, *args: Any, **kwargs: Any) -> None:
            if len(self.flow_context) > DEEPEST:
                raise RecursionError
            super().fetch_flow_collection_start(*args, **kwargs)

    class Parser(PlainParser):
        scanner: Any = None

        def __init__(self, loader: Any) -> None:
            self.scanner = loader.scanner
            super().__init__(loader)

    class Composer(PlainComposer):
        parser: Any = None
        resolver: Any = None

        def __init__(self, loader: Any) -> None:
            self.parser, self.resolver = loader.parser, loader.resolver
            super().__init__(loader)

    return Scanner, Parser, Composer


def reader() -> Any:
    """ruamel's reader, the same on every machine."""
    from ruamel.yaml import YAML

    out = YAML(typ="safe", pure=True)
    out.Scanner, out.Parser, out.Composer = _parts()
    return out


class PlainData:
    """Dictionaries, lists, texts, numbers; notes the place of every key and list item.

    `scalars` reads numbers: ruamel's constructor.
    """

    def __init__(self, scalars: Any, places: Places) -> None:
        self.scalars, self.places = scalars, places
        self.known: dict[int, Pairs] = {}  # of nodes that aliases name again

    def value(self, node: Any, path: Path = ()) -> Any:
        if len(path) > DEEPEST or len(self.places) > MOST:
            raise RecursionError
        if node.id == "scalar":
            return self._scalar(node)
        if node.id == "sequence":
            return [self._at(x, (*path, i), x) for i, x in enumerate(node.value)]
        pairs = self._pairs(node).items()
        return {name: self._at(key, (*path, name), x) for name, (key, x) in pairs}

    def _at(self, place: Any, path: Path, node: Any) -> Any:
        mark = place.start_mark
        self.places[path] = (mark.line, mark.column)
        return self.value(node, path)

    def _scalar(self, node: Any) -> Any:
        kind = node.tag.rpartition(":")[2]
        if kind not in NOT_TEXT:
            return node.value
        return getattr(self.scalars, f"construct_yaml_{kind}")(node)

    def _pairs(self, node: Any) -> Pairs:
        """Of a mapping: its own, then what `<<` merges."""
        if id(node) not in self.known:
            own: Pairs = {}
            merged: Pairs = {}
            for key, value in node.value:
                if key.tag.endswith(":merge"):
                    merged = {**self._merged(value), **merged}
                    continue
                name = self._name(key)
                if name in own:
                    raise _twice(name, key.start_mark)
                own[name] = (key, value)
            self.known[id(node)] = own | {k: x for k, x in merged.items() if k not in own}
        return self.known[id(node)]

    def _name(self, key: Any) -> str:
        return str(self._scalar(key) if key.id == "scalar" else _alone(self.scalars, key))

    def _merged(self, node: Any) -> Pairs:
        """Of the mapping that `<<` names, or of a list of them: the first one counts."""
        if node.id == "mapping":
            return self._pairs(node)
        if node.id == "sequence" and all(x.id == "mapping" for x in node.value):
            return {k: x for part in reversed(node.value) for k, x in self._pairs(part).items()}
        words = "not valid YAML: << merges a mapping, or a list of mappings"
        mark = node.start_mark
        raise RefusedError(Fault(words, ("<<",), mark.line + 1, mark.column + 1))


def _alone(scalars: Any, node: Any) -> Any:
    """A key that is no text: its own keys have no places in the file's data."""
    return PlainData(scalars, Places()).value(node)


def _twice(name: str, mark: Any) -> RefusedError:
    help = "each key is written once; rename or remove one of the two"
    words = f"duplicate key {name!r}"
    return RefusedError(Fault(words, (name,), mark.line + 1, mark.column + 1, help=help))
