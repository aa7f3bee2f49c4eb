"""How freely a closed chain moves: what the rank of the closure's Jacobian leaves.

    degrees of freedom = nv - rank J,      redundant rows = rows - rank J

J at one place may have less rank than nearby (a singular place), and a place off the loops more
(a planar loop in space). So the rank is taken at closed places around the given one: the largest
of them is the chain's own. Rows and rates are scaled by the robot's size: lengths and angles
count alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..robot import Robot
from ..types import Floats
from .assembly import (
    AssemblyProblem,
    descend,
    free_rates,
    motor_links,
    moved,
    rate_scale,
    row_scale,
)
from .closure import closure_jacobian

DEPENDENT = 1e-7  # of the largest singular value: below it a row follows from others
NEARBY = 3  # closed places around that are looked at
STEP = 0.1  # how far they are [rad, robot's size]


@dataclass(frozen=True)
class Mobility:
    """Degrees of freedom of a closed chain, its redundant rows, and what its motors can do."""

    rows: int  # of the closure
    rank: int  # of its Jacobian, at most closed places
    rank_here: int  # less at a singular place
    degrees_of_freedom: int  # shapes included
    rigid: int  # those left when no link bends
    motors: int  # rates that have one
    driven: int  # degrees of freedom that the motors hold when no link bends

    @property
    def redundant(self) -> int:
        """Rows that follow from others: forces in them are not decided by the motion."""
        return self.rows - self.rank

    @property
    def singular(self) -> bool:
        """Whether the chain is at a place in which it gains freedom for an instant."""
        return self.rank_here < self.rank

    @property
    def spare_motors(self) -> int:
        """Motors beyond what the motion needs: their torques are not decided by it."""
        return self.motors - self.driven

    @property
    def undriven(self) -> int:
        """Degrees of freedom of the stiff robot that no motor holds."""
        return self.rigid - self.driven

    def __str__(self) -> str:
        bends = self.degrees_of_freedom - self.rigid
        lines = [
            f"{self.degrees_of_freedom} degrees of freedom, {bends} of them elastic",
            f"{self.rows} closure equations, {self.redundant} of them redundant",
            f"{self.motors} motors, {self.spare_motors} to spare; they leave {self.undriven} "
            f"degrees of freedom to themselves",
        ]
        if self.singular:
            lines.append(f"singular here: {self.rank - self.rank_here} more for an instant")
        return "\n".join(lines)


def mobility(robot: Robot, q: Floats) -> Mobility:
    """Of a robot at a place in which its loops are closed."""
    joints = robot.joint_indices
    here = scaled_jacobian(robot, q)
    nearby = [scaled_jacobian(robot, x) for x in around(robot, q)]
    J = max([here, *nearby], key=lambda J: (rank(J), rank(J, joints)))
    others = [k for k in joints if k in free_rates(robot, motor_links(robot))]
    rigid = len(joints) - rank(J, joints)
    return Mobility(
        rows=len(J),
        rank=rank(J),
        rank_here=rank(here),
        degrees_of_freedom=robot.nv - rank(J),
        rigid=rigid - len(robot.gears),
        motors=len(robot.motor_indices),
        driven=rigid - len(robot.gears) - (len(others) - rank(J, others)),
    )


def degrees_of_freedom(robot: Robot) -> int:
    """Of any robot, open or closed, around where it stands by itself."""
    return mobility(robot, robot.home()).degrees_of_freedom if robot.loops else robot.nv


def scaled_jacobian(robot: Robot, q: Floats) -> Floats:
    """J with rows and rates measured by the robot's size."""
    J = np.asarray(closure_jacobian(robot, q), dtype=float)
    return np.asarray(row_scale(robot)[:, None] * J * rate_scale(robot))


def rank(J: Floats, rates: Sequence[int] | None = None) -> int:
    """Of a scaled Jacobian, or of its columns of these rates."""
    largest = float(np.linalg.svd(J, compute_uv=False).max(initial=1e-300))
    part = J if rates is None else J[:, list(rates)]
    return int(np.sum(np.linalg.svd(part, compute_uv=False) > DEPENDENT * largest))


def around(robot: Robot, q: Floats) -> list[Floats]:
    """Closed places a small step away, along the directions in which the chain is free."""
    joints, rates = robot.joint_indices, rate_scale(robot)
    _, values, V = np.linalg.svd(scaled_jacobian(robot, q)[:, joints])
    free = V[int(np.sum(values > DEPENDENT * values.max(initial=1e-300))) :]
    rng, out = np.random.default_rng(1), []
    for _ in range(NEARBY if len(free) else 0):
        step = np.zeros(robot.nv)
        step[joints] = rng.normal(size=len(free)) @ free
        step *= STEP / max(float(np.linalg.norm(step)), 1e-300)
        found = descend(AssemblyProblem(robot), moved(robot, q, rates * step))
        if found.closed:
            out.append(found.q)
    return out
