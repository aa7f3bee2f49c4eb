"""From what a file says of a beam to the properties along it."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

from ..bodies import FIELDS, Beam, DerivedProfile, Outline, Profile, ProfileProduct, ProfileSum
from ..bodies.profile import Along
from ..errors import KeyedError
from . import torsion
from .spec import Along as AlongWords, BeamSpec, Section, Table


def profile(value: AlongWords, length: float) -> Profile:
    """A number, [root, tip], or a table."""
    if isinstance(value, Table):
        if value.x[0] > 0.0 or value.x[-1] < length:
            raise ValueError(
                f"a table along the beam must reach from x = 0 to its length {length:g}; it runs "
                f"from {value.x[0]:g} to {value.x[-1]:g}"
            )
        return Profile(np.array(value.x), np.array(value.value))
    if isinstance(value, list):
        return Profile(np.array([0.0, length]), np.array(value))
    return Profile.constant(value)


@dataclass(frozen=True)
class Geometry:
    """Area and second moments of a cross-section along the beam, where known.

    Iy = int z^2 dA, Iz = int y^2 dA, J the torsion constant.
    """

    area: Along | None
    Iy: Along | None
    Iz: Along | None
    J: Along | None


def geometry(spec: BeamSpec) -> Geometry:
    """From explicit numbers, or from the section's shape."""
    L = spec.length
    shape = _shape(spec.section, L) if spec.section else Geometry(None, None, None, None)

    def pick(*values: AlongWords | None) -> Along | None:
        return next((profile(v, L) for v in values if v is not None), None)

    return Geometry(
        pick(spec.area) or shape.area,
        pick(spec.Iy, spec.I) or shape.Iy,
        pick(spec.Iz, spec.I) or shape.Iz,
        pick(spec.J) or shape.J,
    )


DIMENSIONS = {
    "circle": ("diameter",),
    "tube": ("diameter", "wall"),
    "rectangle": ("width", "height"),
    "box": ("width", "height", "wall"),
}


def _shape(s: Section, L: float) -> Geometry:
    for key in s.model_fields_set - {"shape", *DIMENSIONS[s.shape]}:
        words = " and ".join(DIMENSIONS[s.shape])
        raise KeyedError(f"a {s.shape} section has no {key}, only {words}", "section", key)

    def need(name: str) -> Profile:
        value = getattr(s, name)
        if value is None:
            raise KeyedError(f"a {s.shape} section needs {name}", "section")
        return profile(value, L)

    def power(p: Profile, n: float) -> Profile:
        return Profile(p.x, p.values, n)

    if s.shape in ("circle", "tube"):
        D = need("diameter")
        d = _inner(D, need("wall")) if s.shape == "tube" else None
        rings = [(1.0, D)] + ([(-1.0, d)] if d is not None else [])
        area = ProfileSum(tuple((k * pi / 4, power(p, 2)) for k, p in rings))
        inertia = ProfileSum(tuple((k * pi / 64, power(p, 4)) for k, p in rings))
        polar = ProfileSum(tuple((k * pi / 32, power(p, 4)) for k, p in rings))
        return Geometry(area, inertia, inertia, polar)
    b, h = need("width"), need("height")
    sides = [(1.0, b, h)]
    J = DerivedProfile(torsion.rectangle, (b, h))
    if s.shape == "box":
        t = need("wall")
        sides.append((-1.0, _inner(b, t), _inner(h, t)))
        J = DerivedProfile(torsion.box, (b, h, t))
    area = ProfileSum(tuple((k, ProfileProduct((p, q))) for k, p, q in sides))
    Iy = ProfileSum(tuple((k / 12, ProfileProduct((p, power(q, 3)))) for k, p, q in sides))
    Iz = ProfileSum(tuple((k / 12, ProfileProduct((power(p, 3), q))) for k, p, q in sides))
    return Geometry(area, Iy, Iz, J)


def _inner(outer: Profile, wall: Profile) -> Profile:
    x = np.unique(np.concatenate([outer.x, wall.x]))
    inside = outer(x) - 2.0 * wall(x)
    if np.any(inside <= 0.0):
        i = int(np.argmin(inside))
        raise KeyedError(
            f"the wall of {wall(x)[i]:g} is too thick: the section is {outer(x)[i]:g} wide",
            "section",
            "wall",
        )
    return Profile(x, inside)


def beam(spec: BeamSpec, fields: list[str]) -> Beam:
    """The beam's properties; ValueError says which are missing or given twice."""
    L, g = spec.length, geometry(spec)
    mass = _mass(spec, g)
    if spec.added_mass_per_length is not None:
        mass = ProfileSum(((1.0, mass), (1.0, profile(spec.added_mass_per_length, L))))
    if spec.nu is not None and spec.E is not None and spec.G is None:
        shear: float | None = spec.E / (2.0 * (1.0 + spec.nu))
    else:
        shear = spec.G
    _once(spec, "EI", "EIy")
    _once(spec, "EI", "EIz")
    moduli = {"E": spec.E, "shear": shear}
    stiffness: dict[str, Along] = {}
    for name, field in FIELDS.items():
        given = [value for key in field.given if (value := getattr(spec, key)) is not None]
        modulus, area = moduli[field.made[0]], getattr(g, field.made[1])
        if given:
            stiffness[name] = profile(given[0], L)
        elif modulus is not None and area is not None:
            stiffness[name] = _times(modulus, area)
        elif name in fields:
            raise KeyedError(f"{name} modes need the stiffness {field.needs}", "modes", name)
    twisted = next((name for name in fields if FIELDS[name].rotates), None)
    turning = _section_inertia(spec, g, twisted)
    per_length = isinstance(spec.mass_per_length, float)
    numbers = (L, mass, stiffness, turning, spec.tip_angle)
    return Beam(*numbers, per_length=per_length, outline=_outline(spec))


def _outline(spec: BeamSpec) -> Outline | None:
    """What its sections look like; numbers alone (area, EI) do not say."""
    s = spec.section
    if s is None:
        return None
    sides = ("diameter", "diameter") if s.shape in ("circle", "tube") else ("width", "height")
    wide, high = (profile(getattr(s, side), spec.length) for side in sides)
    return Outline(s.shape, wide, high, spec.E)


def _once(spec: BeamSpec, a: str, b: str) -> None:
    if getattr(spec, a) is not None and getattr(spec, b) is not None:
        raise KeyedError(f"{a} and {b} say the same thing twice; keep one", b)


def _times(factor: float, p: Along) -> Along:
    return (
        ProfileSum(((factor, p),))
        if not isinstance(p, ProfileSum)
        else ProfileSum(tuple((factor * k, term) for k, term in p.terms))
    )


def _mass(spec: BeamSpec, g: Geometry) -> Along:
    ways = [k for k in ("mass", "mass_per_length", "density") if getattr(spec, k) is not None]
    if len(ways) != 1:
        said = "nothing" if not ways else " and ".join(ways)
        raise KeyedError(
            f"a beam's mass is given once, as mass, mass_per_length, or density with area or "
            f"section; got {said}",
            *ways[1:2],
        )
    if spec.mass is not None:
        return Profile.constant(spec.mass / spec.length)
    if spec.mass_per_length is not None:
        return profile(spec.mass_per_length, spec.length)
    if g.area is None:
        raise KeyedError("density needs area or section", "density")
    assert spec.density is not None
    return _times(spec.density, g.area)


def _section_inertia(
    spec: BeamSpec, g: Geometry, twisted: str | None
) -> tuple[Along, Along, Along] | None:
    """Inertia of the sections per length about x, y, z; needed for torsion, else as asked.

    Without a word it is taken along wherever density and second moments are known.
    """
    polar = None if spec.polar_inertia is None else profile(spec.polar_inertia, spec.length)
    if spec.rotary_inertia is False:
        if twisted:
            raise KeyedError(
                f"{twisted} modes need the sections' inertia; rotary_inertia is false",
                "rotary_inertia",
            )
        return None
    if spec.density is not None and g.Iy is not None and g.Iz is not None:
        Jy, Jz = _times(spec.density, g.Iy), _times(spec.density, g.Iz)
        return (polar or ProfileSum(((1.0, Jy), (1.0, Jz))), Jy, Jz)
    if polar is not None:
        half = _times(0.5, polar)
        return (polar, half, half)
    if twisted or spec.rotary_inertia:
        reason = f"{twisted} modes need" if twisted else "rotary_inertia needs"
        raise KeyedError(
            f"{reason} the sections' inertia: give polar_inertia (per length), or density "
            f"with I (Iy, Iz) or section",
            *(("modes", twisted) if twisted else ("rotary_inertia",)),
        )
    return None
