"""What a function takes and gives: arguments checked and shaped, results given their shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..types import Floats, refuse_masked
from .trace import places

_ARRAY = np.ndarray

Number = TypeVar("Number", bound=np.generic)


class Signature:
    """Checks and shapes arguments and results; knows nothing of machine code."""

    def __init__(
        self,
        name: str,
        arguments: dict[str, int],
        results: dict[str, tuple[int, ...]],
        dtype: str = "float64",
    ) -> None:
        self.name, self.arguments, self.results = name, arguments, results
        self.dtype = np.dtype(dtype)
        self.sizes = tuple(arguments.values())
        self.total = sum(prod(shape) for shape in results.values())
        self.first = next(iter(results.values()))
        self.one_array = len(results) == 1 and () not in results.values()

    def _count(self, arrays: Sequence[ArrayLike]) -> None:
        if len(arrays) != len(self.arguments):
            raise InputError(
                f"{self.name} takes {len(self.arguments)} arrays ({', '.join(self.arguments)}), "
                f"got {len(arrays)}"
            )

    def array(self, value: ArrayLike, name: str) -> Floats:
        """An array of its dtype from what was given, or a clear refusal."""
        refuse_masked(value, f"{name} of {self.name}")
        try:
            a = np.asarray(value)
        except ValueError:
            raise InputError(f"{self.name}: {name} has rows of unequal length") from None
        if a.dtype.kind not in "fiub":
            raise InputError(
                f"{self.name}: {name} has dtype {a.dtype}; real numbers ({self.dtype}) are taken"
            )
        return np.asarray(a, dtype=self.dtype, order="C")

    def one(self, arrays: Sequence[ArrayLike]) -> list[Floats]:
        self._count(arrays)
        out = []
        for (name, size), value in zip(self.arguments.items(), arrays, strict=True):
            a = self.array(value, name)
            if a.shape != (size,):
                raise InputError(
                    f"{self.name}: {name} has shape {a.shape}, expected ({size},); "
                    f"for many states at once use .batch"
                )
            out.append(a)
        return out

    def simple(self, arrays: Sequence[ArrayLike]) -> list[Floats] | None:
        """The same of lists, tuples and arrays of plain numbers, without a word; None: look
        closer."""
        out = []
        for value, size in zip(arrays, self.sizes, strict=False):
            if type(value) not in (np.ndarray, list, tuple):
                return None
            try:
                a = np.array(value, order="C")
            except ValueError:
                return None
            if a.dtype != self.dtype or a.shape != (size,):
                return None
            out.append(a.view(self.dtype))  # unpickled arrays have a dtype object of their own
        return out if len(out) == len(arrays) == len(self.sizes) else None

    def simple_rows(self, arrays: Sequence[ArrayLike]) -> int | None:
        """How many states there are, if all arrays hold so many rows of plain numbers; None: look
        closer."""
        first = arrays[0] if arrays else None
        if len(arrays) != len(self.sizes) or type(first) is not np.ndarray or not first.ndim:
            return None
        count = len(first)
        for a, size in zip(arrays, self.sizes, strict=True):
            if type(a) is not _ARRAY or a.dtype is not self.dtype or a.shape != (count, size):
                return None
        return count

    def rows(self, arrays: Sequence[ArrayLike]) -> tuple[list[Floats], tuple[int, ...]]:
        """Contiguous (states, size) arrays and the common leading shape."""
        self._count(arrays)
        given = []
        for (name, size), value in zip(self.arguments.items(), arrays, strict=True):
            a = self.array(value, name)
            if a.ndim == 0 or a.shape[-1] != size:
                raise InputError(
                    f"{self.name}.batch: {name} has shape {a.shape}, expected (..., {size})"
                )
            given.append(a)
        lead = self._lead(given)
        return [_spread(a, lead) for a in given], lead

    def _lead(self, given: Sequence[Floats]) -> tuple[int, ...]:
        """The leading axes that all arrays share."""
        try:
            return np.broadcast_shapes(*[a.shape[:-1] for a in given])
        except ValueError:
            shapes = ", ".join(f"{n} {a.shape}" for n, a in zip(self.arguments, given, strict=True))
            raise InputError(f"{self.name}.batch: leading axes do not match: {shapes}") from None

    def target(
        self, out: Floats | None, lead: tuple[int, ...], total: int
    ) -> tuple[Floats, Floats | None]:
        """Where to write: (flat array, the user's array or None)."""
        if out is None:
            return np.empty((prod(lead), total), self.dtype), None
        self.check_out(out, lead)
        return out.reshape((prod(lead), total)), out

    def check_out(self, out: object, lead: tuple[int, ...]) -> None:
        """That `out` can take the one result."""
        if len(self.results) != 1:
            raise InputError(f"{self.name} has {len(self.results)} results; out= takes one")
        shape = (*lead, *next(iter(self.results.values())))
        if not isinstance(out, np.ndarray) or out.dtype != self.dtype or np.ma.isMA(out):
            raise InputError(f"{self.name}: out must be a {self.dtype} array without a mask")
        if out.shape != shape:
            raise InputError(f"{self.name}: out has shape {out.shape}, expected {shape}")
        if not out.flags.writeable:
            raise InputError(f"{self.name}: out is read-only")
        if not (out.flags.c_contiguous and out.flags.aligned):
            raise InputError(f"{self.name}: out must be contiguous")

    def parts(
        self, flat: NDArray[Number], lead: tuple[int, ...]
    ) -> NDArray[Number] | tuple[NDArray[Number], ...]:
        """The results with their own shapes; one result stands alone."""
        if len(self.results) == 1:
            return flat.reshape((*lead, *next(iter(self.results.values()))))[()]
        where = places(self.results)
        return tuple(flat[..., where[n]].reshape((*lead, *s)) for n, s in self.results.items())

    def no_names(self, others: Iterable[str]) -> str:
        return (
            f"{self.name} takes its arrays by place, in this order: {', '.join(self.arguments)}"
            f"; by name it takes out= alone, not {', '.join(others)}"
        )


def _spread(a: Floats, lead: tuple[int, ...]) -> Floats:
    """One row for each state."""
    whole = np.broadcast_to(a, (*lead, a.shape[-1]))
    return np.ascontiguousarray(whole).reshape((prod(lead), a.shape[-1]))
