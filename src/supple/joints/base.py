"""What a joint is to the recursions.

A joint places a link frame in the frame of the station it hangs on, and says along which of
the six coordinates of the twist [w; v] (link axes, at the link origin O) it moves freely.
The link frame's z axis is the joint axis, so these directions are always coordinate axes:
P_i q_dot_i puts the rates at the indices `axes`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from ..screws import Rotation
from ..types import Array, Floats


class Joint(ABC):
    """One kind of joint. Kinds are stateless; what belongs to one joint is in `Drive`."""

    kind: ClassVar[str]
    axes: ClassVar[tuple[int, ...]]
    coordinates: ClassVar[tuple[str, ...]]  # suffixes of the configuration's names
    speeds: ClassVar[tuple[str, ...]]  # suffixes of the velocity's names

    @property
    def nq(self) -> int:
        return len(self.coordinates)

    @property
    def nv(self) -> int:
        return len(self.axes)

    @abstractmethod
    def place(self, q: Array) -> tuple[Array | None, Rotation]:
        """Position of O in the station's frame (None: zero) and rotation of the link frame."""

    def rates(self, q: Array, u: Array) -> Array:
        """Time derivative of the configuration q for joint rates u."""
        return u

    def neutral(self) -> Floats:
        """The configuration of the undisplaced joint."""
        return np.zeros(self.nq)

    def normalized(self, q: Floats) -> Floats:
        """The same configuration with unit quaternions."""
        return q

    def spread(self, u: Array) -> tuple[Array, Array]:
        """Relative twist (w, v) for joint rates u."""
        six: list[object] = [0.0] * 6
        for k, value in zip(self.axes, u, strict=True):
            six[k] = value
        return np.array(six[:3]), np.array(six[3:])
