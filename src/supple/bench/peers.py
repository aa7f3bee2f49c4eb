"""Other programs, where they are installed: the same rigid robot, one evaluation."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np

from ..engine import compile
from ..robot import Robot
from .ratios import Call, Row, in_turns


def peer_rows(robot: Robot, seconds: float) -> list[Row]:
    """Forward dynamics of a rigid serial robot against MuJoCo and CasADi."""
    x = tuple(np.random.default_rng(0).normal(size=(3, robot.nv)))
    function = compile(robot, "forward_dynamics")
    ours = Call(function, (*x, function(*x)))
    rows = []
    for name, make in (("MuJoCo", _mujoco), ("CasADi", _casadi)):
        made = make(robot, x)
        if made is not None:
            number, call = made
            best = in_turns({"ours": ours, "peer": call}, seconds)
            what = f"{robot.name} forward dynamics"
            rows.append(Row(what, best["ours"], best["peer"], f"{name} {number}"))
    return rows


def _mujoco(robot: Robot, x: tuple[Any, ...]) -> tuple[str, Call] | None:
    try:
        import mujoco
    except ImportError:
        return None
    model = mujoco.MjModel.from_xml_string(mujoco_words(robot))
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = x
    return version("mujoco"), Call(mujoco.mj_forward, (model, data))


def _casadi(robot: Robot, x: tuple[Any, ...]) -> tuple[str, Call] | None:
    """CasADi's own evaluation of the same graph."""
    try:
        import casadi  # noqa: F401
    except ImportError:
        return None
    return version("casadi"), Call(compile(robot, "forward_dynamics").to_casadi(), x)


def mujoco_words(robot: Robot) -> str:
    """The same rigid serial robot for MuJoCo, from our constants."""
    opened, closed = "", ""
    for link in robot.links:
        body = link.body
        c = body.c0 / body.mass
        W = body.W0 - body.mass * np.outer(c, c)
        inertia = np.trace(W) * np.eye(3) - W
        six = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        kind = {"revolute": "hinge", "prismatic": "slide"}[link.joint.kind]
        axes = [*link.mount.R0[:, 0], *link.mount.R0[:, 1]]
        opened += (
            f'<body pos="{_words(link.mount.r0 + link.mount.rho)}" xyaxes="{_words(axes)}">'
            f'<inertial pos="{_words(c)}" mass="{body.mass!r}" fullinertia="{_words(six)}"/>'
            f'<joint type="{kind}" axis="0 0 1"/>'
        )
        closed += "</body>"
    option = f'<option gravity="{_words(robot.gravity)}"><flag contact="disable"/></option>'
    limits = '<compiler angle="radian" balanceinertia="true" boundmass="0" boundinertia="0"/>'
    return f"<mujoco>{limits}{option}<worldbody>{opened}{closed}</worldbody></mujoco>"


def _words(values: Any) -> str:
    return " ".join(repr(float(v)) for v in values)
