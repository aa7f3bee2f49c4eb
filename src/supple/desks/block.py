"""What goes to a desk and comes back: points, outcomes, and errors in words."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ModelError, SuppleError
from ..types import Floats


@dataclass(frozen=True)
class Points:
    """`values` (points, names): one column for each number that varies."""

    names: tuple[str, ...]
    values: Floats

    def __len__(self) -> int:
        return len(self.values)

    def at(self, k: int) -> dict[str, float]:
        """One point by name."""
        return {n: float(x) for n, x in zip(self.names, self.values[k], strict=True)}

    def some(self, rows: slice | list[int]) -> Points:
        return Points(self.names, self.values[rows])


@dataclass(frozen=True)
class Outcomes:
    """A column for each outcome, and words for each point that has none."""

    columns: dict[str, Floats]
    trouble: list[str]


def words_of(error: Exception) -> str:
    """An error on one line."""
    if isinstance(error, ModelError):
        return "; ".join(f"{fault.key}: {fault.message}".lstrip(": ") for fault in error.faults)
    text = " ".join(str(error).split())
    if isinstance(error, SuppleError):
        return text or type(error).__name__
    return f"{type(error).__name__}: {text[:300]}"
