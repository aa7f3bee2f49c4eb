"""Closed chains by subsystems: the branches of the spanning tree, solved one after another.

A subsystem is what hangs on one joint of the base. Its equations of motion, free of the
reactions at its uncut joints, hold as unknowns the multipliers of the cuts on it and its motors:

    N_j^T w_j* = tau_j^E + tau_j^lambda                                            (42)

It is determinate when the unknowns are as many as its joints' coordinates. What is found makes
others determinate; where none is, the smallest group of subsystems that is determinate is solved
at once, at last the whole tree (43)-(46). A body with known motion may be the base; its own
equations come last. Shapes of links that bend ask for no unknown: their forces follow.
Reference: [Saha], section 4; errata: (37) a fixed base adds no degrees of freedom, (40).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .. import recursion
from ..errors import InputError
from ..recursion.inverse import Wrenches
from ..recursion.sweep import ancestry
from ..robot import Loop, Robot
from ..types import Floats
from .actuation import motor_places
from .closure import closure_jacobian, loop_rows
from .rows import kept_rows


@dataclass(frozen=True)
class Subsystem:
    """A branch of the tree: its links with their labels in the paper's manner, its joints'
    coordinates, and the unknowns in its equations."""

    name: str
    links: tuple[int, ...]
    labels: tuple[str, ...]
    freedom: tuple[int, ...]
    rows: tuple[int, ...]  # of the closure
    motors: tuple[int, ...]  # places in the velocity

    @property
    def determinate(self) -> bool:
        """Whether its own equations give all its unknowns."""
        return len(self.rows) + len(self.motors) == len(self.freedom)


@dataclass(frozen=True)
class Step:
    """Subsystems solved at once, and what is found."""

    subsystems: tuple[str, ...]
    equations: tuple[int, ...]
    rows: tuple[int, ...]
    motors: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.equations)


def subsystems(robot: Robot, base: str | None = None) -> tuple[Subsystem, ...]:
    """The subsystems I, II, ... of the tree that the cuts leave, in the order of their joints."""
    ground = robot.index(base) if base is not None else -1
    below = ancestry(robot.parents, ground)
    kept, motors = kept_rows(robot), motor_places(robot)
    roots = [i for i in range(len(robot.links)) if robot.parents[i] in (-1, *below)]
    groups = [[i] if i in below else _branch(robot, i) for i in roots]
    groups.sort(key=lambda links: links[0] in below)  # the base's own equations come last
    around = {
        r: _around(robot, loop)
        for loop, span in zip(robot.loops, loop_rows(robot), strict=True)
        for r in range(span.start, span.stop)
    }
    out = []
    for k, links in enumerate(groups):
        places = tuple(x for i in links for x in range(robot.nv)[robot.links[i].u])
        rows = tuple(r for r in kept if around[r] & set(links))
        own = tuple(x for x in places if x in motors)
        name = "base" if links[0] in below else _roman(k + 1)
        out.append(Subsystem(name, tuple(links), _labels(robot, name, links), places, rows, own))
    return tuple(out)


def _around(robot: Robot, loop: Loop) -> set[int]:
    """The links that move one side of a cut and not the other; those that a tie ties."""
    if loop.is_tie:
        return {loop.first[0], loop.second[0]}
    a, b = (set(ancestry(robot.parents, i)) for i, _ in (loop.first, loop.second))
    return a ^ b


def _branch(robot: Robot, root: int) -> list[int]:
    return [i for i in range(len(robot.links)) if root in ancestry(robot.parents, i)]


def _labels(robot: Robot, name: str, links: list[int]) -> tuple[str, ...]:
    """#I-2 of a serial subsystem; #I-2^0 of the main chain, #I-1^2 of a chain from its second
    body; of several such chains #I-1^2.1, #I-1^2.2; of chains from chains #I-1^2/1."""
    chains = _chains(robot, links)
    label: dict[int, str] = {}
    for superscript, chain in chains:
        tail = f"^{superscript}" if len(chains) > 1 else ""
        label |= {i: f"#{name}-{k + 1}{tail}" for k, i in enumerate(chain)}
    return tuple(label[i] for i in links)


def _chains(robot: Robot, links: list[int]) -> list[tuple[str, list[int]]]:
    """The longest chain from the root, then those that branch from it, with superscripts."""
    ends = [[j for j in reversed(ancestry(robot.parents, i)) if j in links] for i in links]
    main = max(ends, key=len)
    out, waiting = [("0", main)], [("0", main)]
    left = [i for i in links if i not in main]
    while left and waiting:
        above, chain = waiting.pop(0)
        for k, body in enumerate(chain):
            starts = [i for i in left if robot.parents[i] == body]
            for n, start in enumerate(starts):
                tails = [[j for j in end if j in left] for end in ends if start in end]
                longest = max(tails, key=len)
                number = f"{k + 1}" + (f".{n + 1}" if len(starts) > 1 else "")
                name = number if above == "0" else f"{above}/{number}"
                out.append((name, longest))
                waiting.append(out[-1])
                left = [i for i in left if i not in longest]
    return out


def _roman(n: int) -> str:
    out = ""
    for value, letters in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while n >= value:
            out, n = out + letters, n - value
    return out


def order_of_solution(robot: Robot, base: str | None = None) -> tuple[Step, ...]:
    """Which subsystems are solved when. InputError where motors are too many or too few."""
    parts = subsystems(robot, base)
    steps = ordered(parts)
    if steps is None:
        raise InputError(_undetermined(robot, parts))
    return steps


def ordered(parts: tuple[Subsystem, ...]) -> tuple[Step, ...] | None:
    """Steps that solve all subsystems, the smallest there are at each; None where some stay
    undetermined."""
    left, known, steps = list(parts), set[int](), []
    while left:
        group = _determinate(left, known)
        if group is None:
            return None
        equations = tuple(k for s in group for k in s.freedom)
        rows = tuple(dict.fromkeys(r for s in group for r in s.rows if r not in known))
        motors = tuple(k for s in group for k in s.motors)
        steps.append(Step(tuple(s.name for s in group), equations, rows, motors))
        known |= set(rows)
        left = [s for s in left if s not in group]
    return tuple(steps)


def _determinate(left: list[Subsystem], known: set[int]) -> tuple[Subsystem, ...] | None:
    """The smallest group with as many unknowns as equations: one subsystem, two, ..., all."""
    for size in range(1, len(left) + 1):
        for group in combinations(left, size):
            if _unknowns(group, known) == sum(len(s.freedom) for s in group):
                return group
    return None


def _unknowns(group: tuple[Subsystem, ...], known: set[int]) -> int:
    rows = {r for s in group for r in s.rows} - known
    return len(rows) + sum(len(s.motors) for s in group)


def _undetermined(robot: Robot, parts: tuple[Subsystem, ...]) -> str:
    unknowns, equations = _unknowns(parts, set()), sum(len(s.freedom) for s in parts)
    word, way = ("many", "take some away") if unknowns > equations else ("few", "add some")
    return (
        f"{robot.name} has too {word} motors to be solved by subsystems: {unknowns} unknowns for "
        f"{equations} equations; {way} in `actuated`, or use "
        f"supple.inverse_dynamics, which takes the smallest torques"
    )


@dataclass(frozen=True)
class SubsystemForces:
    """Generalised forces (nv,), multipliers of all rows (zero where left out), and the steps."""

    tau: Floats
    multipliers: Floats
    steps: tuple[Step, ...]


def subsystem_forces(
    robot: Robot,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    external: Wrenches | None = None,
    base: str | None = None,
) -> SubsystemForces:
    """Forces of the motors and at the cuts for a motion that agrees with the loops, found
    subsystem by subsystem."""
    need = np.asarray(recursion.inverse_dynamics(robot, q, qd, qdd, external), dtype=float)
    J = np.asarray(closure_jacobian(robot, q), dtype=float)
    tau, forces = np.zeros(robot.nv), np.zeros(len(J))
    steps = order_of_solution(robot, base)
    for step in steps:
        places, rows, motors = (list(x) for x in (step.equations, step.rows, step.motors))
        A = np.hstack([np.eye(robot.nv)[np.ix_(places, motors)], J[np.ix_(rows, places)].T])
        found = np.linalg.solve(A, need[places] - forces @ J[:, places])
        tau[motors], forces[rows] = found[: len(motors)], found[len(motors) :]
    shapes = robot.mode_indices
    tau[shapes] = need[shapes] - forces @ J[:, shapes]
    return SubsystemForces(tau, forces, steps)
