"""Doubts about joints: stops in degrees, or that leave out where the robot stands; of closed chains
motors that are too few or too many, and a singular start."""

from __future__ import annotations

from math import pi

from ...errors import counted
from ...joints import KINDS
from ...loops import Mobility, mobility
from ..faults import Faults
from .subject import Subject


def doubt_drives(subject: Subject, faults: Faults) -> None:
    for i, joint in enumerate(subject.joints):
        if joint.stops is None:
            continue
        turns = KINDS[joint.type].axes[0] < 3
        for key in ("lower", "upper"):
            value = getattr(joint.stops, key)
            if turns and subject.si and abs(value) > 8.0 * pi:
                words = f"{key} is {value:g} rad, more than four turns: angles are in radians"
                help = f"if it is in degrees, write {value:g}*deg"
                faults.add(("joints", i, "stops", key), words, help)
    _home(subject, faults)


def _home(subject: Subject, faults: Faults) -> None:
    """Where the robot stands by itself, between its stops?"""
    robot, q = subject.robot, subject.robot.home()
    for i, joint in enumerate(subject.joints):
        at = next((x for x in robot.links if x.name == joint.child), None)
        if joint.stops is None or at is None:
            continue
        here = float(q[at.q.start])
        if not joint.stops.lower <= here <= joint.stops.upper:
            faults.add(
                ("joints", i, "stops"),
                f"the stops leave out {here:g}, where the joint stands unless told otherwise",
                "start runs elsewhere (q0), or measure the joint from a place between them",
            )


def doubt_loops(subject: Subject, faults: Faults) -> None:
    robot = subject.robot
    if not robot.loops:
        return
    found = mobility(robot, robot.home())
    _doubt_motors(subject, found, faults)
    if found.singular:
        faults.add(
            ("guess",) if subject.spec.guess else ("loops",),
            f"the loops close at a singular place: the chain gains "
            f"{counted(found.rank - found.rank_here, 'degree')} of freedom there for an instant, "
            f"and may go on in several ways",
            "give another guess",
        )
    if found.degrees_of_freedom == 0:
        faults.add(("loops",), "the loops leave no motion at all", "is a loop closed twice?")


def _doubt_motors(subject: Subject, found: Mobility, faults: Faults) -> None:
    given = subject.spec.actuated is not None
    path, freedom = ("actuated",) if given else ("loops",), counted(found.rigid, "degree")
    said = counted(found.motors, "motor")
    if not given:
        said += " (without `actuated`, every joint of the tree has one)"
    if found.spare_motors:
        faults.add(
            path,
            f"{said} for {freedom} of freedom: torques are not decided by the motion alone",
            f"name {found.rigid} joints in actuated, unless the motors are meant to share",
        )
    if found.undriven and given and subject.spec.actuated:  # none at all: it moves by itself
        faults.add(
            path,
            f"{said} for {freedom} of freedom: {counted(found.undriven, 'degree')} of freedom "
            f"without one, so its motion cannot be prescribed",
            "name more joints in actuated, unless the chain is meant to move by itself",
        )
