"""A robot at rest: what statics finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from .. import checked, recursion
from ..errors import SimulationError, caution
from ..joints import Gear
from ..recursion.gears import gear_matrix, winding
from ..robot import Robot
from ..types import Floats
from . import validity
from .along import BeamState, Gauge, along, gauge, gauges

LITTLE = 0.1  # share of the stiffness: what is left of it is lost to a tenth more of the load


@dataclass(frozen=True, eq=False, repr=False)
class Statics:
    """A robot at rest: configuration q (nq,), generalised forces tau (nv,), and how it stands.

    `stiffness` is d(residual)/d(shapes); where it is positive definite, the equilibrium is stable.
    Of a robot with elastic gears the joints behind them are among the shapes. Of a closed chain
    it is d(residual)/ds along its free directions, the columns of `ways` (nv, n): motors held,
    loops closed. `multipliers` (rows,) are what its cuts carry.
    `linear`: the equations were taken to first order in the shapes.
    `warnings`: why the result is to be read with care.
    """

    robot: Robot
    q: Floats
    tau: Floats
    wrench: dict[str, Floats]
    stiffness: Floats
    residual: float
    iterations: int
    linear: bool = False
    warnings: tuple[str, ...] = field(default=())
    multipliers: Floats = field(default_factory=lambda: np.zeros(0))
    ways: Floats | None = None

    @property
    def joints(self) -> dict[str, float]:
        """Joint coordinates by name."""
        names = self.robot.coordinate_names
        places = [i for link in self.robot.links for i in range(link.q.start, link.q.stop)]
        return {names[i]: float(self.q[i]) for i in places}

    @property
    def torques(self) -> dict[str, float]:
        """Joint torques (forces) by the names of the joint rates; of closed chains those of the
        motors."""
        names = self.robot.velocity_names
        return {names[i]: float(self.tau[i]) for i in self.robot.motor_indices}

    @property
    def shapes(self) -> dict[str, float]:
        """Shape coordinates by name."""
        names = self.robot.coordinate_names
        out: dict[str, float] = {}
        for link in self.robot.links:
            out |= {names[i]: float(self.q[i]) for i in range(link.d.start, link.d.stop)}
        return out

    @property
    def stiffness_left(self) -> float:
        """The smallest share that the loads leave of the shapes' stiffness: 1 without loads, 0 at
        a buckling load, negative beyond it. The smallest x of det(stiffness - x K) = 0 among
        directions that K holds. Joints that hang free, which K does not hold, follow; where
        nothing brings these back, -inf; without bending, 1."""
        from scipy.linalg import eigvalsh

        if not self.robot.modes or not len(self.stiffness):
            return 1.0
        S, K = 0.5 * (self.stiffness + self.stiffness.T), self._own_stiffness
        held = np.eye(len(S)) if self.ways is None else _held(S, K)
        if held is None:
            return -np.inf
        return float(eigvalsh(held.T @ S @ held, held.T @ K @ held)[0])

    @property
    def _own_stiffness(self) -> Floats:
        """Of links and springs, along the same directions as `stiffness`."""
        if self.ways is None:
            return recursion.shape_stiffness(self.robot)
        return np.asarray(self.ways.T @ own_stiffness(self.robot, self.q) @ self.ways)

    @property
    def stable(self) -> bool:
        """Whether the shapes come back after a small push, joints held; of a closed chain all
        that its motors do not hold."""
        if not len(self.stiffness):
            return True
        return bool(np.linalg.eigvalsh(0.5 * (self.stiffness + self.stiffness.T))[0] > 0.0)

    def position(self, station: str) -> Floats:
        """Where a station is in the world: (3,)."""
        return np.asarray(checked.pose(self.robot, self.q, station).p)

    def along(self, points: int = 41) -> dict[str, BeamState]:
        """Every beam, with its section forces under the loads of this rest."""
        return along(self.robot, self.q, external=self.wrench, points=points, cuts=self._cuts)

    def gauge(self, where: str) -> Gauge:
        """A station on a beam, likewise."""
        return gauge(self.robot, self.q, where, external=self.wrench, cuts=self._cuts)

    def gauges(self) -> list[Gauge]:
        """All stations that the model sets on its beams, likewise."""
        return gauges(self.robot, self.q, external=self.wrench, cuts=self._cuts)

    @property
    def _cuts(self) -> Floats | None:
        return self.multipliers if self.robot.loops else None

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    __repr__ = __str__


def own_stiffness(robot: Robot, q: Floats) -> Floats:
    """K (nv, nv) of bending, of the joints' springs, and of elastic gears that are not loose at
    q."""

    def held(gear: Gear) -> float:
        return 0.0 if gear.loose(float(winding(robot, gear, q))) else gear.stiffness

    K = recursion.stiffness_matrix(robot) + gear_matrix(robot, held)
    for link in robot.links:
        K[link.u, link.u] += link.drive.stiffness * np.eye(link.joint.nv)
    return K


def _held(S: Floats, K: Floats) -> Floats | None:
    """Directions (n, m) that K holds; along each, those that it leaves free move as S balances
    them. None where S does not bring these back."""
    sizes, V = np.linalg.eigh(K)
    free, held = np.split(V, [int((sizes <= 1e-12 * sizes[-1]).sum())], axis=1)
    A, scale = free.T @ S @ free, np.abs(np.linalg.eigvalsh(S)).max()
    if np.linalg.eigvalsh(A).min(initial=np.inf) <= 1e-14 * scale:
        return None
    return np.asarray(held - free @ np.linalg.solve(A, free.T @ S @ held))


def judged(
    found: Statics,
    doing: str = "these loads",
    stability: Callable[[Statics, str], Iterator[str]] | None = None,
) -> Statics:
    """The result with its warnings, which are also shown; an error where it is meaningless.
    stability: what is to be said of it, by default as of a robot at rest."""
    reason = validity.refusal(found.robot, found.q)
    if reason is not None:
        raise SimulationError(f"no meaningful equilibrium under {doing}: {reason}")
    words = (
        *found.warnings,
        *validity.findings(found.robot, None, found.q),
        *(stability or _softness)(found, doing),
    )
    for sentence in words:
        caution(sentence)
    return replace(found, warnings=words)


def _softness(found: Statics, doing: str) -> Iterator[str]:
    left = found.stiffness_left
    loose = found.ways is not None and (not np.isfinite(left) or not found.robot.modes)
    if loose and _falls(found):
        yield (
            f"this rest of {found.robot.name} is not stable: a small push makes what its motors "
            f"do not hold leave it. Start nearer to a place where it hangs, or hold more joints "
            f"(`actuated`)"
        )
    elif left <= 0.0 and not loose:
        yield (
            f"this rest of {found.robot.name} is not stable: {doing} are beyond a buckling load "
            f"(stiffness left: {100 * left:.3g} %), a small push makes the shapes leave it. "
            f"Load it less, or make the links stiffer"
        )
    elif not loose:
        yield from near_buckling(found, doing)


def near_buckling(found: Statics, doing: str) -> Iterator[str]:
    """Whether little of the stiffness is left."""
    left = found.stiffness_left
    if left < LITTLE:
        yield (
            f"{doing} are near a buckling load of {found.robot.name}: {100 * left:.2g} % of the "
            f"shapes' stiffness is left, so that a little more load or less stiffness changes the "
            f"deflection much. Load it less, or make the links stiffer"
        )


def _falls(found: Statics) -> bool:
    """Whether a small push grows, beyond rounding: a chain that nothing holds just drifts."""
    robot, S = found.robot, found.stiffness
    weight = robot.mass * float(np.linalg.norm(robot.gravity))
    forces = [np.abs(w).max() for w in found.wrench.values()]
    own = np.abs(own_stiffness(robot, found.q)).max(initial=0.0)
    scale = weight + own + sum(forces)
    return bool(len(S) and np.linalg.eigvalsh(0.5 * (S + S.T))[0] < -1e-9 * scale)


MANY = 12  # rows of a part that a print shows
Rows = list[tuple[str, list[float]]]


def _lines(found: Statics) -> Iterator[str]:
    """The result on one page."""
    how = ", linear" if found.linear else ""
    yield f"{found.robot.name} at rest ({found.robot.elastic_kinematics}{how})"
    loads = [(where, list(wrench)) for where, wrench in found.wrench.items()]
    yield from _part("load", "nx ny nz fx fy fz", loads)
    joints = found.joints
    torques = [(name, [joints.get(name, np.nan), x]) for name, x in found.torques.items()]
    behind = [found.robot.links[gear.link].joint_name for gear in found.robot.gears]
    torques += [(name, [joints[name], np.nan]) for name in behind]
    yield from _part("joint", "position torque", torques)
    yield from _part("shape", "amplitude", [(name, [x]) for name, x in found.shapes.items()])
    tips = [link.name for link in found.robot.links if "tip" in link.body.stations]
    yield from _part("tip", "x y z", [(name, list(found.position(name))) for name in tips])
    stable = "stable" if found.stable else "not stable"
    yield f"{stable}; stiffness left by the loads: {found.stiffness_left:.3g} of the links' own"
    yield from (f"warning: {words}" for words in found.warnings)


def _part(kind: str, columns: str, rows: Rows) -> Iterator[str]:
    """Some rows of numbers under their headings; a dash for a number that is none."""
    if rows:
        yield f"  {kind:<24}" + "".join(f" {head:>11}" for head in columns.split())
    for name, values in rows[:MANY]:
        cells = ["-" if np.isnan(x) else f"{x:.5g}" for x in values]
        yield f"  {name:<24}" + "".join(f" {cell:>11}" for cell in cells)
    if len(rows) > MANY:
        yield f"  ... and {len(rows) - MANY} more"


__all__ = ["Statics", "judged", "near_buckling", "own_stiffness"]
