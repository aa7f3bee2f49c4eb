"""A model without its wrong words, so that all others are checked too."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from ..errors import Fault
from ..joints import Fixed
from .spec import RobotSpec
from .yaml import Document


def without_faults(
    document: Document, faults: Iterable[Fault]
) -> tuple[RobotSpec, set[str]] | None:
    """The model without its faulty words, and the links that lost some; None if too little is
    left to say more."""
    data = copy.deepcopy(dict(document.data))
    emptied: set[str] = set()
    for fault in faults:
        if not _take_out(data, fault.path, emptied):
            return None
    try:
        return RobotSpec.model_validate(data), emptied
    except ValidationError:
        return None


def _take_out(data: dict[str, Any], path: tuple[str | int, ...], emptied: set[str]) -> bool:
    """Links are emptied, joints keep their ends, other top-level keys go."""
    top = path[0] if path else ""
    if top not in ("links", "joints", "dh"):
        data.pop(str(top), None)
        return bool(path)
    if top == "links" and len(path) > 2:
        data["links"][path[1]] = {}
        emptied.add(str(path[1]))
        return True
    if top == "joints" and len(path) > 2 and path[2] != "child":
        joint = data["joints"][path[1]]
        joint.pop(path[2], None)
        joint.setdefault("type", Fixed.kind)
        return True
    return False
