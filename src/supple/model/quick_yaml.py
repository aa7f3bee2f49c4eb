"""ruamel's scanner, parser and composer, made faster: each finds the others once, not at every
token, and the scanner looks once whether its next token is known. It stops at too many open
brackets, not at the end of the file: its time grows with their number squared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruamel.yaml.composer import Composer as PlainComposer
from ruamel.yaml.parser import Parser as PlainParser
from ruamel.yaml.scanner import Scanner as PlainScanner

from .yaml_nodes import DEEPEST

if TYPE_CHECKING:
    from ruamel.yaml import YAML
    from ruamel.yaml.reader import Reader
    from ruamel.yaml.resolver import BaseResolver
    from ruamel.yaml.tokens import Token


class Scanner(PlainScanner):
    """Makes tokens of letters."""

    reader: Reader | None = None
    known = False  # the next token: it is the first of `tokens`, or there is none

    def __init__(self, loader: YAML) -> None:
        self.reader = loader.reader
        super().__init__(loader)

    def look(self) -> None:
        while self.need_more_tokens():
            self.fetch_more_tokens()
        self.known = True

    def peek_token(self) -> Token | None:
        if not self.known:
            self.look()
        return self.tokens[0] if self.tokens else None

    def check_token(self, *kinds: type[Token]) -> bool:
        if not self.known:
            self.look()
        return bool(self.tokens) and isinstance(self.tokens[0], kinds or object)

    def get_token(self) -> Token | None:
        token = self.peek_token()
        if token is not None:
            del self.tokens[0]
            self.tokens_taken += 1
            self.known = False
        return token

    def fetch_flow_collection_start(self, TokenClass: type[Token], to_push: str) -> None:
        if len(self.flow_context) > DEEPEST:
            raise RecursionError
        super().fetch_flow_collection_start(TokenClass, to_push)


class Parser(PlainParser):
    """Makes events of tokens."""

    scanner: Scanner | None = None

    def __init__(self, loader: YAML) -> None:
        self.scanner = loader.scanner
        super().__init__(loader)


class Composer(PlainComposer):
    """Makes nodes of events."""

    parser: Parser | None = None
    resolver: BaseResolver | None = None

    def __init__(self, loader: Any = None) -> None:
        self.parser, self.resolver = loader.parser, loader.resolver
        super().__init__(loader)
