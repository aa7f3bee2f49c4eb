"""The families by name: the one place where a family is registered."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields

from .base import HOLDS, Family
from .finite_elements import FiniteElements
from .functions import Functions
from .polynomials import Orthogonal, Polynomial
from .uniform_beams import ClampedFree, ClampedMass, PinnedPinned

FAMILIES: dict[str, type[Family]] = {
    kind.name: kind
    for kind in (
        Orthogonal,
        ClampedFree,
        PinnedPinned,
        ClampedMass,
        Polynomial,
        Functions,
        FiniteElements,
    )
}
DEFAULT = Orthogonal.name


def families() -> tuple[str, ...]:
    """The names of all families, the default first."""
    return tuple(FAMILIES)


def options_of(name: str) -> dict[str, Field[object]]:
    """The options of a family."""
    return {field.name: field for field in fields(FAMILIES[name])}  # type: ignore[arg-type]


def required(name: str) -> dict[str, str]:
    """The options without which a family has no shapes, and what they hold."""
    needed = {key: field for key, field in options_of(name).items() if field.default is MISSING}
    return {key: HOLDS.get(field.metadata["holds"], "") for key, field in needed.items()}


def listing() -> dict[str, str]:
    """Options that list shapes one by one, each with its family, which it implies."""
    return {kind.listed: name for name, kind in FAMILIES.items() if kind.listed}


def family(name: str, **given: object) -> Family:
    """The family of this name, with its options."""
    if name not in FAMILIES:
        raise ValueError(f"mode family is {name!r}; allowed are {', '.join(FAMILIES)}")
    allowed = options_of(name)
    for option in given:
        if option not in allowed:
            known = ", ".join(allowed) or "no options"
            raise ValueError(f"option is {option!r}; {name} allows {known}")
    for option, what in required(name).items():
        if option not in given:
            raise ValueError(f"mode family {name} needs the option {option}, {what}")
    return FAMILIES[name](**given)
