"""Is a built robot one that can be computed with? Its numbers are finite, its coordinates move
inertia."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from ..bodies import Station
from ..recursion import passive_force
from ..recursion.forward import Factor, factor
from ..recursion.inverse import all_moments
from ..recursion.mass import Composite, composites
from ..recursion.path import paths
from ..recursion.space import space
from ..robot import Link, Robot
from .faults import Faults


def check_computable(
    robot: Robot, joints: dict[str, int], faults: Faults, massless: bool = False
) -> tuple[str, ...]:
    """Add a fault where the robot's numbers overflow or a coordinate moves no inertia; where the
    latter is allowed (`massless`), give the name of its rate instead."""
    for link in robot.links:
        if not _finite_link(link):
            faults.add(
                _place(link, joints),
                f"the numbers of {link.name!r} are too large: what follows from them is not finite",
                "is a power of ten wrong?",
            )
            return ()
    factors, wholes = _bodies(robot)
    still = _massless(robot, factors, wholes)
    if not massless:
        _check_inertia(robot, still, joints, faults)
    if not faults.found and not _finite_weight(robot, wholes):
        faults.add(
            next((k,) for k in ("gravity", "links", "dh") if k in faults.document.data),
            "the numbers are too large: the weight of the robot is not finite",
            "is a power of ten wrong, in gravity, a mass or a length?",
        )
    return tuple(robot.velocity_names[k] for k in still[-1:])  # those before it follow


def _finite_link(link: Link) -> bool:
    """The body's moments and all stations, and where the link hangs."""
    arrays = [getattr(link.body, f.name) for f in fields(link.body)]
    stations = [link.mount, *link.body.stations.values()]
    arrays += [getattr(s, f.name) for s in stations for f in fields(Station)]
    numbers = [np.ravel(a) for a in arrays if isinstance(a, float | np.ndarray)]
    return bool(np.isfinite(np.concatenate(numbers)).all())


def _bodies(robot: Robot) -> tuple[list[Factor], list[Composite]]:
    """Of each link the articulated body and the composite one, at the neutral configuration."""
    here = space(robot)
    x = here.shapes(robot, robot.neutral())
    ways, at = paths(robot, x, np.zeros(robot.nv)), all_moments(robot, x)
    return factor(robot, ways, at), here.value(composites(robot, ways, at))


def _finite_weight(robot: Robot, wholes: list[Composite]) -> bool:
    """Whether gravity pulls at each link, with all it carries, with a finite force and moment,
    and springs with a finite one."""
    pull = np.full(3, np.abs(robot.gravity).max())
    weights = [np.abs(whole.matrix()[:, 3:6]) @ pull for whole in wholes]
    springs = passive_force(robot, robot.neutral(), np.zeros(robot.nv))
    return bool(np.isfinite(np.concatenate([springs, *weights])).all())


def _place(link: Link, joints: dict[str, int]) -> tuple[str | int, ...]:
    """Where the file speaks of a link: a rider's or helper's name is not there."""
    return ("links", link.name) if link.name in joints else ("links",)


def _check_inertia(robot: Robot, bad: list[int], joints: dict[str, int], faults: Faults) -> None:
    """Every coordinate must move some mass, or the equations have no solution."""
    names = robot.velocity_names
    if not bad:
        return
    i = bad[-1]  # the factors run from the tips to the base
    at, link = next((k, x) for k, x in enumerate(robot.links) if i < x.e.stop)
    carried = next(x.name for x in robot.links[at:] if x.name in joints)  # after helpers, rotors
    path = ("links", link.name) if i >= link.e.start else ("joints", joints[carried])
    faults.add(
        path,
        f"coordinate {names[i]!r} moves no inertia: the robot cannot be simulated",
        "a shape must differ from zero and from the others before it"
        if i >= link.e.start
        else "give its link, or one that it carries, a mass or inertia (or as_given: true)",
    )


def _massless(robot: Robot, factors: list[Factor], wholes: list[Composite]) -> list[int]:
    """Coordinates whose inertia is lost in rounding: what is left of it when the coordinates
    after it move freely, D_i, against all it moves, M_ii; and the moment of inertia about an
    axis against those about any."""
    bad = []
    for link, parts, whole in zip(robot.links, factors, wholes, strict=True):
        M, turning = whole.matrix(), float(np.trace(whole.rigid.I))
        extra = len(parts.articulated) - len(M)  # linearised, a frame has twelve numbers
        place = {axis: link.u.start + a for a, axis in enumerate(link.joint.axes)}
        place |= {6 + k: link.e.start + k for k in range(link.body.m)}
        for column in parts.columns:
            k = column.at if column.at < 6 else column.at - extra
            rotor = link.drive.rotor_inertia if k < 6 else 0.0
            least = 1e-14 * (float(M[k, k]) + rotor)
            least = max(least + float(np.finfo(float).tiny), 1e-15 * turning * (k < 3))
            if not np.inf > column.D > least:
                bad.append(place[k])
    return sorted(bad)
