"""Drives of joints, from their words: springs, friction, stops, motors and their gears."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..bodies import MassProperties, Station, rigid_body
from ..joints import KINDS, Drive, Joint, Revolute
from ..robot import Link
from .faults import Faults, enumerated
from .spec import ALONG_AXIS, DriveSpec, Friction, JointSpec, Passive

Path = tuple[str | int, ...]
FULL = 0.9  # of the speed limit: where a motor still has its full torque, unless told


def drive_of(words: Passive) -> Drive:
    """What acts on the joint's own coordinate. A rigid gear brings its motor there: the rotor
    counts ratio squared times, the torque ratio times. (What a fast rotor does on a parent that
    turns, ratio x inertia x that turn, is left out, as is usual; an elastic gear has it.)"""
    motor = DriveSpec() if words.drive is None or elastic_gear(words) else words.drive
    r, stops = motor.gear_ratio, words.stops
    drive = replace(
        _motor(words.friction, motor, r),
        stiffness=words.stiffness,
        rest=words.rest,
        damping=words.damping,
        rotor_inertia=words.rotor_inertia + r * r * motor.rotor_inertia,
    )
    if stops is None:
        return drive
    return replace(
        drive,
        lower=stops.lower,
        upper=stops.upper,
        stop_stiffness=stops.stiffness,
        stop_damping=stops.damping,
    )


def elastic_gear(words: Passive) -> DriveSpec | None:
    """The words of the joint's elastic gear; None: it has none."""
    drive = words.drive
    return None if drive is None or drive.stiffness is None else drive


def rotor(name: str, label: str, p: int, station: Station, words: DriveSpec) -> Link:
    """The motor of an elastic gear: a link on the joint's own axis that has nothing but its inertia
    about it; its mass is the parent's."""
    spin = MassProperties(0.0, np.zeros(3), np.diag([0.0, 0.0, words.rotor_inertia]))
    body = rigid_body((spin,), {"origin": Station.origin()})
    drive = _motor(words.friction, words, 1.0)
    return Link(name, p, station, f"{label}.motor", Revolute(), drive, body, role="rotor")


def _motor(friction: Friction, words: DriveSpec, ratio: float) -> Drive:
    """A drive with friction and the limits of a motor, seen through a gear of this ratio."""
    static = friction.coulomb if friction.static is None else friction.static
    rubs = Drive(
        coulomb=friction.coulomb,
        viscous=friction.viscous,
        smoothing=friction.smoothing,
        static=static if friction.stick else 0.0,
        sticks=friction.stick,
    )
    if words.torque_limit is None:
        return rubs
    fast = words.speed_limit or 0.0
    full = FULL * fast if words.full_torque_speed is None else words.full_torque_speed
    return replace(
        rubs,
        torque_limit=ratio * words.torque_limit,
        speed_limit=fast / ratio,
        full_torque_speed=full / ratio,
    )


PARTS = {
    "stiffness": "a spring",
    "rotor_inertia": "a rotor",
    "axis": "an axis",
    "drive": "a drive",
    "stops": "stops",
}


def _may_have(kind: type[Joint], key: str) -> bool:
    """A spring and a rotor belong to one coordinate, gears and stops to one along an axis."""
    if key in ("drive", "stops"):
        return kind.kind in ALONG_AXIS
    return kind.has_axis if key == "axis" else len(kind.axes) == 1


def check_drive(joint: JointSpec, path: Path, faults: Faults) -> None:
    """A joint has no springs, rotors and axes that its kind cannot have; its drive makes sense."""
    turns = joint.coordinates in KINDS[joint.type].as_turns
    for key, what in PARTS.items():
        given = "axis" in joint.model_fields_set if key == "axis" else getattr(joint, key)
        each = turns and key in ("stiffness", "rotor_inertia")
        if given and not (_may_have(KINDS[joint.type], key) or each):
            able = enumerated(name for name, kind in KINDS.items() if _may_have(kind, key))
            frame = "; `origin: {rpy: ...}` turns a joint's frame" if key == "axis" else ""
            words = f"a {joint.type} joint cannot have {what}"
            faults.add((*path, key), words, f"{able} joints can{frame}")
    single = turns or len(KINDS[joint.type].axes) == 1
    _report(faults, (*path, "friction"), _friction_faults(joint.friction, single))
    if joint.stops is not None and not joint.stops.lower < joint.stops.upper:
        words = f"the stops leave no room to move: lower is {joint.stops.lower:g}, upper"
        words = f"{words} {joint.stops.upper:g}"
        faults.add((*path, "stops", "upper"), words, "lower must be below upper")
    if joint.drive is not None:
        _report(faults, (*path, "drive"), _drive_faults(joint.drive))
        _report(faults, (*path, "drive", "friction"), _friction_faults(joint.drive.friction, True))
        if joint.rotor_inertia:
            help = "leave it to drive: {rotor_inertia: ...}, without the gear ratio"
            faults.add((*path, "rotor_inertia"), "the joint's rotor belongs to its drive", help)


Found = Iterator[tuple[str, str, str]]
"""Faults: the key, what is wrong, what to do."""


def _report(faults: Faults, path: Path, found: Found) -> None:
    for key, message, help in found:
        faults.add((*path, key), message, help)


def _friction_faults(words: Friction, single: bool) -> Found:
    if words.static is not None and not words.stick:
        yield "static", "only a joint that can stick has static friction", "add stick: true"
    elif words.static is not None and words.static < words.coulomb:
        less = f"static friction is {words.static:g}, less than coulomb, {words.coulomb:g}"
        yield "static", less, "what sticks resists at least as much as what slides"
    if words.stick and not (words.static or words.coulomb):
        yield "stick", "a joint without dry friction cannot stick", "add coulomb, or static"
    if words.stick and not single:
        yield "stick", "only a joint of one coordinate can stick", "leave stick out"


def _drive_faults(words: DriveSpec) -> Found:
    if words.stiffness is not None and not words.rotor_inertia:
        help = "add the rotor's own inertia, rotor_inertia, without the gear ratio"
        yield "stiffness", "the motor of an elastic gear needs an inertia", help
    if words.stiffness is None:
        for key in ("damping", "backlash", "friction"):
            if key in words.model_fields_set and getattr(words, key):
                where = "; of a rigid drive it is the joint's own" if key != "backlash" else ""
                yield key, f"only an elastic gear has {key}", f"add stiffness{where}"
    if words.torque_limit is None and words.speed_limit is not None:
        yield "speed_limit", "a speed limit needs a torque that fades there", "add torque_limit"
    if words.full_torque_speed is not None:
        if words.speed_limit is None:
            yield "full_torque_speed", "it belongs to a speed limit", "add speed_limit"
        elif words.full_torque_speed >= words.speed_limit:
            high = f"it is {words.full_torque_speed:g}, not below speed_limit"
            yield "full_torque_speed", f"{high}, {words.speed_limit:g}", "leave it out, or lower it"
