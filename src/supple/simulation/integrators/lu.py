"""Small dense systems: A x = b by elimination with exchange of rows."""

from __future__ import annotations

from ...tracer.python import LANES, Reals, least, where


def factor(n: int, A: Reals, order: Reals) -> None:
    """A (n, n) becomes its factors L U, in the place of it; order: which row went where."""
    for k in range(n):
        if LANES == 1:
            best = k
            for i in range(k + 1, n):
                if abs(A[i * n + k]) > abs(A[best * n + k]):
                    best = i
            order[k] = 1.0 * best
            if best != k:
                for j in range(n):
                    kept = A[k * n + j]
                    A[k * n + j] = A[best * n + j]
                    A[best * n + j] = kept
        else:
            _exchange(n, k, A, order)
        inverse = 1.0 / A[k * n + k]
        A[k * n + k] = inverse
        for i in range(k + 1, n):
            share = A[i * n + k] * inverse
            A[i * n + k] = share
            for j in range(k + 1, n):
                A[i * n + j] -= share * A[k * n + j]


def _exchange(n: int, k: int, A: Reals, order: Reals) -> None:
    """Each lane has its own order of rows: larger pivots change places with row k, one after the
    other, and `order` (n, n) keeps who did."""
    for i in range(k + 1, n):
        more = abs(A[i * n + k]) > abs(A[k * n + k])
        order[k * n + i] = where(more, 1.0, 0.0)
        for j in range(n):
            high = A[k * n + j]
            low = A[i * n + j]
            A[k * n + j] = where(more, low, high)
            A[i * n + j] = where(more, high, low)


def solve(n: int, A: Reals, order: Reals, x: Reals) -> None:
    """x becomes the solution, by the factors."""
    for k in range(n):
        if LANES == 1:
            best = least(order[k])
            kept = x[k]
            x[k] = x[best]
            x[best] = kept
        else:
            for i in range(k + 1, n):
                more = order[k * n + i] > 0.0
                high = x[k]
                low = x[i]
                x[k] = where(more, low, high)
                x[i] = where(more, high, low)
    for i in range(n):
        total = x[i]
        for j in range(i):
            total -= A[i * n + j] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, n):
            total -= A[i * n + j] * x[j]
        x[i] = total * A[i * n + i]
