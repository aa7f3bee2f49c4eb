"""Runs that are right are not refused, however often a step had to be made again."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from quick_runs import quick_run
from supple import SimulationError


def chain(count: int, ratio: float) -> supple.Robot:
    """Links that hang and bend, with light damping: steps end where the method is just stable."""
    beam = {"length": 1.0, "mass": 1.0, "EI": 1000.0, "modes": {"bending_y": 2}}
    names = [f"l{k}" for k in range(count)]
    joints = [
        {"name": f"j{k}", "type": "revolute", "child": name, "friction": {"viscous": 0.01}}
        | ({"parent": names[k - 1]} if k else {})
        for k, name in enumerate(names)
    ]
    links = {name: {"beam": beam | {"damping": {"ratio": ratio}}} for name in names}
    return supple.build({"gravity": [0, -9.81, 0], "links": links, "joints": joints})


@pytest.mark.parametrize("count", [2, 4])
def test_steps_made_again_at_many_instants_are_no_step_that_was_cut_many_times(count: int) -> None:
    """Another method, with an own check of every step, ends at the same place."""
    robot = chain(count, 0.004)
    with quick_run():
        made = [
            supple.simulate(robot, None, T, method="explicit", samples=3)
            for T in np.linspace(0.8, 2.0, 13)
        ]
        other = supple.simulate(robot, None, 2.0, method="rosenbrock", samples=3, rtol=1e-9)
    assert max(run.data.attrs["steps_redone"] for run in made) > 9
    assert np.abs(made[-1]["q"] - other["q"]).max() < 1e-5


@pytest.mark.parametrize("method", ["explicit", "rosenbrock"])
def test_forces_that_no_step_can_follow_are_refused(method: str) -> None:
    """Noise: the ninth digit of the position."""
    noise = lambda t, q, qd: [1e3 * np.modf(1e9 * np.abs(q[0] + 1.0))[0]]  # noqa: E731
    wheel = supple.build(
        {
            "links": {"a": {"rigid": {"mass": 1.0, "inertia": 2.0}}},
            "joints": [{"name": "j", "type": "revolute", "child": "a"}],
        }
    )
    with pytest.raises(SimulationError, match=r"chatter|cannot be trusted"):
        supple.simulate(wheel, noise, 1.0, qd0=[1.0], method=method)
