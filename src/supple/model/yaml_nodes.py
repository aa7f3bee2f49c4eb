"""Plain data of the parser's nodes: what a YAML file holds, and where.

Only nodes are made by ruamel: data that remembers its comments, so that it could be written
again, would take twice as long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..errors import Fault
from ..types import Word

if TYPE_CHECKING:
    from ruamel.yaml import YAML
    from ruamel.yaml.constructor import SafeConstructor
    from ruamel.yaml.error import StreamMark
    from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

DEEPEST = 40  # keys and list items one inside the other
MOST = 100_000  # values, after aliases are followed

Path = tuple[str | int, ...]
"""Keys and list places, from the outermost in."""

Node: TypeAlias = "ScalarNode | SequenceNode | MappingNode"

Pairs: TypeAlias = dict[str, "tuple[Node, Node]"]
"""The nodes of a key and of its value, by the key's name."""

NOT_TEXT = ("int", "float", "bool", "null")
"""Kinds of scalars, as the ends of YAML's names for them."""


class Places(dict[Path, tuple[int, int]]):
    """Line and column of every key and list item, from zero."""


class RefusedError(Exception):
    """Text that holds no mapping of keys."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


def reader() -> YAML:
    """ruamel's reader, the same on every machine."""
    from ruamel.yaml import YAML

    from .quick_yaml import Composer, Parser, Scanner

    out = YAML(typ="safe", pure=True)
    out.Scanner, out.Parser, out.Composer = Scanner, Parser, Composer
    return out


class PlainData:
    """Dictionaries, lists, texts, numbers; notes the place of every key and list item.

    `scalars` reads numbers: ruamel's constructor.
    """

    def __init__(self, scalars: SafeConstructor, places: Places) -> None:
        self.scalars, self.places = scalars, places
        self.known: dict[int, Pairs] = {}  # of nodes that aliases name again

    def value(self, node: Node, path: Path = ()) -> Word:
        if len(path) > DEEPEST or len(self.places) > MOST:
            raise RecursionError
        if node.id == "scalar":
            return self._scalar(node)
        if node.id == "sequence":
            return [self._at(x, (*path, i), x) for i, x in enumerate(node.value)]
        pairs = self._pairs(node).items()
        return {name: self._at(key, (*path, name), x) for name, (key, x) in pairs}

    def _at(self, place: Node, path: Path, node: Node) -> Word:
        mark = place.start_mark
        self.places[path] = (mark.line, mark.column)
        return self.value(node, path)

    def _scalar(self, node: Node) -> Word:
        kind = (node.tag or "").rpartition(":")[2]
        if kind not in NOT_TEXT:
            text: str = node.value
            return text
        number: Word = getattr(self.scalars, f"construct_yaml_{kind}")(node)
        return number

    def _pairs(self, node: Node) -> Pairs:
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

    def _name(self, key: Node) -> str:
        return str(self._scalar(key) if key.id == "scalar" else _alone(self.scalars, key))

    def _merged(self, node: Node) -> Pairs:
        """Of the mapping that `<<` names, or of a list of them: the first one counts."""
        if node.id == "mapping":
            return self._pairs(node)
        if node.id == "sequence" and all(x.id == "mapping" for x in node.value):
            return {k: x for part in reversed(node.value) for k, x in self._pairs(part).items()}
        words = "not valid YAML: << merges a mapping, or a list of mappings"
        mark = node.start_mark
        raise RefusedError(Fault(words, ("<<",), mark.line + 1, mark.column + 1))


def _alone(scalars: SafeConstructor, node: Node) -> Word:
    """A key that is no text: its own keys have no places in the file's data."""
    return PlainData(scalars, Places()).value(node)


def _twice(name: str, mark: StreamMark) -> RefusedError:
    help = "each key is written once; rename or remove one of the two"
    words = f"duplicate key {name!r}"
    return RefusedError(Fault(words, (name,), mark.line + 1, mark.column + 1, help=help))
