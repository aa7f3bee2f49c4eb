"""How a robot's constants depend on numbers of its model.

Masses, lengths, stiffnesses enter the constants as powers: int rho S_k S_l of a uniform beam
is c mu L^3, the inertia with a payload m is c mu L^3 + m L^2. The powers and their factors are
found by building the robot at several values, and proved by building it at others. What is no
sum of powers (an angle, a number that changes the mode shapes) is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

import numpy as np

from ..errors import InputError, ModelError, SuppleError
from ..loops.closure import closure_residual
from ..model.parameters import parameter_value, with_parameters
from ..recursion import configuration_rate, inverse_dynamics
from ..robot import Robot
from ..types import Array, Floats, Scalar
from .robot_constants import robot_constants, with_robot_constants

_GRID = np.array([0.6, 0.73, 0.88, 1.0, 1.16, 1.33, 1.52, 1.74, 2.0])
_WHOLE = tuple(float(k) for k in range(-4, 7))
_POWERS = tuple(0.5 * k for k in range(-8, 13))
_EXACT = 3e-12
_MATTERS = 0.05  # a change of some force that shows how a parameter enters
_TRUST = 1e5  # how much rounding may grow where the powers are tried
_MOST = 600  # robots built

Term = tuple[float, tuple[float, ...]]
"""(factor, power of each parameter)."""


@dataclass(frozen=True)
class Dependence:
    """The robot at its nominal parameters, and the constants that change with them."""

    robot: Robot
    names: tuple[str, ...]
    nominal: Floats
    terms: dict[int, list[Term]]

    def at(self, values: Array) -> Robot:
        """The robot at these parameters: numbers or expressions."""
        powers: dict[tuple[int, float], Scalar] = {}

        def power(j: int, a: float) -> Scalar:
            if (j, a) not in powers:
                powers[j, a] = _power(values[j], a)
            return powers[j, a]

        out = robot_constants(self.robot)
        for place, terms in self.terms.items():
            total: Scalar = 0.0
            for factor, exponents in terms:
                term: Scalar = factor
                for j, a in enumerate(exponents):
                    if a:
                        term = term * power(j, a)
                total = total + term
            out[place] = total
        return with_robot_constants(self.robot, out)


def _power(x: Scalar, a: float) -> Scalar:
    if a < 0:
        return 1.0 / _power(x, -a)
    out: Scalar = np.sqrt(x) if a % 1 else 1.0
    for _ in range(int(a)):
        out = out * x
    return out


@lru_cache(maxsize=8)
def dependence(robot: Robot, names: tuple[str, ...]) -> Dependence:
    """Find how the constants of `robot` follow these parameters: once for all its quantities."""
    if len(set(names)) != len(names):
        raise InputError(f"a parameter is named twice: {', '.join(names)}")
    nominal = np.array([parameter_value(robot, name) for name in names])
    fit = _Fit(robot, names, nominal)
    found = Dependence(robot, names, nominal, fit.terms())
    for j, name in enumerate(names):
        if not all(_holds(found, name, value) for value in _far(found, j)):
            raise InputError(fit.no_power(name))
    return found


@lru_cache(maxsize=8)
def by_symbols(robot: Robot, names: tuple[str, ...]) -> bool:
    """Whether numbers of the model can stay open in compiled code; others make robots anew."""
    try:
        dependence(robot, names)
    except SuppleError:
        return False
    return True


def _far(found: Dependence, j: int) -> tuple[float, ...]:
    """Values of a parameter as far from the nominal one as its powers can be trusted, or
    another one where it seems to do nothing."""
    powers = [abs(exponents[j]) for terms in found.terms.values() for _, exponents in terms]
    nominal = float(found.nominal[j])
    if not any(powers) or nominal == 0.0:
        return (nominal + 1.0,)
    factor = _TRUST ** (1.0 / max(1.0, *powers))
    return (nominal * factor, nominal / factor)


def _holds(found: Dependence, name: str, value: float) -> bool:
    """Whether the robot moves as one built anew at a far value (if one can be built there)."""
    values = found.nominal.copy()
    values[found.names.index(name)] = value
    try:
        built = with_parameters(found.robot, {name: float(value)}, close=False)
    except ModelError:
        return True
    ours, theirs = _force(found.at(values)), _force(built)
    return bool(np.abs(ours - theirs).max(initial=0.0) <= 1e-8 * np.abs(theirs).max(initial=0.0))


def _force(robot: Robot) -> Floats:
    """Forces, and openings of loops, of a motion in which every constant has a part."""
    rng = np.random.default_rng(2)
    step, qd, qdd = (0.1 * rng.normal(size=robot.nv) for _ in range(3))
    q = robot.neutral() + configuration_rate(robot, robot.neutral(), step)
    with np.errstate(all="ignore"):
        found = [inverse_dynamics(robot, q, qd, qdd), closure_residual(robot, q)]
        return np.asarray(np.concatenate(found), dtype=float)


def _unit(robot: Robot, name: str, nominal: float) -> float:
    """The size at which a parameter matters: a payload of grams on a heavy arm is looked at in
    kilograms, where its effect is more than rounding."""
    unit = nominal if nominal != 0.0 else 1.0
    for grown in (unit * 10.0**k for k in range(16)):
        try:
            few, many = (
                _force(with_parameters(robot, {name: float(f * grown)}, close=False))
                for f in (_GRID[0], _GRID[-1])
            )
        except ModelError:
            return unit
        if np.any(np.abs(many - few) > _MATTERS * np.abs(many)):
            return grown
    return unit


class _Fit:
    """Works with parameters in units of their own (`_unit`)."""

    def __init__(self, robot: Robot, names: tuple[str, ...], nominal: Floats) -> None:
        self.robot, self.names = robot, names
        pairs = zip(names, nominal, strict=True)
        self.unit = np.array([_unit(robot, name, float(x)) for name, x in pairs])
        self.rng = np.random.default_rng(1)
        self.built = 0

    def _constants(self, x: Floats) -> Floats:
        self.built += 1
        if self.built > _MOST:
            raise InputError(
                f"{len(self.names)} parameters act together on the same constants in too many "
                f"ways; ask for fewer at once: {', '.join(self.names)}"
            )
        values = dict(zip(self.names, (x * self.unit).tolist(), strict=True))
        try:
            built = with_parameters(self.robot, values, close=False)
            return np.array(robot_constants(built), dtype=float)
        except ModelError as error:
            raise InputError(
                f"the robot cannot be built with "
                f"{', '.join(f'{k} = {v:.6g}' for k, v in values.items())}: "
                f"{error.faults[0].message}"
            ) from None

    def terms(self) -> dict[int, list[Term]]:
        found: dict[int, dict[int, tuple[float, ...]]] = {}
        others = 1.0 + 0.2 * self.rng.uniform(0.2, 1.0, len(self.names))
        for j in range(len(self.names)):
            for place, powers in self._alone(j, others).items():
                found.setdefault(place, {})[j] = powers
        groups: dict[tuple[tuple[float, ...], ...], list[int]] = {}
        for place, by in found.items():
            key = tuple(by.get(j, (0.0,)) for j in range(len(self.names)))
            groups.setdefault(key, []).append(place)
        if not groups:
            return {}
        size = max(int(np.prod([len(p) for p in key])) for key in groups)
        x = self.rng.uniform(0.6, 2.0, (2 * size + 4, len(self.names)))
        rows = np.array([self._constants(point) for point in x])
        out: dict[int, list[Term]] = {}
        for key, places in groups.items():
            out |= self._together(key, places, x, rows)
        return out

    def _alone(self, j: int, others: Floats) -> dict[int, tuple[float, ...]]:
        """Powers of parameter j in every constant that changes with it."""
        rows = []
        for value in _GRID:
            x = others.copy()
            x[j] = value
            rows.append(self._constants(x))
        table = np.array(rows)
        size = np.abs(table).max(axis=0)
        left = np.flatnonzero(np.ptp(table, axis=0) > _EXACT * size)
        out: dict[int, tuple[float, ...]] = {}
        for powers in _candidates():
            if not len(left):
                break
            B = _GRID[:, None] ** np.array(powers)
            rest = table[:, left] - B @ np.linalg.lstsq(B, table[:, left], rcond=None)[0]
            good = np.abs(rest).max(axis=0) <= _EXACT * size[left]
            out |= {int(place): powers for place in left[good]}
            left = left[~good]
        if len(left):
            raise InputError(self.no_power(self.names[j]))
        return out

    def _together(
        self, key: tuple[tuple[float, ...], ...], places: list[int], x: Floats, rows: Floats
    ) -> dict[int, list[Term]]:
        """Factors of all products of these powers, proved on the points not used."""
        exponents = list(product(*key))
        B = np.prod(x[:, None, :] ** np.array(exponents)[None], axis=2)
        use = slice(0, len(x) - 4)
        y = rows[:, places]
        factors = np.linalg.lstsq(B[use], y[use], rcond=None)[0]
        size = np.abs(y).max(axis=0)
        factors[np.abs(factors) < 1e-13 * size] = 0.0
        if np.any(np.abs(B @ factors - y) > 10 * _EXACT * size):
            raise InputError(self.no_power(" and ".join(self.names)))
        scale = [float(np.prod(self.unit ** np.array(e))) if e else 1.0 for e in self._real(key)]
        out: dict[int, list[Term]] = {}
        for column, place in enumerate(places):
            out[place] = [
                (float(f) / s, e)
                for f, s, e in zip(factors[:, column], scale, exponents, strict=True)
                if f != 0.0
            ]
        return out

    def _real(self, key: tuple[tuple[float, ...], ...]) -> list[tuple[float, ...]]:
        """The exponents, after a check that none asks for the root of a negative unit."""
        exponents = list(product(*key))
        for e in exponents:
            for a, unit, name in zip(e, self.unit, self.names, strict=True):
                if a % 1 and unit < 0:
                    raise InputError(self.no_power(name))
        return exponents

    def no_power(self, name: str) -> str:
        return (
            f"the robot's constants are no sum of powers of {name} (an angle, a number that "
            f"changes the mode shapes, damping by a ratio, masses where a point payload sits on "
            f"the tip of a second_order beam); compile the robot anew for each value"
        )


def _candidates() -> list[tuple[float, ...]]:
    """Sets of powers to try, simple ones first."""
    out: list[tuple[float, ...]] = [(a,) for a in _POWERS if a]
    out += list(combinations(_POWERS, 2))
    out += list(combinations(_WHOLE, 3))
    out += [tuple(float(k) for k in range(a, b)) for a, b in ((0, 4), (-3, 1), (0, 5), (-2, 4))]
    return out
