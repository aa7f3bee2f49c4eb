"""Plain data of the parser's nodes: what a YAML file holds, and where.

Only nodes are made by ruamel: data that remembers its comments, so that it could be written
again, would take twice as long.
"""

from __future__ import annotations

from functools import cache, cached_property
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
def _reader_class() -> Any:
    """ruamel's reader that stops at too many open brackets, not at the end of the file: its time
    grows with their number squared. Its parts find each other once, not for every character."""
    from ruamel.yaml import YAML, composer, parser, scanner

    class Scanner(scanner.Scanner):
        @cached_property
        def reader(self) -> Any:
            return self.loader.reader

        def fetch_flow_collection_start(self, *args: Any, **kwargs: Any) -> None:
            if len(self.flow_context) > DEEPEST:
                raise RecursionError
            super().fetch_flow_collection_start(*args, **kwargs)

    class Parser(parser.Parser):
        @cached_property
        def scanner(self) -> Any:
            return self.loader.scanner

    class Composer(composer.Composer):
        @cached_property
        def parser(self) -> Any:
            return self.loader.parser

    class Reader(YAML):
        def __init__(self) -> None:
            super().__init__(typ="safe", pure=True)
            self.Scanner, self.Parser, self.Composer = Scanner, Parser, Composer

        def official_plug_ins(self) -> list[str]:
            return []  # its folder would be searched for them each time

    return Reader


def reader() -> Any:
    """ruamel's reader, the same on every machine."""
    return _reader_class()()


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
