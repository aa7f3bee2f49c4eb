"""Inertias that no body can have; bodies of finite elements that do not stiffen; beams too thick,
too soft, or loaded where few shapes cannot follow; words without effect."""

from __future__ import annotations

from math import hypot

import numpy as np

from ...bodies import FIELDS
from ...modes.families import FAMILIES, options_of
from .. import section
from ..faults import Faults
from ..inertia import inertia_tensor
from ..mode_shapes import family_name, field_options
from ..spec import BeamSpec, FieldModes
from .subject import Load, Subject

THICK = 0.1  # depth over length
NO_BEAM = 0.5
STEEP = 0.26  # rad, 15 degrees: what the kinematics are right for
FEW = 6  # shapes that follow a load inside the beam
LIGHT = 0.1  # of the beam's mass: a load that does not matter
USED_BY = {key: name for name in FAMILIES for key in options_of(name)}


def doubt_bodies(subject: Subject, faults: Faults) -> None:
    """Of a body's principal moments A <= B <= C, C = int x^2 + y^2 is at most A + B."""
    for name, link in subject.links.items():
        for part in ("rigid", "hub", "payload"):
            words = getattr(link, part)
            if words is None or words.inertia is None:
                continue
            tensor = inertia_tensor(words.inertia)
            size = float(np.abs(tensor).max()) or 1.0
            a, b, c = np.linalg.eigvalsh(tensor / size)
            if c > (a + b) * (1.0 + 1e-6):
                faults.add(
                    ("links", name, part, "inertia"),
                    f"no body has the principal moments {a * size:.4g}, {b * size:.4g}, "
                    f"{c * size:.4g}: the largest "
                    f"is more than the sum of the others",
                    "harmless in a plane, where one of them counts; in space it is a slip",
                )


def doubt_parts(subject: Subject, faults: Faults) -> None:
    """Second-order kinematics asks for products of shapes, which matrices alone do not give."""
    for link in subject.robot.links:
        words = subject.links.get(link.name)
        if words is None or words.body is None or not link.body.m:
            continue
        if subject.robot.kinematics.second and not len(link.body.E):
            faults.add(
                ("links", link.name, "body"),
                f"{link.name} has no geometric stiffening: it does not get stiffer when it turns "
                f"fast or is pulled, nor softer when it is pushed",
                "give stiffening, or Standard Input Data with Ct, Cr and Oe of order 1; harmless "
                "where loads along the link are far below those that buckle it",
            )


def doubt_beams(subject: Subject, faults: Faults) -> None:
    for name, link in subject.links.items():
        if link.beam is None:
            continue
        fields = dict(field_options(link.beam.modes))
        _unused(name, link.beam, fields, faults)
        if not subject.robot.kinematics.bends:
            continue
        bending = [f for f in fields if FIELDS[f].bends]
        _thick(name, link.beam, bending, faults)
        _loaded_inside(name, link.beam, fields, subject, faults)
        _soft(name, link.beam, bending, subject, faults)


def _depth(beam: BeamSpec, field: str) -> tuple[float, str]:
    """Thickness in the plane of bending, the largest along the beam, and the key that says it;
    of numbers, that of the rectangle with this area and second moment: h^2 = 12 I / A."""
    x = np.linspace(0.0, beam.length, 9)
    if beam.section is not None:
        key = "diameter" if beam.section.shape in ("circle", "tube") else FIELDS[field].depth
        return float(section.profile(getattr(beam.section, key), beam.length)(x).max()), "section"
    shape = section.geometry(beam)
    about = FIELDS[field].made[1]  # Iz or Iy
    second = getattr(shape, about)
    if shape.area is None or second is None:
        return 0.0, ""
    key = next(k for k in (about, "I") if getattr(beam, k))
    return float(np.sqrt(12.0 * second(x) / shape.area(x)).max()), key


def _thick(name: str, beam: BeamSpec, bending: list[str], faults: Faults) -> None:
    """Shear, which is left out, adds about 0.8 (h/L)^2 to a cantilever's deflection:
    3 E I / (k G A L^2) with I = A h^2 / 12, E / G = 2.6 and k = 5/6."""
    for field in bending:
        depth, key = _depth(beam, field)
        ratio = depth / beam.length
        if ratio <= THICK:
            continue
        if ratio >= NO_BEAM:
            message = (
                f"this is no beam: it is {depth:g} thick and {beam.length:g} long. Euler-Bernoulli "
                f"theory means nothing here"
            )
        else:
            message = (
                f"the beam is thick, {depth:.3g} for a length of {beam.length:g}: shear, which is "
                f"left out, adds about {78 * ratio**2:.2g} % to its deflection, more to its higher "
                f"modes"
            )
        help = "lengths and sections are in the same unit; a body as stout as this is rigid"
        faults.add(("links", name, "beam", key), message, help)
        return


def _loaded_inside(
    name: str, beam: BeamSpec, fields: dict[str, FieldModes], subject: Subject, faults: Faults
) -> None:
    """Where a load hangs inside the span the shear force jumps; smooth shapes follow slowly."""
    counts = [options.count for field, options in fields.items() if FIELDS[field].bends]
    if not counts or min(counts) >= FEW:
        return
    own = next(x.body.mass for x in subject.robot.links if x.name == name)
    for x, mass, path in subject.loads(name):
        inside = 0.05 * beam.length < x < 0.95 * beam.length
        if inside and mass > LIGHT * own:
            few = "one shape" if min(counts) == 1 else f"{min(counts)} shapes"
            faults.add(
                path,
                f"a load of {mass:.3g} kg sits at x = {x:g} of the beam, where the shear force "
                f"jumps: {few} can follow that only roughly",
                f"cut the beam there into two links with a fixed joint, or take {FEW} shapes",
            )


def _soft(name: str, beam: BeamSpec, bending: list[str], subject: Subject, faults: Faults) -> None:
    """Slope of the tip of the horizontal cantilever under its weight and that of its loads."""
    fields = [f for f in bending if _sags(subject, name, f)]
    if not fields:
        return
    slope = max(tip_slope(beam, f, subject.loads(name), subject.spec.gravity) for f in fields)
    if slope > STEEP:
        faults.add(
            ("links", name, "beam"),
            f"held out horizontally, the beam bends by {slope:.2g} rad at its tip under its own "
            f"weight and what it carries; slopes up to {STEEP} rad (15 degrees) are computed well",
            "are EI (N m^2), E (Pa), I (m^4) and the masses right?",
        )


def tip_slope(
    beam: BeamSpec,
    field: str,
    loads: list[Load],
    g: list[float],
) -> float:
    """int M / EI dx with M(x) = g int_x^L m (s - x) ds + g sum of m_i (x_i - x)+; for a uniform
    beam with a tip mass this is g L^2 (m / 6 + m_tip / 2) / EI."""
    made = section.beam(beam, [field])
    x = np.linspace(0.0, beam.length, 401)
    mid, step = 0.5 * (x[1:] + x[:-1]), x[1] - x[0]
    dm = made.mass(mid) * step
    moment = np.maximum(mid[None, :] - mid[:, None], 0.0) @ dm
    for at, mass, _ in loads:
        moment += mass * np.maximum(at - mid, 0.0)
    return float(hypot(*g) * np.sum(moment / made.stiffness[field](mid)) * step)


def _sags(subject: Subject, name: str, field: str) -> bool:
    """Whether gravity ever acts in the plane of bending: seen where all joints are turned by
    some angles."""
    from ...recursion import gravity_force

    robot = subject.robot
    if not np.any(robot.gravity):
        return False
    link = robot.links[robot.index(name)]
    rows = [
        link.e.start + k for k, shape in enumerate(link.body.shape_names) if shape.startswith(field)
    ]
    q = robot.neutral()
    for k, x in enumerate(robot.links):
        q[x.q] += 0.3 + 0.1 * (k % 7)
    force = [gravity_force(robot, x)[rows] for x in (robot.neutral(), robot.normalized(q))]
    size = hypot(*robot.gravity) * link.body.mass
    return bool(np.abs(force).max(initial=0.0) > 1e-9 * size)


def _unused(name: str, beam: BeamSpec, fields: dict[str, FieldModes], faults: Faults) -> None:
    """Options that the chosen family does not know."""
    common = beam.modes
    for key, family in USED_BY.items():
        kinds = {f: family_name(options, common) for f, options in fields.items()}
        for field, options in fields.items():
            if getattr(options, key) is not None and kinds[field] != family:
                own = ("links", name, "beam", "modes", field, key)
                faults.add(own, *_without_effect(key, kinds[field], family))
        if getattr(common, key) is not None and family not in kinds.values():
            others = ", ".join(sorted(set(kinds.values()))) or "none"
            where = ("links", name, "beam", "modes", key)
            faults.add(where, *_without_effect(key, others, family))


def _without_effect(key: str, kind: str, family: str) -> tuple[str, str]:
    return f"{key} has no effect: the family is {kind}", f"leave it out, or take family: {family}"
