"""Ways in which a simulation returns finished-looking nonsense: each ends in a warning or an error
that says the number and what to do."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import supple
from sliders import slider
from supple import SimulationError, SuppleWarning

PLUCKED = {"a.bending_y1": 0.02}


def beam(kinematics: str = "second_order", inertia: float = 0.0, **changes: Any) -> supple.Robot:
    words: dict[str, Any] = {"length": 1.0, "mass": 1.0, "EI": 50.0, "modes": {"bending_y": 2}}
    joint = {"name": "j", "type": "revolute", "child": "a", "rotor_inertia": inertia}
    model = {"gravity": [0, 0, 0], "links": {"a": {"beam": words | changes}}, "joints": [joint]}
    return supple.build(model | {"elastic_kinematics": kinematics})


def wheel(**joint: Any) -> supple.Robot:
    links = {"a": {"rigid": {"mass": 1.0, "inertia": 1.0}}}
    joint = {"name": "j", "type": "revolute", "child": "a"} | joint
    return supple.build({"gravity": [0, 0, 0], "links": links, "joints": [joint]})


def told(*args: Any, **options: Any) -> dict[str, supple.Check]:
    """The failed checks of a run, each of which warned."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SuppleWarning)
        run = supple.simulate(*args, **options)
    said = {str(warning.message) for warning in caught}
    failed = {check.name: check for check in run.checks if not check.ok}
    assert {check.words for check in failed.values()} <= said
    return failed


@pytest.mark.parametrize("method", ["rk4", "explicit"])
def test_steps_that_would_blow_up_are_refused_before_the_run(method: str) -> None:
    with pytest.raises(SimulationError, match=r"steps of 0.05 s .* are too long.* at most"):
        supple.simulate(beam(), None, 1.0, q0=PLUCKED, method=method, step=0.05)


def test_steps_that_are_too_long_for_vibration_are_told_and_then_refused() -> None:
    failed = told(beam(), None, 0.05, q0=PLUCKED, method="rosenbrock", step=1e-3, samples=5)
    assert failed["worst step"].value > 30.0
    with pytest.raises(SimulationError, match=r"means nothing: energy.* smaller rtol") as caught:
        supple.simulate(beam(), None, 1.0, q0=PLUCKED, method="rosenbrock", step=0.05)
    assert caught.value.partial.time[-1] == 1.0


def test_linear_shapes_in_fast_rotation_stop_with_what_was_reached() -> None:
    torque = lambda t: [40.0 * np.sin(2 * t)]  # noqa: E731
    with pytest.raises(SimulationError, match=r"link a .* at t = .* Use second_order") as caught:
        supple.simulate(beam("first_order", 1.0), torque, 4.0, samples=201)
    reached = caught.value.partial
    when = float(str(caught.value).partition("at t = ")[2].split()[0])
    assert when - 0.05 < reached.time[-1] <= when
    assert reached.interrupted
    assert "Use second_order" in reached.stopped
    assert "stopped at t =" in str(reached.report())


def test_a_stiffness_that_is_lost_in_the_tolerance_is_told() -> None:
    failed = told(beam(EI=1e6), [1e-5], 0.02, samples=5)
    assert 1e-4 < failed["bends against atol"].value < 10.0
    assert "bends against atol" not in told(beam(EI=1e3), [1.0], 0.02, samples=5)


def test_a_stiffness_that_is_stepped_over_is_refused() -> None:
    spring = wheel(stiffness=1e14)
    with pytest.raises(SimulationError, match=r"means nothing: energy|diverges"):
        supple.simulate(spring, None, 0.1, q0=[1e-3], method="rosenbrock", step=1e-3, samples=5)


def test_divergence_stops_with_when_and_which_link_and_keeps_what_it_has() -> None:
    push = lambda t, q, qd: 100.0 * q  # noqa: E731
    with pytest.raises(
        SimulationError, match=r"diverges: j \(link a\) .* t = 1.4.*gains"
    ) as caught:
        supple.simulate(wheel(), push, 2.0, q0=[0.1])
    reached = caught.value.partial
    assert 1.4 < reached.time[-1] < 1.5
    assert reached["q"][-1, 0] == pytest.approx(0.1 * np.cosh(10 * reached.time[-1]), rel=1e-5)
    assert told(wheel(), push, 1.0, q0=[0.1])["joint rates"].value == pytest.approx(1.1e4, rel=0.01)


def test_an_arm_that_leaves_its_path_is_told_with_the_distance() -> None:
    """A rigid arm under its own feed-forward: the exact solution is the path. How far it is off
    depends on the tolerance alone, which is said."""
    far = {}
    for rtol in (1e-8, 1e-12):
        how = {"rtol": rtol, "atol": 0.01 * rtol, "samples": 101}
        failed = told(supple.load("stanford"), motion="paper", **how)
        far[rtol] = failed["tip off the path"].value
        assert "depends on the tolerance" in failed["tip off the path"].words
        assert "Add feedback" in failed["joints off the motion"].words
    assert min(far.values()) > 1.0
    assert max(far.values()) - min(far.values()) > 0.5


def test_an_arm_that_is_pushed_off_its_path_is_not_told_of_steps() -> None:
    push = {"link6.tip": [0.0, 0.0, 40.0]}
    failed = told(supple.load("stanford"), motion="paper", duration=2.0, external=push, samples=21)
    assert "feed-forward torques are those of the rigid robot" in failed["tip off the path"].words


def test_an_arm_that_bends_beside_its_path_is_not_blamed_but_says_how_far() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", SuppleWarning)
        run = supple.simulate(supple.load("canadarm"), motion="paper", samples=101)
    off = next(check for check in run.checks if check.name == "joints off the motion")
    assert off.ok
    assert 0.02 < off.value < 0.05
    places = [run.data.coordinate.values.tolist().index(n) for n in run.data.joint.values]
    assert off.value == pytest.approx(np.abs(run["q"][:, places] - run["desired"]).max())


def test_vibration_that_a_method_damps_away_is_told_or_refused() -> None:
    how: dict[str, Any] = {"q0": PLUCKED, "method": "rosenbrock", "samples": 5}
    failed = told(beam(), None, 2.0, rtol=1e-3, atol=1e-7, **how)
    assert 1e-4 < failed["energy balance"].value < 0.1
    with pytest.raises(SimulationError, match="energy, work and losses differ"):
        supple.simulate(beam(), None, 2.0, rtol=0.3, atol=1e-6, **how)


def test_vibration_that_is_damped_away_beside_a_large_motion_is_told() -> None:
    how: dict[str, Any] = {"q0": {"a.bending_y1": 5e-3}, "method": "rosenbrock", "samples": 5}
    failed = told(beam(inertia=100.0), lambda t: [200 * t], 2.0, rtol=0.01, atol=1e-7, **how)
    assert "energy balance" not in failed
    assert failed["energy of bending"].value > 0.1


@pytest.mark.parametrize(
    "law", [lambda t: [np.sqrt(0.5 - t)], lambda t, q, qd: [np.sqrt(0.5 - q[0]) + 0 * t]]
)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_torque_that_is_no_number_is_refused_by_its_name(law: Any) -> None:
    with pytest.raises(SimulationError, match=r"torque\(t.* gave \[nan\] at t = ") as caught:
        supple.simulate(wheel(), law, 3.0, samples=301)
    assert caught.value.partial.time[-1] > 0.4


def test_samples_too_few_to_show_the_vibration_are_told() -> None:
    failed = told(beam(), None, 0.5, q0=PLUCKED, samples=26)["samples of vibration"]
    fast = 2 * np.pi / (failed.value * 0.02)
    rates = supple.frequencies(beam(), [0.0, 0.0, 0.0]).omega
    assert np.abs(rates / fast - 1.0).min() < 0.01
    need = int(failed.words.partition("samples=")[2].split()[0])
    assert "samples of vibration" not in told(beam(), None, 0.5, q0=PLUCKED, samples=need)


def test_a_large_deflection_of_a_small_slope_is_told() -> None:
    """A cantilever under an end force F: deflection F L^3 / 3 EI, slope 1.5 times as much."""
    push = {"a.tip": [0.0, 0.12 * 3 * 50.0, 0.0]}
    failed = told(
        beam(), None, 0.05, prescribed={"j": "0*t"}, external=push, at_rest=True, samples=5
    )
    assert failed["deflection"].value == pytest.approx(0.12, rel=0.02)
    assert "slope" not in failed


def test_loops_that_open_in_long_steps_are_told() -> None:
    chain = supple.load("five-bar")
    how: dict[str, Any] = {"method": "rk4", "samples": 5}
    assert "closure drift" in told(chain, None, 0.5, step=0.05, **how)
    assert "closure drift" not in told(chain, None, 0.5, step=0.005, **how)


def test_loops_open_in_a_step_by_the_fifth_power_of_its_length() -> None:
    """As much as the error of a step by rk4, before they are closed again."""
    chain, drift = supple.load("five-bar"), []
    for step in (0.01, 0.005):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = supple.simulate(chain, None, 0.2, method="rk4", step=step, samples=3)
        drift.append(run.data.attrs["closure_drift"])
    assert 4.5 < np.log2(drift[0] / drift[1]) < 5.5


@pytest.mark.parametrize("method", ["explicit", "DOP853"])
@pytest.mark.parametrize(("push", "seen"), [(50, False), (80, True)])
def test_a_gap_of_thirty_tolerances_is_made_again(push: float, seen: bool, method: str) -> None:
    """A bump on the way that gives 50 or 80 tolerances of speed, 42 to 52 % of it in a panel. What
    is not seen is what all steps together leave open."""
    width, atol = 1e-3, 1e-7
    force = push * atol / (width * np.sqrt(np.pi))
    bump = lambda t, q, qd: [force * np.exp(-(((q[0] - 0.4567) / width) ** 2))]  # noqa: E731
    how: dict[str, Any] = {"rtol": 1e-12, "atol": atol, "samples": 2, "method": method}
    run = supple.simulate(slider(), bump, 1.0, qd0=[1.0], **how)
    assert bool(run.data.attrs["steps_redone"]) == seen
    gaps = {check.name: check.value / push for check in run.checks}
    assert (0.42 < gaps["worst step"] < 0.52) != seen
    assert (gaps["all steps together"] == pytest.approx(1.0, rel=1e-4)) != seen
    assert (run["qd"][-1, 0] - 1.0 == pytest.approx(push * atol, abs=5 * atol)) == seen


def open_by_one_step(c: float, atol: float) -> float:
    """x'' = c t^4 by one step of rk4 from 0 to 1, v(1) = 5/24 c and x(1) = c/48: what the cubics
    through both ends leave open of x' = v and v' = c t^4 in the worst of 1001 panels."""
    t = np.polynomial.Polynomial([0.0, 1.0])
    cubic = lambda end, rate: t**2 * (3 * end - rate) + t**3 * (rate - 2 * end)  # noqa: E731
    x, v = cubic(c / 48, 5 / 24 * c), cubic(5 / 24 * c, c)
    defects = [x.deriv() - v, v.deriv() - c * t**4]
    edges = np.linspace(0.0, 1.0, 1002)
    return max(float(np.abs(np.diff(d.integ()(edges))).max()) for d in defects) / atol


@pytest.mark.parametrize(("c", "ok"), [(0.265, True), (0.28, False)])
def test_a_run_of_a_single_step_is_checked_too(c: float, ok: bool) -> None:
    """29.2 tolerances may stay open, 30.9 may not."""
    how: dict[str, Any] = {"method": "rk4", "step": 1.0, "samples": 2, "rtol": 1e-14, "atol": 1e-6}
    torque = lambda t: [c * t**4]  # noqa: E731
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = supple.simulate(slider(), torque, 1.0, **how)
    worst = next(check for check in run.checks if check.name == "worst step")
    assert worst.value == pytest.approx(open_by_one_step(c, 1e-6), rel=1e-3)
    assert worst.ok == ok
    runs = supple.simulate_many(slider(), {"q0": {"x": [0.0, 0.0]}}, torque, 1.0, **how)
    said = ["leave the equations open by" in why for why in runs.failed.values()]
    assert any(said) != ok


def test_a_run_that_outlasts_a_motion_which_goes_on_is_told() -> None:
    formula = {"turn": {"duration": 0.1, "joints": {"j": "0.1*t**2"}}}
    ending = {"turn": {"duration": 0.1, "quintic": {"j": 0.1}}}
    told = []
    for motions in (formula, ending):
        robot = supple.build({**dict(wheel().spec or {}), "motions": motions})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = supple.simulate(robot, motion="turn", duration=0.2, samples=5)
        told.append([x for x in run.warnings if "its laws go on and move j further" in x])
    assert [len(x) for x in told] == [1, 0]
