"""Blocks of a page are run in order, in one namespace and in the folder at hand: by the tests,
which ask that they work, and by the manual, which shows what they print and draw."""

from __future__ import annotations

import ast
import io
import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from blocks import Block

COLUMNS = "84"  # of tables that commands print


@dataclass
class Shown:
    """What a block printed, and the figure that its last line gave."""

    text: str = ""
    figure: Any = None


@dataclass
class Session:
    """One page: what a block defines, those after it know."""

    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def run(self, block: Block) -> Shown:
        if block.file:
            Path(block.file).write_text(block.text, encoding="utf-8")
            return Shown()
        if block.language == "sh":
            return Shown("".join(command(line) for line in lines(block.text)))
        if block.before:
            self._python(block.before, f"{block.place} (before)", 1)
        return self._python(block.text, block.page, block.line)

    def _python(self, text: str, page: str, line: int) -> Shown:
        tree, out = ast.increment_lineno(ast.parse(text, page), line - 1), io.StringIO()
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with redirect_stdout(out), no_browser():
            exec(compile(tree, page, "exec"), self.names)
            value = (
                eval(compile(ast.Expression(last.value), page, "eval"), self.names)
                if last
                else None
            )
        return Shown(out.getvalue(), value if hasattr(value, "savefig") else None)


def lines(text: str) -> list[str]:
    """The command lines of a block, without comments; a line may go on behind a backslash."""
    whole = text.replace("\\\n", " ").splitlines()
    return [line for line in whole if shlex.split(line, comments=True)]


def command(line: str) -> str:
    """What `supple ...` prints, run in this process; it must end well."""
    program, *words = shlex.split(line, comments=True)
    if Path(program).name != "supple":
        raise ValueError(f"only supple's own commands are run, not: {line}")
    from supple.cli import main

    with (
        _as_a_program(["supple", *words]),
        no_browser(),
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(out),
    ):
        try:
            main()
        except SystemExit as leaving:
            if leaving.code:
                raise RuntimeError(f"{line}: exit code {leaving.code}\n{out.getvalue()}") from None
    return out.getvalue()


def no_browser() -> Any:
    """Whoever would open a page finds that it is open."""
    return patch("webbrowser.open", return_value=True)


@contextmanager
def _as_a_program(words: list[str]) -> Iterator[None]:
    """The words, the width of tables and the handling of Ctrl-C of a program of its own."""
    before = sys.argv, os.environ.get("COLUMNS"), signal.getsignal(signal.SIGINT)
    sys.argv, os.environ["COLUMNS"] = words, COLUMNS
    try:
        yield
    finally:
        sys.argv = before[0]
        signal.signal(signal.SIGINT, before[2])
        if before[1] is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before[1]
