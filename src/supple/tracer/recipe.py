"""How a function's code is made: a recipe, and what is to be known of it without tracing.

`StraightLine` writes a trace down as it is. Other recipes (scans over links) are siblings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import prod

from ..errors import interrupts_unchanged
from ..lazy import cached_property
from .cache import Words
from .llvm.batches import batch
from .llvm.kernels import kernel
from .llvm.values import REAL, SINGLE
from .program import Program
from .trace import NO_TANGENTS, Tangents, Trace


@dataclass(frozen=True)
class FunctionFacts:
    """What is to be known of a function without its trace."""

    arguments: dict[str, int]
    results: dict[str, tuple[int, ...]]
    operations: dict[str, int]
    work: int = 0  # numbers of work space a kernel needs for one state
    unrolled: bool = True  # straight-line code; else it loops over the links

    @property
    def total(self) -> int:
        """Numbers in all results together."""
        return sum(prod(shape) for shape in self.results.values())

    @classmethod
    def read(cls, words: Words) -> FunctionFacts:
        results = {name: tuple(shape) for name, shape in words["results"].items()}
        return cls(**{**{k: words[k] for k in cls.__dataclass_fields__}, "results": results})

    def words(self) -> Words:
        return asdict(self)


class Recipe(ABC):
    """How to make a function's code. `tangents`: which arguments have rates of their own;
    `dtype`: of all numbers."""

    tangents: Tangents = NO_TANGENTS
    dtype: str = "float64"

    @abstractmethod
    def about(self) -> FunctionFacts: ...

    @abstractmethod
    def kernel(self, lanes: int) -> str:
        """Assembly for one state."""

    @abstractmethod
    def batch(self, lanes: int) -> str:
        """Assembly for many states."""

    def wide(self, lanes: int) -> str:
        """Assembly for states side by side in the lanes of vectors; only of unrolled code."""
        raise NotImplementedError

    @abstractmethod
    def trace(self) -> Trace:
        """The whole function as one graph."""

    @abstractmethod
    def jacobian(self, *wrt: str, tangent: bool = False) -> Recipe:
        """With `tangent` its columns run over rates."""

    @abstractmethod
    def hessian_vector(self, wrt: str) -> Recipe: ...

    def jvp(self, *wrt: str, tangent: bool = False) -> Recipe:
        return self._straight(lambda: self.trace().jvp(wrt, self.moved(tangent)))

    def vjp(self, *wrt: str, tangent: bool = False) -> Recipe:
        return self._straight(lambda: self.trace().vjp(wrt, self.moved(tangent)))

    def hessian(self, *wrt: str) -> Recipe:
        return self._straight(lambda: self.trace().hessian(*wrt))

    def _straight(self, make: Callable[[], Trace]) -> Recipe:
        """What is derived from it, in one line."""
        return StraightLine(make, tangents=self.tangents, dtype=self.dtype)

    def moved(self, tangent: bool) -> Tangents:
        return self.tangents if tangent else NO_TANGENTS


OtherJacobian = Callable[[tuple[str, ...], Recipe, bool], Recipe | None]
"""The recipe of a Jacobian in these arguments, where it is not to be the usual one, which is
given; whether its columns run over rates."""


class StraightLine(Recipe):
    """All of it in one line of operations, traced when it is first needed."""

    def __init__(
        self,
        make: Callable[[], Trace],
        jacobian: OtherJacobian | None = None,
        tangents: Tangents = NO_TANGENTS,
        dtype: str = "float64",
    ) -> None:
        self._make = make
        self._jacobian = jacobian
        self.tangents = tangents
        self.dtype = dtype

    @cached_property
    def _trace(self) -> Trace:
        with interrupts_unchanged():
            return self._make()

    @property
    def _program(self) -> Program:
        return self._trace.program()

    def trace(self) -> Trace:
        return self._trace

    def about(self) -> FunctionFacts:
        sizes = {name: len(v) for name, v in self._trace.inputs.items()}
        return FunctionFacts(sizes, self._trace.shapes, self._program.operations())

    @property
    def _real(self) -> str:
        return SINGLE if self.dtype == "float32" else REAL

    def kernel(self, lanes: int) -> str:
        return kernel(self._program, lanes, real=self._real)

    def batch(self, lanes: int) -> str:
        return batch(self._program, lanes, self._real)

    def wide(self, lanes: int) -> str:
        return kernel(self._program, 1, lanes, self._real)

    def jacobian(self, *wrt: str, tangent: bool = False) -> Recipe:
        ways = self.moved(tangent)
        usual = self._straight(lambda: self._trace.jacobian(*wrt, tangents=ways))
        other = self._jacobian(wrt, usual, tangent) if self._jacobian is not None else None
        return other or usual

    def hessian_vector(self, wrt: str) -> Recipe:
        return self._straight(lambda: self._trace.hessian_vector(wrt))
