"""Frequencies of closed chains: against differences of forward dynamics, and small vibrations."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from loops.mechanisms import random_closed
from supple.analyse.statics import unjudged
from supple.loops.assembly import moved
from supple.loops.dynamics import hybrid_dynamics
from supple.loops.force_balance import HeldChain
from supple.robot import Robot
from supple.types import Floats


def linearised(robot: Robot, rest: supple.Statics, locked: bool, h: float = 2e-5) -> Floats:
    """Eigenvalues of d(accelerations)/d(places) by differences: steps along closed places, the
    motors' torques as they are at rest."""
    motors = [i for i, x in enumerate(robot.links) if x.joint_name in robot.actuated and locked]
    places = tuple(k for i in motors for k in range(robot.nv)[robot.links[i].u])
    at, still = HeldChain(robot, places), np.zeros(robot.nv)
    N = at.directions(np.asarray(at.jacobian(rest.q)))
    inverse = np.linalg.pinv(N)

    def acceleration(way: Floats) -> Floats:
        q = at.closed(moved(robot, rest.q, way))
        assert q is not None
        qdd, _ = hybrid_dynamics(robot, q, still, rest.tau, still, frozenset(motors))
        return np.asarray(inverse @ qdd)

    columns = [(acceleration(h * n) - acceleration(-h * n)) / (2 * h) for n in N.T]
    return np.sort(np.linalg.eigvals(np.array(columns).T).real)[::-1]


@pytest.mark.parametrize(
    ("name", "locked"),
    [
        ("five-bar", False),
        ("four-bar-flexible", False),
        ("four-bar-flexible", True),
        ("stewart", False),
        ("delta", False),
    ],
)
def test_frequencies_are_those_of_linearised_forward_dynamics(name: str, locked: bool) -> None:
    robot = supple.load(name)
    rest = supple.statics(robot)
    omega = supple.frequencies(robot, rest.q, locked=locked).omega
    expected = -np.sign(omega) * omega**2
    found = linearised(robot, rest, locked)
    assert len(omega) == len(found)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-8 * np.abs(found).max())
    assert len(supple.frequencies(robot, rest.q).omega) == supple.mobility(robot).degrees_of_freedom


@pytest.mark.parametrize("index", [3, 6, 9, 10, 21])  # no motor on a sphere: its torque turns
def test_random_closed_trees_vibrate_as_linearised_forward_dynamics_does(index: int) -> None:
    robot, q = random_closed(index, ("rigid", "beam"))[:2]
    rest = unjudged(robot, q, None)
    omega = supple.frequencies(robot, rest.q).omega
    found = linearised(robot, rest, False)
    assert found == pytest.approx(-np.sign(omega) * omega**2, abs=1e-6 * np.abs(found).max())


@pytest.mark.parametrize("kinematics", ["second_order", "first_order"])
def test_forces_at_the_cuts_take_part_in_the_stiffness(kinematics: str) -> None:
    heavy = supple.load("four-bar-flexible").replace(gravity=(0, -60.0, 0))
    robot = heavy.replace(elastic_kinematics=kinematics)
    rest = supple.statics(robot, {"crank_joint": 0.5})
    omega = supple.frequencies(robot, rest.q).omega
    expected = -np.sign(omega) * omega**2
    found = linearised(robot, rest, False)
    assert found == pytest.approx(expected, rel=2e-6, abs=1e-8 * np.abs(found).max())


@pytest.mark.filterwarnings("ignore:energy, work and losses")  # of next to nothing
def test_a_small_vibration_has_the_lowest_frequency() -> None:
    robot = supple.load("slider-crank-flexible")
    found = supple.frequencies(robot, locked=True)
    q0 = robot.home() + 1e-5 * found.shapes[:, 0] / np.abs(found.shapes[:, 0]).max()
    period = 2 * np.pi / found.omega[0]
    run = supple.simulate(
        robot, None, 5 * period, prescribed={"crank_joint": "0"}, q0=q0, samples=6, atol=1e-13
    )
    rod = run["rod.bending_y1"]
    assert rod == pytest.approx(np.full(6, rod[0]), rel=1e-4)


def test_a_rod_between_pins_vibrates_as_rayleigh_says() -> None:
    robot = supple.load("slider-crank-flexible").with_modes(8)
    omega = supple.frequencies(robot, locked=True).omega
    wave, radius = (np.pi * np.arange(1, 3) / 0.3) ** 2, 0.008**2 / 12
    expected = wave * np.sqrt(0.2e12 * radius / 7870 / (1 + wave * radius))  # rotary inertia
    assert omega[:2] == pytest.approx(expected, rel=1e-5)


def test_what_closed_chains_cannot_do_is_refused() -> None:
    robot = supple.load("four-bar-flexible")
    with pytest.raises(supple.InputError, match="its joints cannot turn steadily"):
        supple.frequencies(robot, rates={"crank_joint": 3.0})
    with pytest.raises(supple.InputError, match="close the loops first"):
        supple.frequencies(robot, robot.neutral())
