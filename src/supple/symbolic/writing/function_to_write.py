"""What every language writes: a name, steps, matrices, and words on the arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial
from typing import TYPE_CHECKING

from ...errors import printable
from ..equations import Equations
from ..shortening.common_terms import Steps
from ..stumpff import TERMS

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class FunctionToWrite:
    """A function to be written: its name, the steps before the matrices, the matrices."""

    eq: Equations
    name: str
    steps: Steps
    matrices: dict[str, sympy.ImmutableMatrix]
    series: list[int]  # Stumpff functions in use

    @property
    def functions(self) -> dict[str, str]:
        """Stumpff functions as printers want to know them."""
        return {f"stumpff{k}": f"stumpff{k}" for k in self.series}

    @property
    def parameters(self) -> list[str]:
        return [x.name for x in self.eq.parameters]

    @property
    def results(self) -> str:
        return ", ".join(self.matrices)

    @property
    def groups(self) -> tuple[tuple[str, list[str]], ...]:
        """The arguments and the names of what they hold."""
        q, qd = [s.name for s in self.eq.q], [s.name for s in self.eq.qd]
        return ("q", q), ("qd", qd), ("p", self.parameters)


def documented(f: FunctionToWrite, called: Callable[[str], str] = str) -> list[str]:
    """Lines that say what goes in and what comes out; `called`: what a name is there."""
    eq = f.eq
    terms = {"R": " + R qd", "friction": " + friction", "contact": " + contact"}
    more = "".join(text for name, text in terms.items() if name in f.matrices)
    spring = "U (q - rest)" if "rest" in f.matrices else "U q"
    cuts = " + J^T lambda, J qdd + gamma = 0, closure = 0" if eq.robot.loops else ""
    lines = [f"M qdd + D qd + {spring} + G{more} = B tau{cuts}", "", "q: configuration"]
    for k, (s, name) in enumerate(zip(eq.q, eq.robot.coordinate_names, strict=True)):
        lines.append(f"  {k + 1:3d}  {called(s.name)}: {name}")
    lines.append("qd: rates")
    for k, (s, name) in enumerate(zip(eq.qd, eq.robot.velocity_names, strict=True)):
        lines.append(f"  {k + 1:3d}  {called(s.name)}: {name}")
    lines += ["parameters: number, name, value in the model, meaning"] if eq.parameters else []
    for k, x in enumerate(eq.parameters):
        lines.append(f"  {k + 1:3d}  {called(x.name)} = {x.value!r}  {x.meaning}")
    lines.append("results: matrices and columns")
    lines += [f"       {n}: {X.rows} x {X.cols}" for n, X in f.matrices.items()]
    return [plain(line) for line in lines]


def plain(text: str) -> str:
    """Text that ends no comment and no string in any of the languages."""
    for old, new in (("\\", "/"), ('"', "'"), ("*/", "* /"), ("/*", "/ *")):
        text = text.replace(old, new)
    return printable(text.replace("(*", "( *").replace("*)", "* )")).rstrip()


def horner(k: int, times: str = "*") -> str:
    """c_k(s) = sum_i (-s)^i / (k + 2 i)!, as text."""
    coefficients = [(-1.0) ** i / factorial(k + 2 * i) for i in range(TERMS + 1)]
    text = repr(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        text = f"({c!r} + s{times}{text})"
    return text


def nonzero(X: sympy.ImmutableMatrix) -> list[tuple[int, int, sympy.Expr]]:
    return [(i, j, X[i, j]) for i in range(X.rows) for j in range(X.cols) if X[i, j] != 0]
