"""Drives that could be slips: stops in degrees, stops that leave out where the robot stands."""

from __future__ import annotations

from math import pi

from ...joints import KINDS
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
