"""The families by name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from .base import Family
from .clamped_free import ClampedFree
from .clamped_mass import ClampedMass
from .finite_elements import FiniteElements
from .functions import Functions
from .orthogonal import Orthogonal
from .pinned_pinned import PinnedPinned
from .polynomial import Polynomial

FAMILIES: dict[str, type[Family]] = {
    kind.name: kind
    for kind in (
        Orthogonal,
        ClampedFree,
        ClampedMass,
        PinnedPinned,
        Polynomial,
        Functions,
        FiniteElements,
    )
}


def families() -> tuple[str, ...]:
    """The names of all families, the default first."""
    return tuple(FAMILIES)


def family(name: str, **options: Any) -> Family:
    """The family of this name, with its options."""
    if name not in FAMILIES:
        raise ValueError(f"mode family is {name!r}; allowed are {', '.join(FAMILIES)}")
    allowed = [field.name for field in fields(FAMILIES[name])]  # type: ignore[arg-type]
    for option in options:
        if option not in allowed:
            known = ", ".join(allowed) or "no options"
            raise ValueError(f"option is {option!r}; {name} allows {known}")
    if name == Functions.name and "functions" not in options:
        raise ValueError("mode family functions needs the option functions, a list of functions")
    return FAMILIES[name](**options)
