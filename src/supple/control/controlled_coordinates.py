"""Which coordinates a controller holds, by name, and its gains and references in their order.

    force = B u,   place = B^T q,   rate = B^T qd

u is the torque of each motor; where shapes turn the root of a link, B says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .. import checks
from ..errors import InputError, brief, unknown_name
from ..robot import Robot
from ..simulation.law import TraceableLaw
from ..simulation.motion import JointLaw, Motion, named_motion, written_laws
from ..simulation.prescribed import joint_law
from ..types import Floats


@dataclass(frozen=True)
class ControlledCoordinates:
    """n coordinates of a robot that have motors."""

    robot: Robot
    names: tuple[str, ...]
    places: tuple[int, ...]  # in the velocity
    B: Floats  # (nv, n)
    C: Floats  # (n, nq): places of q

    def __len__(self) -> int:
        return len(self.names)


def controlled_coordinates(
    robot: Robot, coordinates: Sequence[str] | None = None
) -> ControlledCoordinates:
    """All coordinates that have motors of one coordinate each, or those that are named."""
    checks.check_robot(robot)
    known = {
        robot.velocity_names[link.u.start]: link.u.start
        for link in robot.links
        if link.joint.nv == 1
    }
    if coordinates is None:
        motors = set(robot.motor_indices)
        names = tuple(name for name, v in known.items() if v in motors)
    else:
        names = _named(coordinates, tuple(known), robot)
    if not names:
        raise InputError(f"{robot.name} has no motor that turns or slides; nothing can be held")
    places = [known[name] for name in names]
    B = checks.input_columns(robot, places)
    C = np.zeros((len(names), robot.nq))
    for link in robot.links:
        if link.joint.nv == link.joint.nq:
            C[:, link.q] = B[link.u].T
        C[:, link.d] = B[link.e].T
    return ControlledCoordinates(robot, names, tuple(places), B, C)


def _named(given: object, known: tuple[str, ...], robot: Robot) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence) or not given:
        raise InputError(f"coordinates is {brief(given)}; give a list of names: {', '.join(known)}")
    for name in given:
        if name not in known:
            raise unknown_name("coordinate", str(name), known, where=f"robot {robot.name}")
    if len(set(given)) != len(given):
        raise InputError(f"coordinates names one twice: {', '.join(given)}")
    return tuple(given)


def gain(given: object, held: ControlledCoordinates, what: str) -> Floats:
    """(n, n): one number for all, one for each, {coordinate: number}, or a matrix."""
    n = len(held)
    allowed = (
        f"a finite number, {n} of them (for {', '.join(held.names)}), a matrix of {n} x {n}, or "
        f"{{coordinate: number}}"
    )
    return matrix_of(given, held.names, what, "coordinate", allowed)


def matrix_of(given: object, names: tuple[str, ...], what: str, each: str, allowed: str) -> Floats:
    """The same with a row and a column for each of the names; `allowed` says what may be given."""
    n = len(names)
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise unknown_name(each, str(name), names, where=what)
        given = [given.get(name, 0.0) for name in names]
    value = checks.real_numbers(given)
    if value.shape not in ((), (n,), (n, n)) or not np.all(np.abs(value) <= checks.LARGEST):
        raise InputError(f"{what} is {brief(given)}; give {allowed}")
    return np.asarray(value) if value.ndim == 2 else np.diag(np.broadcast_to(value, n))


@dataclass(frozen=True)
class Reference:
    """Where the coordinates should be: places, rates and accelerations, one after the other."""

    laws: tuple[JointLaw, ...]
    breaks: tuple[float, ...]

    def __call__(self, t: float) -> Floats:
        rows = np.array([law(t) for law in self.laws])
        return np.ravel(rows.T)

    @property
    def written(self) -> TraceableLaw | None:
        return written_laws(self.laws)


def reference(held: ControlledCoordinates, given: object) -> Reference:
    """Where the robot stands by itself, numbers, {coordinate: number, formula, table or function
    of t}, a Motion, or the name of one."""
    robot = held.robot
    if isinstance(given, str):
        given = named_motion(robot, given)
    if isinstance(given, Motion):
        laws = dict(zip(given.names, given.laws, strict=True))
        lost = [name for name in held.names if name not in laws]
        if lost:
            raise InputError(
                f"the motion has no law for {', '.join(lost)}; it moves {', '.join(laws)}"
            )
        return Reference(tuple(laws[name] for name in held.names), _breaks(laws, given.breaks))
    if given is not None and not isinstance(given, Mapping):
        given = dict(zip(held.names, _places(held, given), strict=True))
    for name in given or {}:
        if name not in held.names:
            raise unknown_name("coordinate", str(name), held.names, where="the reference")
    home = dict(zip(held.names, (float(x) for x in held.C @ robot.home()), strict=True))
    wanted = {
        n: joint_law(n, x)
        for n, x in (home | {str(k): v for k, v in (given or {}).items()}).items()
    }
    return Reference(tuple(wanted[n] for n in held.names), _breaks(wanted, ()))


def _places(held: ControlledCoordinates, given: object) -> list[float]:
    value = checks.real_numbers(given)
    if value.shape != (len(held),) or not np.all(np.isfinite(value)):
        raise InputError(
            f"reference is {brief(given)}; give {len(held)} finite places (of "
            f"{', '.join(held.names)}), {{coordinate: place or formula in t}}, a Motion, or the "
            f"name of one"
        )
    return [float(x) for x in value]


def _breaks(laws: Mapping[str, JointLaw], more: tuple[float, ...]) -> tuple[float, ...]:
    known = [t for law in laws.values() for t in getattr(law, "breaks", None) or ()]
    return tuple(sorted({*known, *more}))
