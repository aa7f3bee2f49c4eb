"""Closed chains of the literature whose results are published.

Andrews' squeezing mechanism and the flexible slider-crank: [IVPTestSet]; N-four-bar and Bricard:
the benchmarks of the IFToMM committee on multibody dynamics ([IFToMM]).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import supple
from supple.robot import Robot
from supple.types import Floats

ANDREWS_START = {
    "beta": -0.0617138900142764496,
    "theta": 0.0,
    "gamma": 0.455279819163070380,
    "phi": 0.222668390165885885,
    "delta": 0.487364979543842550,
    "omega": -0.222668390165885885,
    "epsilon": 1.23054744454982119,
}
ANDREWS_END = {  # at t = 0.03 s
    "beta": 15.81077119629904,
    "theta": -15.75637105984298,
    "gamma": 0.04082224013073101,
    "phi": -0.5347301163226948,
    "delta": 0.5244099658805304,
    "omega": 0.5347301163226948,
    "epsilon": 1.048080741042263,
}
B = (-0.03635, 0.03273)  # fixed point of the body with the spring


@cache
def andrews() -> Robot:
    """Seven bodies in a plane, three loops that meet in one point."""
    A = (-0.06934, -0.00227)
    links = {
        "k1": _plate(0.04325, 2.194e-6, (0.00092, 0), (0.007, 0)),
        "k2": _plate(0.00365, 4.410e-7, (-0.0115, 0), (-0.028, 0)),
        "k3": _plate(0.02373, 5.255e-6, (0.01043, -0.01874), (0, -0.035)),
        "k5": _plate(0.07050, 1.169e-5, (0.02308, 0.00916), (0.04, 0)),
        "k4": _plate(0.00706, 5.667e-7, (0, 0.01421 - 0.02), (0, -0.02)),
        "k7": _plate(0.05498, 1.912e-5, (-0.00449, -0.01228), (0, -0.04)),
        "k6": _plate(0.00706, 5.667e-7, (0.02 - 0.01421, 0), (0.02, 0)),
    }
    joints = [
        _pin("beta", "k1"),
        _pin("theta", "k2", "k1"),
        _pin("gamma", "k3", at=B),
        _pin("delta", "k5", at=A),
        _pin("phi", "k4", "k5"),
        _pin("epsilon", "k7", at=A),
        _pin("omega", "k6", "k7"),
    ]
    loops = [
        {"name": name, "type": "revolute", "between": ["k2.end", f"{name}.end"]}
        for name in ("k3", "k4", "k6")
    ]
    words = {"name": "andrews", "gravity": [0, 0, 0], "links": links, "joints": joints}
    return supple.build(words | {"loops": loops, "actuated": ["beta"], "guess": ANDREWS_START})


def _plate(mass: float, inertia: float, com: Any, end: Any) -> dict[str, Any]:
    lump = {"mass": mass, "inertia": inertia, "com": [*com, 0]}
    return {"rigid": lump, "stations": {"end": {"offset": [*end, 0]}}}


def _pin(name: str, child: str, parent: str = "", at: tuple[float, float] = (0.0, 0.0)) -> Any:
    pin = {"name": name, "type": "revolute", "child": child}
    return pin | ({"parent": parent, "at": "end"} if parent else {"origin": {"xyz": [*at, 0]}})


def andrews_torques(robot: Robot) -> Callable[[float, Floats, Floats], Floats]:
    """The motor's constant torque, and the spring from C to a point D of the body k3."""
    motor, turned = (robot.coordinate_names.index(name) for name in ("beta", "gamma"))
    C, stiffness, length = np.array([0.014, 0.072]), 4530.0, 0.07785

    def torques(t: float, q: Floats, qd: Floats) -> Floats:
        c, s = np.cos(q[turned]), np.sin(q[turned])
        arm = np.array([[c, s], [s, -c]]) @ [0.02, 0.018]
        pull = C - B - arm
        size = float(np.hypot(*pull))
        force = stiffness * (size - length) / size * pull
        tau = np.zeros(robot.nv)
        tau[motor], tau[turned] = 0.033, arm[0] * force[1] - arm[1] * force[0]
        return tau

    return torques


@cache
def n_four_bar(n: int) -> Robot:
    """n parallelograms in a row: n + 1 posts, n bars on top, all of 1 m and 1 kg."""
    rod = {"beam": {"length": 1.0, "mass": 1.0}}
    links: dict[str, Any] = {"post0": rod}
    joints: list[dict[str, Any]] = [{"name": "a0", "type": "revolute", "child": "post0"}]
    loops: list[dict[str, Any]] = []
    guess = {"a0": np.pi / 2}
    for k in range(1, n + 1):
        before = "post0" if k == 1 else f"bar{k - 1}"
        links |= {f"bar{k}": rod, f"post{k}": rod}
        joints += [
            {"name": f"b{k}", "type": "revolute", "parent": before, "child": f"bar{k}"},
            {
                "name": f"a{k}",
                "type": "revolute",
                "child": f"post{k}",
                "origin": {"xyz": [k, 0, 0]},
            },
        ]
        guess |= {f"b{k}": -np.pi / 2 if k == 1 else 0.0, f"a{k}": np.pi / 2}
        ends = [f"bar{k}.tip", f"post{k}.tip"]
        loops.append({"name": f"loop{k}", "type": "revolute", "between": ends})
    words = {"name": f"four-bars{n}", "gravity": [0, -9.81, 0], "links": links, "joints": joints}
    return supple.build(words | {"loops": loops, "actuated": ["a0"], "guess": guess})


@cache
def bricard() -> Robot:
    """Five rods of 1 m and 1 kg along the edges of a cube, the ground the sixth, pins across them.
    Six pins in space hold a ring still; these, by their directions, do not."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1.0]])
    axes = ([0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1])
    links, joints = {}, []
    for k, (along, axis) in enumerate(zip(np.diff(corners, axis=0), axes, strict=True)):
        inertia = (1.0 - along**2) / 12
        lump = {"mass": 1.0, "com": (along / 2).tolist(), "inertia": inertia.tolist()}
        links[f"rod{k}"] = {"rigid": lump, "stations": {"end": {"offset": along.tolist()}}}
        joint: dict[str, Any] = {"name": f"j{k}", "type": "revolute", "axis": axis}
        joint |= {"child": f"rod{k}"} | ({"parent": f"rod{k - 1}", "at": "end"} if k else {})
        joints.append(joint)
    ring = {"name": "ring", "type": "revolute", "axis": [1, 0, 0], "origin": {"xyz": [0, 0, 1]}}
    loops = [ring | {"between": ["world", "rod4.end"]}]
    words = {"name": "bricard", "gravity": [0, -9.81, 0], "links": links, "joints": joints}
    return supple.build(words | {"loops": loops, "actuated": ["j0"]})
