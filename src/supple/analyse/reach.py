"""The inverse question of statics: joints that bring a station to a place, at rest, under load."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, recursion
from ..errors import InputError, SimulationError, brief
from ..robot import Robot
from ..types import Floats
from .closed_equilibrium import held_chain
from .closed_reach import closed_firsts, closed_search
from .equilibrium import Equilibrium
from .loads import Loads, checked_loads
from .places import closed_places, joint_places
from .result import Statics, judged
from .targets import TRIES, Wanted, misses, place, residual_length, size, starts
from .validity import refusal

BEST = 3  # of these, how many are tried on the bending one
SMALL = 20  # coordinates up to which a compiled tangent is worth it for as many steps
PATIENCE = 6  # steps in which a search must come a tenth nearer
Search = Callable[[Floats, Wanted], tuple[Statics | None, float]]


def reach(
    robot: Robot,
    target: Mapping[str, Sequence[float | None]],
    wrench: Loads = None,
    *,
    start: ArrayLike | Mapping[str, float] | None = None,
) -> Statics:
    """Joints and shapes at rest that bring each station to its place {station: (x, y, z)}.

    Of a closed chain the motors go where the station gets there, the loops closed.
    A coordinate that is None is free. `start` is where the search begins; a robot with joints
    to spare ends near it. Newton's method on places and equilibrium together; where it does not
    get there, it begins again elsewhere (the same places each time), with a warning if you gave
    the start.
    """
    checks.check_robot(robot, "reach")
    if not isinstance(target, Mapping):
        raise InputError(
            f"target is {brief(target)}; give a mapping of stations to places, e.g. "
            f"{{'link3.tip': (1.0, 0.5, None)}}"
        )
    if not robot.motor_indices:
        kind = "motor" if robot.loops else "joint that moves"
        raise InputError(f"{robot.name} has no {kind}; there is nothing to reach with")
    wanted = [(where, place(robot, where, at)) for where, at in target.items()]
    if not wanted:
        raise InputError("reach needs a target, e.g. {'link3.tip': (1.0, 0.5, None)}")
    loads = checked_loads(robot, wrench)
    with np.errstate(all="ignore"):  # steps that go too far are halved
        return judged(_found(robot, loads, start, wanted))


def _found(
    robot: Robot,
    loads: dict[str, Floats],
    start: ArrayLike | Mapping[str, float] | None,
    wanted: Wanted,
) -> Statics:
    if robot.loops:
        q = closed_places(robot, start, "start")
        chain = held_chain(robot, q, loads)
        firsts, search = closed_firsts(robot, q, wanted), partial(closed_search, chain)
    else:
        at, q = Equilibrium(robot, loads, small=SMALL), joint_places(robot, start, "start")
        firsts, search = _firsts(robot, q, wanted), partial(_search, at)
    elsewhere = (
        f"the search from the given start does not bring {robot.name} to its target: this posture "
        f"was found from another start, and may be far away. Go there in smaller steps to stay near"
    )
    return _tried(firsts, search, robot, wanted, () if start is None else (elsewhere,))


def _tried(
    firsts: Iterator[Floats],
    search: Search,
    robot: Robot,
    wanted: Wanted,
    elsewhere: tuple[str, ...],
) -> Statics:
    """What is found from the first start that leads to a rest with a meaning; `elsewhere`: what is
    said if that is not the first of all."""
    nearest, bent = np.inf, None
    for k, first in enumerate(firsts):
        try:
            found, left = search(first, wanted)
        except np.linalg.LinAlgError:
            continue
        if found is not None and refusal(robot, found.q) is None:
            return replace(found, warnings=elsewhere) if k else found
        bent, nearest = bent or found, min(nearest, left)
    if bent is not None:
        return bent
    raise SimulationError(
        f"{robot.name} does not bring {', '.join(where for where, _ in wanted)} to its target: of "
        f"{TRIES} starts the best ends {nearest:.3g} m away. It is out of reach, or hard to find: "
        f"leave a coordinate free (None), or begin near it (start=...)"
    )


def _firsts(robot: Robot, q: Floats, wanted: Wanted) -> Iterator[Floats]:
    """q, then the best of the other starts, if bending can bridge what is left."""
    yield q
    first = (robot.unwound(x) for x in starts(robot))
    others = sorted((_unbent(robot, x, wanted) for x in first), key=lambda pair: pair[0])
    far = max(size(robot, bending=True), 0.1 * size(robot))
    yield from (x for left, x in others[:BEST] if left < far)


def _unbent(robot: Robot, q: Floats, wanted: Wanted) -> tuple[float, Floats]:
    """How near the robot comes from q as if it did not bend, and where it then is."""
    gap, J = misses(robot, q, wanted)
    joints, step = list(robot.joint_indices), np.zeros(robot.nv)
    for _ in range(30):
        move = np.linalg.lstsq(J[:, joints], -gap, rcond=1e-3)[0]
        step[joints] = move * min(1.0, 0.5 / max(np.abs(move).max(), 1e-12))
        new = robot.normalized(q + recursion.configuration_rate(robot, q, step))
        after, J = misses(robot, new, wanted)
        if not np.linalg.norm(after) < (1.0 - 1e-6) * np.linalg.norm(gap):
            break
        q, gap = new, after
    return float(np.linalg.norm(gap)), robot.unwound(q)


def _search(equilibrium: Equilibrium, q: Floats, wanted: Wanted) -> tuple[Statics | None, float]:
    """The equilibrium that Newton's method finds from q, if any, and how far the stations stay
    away."""
    robot = equilibrium.robot
    free = np.eye(robot.nv)[:, robot.free_indices]
    length = residual_length(robot, q, free)

    def state(q: Floats) -> tuple[float, Floats, Floats, Floats]:
        gap, J = misses(robot, q, wanted)
        left = equilibrium.residual(q)
        return float(np.linalg.norm(gap)) + length(free, left), gap, J, left

    rotors = [robot.links[gear.motor].u.start for gear in robot.gears]
    moving = [k for k in robot.joint_indices if k not in rotors]
    merit, gap, J, left = state(q)
    before = [merit]
    for iteration in range(80):
        if np.abs(gap).max() < 1e-11 and length(free, left) < 1e-11:
            return equilibrium.result(q, iteration), 0.0
        K = equilibrium.shape_rows(equilibrium.slope(q, list(range(robot.nv))))
        step = np.linalg.lstsq(np.vstack([J, K]), -np.concatenate([gap, left]), rcond=1e-10)[0]
        step = step * min(1.0, 0.5 / max(np.abs(step[moving]).max(), 1e-12))
        for _ in range(20):
            new = robot.normalized(q + recursion.configuration_rate(robot, q, step))
            after = state(new)
            if np.isfinite(after[0]) and after[0] < merit:
                break
            step = 0.5 * step
        else:
            break
        q, (merit, gap, J, left) = new, after
        before.append(merit)
        if len(before) > PATIENCE and merit > 0.9 * before[-1 - PATIENCE]:
            break
    return None, float(np.linalg.norm(gap))
