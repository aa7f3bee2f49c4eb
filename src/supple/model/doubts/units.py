"""Numbers that look as if they were in other units than SI."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot, pi

from ..faults import Faults
from ..spec import BeamSpec
from .subject import Subject

Path = tuple[str | int, ...]

# key: least and largest of any material, unit, factors of other units with their names
MATERIAL = {
    "E": (1e6, 2e12, "Pa", ((1e9, "GPa"), (1e6, "MPa"))),
    "G": (3e5, 1e12, "Pa", ((1e9, "GPa"), (1e6, "MPa"))),
    "density": (5.0, 25e3, "kg/m^3", ((1e3, "g/cm^3"), (1e12, "t/mm^3"))),
}
LIKELY = {"E": (1e8, 1.3e12), "G": (3e7, 6e11), "density": (100.0, 23e3)}
LONGEST = 100.0  # m
STRONGEST = 30.0  # m/s^2


def doubt_units(subject: Subject, faults: Faults) -> None:
    if not subject.si:
        return
    for name, link in subject.links.items():
        if link.beam is not None:
            _materials(link.beam, ("links", name, "beam"), faults)
    for path, key, value in _lengths(subject):
        if abs(value) > LONGEST:
            words = f"{key} is {value:g} m long: lengths are in metres"
            faults.add(path, words, f"if it is in mm, write {value / 1e3:g}")
    for path, key, value in _angles(subject):
        if abs(value) > 2.0 * pi:
            words = f"{key} is {value:g} rad, more than a whole turn: angles are in radians"
            faults.add(path, words, f"if it is in degrees, write {value:g}*deg")
    _gravity(subject, faults)


def _materials(beam: BeamSpec, path: Path, faults: Faults) -> None:
    for key, (low, high, unit, factors) in MATERIAL.items():
        value = getattr(beam, key)
        if value is None or low <= value <= high:
            continue
        much = "low" if value < low else "high"
        message = f"{key} is {value:g} {unit}, too {much} for any material"
        least, most = LIKELY[key]
        meant = [(f, other) for f, other in factors if least <= value * f <= most]
        help = f"{key} is in {unit}, as all is in SI; another set of units is named by `units`"
        if meant:
            help = f"{value:g} {meant[0][1]} is {value * meant[0][0]:g} {unit}"
        faults.add((*path, key), message, help)


def _lengths(subject: Subject) -> Iterator[tuple[Path, str, float]]:
    for name, link in subject.links.items():
        if link.beam is not None and name not in subject.rows:
            yield ("links", name, "beam", "length"), "the beam", link.beam.length
        if link.rigid is not None and link.rigid.length is not None:
            yield ("links", name, "rigid", "length"), "the link", link.rigid.length
        if link.rigid is not None and link.rigid.tip is not None and name not in subject.rows:
            yield ("links", name, "rigid", "tip"), "the link", _size(link.rigid.tip)
    for i, row in enumerate(subject.spec.dh.rows if subject.spec.dh else ()):
        yield from ((("dh", "rows", i, key), key, getattr(row, key)) for key in ("a", "b"))
    if not subject.rows:
        for i, joint in enumerate(subject.joints):
            yield ("joints", i, "origin", "xyz"), "the offset", _size(joint.origin.xyz)


def _angles(subject: Subject) -> Iterator[tuple[Path, str, float]]:
    for i, row in enumerate(subject.spec.dh.rows if subject.spec.dh else ()):
        yield from ((("dh", "rows", i, key), key, getattr(row, key)) for key in ("alpha", "theta"))
    if subject.rows:
        return
    vectors: list[tuple[Path, list[float]]] = []
    for name, link in subject.links.items():
        if link.beam is not None:
            vectors.append((("links", name, "beam", "rpy"), link.beam.rpy))
        if link.rigid is not None:
            vectors.append((("links", name, "rigid", "tip_rpy"), link.rigid.tip_rpy))
        for at, station in link.stations.items():
            vectors.append((("links", name, "stations", at, "rpy"), station.rpy))
    for i, joint in enumerate(subject.joints):
        vectors.append((("joints", i, "origin", "rpy"), joint.origin.rpy))
    for path, vector in vectors:
        yield path, str(path[-1]), max(vector, key=abs)


def _gravity(subject: Subject, faults: Faults) -> None:
    size = _size(subject.spec.gravity)
    if size <= STRONGEST:
        return
    near = [(9806.65, "mm/s^2"), (980.665, "cm/s^2"), (386.09, "in/s^2"), (32.174, "ft/s^2")]
    meant = [unit for value, unit in near if abs(size / value - 1.0) < 0.02]
    help = "it is in m/s^2, on Earth 9.81"
    if meant:
        help = f"this is free fall on Earth in {meant[0]}; in m/s^2 it is 9.81"
    faults.add(("gravity",), f"gravity is {size:g} m/s^2, more than on any planet", help)


def _size(vector: list[float]) -> float:
    return hypot(*vector)
