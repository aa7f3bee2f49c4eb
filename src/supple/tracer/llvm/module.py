"""Functions and tables that are compiled together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from .builder import Builder
from .values import Value


class Module:
    """Collects them, and gives their text."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._declared: dict[str, None] = {}

    @contextmanager
    def function(
        self,
        name: str,
        given: Mapping[str, str],
        returns: str = "void",
        *,
        internal: bool = False,  # only called from this module
        inline: bool = True,  # may become part of who calls it
    ) -> Iterator[tuple[Builder, list[Value]]]:
        """Write a function: a builder, and the values of what it is given (name and type,
        with what LLVM may know of it: "ptr noalias")."""
        b = Builder()
        yield b, [Value(f"%{word}", _type(kind)) for word, kind in given.items()]
        if returns == "void":
            b.give()
        arguments = ", ".join(f"{kind} %{word}" for word, kind in given.items())
        link, rule = "internal " * internal, "" if inline else "noinline "
        head = f"define {link}{returns} @{name}({arguments}) {rule}nounwind"
        self._parts.append(f"{head} {{\n" + "\n".join(b.lines) + "\n}")
        self._declared |= b.declared

    def table(self, name: str, element: str, entries: Sequence[str]) -> None:
        """Constant numbers @name, as LLVM writes them."""
        listed = ", ".join([f"{element} {x}" for x in entries])
        self._parts.append(f"@{name} = internal constant [{len(entries)} x {element}] [{listed}]")

    def text(self) -> str:
        return "\n".join([*self._declared, *self._parts]) + "\n"


def _type(kind: str) -> str:
    """The type alone, of one with what LLVM may know of it."""
    return kind if kind[0] == "<" else kind.split(" ", 1)[0]
