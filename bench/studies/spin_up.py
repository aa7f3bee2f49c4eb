"""The spin-up of a beam (Kane, Ryan and Banerjee 1987), 20 s: ours beside MuJoCo's chain of
segments with springs between them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.model import build
from supple.robot import Robot
from supple.simulation import Tolerances
from supple.types import Floats

from .native import Prepared

LENGTH, DENSITY, EI = 10.0, 1.2, 1.4e4  # m, kg/m, N m^2
RATE, TURN, END = 6.0, 15.0, 20.0  # rad/s, reached after s; s
HEAVY = 1e8  # kg m^2: a hub that the beam does not hold back
LAW = f"{RATE / TURN!r}*(t*t/2 + (cos({2 * np.pi / TURN!r}*t) - 1)/{(2 * np.pi / TURN) ** 2!r})"


@dataclass(frozen=True)
class Tip:
    """The tip across the beam at whole seconds [m], steps and time of the run."""

    across: Floats  # (21,)
    steps: int
    seconds: float


def beam(shapes: int) -> Robot:
    own = {"length": LENGTH, "mass_per_length": DENSITY, "EI": EI, "modes": {"bending_y": shapes}}
    hub = {"name": "hub", "type": "revolute", "child": "blade"}
    words = {"name": "spin-up", "gravity": [0, 0, 0], "links": {"blade": {"beam": own}}}
    return build(words | {"joints": [hub], "elastic_kinematics": "second_order"})


def ours(shapes: int, how: Tolerances, turns: int = 1) -> Tip:
    """By a native run of the spin-up, and one of what follows it."""
    robot = beam(shapes)
    law = {"hub": LAW}
    up = Prepared(robot, duration=TURN, samples=16, prescribed=law).run(how, turns)
    q, qd = up.states[-1, : robot.nq], up.states[-1, robot.nq : robot.nq + robot.nv]
    law = {"hub": f"{RATE * TURN / 2!r} + {RATE!r}*t"}
    on = Prepared(robot, duration=END - TURN, samples=6, prescribed=law, q0=q, qd0=qd)
    steady = on.run(how, turns)
    q = np.concatenate([up.states, steady.states[1:]])[:, robot.links[0].d]
    across = q @ robot.station("blade.tip")[1].S[:, 1]
    return Tip(across, up.steps + steady.steps, up.seconds + steady.seconds)


def mujoco_words(segments: int, step: float, integrator: str) -> str:
    """The beam as rigid segments; a spring between two of them bends as both halves do."""
    long = LENGTH / segments
    mass, round_axis = DENSITY * long, DENSITY * long**3 / 12.0
    inertia = f'<inertial pos="{long / 2!r} 0 0" mass="{mass!r}" diaginertia="1 1 1"/>'
    inertia = inertia.replace('"1 1 1"', f'"{round_axis!r} {round_axis!r} {round_axis!r}"')
    words, closed = "", ""
    for k in range(segments):
        stiff = EI / long * (2.0 if k == 0 else 1.0)  # half a segment at the root
        place = f"{long!r} 0 0" if k else "0 0 0"
        words += f'<body pos="{place}"><joint axis="0 0 1" stiffness="{stiff!r}"/>{inertia}'
        closed += "</body>"
    hub = (
        f'<body><joint name="hub" axis="0 0 1" armature="{HEAVY!r}"/>'
        '<inertial pos="0 0 0" mass="1e-6" diaginertia="1e-6 1e-6 1e-6"/>'
    )
    return (
        f'<mujoco><option timestep="{step!r}" integrator="{integrator}" gravity="0 0 0">'
        '<flag contact="disable"/></option><compiler angle="radian"/>'
        f"<worldbody>{hub}{words}{closed}</body></worldbody>"
        f'<actuator><motor joint="hub" gear="{HEAVY!r}"/></actuator></mujoco>'
    )


def by_mujoco(segments: int, step: float, integrator: str) -> Tip:
    """Its own loop over the steps, the hub's acceleration given for each."""
    import mujoco
    from mujoco import rollout

    mujoco.set_mju_user_warning(lambda words: None)  # of steps that are too long: others follow
    model = mujoco.MjModel.from_xml_string(mujoco_words(segments, step, integrator))
    data = mujoco.MjData(model)
    count = round(END / step)
    t = step * (np.arange(count) + (0.5 if integrator == "RK4" else 0.0))
    law = np.where(t < TURN, RATE / TURN * (1.0 - np.cos(2.0 * np.pi * t / TURN)), 0.0)
    first = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    begin = time.process_time()
    states, _ = rollout.rollout(model, data, first[None], law[None, :, None])
    seconds = time.process_time() - begin
    every = round(1.0 / step)
    q = np.concatenate([np.zeros((1, segments)), states[0, every - 1 :: every, 2 : segments + 2]])
    across = LENGTH / segments * np.sin(np.cumsum(q, axis=1)).sum(axis=1)
    return Tip(across, count, seconds)


def off(tip: Tip, exact: dict[str, Any]) -> float:
    """Largest error of the tip, over the largest deflection."""
    gap = np.abs(tip.across - np.array(exact["tip_transverse"])).max()
    return float(gap / abs(exact["min_tip"]))
