"""The flexible slider-crank of the literature: Supple, Lagrange's equations and the print."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import numpy as np
import pytest

import supple
from loops.slider_crank import END, RATES, START, TEST_SET, Print, accelerations, end, start

SHAPES = {
    "bending_y": {"family": "pinned_pinned", "count": 2},
    "axial": {"family": "functions", "functions": ["4*x/L - 4*(x/L)**2", "2*(x/L)**2 - x/L"]},
}


@cache
def slider_crank() -> Any:
    """The shipped robot with the source's rod: its shapes, sections without rotary inertia, and
    elastic kinematics of first order."""
    words = copy.deepcopy(dict(supple.load("slider-crank-flexible").spec))
    area, E = 0.008**2, 0.2e12
    rod = {"length": 0.3, "mass": 7870 * area * 0.3, "EI": E * area**2 / 12, "EA": E * area}
    words["links"]["rod"] = {"beam": rod | {"modes": SHAPES}}
    return supple.build(words | {"elastic_kinematics": "first_order"})


def ours(first: Any, duration: float, method: str = "auto") -> dict[str, float]:
    """The names of END by Supple; the rod's angle is counted from the crank there."""
    robot = slider_crank()
    order = [0, 1, 3, 4, 5, 6, 2]
    q, qd = (x[order] - x[0] * np.eye(7)[1] for x in first)
    run = supple.simulate(
        robot, None, duration, prescribed={"crank_joint": "150*t"}, q0=q, qd0=qd,
        samples=2, rtol=1e-10, atol=1e-14, method=method,
    )  # fmt: skip
    q = run["q"][-1]
    along = supple.pose(robot, q, "rod.tip").R @ run["multipliers"][-1][2:5]
    forces = [along[1], -along[0], -float(run["reaction"][-1, 0])]
    return dict(zip(END, [q[0] + q[1], q[6], *q[2:6], *forces], strict=True))


def test_supple_agrees_with_lagranges_equations() -> None:
    q, qd = start(Print())
    q = np.array([*q[:2], 0.45 + q[6], *q[3:]])  # closed beyond the nine digits of the print
    expected = end(Print(), (q, qd), 0.01, 1e-10)
    assert ours((q, qd), 0.01) == pytest.approx(expected, rel=1e-8, abs=1e-15)


def test_the_published_numbers_follow_from_a_rod_whose_extensions_weigh_15_times_too_much() -> None:
    found = end(TEST_SET, start(TEST_SET), 0.1, 1e-10)
    assert found == pytest.approx(END, rel=2e-9)
    assert [found["phi2"], found["x3"]] == pytest.approx([END["phi2"], END["x3"]], abs=1e-12)


def test_so_do_the_published_accelerations_of_the_start() -> None:
    """Those of x3, q3 and q4, and the force in the slider's pin; with the true pi."""
    published = [-5062.194923138079, -4.268463211410861, 0.2098334687947376, 382.4589508329281]
    parts = [2, 5, 6, 8]
    printed = Print(TEST_SET.axial, TEST_SET.inertia)
    assert accelerations(printed, START, RATES)[parts] == pytest.approx(published, rel=1e-8)
    assert accelerations(Print(), START, RATES)[5] < 14 * published[1]  # light extensions
