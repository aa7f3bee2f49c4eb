"""Identification: which numbers of a robot its forces can tell, and what records say of them.

tau = Y(q, qd, qdd) pi is linear in the inertial and elastic numbers pi (`recursion.regressor`).
Not all of them can be seen: columns of Y that depend on others in every state are hidden in these.
A QR factorisation with column pivots on random states finds as many independent columns as Y has
rank, and what the rest adds to them:

    Y P = Q [R1 R2],   base = pi_1 + R1^-1 R2 pi_2.

Records give the unknown numbers by least squares; rows are weighed by what is left in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import recursion
from ..checks import check_robot, real_numbers
from ..engine import compile
from ..errors import InputError, brief, unknown_name
from ..robot import Robot
from ..text_table import columns
from ..types import Floats

SEEN = 1e-8  # share of a column that must be its own, relative to its size
STATES = 60  # random ones, at least; three times as many rows as columns


def inertial_parameters(robot: Robot) -> dict[str, float]:
    """Names and values of the numbers pi of which forces are a linear function, in the order of
    the regressor's columns: of each link mass, first moment (mx, my, mz) and inertia about its
    joint's origin in the link's axes, moments of its shapes, K and D; of its joint rotor inertia,
    spring, damping and Coulomb friction."""
    check_robot(robot)
    return {p.name: p.value for p in recursion.inertial_parameters(robot)}


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """Combinations of parameters that forces can tell: base = matrix @ pi.

    names      the parameter that stands for each combination
    matrix     (rank, parameters); 1 at its own name, 0 at those of the others
    parameters all names, in the order of pi
    values     of the combinations, for the robot's own pi
    unseen     parameters that no force depends on
    """

    names: tuple[str, ...]
    matrix: Floats
    parameters: tuple[str, ...]
    values: Floats
    unseen: tuple[str, ...]

    @property
    def rank(self) -> int:
        return len(self.names)

    def combination(self, name: str) -> str:
        """A combination in words: "arm.Izz + 0.25 tool.mass"."""
        if name not in self.names:
            raise unknown_name("base parameter", name, self.names)
        row = self.matrix[self.names.index(name)]
        others = [(c, n) for c, n in zip(row, self.parameters, strict=True) if n != name and c]
        terms = [f"{'+' if c > 0 else '-'} {_factor(abs(c))}{n}" for c, n in others]
        return " ".join([name, *terms])

    def __str__(self) -> str:
        rows = [
            (self.combination(n), float(v)) for n, v in zip(self.names, self.values, strict=True)
        ]
        lines = [f"{self.rank} of {len(self.parameters)} parameters can be told from forces"]
        lines += columns(("combination", "value"), rows)
        return "\n".join([*lines, f"unseen: {', '.join(self.unseen)}"] if self.unseen else lines)


def _factor(size: float) -> str:
    return "" if abs(size - 1.0) < 1e-9 else f"{size:.6g} "


def base_parameters(robot: Robot, seed: int = 0) -> BaseParameters:
    """What forces can tell of the robot's numbers, found on random states (the same for the same
    seed). Of closed chains those of the tree that the cuts leave."""
    from scipy.linalg import qr, solve_triangular

    check_robot(robot)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed is {brief(seed)}; it must be a whole number, 0 or above")
    found = recursion.inertial_parameters(robot)
    names, pi = tuple(p.name for p in found), np.array([p.value for p in found])
    Y = _random_rows(robot, len(names), np.random.default_rng(seed))
    size = np.linalg.norm(Y, axis=0)
    seen = np.flatnonzero(size > 1e-12 * size.max(initial=0.0))
    # parameters that stand for a combination: heavy ones first where columns tell the same
    R, order = qr(Y[:, seen] / size[seen], mode="r", pivoting=True)
    rank = int((np.abs(np.diag(R)) > SEEN * abs(R[0, 0])).sum()) if len(seen) else 0
    own, rest = seen[order[:rank]], seen[order[rank:]]
    matrix = np.zeros((rank, len(names)))
    matrix[np.arange(rank), own] = 1.0
    if len(rest):
        share = solve_triangular(R[:rank, :rank], R[:rank, rank:])
        share = share / size[own][:, None] * size[rest]
        matrix[:, rest] = np.where(np.abs(share) > 1e-7 * np.abs(share).max(), share, 0.0)
    by_name = np.argsort(own)
    matrix, own = matrix[by_name], own[by_name]
    unseen = tuple(names[i] for i in range(len(names)) if i not in set(seen))
    return BaseParameters(tuple(names[i] for i in own), matrix, names, matrix @ pi, unseen)


def _random_rows(robot: Robot, count: int, rng: np.random.Generator) -> Floats:
    """The regressor at random states, one below the other."""
    states = max(STATES, 3 * count // max(robot.nv, 1) + 1)
    rows = []
    for _ in range(states):
        q = robot.normalized(robot.neutral() + rng.uniform(-2.0, 2.0, robot.nq))
        for link in robot.links:
            q[link.d] *= 0.05
        rows.append(recursion.regressor(robot, q, *rng.uniform(-2.0, 2.0, (2, robot.nv))))
    return np.concatenate(rows)


@dataclass(frozen=True, eq=False)
class Identified:
    """What records say: names, values and their standard deviations; `model` are the robot's own
    values, `residual` what is left of each measured force (root mean square)."""

    names: tuple[str, ...]
    values: Floats
    deviations: Floats
    model: Floats
    residual: Floats

    def __getitem__(self, name: str) -> float:
        if name not in self.names:
            raise unknown_name("identified parameter", name, self.names)
        return float(self.values[self.names.index(name)])

    def __str__(self) -> str:
        rows = zip(self.names, self.values, self.deviations, self.model, strict=True)
        heads = ("parameter", "identified", "+-", "model")
        return "\n".join(columns(heads, [(n, *map(float, x)) for n, *x in rows]))


def identify(
    robot: Robot,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    tau: ArrayLike,
    unknown: Sequence[str],
) -> Identified:
    """Values of the `unknown` parameters (names of `supple.inertial_parameters`) from records of
    motion and forces, a row for each instant; all other numbers are the robot's own.

    q: (instants, nq); qd, qdd: (instants, nv); tau: (instants, nv), or the joint torques alone:
    then shapes, where the robot bends, are taken to have no forces of their own.
    """
    check_robot(robot, "identification")
    at = [
        _records(x, name, size)
        for x, name, size in ((q, "q", robot.nq), (qd, "qd", robot.nv), (qdd, "qdd", robot.nv))
    ]
    forces = _forces(robot, tau, len(at[0]))
    for name, x in zip(("q", "qd", "qdd", "tau"), (*at, forces), strict=True):
        if len(x) != len(at[0]):
            raise InputError(f"{name} has {len(x)} instants and q has {len(at[0])}")
    found = recursion.inertial_parameters(robot)
    names, pi = [p.name for p in found], np.array([p.value for p in found])
    pick = _places(robot, unknown, names)
    Y = np.asarray(compile(robot, "regressor").batch(*at))  # (instants, nv, parameters)
    known = np.array([recursion.known_force(robot, a, b) for a, b in zip(*at[:2], strict=True)])
    rest = forces - known - np.delete(Y, pick, axis=2) @ np.delete(pi, pick)
    return _least_squares(Y[:, :, pick], rest, tuple(unknown), pi[pick])


def _least_squares(Y: Floats, rest: Floats, names: tuple[str, ...], model: Floats) -> Identified:
    """Twice: rows of one force first count alike, then by what was left in them."""
    from scipy.linalg import lstsq

    weight = np.ones(Y.shape[1])
    told = int(np.any(Y, axis=2).sum())  # forces that depend on them
    for _ in range(2):
        A = (Y * weight[:, None]).reshape(-1, len(names))
        size = np.linalg.norm(A, axis=0)
        blind = [n for n, s in zip(names, size, strict=True) if not s > 0.0]
        if blind:
            raise InputError(
                f"the records tell nothing of {', '.join(blind)}: no force depends on it"
            )
        values, _, rank, _ = lstsq(A / size, (rest * weight).ravel(), cond=1e-10)
        if rank < len(names):
            raise InputError(
                f"the records tell {rank} combinations of the {len(names)} unknown parameters, not "
                f"each: move the robot in more ways, or ask for fewer; "
                f"print(supple.base_parameters(robot)) shows which belong together"
            )
        if told <= len(names):
            raise InputError(
                f"the records hold {told} forces that depend on the {len(names)} unknown "
                f"parameters: what noise does to them cannot be told; record more instants"
            )
        values = values / size
        left = np.sqrt(np.mean((rest - Y @ values) ** 2, axis=0))
        weight = 1.0 / np.maximum(left, max(1e-12 * np.abs(rest).max(initial=0.0), 1e-300))
    A = (Y * weight[:, None]).reshape(-1, len(names))
    inverse = np.linalg.pinv((A / size).T @ (A / size))
    deviations = np.sqrt(np.diag(inverse) * told / (told - len(names))) / size
    return Identified(names, values, deviations, model, left)


def _records(x: ArrayLike, name: str, size: int) -> Floats:
    out = real_numbers(x)
    if out.ndim != 2 or out.shape[1] != size or not len(out) or not np.isfinite(out).all():
        given = f"an array of shape {out.shape}" if out.size else brief(x)
        raise InputError(
            f"{name} is {given}; it must be finite numbers, a row of {size} for each instant"
        )
    return out


def _forces(robot: Robot, tau: ArrayLike, count: int) -> Floats:
    joints = robot.joint_indices
    shape = real_numbers(tau).shape
    if len(shape) == 2 and shape[1] == len(joints) != robot.nv:
        given = _records(tau, "tau", len(joints))
        return np.asarray(given @ robot.input_matrix.T)
    return _records(tau, "tau", robot.nv)


def _places(robot: Robot, unknown: Sequence[str], names: list[str]) -> list[int]:
    if isinstance(unknown, str) or not isinstance(unknown, list | tuple) or not unknown:
        raise InputError(
            f"unknown is {brief(unknown)}; it must be a list of parameters, e.g. [{names[0]!r}]"
        )
    for name in unknown:
        if name not in names:
            raise unknown_name("parameter", name, names, where=f"robot {robot.name}")
    if len(set(unknown)) < len(unknown):
        raise InputError("unknown names a parameter twice")
    return [names.index(name) for name in unknown]
