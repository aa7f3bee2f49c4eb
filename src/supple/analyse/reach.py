"""The inverse question of statics: joints that bring a station to a place, at rest, under load."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, recursion
from ..errors import InputError, SimulationError, brief
from ..loops.assembly import AssemblyProblem, descend, moved, rate_scale
from ..loops.force_balance import Balance, HeldChain
from ..robot import Robot
from ..types import Floats
from .equilibrium import Equilibrium, chain_statics, held_chain
from .places import Loads, checked_loads, closed_places, joint_places
from .result import Statics, judged, own_stiffness
from .validity import refusal

TRIES = 12  # starts, the user's first; the others are tried on the unbent robot
BEST = 3  # of these, how many are tried on the bending one
FAR = 0.3  # step of a chain [rad, robot's size]: far steps lead to other ways of closing
THERE = 1e-11
HALVINGS = 20
SMALL = 20  # coordinates up to which a compiled tangent is worth it for as many steps
PATIENCE = 6  # steps in which a search must come a tenth nearer
Wanted = list[tuple[str, Floats]]
"""Stations with their places (3,); no number where a coordinate is free."""
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
        for _ in range(HALVINGS):
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


def closed_firsts(robot: Robot, q: Floats, wanted: Wanted) -> Iterator[Floats]:
    """q, then the best of the other closed places, as if nothing bent."""
    yield q
    closed = (descend(AssemblyProblem(robot), x) for x in starts(robot))
    others = [_closed_unbent(robot, x.q, wanted) for x in closed if x.closed]
    yield from (x for _, x in sorted(others, key=lambda pair: pair[0])[:BEST])


def _closed_unbent(robot: Robot, q: Floats, wanted: Wanted) -> tuple[float, Floats]:
    """How near the chain comes from q as if it did not bend, and where it then is."""
    stiff = HeldChain(robot, tuple(robot.mode_indices))
    gap, J = misses(robot, q, wanted)
    for _ in range(40):
        ways = stiff.directions(np.asarray(stiff.jacobian(q), dtype=float))
        step = _limited(robot, ways @ np.linalg.lstsq(J @ ways, -gap, rcond=1e-3)[0])
        new = stiff.closed(moved(robot, q, step))
        if new is None:
            break
        after, slope = misses(robot, new, wanted)
        if not np.linalg.norm(after) < (1.0 - 1e-6) * np.linalg.norm(gap):
            break
        q, gap, J = new, after, slope
    return float(np.linalg.norm(gap)), q


def _limited(robot: Robot, step: Floats) -> Floats:
    far = float(np.abs(step / rate_scale(robot)).max(initial=0.0))
    return np.asarray(step * min(1.0, FAR / max(far, 1e-300)))


def closed_search(chain: HeldChain, q: Floats, wanted: Wanted) -> tuple[Statics | None, float]:
    """The same of a closed chain: steps along all directions that the loops leave free, motors and
    all, until the stations are there and what the motors do not hold is in balance."""
    robot, free = chain.robot, HeldChain(chain.robot)
    here, (gap, J) = chain.balance(q), misses(robot, q, wanted)
    length = residual_length(robot, q, here.N)

    def merit(here: Balance, gap: Floats) -> float:
        return float(np.linalg.norm(gap)) + length(here.T, here.left)

    before = [merit(here, gap)]
    for iteration in range(80):
        ways = free.directions(np.asarray(free.jacobian(q), dtype=float))
        K = chain.stiffness(q, here, ways)
        weight = 1.0 / np.maximum(np.abs(K).max(axis=1, initial=0.0), 1e-300)
        A, b = np.vstack([J @ ways, weight[:, None] * K]), np.append(gap, weight * here.left)
        step = _limited(robot, ways @ np.linalg.lstsq(A, -b, rcond=1e-10)[0])
        near = float(np.abs(step / rate_scale(robot)).max(initial=0.0)) < THERE
        if np.abs(gap).max() < THERE and near:
            return chain_statics(chain, q, here, iteration), 0.0
        for _ in range(HALVINGS):
            new = free.closed(moved(robot, q, step))
            if new is not None:
                after, (apart, slope) = chain.balance(new), misses(robot, new, wanted)
                if near or merit(after, apart) < before[-1]:
                    break
            step = 0.5 * step
        else:
            break
        q, here, gap, J = new, after, apart, slope
        before.append(merit(here, gap))
        if len(before) > PATIENCE and before[-1] > 0.9 * before[-1 - PATIENCE] and not near:
            break
    return None, float(np.linalg.norm(gap))


def place(robot: Robot, where: str, given: Sequence[float | None]) -> Floats:
    robot.station(where)
    try:
        free = [x is None for x in given]
        value = np.array([np.nan if x is None else float(x) for x in given])
    except (TypeError, ValueError):
        free, value = [], np.zeros(0)
    numbers = np.isfinite(value) != free if value.shape == (3,) else np.zeros(1, dtype=bool)
    if isinstance(given, str) or not numbers.all() or all(free):
        raise InputError(
            f"target of {where} is {brief(given)}; give three numbers [x, y, z], None where it is "
            f"free"
        )
    return value


def misses(robot: Robot, q: Floats, wanted: Wanted) -> tuple[Floats, Floats]:
    """How far the stations are off, and the Jacobian of that: (n,), (n, nv)."""
    gaps, rows = [], []
    for where, at in wanted:
        keep = np.isfinite(at)
        gaps.append((recursion.station_pose(robot, q, where).p - at)[keep])
        rows.append(recursion.station_jacobian(robot, q, where)[3:][keep])
    return np.concatenate(gaps), np.vstack(rows)


def residual_length(robot: Robot, q: Floats, N: Floats) -> Callable[[Floats, Floats], float]:
    """A measure [m] of the forces g left along directions: how far a station moves at most with the
    energy that g would store in links and springs, sqrt(g^T (N^T (K + M) N)^-1 g). M is for joints
    that hang free. It does not depend on the forces left at q, which may be rounding alone."""
    W = own_stiffness(robot, q) + np.asarray(recursion.mass_matrix(robot, q), dtype=float)
    scale = np.array([size(robot)] * 3 + [1.0] * 3)[:, None]
    places = [f"{link.name}.{name}" for link in robot.links for name in link.body.stations]
    J = np.vstack([scale * recursion.station_jacobian(robot, q, where) for where in places]) @ N
    moves = np.linalg.norm(J @ np.linalg.lstsq(N.T @ W @ N, J.T, rcond=None)[0], 2)

    def length(directions: Floats, left: Floats) -> float:
        stored = left @ np.linalg.lstsq(directions.T @ W @ directions, left, rcond=None)[0]
        return float(np.sqrt(abs(moves * stored)))

    return length


def starts(robot: Robot) -> Iterator[Floats]:
    """Places spread over the joints' range: whole turns, and slides of the robot's size."""
    random, far = np.random.default_rng(1), size(robot) or 1.0
    for _ in range(TRIES - 1):
        new = robot.neutral()
        for link in robot.links:
            wide = [np.pi if axis < 3 else far for axis in link.joint.axes]
            if link.joint.nq != link.joint.nv:
                wide = [1.0] * 4 + [far] * (link.joint.nq - 4)
            new[link.q] = random.uniform(-1.0, 1.0, link.joint.nq) * wide
        yield robot.normalized(new)


def size(robot: Robot, bending: bool = False) -> float:
    """How far the robot, or its links that bend, reach at most, joints that slide aside."""
    lengths = [
        max(float(np.linalg.norm(s.r0 + s.rho)) for s in link.body.stations.values())
        for link in robot.links
        if link.body.m or not bending
    ]
    return sum(lengths)
