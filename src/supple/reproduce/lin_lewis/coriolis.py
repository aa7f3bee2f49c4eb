"""[LinLewis], 4.3: flexible motion "significantly influences the centrifugal and Coriolis terms,
but has little effect on the inertia matrix".

The barrel vibrates in its first shapes, tip amplitude a, frequency w, while the joints turn at a
rate r. M changes by terms in d ~ a; the forces D q_dot of the joints by terms in d and in
d_dot ~ w a, and those are w/r times larger: the claim is true of a barrel that vibrates faster
than it turns.
"""

from __future__ import annotations

import numpy as np

from ...analyse import frequencies
from ...model import load
from ...recursion import coriolis_force, mass_matrix
from ...robot import Robot
from ...symbolic import equations
from ...types import Floats
from ..report import ReportTable

AMPLITUDES = (0.01, 0.05)  # of the barrel's length, at its tip
RATES = (0.2, 1.0, 5.0)  # rad/s, both joints
ELEVATION = 0.6  # rad
PHASES = 24  # of the vibration
JOINTS = slice(0, 2)


def barrel() -> Robot:
    return load("lin-lewis-rf").replace(gravity=(0, 0, 0))


def changes(amplitude: float, rate: float) -> tuple[float, float]:
    """Largest change over a vibration, of the joints' block of M and of their D q_dot, over the
    size of each without bending."""
    robot = barrel()
    first = [robot.coordinate_names.index(f"barrel.bending_{axis}1") for axis in "yz"]
    tip = robot.links[1].body.stations["tip"]
    size = amplitude * 47.0 / np.abs(tip.S).max()
    w = float(frequencies(robot, locked=True).omega[0])
    worst = np.zeros(2)
    for phase in np.linspace(0.0, 2 * np.pi, PHASES, endpoint=False):
        bent = _terms(robot, first, rate, size * np.cos(phase), -w * size * np.sin(phase))
        still = _terms(robot, first, rate, 0.0, 0.0)
        worst = np.maximum(
            worst,
            [np.linalg.norm(a - b) / np.linalg.norm(b) for a, b in zip(bent, still, strict=True)],
        )
    return float(worst[0]), float(worst[1])


def _terms(
    robot: Robot, first: list[int], rate: float, d: float, d_dot: float
) -> tuple[Floats, Floats]:
    q, qd = np.zeros(robot.nq), np.zeros(robot.nv)
    q[1], qd[JOINTS] = ELEVATION, rate
    q[first], qd[first] = d, d_dot
    M = np.asarray(mass_matrix(robot, q), dtype=float)[JOINTS, JOINTS]
    return M, np.asarray(coriolis_force(robot, q, qd), dtype=float)[JOINTS]


def influence() -> ReportTable:
    rows = []
    for rate in RATES:
        for amplitude in AMPLITUDES:
            inertia, force = changes(amplitude, rate)
            rows.append(
                (rate, f"{100 * amplitude:g} %", f"{100 * inertia:.2g}", f"{100 * force:.3g}",
                 f"{force / inertia:.3g}")
            )  # fmt: skip
    w = float(frequencies(barrel(), locked=True).omega[0])
    columns = ("joint rates, rad/s", "tip amplitude", "M changes by, %", "D q_dot by, %", "ratio")
    notes = (
        f"Clamped-free shapes, elevation {ELEVATION} rad; the barrel vibrates at its first "
        f"frequency, {w:.1f} rad/s, in both planes. The joints' rows, largest over a vibration. "
        "Bending enters M by d alone, D q_dot also by d_dot, which is w/r times larger at a rate "
        "r: the claim holds where the barrel vibrates faster than the joints turn.",
    )
    title = "4.3 what flexible motion changes: M and the Coriolis terms"
    return ReportTable(title, columns, tuple(rows), notes)


def terms() -> ReportTable:
    """How many terms of M and of D hold an elastic coordinate or speed."""
    import sympy

    eq = equations(barrel())
    elastic = {*list(eq.q)[2:], *list(eq.qd)[2:]}
    rows = []
    for name, A in (("M", eq.M), ("D", eq.D)):
        block = [sympy.expand(A[i, j]) for i in range(2) for j in range(2)]
        parts = [t for e in block if e != 0 for t in sympy.Add.make_args(e)]
        bent = sum(bool(t.free_symbols & elastic) for t in parts)
        fast = sum(bool(t.free_symbols & set(list(eq.qd)[2:])) for t in parts)
        rows.append((name, len(parts), bent, f"{100 * bent / len(parts):.0f} %", fast))
    columns = ("joints' block of", "terms", "with elastic states", "share", "with elastic speeds")
    return ReportTable("4.3 terms of M and D that bending brings", columns, tuple(rows))
