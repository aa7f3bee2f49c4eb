"""Zero dynamics: what a robot still does when its outputs are held at zero.

At rest in a configuration, with x the deviation,

    M x_dd + R x_d + K x = B tau,      y = C x
Outputs held at zero leave x = N z, N spanning the null space of C; what torques cannot push
against is kept by a left null space of B, so

    (N_B' M N) z_dd + (N_B' R N) z_d + (N_B' K N) z = 0.
Its eigenvalues are the zeros. In closed chains all of this is along the directions that the loops
leave free, x = N z, with the stiffness of the forces at the cuts (`frequencies`); the inputs are
the motors. Joints as outputs of a clamped link leave its own vibration; of
a pinned one (M_FF - phi'(0) M_RF) V_dd + U_FF V = 0, which need not be stable.
Reference: [LinLewis], 4.2-4.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .. import checks, recursion
from ..errors import InputError, unknown_name
from ..robot import Robot
from ..screws.dual import slopes
from ..types import Array, Coordinates, Floats
from .frequencies import held_directions, vibration
from .places import closed_again
from .result import own_stiffness

AXES = {"rx": 0, "ry": 1, "rz": 2, "x": 3, "y": 4, "z": 5}
"""Parts of a station's motion: turns about the world's axes, displacements along them."""


@dataclass(frozen=True, eq=False)
class Zeros:
    """Zeros (complex) of the chosen outputs, and the eigenvalues of M_FF^-1 U_FF."""

    zeros: np.ndarray
    eigenvalues: Floats  # rising: squares of the frequencies with all joints locked
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]

    @property
    def stability(self) -> str:
        """stable (minimum phase), marginal, or unstable (nonminimum phase)."""
        if not len(self.zeros):
            return "no zeros"
        size = max(float(np.abs(self.zeros).max()), 1e-300)
        real, rounding = self.zeros.real, 1e-7 * np.maximum(np.abs(self.zeros), 1e-9 * size)
        if np.any(real > rounding):
            return "unstable (nonminimum phase)"
        return "marginally stable" if np.any(real >= -rounding) else "stable (minimum phase)"


def zeros(
    robot: Robot,
    outputs: Sequence[str] | None = None,
    *,
    inputs: Sequence[str] | None = None,
    q: Coordinates | None = None,
    damping: bool = True,
) -> Zeros:
    """Zeros at rest in q (default: where it stands by itself).

    outputs: coordinates ("joint1", "link1.bending_y1") or parts of a station's motion in world
        axes ("link1.tip.y", "link1.tip.rz"); default: all joints. As many as inputs.
    inputs: joints whose torques hold the outputs; default: all, of closed chains the motors.
    damping: whether joints and links damp.
    """
    checks.check_robot(robot, "zeros")
    at = robot.home() if q is None else checks.configuration(robot, q)
    at = closed_again(robot, at) if robot.loops else at
    damped, drives = checks.flag(damping, "damping"), _inputs(robot, inputs)
    driven = names = tuple(robot.velocity_names[j] for j in drives)
    if outputs is not None:
        names = checks.names(outputs, "outputs", repr(list(names[:1])))
    C = np.array([_row(robot, at, name) for name in names]).reshape(len(names), robot.nv)
    B = checks.input_columns(robot, drives)
    with np.errstate(all="ignore"):
        small = vibration(robot, at, locked=False)
    checks.finite(robot, np.array([small.M, small.K]), "zeros")
    _check(robot, names, C @ small.N, small.N.T @ B)
    R = _damping(robot, at) if damped else np.zeros((robot.nv, robot.nv))
    parts = (small.M, small.N.T @ R @ small.N, small.K)
    left, right = _null((small.N.T @ B).T), _null(C @ small.N)
    found = _solve(*(left.T @ X @ right for X in parts))
    return Zeros(found, shape_eigenvalues(robot, at), names, driven)


def shape_eigenvalues(robot: Robot, q: Floats) -> Floats:
    """Eigenvalues of M_FF^-1 U_FF: omega^2 of the shapes with all joints locked, rising. Of a
    closed chain with the motors locked and the loops closed.

    erratum: [LinLewis] calls them proportional to the frequencies.
    """
    from scipy.linalg import eigh

    if not robot.free_indices:
        return np.zeros(0)
    N = held_directions(robot, q)
    M, K = (N.T @ X @ N for X in (recursion.mass_matrix(robot, q), own_stiffness(robot, q)))
    try:
        return np.asarray(eigh(K, M, eigvals_only=True))
    except np.linalg.LinAlgError:
        checks.definite(robot, q)
        raise checks.unsolvable(robot, "zeros") from None


def _inputs(robot: Robot, inputs: Sequence[str] | None) -> list[int]:
    names = {robot.velocity_names[j]: j for j in robot.motor_indices}
    if inputs is None:
        return robot.motor_indices
    given = checks.names(inputs, "inputs", repr(list(names)[:1]))
    for name in given:
        if name not in names:
            kind = "motor" if robot.loops else "joint"
            raise unknown_name(kind, name, names, where=f"robot {robot.name}")
    return [names[name] for name in given]


def _row(robot: Robot, q: Floats, name: str) -> Floats:
    """How an output moves with the velocities: (nv,)."""
    if name in robot.velocity_names:
        return np.asarray(np.eye(robot.nv)[robot.velocity_names.index(name)])
    station, _, part = name.rpartition(".")
    if part in AXES and station:
        robot.station(station)  # says which there are
        return np.asarray(recursion.station_jacobian(robot, q, station)[AXES[part]])
    text = "a coordinate, or a station and one of " + ", ".join(AXES) + " (link1.tip.y)"
    raise InputError(
        f"no output named {name!r} in robot {robot.name}; an output is {text}. Coordinates: "
        f"{', '.join(robot.velocity_names[:12])}{', ...' if robot.nv > 12 else ''}"
    )


def _check(robot: Robot, names: tuple[str, ...], C: Floats, B: Floats) -> None:
    if len(C) != B.shape[1]:
        raise InputError(
            f"zeros of {robot.name}: {len(C)} outputs ({', '.join(names)}) and {B.shape[1]} "
            f"inputs; give as many outputs as inputs"
        )
    if not len(C):
        raise InputError(
            f"zeros of {robot.name}: no outputs and no inputs; the robot has no joints"
        )
    if np.linalg.matrix_rank(C) < len(C):
        raise InputError(
            f"zeros of {robot.name}: outputs {', '.join(names)} do not move independently here; "
            f"leave one out, or choose another configuration q"
        )


def _damping(robot: Robot, q: Floats) -> Floats:
    """How the forces at rest answer to the rates: (nv, nv)."""

    def resist(qd: Array) -> Array:
        return recursion.passive_force(robot, q, qd)

    return slopes(resist, np.zeros(robot.nv), [*np.eye(robot.nv)])


def _null(A: Floats) -> Floats:
    """Columns that A maps to zero; plain unit vectors where A picks coordinates."""
    from scipy.linalg import null_space, qr

    picks = [int(np.flatnonzero(row)[0]) for row in A if np.count_nonzero(row) == 1]
    if len(picks) == len(A):
        return np.delete(np.eye(A.shape[1]), picks, axis=1)
    _, _, order = qr(A, pivoting=True)
    lead, rest = sorted(order[: len(A)]), sorted(order[len(A) :])
    N = np.zeros((A.shape[1], len(rest)))
    N[rest, range(len(rest))] = 1.0
    N[lead] = -np.linalg.solve(A[:, lead], A[:, rest])
    return N if np.isfinite(N).all() else np.asarray(null_space(A))


def _solve(M: Floats, R: Floats, K: Floats) -> np.ndarray:
    """Finite s with det(s^2 M + s R + K) = 0, by size and then by real part."""
    from scipy.linalg import eig

    n = len(M)
    if n == 0:
        return np.zeros(0, dtype=complex)
    stiff, heavy = max(np.abs(K).max(), 1e-300), np.abs(M).max()
    scale = np.sqrt(stiff / heavy) if heavy else stiff / max(np.abs(R).max(), 1e-150)
    if not np.any(R):
        a, b = eig(-K / scale**2, M, right=False, homogeneous_eigvals=True)
        keep = np.abs(b) > 1e-12 * np.abs(a)
        roots = np.sqrt((a[keep] / b[keep]).astype(complex)) * scale
        found = np.concatenate([roots, -roots])
    else:
        zero, one = np.zeros((n, n)), np.eye(n)
        A = np.block([[zero, one], [-K / scale**2, -R / scale]])
        a, b = eig(A, np.block([[one, zero], [zero, M]]), right=False, homogeneous_eigvals=True)
        keep = np.abs(b) > 1e-12 * np.abs(a)
        found = a[keep] / b[keep] * scale
    size = np.abs(found).max(initial=1e-300)
    found = np.where(np.abs(found.real) < 1e-9 * np.abs(found), 1j * found.imag, found)
    found = np.where(np.abs(found.imag) < 1e-9 * np.abs(found), found.real, found)
    return found[np.lexsort((found.imag, found.real, np.round(np.abs(found) / size, 9)))]


@dataclass(frozen=True)
class Comparison:
    """Zeros of one family of shapes with one number of them."""

    family: str
    count: int
    result: Zeros


def compare(
    robot: Robot,
    families: Sequence[str],
    counts: Sequence[int],
    outputs: Sequence[str] | None = None,
) -> list[Comparison]:
    """The same outputs with other families and numbers of mode shapes."""
    from ..modes import FAMILIES

    out = []
    for family in families:
        if family not in FAMILIES:
            raise unknown_name("mode family", family, FAMILIES)
        for count in counts:
            other = robot.with_modes(int(count), family=family)
            out.append(Comparison(family, int(count), zeros(other, outputs)))
    return out
