"""The range in which the kinematics of bent links holds: how far they bend, and what it costs.

Shapes enter the kinematics to second order (or first). What is dropped grows with the slope of
a link. Against exact solutions of a cantilever (end force, end moment, weight: `docs/guide.md`,
Limits) the tip is wrong, relative to its displacement, by about

    0.45 slope^2   second_order              0.4 slope   first_order, linearized

without axial forces; these two lack geometric stiffness, so under axial forces they err more.
A pure twist is exact. With the twist a, a slope b costs b (a^2 + b^2) / 24 of the length (a beam
of constant curvature, to lowest order): it counts as the slope cbrt(b (a^2 + b^2)).
"""

from __future__ import annotations

import numpy as np

from ..robot import Link, Robot, remembered
from ..types import Floats

MEANINGLESS = 1.0  # [rad]: 40 % wrong under an end force, and growing fast
POINTS = 33  # along a link: more than the extrema of its shapes


def slopes(robot: Robot, q: Floats) -> dict[str, Floats]:
    """The largest slope [rad] along each link that bends, at states q (..., nq): (...)."""
    return {link.name: _slope_of(turns, q[..., link.d]) for link, turns in _all_turns(robot)}


def deflections(robot: Robot, q: Floats) -> dict[str, Floats]:
    """The largest deflection over the length of each link that bends: (...)."""
    return {link.name: _largest(_along(q[..., link.d], moved)) for link, moved in _all_moved(robot)}


def findings(robot: Robot, times: Floats | None, q: Floats) -> list[str]:
    """One sentence for each link that bends beyond the range of its kinematics, at states q
    (..., nq); times (...): when these states are, None where they have no time."""
    limit = robot.kinematics.doubtful
    bends = deflections(robot, q)
    out = []
    for name, slope in slopes(robot, q).items():
        worst = float(slope.max(initial=0.0))
        if worst > limit:
            when = _when(times, int(np.argmax(slope)))
            out.append(_sentence(robot, name, worst, float(bends[name].max()), when))
    return out


def refusal(robot: Robot, q: Floats, times: Floats | None = None) -> str | None:
    """Why the states q (..., nq) mean nothing, if a link bends too far; else None."""
    for name, slope in slopes(robot, q).items():
        far = np.ravel(~(slope <= MEANINGLESS))  # also where it is no number
        if far.any():
            first = int(np.argmax(far))
            return (
                f"link {name} of {robot.name} bends by a slope of "
                f"{np.degrees(np.ravel(slope)[first]):.3g} deg{_when(times, first)}; "
                f"{robot.elastic_kinematics} kinematics means nothing beyond "
                f"{np.degrees(MEANINGLESS):.0f} deg. {_remedy(robot)}"
            )
    return None


def _sentence(robot: Robot, name: str, slope: float, bend: float, when: str) -> str:
    how = robot.kinematics
    return (
        f"link {name} bends by a slope of {np.degrees(slope):.3g} deg ({bend:.2g} of its length)"
        f"{when}: {how.name} kinematics is good up to {np.degrees(how.doubtful):.3g} deg and makes "
        f"deflections about {100 * how.wrong(slope):.2g} % wrong here. {_remedy(robot)}"
    )


def _remedy(robot: Robot) -> str:
    more = "" if robot.kinematics.second else "use second_order kinematics, "
    words = f"{more}divide the link into several (fixed joints between them), make it stiffer, "
    return f"{words[0].upper()}{words[1:]}or load it less"


def _when(times: Floats | None, state: int) -> str:
    return "" if times is None else f" at t = {np.ravel(times)[state]:.4g} s"


@remembered
def _all_turns(robot: Robot) -> list[tuple[Link, Floats]]:
    """Links that bend, with the rotations along them."""
    return [(link, _turns(link)) for link in robot.links if link.body.m]


def _turns(link: Link) -> Floats:
    """Rotations (points, shapes, 3) along a link for each unit shape, twist first."""
    line = link.body.line
    if line is None:  # the beam's axis is not known: twist counts as slope
        nodes = np.array([station.Theta for station in link.body.stations.values()])
        return np.concatenate([np.zeros((*nodes.shape[:2], 1)), nodes], axis=2)
    x = np.linspace(0.0, line.beam.length, POINTS)
    return np.asarray(np.moveaxis(line.base.rotation(x), 0, 1))


def _slope_of(turns: Floats, d: Floats) -> Floats:
    squares = _along(d, turns) ** 2
    bend = squares[..., 1:].sum(axis=-1)
    cubes = np.sqrt(bend) * (squares[..., 0] + bend)
    return np.asarray(np.cbrt(cubes.max(axis=-1, initial=0.0)))


def _along(d: Floats, fields: Floats) -> Floats:
    """Vectors (..., points, n) along a link of shapes d (...), from those of unit shapes."""
    points, shapes, n = fields.shape
    moved = d @ fields.swapaxes(0, 1).reshape(shapes, points * n)
    return np.asarray(moved.reshape(*d.shape[:-1], points, n))


class BendCheck:
    """A fast check of states (..., nq): is no link bent beyond what its kinematics describes?"""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._parts = [(link.d, turns) for link, turns in _all_turns(robot)]
        self._most = [np.linalg.norm(turns, axis=-1).max(axis=0) for _, turns in self._parts]

    def __call__(self, q: Floats) -> bool:
        parts = zip(self._parts, self._most, strict=True)
        return all(_holds(turns, most, q[..., d]) for (d, turns), most in parts)


def _holds(turns: Floats, most: Floats, d: Floats) -> bool:
    """Whether no slope is meaningless. None is steeper than sum_k |d_k| most_k, which is seen at
    once; only where that is too much is the link looked at along its length."""
    steep = ~(np.abs(d) @ most <= MEANINGLESS)  # also where it is no number
    return bool(not steep.any() or np.all(_slope_of(turns, d[steep]) <= MEANINGLESS))


@remembered
def _all_moved(robot: Robot) -> list[tuple[Link, Floats]]:
    """Links that bend, with the displacements along them over their length."""
    return [(link, _displacements(link)) for link in robot.links if link.body.m]


def _displacements(link: Link) -> Floats:
    """Displacements (points, shapes, 3) along a link for each unit shape, over its length."""
    line = link.body.line
    if line is None:
        stations = link.body.stations.values()
        length = max(float(np.linalg.norm(s.r0)) for s in stations)
        return np.array([station.S for station in stations]) / max(length, 1e-300)
    x = np.linspace(0.0, line.beam.length, POINTS)
    return np.asarray(np.moveaxis(line.base.displacement(x), 0, 1)) / line.beam.length


def _largest(vectors: Floats) -> Floats:
    """The largest length of vectors (..., points, 3): (...)."""
    return np.asarray(np.linalg.norm(vectors, axis=-1).max(axis=-1, initial=0.0))


__all__ = ["MEANINGLESS", "BendCheck", "deflections", "findings", "refusal", "slopes"]
