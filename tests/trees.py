"""Random robots: trees of every joint and body kind, as the words of a model file."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
from hypothesis import strategies as st

import supple
from supple.tracer import Function, Recipe, cache, make, quickly

TREES = 220
THIRD = range(0, TREES, 3)  # small and large ones, of all elastic kinematics below
PLAIN = (  # the rates are q's
    *("revolute", "revolute_axis", "prismatic", "zyx", "fixed"),
    *("cylindrical", "universal", "planar"),
    *("geared", "geared_slide"),
)
GEARED = ("geared", "geared_slide")
JOINTS = (*PLAIN, "spherical")
BODIES = (
    "rigid",
    "beam_y",
    "beam_yz",
    "beam_all",
    "taper",
    "tip_mass",
    "tool",
    "pinned",
    "chord",
    "elements",
)
KINEMATICS = ("second_order", "first_order")  # by turns
FLAT = ("orthogonal", "clamped_free", "clamped_mass", "polynomial")


def _inertia(rng: np.random.Generator) -> list[list[float]]:
    A = rng.normal(size=(3, 3))
    return (0.05 * (A @ A.T) + 0.02 * np.eye(3)).tolist()


def _beam(kind: str, rng: np.random.Generator) -> dict[str, Any]:
    modes: dict[str, Any] = {"family": str(rng.choice(FLAT)), "bending_y": int(rng.integers(1, 3))}
    beam: dict[str, Any] = {
        "length": rng.uniform(0.5, 1.5),
        "mass": rng.uniform(0.5, 3.0),
        "EI": rng.uniform(20.0, 200.0),
        "modes": modes,
    }
    if kind in ("beam_yz", "tool", "tip_mass", "taper"):
        modes["bending_z"] = int(rng.integers(1, 3))
    if kind == "beam_all":
        modes |= {"bending_z": 1, "torsion": 1, "axial": 1}
        beam |= {"GJ": 40.0, "EA": 5e3, "polar_inertia": 0.02}
    if kind == "taper":
        del beam["mass"], beam["EI"]
        beam |= {"density": 2000.0, "E": 1e8, "rotary_inertia": True}
        beam["section"] = {"shape": "rectangle", "width": [0.06, 0.03], "height": [0.08, 0.05]}
    if kind == "pinned":
        modes["family"] = "pinned_pinned"
    if kind == "chord":
        beam["tip_angle"] = "chord"
    if kind == "elements":
        modes["family"] = "finite_elements"
        beam["EI"] = [120.0, 40.0]
    if rng.random() < 0.4:
        beam |= {"start": rng.uniform(-0.2, 0.2, 3).tolist(), "rpy": rng.uniform(-1, 1, 3).tolist()}
    if rng.random() < 0.4:
        beam["damping"] = {"ratio": 0.02, "rayleigh": [0.01, 1e-4]}
    return beam


def _link(kind: str, rng: np.random.Generator) -> dict[str, Any]:
    lump = {"mass": rng.uniform(0.3, 2.0), "com": rng.uniform(-0.2, 0.2, 3).tolist()}
    lump["inertia"] = _inertia(rng)
    if kind == "rigid":
        tip = rng.uniform(-0.6, 0.6, 3).tolist()
        return {"rigid": lump | {"tip": tip, "tip_rpy": rng.uniform(-1, 1, 3).tolist()}}
    link: dict[str, Any] = {"beam": _beam(kind, rng), "hub": lump}
    if kind == "tip_mass":
        link["payload"] = {"mass": rng.uniform(0.1, 0.6)}
    if kind == "tool":
        link["payload"] = lump
    link["stations"] = {"gauge": {"x": 0.3, "offset": rng.uniform(-0.1, 0.1, 3).tolist()}}
    return link


TYPES = {
    "zyx": "spherical",
    "revolute_axis": "revolute",
    "geared": "revolute",
    "geared_slide": "prismatic",
}


MOTOR = {"gear_ratio": 3.0, "rotor_inertia": 0.03, "torque_limit": 0.3, "speed_limit": 3.0}
STOPS = {"lower": -0.5, "upper": 0.3, "stiffness": 15.0, "damping": 0.4}


def _driven(rng: np.random.Generator) -> dict[str, Any]:
    """An elastic gear, with or without backlash and stops, in reach of random states."""
    drive = {"gear_ratio": rng.uniform(1.5, 4.0), "rotor_inertia": 0.2, "stiffness": 20.0}
    drive |= {"damping": 0.3, "backlash": float(rng.choice([0.0, 0.4]))}
    if rng.random() < 0.5:
        drive["friction"] = {"coulomb": 0.1, "smoothing": 0.5}
    return {"drive": drive} | ({"stops": STOPS} if rng.random() < 0.5 else {})


def _joint(kind: str, rng: np.random.Generator) -> dict[str, Any]:
    joint: dict[str, Any] = {"type": TYPES.get(kind, kind)}
    if kind == "zyx":
        joint["coordinates"] = "zyx"
    if kind.startswith("geared"):
        joint |= _driven(rng)
    if kind in ("revolute_axis", "prismatic", "cylindrical", "planar", "geared", "geared_slide"):
        axes = [[1, 0, 0], [0, 1, 0], [0, 0, -1], rng.normal(size=3).tolist()]
        joint["axis"] = axes[int(rng.integers(4))]
    if rng.random() < 0.5:
        joint["origin"] = {
            "xyz": rng.uniform(-0.3, 0.3, 3).tolist(),
            "rpy": rng.uniform(-1, 1, 3).tolist(),
        }
    if kind in ("revolute", "revolute_axis", "prismatic") and rng.random() < 0.5:
        joint |= {"stiffness": 5.0, "rest": 0.1, "drive": MOTOR, "stops": STOPS}
    if kind != "fixed" and rng.random() < 0.5:
        joint |= {"damping": 0.2, "friction": {"coulomb": 0.1, "viscous": 0.05, "smoothing": 0.5}}
    return joint


def words(
    index: int, joints: tuple[str, ...], bodies: tuple[str, ...], count: int | None = None
) -> dict[str, Any]:
    """Words of tree number `index`: so many links, or one to five, more of them as the number
    grows."""
    rng = np.random.default_rng(index)
    links: dict[str, Any] = {}
    listed = []
    for i in range(count or 1 + index * 5 // TREES):
        links[f"link{i}"] = _link(str(rng.choice(bodies)), rng)
        floating = i == 0 and "spherical" in joints and rng.random() < 0.4
        kind = "floating" if floating else str(rng.choice(joints))
        joint = _joint(kind, rng) | {"name": f"joint{i}", "child": f"link{i}"}
        parent = int(rng.integers(-1, i)) if i else -1
        if parent >= 0:
            stations = [*links[f"link{parent}"].get("stations", {}), "tip"]
            joint |= {"parent": f"link{parent}", "at": str(rng.choice(stations))}
        listed.append(joint)
    gravity = rng.uniform(-10, 10, 3).tolist()
    return {
        "name": f"tree{index}",
        "gravity": gravity,
        "elastic_kinematics": KINEMATICS[index % len(KINEMATICS)],
        "links": links,
        "joints": listed,
    }


def tree(
    index: int, joints: tuple[str, ...], bodies: tuple[str, ...], kinematics: str | None = None
) -> supple.Robot:
    """Tree number `index`; its elastic kinematics by turns, or as told."""
    return built(index, joints, bodies, kinematics or KINEMATICS[index % len(KINEMATICS)])


@functools.cache  # told or by turns, the same robot is built once
def built(
    index: int, joints: tuple[str, ...], bodies: tuple[str, ...], kinematics: str
) -> supple.Robot:
    return supple.build(words(index, joints, bodies) | {"elastic_kinematics": kinematics})


def usually_or_quickly(robot: supple.Robot) -> AbstractContextManager[None]:
    """How native code is made: with up to four shapes as users get it, with more (LLVM takes
    seconds then) quickly from the same assembly. `tests/engine/test_quick.py` compares the two."""
    return quickly() if robot.modes > 4 else nullcontext()


def native_code(recipe: Recipe) -> Function:
    """Native code that is not kept in the cache: nobody asks for it again."""
    with cache.kept_in("off"):
        return make("f", "not kept", recipe)


@st.composite
def states(
    draw: Any,
    joints: tuple[str, ...] = JOINTS,
    bodies: tuple[str, ...] = BODIES,
    kinematics: str | None = None,
    numbers: Sequence[int] = range(TREES),
) -> tuple[supple.Robot, Any, Any, Any]:
    """A random robot with a random state: (robot, q, qd, qdd). Its number is one of these, all
    of which come once before one comes again; a failure shrinks to a small one. Tests that
    take the same numbers share the robots, which take longer to build than most tests."""
    return numbered_state(draw(st.sampled_from(numbers)), joints, bodies, kinematics)


def numbered_state(
    index: int,
    joints: tuple[str, ...] = JOINTS,
    bodies: tuple[str, ...] = BODIES,
    kinematics: str | None = None,
) -> tuple[supple.Robot, Any, Any, Any]:
    """Tree number `index` in the random state of this number."""
    robot = tree(index, joints, bodies, kinematics)
    return (robot, *random_state(robot, np.random.default_rng(index + 10_000)))


def random_state(robot: supple.Robot, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """q with large joint displacements and shapes that bend by about 0.1, qd, qdd."""
    q = rng.normal(size=robot.nq)
    for link in robot.links:
        tip = link.body.stations.get("tip")
        if link.body.m and tip is not None:
            size = np.abs(np.hstack([tip.S, tip.Theta])).max(axis=1)
            q[link.d] *= 0.1 / np.maximum(size, 0.1)
    return robot.normalized(q), rng.normal(size=robot.nv), rng.normal(size=robot.nv)
