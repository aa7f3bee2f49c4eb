"""What transmissions say of drives: the gear ratio, and the rotor's inertia where it is given."""

from __future__ import annotations

from ..model_words import DriveWords
from .attributes import Attributes
from .xml_tree import Element

RATIO = ("mechanicalReduction", "drake:gear_ratio")
ROTOR = ("motorInertia", "rotorInertia", "drake:rotor_inertia")


def drive_words(transmissions: list[Element], attributes: Attributes) -> dict[str, DriveWords]:
    """The words of a drive by the name of its joint. A negative ratio turns the motor the other
    way round: its size counts."""
    out: dict[str, DriveWords] = {}
    for element in transmissions:
        joints = [j.attributes.get("name", "") for j in element.all("joint")]
        ratio = [v for v in _values(element, RATIO, attributes) if v]
        rotor = [v for v in _values(element, ROTOR, attributes) if v > 0.0]
        words: DriveWords = {"gear_ratio": abs(ratio[0])} if ratio else {}
        if rotor:
            words["rotor_inertia"] = rotor[0]
        if len(joints) == 1 and words:
            out[joints[0]] = words
        elif len(joints) > 1:
            attributes.notes.append(
                f"{element.path}: a transmission of {len(joints)} joints is not read"
            )
    return out


def _values(element: Element, tags: tuple[str, ...], attributes: Attributes) -> list[float]:
    out = []
    for child in element.walk():
        if child.tag in tags:
            text = child.attributes.get("value", child.text).strip()
            child.attributes = {**child.attributes, "value": text}
            out.append(attributes.number(child, "value"))
    return out
