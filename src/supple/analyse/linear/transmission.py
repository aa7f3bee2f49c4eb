"""Zeros and transfer functions of a linear system.

Zeros are the s at which [A - s, B; C, D] loses rank. States that the outputs see at once (and,
in the transposed system, that the inputs move at once) are taken away step by step, until D is
regular; the zeros are then the eigenvalues of A - B D^-1 C.
Reference: [EmamiNaeiniVanDooren].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InputError, brief
from ...types import Floats, refuse_masked
from .poles import eigenvalues

NOTHING = 1e-10  # of the largest entry, after scaling: below it a coupling is rounding
SAME = 1e-6  # of its size: a pole and a zero so near cancel

System = tuple[Floats, Floats, Floats, Floats]


@dataclass(frozen=True)
class TransferFunction:
    """gain prod(s - zeros) / prod(s - poles), without the pairs that cancel."""

    output: str
    input: str
    gain: float
    zeros: np.ndarray
    poles: np.ndarray

    @overload
    def __call__(self, s: complex) -> complex: ...

    @overload
    def __call__(self, s: ArrayLike) -> complex | np.ndarray: ...

    def __call__(self, s: ArrayLike) -> complex | np.ndarray:
        """Its value at s; of an array an array of its shape."""
        at = _complex_numbers(s)
        for pole in at[np.isin(at, self.poles)][:1]:
            raise InputError(
                f"{self.output} / {self.input} has no bound at s = {pole:g}, a pole; leave it out"
            )
        value = self.gain * _ratio(at, self.zeros, self.poles)
        return value if at.ndim else complex(value)

    @property
    def numerator(self) -> Floats:
        """Coefficients, highest power first."""
        return np.atleast_1d(self.gain * np.real(np.poly(self.zeros)))

    @property
    def denominator(self) -> Floats:
        """Coefficients, highest power first; the first is 1."""
        return np.atleast_1d(np.real(np.poly(self.poles)))

    def __str__(self) -> str:
        if not self.gain:
            return f"{self.output} / {self.input} = 0"
        top = " ".join(_factors(self.zeros)) or "1"
        bottom = " ".join(_factors(self.poles)) or "1"
        return f"{self.output} / {self.input} = {self.gain:.6g} {top} / [{bottom}]"


def _factors(roots: np.ndarray) -> list[str]:
    free = int(np.sum(roots == 0.0))
    out = ["s" if free == 1 else f"s^{free}"] if free else []
    for z in roots[roots != 0.0]:
        if z.imag == 0.0:
            out.append(f"(s {'-' if z.real > 0 else '+'} {abs(z.real):.6g})")
        elif z.imag > 0.0:
            middle = f" {'-' if z.real > 0 else '+'} {2 * abs(z.real):.6g} s" if z.real else ""
            out.append(f"(s^2{middle} + {abs(z) ** 2:.6g})")
    return out


def _complex_numbers(s: object) -> np.ndarray:
    """An array of finite numbers, or an InputError."""
    refuse_masked(s)
    try:
        at = np.asarray(s)
    except ValueError:  # rows of different lengths
        at = np.array(None)
    if at.dtype.kind not in "iufc" or not np.all(np.isfinite(at)):
        raise InputError(f"s is {brief(s)}; give finite complex numbers, one or an array of them")
    return at.astype(complex)


def _ratio(s: np.ndarray | complex, zeros: np.ndarray, poles: np.ndarray) -> np.ndarray:
    """prod(s - zeros) / prod(s - poles), factor by factor so that nothing overflows."""
    out = np.ones(np.shape(s), dtype=complex)
    for k in range(max(len(zeros), len(poles))):
        out *= s - zeros[k] if k < len(zeros) else 1.0
        out /= s - poles[k] if k < len(poles) else 1.0
    return out


def system_zeros(A: Floats, B: Floats, C: Floats, D: Floats) -> np.ndarray:
    """Finite zeros of a system with as many outputs as inputs; with fewer of one kind those that
    block all of them."""
    system, size = _scaled(A, B, C, D)
    a, b, c, d = _turned(_reduced(*_turned(_reduced(*system))))
    if not len(a):
        return np.zeros(0, dtype=complex)
    if d.shape[0] != d.shape[1]:
        raise InputError(
            "the inputs do not reach the outputs independently: the system has no zeros of its "
            "own; choose other outputs or inputs"
        )
    return size * eigenvalues(a - b @ np.linalg.solve(d, c) if d.size else a)


def _scaled(A: Floats, B: Floats, C: Floats, D: Floats) -> tuple[System, float]:
    """States balanced, inputs and outputs of the size of A, all of it over that size; and the
    size: time is counted in its units."""
    from scipy.linalg import matrix_balance

    if not len(A):
        return (A, B, C, D), 1.0
    a, T = matrix_balance(A, permute=False)
    t = np.diag(T)
    b, c = B / t[:, None], C * t
    size = max(float(np.abs(a).max()), 1e-300)
    columns = np.maximum(np.abs(b).max(axis=0, initial=0.0), np.abs(D).max(axis=0, initial=0.0))
    columns = size / np.where(columns > 0.0, columns, 1.0)
    d = D * columns
    rows = np.maximum(np.abs(c).max(axis=1, initial=0.0), np.abs(d).max(axis=1, initial=0.0))
    rows = size / np.where(rows > 0.0, rows, 1.0)
    scaled = (a, b * columns, c * rows[:, None], d * rows[:, None])
    return (scaled[0] / size, scaled[1] / size, scaled[2] / size, scaled[3] / size), size


def _turned(system: System) -> System:
    A, B, C, D = system
    return A.T, C.T, B.T, D.T


def _reduced(A: Floats, B: Floats, C: Floats, D: Floats) -> System:
    """The same zeros with a D of full row rank."""
    while len(C):
        U, sizes, _ = np.linalg.svd(D) if D.size else (np.eye(len(D)), np.zeros(0), None)
        rank = int((sizes > NOTHING).sum())
        C, D = U.T @ C, U.T @ D
        if rank == len(C):
            break
        seen = C[rank:]
        _, sizes, V = np.linalg.svd(seen) if A.size else (None, np.zeros(0), np.eye(len(A)))
        k = int((sizes > NOTHING).sum())
        C, D = C[:rank], D[:rank]
        if not k:
            break
        V = np.roll(V, -k, axis=0).T  # unseen states first
        A, B, C = V.T @ A @ V, V.T @ B, C @ V
        n = len(A) - k
        C, D = np.vstack([C[:, :n], A[n:, :n]]), np.vstack([D, B[n:]])
        A, B = A[:n, :n], B[:n]
    return A, B, C, D


def transfer(system: System, output: str, input: str) -> TransferFunction:
    """Of one input and one output: A, B (n, 1), C (1, n), D (1, 1)."""
    A, B, C, D = system
    poles, zeros = eigenvalues(A), np.zeros(0, dtype=complex)
    if not _reaches(system):
        return TransferFunction(output, input, 0.0, zeros, zeros)
    zeros = system_zeros(A, B, C, D) if len(A) else zeros
    zeros, poles = _cancelled(zeros, poles)
    s = 1j * 1.37 * max(float(np.median(np.abs(poles))) if len(poles) else 1.0, 1e-3) + 0.11
    value = (C @ np.linalg.solve(s * np.eye(len(A)) - A, B) + D)[0, 0]
    gain = float(np.real(value / _ratio(s, zeros, poles)))
    return TransferFunction(output, input, gain, zeros, poles)


def _reaches(system: System) -> bool:
    """Whether the input moves the output at all: D, C B, C A B, ... are not all nothing."""
    (a, b, c, d), _ = _scaled(*system)
    if np.abs(d).max(initial=0.0) > NOTHING:
        return True
    row = c
    for _ in range(len(a)):
        size = float(np.abs(row).max(initial=0.0))
        if size == 0.0:
            return False
        row = row / size
        if np.abs(row @ b).max(initial=0.0) > NOTHING * np.abs(b).max(initial=1e-300):
            return True
        row = row @ a
    return False


def _cancelled(zeros: np.ndarray, poles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Without the pairs that cancel: motions that the input does not drive, or that the output
    does not see."""
    size = float(np.abs(poles).max(initial=1e-300))
    rest, kept = list(poles), []
    for z in zeros:
        gaps = [abs(z - p) for p in rest]
        k = int(np.argmin(gaps)) if gaps else -1
        if gaps and gaps[k] <= SAME * max(abs(z), 1e-6 * size):
            rest.pop(k)
        else:
            kept.append(z)
    return np.array(kept, dtype=complex), np.array(rest, dtype=complex)


__all__ = ["TransferFunction", "system_zeros", "transfer"]
