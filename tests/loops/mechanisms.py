"""Closed chains for the tests: robots of words, their loops cut by hand.

A loop is made to close at a configuration: side a is a station of the tree, the joint of the
cut is displaced as told, and side b is put where that leads, on its own link.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import supple
from supple.bodies import Station
from supple.joints import KINDS, Joint
from supple.loops import closure_jacobian
from supple.loops.assembly import AssemblyProblem, descend, moved
from supple.loops.closure import closure
from supple.loops.rows import settled
from supple.recursion import poses
from supple.recursion.path import paths, station_path
from supple.robot import Loop, Robot
from supple.types import Floats
from trees import random_state, tree

Side = tuple[int, Station]


def place(robot: Robot, q: Floats, side: Side) -> tuple[Floats, Floats]:
    """(R, p) of a station in the world, plain kinematics."""
    i, station = side
    if i < 0:
        return station.R0, station.r0 + station.rho
    link = robot.links[i]
    frame = poses(robot, paths(robot, q, np.zeros(robot.nv)))[i]
    R, r = station_path(robot, station, q[link.d], np.zeros(link.body.m)).pose()
    return frame.R @ R, frame.p + frame.R @ r


def fixed_point(m: int = 0) -> Station:
    """A station at a link's origin, or the world's, that no shape moves."""
    return Station(np.zeros(3), np.zeros((m, 3)), np.zeros((m, 3)))


def loop_at(
    robot: Robot, q: Floats, name: str, first: Side, second: Side, joint: Joint, at: Floats
) -> Loop:
    """A loop that is closed at q with its cut displaced by `at`."""
    r, turn = joint.place(at)
    R, p = place(robot, q, first)
    p = p if r is None else p + R @ r
    R = R @ turn.matrix()
    i, station = second
    bare = replace(station, rho=np.zeros(3), R0=np.eye(3))
    Rn, pn = place(robot, q, (i, bare)) if i >= 0 else (np.eye(3), bare.r0)
    return Loop(name, first, (i, replace(bare, rho=Rn.T @ (p - pn), R0=Rn.T @ R)), joint)


def closed_near(robot: Robot, q: Floats) -> Floats:
    """A closed configuration near q, shapes as they are."""
    found = descend(AssemblyProblem(robot), q)
    assert found.left < 1e-12
    return found.q


def closed(robot: Robot, q: Floats, *loops: Loop, actuated: Any = None) -> Robot:
    """The robot with these loops, its independent rows found at q."""
    return settled(replace(robot, loops=loops, actuated=actuated), q)


def rod(length: float, mass: float) -> dict[str, Any]:
    inertia = mass * length**2 / 12
    return {
        "mass": mass,
        "com": [length / 2, 0, 0],
        "inertia": [0.0, inertia, inertia],
        "tip": [length, 0, 0],
    }


def beam(length: float, mass: float, EI: float) -> dict[str, Any]:
    return {"length": length, "mass": mass, "EI": EI, "modes": {"bending_y": 2}}


def planar(name: str, bodies: dict[str, Any], tree_of: dict[str, Any], **top: Any) -> Robot:
    """Links on revolute joints about z; tree_of: link -> parent, or the place of a pivot."""
    joints = []
    for child, parent in tree_of.items():
        joint: dict[str, Any] = {"name": f"{child}_joint", "type": "revolute", "child": child}
        if isinstance(parent, str):
            joint |= {"parent": parent}
        else:
            joint["origin"] = {"xyz": parent}
        joints.append(joint)
    words = {"name": name, "gravity": [0, -9.81, 0], "links": bodies, "joints": joints}
    return supple.build(words | top)


@cache
def five_bar() -> tuple[Robot, Floats]:
    """Saha's five-bar, cut at P, and a closed configuration (30, 30 deg, P below the elbows)."""
    bodies = {
        "a1": {"rigid": rod(0.6, 3.0)},
        "a2": {"rigid": rod(1.1, 1.6)},
        "b1": {"rigid": rod(0.7, 2.0)},
        "b2": {"rigid": rod(1.2, 1.1)},
    }
    base = {"a1": [0, 0, 0], "a2": "a1", "b1": [1.2, 0, 0], "b2": "b1"}
    robot = planar("five_bar", bodies, base)
    q = np.array([np.pi / 6, -1.5272534869165275, np.pi / 6, -2.71277278470369])
    loop = Loop("P", robot.station("a2"), robot.station("b2"), KINDS["revolute"]())
    open_one = replace(robot, loops=(loop,), actuated=("a1_joint", "b1_joint"))
    q = closed_near(open_one, q)
    return settled(open_one, q), q


@cache
def four_bar(bending: bool = False, kinematics: str = "second_order") -> tuple[Robot, Floats]:
    """A four-bar cut at the rocker's pivot; its coupler and rocker may bend."""
    bodies: dict[str, Any] = {"crank": {"rigid": rod(0.3, 1.0)}}
    for name, length, mass in (("coupler", 0.9, 1.5), ("rocker", 0.7, 1.2)):
        rigid = {"rigid": rod(length, mass)}
        bodies[name] = {"beam": beam(length, mass, 90.0)} if bending else rigid
    base = {"crank": [0, 0, 0], "coupler": "crank", "rocker": "coupler"}
    robot = planar("four_bar", bodies, base, elastic_kinematics=kinematics)
    ground = Station(np.array([0.8, 0.0, 0.0]), np.zeros((0, 3)), np.zeros((0, 3)))
    loop = Loop("ground", (-1, ground), robot.station("rocker"), KINDS["revolute"]())
    robot = replace(robot, loops=(loop,), actuated=("crank_joint",))
    q = 0.01 * np.random.default_rng(3).normal(size=robot.nq)  # a little bent
    q[robot.links[0].q], q[robot.links[1].q], q[robot.links[2].q] = 1.0, -0.7, -1.6
    near = closed_near(robot, q)
    return settled(robot, near), near


@cache
def three_legs() -> tuple[Robot, Floats]:
    """A 3-RRR: a triangle on three legs of two bars, motors at the base."""
    bodies: dict[str, Any] = {}
    base: dict[str, Any] = {}
    angles = np.pi / 2 + 2 * np.pi / 3 * np.arange(3)
    for k, angle in enumerate(angles):
        bodies |= {f"upper{k}": {"rigid": rod(0.5, 1.0)}, f"lower{k}": {"rigid": rod(0.5, 0.8)}}
        base[f"upper{k}"] = [np.cos(angle), np.sin(angle), 0]
        base[f"lower{k}"] = f"upper{k}"
    inertia = [0.02, 0.02, 0.04]
    bodies["plate"] = {"rigid": {"mass": 2.0, "com": [0.1, 0.05, 0], "inertia": inertia}}
    base["plate"] = "lower0"
    robot = planar("three_legs", bodies, base)
    q = 0.3 + 0.5 * np.random.default_rng(8).normal(size=robot.nv)
    plate = robot.index("plate")
    loops = [
        loop_at(
            robot,
            q,
            f"leg{k}",
            robot.station(f"lower{k}"),
            (plate, fixed_point()),
            KINDS["revolute"](),
            np.zeros(1),
        )
        for k in (1, 2)
    ]
    return closed(robot, q, *loops, actuated=tuple(f"upper{k}_joint" for k in range(3))), q


@cache
def stewart() -> tuple[Robot, Floats]:
    """A Stewart platform: six legs of two turns and a slide with a motor, spheres on top."""
    angle = np.deg2rad([-10, 10, 110, 130, 230, 250])
    feet = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    tops = np.deg2rad([-50, 50, 70, 170, 190, 290])
    balls = 0.5 * np.column_stack([np.cos(tops), np.sin(tops), 0 * tops])
    bodies: dict[str, Any] = {}
    joints: list[dict[str, Any]] = []
    for k in range(6):
        small = {"mass": 0.2, "com": [0, 0, 0], "inertia": [0.01, 0.01, 0.01]}
        rod_up = {"mass": 1.0, "com": [0, 0, 0.3], "inertia": [0.05, 0.05, 0.002]}
        bodies |= {f"cross{k}": {"rigid": small}, f"foot{k}": {"rigid": rod_up}}
        bodies[f"rod{k}"] = {"rigid": rod_up | {"com": [0, 0, -0.2]}}
        joints += [
            {"name": f"x{k}", "type": "revolute", "child": f"cross{k}", "axis": [1, 0, 0],
             "origin": {"xyz": feet[k].tolist()}},
            {"name": f"y{k}", "type": "revolute", "child": f"foot{k}", "parent": f"cross{k}",
             "axis": [0, 1, 0]},
            {"name": f"slide{k}", "type": "prismatic", "child": f"rod{k}", "parent": f"foot{k}",
             "axis": [0, 0, 1]},
        ]  # fmt: skip
    bodies["plate"] = {"rigid": {"mass": 5.0, "com": [0, 0, 0.05], "inertia": [0.4, 0.4, 0.7]}}
    joints.append({"name": "ball", "type": "spherical", "child": "plate", "parent": "rod0"})
    words = {"name": "stewart", "gravity": [0, 0, -9.81], "links": bodies, "joints": joints}
    robot = supple.build(words)
    q = robot.neutral()
    pose_p = np.array([0.05, -0.03, 0.9])  # of the plate's centre, level
    for k in range(6):
        to = pose_p + balls[k] - feet[k]
        length = float(np.linalg.norm(to))
        x = np.arctan2(-to[1], to[2])
        y = np.arcsin(to[0] / length)
        q[3 * k : 3 * k + 3] = x, y, length
    return _stewart_loops(robot, q, balls)


def _stewart_loops(robot: Robot, q: Floats, balls: Floats) -> tuple[Robot, Floats]:
    """The plate turned level on its first leg, the others cut at their spheres."""
    ball = KINDS["spherical"]()
    plate, leg = robot.index("plate"), robot.index("rod0")
    R, _ = place(robot, q, (leg, fixed_point()))
    trace = float(np.trace(R.T))
    w = np.sqrt(1 + trace) / 2
    T = R.T
    q[robot.links[plate].q] = [
        w,
        (T[2, 1] - T[1, 2]) / (4 * w),
        (T[0, 2] - T[2, 0]) / (4 * w),
        (T[1, 0] - T[0, 1]) / (4 * w),
    ]
    loops = []
    for k in range(1, 6):
        at = Station(balls[k] - balls[0], np.zeros((0, 3)), np.zeros((0, 3)))
        loops.append(Loop(f"leg{k}", (plate, at), (robot.index(f"rod{k}"), fixed_point()), ball))
    return closed(robot, q, *loops, actuated=tuple(f"slide{k}" for k in range(6))), q


def bar(mass: float, inertia: float, centre: float, tip: float) -> dict[str, Any]:
    """A planar bar by its inertia about its origin."""
    own = inertia - mass * centre**2
    lump = {"mass": mass, "com": [centre, 0, 0], "inertia": [0.0, own, own], "tip": [tip, 0, 0]}
    return {"rigid": lump}


def point(x: float) -> Station:
    return Station(np.array([x, 0.0, 0.0]), np.zeros((0, 3)), np.zeros((0, 3)))


@cache
def scraper() -> Robot:
    """Saha's carpet scraper: subsystems I (rocker, coupler), II (crank), III (pantograph)."""
    bodies = {
        "rocker": bar(3.0, 0.0133, 0.0575, 0.115),
        "coupler": bar(5.0, 0.02212, 0.0, 0.115),
        "crank": bar(1.5, 0.0007258, 0.019, 0.038),
        "l4": bar(4.2, 0.157, 0.1675, 0.335),
        "l6": bar(10.5, 2.449, 0.4170052083333333, 0.239),
        "l7": bar(3.0, 0.057, 0.1195, 0.239),
        "l5": bar(3.0, 0.057, 0.1195, 0.239),
    }
    base = {"rocker": [-0.089, 0, 0], "coupler": "rocker", "crank": [0, 0, 0]}
    base |= {"l4": [0.038, 0.41, 0], "l6": "l4", "l7": "l6", "l5": "l4"}
    robot = planar("scraper", bodies, base)
    links = list(robot.links)
    links[6] = replace(links[6], mount=replace(links[6].mount, r0=np.array([0.096, 0.0, 0.0])))
    robot = replace(robot, links=tuple(links))
    turn = KINDS["revolute"]()
    ends = (("crank", -0.115), ("l5", 0.115), ("l7", 0.115))
    loops = [Loop(name, (1, point(x)), robot.station(name), turn) for name, x in ends]
    kept = tuple(replace(loop, kept=(2, 3)) for loop in loops)
    return replace(robot, loops=kept, actuated=("crank_joint",))


CUTS = ("revolute", "prismatic", "spherical", "fixed")


@cache
def random_closed(index: int, bodies: tuple[str, ...], cuts: tuple[str, ...] = CUTS) -> Any:
    """A random tree with one or two random loops: (robot, q, qd, qdd), consistent; None where
    the loops leave the tree nothing to move."""
    rng = np.random.default_rng(index)
    kinds = ("revolute", "revolute_axis", "prismatic", "spherical")
    robot = tree(90 + 7 * (index % 18), kinds, bodies)
    q, _, _ = random_state(robot, rng)
    loops = []
    for n in range(1 + index % 2):
        sides = []
        for _ in range(2):
            i = int(rng.integers(-1, len(robot.links)))
            stations = list(robot.links[i].body.stations.values()) if i >= 0 else [fixed_point()]
            sides.append((i, stations[int(rng.integers(len(stations)))]))
        joint = KINDS[str(rng.choice(cuts))]()
        at = joint.normalized(0.5 * rng.normal(size=joint.nq)) if joint.nq else np.zeros(0)
        if sides[0][0] != sides[1][0]:
            loops.append(loop_at(robot, q, f"loop{n}", sides[0], sides[1], joint, at))
    if not loops:
        return None
    robot = closed(robot, q, *loops)
    if sum(len(loop.kept or ()) for loop in robot.loops) >= robot.nv:
        return None
    return (robot, q, *consistent(robot, q, rng))


def consistent(robot: Robot, q: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Random rates and accelerations that agree with the loops: the nearest to random ones."""
    J = np.asarray(closure_jacobian(robot, q), dtype=float)
    qd, qdd = rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    inverse = np.linalg.pinv(J, rcond=1e-9)
    qd = qd - inverse @ (J @ qd)
    return qd, qdd - inverse @ closure(robot, q, qd, qdd).acceleration


__all__ = [
    "closed",
    "closed_near",
    "consistent",
    "five_bar",
    "four_bar",
    "moved",
    "place",
    "random_closed",
    "stewart",
    "three_legs",
]
