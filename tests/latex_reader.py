"""LaTeX of equations read back: lines, entries, and the numbers that a reader sees in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from supple.symbolic.stumpff import stumpff


def blocks(text: str) -> list[list[str]]:
    """The lines of formulas that are set out below each other."""
    found = re.findall(r"\\begin\{align\*?\}\n(.*?)\n\\end", text, re.DOTALL)
    return [block.split(" \\\\\n") for block in found]


def rows(text: str) -> list[str]:
    """All of them."""
    return [line for block in blocks(text) for line in block]


class Reader:
    """Numbers of formulas as a reader sees them: sums, products side by side, bars, powers."""

    def __init__(self, text: str, values: dict[str, float]) -> None:
        names = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
        text = re.sub(r"\\(?:quad|notag|[bB]igg?[lr])|\{\}|&", " ", text)
        self.tokens = re.findall(rf"{names}|\d+(?:\.\d+)?|\\[a-z]+|c_|\S", text)[::-1]
        self.values = values

    def next(self, *wanted: str) -> bool:
        return bool(self.tokens) and self.tokens[-1] in wanted

    def expect(self, token: str) -> None:
        assert self.tokens.pop() == token

    def sum(self) -> float:
        total = 0.0 if self.next("-", "+") else self.product()
        while self.next("+", "-"):
            sign = 1.0 if self.tokens.pop() == "+" else -1.0
            total += sign * self.product()
        return total

    def product(self) -> float:
        out = self.power(self.factor())
        while self.tokens and not self.next("+", "-", ")", "}", ","):
            if self.next(r"\cdot"):
                self.tokens.pop()
            out *= self.power(self.factor())
        return out

    def power(self, base: float) -> float:
        return base ** self.script() if self.next("^") else base

    def script(self) -> float:
        self.tokens.pop()
        return self.group("{", "}")[0]

    def group(self, left: str, right: str) -> list[float]:
        self.expect(left)
        out = [self.sum()]
        while self.next(","):
            self.tokens.pop()
            out.append(self.sum())
        self.expect(right)
        return out

    def factor(self) -> float:
        if self.next("("):
            return self.group("(", ")")[0]
        token = self.tokens.pop()
        if token in self.values:
            return self.values[token]
        if token == r"\frac":
            return self.group("{", "}")[0] / self.group("{", "}")[0]
        if token == "c_":
            k = int(self.group("{", "}")[0])
            return float(stumpff(k, self.group("(", ")")[0]))
        if token[0] == "\\":
            above = self.script() if self.next("^") else 1.0
            found = {"\\sin": np.sin, "\\cos": np.cos, "\\tanh": np.tanh, "\\max": max}[token]
            return float(found(*self.group("(", ")")) ** above)
        return float(token)


def entries(text: str) -> Iterator[tuple[str, str]]:
    """Left and right sides."""
    whole = "\n".join(rows(text.partition(r"\subsection*{Parameters}")[0]))
    parts = re.split(r"^(\S.*?) &= ", whole, flags=re.MULTILINE)[1:]
    yield from zip(parts[::2], parts[1::2], strict=True)
