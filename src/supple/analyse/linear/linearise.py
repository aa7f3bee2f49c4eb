"""A robot near an operating point as a linear system.

    dz = deviation of the independent coordinates,   x = [dz; dzd]
    dx/dt = A x + B u + drift,      y = C x + D u

u and y are deviations from their values at the point; `drift` is zero where the point is an
equilibrium. With qdd = f(q, qd, tau, w), the forward dynamics (of closed chains on their loops),
and the directions K, W, Q of `operating_point`,

    A = [ turn                1            ]     B = [ 0                  ]
        [ f_q Q + f_qd W      f_qd K       ]         [ f_tau, f_w         ]   (independent rows)

f_q, f_qd, f_tau, f_w come from one run of the recursion on dual numbers: exact, no differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ... import checks, recursion
from ...errors import InputError, caution, unknown_name
from ...loops.dynamics import forward_dynamics, held_places, hybrid_dynamics
from ...robot import Robot
from ...screws.dual import slopes
from ...types import Array, Floats
from ..frequencies import steady, unsteady_words
from ..places import Loads
from ..result import Statics
from .model import LinearModel
from .operating_point import (
    Directions,
    OperatingPoint,
    Places,
    directions,
    floating,
    operating_point,
    unbalanced,
)
from .signals import Input, Output, chosen_inputs, chosen_outputs

BALANCED = 1e-7  # of the forces that act: less is rounding, or what Newton's method left


def linearise(
    robot: Robot,
    q: Places | None = None,
    qd: Places | None = None,
    tau: ArrayLike | None = None,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    held: Sequence[str] = (),
    external: Loads = None,
    at: Statics | None = None,
) -> LinearModel:
    """State space A, B, C, D of a robot near an operating point.

    q: joint positions (all, or some by name): then shapes and torques are those of rest there,
        or of steady turning at the rates qd. All coordinates: taken as they are.
    qd: rates, by name or all; default: at rest. tau: torques, by default those that hold it so.
    at: a result of `statics` or `reach`, in place of q.
    inputs: joint torques ("joint1"), forces at stations ("link2.tip.fy"); default: all motors.
    outputs: coordinates, places of stations, strains, their rates and accelerations ("joint1",
        "link2.tip.y", "link2.tip.y.rate", "arm.gauge.strain"); default: joints and the last tip.
    held: joints that keep their motion, whatever acts: locked, or driven at a steady rate.
    external: loads that act all the time, {station: force or wrench}.

    Where forces do not balance the model has a `drift`, and a warning says so.
    """
    checks.check_robot(robot, "linear models")
    links = _held(robot, held)
    places = held_places(robot, links)
    point = operating_point(robot, q, qd, tau, external, at)
    u = chosen_inputs(robot, inputs, places)
    y = chosen_outputs(robot, outputs, bool(np.any(point.qd)))
    plant = _Plant(point, links, u)
    with np.errstate(all="ignore"):
        ways = directions(point.robot, point.q, point.qd, places)
        model = _linear(plant, ways, y)
    checks.finite(robot, np.concatenate([model.A.ravel(), model.C.ravel()]), "linear model")
    for words in model.warnings:
        caution(words)
    return model


def _held(robot: Robot, held: Sequence[str]) -> frozenset[int]:
    """Links whose joints are held."""
    names = {x.joint_name: i for i, x in enumerate(robot.links) if x.joint.nv}
    out = set()
    for name in checks.names(held, "held", "['joint1']"):
        if name not in names:
            raise unknown_name("joint", name, names, where=f"robot {robot.name}")
        slope = robot.links[names[name]].body.root_slope
        if slope is not None and np.any(slope):
            raise InputError(
                f"joint {name} cannot be held: shapes of its link turn its root, so that its "
                f"coordinate is not the root's angle. Use a clamped family, e.g. orthogonal"
            )
        out.add(names[name])
    return frozenset(out)


@dataclass(frozen=True)
class _Plant:
    """qdd = f(x), x = [q, qd, tau, wrenches at the stations]."""

    point: OperatingPoint
    held: frozenset[int]
    inputs: tuple[Input, ...]

    @property
    def stations(self) -> list[str]:
        return list(
            dict.fromkeys([*self.point.loads, *(u.station for u in self.inputs if u.station)])
        )

    @property
    def here(self) -> Floats:
        p = self.point
        loads = [p.loads.get(where, np.zeros(6)) for where in self.stations]
        return np.concatenate([p.q, p.qd, p.tau, *loads])

    def accelerations(self, x: Array) -> Array:
        robot = self.point.robot
        q, qd, tau, wrenches = np.split(x, np.cumsum([robot.nq, robot.nv, robot.nv]))
        loads = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(self.stations)}
        if not self.held:
            return forward_dynamics(robot, q, qd, tau, loads)
        still = np.zeros(robot.nv)
        return hybrid_dynamics(robot, q, qd, tau, still, self.held, loads)[0]

    def input_way(self, u: Input) -> Floats:
        """The change of x with an input."""
        robot, out = self.point.robot, np.zeros(len(self.here))
        if u.column >= 0:
            start = robot.nq + robot.nv
            out[start : start + robot.nv] = robot.input_matrix[:, u.column]
        else:
            out[robot.nq + 2 * robot.nv + 6 * self.stations.index(u.station) + u.part] = 1.0
        return out


def _linear(plant: _Plant, ways: Directions, outputs: tuple[Output, ...]) -> LinearModel:
    point, robot, n = plant.point, plant.point.robot, len(ways.chosen)
    moves = _moves(plant, ways)  # of x, a row for each state, then each input
    F = slopes(plant.accelerations, plant.here, list(moves))
    qdd = np.asarray(plant.accelerations(plant.here), dtype=float)
    top = np.hstack([ways.turn, np.eye(n), np.zeros((n, len(plant.inputs)))])
    AB = np.vstack([top, F[ways.chosen]])
    CD = _output_rows(plant, ways, moves, F, qdd, outputs)
    names = tuple(robot.velocity_names[k] for k in ways.chosen)
    drift = np.concatenate([np.zeros(n), qdd[ways.chosen]])
    loose = unbalanced(point, qdd)
    words = tuple(_warnings(plant, outputs, loose))
    M = np.asarray(recursion.mass_matrix(robot, point.q), dtype=float)
    return LinearModel(
        robot=robot,
        A=AB[:, : 2 * n],
        B=AB[:, 2 * n :],
        C=CD[:, : 2 * n],
        D=CD[:, 2 * n :],
        states=(*names, *(f"{name}.rate" for name in names)),
        inputs=tuple(u.name for u in plant.inputs),
        outputs=tuple(y.name for y in outputs),
        units=(tuple(u.unit for u in plant.inputs), tuple(y.unit for y in outputs)),
        q=point.q,
        qd=point.qd,
        tau=point.tau,
        drift=drift if loose > BALANCED else np.zeros(2 * n),
        inertia=ways.K.T @ M @ ways.K,
        warnings=words,
    )


def _moves(plant: _Plant, ways: Directions) -> Floats:
    """How x = [q, qd, tau, wrenches] changes with each state and each input, in rows."""
    robot, n = plant.point.robot, len(ways.chosen)
    out = np.zeros((2 * n + len(plant.inputs), len(plant.here)))
    rates = slice(robot.nq, robot.nq + robot.nv)
    out[:n, : robot.nq], out[:n, rates] = ways.Q.T, ways.W.T
    out[n : 2 * n, rates] = ways.K.T
    for row, u in zip(out[2 * n :], plant.inputs, strict=True):
        row[:] = plant.input_way(u)
    return out


def _output_rows(
    plant: _Plant,
    ways: Directions,
    moves: Floats,
    F: Floats,
    qdd: Floats,
    outputs: tuple[Output, ...],
) -> Floats:
    """[C, D]: places by their Jacobians, rates and accelerations by dual numbers."""
    robot, point, n = plant.point.robot, plant.point, len(ways.chosen)
    out = np.zeros((len(outputs), len(moves)))
    for row, y in zip(out, outputs, strict=True):
        if y.order == 0:
            row[:n] = y.change(robot, point.q) @ ways.K
    moving = [k for k, y in enumerate(outputs) if y.order]
    if moving:
        at = np.concatenate([point.q, point.qd, qdd])
        changes = np.hstack([moves[:, : robot.nq + robot.nv], F.T])
        parts = np.cumsum([robot.nq, robot.nv])

        def values(x: Array) -> Array:
            q, qd, qdd = np.split(x, parts)
            return np.array([outputs[k].value(robot, q, qd, qdd) for k in moving])

        out[moving] = slopes(values, at, list(changes))
    return out


def _warnings(plant: _Plant, outputs: tuple[Output, ...], loose: float) -> Iterator[str]:
    """Why the model is to be read with care."""
    point, robot = plant.point, plant.point.robot
    if loose > BALANCED:
        yield (
            f"{robot.name} is not in balance at the operating point: {100 * loose:.2g} % of the "
            f"forces are left, so that it leaves by itself, dx/dt = A x + B u + drift. "
            f"{_remedy(plant)}"
        )
    places = held_places(robot, plant.held)
    free = [k for k in range(robot.nv) if k not in places]
    if np.any(point.qd) and not steady(robot, point.q, point.qd, free, point.loads):
        yield unsteady_words(robot, "the model holds")
    turned = [y.name for y in outputs if y.station]
    if np.any(point.qd) and turned:
        yield (
            f"outputs {', '.join(turned)} are along axes of the world, and the robot moves: their "
            f"rows hold for that instant alone. Take coordinates or strains as outputs"
        )
    blind = [y.name for y in outputs if y.row is not None and not np.any(y.row)]
    if blind:
        yield (
            f"outputs {', '.join(blind)} are zero whatever bends: no shape of the link bends it "
            f"that way, or the fibre lies on the neutral axis. Give its station an offset "
            f"[0, y, z], or take the curvature of a plane in which the link bends"
        )
    sticky = _sticking(plant)
    if sticky:
        yield (
            f"Coulomb friction of {', '.join(sticky)} at rest is linearised as viscous damping, "
            f"coulomb/smoothing: true for motions slower than `smoothing`, far too much for "
            f"others. Leave the friction out to see the free vibration"
        )


def _sticking(plant: _Plant) -> list[str]:
    """Joints with Coulomb friction that stand still though nothing holds them."""
    return [
        x.joint_name
        for i, x in enumerate(plant.point.robot.links)
        if x.drive.coulomb and i not in plant.held and not np.any(plant.point.qd[x.u])
    ]


def _remedy(plant: _Plant) -> str:
    robot = plant.point.robot
    base = [k for k in floating(robot) if k not in held_places(robot, plant.held)]
    if base and np.any(robot.gravity):
        return (
            "Nothing holds its floating base against gravity: set gravity to zero, or hold the "
            "base (held=[...])"
        )
    return (
        "Give joint positions alone, so that the shapes and torques of rest are found, or a result "
        "of statics (at=...)"
    )


__all__ = ["linearise"]
