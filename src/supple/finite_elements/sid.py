"""Standard Input Data of a flexible body as data: matrices that are Taylor series in the shapes.

    M(q) = M0 + sum_k M1_k q_k

Reference: [Wallrapp]; a file holds M1 as m1(row, shape, column).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..lazy import cached_property
from ..types import Floats

ZERO, DIAGONAL, SYMMETRIC, GENERAL, UNIT = range(5)
"""What `structure` says of a matrix."""

SERIES = ("mdCM", "J", "Ct", "Cr", "Me", "Gr", "Ge", "Oe", "ksigma", "Ke", "De")
OWN = ("Pe", "Ee")
"""What Supple adds: int rho S_k S_l^T of all shapes, and the affine fields of products of shapes.
Without them a body is the same to second order in its shapes; with them, exactly."""


@dataclass(frozen=True)
class Taylor:
    """One matrix: sizes, structure, and its entries that differ from zero, counted from 0."""

    nrow: int
    ncol: int
    nq: int = 0
    structure: int = GENERAL
    zero: Mapping[tuple[int, int], float] = field(default_factory=dict)
    one: Mapping[tuple[int, int, int], float] = field(default_factory=dict)

    @property
    def order(self) -> int:
        return 1 if self.one else 0

    @cached_property
    def M0(self) -> Floats:
        """(nrow, ncol)."""
        out = np.eye(self.nrow, self.ncol) if self.structure == UNIT else np.zeros(self.size)
        for (i, j), value in self.zero.items():
            out[i, j] = value
            if self.structure == SYMMETRIC:
                out[j, i] = value
        return out

    @cached_property
    def M1(self) -> Floats:
        """(nrow, nq, ncol)."""
        out = np.zeros((self.nrow, self.nq, self.ncol))
        for (i, k, j), value in self.one.items():
            out[i, k, j] = value
            if self.structure == SYMMETRIC:
                out[j, k, i] = value
        return out

    @property
    def size(self) -> tuple[int, int]:
        return self.nrow, self.ncol

    @classmethod
    def of(cls, M0: Floats, M1: Floats | None = None, structure: int = GENERAL) -> Taylor:
        """From arrays (nrow, ncol) and (nrow, nq, ncol)."""
        keep = [tuple(map(int, at)) for at in np.argwhere(M0)]
        if structure == SYMMETRIC:
            keep = [(i, j) for i, j in keep if j <= i]
        zero = {(i, j): float(M0[i, j]) for i, j in keep}
        if M1 is None:
            return cls(len(M0), M0.shape[1], 0, structure, zero)
        places = [tuple(map(int, at)) for at in np.argwhere(M1)]
        if structure == SYMMETRIC:
            places = [(i, k, j) for i, k, j in places if j <= i]
        one = {(i, k, j): float(M1[i, k, j]) for i, k, j in places}
        return cls(len(M0), M0.shape[1], M1.shape[1], structure, zero, one)


@dataclass(frozen=True)
class SidNode:
    """A node: where it is (origin), how shapes move it (phi) and turn it (psi), its axes (AP)."""

    id: str
    parts: Mapping[str, Taylor]


@dataclass(frozen=True)
class Sid:
    """A whole file."""

    mass: float
    shapes: tuple[str, ...]  # the names that the file gives them
    nodes: tuple[SidNode, ...]
    parts: Mapping[str, Taylor]
    source: str = "body"

    @property
    def m(self) -> int:
        return len(self.shapes)
