"""Rotations as products of plane turns and full matrices.

A revolute joint or a link that bends in one plane turns about one coordinate axis. Kept as
a turn, it moves a symmetric 3x3 matrix in 8 multiplications instead of 45, so a rotation is
a sequence of factors R = F1 F2 ... Fk and is multiplied out only when its matrix is wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from ..types import Array, Floats, Scalar
from .algebra import mirror

_CYCLE = ((1, 2), (2, 0), (0, 1))
_TILT = 0.1  # sine


@dataclass(frozen=True)
class Turn:
    """Rotation about coordinate axis k with cosine c and sine s."""

    k: int
    c: Scalar
    s: Scalar

    @classmethod
    def by(cls, k: int, angle: Scalar) -> Turn:
        """About axis k by an angle. Cosine and sine of a number are numbers of Python."""
        c, s = np.cos(angle), np.sin(angle)
        return cls(k, float(c), float(s)) if isinstance(c, float) else cls(k, c, s)

    def matrix(self) -> Array:
        i, j = _CYCLE[self.k]
        rows: list[list[Scalar]] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        rows[i][i], rows[i][j], rows[j][i], rows[j][j] = self.c, -self.s, self.s, self.c
        return np.array(rows)

    def forth(self, v: Array) -> Array:
        """R v."""
        return self._plane(v, self.s)

    def back(self, v: Array) -> Array:
        """R^T v."""
        return self._plane(v, -self.s)

    def _plane(self, v: Array, s: Scalar) -> Array:
        (i, j), c, out = _CYCLE[self.k], self.c, v.tolist()
        x, y = out[i], out[j]
        out[i], out[j] = c * x - s * y, s * x + c * y
        return np.array(out)

    def symmetric(self, X: Array) -> Array:
        """R X R^T for symmetric X: in the plane w = s (Xii - Xjj) + 2 c Xij does it all."""
        (i, j), k, c, s, out = _CYCLE[self.k], self.k, self.c, self.s, X.tolist()
        ii, ij, ik, jj, jk = out[i][i], out[i][j], out[i][k], out[j][j], out[j][k]
        w = s * (ii - jj) + (c + c) * ij
        sw = s * w
        out[i][i], out[j][j] = ii - sw, jj + sw
        out[i][j] = out[j][i] = c * w - ij
        out[i][k] = out[k][i] = c * ik - s * jk
        out[j][k] = out[k][j] = s * ik + c * jk
        return np.array(out)

    def general(self, X: Array) -> Array:
        """R X R^T for any X."""
        (i, j), k, c, s, out = _CYCLE[self.k], self.k, self.c, self.s, X.tolist()
        ii, ij, ik = out[i][i], out[i][j], out[i][k]
        ji, jj, jk = out[j][i], out[j][j], out[j][k]
        ki, kj = out[k][i], out[k][j]
        w = s * (ii - jj) + c * (ij + ji)
        sw, cw = s * w, c * w
        out[i][i], out[j][j] = ii - sw, jj + sw
        out[i][j], out[j][i] = cw - ji, cw - ij
        out[i][k], out[j][k] = c * ik - s * jk, s * ik + c * jk
        out[k][i], out[k][j] = c * ki - s * kj, s * ki + c * kj
        return np.array(out)


@dataclass(frozen=True, eq=False)
class FullRotation:
    """Rotation given by its matrix."""

    R: Array

    def matrix(self) -> Array:
        return self.R

    def forth(self, v: Array) -> Array:
        return self.R @ v

    def back(self, v: Array) -> Array:
        return v @ self.R

    def symmetric(self, X: Array) -> Array:
        return mirror(self.R @ X @ self.R.T)

    def general(self, X: Array) -> Array:
        return self.R @ X @ self.R.T


@dataclass(frozen=True, eq=False)
class BentRotation:
    """Rotation by its matrix and as turns about coordinate axes. A bending node turns by less
    than a right angle, so three turns always exist.

    Vectors take the matrix (9 multiplications), matrices the turns (24 instead of 45 for a
    symmetric one).
    """

    R: Array
    turns: tuple[Turn, ...]

    @classmethod
    def of(cls, R: Array, last: int = 0) -> BentRotation:
        """R as three turns, the last about axis `last`."""
        k, mid, first, rows = last, (last + 1) % 3, (last + 2) % 3, R.tolist()
        sine = rows[first][k]
        cosine = np.sqrt(1.0 - sine * sine)
        inverse = 1.0 / cosine
        if isinstance(cosine, float):  # a number: those of Python are faster
            cosine, inverse = float(cosine), float(inverse)
        return cls(
            R,
            (
                Turn(first, rows[k][k] * inverse, rows[mid][k] * inverse),
                Turn(mid, cosine, -sine),
                Turn(k, rows[first][first] * inverse, rows[first][mid] * inverse),
            ),
        )

    def with_joint(self, R0: Rotation, joint: Turn) -> BentRotation | None:
        """This rotation, then R0, then a turn about z, as one: its last turn is taken about the
        joint's axis, and joins the joint's. None where R0 sends that axis aside."""
        fixed, z = R0.matrix(), joint.matrix()
        axes = (fixed[:, 2] != 0.0).nonzero()[0]
        k = int(axes[0]) if len(axes) == 1 and fixed[axes[0], 2] in (1.0, -1.0) else None
        if k is None or not all(isinstance(f, Turn) for f in R0.factors):
            return None
        first, mid, end = BentRotation.of(self.R, k).turns
        s = end.s if fixed[k, 2] == 1.0 else -end.s
        both = Turn(2, end.c * joint.c - s * joint.s, s * joint.c + end.c * joint.s)
        middle = tuple(f for f in R0.factors if isinstance(f, Turn))
        return BentRotation(self.R @ fixed @ z, (first, mid, *middle, both))

    def matrix(self) -> Array:
        return self.R

    def forth(self, v: Array) -> Array:
        return self.R @ v

    def back(self, v: Array) -> Array:
        return v @ self.R

    def symmetric(self, X: Array) -> Array:
        for turn in reversed(self.turns):
            X = turn.symmetric(X)
        return X

    def general(self, X: Array) -> Array:
        for turn in reversed(self.turns):
            X = turn.general(X)
        return X


@dataclass(frozen=True)
class Rotation:
    """R = F1 F2 ... Fk; no factors is the identity."""

    factors: tuple[Turn | FullRotation | BentRotation, ...] = ()

    def __matmul__(self, other: Rotation) -> Rotation:
        return Rotation(self.factors + other.factors)

    def matrix(self) -> Array:
        R = [f.matrix() for f in self.factors] or [np.eye(3)]
        return reduce(np.matmul, R)

    def forth(self, v: Array) -> Array:
        """R v: from the turned frame to the frame it was turned in."""
        for f in reversed(self.factors):
            v = f.forth(v)
        return v

    def back(self, v: Array) -> Array:
        """R^T v."""
        for f in self.factors:
            v = f.back(v)
        return v

    def symmetric(self, X: Array) -> Array:
        """R X R^T for symmetric X."""
        for f in reversed(self.factors):
            X = f.symmetric(X)
        return X

    def general(self, X: Array) -> Array:
        """R X R^T for any X."""
        for f in reversed(self.factors):
            X = f.general(X)
        return X

    @classmethod
    def constant(cls, R: Array) -> Rotation:
        """A fixed rotation: the identity has no factors, a coordinate-axis turn is a Turn, any
        other is Rz Rx Rz, of which the last joins a joint about z. Stay whole: axes that only
        change places, which need no products; small tilts, whose turns about z cancel; symbols."""
        if all(R[i, j] == float(i == j) for i in range(3) for j in range(3)):
            return cls()
        for k, (i, j) in enumerate(_CYCLE):
            if _keeps_axis(R, k, i, j):
                return cls((Turn(k, R[i, i], R[j, i]),))
        if not all(isinstance(x, float) for x in R.flat) or np.isin(R, (-1.0, 0.0, 1.0)).all():
            return cls((FullRotation(R),))
        return _z_x_z(R)

    def joined(self, joint: Turn) -> tuple[Rotation, Turn] | None:
        """This rotation, then a turn about z, with a last turn of its own about z taken out of it
        and put into the joint's; None where there is none."""
        *rest, last = self.factors or (None,)
        if not isinstance(last, Turn) or last.k != 2 or joint.k != 2:
            return None
        c = last.c * joint.c - last.s * joint.s
        return Rotation(tuple(rest)), Turn(2, c, last.s * joint.c + last.c * joint.s)


def _keeps_axis(R: Array, k: int, i: int, j: int) -> bool:
    """Whether axis k stays where it is; a symbol is never known to be zero."""
    around = (R[i, k], R[j, k], R[k, i], R[k, j])
    return isinstance(R[k, k], float) and R[k, k] > 0.0 and all(x == 0.0 for x in around)


def _z_x_z(R: Array) -> Rotation:
    """R = Rz Rx Rz: z goes to R[:, 2], and comes from R[2]."""
    tilt = float(np.hypot(R[0, 2], R[1, 2]))
    if tilt < _TILT:
        return Rotation((FullRotation(R),))
    first, last = (-R[1, 2] / tilt, R[0, 2] / tilt), (R[2, 1] / tilt, R[2, 0] / tilt)
    pairs = ((2, first), (0, (R[2, 2], tilt)), (2, last))
    turns = [Turn(k, *snap(np.array(pair)).tolist()) for k, pair in pairs]
    return Rotation(tuple(turn for turn in turns if (turn.c, turn.s) != (1.0, 0.0)))


def snap(R: Floats, tolerance: float = 1e-15) -> Floats:
    """Entries within rounding of 0 or +-1 made exact, so that right angles fold away."""
    out = np.array(R, dtype=float)
    for target in (0.0, 1.0, -1.0):
        out[np.abs(out - target) <= tolerance] = target
    return out


def rpy_matrix(roll: float, pitch: float, yaw: float) -> Floats:
    """Rz(yaw) Ry(pitch) Rx(roll), the URDF convention."""

    def turn(k: int, angle: float) -> Floats:
        return snap(Turn.by(k, angle).matrix())

    return turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)


def rpy_of(R: Floats) -> list[float]:
    """roll, pitch and yaw of R = Rz(yaw) Ry(pitch) Rx(roll). Each is read off what the one before
    leaves, so that together they give R to the last digits also where the pitch is a right angle.
    """
    level = np.hypot(R[0, 0], R[1, 0])
    yaw = float(np.arctan2(R[1, 0], R[0, 0])) if level > 1e-12 else 0.0
    c, s = np.cos(yaw), np.sin(yaw)
    x, y = c * R[0] + s * R[1], c * R[1] - s * R[0]  # the rows of Ry(pitch) Rx(roll)
    pitch = float(np.arctan2(-R[2, 0], x[0]))
    return [float(np.arctan2(-y[2], y[1])), pitch, yaw]


def quaternion_matrix(p: Array) -> Array:
    """R of the quaternion p = (w, x, y, z), of any length but zero."""
    w, x, y, z = p
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return np.array(
        [
            [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)],
        ]
    )


def rotation_from_axes(z: Floats) -> Floats:
    """A rotation whose third column is the unit vector z; exact for coordinate axes."""
    z = np.asarray(z, dtype=float)
    k = int(np.argmax(np.abs(z)))
    if abs(z[k]) == 1.0:
        R = np.zeros((3, 3))
        i, j = _CYCLE[k]
        R[k, 2], R[i, 0], R[j, 1] = z[k], 1.0, z[k]
        return R
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = x - z * (z @ x)
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])
