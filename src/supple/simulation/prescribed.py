"""Joints that follow a given law: their motion is known, the force that makes it is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InputError, SimulationError, unknown_name
from ..robot import Robot
from ..types import Floats
from .motion import Law, Motion, check_times, formula, joint_names, named_motion, spline


@dataclass(frozen=True)
class Prescribed:
    """Which links' joints follow a law, and the laws; none when nothing is prescribed."""

    names: tuple[str, ...] = ()
    links: tuple[int, ...] = ()
    places: tuple[tuple[int, int], ...] = ()  # in the configuration, in the velocity
    laws: tuple[Law, ...] = ()

    @property
    def held(self) -> frozenset[int]:
        return frozenset(self.links)

    @property
    def rates(self) -> list[int]:
        """Places in the velocity."""
        return [v for _, v in self.places]

    def put(self, t: float, q: Floats, qd: Floats, qdd: Floats) -> None:
        """Write the laws' values at time t into a state and its accelerations."""
        for (i, v), law in zip(self.places, self.laws, strict=True):
            q[i], qd[v], qdd[v] = law(t)


_LOOKS = 1000  # stretches of a run in which a law is looked at
_JUMP = 0.02  # of the largest rate: what a law may leave unexplained over one of them


def check_laws(driven: Prescribed, duration: float) -> None:
    """Refuse laws that jump, have poles, or whose rate is not the derivative of the position:
    over every stretch the position must change by the integral of the rate."""
    t = np.linspace(0.0, duration, 2 * _LOOKS + 1)
    for name, law in zip(driven.names, driven.laws, strict=True):
        with np.errstate(all="ignore"):
            x, v, a = np.array([law(float(at)) for at in t], dtype=float).T
        if not all(np.isfinite(part).all() for part in (x, v, a)):
            bad = t[~(np.isfinite(x) & np.isfinite(v) & np.isfinite(a))][0]
            raise InputError(f"law of {name} is not finite at t = {bad:.6g} s")
        h = t[2] - t[0]
        left = x[2::2] - x[:-2:2] - h / 6.0 * (v[:-2:2] + 4.0 * v[1::2] + v[2::2])
        allowed = _JUMP * h * np.abs(v).max() + 1e-9 * np.abs(x).max()
        worst = int(np.argmax(np.abs(left)))
        if np.abs(left[worst]) > allowed:
            raise InputError(
                f"law of {name}: between t = {t[2 * worst]:.6g} and {t[2 * worst + 2]:.6g} s the "
                f"position changes by {x[2 * worst + 2] - x[2 * worst]:.6g}, the integral of the "
                f"rate by {x[2 * worst + 2] - x[2 * worst] - left[worst]:.6g}. A law must have a "
                f"continuous rate that is the derivative of its position"
            )


def prescribed_motion(robot: Robot, given: Any) -> Prescribed:
    """What the user gave: a mapping of joints to laws, a Motion, or the name of one.

    A law is a formula in t, a table (times, values), or a function of t that gives position,
    rate and acceleration.
    """
    if given is None:
        return Prescribed()
    if isinstance(given, str):
        given = named_motion(robot, given)
    if isinstance(given, Motion):
        given = dict(zip(given.names, given.laws, strict=True))
    if not isinstance(given, Mapping):
        raise InputError(
            f"prescribed is {given!r}; give a mapping of joints to laws, e.g. "
            f"{{{_example(robot)!r}: '0.5*t**2'}}, or the name of a motion"
        )
    links = {link.joint_name: i for i, link in enumerate(robot.links)}
    names = joint_names(robot)
    for name in given:
        if name not in names:
            raise unknown_name("joint", str(name), names, where=f"robot {robot.name}")
        if robot.links[links[name]].body.root_slope is not None:
            raise InputError(
                f"joint {name} cannot be prescribed: shapes of its link turn the root, so its "
                f"coordinate is not the root's angle. Use a clamped family, e.g. orthogonal"
            )
    order = sorted(given, key=lambda name: links[name])
    places = [(robot.links[links[n]].q.start, robot.links[links[n]].u.start) for n in order]
    return Prescribed(
        tuple(order),
        tuple(links[name] for name in order),
        tuple(places),
        tuple(_law(name, given[name]) for name in order),
    )


def _example(robot: Robot) -> str:
    names = joint_names(robot)
    return names[0] if names else "joint1"


def _law(name: str, given: Any) -> Law:
    if isinstance(given, str | int | float):
        return formula(str(given), name)
    if isinstance(given, tuple) and len(given) == 2:
        times = check_times(given[0], f"law of {name}")
        try:
            values = np.asarray(given[1], dtype=float)
        except (TypeError, ValueError):
            raise InputError(f"law of {name}: positions must be numbers") from None
        if values.shape != times.shape or not np.all(np.isfinite(values)):
            raise InputError(
                f"law of {name}: {len(times)} times need as many finite positions, got an array "
                f"of shape {values.shape}"
            )
        return spline(times, values)
    if callable(given):
        return _function(name, given)
    raise InputError(
        f"law of {name} is {given!r}; give a formula in t, a table (times, positions), or a "
        f"function of t that gives (position, rate, acceleration)"
    )


def _function(name: str, given: Callable[[float], Any]) -> Law:
    def law(t: float) -> tuple[float, float, float]:
        try:
            a, b, c = (float(x) for x in given(t))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise SimulationError(
                f"law of {name} failed at t = {t:.6g} s: {reason}. It must give three numbers: "
                f"position, rate, acceleration"
            ) from error
        if not np.all(np.isfinite([a, b, c])):
            raise SimulationError(f"law of {name} gave {(a, b, c)} at t = {t:.6g} s; not finite")
        return a, b, c

    try:
        law(0.0)
    except SimulationError as error:
        raise InputError(str(error)) from None
    return law
