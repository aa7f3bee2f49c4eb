"""Can a run be believed? What is looked at while it goes on, and when it is done.

While it goes on: links bent so far that the kinematics means nothing, and joints that run away,
end it. When it is done: bends beyond the documented range, links that turn too fast for kinematics
without geometric stiffening, shapes whose stiffness vanishes, momentum that nothing took away,
bends lost in the tolerance, the balance of energy, the distance from the desired motion
(`tracking_error`), vibration between the samples (`ringing`) and shapes that are too few
(`truncation`).
Each is a `Check`; a failed one says in a sentence what, which link, when, and what to do.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import checks, recursion
from ..analyse import validity
from ..elastic_kinematics import named
from ..engine import traced
from ..errors import SimulationError
from ..robot import Robot
from ..tracer.machine import quickly
from ..types import Array, Floats
from .check import Check, at_least, at_most
from .observe import at_samples
from .result import Result
from .ringing import fastest, lowest, ringing, samples
from .simulated_robot import SimulatedRobot
from .solver import Tolerances
from .tracking_error import followed
from .truncation import truncation

TURNING = 0.2  # rate of a link over its first frequency: stiffness 8 % wrong without stiffening
DEFLECTION = 0.1  # of its length: a link that bends less is a beam of small deflections
MOMENTUM = 1e-3  # lost, relative, by a robot that nothing pushes
RACING, RUNAWAY = 1e4, 1e6  # rad/s: rates of joints that no robot has; that end a run
MANY = 200  # degrees of freedom, beyond which modes are not looked for
NOISE, KNOWN = 1e-4, 10.0  # shape coordinates over atol: none at all; enough to be known
ENERGY = 1e-4  # imbalance, relative, that is worth a word
EXACT = 1e4  # the same in units of a small rtol, but no less than rounding, 1e-8
BENDING = 0.1  # imbalance over the energy of bending: vibration may be lost in it
NO_ENERGY = 0.1  # and that makes a run worthless
LOOKS = 12  # instants at which the stiffness of the shapes is looked at


class Guard:
    """Ends a run whose links bend beyond all meaning, or whose joints run away."""

    def __init__(self, drive: SimulatedRobot) -> None:
        self.robot, self._held = drive.robot, drive.driven.held
        self._fits = validity.BendCheck(drive.robot)
        self._turns = drive.robot.nq + np.array(_turns(drive.robot), dtype=int)

    def __call__(self, t: float | Floats, y: Floats) -> None:
        """At an instant, or at several with a state a row."""
        rows = np.atleast_2d(y)
        q, times = rows[:, : self.robot.nq], np.atleast_1d(np.asarray(t, dtype=float))
        if not self._fits(q):
            raise SimulationError(f"the run stopped: {validity.refusal(self.robot, q, times)}")
        fast = np.abs(rows[:, self._turns])
        if not np.all(fast <= RUNAWAY):
            raise SimulationError(self._indefinite(times, q) or self._runaway(times, fast))

    def believes(self, y: Floats) -> bool:
        """Whether a state is one that the run may go through."""
        slow = np.all(np.abs(y[self._turns]) <= RUNAWAY)
        return bool(slow and np.all(np.isfinite(y)) and self._fits(y[None, : self.robot.nq]))

    def _indefinite(self, times: Floats, q: Floats) -> str:
        """Linearised kinematics runs away where its mass matrix is none of inertia."""
        for t, place in zip(times, q, strict=True):
            words = checks.indefinite_words(self.robot, place, self._held, share=0.05)
            if words:
                return f"the run of {self.robot.name} stopped at t = {t:.6g} s: {words}"
        return ""

    def _runaway(self, times: Floats, fast: Floats) -> str:
        when = int(np.argmax(~np.all(fast <= RUNAWAY, axis=1)))
        k = int(np.argmax(np.nan_to_num(fast[when], nan=np.inf)))
        rate = self._turns[k] - self.robot.nq
        name = self.robot.velocity_names[rate]
        link = next(x.name for x in self.robot.links if x.u.start <= rate < x.u.stop)
        return (
            f"the run of {self.robot.name} diverges: {name} (link {link}) turns at "
            f"{fast[when, k]:.3g} rad/s at t = {times[when]:.6g} s. Look at the signs and gains of "
            f"feedback and at the torques, add damping, or take shorter steps where they are of "
            f"one length"
        )


def _turns(robot: Robot) -> list[int]:
    """Places in the velocity of joint rates that are turns."""
    pairs = [(x.u.start + k, axis) for x in robot.links for k, axis in enumerate(x.joint.axes)]
    return [place for place, axis in pairs if axis < 3]


def check_run(drive: SimulatedRobot, run: Result, how: Tolerances, qdd: Floats) -> list[Check]:
    """All that is looked at when a run is done."""
    robot = drive.robot
    rings = ringing(robot, drive.driven.held, run, qdd) if _rings(robot) else []
    return [
        *_bends(robot, run),
        *_turning(robot, run),
        *softened(drive, run, qdd),
        *_momentum(drive, run),
        *_racing(robot, run),
        *_known(robot, run, how.atol),
        *balance(robot, run, how),
        *followed(drive, run),
        *samples(run, fastest(run, rings)),
        *truncation(drive, run, qdd, rings),
    ]


def _rings(robot: Robot) -> bool:
    """Whether there is something to vibrate, and its modes cost no more than the run."""
    sprung = bool(robot.gears) or any(link.drive.stiffness for link in robot.links)
    return (robot.modes > 0 or sprung) and robot.nv <= MANY


def _bends(robot: Robot, run: Result) -> list[Check]:
    """Slope and deflection: of all links that bend too far, or of the one that bends most."""
    slopes, bends = (f(robot, run["q"]) for f in (validity.slopes, validity.deflections))
    limit = robot.kinematics.doubtful
    beyond = [name for name, slope in slopes.items() if slope.max(initial=0.0) > limit]
    words = validity.findings(robot, run.time, run["q"]) if beyond else []
    told = dict(zip(beyond, words, strict=True))
    turned, moved = [], []
    for name in slopes:
        slope, bend = float(np.degrees(slopes[name].max())), float(bends[name].max())
        when = [f"at t = {run.time[int(np.argmax(x[name]))]:.4g} s" for x in (slopes, bends)]
        where = [f"link {name} {x}" for x in when]
        far = told.get(name) or (
            f"link {name} is deflected by {bend:.2g} of its length {when[1]}: beams of small "
            f"deflections are good up to {DEFLECTION:g}, and {robot.elastic_kinematics} kinematics "
            f"makes deflections about "
            f"{100 * robot.kinematics.wrong(float(slopes[name].max())):.2g} % wrong here. Divide "
            f"the link into several (fixed joints between them), make it stiffer, or load it less"
        )
        most = float(np.degrees(limit))
        turned.append(at_most("slope", slope, most, "deg", where[0], told.get(name, "")))
        moved.append(at_most("deflection", bend, DEFLECTION, "of length", where[1], far))
    return [*_worst(turned), *_worst(moved)]


def _turning(robot: Robot, run: Result) -> list[Check]:
    """Without foreshortening a turning link loses the stiffness it should gain."""
    if robot.kinematics.stiffens or not robot.modes:
        return []
    rates = _link_rates(robot, run)
    out = []
    for i, link in enumerate(robot.links):
        if not link.body.m:
            continue
        first = np.sqrt(max(lowest(link.body.K, link.body.Mdd), 1e-300))
        worst = int(np.argmax(rates[:, i]))
        share = float(rates[worst, i] / first)
        when = f"at t = {run.time[worst]:.4g} s"
        words = (
            f"link {link.name} turns at {rates[worst, i]:.3g} rad/s {when}, {share:.2g} of its "
            f"first frequency ({first:.3g} rad/s): {robot.elastic_kinematics} kinematics has no "
            f"geometric stiffening, so the link is too soft. Use second_order"
        )
        unit, where = "of first frequency", f"link {link.name} {when}"
        out.append(at_most("rotation", share, TURNING, unit, where, words))
    return _worst(out)


def _worst(made: list[Check]) -> list[Check]:
    """All that failed, or else the one with the largest value."""
    failed = [check for check in made if not check.ok]
    return failed or sorted(made, key=lambda check: check.value)[-1:]


def _link_rates(robot: Robot, run: Result) -> Floats:
    """Angular speed of every link at the samples: (samples, links)."""

    def speeds(q: Array, qd: Array) -> Array:
        return np.array([t[:3] @ t[:3] for t in recursion.twists(robot, q, qd)])

    kernel = traced(speeds, (robot.nq, robot.nv), ("speeds", robot))
    return np.sqrt(np.maximum(at_samples(kernel, run["q"], run["qd"]), 0.0))


def _momentum(drive: SimulatedRobot, run: Result) -> list[Check]:
    """A free-floating robot keeps its momentum; linearised kinematics does not."""
    robot = drive.robot
    if not _free(drive, run):
        return []

    def total(q: Array, qd: Array) -> Array:
        return recursion.momentum(robot, q, qd)

    kernel = traced(total, (robot.nq, robot.nv), ("momentum", robot))
    h = at_samples(kernel, run["q"], run["qd"])
    out = []
    for name, part in (("angular", h[:, :3]), ("linear", h[:, 3:])):
        size = float(np.linalg.norm(part, axis=1).max())
        lost = np.linalg.norm(part - part[0], axis=1)
        when = f"until t = {run.time[int(np.argmax(lost))]:.4g} s"
        share = float(lost.max() / size) if lost.max() > 1e-9 else 0.0
        words = (
            f"{robot.name} floats freely, yet its {name} momentum changes by {100 * share:.2g} % "
            f"{when}: {robot.elastic_kinematics} kinematics does not keep it. Use "
            f"{' or '.join(named(lambda kind: kind.bends and kind.keeps_energy))}"
        )
        out.append(at_most(f"{name} momentum", share, MOMENTUM, "relative", when, words))
    return out


def _free(drive: SimulatedRobot, run: Result) -> bool:
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


def _racing(robot: Robot, run: Result) -> list[Check]:
    """Joints that turn as none does: a run that diverges without end."""
    turns = _turns(robot)
    if not turns:
        return []
    fast = np.abs(run["qd"][:, turns])
    when, k = np.unravel_index(int(np.argmax(fast)), fast.shape)
    name, rate = robot.velocity_names[turns[k]], float(fast[when, k])
    where = f"{name} at t = {run.time[when]:.4g} s"
    words = (
        f"{name} turns at {rate:.3g} rad/s at t = {run.time[when]:.4g} s, as no joint does: the "
        f"run has diverged. Look at the signs and gains of feedback and at the torques, or add "
        f"damping"
    )
    return [at_most("joint rates", rate, RACING, "rad/s", where, words)]


def _known(robot: Robot, run: Result, atol: float) -> list[Check]:
    """Bends so small that the absolute tolerance hides them: a stiffness that is lost in it."""
    out = []
    for link in robot.links:
        size = float(np.abs(run["q"][:, link.d]).max(initial=0.0)) / atol
        if size > NOISE:
            words = (
                f"shapes of link {link.name} move by no more than {size:.2g} atol ({atol:.2g}): "
                f"what they do is lost in the tolerance. Use a smaller atol, or let the link be "
                f"rigid if it is as stiff as that"
            )
            where = f"link {link.name}"
            out.append(at_least("bends against atol", size, KNOWN, "atol", where, words))
    failed = [check for check in out if not check.ok]
    return failed or sorted(out, key=lambda check: check.value)[:1]


def balance(robot: Robot, run: Result, how: Tolerances) -> list[Check]:
    """The balance of energy, work and losses; linearised kinematics has no energy of its own.
    A run that hardly moves has no digits to balance."""
    error, own, still = run.energy_error, robot.kinematics.keeps_energy, _hardly(run, how.atol)
    off = f"differ by {100 * error:.2g} % of the largest of them"
    if own and error > NO_ENERGY and not still:
        raise SimulationError(
            f"the run of {robot.name} means nothing: energy, work and losses {off}. Use a smaller "
            f"rtol, or another method"
        )
    better = f"a smaller atol: {still}" if still else "a smaller rtol"
    if len(run.held.attrs.get("loops_singular", ())):
        better += "; it may have been lost where the loops are singular, then stop before that"
    if "driven" in run.held.variables:
        better += "; the acceleration of a prescribed law must be the derivative of its rate"
    remedy = f"Use {better}" if own else "Linearised kinematics keeps none; use second_order"
    words = f"energy, work and losses of the run {off}. {remedy}"
    limit = min(ENERGY, max(EXACT * how.rtol, 1e-8))
    if still or not own:
        limit = ENERGY if own else NO_ENERGY
    checks = [at_most("energy balance", error, limit, "relative", "", words)]
    return checks + (_of_bending(run, better) if own and robot.modes and not still else [])


def _of_bending(run: Result, better: str) -> list[Check]:
    """What is missing beside the energy of bending: a method that damps hides in a large motion."""
    total = run["kinetic"] + run["gravity"] + run["elastic"]
    missing = np.abs(total - total[0] - run["work"] + run["dissipated"]).max()
    most = np.abs(run["elastic"]).max(initial=0.0)
    rounding = 1e-13 * max(np.abs(run[x]).max() for x in ("kinetic", "gravity", "work"))
    if missing <= rounding or most == 0.0:
        return [Check("energy of bending", 0.0, BENDING, "missing of it", True)]
    words = (
        f"energy, work and losses differ by {missing / most:.2g} of all the energy of bending: "
        f"whether vibration dies out by itself or by the method cannot be told. Use {better}"
    )
    return [at_most("energy of bending", missing / most, BENDING, "missing of it", "", words)]


def _hardly(run: Result, atol: float) -> str:
    """What is so small that the absolute tolerance matters; empty if nothing is."""
    moved = max(float(np.abs(run[x] - run[x][0]).max(initial=0.0)) for x in ("q", "qd"))
    for size, what in ((moved, "nothing moves by"), (run.energy_moved, "no energy is")):
        if size < 1e4 * atol:
            return f"{what} more than {size:.2g}, and atol is {atol:.2g}"
    return ""


def softened(drive: SimulatedRobot, run: Result, qdd: Floats) -> list[Check]:
    """Shapes without stiffness: by rotation, by acceleration, or by loads they would buckle. What
    is left of it: 1 without loads, 0 where they buckle."""
    robot = drive.robot
    if not robot.modes or robot.loops:  # of closed chains it depends on how the loops hold them
        return []
    stiffness, own = _stiffness(drive), recursion.shape_stiffness(robot)
    left, when = np.inf, 0.0
    for k in np.linspace(0, len(run.time) - 1, min(LOOKS, len(run.time))).astype(int):
        K = stiffness(float(run.time[k]), run["q"][k], run["qd"][k], qdd[k])
        found = lowest(0.5 * (K + K.T), own)
        if found < left:
            left, when = found, float(run.time[k])
        if left <= 0.0:
            break
    words = (
        f"the shapes of {robot.name} have no stiffness left at t = {when:.4g} s (rotation, "
        f"acceleration or loads take it): deflections grow without bound there. {_stiffer(robot)}"
    )
    ok = left > 0.0
    where = f"at t = {when:.4g} s"
    return [
        Check("stiffness left", left, 0.0, "of the shapes', more than", ok, where if ok else words)
    ]


def _stiffness(drive: SimulatedRobot) -> Callable[[float, Floats, Floats, Floats], Floats]:
    """d(forces on the shapes)/d(shapes) of the robot as it moves, by central differences."""
    robot, stations = drive.robot, drive.loads.stations
    modes = list(robot.mode_indices)
    places = [i for link in robot.links for i in range(link.d.start, link.d.stop)]

    def force(q: Array, qd: Array, qdd: Array, wrenches: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        return recursion.inverse_dynamics(robot, q, qd, qdd, external)[modes]

    sizes = (robot.nq, robot.nv, robot.nv, 6 * len(stations))
    with quickly():  # asked a few times in a run
        kernel = traced(force, sizes, ("shape forces", robot, list(stations)))
    step = 1e-4 * np.eye(robot.nq)[places]

    def stiffness(t: float, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        given = (np.ascontiguousarray(qd), np.ascontiguousarray(qdd), drive.loads(t))
        up, down = (np.array([kernel(row, *given) for row in q + s]) for s in (step, -step))
        return np.asarray((up - down).T / 2e-4)

    return stiffness


def _stiffer(robot: Robot) -> str:
    slow = "turn or accelerate it less, or make the link stiffer"
    if robot.kinematics.stiffens:
        return f"{slow[0].upper()}{slow[1:]}"
    return f"Use second_order kinematics, which has geometric stiffening; or {slow}"
