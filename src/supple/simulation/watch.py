"""Can a run be believed? What is looked at while it goes on, and when it is done.

While it goes on: links bent so far that the kinematics means nothing end it.
When it is done: bends beyond the documented range, links that turn too fast for kinematics
without geometric stiffening, shapes whose stiffness vanishes, momentum that nothing took away,
and the balance of energy. Each finding is one sentence: what, which link, when, what to do.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import recursion
from ..analyse import validity
from ..engine import traced
from ..errors import SimulationError
from ..kinematics import named
from ..robot import Robot
from ..types import Array, Floats
from .experiment import Experiment, Motor
from .result import Result

TURNING = 0.2  # rate of a link over its first frequency: stiffness 8 % wrong without stiffening
ENERGY = 1e-4  # imbalance, relative, that is worth a word
NO_ENERGY = 0.1  # and that makes a run worthless
MOMENTUM = 1e-3  # lost, relative, by a robot that nothing pushes
LOOKS = 12  # instants at which the stiffness of the shapes is looked at


class Guard:
    """Ends a run whose links bend beyond all meaning."""

    def __init__(self, drive: Experiment) -> None:
        self.robot = drive.robot
        self._fits = validity.Sentinel(drive.robot)

    def __call__(self, t: float | Floats, y: Floats) -> None:
        """At an instant, or at several with a state a row."""
        q = np.atleast_2d(y)[:, : self.robot.nq]
        if not self._fits(q):
            times = np.atleast_1d(np.asarray(t, dtype=float))
            raise SimulationError(f"the run stopped: {validity.refusal(self.robot, q, times)}")


def findings(drive: Experiment, run: Result, atol: float) -> list[str]:
    """What is to be known before a run is believed."""
    robot, q = drive.robot, run["q"]
    return [
        *validity.findings(robot, run.time, q),
        *_turning(robot, run),
        *_softened(drive, run),
        *_momentum(drive, run),
        *_energy(robot, run, atol),
    ]


def _turning(robot: Robot, run: Result) -> list[str]:
    """Without foreshortening a turning link loses the stiffness it should gain."""
    if robot.kinematics.stiffens:
        return []
    rates = _link_rates(robot, run)
    out = []
    for i, link in enumerate(robot.links):
        if not link.body.m:
            continue
        first = np.sqrt(_lowest(link.body.K, link.body.Mdd))
        worst = int(np.argmax(rates[:, i]))
        if rates[worst, i] > TURNING * first:
            out.append(
                f"link {link.name} turns at {rates[worst, i]:.3g} rad/s at t = "
                f"{run.time[worst]:.4g} s, {rates[worst, i] / first:.2g} of its first frequency "
                f"({first:.3g} rad/s): {robot.elastic_kinematics} kinematics has no geometric "
                f"stiffening, so the link is too soft. Use second_order"
            )
    return out


def _link_rates(robot: Robot, run: Result) -> Floats:
    """Angular speed of every link at the samples: (samples, links)."""

    def speeds(q: Array, qd: Array) -> Array:
        return np.array([t[:3] @ t[:3] for t in recursion.twists(robot, q, qd)])

    kernel = traced(speeds, (robot.nq, robot.nv), ("speeds", robot))
    rows = zip(run["q"], run["qd"], strict=True)
    squares = [kernel(*(np.ascontiguousarray(x) for x in row)) for row in rows]
    return np.sqrt(np.maximum(np.array(squares), 0.0))


def _lowest(K: Floats, M: Floats) -> float:
    from scipy.linalg import eigh

    return max(float(eigh(K, M, eigvals_only=True)[0]), 0.0)


def _softened(drive: Experiment, run: Result) -> list[str]:
    """Shapes without stiffness: by rotation, by acceleration, or by loads they would buckle."""
    robot = drive.robot
    if not robot.modes or robot.loops:  # of closed chains it depends on how the loops hold them
        return []
    stiffness = _stiffness(drive)
    for k in np.linspace(0, len(run.time) - 1, min(LOOKS, len(run.time))).astype(int):
        K = stiffness(float(run.time[k]), run["q"][k], run["qd"][k])
        if np.linalg.eigvalsh(0.5 * (K + K.T))[0] <= 0.0:
            return [
                f"the shapes of {robot.name} have no stiffness left at t = {run.time[k]:.4g} s "
                f"(rotation, acceleration or loads take it): deflections grow without bound "
                f"there. {_stiffer(robot)}"
            ]
    return []


def _stiffness(drive: Experiment) -> Callable[[float, Floats, Floats], Floats]:
    """d(forces on the shapes)/d(shapes) of the robot as it moves, by central differences."""
    robot, stations, rate = drive.robot, drive.loads.stations, Motor(drive)
    modes = list(robot.mode_indices)
    places = [i for link in robot.links for i in range(link.d.start, link.d.stop)]

    def force(q: Array, qd: Array, qdd: Array, wrenches: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        return recursion.inverse_dynamics(robot, q, qd, qdd, external)[modes]

    sizes = (robot.nq, robot.nv, robot.nv, 6 * len(stations))
    kernel = traced(force, sizes, ("shape forces", robot, list(stations)))

    def stiffness(t: float, q: Floats, qd: Floats) -> Floats:
        qd = np.ascontiguousarray(qd)
        qdd = np.ascontiguousarray(rate(t, np.concatenate([q, qd, [0.0, 0.0]]))[robot.nq : -2])
        out = np.empty((len(modes), len(modes)))
        for k, place in enumerate(places):
            step = np.zeros(robot.nq)
            step[place] = 1e-4
            up, down = (kernel(q + s, qd, qdd, drive.loads(t)) for s in (step, -step))
            out[:, k] = (up - down) / 2e-4
        return out

    return stiffness


def _stiffer(robot: Robot) -> str:
    slow = "turn or accelerate it less, or make the link stiffer"
    if robot.kinematics.stiffens:
        return f"{slow[0].upper()}{slow[1:]}"
    return f"Use second_order kinematics, which has geometric stiffening; or {slow}"


def _momentum(drive: Experiment, run: Result) -> list[str]:
    """A free-floating robot keeps its momentum; linearised kinematics does not."""
    robot = drive.robot
    if not _free(drive, run):
        return []

    def total(q: Array, qd: Array) -> Array:
        return recursion.momentum(robot, q, qd)

    kernel = traced(total, (robot.nq, robot.nv), ("momentum", robot))
    rows = zip(run["q"], run["qd"], strict=True)
    h = np.array([kernel(*(np.ascontiguousarray(x) for x in row)) for row in rows])
    out = []
    for name, part in (("angular", h[:, :3]), ("linear", h[:, 3:])):
        size = np.linalg.norm(part, axis=1).max()
        lost = np.linalg.norm(part - part[0], axis=1)
        if lost.max() > MOMENTUM * size and lost.max() > 1e-9:
            out.append(
                f"{robot.name} floats freely, yet its {name} momentum changes by "
                f"{100 * lost.max() / size:.2g} % until t = "
                f"{run.time[int(np.argmax(lost))]:.4g} s: "
                f"{robot.elastic_kinematics} kinematics does not keep it. Use "
                f"{' or '.join(named(lambda kind: kind.bends and kind.keeps_energy))}"
            )
    return out


def _free(drive: Experiment, run: Result) -> bool:
    """No gravity, no loads, a base that floats and that nothing drives."""
    robot = drive.robot
    roots = [link for link in robot.links if link.parent < 0]
    floats = bool(roots) and all(link.joint.nv == 6 for link in roots)
    grounded = any(i < 0 for loop in robot.loops for i, _ in (loop.first, loop.second))
    if not floats or grounded or np.any(robot.gravity) or drive.loads.stations:
        return False
    drives = [link.drive for link in roots]
    passive = any(d.stiffness or d.damping or d.viscous or d.coulomb for d in drives)
    return not passive and not any(np.any(run["tau"][:, link.u]) for link in roots)


def _energy(robot: Robot, run: Result, atol: float) -> list[str]:
    """The balance of energy, work and losses; linearised kinematics has no energy of its own.
    A run that hardly moves has no digits to balance."""
    error, own, still = run.energy_error, robot.kinematics.keeps_energy, _hardly(run, atol)
    off = f"differ by {100 * error:.2g} % of the largest of them"
    if own and error > NO_ENERGY and not still:
        raise SimulationError(
            f"the run of {robot.name} means nothing: energy, work and losses {off}. Use a smaller "
            f"rtol, or another method"
        )
    if error <= (ENERGY if own else NO_ENERGY):
        return []
    better = f"a smaller atol: {still}" if still else "a smaller rtol"
    if len(run.data.attrs.get("loops_singular", ())):
        better += "; it may have been lost where the loops are singular, then stop before that"
    if "driven" in run.data.coords:
        better += "; the acceleration of a prescribed law must be the derivative of its rate"
    remedy = f"Use {better}" if own else "Linearised kinematics keeps none; use second_order"
    return [f"energy, work and losses of the run {off}. {remedy}"]


def _hardly(run: Result, atol: float) -> str:
    """What is so small that the absolute tolerance matters; empty if nothing is."""
    for names, what in ((("q", "qd"), "nothing moves by"), (("work", "dissipated"), "no work is")):
        size = max(float(np.abs(run[x] - run[x][0]).max(initial=0.0)) for x in names)
        if size < 1e4 * atol:
            return f"{what} more than {size:.2g}, and atol is {atol:.2g}"
    return ""
