"""Arrays in a page: all in one block of bytes, deflated, and told apart by a list.

Each array is kept once. Its bytes are shuffled (first bytes of all numbers, then second ones):
numbers of a kind have signs and exponents in common, which deflate then sees.
"""

from __future__ import annotations

import base64
import zlib

import numpy as np

from ...types import Floats


class Numbers:
    """Takes arrays, and gives each a place: what stands for it in the page's data."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, tuple[int, ...], bytes], int] = {}
        self._list: list[dict[str, object]] = []
        self._bytes: list[bytes] = []

    def put(self, array: Floats, single: bool = False) -> int:
        """Its number in the list; of half the digits where `single` is enough."""
        kind = "f4" if single else "f8"
        plain = np.ascontiguousarray(array, dtype=f"<{kind}")
        data = plain.tobytes()
        key = (kind, plain.shape, data)
        if key not in self._places:
            self._places[key] = len(self._list)
            self._list.append({"kind": kind, "shape": list(plain.shape)})
            self._bytes.append(_shuffled(data, plain.itemsize))
        return self._places[key]

    @property
    def listed(self) -> list[dict[str, object]]:
        """Kind and shape of each array, in the order of the block."""
        return self._list

    def block(self) -> str:
        """All bytes, deflated, as base64."""
        return base64.b64encode(zlib.compress(b"".join(self._bytes), 9)).decode("ascii")


def _shuffled(data: bytes, size: int) -> bytes:
    return np.frombuffer(data, dtype=np.uint8).reshape(-1, size).T.tobytes()
