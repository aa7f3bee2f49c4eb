"""Random serial arms: any sequence of rigid and flexible links."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import supple
from supple.recursion import configuration_rate
from supple.symbolic import subexpressions

FAMILIES = ("orthogonal", "clamped_free", "clamped_mass", "pinned_pinned", "polynomial")


@cache
def of(name: str, parameters: str = "symbolic") -> supple.Equations:
    """Equations of a shipped robot or of arm number `name`, derived once for all tests."""
    robot = sequence(int(name)) if name.isdigit() else supple.load(name)
    return supple.equations(robot, parameters)


def sequence(index: int) -> supple.Robot:
    """Arm number `index`: a word of R and F of up to three letters, at most ten coordinates;
    first_order and second_order by turns."""
    rng = np.random.default_rng(1000 + index)
    length = 1 + index % 3
    letters = [str(rng.choice(["R", "F"])) for _ in range(length)]
    if "F" not in letters:
        letters[int(rng.integers(length))] = "F"
    links: dict[str, Any] = {}
    joints = []
    room = 10 - length
    for i, letter in enumerate(letters):
        left = letters[i + 1 :].count("F")
        links[f"link{i}"], used = _link(letter, rng, room - left)
        room -= used
        joint: dict[str, Any] = {"type": "revolute", "child": f"link{i}"}
        joint |= {"parent": f"link{i - 1}"} if i else {}
        if rng.random() < 0.5:
            joint["axis"] = [[0, 1, 0], [1, 0, 0], rng.normal(size=3).tolist()][rng.integers(3)]
        if rng.random() < 0.3:
            joint |= {"type": "prismatic"} if rng.random() < 0.5 else {"rotor_inertia": 0.1}
        if rng.random() < 0.3:
            joint |= {"stiffness": 3.0, "rest": 0.2, "damping": 0.1}
            joint |= {"friction": {"coulomb": 0.2, "smoothing": 0.3}}
        joints.append(joint)
    gravity = rng.uniform(-10, 10, 3).tolist()
    words = {"name": f"{''.join(letters)}-{index}", "gravity": gravity}
    words["elastic_kinematics"] = ("first_order", "second_order")[index % 2]
    return supple.build({**words, "links": links, "joints": joints})


def _link(letter: str, rng: np.random.Generator, room: int) -> tuple[dict[str, Any], int]:
    lump = {"mass": rng.uniform(0.3, 2.0), "com": rng.uniform(-0.2, 0.2, 3).tolist()}
    lump["inertia"] = (0.05 * np.eye(3) + 0.01 * np.ones((3, 3))).tolist()
    if letter == "R":
        return {"rigid": lump | {"tip": rng.uniform(-0.6, 0.6, 3).tolist()}}, 0
    fields = ["bending_y", "bending_z", "torsion", "axial"][: int(rng.integers(1, 5))]
    modes: dict[str, Any] = {}
    for field in fields[:room]:
        modes[field] = 1 if sum(modes.values()) + 2 > room else int(rng.integers(1, 3))
    used = sum(modes.values())
    beam = {
        "length": rng.uniform(0.5, 1.5),
        "EI": rng.uniform(20.0, 200.0) if rng.random() < 0.7 else [80.0, 40.0],
        "GJ": 30.0,
        "EA": 4e3,
        "polar_inertia": 0.02,
        "modes": {**modes, "family": str(rng.choice(FAMILIES))},
        "tip_angle": str(rng.choice(["slope", "chord"])),
    }
    beam |= {"mass": 1.5} if rng.random() < 0.5 else {"mass_per_length": rng.uniform(0.5, 3.0)}
    if rng.random() < 0.3:
        beam |= {"start": [0.1, -0.05, 0.2], "rpy": [0.2, -0.4, 0.9]}
    link: dict[str, Any] = {"beam": beam}
    if rng.random() < 0.5:
        link["payload"] = {"mass": 0.3} if rng.random() < 0.5 else lump
    if rng.random() < 0.3:
        link["hub"] = lump
    return link, used


def random_state(robot: supple.Robot, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """q, qd, qdd; shapes move and turn every station of their link by about 0.1."""
    q = rng.normal(size=robot.nq)
    for link in robot.links:
        if link.body.m:
            every = [np.hstack([s.S, s.Theta]) for s in link.body.stations.values()]
            size = np.abs(np.hstack(every)).max(axis=1)
            q[link.d] *= 0.1 / np.maximum(size, 0.1)
    return robot.normalized(q), rng.normal(size=robot.nv), rng.normal(size=robot.nv)


def skew_defect(eq: supple.Equations, q: Any, qd: Any, D: Any = None) -> float:
    """|M_dot - 2 D + (.)'| over |D|, M_dot by a complex step of the symbolic M along qd; D is
    computed where it is not given."""
    values = {**eq.values, **dict(zip(eq.qd, qd, strict=True))}
    step = 1e-30
    moved = q + 1j * step * configuration_rate(eq.robot, q, qd)
    values |= dict(zip(eq.q, moved, strict=True))
    M = np.array(subexpressions.evaluate(list(eq.M), values)).reshape(eq.M.shape)
    D = eq.at(q, qd)["D"] if D is None else D
    W = np.imag(M) / step - 2.0 * D
    return float(np.abs(W + W.T).max() / max(1.0, np.abs(D).max()))
