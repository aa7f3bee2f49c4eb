"""What does not know loops refuses closed chains: the open tree's answer would look right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import supple
from supple.checks import CLOSED_CHAINS
from supple.engine import QUANTITIES
from supple.formulations import kane

ROBOT = supple.load("four-bar-flexible")
Q, V = ROBOT.home(), np.zeros(ROBOT.nv)
TIP = "coupler.tip"

CALLS: dict[str, Callable[[], Any]] = {
    "forward_sweeps": lambda: supple.forward_sweeps(ROBOT, Q, V, V),
    "inverse_mass_matrix": lambda: supple.inverse_mass_matrix(ROBOT, Q),
    "udu_factors": lambda: supple.udu_factors(ROBOT, Q),
    "articulated_bodies": lambda: supple.articulated_bodies(ROBOT, Q),
    "Kane's forward_dynamics": lambda: kane.forward_dynamics(ROBOT, Q, V, V),
    "Kane's inverse_dynamics": lambda: kane.inverse_dynamics(ROBOT, Q, V, V),
    "Kane's equations": lambda: kane.equations(ROBOT, Q, V),
}


@pytest.mark.parametrize("what", CALLS)
def test_what_does_not_know_loops_refuses_closed_chains(what: str) -> None:
    assert what not in CLOSED_CHAINS
    with pytest.raises(supple.InputError, match=f"{what} of closed chains is not there yet.*pin"):
        CALLS[what]()


@pytest.mark.parametrize("what", QUANTITIES)
def test_compiled_quantities_refuse_closed_chains_as_plain_ones_do(what: str) -> None:
    station = TIP if QUANTITIES[what].station else None
    if what == "platform_jacobian":
        return  # of parallel robots with rigid links
    if what in CLOSED_CHAINS:
        assert supple.compile(ROBOT, what, station=station) is not None
        return
    with pytest.raises(supple.InputError, match="of closed chains is not there yet"):
        supple.compile(ROBOT, what, station=station)


def test_robots_that_differ_in_a_loop_have_other_code() -> None:
    from supple.engine.fingerprint import motion_fingerprint

    words = dict(ROBOT.spec or {})
    loop = words["loops"][0]
    others = [loop | {"origin": {"xyz": [1e-3, 0, 0]}}, loop | {"type": "spherical"}]
    marks = {motion_fingerprint(ROBOT)}
    for other in others:
        marks.add(motion_fingerprint(ROBOT.replace(loops=[other])))
    marks.add(motion_fingerprint(ROBOT.replace(actuated=["rocker_joint"])))
    assert len(marks) == 4
    assert motion_fingerprint(supple.load("four-bar-flexible")) in marks
