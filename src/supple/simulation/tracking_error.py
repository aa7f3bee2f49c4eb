"""How far a run is from the motion it was to follow: joints, and tips of the last links.

Feed-forward torques are those of the rigid robot. A robot that bends leaves its path by about its
bends; what is more, by a tenth of the motion, was not followed at all.
"""

from __future__ import annotations

import numpy as np

from ..analyse import validity
from ..loops.assembly import size
from ..robot import Robot
from ..types import Floats
from .check import Check, at_most
from .inputs import feedforward
from .observe import observed
from .result import Result
from .simulated_robot import SimulatedRobot

SHARE = 0.1  # of a motion's range: beyond it and what bending explains, it was not followed
LOOKS = 9  # instants at which torques are compared
LEAST = 0.01  # rad, and of the robot's size: of motions that stand still


def followed(drive: SimulatedRobot, run: Result) -> list[Check]:
    """Joints and tips against the desired motion, where there is one."""
    if drive.wanted is None or not drive.wanted.names:
        return []
    robot, desired = drive.robot, run["desired"]
    places = [robot.coordinate_names.index(name) for name in drive.wanted.names]
    off = np.abs(run["q"][:, places] - desired)
    limits = _limits(robot, run, drive.wanted.names, desired)
    k = int(np.argmax(off.max(axis=0) / limits))
    when, unit = int(np.argmax(off[:, k])), _units(robot, drive.wanted.names)[k]
    name, far = drive.wanted.names[k], float(off[when, k])
    joint = f"{name} at t = {run.time[when]:.4g} s"
    words = f"{name} is {far:.3g} {unit} from the desired motion at t = {run.time[when]:.4g} s"
    tip = _tips(drive, run, desired, places)
    why = GROWN if _exactly_fed(drive, run, off) else REMEDY
    if tip is None:
        return [at_most("joints off the motion", far, limits[k], unit, joint, f"{words}. {why}")]
    away, allowed, link, t = tip
    words += f", and the tip of {link} {away:.3g} m from its path at t = {t:.4g} s. {why}"
    where = f"{link} at t = {t:.4g} s"
    return [
        at_most("joints off the motion", far, limits[k], unit, joint, words),
        at_most("tip off the path", away, allowed, "m", where, words),
    ]


REMEDY = (
    "The motion was not followed: feed-forward torques are those of the rigid robot, and nothing "
    "brings back what has left its path. Add feedback, e.g. torque=lambda t, q, qd: ..., or let "
    "the joints follow exactly (prescribed=)"
)

GROWN = (
    "These torques would keep a rigid robot on the motion exactly: all of this is the error of "
    "the steps, which grows because the motion is unstable. Where the run ends depends on the "
    "tolerance and means nothing. Add feedback, e.g. torque=lambda t, q, qd: ..., or let the "
    "joints follow exactly (prescribed=)"
)


def _exactly_fed(drive: SimulatedRobot, run: Result, off: Floats) -> bool:
    """Whether the exact solution is the motion itself: a rigid tree that starts on it, under its
    own feed-forward torques and nothing else."""
    robot, wanted = drive.robot, drive.wanted
    assert wanted is not None
    other = robot.modes or robot.gears or robot.loops or drive.loads.stations or drive.driven.names
    if other or off[0].any() or not np.array_equal(run["qd"][0], wanted(0.0)[1]):
        return False
    feed, none = feedforward(robot, wanted), np.zeros(0)
    looks = np.linspace(0, len(run.time) - 1, LOOKS).astype(int)
    tau = np.array([feed(float(run.time[k]), none, none) for k in looks])
    rounding = 1e-13 * np.abs(tau).max(initial=0.0)  # native code adds in another order
    return bool(np.allclose(run["tau"][looks], tau, rtol=1e-9, atol=rounding))


def _units(robot: Robot, names: tuple[str, ...]) -> list[str]:
    slides = {link.joint_name for link in robot.links if all(a > 2 for a in link.joint.axes)}
    return ["m" if name in slides else "rad" for name in names]


def _limits(robot: Robot, run: Result, names: tuple[str, ...], desired: Floats) -> Floats:
    """For each joint: a tenth of its range, and what bending explains."""
    units = np.array(_units(robot, names))
    bends = {"rad": _slopes(robot, run), "m": _deflection(run)}
    least = {"rad": LEAST, "m": LEAST * size(robot)}
    ranges = np.ptp(desired, axis=0)
    out = np.empty(len(names))
    for k, unit in enumerate(units):
        widest = ranges[units == unit].max()  # a joint that stands still moves with the others
        out[k] = max(SHARE * (ranges[k] or widest), least[unit]) + bends[unit]
    return out


def _slopes(robot: Robot, run: Result) -> float:
    """Largest slopes of all links together."""
    return float(sum(x.max(initial=0.0) for x in validity.slopes(robot, run["q"]).values()))


def _deflection(run: Result) -> float:
    """Largest deflections of all tips together."""
    return float(np.linalg.norm(run["deflection"], axis=2).max(axis=0).sum())


def _tips(
    drive: SimulatedRobot, run: Result, desired: Floats, places: list[int]
) -> tuple[float, float, str, float] | None:
    """The tip of a last link that is farthest off: how far, how far it may be, which, when. None
    where the motion does not say where all joints are."""
    robot = drive.robot
    motors = {gear.motor for gear in robot.gears}  # they stand where their joints do
    links = [link for i, link in enumerate(robot.links) if i not in motors]
    joints = [i for link in links for i in range(link.q.start, link.q.stop)]
    if robot.loops or set(joints) != set(places):
        return None
    q = np.tile(robot.home(), (len(desired), 1))
    q[:, places] = desired
    q = np.array([robot.unwound(row) for row in q])
    path = observed(robot, q, np.zeros((len(q), robot.nv)))["tip"][1]
    ends = [i for i in range(len(robot.links)) if i not in robot.parents]
    off = np.linalg.norm(run["tip"] - path, axis=2)[:, ends]
    when, k = np.unravel_index(int(np.argmax(off)), off.shape)
    reach = float(np.linalg.norm(np.ptp(path[:, ends], axis=0), axis=1).max())
    allowed = max(SHARE * reach, LEAST * size(robot)) + lever(robot, run)
    return float(off[when, k]), allowed, robot.links[ends[k]].name, float(run.time[when])


def lever(robot: Robot, run: Result) -> float:
    """How far bending may carry a tip: deflections, and slopes times all that they carry."""
    reach = sum(float(np.linalg.norm(link.mount.r0 + link.mount.rho)) for link in robot.links)
    last = robot.links[-1].body.stations.get("tip")
    reach += 0.0 if last is None else float(np.linalg.norm(last.r0 + last.rho))
    return _deflection(run) + _slopes(robot, run) * reach
