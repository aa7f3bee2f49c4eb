"""What the next shapes would have done: one more of each field on every link, after the run.

The richer robot takes the places, rates and accelerations of the run; its own shapes stand still.
What is then left in its equations is the force r on the next shapes. They follow it, and carry the
run's own shapes with them,

    [K_oo K_on; K_no K_nn] [delta_o; delta_n] = [0; -r].

They also make the robot softer: mode k would ring slower by dw_k, and come out of step by the
phase integral dw_k dt, which moves a link by 2 A_k sin(phase/2) of its shape. Both are taken where
the link moves or turns most, beside the largest deflection of the run; together, as the root of the
sum of their squares, they are about what a run with the next shapes differs by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from .. import recursion
from ..bodies import FIELDS
from ..engine import traced
from ..errors import SuppleError
from ..loops.closure import closure_jacobian
from ..robot import Link, Robot, remembered
from ..tracer.machine import quickly
from ..types import Array, Floats, Word
from .check import Check, at_most, not_found
from .result import Result
from .ringing import Ringing, RingingModes
from .simulated_robot import SimulatedRobot

LIMIT = 0.1  # of the largest deflection
STEP = 0.25  # the same for vibration that comes out of step: amplitudes are still right
POINTS = 9  # along a link
LOOKS = 12  # instants at which the forces on the next shapes are found
NAME, UNIT = "next shapes", "of deflection"
LATE = "vibration in step"


@dataclass(frozen=True)
class RicherRobot:
    """A robot with one more shape of each field, where the first robot's coordinates are in it,
    and which of its rates are old and new shapes."""

    robot: Robot
    places: list[int]
    rates: list[int]
    old: list[int]
    new: list[int]


def truncation(
    drive: SimulatedRobot, run: Result, qdd: Floats, rings: list[Ringing]
) -> list[Check]:
    """How much the next shapes would have added to the largest deflection."""
    robot = drive.robot
    if not robot.modes:
        return []
    more = richer(robot) if rings else "the robot has too many degrees of freedom"
    if isinstance(more, str):
        return [not_found(NAME, UNIT, more)]
    parts = _moved(robot, _shapes(robot, run["q"])).values()
    scale = np.max([part.max(axis=0) for part in parts], axis=0)
    moved = _moved(more.robot, _response(drive, run, qdd, more))
    late, phase = _late(drive, run, more, rings)
    return [
        _bent(*_largest({name: x.max(axis=0) for name, x in moved.items()}, scale)),
        _out_of_step(*_largest(late, scale), phase),
    ]


def _largest(parts: Mapping[str, Floats], scale: Floats) -> tuple[str, float]:
    """The link that moves or turns most, beside what it does in the run."""
    least = 1e-12  # [m], [rad]: less is no deflection
    shares = {name: float((x / np.maximum(scale, least)).max()) for name, x in parts.items()}
    return max(shares.items(), key=lambda item: item[1])


def _bent(link: str, share: float) -> Check:
    words = (
        f"with one more shape of each kind link {link} would be elsewhere by about "
        f"{100 * share:.0f} % of the largest deflection: the shapes are too few for this run. Give "
        f"the links more (robot.with_modes), or such as know their load (family: clamped_mass)"
    )
    return at_most(NAME, share, LIMIT, UNIT, f"link {link}", words)


def _out_of_step(link: str, share: float, phase: float) -> Check:
    words = (
        f"with one more shape of each kind vibration would be slower, and come out of step by "
        f"{phase:.2g} rad: link {link} is then elsewhere by about "
        f"{100 * share:.0f} % of the largest deflection. Amplitudes are right, instants are not. "
        f"Give the links more shapes (robot.with_modes)"
    )
    return at_most(LATE, share, STEP, UNIT, f"link {link}", words)


@remembered
def richer(robot: Robot) -> RicherRobot | str:
    """One more shape of each field on every beam; or why there is none."""
    if robot.spec is None:
        return "the robot was not built from a model"
    from ..model import build
    from ..model.change import beam_words
    from ..model.model_words import model_words

    words = model_words(robot.spec)
    for beam in beam_words(words).values():
        beam["modes"] = _one_more(dict(beam.get("modes") or {}))
    try:
        more = build(words, robot.folder)
    except SuppleError as error:
        return str(error).splitlines()[0]
    return _nested(robot, more)


def _one_more(given: Mapping[str, Word]) -> dict[str, Word]:
    """Words for modes with one more of each field that there is."""

    def counted(value: Word) -> Word:
        if isinstance(value, dict):
            return {**value, "count": int(value.get("count", 1)) + 1}
        assert isinstance(value, int)  # words of a model were checked
        return value + 1

    return {k: counted(v) if k in FIELDS and v else v for k, v in given.items()}


def _nested(robot: Robot, more: Robot) -> RicherRobot | str:
    """The richer robot, if the first one's shapes are among its own."""
    if set(robot.velocity_names) - set(more.velocity_names) or more.modes == robot.modes:
        return "its shapes have no next ones"
    rates = [more.velocity_names.index(n) for n in robot.velocity_names]
    places = [more.coordinate_names.index(n) for n in robot.coordinate_names]
    K, bigger = recursion.stiffness_matrix(robot), recursion.stiffness_matrix(more)
    if not np.allclose(bigger[np.ix_(rates, rates)], K, rtol=1e-6, atol=1e-9 * np.abs(K).max()):
        return "its shapes change when there are more of them"
    new = [k for k in range(more.nv) if k not in set(rates)]
    old = [k for k in more.mode_indices if k in set(rates)]
    return RicherRobot(more, places, rates, old, new)


def _response(drive: SimulatedRobot, run: Result, qdd: Floats, more: RicherRobot) -> Floats:
    """How shapes would move under what is left on the next ones: (looks, nv of the richer)."""
    K = recursion.stiffness_matrix(more.robot)
    both = [*more.old, *more.new]
    left, out = left_on(drive, run, qdd, more), []
    for k in _instants(run, len(drive.robot.links)):
        force = np.zeros(len(both))
        force[len(more.old) :] = -left(k)
        moved = np.zeros(more.robot.nv)
        moved[both] = np.linalg.solve(K[np.ix_(both, both)], force)
        out.append(moved)
    return np.array(out)


def _instants(run: Result, links: int) -> list[int]:
    """Samples at which links are bent most, one in each part of the run."""
    parts = np.array_split(np.arange(len(run.time)), max(3, min(LOOKS, 120 // links)))
    bent = np.abs(run["elastic"])
    return [int(part[np.argmax(bent[part])]) for part in parts if len(part)]


def left_on(
    drive: SimulatedRobot, run: Result, qdd: Floats, more: RicherRobot
) -> Callable[[int], Floats]:
    """Forces on the next shapes at a sample, were they to stand still."""
    robot, new, stations = more.robot, list(more.new), list(drive.loads.stations)
    cuts = run["multipliers"] if robot.loops else np.zeros((len(run.time), 0))
    moving = robot if stations else robot.bare

    def force(q: Array, qd: Array, qdd: Array, wrenches: Array, cut: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        found = recursion.inverse_dynamics(moving, q, qd, qdd, external)
        return (found - closure_jacobian(robot, q).T @ cut if robot.loops else found)[new]

    sizes = (robot.nq, robot.nv, robot.nv, 6 * len(stations), cuts.shape[1])
    with quickly():  # asked a few times in a run
        kernel = traced(force, sizes, ("next shapes", robot, new, stations))
    drives = robot.input_matrix[new]

    def left(k: int) -> Floats:
        q, qd, change = np.zeros(robot.nq), np.zeros(robot.nv), np.zeros(robot.nv)
        q[more.places], qd[more.rates], change[more.rates] = run["q"][k], run["qd"][k], qdd[k]
        found = kernel(q, qd, change, drive.loads(float(run.time[k])), cuts[k].copy())
        return np.asarray(found - drives @ run["tau"][k][drive.robot.joint_indices])

    return left


def _late(
    drive: SimulatedRobot, run: Result, more: RicherRobot, rings: list[Ringing]
) -> tuple[dict[str, Floats], float]:
    """What vibration out of step makes of links, displacement and turn by link; and the phase
    of the mode that does most."""
    robot, held = drive.robot, drive.driven.held
    span = float(run.time[-1]) / len(run.time)
    modes, slower = RingingModes(more.robot, held), []
    for ring in rings:
        q = np.zeros(more.robot.nq)
        q[more.places] = run["q"][ring.at]
        rates = modes(q)[0][: len(ring.rates)]
        slower.append((ring.rates - rates) * span * (ring.span.stop - ring.span.start))
    phases = np.minimum(np.abs(np.cumsum(slower, axis=0)), np.pi)  # by the end of each window
    apart = [r.amplitudes * 2.0 * np.sin(0.5 * x) for r, x in zip(rings, phases, strict=True)]
    found = [_moved(robot, (r.shapes * x).T) for r, x in zip(rings, apart, strict=True)]
    most = phases.ravel()[int(np.argmax(apart))]
    parts = {name: [np.linalg.norm(f[name], axis=0) for f in found] for name in found[0]}
    return {name: np.max(rows, axis=0) for name, rows in parts.items()}, float(most)


def _shapes(robot: Robot, q: Floats) -> Floats:
    """Shape coordinates of configurations where their rates are: (..., nv)."""
    out = np.zeros((*q.shape[:-1], robot.nv))
    for link in robot.links:
        out[..., link.e] = q[..., link.d]
    return out


def _moved(robot: Robot, d: Floats) -> dict[str, Floats]:
    """How far each link that bends moves and turns where it does most: (states, 2)."""
    out = {}
    for link, both in _fields(robot):
        fields = [np.einsum("...k,kgi->...gi", d[..., link.e], x) for x in both]
        sizes = [np.linalg.norm(x, axis=-1).max(axis=-1, initial=0.0) for x in fields]
        out[link.name] = np.stack(sizes, axis=-1)
    return out


@remembered
def _fields(robot: Robot) -> list[tuple[Link, tuple[Floats, Floats]]]:
    """Links that bend, with displacements and turns of their unit shapes."""
    return [(link, along(link)) for link in robot.links if link.body.m]


def along(link: Link) -> tuple[Floats, Floats]:
    """Displacements and turns of unit shapes along a link: (shapes, points, 3) each."""
    line = link.body.line
    if line is None:
        nodes = [*link.body.stations.values()]
        both = [np.array([getattr(s, name) for s in nodes]) for name in ("S", "Theta")]
        return both[0].swapaxes(0, 1), both[1].swapaxes(0, 1)
    x = np.linspace(0.0, line.beam.length, POINTS)
    return np.asarray(line.base.displacement(x)), np.asarray(line.base.rotation(x))
