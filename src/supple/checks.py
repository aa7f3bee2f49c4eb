"""The edge: what a user hands over is checked here, once; the recursion trusts it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import wraps
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from . import recursion
from .elastic_kinematics import named
from .errors import FileError, InputError, brief, let_signals_through, unknown_name
from .loops.placing import closed_at
from .robot import Robot
from .types import Floats, refuse_masked

External = Mapping[str, ArrayLike] | None
"""Wrenches [nx, ny, nz, fx, fy, fz] in world axes by station name, e.g. {"link3.tip": ...}."""

P = ParamSpec("P")
T = TypeVar("T")
Key = TypeVar("Key")
LARGEST = 1e50  # of a coordinate: products of several still are numbers
WRENCH = ("nx", "ny", "nz", "fx", "fy", "fz")


CLOSED_CHAINS = frozenset(
    {
        *("pose", "twist", "acceleration", "twists", "jacobian", "jacobian_rate"),
        *("centre_of_mass", "centre_of_mass_motion", "momentum"),
        *("kinetic_energy", "potential_energy", "mass_matrix", "composite_bodies"),
        *("coriolis_force", "gravity_force", "elastic_force", "passive_force", "bias_force"),
        *("motor_torque", "assemble", "mobility", "denoc", "joint_wrenches"),
        *("closure", "closure_jacobian", "platform_jacobian", "multipliers", "cut_wrenches"),
        *("forward_dynamics", "inverse_dynamics", "parallel", "reduced", "complete_motion"),
        *("simulation", "feedforward", "statics", "frequencies", "zeros", "equations", "reach"),
        *("section forces", "section_forces", "along", "gauge", "gauges"),
        *("linear models", "workspace maps", "regressor"),
    }
)
"""What is right for closed chains too: kinematics, and what belongs to the tree's coordinates.
All else would be that of the open tree, and is refused."""


WITH_INERTIA = frozenset(
    {
        *("forward_dynamics", "forward_sweeps", "inverse_mass_matrix", "udu_factors"),
        *("multipliers", "articulated_bodies", "reduced", "simulation", "frequencies", "zeros"),
        *("linear models", "lqr", "Campbell diagrams", "Kane's forward_dynamics"),
    }
)
"""What divides by the inertia that each coordinate moves."""


def check_robot(robot: object, what: str | None = None) -> Robot:
    """The robot, if it is a Robot, and an open chain unless `what` works for closed chains too."""
    if isinstance(robot, Robot):
        if robot.massless and what in WITH_INERTIA:
            raise InputError(
                f"{what} of {robot.name}: {', '.join(robot.massless[:5])} moves no inertia, so "
                f"forces do not decide how it moves; give its link, or one that it carries, a mass "
                f"and inertia, or fix it"
            )
        if what is not None and robot.loops and what not in CLOSED_CHAINS:
            cuts = [loop.name for loop in robot.loops]
            shown = ", ".join(cuts[:3]) + (", ..." if len(cuts) > 3 else "")
            raise InputError(
                f"{what} of closed chains is not there yet, and {robot.name} has loops ({shown}). "
                f"Dynamics, statics, frequencies, linear models, equations and simulation take "
                f"them; the guide's section on closed chains lists all that do"
            )
        return robot
    way = f"supple.load({robot!r})" if isinstance(robot, str) else "supple.load or supple.build"
    raise InputError(f"robot is {brief(robot)}; it must be a Robot, as {way} makes it")


def configuration(robot: Robot, q: object, name: str = "q") -> Floats:
    """q checked: (nq,), finite, quaternions not zero. It may hold the joints' coordinates alone,
    shapes at zero, or some coordinates by name, the others where the robot stands by itself:
    elastic gears not wound up, loops closed."""
    check_robot(robot)
    nq, given = robot.nq, shape(q)
    if isinstance(q, Mapping):
        value = by_name(robot, q, name)
        if robot.loops:
            value = _closed(robot, value, {robot.coordinate_names.index(n) for n in q})
    elif given != (nq,) and given == (nq - robot.modes,):
        value, places = robot.home(), joint_places(robot)
        names = tuple(robot.coordinate_names[i] for i in places)
        value[places] = vector(q, name, len(places), names, robot)
    else:
        value = vector(q, name, nq, robot.coordinate_names, robot)
    if np.abs(value).max(initial=0.0) > LARGEST:
        i = int(np.argmax(np.abs(value)))
        raise InputError(
            f"{name} of {robot.name}: {robot.coordinate_names[i]} is {value[i]:.6g}; numbers "
            f"beyond {LARGEST:g} cannot be computed with"
        )
    for link in robot.links:
        if link.joint.nq != link.joint.nv:
            part = value[link.q][:4]
            if not 1e-6 < float(part @ part) < 1e6:
                raise InputError(
                    f"{name} of joint {link.joint_name}: quaternion {part.tolist()} has no "
                    f"direction; give (w, x, y, z) of length 1"
                )
    return value


def joint_places(robot: Robot) -> list[int]:
    """Places in q of the joints' coordinates."""
    return [i for link in robot.links for i in range(link.q.start, link.q.stop)]


def by_name(robot: Robot, given: Mapping[str, object], name: str = "q") -> Floats:
    """The robot's home with these coordinates; elastic gears are not wound up where either the
    joint or its motor is named. Loops are not closed."""
    q = put_named(robot, robot.home(), given, name, robot.coordinate_names)
    places = [robot.coordinate_names.index(key) for key in given]
    return robot.normalized(robot.unwound(q, places))


def put_named(
    robot: Robot, out: Floats, given: Mapping[str, object], name: str, names: tuple[str, ...]
) -> Floats:
    """`out` with the numbers given by name."""
    for key, value in given.items():
        if key not in names:
            raise unknown_name("coordinate", str(key), names, where=f"robot {robot.name}")
        found = number(value, f"{name} of {key}", "a finite number")
        if not np.isfinite(found):
            raise InputError(f"{name} of {key} is {brief(value)}; it must be a finite number")
        out[names.index(key)] = found
    return out


def _closed(robot: Robot, q: Floats, told: set[int]) -> Floats:
    """The closed configuration in which the coordinates told, and the joints that told motors
    drive, are as in q."""
    pairs = [(robot.links[g.motor].q.start, robot.links[g.link].q.start) for g in robot.gears]
    held = sorted(told | {joint for motor, joint in pairs if motor in told})
    found = closed_at(robot, {k: float(q[k]) for k in held})
    return robot.unwound(found, told | {joint for _, joint in pairs})


def between_stops(robot: Robot, q: Floats, name: str = "q0") -> Floats:
    """q, unless a joint of it is beyond its stops: a start there would be flung back."""
    for link in robot.links:
        drive, here = link.drive, q[link.q.start] if link.joint.nq else 0.0
        if drive.stop_stiffness and not drive.lower <= here <= drive.upper:
            raise InputError(
                f"{name} of {robot.name}: joint {link.joint_name} is {here:.6g}, beyond its stops "
                f"at {drive.lower:.6g} and {drive.upper:.6g}; start between them"
            )
    return q


def movable(robot: Robot, q: object) -> Floats:
    """q checked, and no zyx joint in gimbal lock: there forces do not decide accelerations."""
    value = configuration(robot, q)
    joint = locked_joint(robot, value)
    if joint is not None:
        raise InputError(f"q of {robot.name}: {lock_words(joint)}")
    return value


def locked_joint(robot: Robot, q: Floats, near: float = 1e-7) -> str | None:
    """The first zyx joint whose y turn is so near to a right angle [rad] that its z and x axes
    are one; rotors on its axes keep it movable."""
    for link in robot.links:
        name, _, turn = link.joint_name.partition(".")
        before = robot.links[link.parent].joint_name if link.parent >= 0 else ""
        lone = turn == "y" and before == f"{name}.z" and not link.drive.rotor_inertia
        if lone and abs(np.cos(q[link.q.start])) < near:
            return name
    return None


def lock_words(joint: str) -> str:
    return (
        f"joint {joint} is in gimbal lock, {joint}.y is a right angle; start elsewhere, or give "
        f"the joint `coordinates: quaternion`, which has no such place"
    )


def definite(robot: Robot, q: Floats, held: frozenset[int] = frozenset()) -> Floats:
    """q, if a linearised mass matrix is still positive definite there; else an InputError."""
    words = indefinite_words(robot, q, held)
    if words:
        raise InputError(f"q of {robot.name}: {words}")
    return q


def indefinite_words(
    robot: Robot, q: Floats, held: frozenset[int] = frozenset(), share: float = 0.0
) -> str:
    """Which pivot of a linearised M = U D U^T is not above this share of its value in the
    undeformed robot, if any, and what to do."""
    if not robot.kinematics.small or not np.all(np.isfinite(q)):
        return ""
    straight = q.copy()
    for link in robot.links:
        straight[link.d] = 0.0
    with np.errstate(all="ignore"):
        D, full = (recursion.pivots(robot, x, held) for x in (q, straight))
    bad = np.flatnonzero(~(share * full < D))
    if not len(bad):
        return ""
    k = bad[-1]
    return (
        f"the linearised mass matrix is not, or hardly, positive definite here (pivot of "
        f"{robot.velocity_names[k]}: {D[k]:.3g}, undeformed {full[k]:.3g}), so accelerations mean "
        f"nothing: the shapes are too large for it. Use elastic_kinematics "
        f"{' or '.join(reversed(named(lambda kind: kind.bends and not kind.small)))}, or smaller "
        f"loads"
    )


def finite(robot: Robot, values: Floats, what: str) -> Floats:
    """The computed values, if they are finite; an error that the equations have no solution."""
    if not all_finite(values):
        raise unsolvable(robot, what)
    return values


def all_finite(values: Floats) -> bool:
    """Whether all numbers of an array are; of few without NumPy, whose calls take longer."""
    if values.ndim == 1 and len(values) <= 20:
        return all(map(isfinite, values.tolist()))
    return bool(np.isfinite(values).all())


def finite_results(what: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A decorator: an InputError where the function's results are not all finite.

    Of finite arguments only too large ones overflow, or a coordinate that moves no inertia.
    """

    def guard(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
            given = args[0] if args else kwargs.get("robot")
            if isinstance(given, Robot):
                check_robot(given, function.__name__)
            with np.errstate(all="ignore"):
                found = function(*args, **kwargs)
            if not _all_finite(found):
                raise unsolvable(check_robot(args[0] if args else kwargs["robot"]), what)
            return found

        return guarded

    return guard


def _all_finite(value: object) -> bool:
    """Whether all numbers in arrays, lists, mappings and dataclasses are finite."""
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, np.ndarray):
        return bool(np.isfinite(value).all())
    if isinstance(value, (list, tuple)):
        return all(map(_all_finite, value))
    if isinstance(value, dict):
        return all(map(_all_finite, value.values()))
    if is_dataclass(value):
        return all(_all_finite(getattr(value, f.name)) for f in fields(value))
    return True


def massive(robot: Robot) -> Robot:
    """A robot that has a mass."""
    if not check_robot(robot).mass > 0.0:
        raise InputError(f"{robot.name} has no mass, only rotors; it has no centre of mass")
    return robot


def on_beam(robot: Robot, station: str) -> str:
    """A station on a beam: a section of it."""
    if check_robot(robot).station(station)[1].x is None:
        places = [
            f"{link.name}.{name}"
            for link in robot.links
            for name, x in link.body.stations.items()
            if link.body.line is not None and x.x is not None
        ]
        raise InputError(
            f"{station} of {robot.name} is not on a beam, and section forces are of beams; "
            f"stations on beams: {', '.join(places) or 'none'}"
        )
    return station


def looped(robot: Robot) -> Robot:
    """A robot that has loops."""
    if not check_robot(robot).loops:
        raise InputError(f"{robot.name} has no loops: only closed chains have cuts")
    return robot


def unsolvable(robot: Robot, what: str) -> InputError:
    hold = "its motors have no hold at this q (a singular place), " if robot.loops else ""
    return InputError(
        f"no finite {what} of {robot.name}: {hold}a coordinate moves no inertia at this q, or the "
        f"numbers are too large"
    )


def velocity(robot: Robot, qd: object, name: str = "qd") -> Floats:
    """qd, qdd or tau checked: (nv,), finite."""
    return vector(qd, name, robot.nv, robot.velocity_names, robot)


def force(robot: Robot, tau: object) -> Floats:
    """Generalised force: (nv,), or the torques of the joints alone, or of the motors of a closed
    chain, spread by the input matrix."""
    for places in (robot.joint_indices, robot.motor_indices):
        if shape(tau) == (len(places),) and len(places) != robot.nv:
            names = tuple(robot.velocity_names[i] for i in places)
            value = vector(tau, "tau", len(places), names, robot)
            return np.asarray(input_columns(robot, places) @ value)
    return velocity(robot, tau, "tau")


def input_columns(robot: Robot, places: list[int]) -> Floats:
    """Columns of the input matrix of the joint rates at these places in the velocity."""
    return robot.input_matrix[:, [robot.joint_indices.index(k) for k in places]]


def wrenches(robot: Robot, external: External) -> dict[str, Floats]:
    """External wrenches checked: (6,) each, at stations that the robot has."""
    example = f'{{"{robot.links[-1].name}": [{", ".join(WRENCH)}]}}'
    out = {}
    for where, wrench in mapping(external, "external", "stations to wrenches", example).items():
        robot.station(where)
        out[where] = vector(wrench, f"external wrench at {where}", 6, WRENCH, robot)
    return out


def numbers(value: object) -> Floats:
    """Real numbers as an array of floats; complex numbers and texts are none (ValueError)."""
    if type(value) is not np.ndarray:  # of laws, called often
        refuse_masked(value)
    array = np.array(value)
    kind = array.dtype.kind
    if kind not in "biufO" or (kind == "O" and any(isinstance(x, _NO_NUMBER) for x in array.flat)):
        raise ValueError(f"expected real numbers, got {brief(value)}")
    return array if array.dtype == float else array.astype(float)


_NO_NUMBER = (str, bytes, complex, type(None))
NO_NUMBERS = np.full((1, 1, 1), np.nan)
"""Instead of what is no array of numbers: not finite, and of a shape that nothing has."""


def real_numbers(value: object, error: str = "") -> Floats:
    """Real numbers as an array of floats; else NO_NUMBERS, or this error."""
    refuse_masked(value)
    try:
        return numbers(value)
    except (TypeError, ValueError, OverflowError) as fault:
        let_signals_through(fault)
        if error:
            raise InputError(error) from None
        return NO_NUMBERS


def shape(value: object) -> tuple[int, ...]:
    """Of what could become an array; () of what could not."""
    try:
        return np.asarray(value).shape
    except ValueError:  # rows of different lengths
        return ()


def number(value: object, name: str, allowed: str) -> float:
    """One real number; the caller checks its range."""
    refuse_masked(value)
    one = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    try:
        if isinstance(one, Real) and not isinstance(one, bool):
            return float(one)
    except OverflowError:
        pass
    raise InputError(f"{name} is {brief(value)}; it must be {allowed}")


def finite_number(value: object, name: str, allowed: str = "a finite number") -> float:
    """One real number that is finite."""
    found = real_numbers(value)
    if isinstance(value, bool | np.bool_) or found.shape != () or not np.isfinite(found):
        raise InputError(f"{name} is {brief(value)}; it must be {allowed}")
    return float(found)


def whole(value: object, name: str, least: int, most: int) -> int:
    """A whole number in its range."""
    allowed = f"a whole number, {least} to {most}"
    given = number(value, name, allowed)
    if not (given.is_integer() and least <= given <= most):
        raise InputError(f"{name} is {brief(value)}; it must be {allowed}")
    return int(given)


def flag(value: object, name: str) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} is {brief(value)}; it must be True or False")
    return bool(value)


def names(value: object, name: str, example: str) -> tuple[str, ...]:
    """Several names: an iterable of texts."""
    given: tuple[object, ...] = (None,)
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
        with suppress(TypeError):  # an array without axes is no iterable, though it looks like one
            given = tuple(value)
    texts = tuple(x for x in given if isinstance(x, str))
    if len(texts) != len(given):
        raise InputError(f"{name} is {brief(value)}; give a list of names, e.g. {example}")
    return texts


def mapping(value: Mapping[Key, T] | None, name: str, what: str, example: str) -> Mapping[Key, T]:
    """A mapping, e.g. of "stations to wrenches"; an empty one for None."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        words = f"it must be a mapping of {what}, e.g. {example}"
        raise InputError(f"{name} is {brief(value)}; {words}")
    return value


def file_name(path: object, verb: str) -> Path:
    """A name that a file could have."""
    if not isinstance(path, str | os.PathLike):
        raise FileError(f"cannot {verb} {brief(path)}: it is no file name; give text or a Path")
    try:
        target = Path(path)
        os.stat(target)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return target
    except (OSError, TypeError, ValueError) as error:  # too long, bytes, holds a NUL
        reason = getattr(error, "strerror", None) or "it is no file name"
        raise FileError(f"cannot {verb} {brief(os.fspath(path))}: {reason}") from None
    return target


def vector(value: object, name: str, size: int, names: tuple[str, ...], robot: Robot) -> Floats:
    array = real_numbers(value)
    if array is NO_NUMBERS:
        raise InputError(f"{name} of {robot.name}: expected {size} numbers, got {brief(value)}")
    if array.shape != (size,):
        raise InputError(
            f"{name} of {robot.name} has shape {array.shape}, expected ({size},): "
            f"{', '.join(names[:12])}{', ...' if size > 12 else ''}"
        )
    if not all_finite(array):
        bad = np.flatnonzero(~np.isfinite(array))
        raise InputError(
            f"{name} of {robot.name}: {names[bad[0]]} is {array[bad[0]]}; numbers must be finite"
        )
    return array
