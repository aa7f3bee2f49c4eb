"""What acts on a link's coordinates by itself, in symbols."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...joints import Drive, Gear
from ...robot import Link, Robot
from ...types import Array, Floats, Scalar
from ..naming.link_facts import LinkFacts
from ..naming.link_namer import LinkNamer, link_number
from ..naming.named_graph import NamedGraph
from .beam import beam_stiffness


@dataclass(frozen=True)
class PassiveTerms:
    """What acts on a link's coordinates by itself."""

    stiffness: Array  # (nv of the joint + m, the same)
    damping: Array
    rest: Array
    coulomb: Scalar
    smoothing: Scalar
    drive: Drive  # with the numbers of its stops in symbols


def passive_terms(named: NamedGraph, robot: Robot, i: int, facts: LinkFacts | None) -> PassiveTerms:
    """Springs, dampers, friction of the joint; stiffness and damping of the shapes."""
    link, body = robot.links[i], robot.links[i].body
    name = LinkNamer(named, link_number(robot, i))
    drive, nu, m = link.drive, link.joint.nv, body.m
    stiffness = np.zeros((nu + m, nu + m), dtype=object)
    damping = np.zeros((nu + m, nu + m), dtype=object)
    rest = np.zeros(nu + m, dtype=object)
    what = link.joint_name
    for k in range(nu):
        stiffness[k, k] = name.model("ks", drive.stiffness, f"spring of {what}")
        rest[k] = name.model("q0", drive.rest if drive.stiffness else 0.0, f"rest of {what}")
        total = drive.damping + drive.viscous
        damping[k, k] = name.model("cd", total, f"damping of {what}")
    stiffness[nu:, nu:] = _elastic(name, link, facts)
    damping[nu:, nu:] = _entries(name, "cs", body.D, f"damping of shapes, {link.name}")
    coulomb = name.model("fc", drive.coulomb, f"Coulomb friction of {what}")
    smoothing = name.model("vs", drive.smoothing if drive.coulomb else 0.0, f"smoothing, {what}")
    return PassiveTerms(stiffness, damping, rest, coulomb, smoothing, _with_stops(name, link))


def _with_stops(name: LinkNamer, link: Link) -> Drive:
    drive, what = link.drive, f"stop of {link.joint_name}"
    if not drive.stop_stiffness:
        return drive
    return replace(
        drive,
        lower=name.model("ql", drive.lower, f"lower {what}"),
        upper=name.model("qu", drive.upper, f"upper {what}"),
        stop_stiffness=name.model("kt", drive.stop_stiffness, f"stiffness, {what}"),
        stop_damping=name.model("ct", drive.stop_damping, f"damping, {what}"),
    )


def gear_in_symbols(named: NamedGraph, robot: Robot, gear: Gear) -> Gear:
    """The gear with its numbers in symbols, named by the link that it drives."""
    name = LinkNamer(named, link_number(robot, gear.link))
    what = f"gear of {robot.links[gear.link].joint_name}"
    return replace(
        gear,
        ratio=name.model("rg", gear.ratio, f"ratio, {what}"),
        stiffness=name.model("kg", gear.stiffness, f"stiffness, {what}"),
        damping=name.model("cg", gear.damping, f"damping, {what}"),
        backlash=name.model("bg", gear.backlash, f"backlash, {what}"),
    )


def _elastic(name: LinkNamer, link: Link, facts: LinkFacts | None) -> Array:
    if facts is not None and facts.beam is not None and link.body.m:
        made = beam_stiffness(name, link, facts.beam)
        size = np.abs(link.body.K).max()
        if np.abs(name.named.numbers(made) - link.body.K).max() <= 1e-10 * size:
            return made
    return _entries(name, "K", link.body.K, f"stiffness, {link.name}")


def _entries(name: LinkNamer, letter: str, X: Floats, meaning: str) -> Array:
    """A symmetric matrix, each entry a constant."""
    out = np.zeros(X.shape, dtype=object)
    for j, k in zip(*np.triu_indices(len(X)), strict=True):
        value = float(X[j, k])
        out[j, k] = out[k, j] = name.integral(f"{letter}_{j + 1}{k + 1}_", value, meaning)
    return out
