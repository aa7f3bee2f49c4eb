"""What a joint is to the recursions, to the model file, and to equations in symbols.

A joint places a link frame in the frame of the station it hangs on, and says along which of
the six coordinates of the twist [w; v] (link axes, at the link origin O) it moves freely.
The link frame's z axis is the joint axis, so these directions are always coordinate axes:
P_i q_dot_i puts the rates at the indices `axes`. A kind that moves otherwise is several such
joints, one after the other, with massless links between them: its `parts`. One rate along two
directions at once (a screw) is no joint here.

A new kind is one class of `joints/kinds.py`, and its name in `KINDS` there.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from ..screws import FullRotation, Rotation, Turn
from ..types import Array, Floats, Scalar


@dataclass(frozen=True)
class JointPart:
    """One motion of a joint that is several: what names it, its kind, and its axis 0, 1 or 2."""

    name: str
    kind: str
    axis: int


@dataclass(frozen=True)
class Joint(ABC):
    """One kind of joint. Kinds are stateless; what belongs to one joint is in `Drive`.

    A kind says where the link is by `position`, and by `angle` or `matrix`: what it does not
    define stays at zero. Parts of a kind say it in its place.
    """

    kind: ClassVar[str]
    meaning: ClassVar[str]  # what it does, after its name: "turns about its axis"
    axes: ClassVar[tuple[int, ...]]
    coordinates: ClassVar[tuple[str, ...]]  # suffixes of the configuration's names
    speeds: ClassVar[tuple[str, ...]]  # suffixes of the velocity's names
    symbols: ClassVar[tuple[str, ...]]  # of the coordinates in equations; {n} is the link's number
    speed_symbols: ClassVar[tuple[str, ...]] = ()  # none: the coordinates' own with a dot
    has_axis: ClassVar[bool] = False  # whether the user gives it an axis
    as_turns: ClassVar[Mapping[str, str]] = {}  # other coordinates: turns about these axes in turn
    parts: ClassVar[tuple[JointPart, ...]] = ()  # of a kind that is several joints in a tree

    @property
    def nq(self) -> int:
        return len(self.coordinates)

    @property
    def nv(self) -> int:
        return len(self.axes)

    def position(self, q: Array) -> Array | None:
        """Where O is in the station's frame; None: at its origin."""
        return None

    def angle(self, q: Array) -> Scalar | None:
        """The turn of the link frame about z; None: not a turn about z."""
        return None

    def matrix(self, q: Array) -> Array | None:
        """Any other rotation of the link frame, (3, 3); None: no other."""
        return None

    @final
    def place(self, q: Array) -> tuple[Array | None, Rotation]:
        """Position of O in the station's frame (None: zero) and rotation of the link frame."""
        angle, matrix = self.angle(q), self.matrix(q)
        if angle is not None:
            return self.position(q), Rotation((Turn.by(2, angle),))
        return self.position(q), Rotation() if matrix is None else Rotation((FullRotation(matrix),))

    def rates(self, q: Array, u: Array) -> Array:
        """Time derivative of the configuration q for joint rates u."""
        return u

    def neutral(self) -> Floats:
        """The configuration of the undisplaced joint."""
        return np.zeros(self.nq)

    def normalized(self, q: Array) -> Array:
        """The same configuration with unit quaternions."""
        return q

    def spread(self, u: Array) -> tuple[Array, Array]:
        """Relative twist (w, v) for joint rates u."""
        six: list[object] = [0.0] * 6
        for k, value in zip(self.axes, u, strict=True):
            six[k] = value
        return np.array(six[:3]), np.array(six[3:])
