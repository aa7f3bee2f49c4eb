"""A URDF joint's element as the words of a joint."""

from __future__ import annotations

from typing import Literal

from ...errors import brief, caution, did_you_mean
from ..model_words import JointWords
from .attributes import Attributes
from .names import UrdfNames
from .xml_tree import Element

CONTINUOUS = "continuous"
KINDS = {
    "revolute": "revolute",
    CONTINUOUS: "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "planar": "planar",
    "floating": "floating",
    "spherical": "spherical",
}
"""Types of URDF (spherical is a common extension) and our kinds of joints."""

WITH_AXIS = ("revolute", "prismatic", "planar")
ONE = ("revolute", "prismatic")  # one coordinate
READ = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")
MANY = READ[:4]  # of a joint that moves by several coordinates


def joint_words(
    element: Element,
    name: str,
    links: UrdfNames,
    joints: UrdfNames,
    attributes: Attributes,
    loose: Attributes,
) -> JointWords:
    """The words of a joint; what is wrong is a fault, or in `loose` a note."""
    given = attributes.text(element, "type").strip()
    if given and given not in KINDS:
        help = did_you_mean(given, KINDS) or f"types are: {', '.join(KINDS)}"
        attributes.fault(element, f"unknown type of joint {brief(given)}", help, "type")
    kind = KINDS.get(given, "fixed")
    attributes.ignore(element, READ if kind in (*ONE, "fixed") else MANY, "joint/")
    words: JointWords = {"name": name, "type": kind, **_ends(element, links, attributes)}
    origin = attributes.origin(element)
    if origin:
        words["origin"] = origin
    if kind in WITH_AXIS:
        words["axis"] = attributes.vector(element.find("axis"), "xyz", [1.0, 0.0, 0.0])
    if kind in ONE:
        words |= (
            _limits(element, given, attributes)
            | _dynamics(element, attributes)
            | _mimic(element, joints, attributes, loose)
        )
    return words


def _ends(element: Element, links: UrdfNames, attributes: Attributes) -> JointWords:
    """Parent and child, by their names in the model; the parent is stood on at its frame."""
    out: JointWords = {}
    end: Literal["parent", "child"]
    for end in ("parent", "child"):
        child = element.find(end)
        if child is None:
            attributes.fault(element, f"<joint> needs a <{end} link=...>")
            continue
        name = attributes.text(child, "link")
        if name and name not in links.given:
            help = did_you_mean(name, links.given) or "a <link> of this name is missing"
            attributes.fault(child, f"no link is named {brief(name)}", help, "link")
        out[end] = links.given.get(name, name)
    if out.get("parent") not in (None, "world"):
        out["at"] = "origin"
    return out


def _limits(element: Element, given: str, attributes: Attributes) -> JointWords:
    limit = element.find("limit")
    if limit is None:
        return {}
    keys = (
        ("effort", "velocity") if given == CONTINUOUS else ("lower", "upper", "effort", "velocity")
    )
    found = {key: attributes.limit(limit, key) for key in keys}
    for key in ("effort", "velocity"):
        if (found[key] or 0.0) < 0.0:
            attributes.fault(limit, f"{key} should be 0 or above", attribute=key)
    known = {key: value for key, value in found.items() if value is not None}
    return {"limits": known} if known else {}


def _dynamics(element: Element, attributes: Attributes) -> JointWords:
    """Damping, and dry friction."""
    dynamics = element.find("dynamics")
    out: JointWords = {}
    for key in ("damping", "friction"):
        value = attributes.number(dynamics, key, 0.0)
        if value < 0.0 and dynamics is not None:
            attributes.fault(dynamics, f"{key} should be 0 or above, got {value:g}", attribute=key)
        elif value and key == "damping":
            out["damping"] = value
        elif value:
            out["friction"] = {"coulomb": value}
    return out


def _mimic(
    element: Element, joints: UrdfNames, attributes: Attributes, loose: Attributes
) -> JointWords:
    mimic = element.find("mimic")
    if mimic is None:
        return {}
    name = attributes.text(mimic, "joint")
    if name and name not in joints.given:
        words = f"mimics {brief(name)}, which is no joint of this file: it moves by itself"
        loose.fault(mimic, words, attribute="joint")
        joint = element.attributes["name"]
        caution(f"{attributes.file.source}, line {mimic.line}: joint {joint} {words}")
        return {}
    ratio, offset = (
        attributes.number(mimic, "multiplier", 1.0),
        attributes.number(mimic, "offset", 0.0),
    )
    return {"mimic": {"joint": joints.given.get(name, name), "ratio": ratio, "offset": offset}}
