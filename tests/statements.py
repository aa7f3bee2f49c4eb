"""The statements of Python files, without their expressions: soon walked through."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

INSIDE = ("body", "handlers", "cases", "orelse", "finalbody")


def statements(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All of them, those within others too."""
    for node in body:
        yield node
        for name in INSIDE:
            yield from statements(getattr(node, name, ()))
