"""Centre of mass and momentum of a whole robot, in the world."""

from __future__ import annotations

import numpy as np

from ..bodies import inertia_wrench, moments
from ..bodies.body import Acceleration
from ..robot import Robot
from ..screws import cross, square
from ..types import Array, Scalar
from .inverse import all_moments, body_loads
from .kinematics import motions, poses
from .path import paths
from .space import space
from .sweep import total


def centre_of_mass(robot: Robot, q: Array) -> Array:
    """c = sum (m_i p_i + R_i int rho r) / sum m_i: (3,)."""
    here = space(robot)
    x = here.shapes(robot, q)
    frames = poses(robot, paths(robot, x, np.zeros(robot.nv)))

    def step(i: int) -> Array:
        at, pose = moments(robot.links[i].body, x[robot.links[i].d]), frames[i]
        return np.asarray(at.body.mass * pose.p + pose.R @ at.mc)

    return np.asarray(here.value(total(robot.parents, step)) / _mass(robot))


def _mass(robot: Robot) -> Scalar:
    return total(robot.parents, lambda i: robot.links[i].body.mass)


def centre_of_mass_motion(
    robot: Robot, q: Array, qd: Array, qdd: Array
) -> tuple[Array, Array, Array]:
    """c, its velocity h / m and its acceleration sum R_i f_i / m, f_i what the inertia of link i
    asks for: (3,) each.

    Rotors of rigid drives are no bodies of their own, as in the momentum.
    """
    here = space(robot)
    x, rates = here.shapes(robot, q), here.rates(robot, qd)
    ways = paths(robot, x, rates)
    frames, at = poses(robot, ways), all_moments(robot, x)
    loads = body_loads(robot, at, motions(robot, ways, rates, qdd, np.zeros(3)), rates, qdd)
    force = total(robot.parents, lambda i: frames[i].R @ loads[i].f)
    h, mass = momentum(robot, q, qd), _mass(robot)
    return centre_of_mass(robot, q), h[3:] / mass, np.asarray(here.value(force) / mass)


def momentum(robot: Robot, q: Array, qd: Array) -> Array:
    """h = sum [R n + p x R f; R f] with [n; f] = M_i t_i of each link: (6,), the angular part
    about the world's origin.

    The twist of a frame is the acceleration that qd would be from rest, so M_i t_i is what a
    link's inertia asks for then. Rotors of rigid drives are no bodies of their own: they add
    energy, not momentum.
    """
    here, still = space(robot), np.zeros(robot.nv)
    x, rates = here.shapes(robot, q), here.rates(robot, qd)
    ways = paths(robot, x, still)
    frames, at = poses(robot, ways), all_moments(robot, x)
    twists = motions(robot, ways, still, rates, np.zeros(3))

    def step(i: int) -> Array:
        t, pose, e = twists[i], frames[i], robot.links[i].e
        moving = Acceleration(np.zeros(3), square(np.zeros(3), t.dw), t.a)
        n, f, _ = inertia_wrench(at[i], moving, still[e], rates[e])
        force = pose.R @ f
        return np.concatenate([pose.R @ n + cross(pose.p, force), force])

    return np.asarray(here.value(total(robot.parents, step)))
