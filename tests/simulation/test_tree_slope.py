"""Slopes of long robots, put together from forward dynamics and from power and losses."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import supple
from agree import assert_near
from supple.simulation import SimulatedRobot, constant
from supple.simulation.runner import slope_of
from supple.simulation.tree_slope import TreeSlope, has_tree_slope
from supple.tracer import quickly
from supple.types import Floats


def drive_of(robot: supple.Robot) -> SimulatedRobot:
    return SimulatedRobot(robot, constant(np.zeros(robot.nv)))


def natively(slope: TreeSlope, y: Floats, u: Floats) -> Floats:
    entry, out, none = slope.entry(), np.full((len(y), len(y)), np.nan), np.zeros(1)
    arrays = [x.ctypes.data for x in (y, u, none, none)]
    given = (ctypes.c_void_p * 7)(*arrays, *map(ctypes.addressof, slope.pointers))
    kernel = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(entry.address)
    kernel(ctypes.addressof(given), out.ctypes.data)
    return out


def test_they_are_the_derivatives_of_the_rates() -> None:
    """Of an arm that bends, with damping and friction: against the equations differentiated."""
    words = dict(supple.load("canadarm").spec or {})
    joints = [dict(j) | {"damping": 3.0, "friction": {"coulomb": 0.5}} for j in words["joints"]]
    drive = drive_of(supple.build(words | {"joints": joints, "gravity": [0, -9.81, 0]}))
    rng = np.random.default_rng(3)
    y, u = 0.1 * rng.normal(size=drive.size), rng.normal(size=drive.inputs)
    with quickly():
        assert_near(natively(TreeSlope(drive), y, u), drive.kernel.jacobian("x0")(y, u), 1e-10)


def chain(n: int) -> supple.Robot:
    """Links that hang from each other by stiff springs."""
    links = {
        f"l{i}": {"rigid": {"mass": 1.0, "com": [0.05, 0, 0], "length": 0.1}} for i in range(n)
    }
    spring = {"type": "revolute", "stiffness": 500.0, "damping": 0.1}
    joints = [
        spring | {"name": f"j{i}", "child": f"l{i}"} | ({"parent": f"l{i - 1}"} if i else {})
        for i in range(n)
    ]
    return supple.build({"links": links, "joints": joints, "gravity": [0, -9.81, 0]})


@pytest.mark.parametrize("count", [3, 20])
def test_whether_there_are_any_is_known_without_compiling(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = chain(count)
    with monkeypatch.context() as patch:
        patch.setattr("supple.tracer.cache.recall", lambda *_, **__: pytest.fail("compiled"))
        found = has_tree_slope(drive_of(robot))
    with quickly():
        made = supple.compile(robot, "forward_dynamics").jacobian("q", "qd")
    assert found == (not made.unrolled) == (count == 20)


@pytest.mark.filterwarnings("ignore::supple.SuppleWarning")
def test_a_long_chain_takes_them_and_goes_where_the_explicit_method_goes() -> None:
    robot = chain(20)
    assert has_tree_slope(drive_of(robot))
    assert isinstance(slope_of(drive_of(robot)), TreeSlope)
    runs = [
        supple.simulate(robot, None, 0.05, samples=3, method=m) for m in ("rosenbrock", "explicit")
    ]
    assert_near(runs[0]["q"], runs[1]["q"], 1e-6)
    assert_near(runs[0]["dissipated"], runs[1]["dissipated"], 1e-6)
    assert int(runs[0].data.attrs["steps"]) < int(runs[1].data.attrs["steps"])
