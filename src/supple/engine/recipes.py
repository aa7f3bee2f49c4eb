"""Two ways to the code of a function: straight-line, or loops over the links.

Straight-line code is traced for one robot and folds all its numbers; it is the fastest up to
some thousands of operations. Loops hold one step for each kind of link: their code stays small
however long the robot is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import InputError
from . import llvm, looped
from .machine import host
from .program import Program
from .trace import Trace


@dataclass(frozen=True)
class About:
    """What is to be known of a function without its trace."""

    arguments: dict[str, int]
    results: dict[str, tuple[int, ...]]
    operations: dict[str, int]
    work: int = 0  # numbers of work space a kernel needs for one state
    loops: bool = False

    @property
    def total(self) -> int:
        """Numbers in all results together."""
        return sum(int(np.prod(shape)) for shape in self.results.values())

    @classmethod
    def read(cls, words: dict[str, Any]) -> About:
        results = {name: tuple(shape) for name, shape in words["results"].items()}
        return cls(**{**{k: words[k] for k in cls.__dataclass_fields__}, "results": results})

    def words(self) -> dict[str, Any]:
        return asdict(self)


class Recipe(ABC):
    """How to make a function's code."""

    @abstractmethod
    def about(self) -> About: ...

    @abstractmethod
    def kernel(self, lanes: int) -> str:
        """Assembly for one state."""

    @abstractmethod
    def batch(self, lanes: int) -> str:
        """Assembly for many states."""

    @abstractmethod
    def trace(self) -> Trace:
        """The whole function as one graph."""

    @abstractmethod
    def jacobian(self, *wrt: str) -> Recipe: ...

    @abstractmethod
    def hessian_vector(self, wrt: str) -> Recipe: ...


Other = Callable[[tuple[str, ...]], Recipe | None]
"""The recipe of a Jacobian in these arguments, where it is not to be straight-line."""


class Straight(Recipe):
    """All of it in one piece."""

    def __init__(
        self,
        make: Callable[[], Trace],
        slope: Callable[[tuple[str, ...]], Recipe | None] | None = None,
    ) -> None:
        self._make = make
        self._slope = slope

    @cached_property
    def _trace(self) -> Trace:
        return self._make()

    @cached_property
    def _program(self) -> Program:
        return self._trace.program()

    def trace(self) -> Trace:
        return self._trace

    def about(self) -> About:
        sizes = {name: len(v) for name, v in self._trace.inputs.items()}
        shapes = dict(zip(self._trace.results, self._trace.shapes, strict=True))
        return About(sizes, shapes, self._program.operations())

    def kernel(self, lanes: int) -> str:
        return llvm.kernel(self._program, lanes)

    def batch(self, lanes: int) -> str:
        return llvm.batch(self._program, lanes)

    def jacobian(self, *wrt: str) -> Recipe:
        other = self._slope(wrt) if self._slope is not None else None
        return other or Straight(lambda: self._trace.jacobian(*wrt))

    def hessian_vector(self, wrt: str) -> Recipe:
        return Straight(lambda: self._trace.hessian_vector(wrt))


class Looped(Recipe):
    """A step for each kind of link, run over the tree."""

    def __init__(self, wish: looped.Wish, whole: Callable[[], Trace]) -> None:
        self._wish, self._whole = wish, whole

    @cached_property
    def _made(self) -> tuple[looped.Frame, dict[str, tuple[int, ...]]]:
        return looped.loops(self._wish)

    def trace(self) -> Trace:
        whole = self._whole()
        return whole.jacobian(*self._wish.wrt) if self._wish.wrt else whole

    def about(self) -> About:
        frame, shapes = self._made
        wrt = "_".join(self._wish.wrt)
        if self._wish.columns:
            shapes = {
                f"d{name}_d{wrt}" if wrt else name: (*s, frame.width) for name, s in shapes.items()
            }
        work = frame.work * (host().lanes if self._wish.columns else 1)  # side by side
        return About(frame.arguments, shapes, _operations(frame), work, loops=True)

    def kernel(self, lanes: int) -> str:
        return looped.kernel(self._made[0], lanes)

    def batch(self, lanes: int) -> str:
        return looped.batch(self._made[0], lanes)

    def jacobian(self, *wrt: str) -> Recipe:
        if self._wish.columns:
            raise InputError("loops are differentiated once; compile with loops=False for more")
        return Looped(replace(self._wish, wrt=wrt), self._whole)

    def hessian_vector(self, wrt: str) -> Recipe:
        raise InputError(
            "loops have no second derivatives; compile(..., loops=False) gives hessian_vector"
        )


def _operations(frame: looped.Frame) -> dict[str, int]:
    """Of one evaluation: each block counts for every link of its kind."""
    members = Counter(row[0] for row in frame.index)
    total: Counter[str] = Counter()
    plan = frame.plan
    blocks = [(members[kind], block) for (_, kind), block in plan.blocks.items()]
    for times, block in [*blocks, (1, plan.before), (1, plan.after)]:
        for name, count in block.program.operations().items():
            total[name] += times * count
    rounds = frame.width if frame.columns is not None else 1
    return {name: count * rounds for name, count in total.items()}
