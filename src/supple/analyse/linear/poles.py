"""Poles: how a linear system moves by itself, and which coordinates move.

Poles at zero (a robot that is free to move) come in blocks that an eigenvalue solver smears over
a circle of the root of its rounding. So they are split off first: the null space of A, then
that of what is left, until there is none. The matrix that remains has the other eigenvalues.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...types import Floats

NOTHING = 1e-13  # of the largest singular value
ROUND = 1e-9  # of a pole's size: less of a real or imaginary part is rounding


@dataclass(frozen=True, eq=False)
class Pole:
    """A pole, or a conjugate pair of them, with the coordinates that move in it.

    shares: of the kinetic energy, by coordinate, largest first; they add up to 1.
    damping: the ratio -Re/|s|; negative where the motion grows.
    """

    value: complex
    shares: dict[str, float]
    count: int = 1  # how many poles: 2 of a pair, or of one that drifts away from zero

    @property
    def omega(self) -> float:
        """|s| [rad/s]."""
        return abs(self.value)

    @property
    def hertz(self) -> float:
        return self.omega / (2.0 * np.pi)

    @property
    def damping(self) -> float:
        return 0.0 - self.value.real / self.omega if self.omega else 0.0

    @property
    def name(self) -> str:
        """The coordinate that has most of the kinetic energy."""
        return next(iter(self.shares), "")

    @property
    def kind(self) -> str:
        """In words: vibrates, decays, grows, moves freely."""
        if self.value == 0.0:
            return "free"
        if self.value.real > 0.0:
            return "grows"
        return "vibrates" if self.value.imag else "decays"


def poles_at_zero(A: Floats) -> tuple[Floats, Floats]:
    """(null space of A (n, k) as columns, what is left of A when zero poles are split off)."""
    first, left = np.zeros((len(A), 0)), A
    while len(left):
        _, sizes, V = np.linalg.svd(left)
        rank = int((sizes > NOTHING * max(float(sizes[0]), 1e-300)).sum())
        if rank == len(left):
            break
        if left is A:
            first = V[rank:].T
        left = V[:rank] @ left @ V[:rank].T
    return first, left


def clean(values: np.ndarray) -> np.ndarray:
    """Parts that are rounding set to zero; sorted by size, then by real and imaginary part."""
    z = np.asarray(values, dtype=complex)
    z = np.where(np.abs(z.real) < ROUND * np.abs(z), 1j * z.imag, z)
    z = np.where(np.abs(z.imag) < ROUND * np.abs(z), z.real + 0j, z)
    size = float(np.abs(z).max(initial=1e-300))
    return z[np.lexsort((z.imag, z.real, np.round(np.abs(z) / size, 12)))]


def eigenvalues(A: Floats) -> np.ndarray:
    """All of them, exact zeros included: (n,)."""
    from scipy.linalg import matrix_balance

    balanced = matrix_balance(A)[0] if len(A) else A
    _, left = poles_at_zero(balanced)
    others = np.linalg.eigvals(left) if len(left) else np.zeros(0)
    zeros = np.zeros(len(A) - len(left))
    return np.concatenate([zeros.astype(complex), clean(others)])


def poles_by_name(A: Floats, inertia: Floats, names: tuple[str, ...]) -> tuple[Pole, ...]:
    """Of each conjugate pair one; zeros first, then by size. A is of x = [z; dz/dt]."""
    from scipy.linalg import eig, matrix_balance

    if not len(A):
        return ()
    balanced, T = matrix_balance(A, permute=False)
    free, left = poles_at_zero(balanced)
    out = [
        Pole(0j, _shares((T @ v)[: len(names)], inertia, names), count)
        for v, count in zip(_simple(free), _spread(len(A) - len(left), free.shape[1]), strict=True)
    ]
    values, vectors = eig(A)
    order = np.argsort(np.abs(values))[len(A) - len(left) :]
    found = []
    for wanted in clean(np.linalg.eigvals(left)) if len(left) else ():
        if wanted.imag < 0.0:
            continue
        k = order[int(np.argmin(np.abs(values[order] - wanted)))]
        shares = _shares(vectors[: len(names), k], inertia, names)
        found.append(Pole(complex(wanted), shares, 2 if wanted.imag else 1))
    return (*out, *found)


def _spread(total: int, parts: int) -> list[int]:
    """As evenly as can be."""
    return [(total + k) // parts for k in reversed(range(parts))]


def _simple(V: Floats) -> list[Floats]:
    """The same space in vectors that each have a coordinate of their own."""
    from scipy.linalg import qr

    if not V.shape[1]:
        return []
    _, R, order = qr(V.T, pivoting=True)
    k = len(R)
    rows = np.linalg.solve(R[:, :k], R)
    out = np.zeros_like(rows)
    out[:, order] = rows
    return list(out)


def _shares(shape: np.ndarray, M: Floats, names: tuple[str, ...]) -> dict[str, float]:
    """|z_i* (M z)_i| over their sum."""
    parts = np.abs(shape.conj() * (M @ shape))
    total = float(parts.sum())
    parts = parts / total if total > 0.0 else np.full(len(names), 1.0 / max(len(names), 1))
    order = np.argsort(-parts, kind="stable")
    return {names[k]: float(parts[k]) for k in order}


__all__ = ["Pole", "clean", "eigenvalues", "poles_by_name"]
