"""A robot as the page needs it: frames, the stations on them, beams with their shapes and sections,
and the solids that are drawn.

The page computes where everything is by the same formulas as `places`, from the same constants.
"""

from __future__ import annotations

import numpy as np

from ...bodies import Station
from ...joints import Joint
from ...loops.assembly import motor_links, size
from ...loops.closure import TURNS, closed_axes
from ...robot import Link, Robot
from ...types import Floats
from .figure import PageFigure, Plate, Solid
from .numbers import Numbers
from .places import PagePlaces, products


def scene(robot: Robot, numbers: Numbers) -> dict[str, object]:
    """All that does not change with time."""
    places = PagePlaces.of(robot)
    figure = PageFigure.of(places)
    return {
        "name": robot.name,
        "description": robot.description,
        "units": robot.units,
        "gravity": plain(robot.gravity),
        "small": bool(robot.kinematics.small),
        "size": size(robot),
        "names": list(robot.coordinate_names),
        "home": plain(robot.home()),
        "links": [_link(places, i) for i in range(len(robot.links))],
        "nodes": [[i, _node(station)] for i, station in places.nodes],
        "beams": [_beam(places, i, numbers) for i in places.sections],
        "loops": [_loop(places, k) for k in range(len(robot.loops))],
        "held": sorted(motor_links(robot)) if robot.loops else [],
        "unit": figure.unit,
        "extent": figure.extent,
        "solids": [_solid(solid) for solid in figure.solids],
        "plates": [_plate(plate) for plate in figure.plates],
    }


def _link(places: PagePlaces, i: int) -> dict[str, object]:
    link = places.robot.links[i]
    mass = float(link.body.mass)
    return {
        "name": link.name,
        "role": link.role,
        "parent": link.parent,
        "joint": {"name": link.joint_name, **_joint(link.joint)},
        "limits": _limits(link),
        "q": [link.q.start, link.q.stop],
        "d": [link.d.start, link.d.stop],
        "frame": plain(link.frame),
        "mount": _node(link.mount),
        "stations": places.stations[i],
        "mass": mass,
        "com": plain(link.body.c0 / mass) if mass > 0.0 else [0.0, 0.0, 0.0],
    }


def _joint(joint: Joint) -> dict[str, object]:
    return {"kind": joint.kind, "axes": list(joint.axes), "nq": joint.nq}


def _limits(link: Link) -> list[float] | None:
    """Where its coordinate has stops."""
    drive = link.drive
    return [drive.lower, drive.upper] if drive.upper > drive.lower else None


def _loop(places: PagePlaces, k: int) -> dict[str, object]:
    loop = places.robot.loops[k]
    turns, slides = closed_axes(loop)
    return {
        "name": loop.name,
        "places": list(places.loops[k]),
        "links": [loop.first[0], loop.second[0]],
        "turns": [[list(entry) for entry in row] for row in TURNS[turns]],
        "slides": list(slides),
    }


def _node(station: Station) -> dict[str, object]:
    """A station's constants; absent ones are left out."""
    parts = {"rho": station.rho, "S": station.S, "T": station.Theta}
    parts |= {"S2": products(station.S2), "T2": products(station.Theta2)}
    kept = {name: plain(part) for name, part in parts.items() if np.any(part != 0.0)}
    return {"r": plain(station.r0), "R": plain(station.R0), **kept}


def _beam(places: PagePlaces, i: int, numbers: Numbers) -> dict[str, object]:
    """Sections along a beam: where they are and how they turn (link axes), their curvature
    (section axes) and stretch, for unit shapes and products of shapes; and how large they are."""
    part, line = places.sections[i], places.robot.links[i].body.line
    assert line is not None
    outline, base, x = line.beam.outline, line.base, part.x
    tables = {"x": x, "r": part.r, "S": part.S, "T": part.T, "S2": part.S2, "T2": part.T2}
    tables |= {"curvature": np.moveaxis(base.rotation(x, 1), 1, 0), "stretch": base.stretch(x).T}
    return {
        "link": i,
        "first": places.first[i],
        "length": line.beam.length,
        "R": plain(line.R),
        **{name: numbers.put(table) for name, table in tables.items()},
        "half": None if outline is None else numbers.put(outline.half(x)),
        "shape": None if outline is None else outline.shape,
        "E": None if outline is None else outline.E,
    }


def _solid(solid: Solid) -> dict[str, object]:
    words = {"form": solid.form, "place": solid.place, "paint": solid.paint}
    other = {} if solid.other is None else {"other": solid.other}
    return {**words, **other, "matrix": plain(solid.matrix)}


def _plate(plate: Plate) -> dict[str, object]:
    corners = {"corners": plain(plate.corners), "normal": plain(plate.normal)}
    return {"place": plate.place, "paint": plate.paint, **corners}


def plain(array: Floats) -> list[float]:
    return [float(v) for v in np.asarray(array, dtype=float).reshape(-1)]
