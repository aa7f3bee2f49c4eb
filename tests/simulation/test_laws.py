"""Laws of users: trains of pulses, memories, chatter, prescribed joints; followed or refused."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from sliders import slider
from supple import InputError, SimulationError, SuppleWarning
from supple.simulation.breaks import LOOKS, TooRoughError, find_breaks
from supple.simulation.inputs import torque_law
from supple.simulation.joint_laws import check_laws
from supple.simulation.run_failures import beyond_jump


@cache
def wheel() -> supple.Robot:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 2.0}}}}
    return supple.build(words | {"joints": [{"name": "j", "type": "revolute", "child": "a"}]})


@cache
def boom() -> supple.Robot:
    beam = {"length": 1.0, "mass": 2.0, "EI": 60.0, "modes": {"bending_y": 1}}
    words = {"links": {"a": {"beam": beam, "hub": {"inertia": 0.5}}}, "gravity": [0, 0, 0]}
    return supple.build(words | {"joints": [{"name": "j", "type": "revolute", "child": "a"}]})


@dataclass(frozen=True)
class Train:
    """Pulses of height 1; of many instants at once, as a run looks for its breaks."""

    periods: float
    share: float = 0.3

    def __call__(self, t: float) -> list[float]:
        return [1.0 if (t * self.periods) % 1.0 < self.share else 0.0]

    def many(self, t: Any) -> Any:
        return ((t * self.periods) % 1.0 < self.share).astype(float)[:, None]


@pytest.mark.parametrize("periods", [3, 90, 1800])
def test_trains_of_pulses_turn_a_wheel_by_their_mean(periods: int) -> None:
    run = supple.simulate(wheel(), Train(periods), 1.0, samples=3)
    assert run["qd"][-1, 0] == pytest.approx(0.3 / 2.0, rel=1e-9)


@pytest.mark.parametrize(
    ("periods", "share"), [(1, 0.3), (40, 0.3), (250, 0.3), (400, 0.02), (1800, 0.3), (7000, 0.3)]
)
def test_all_jumps_of_a_train_are_found(periods: int, share: float) -> None:
    found = np.array(find_breaks(Train(periods, share), 1.0))
    edges = np.concatenate(
        [np.arange(1, periods) / periods, (np.arange(periods) + share) / periods]
    )
    assert found[: len(edges)] == pytest.approx(np.sort(edges), abs=1e-12)
    assert np.all(found[len(edges) :] > 1.0 - 1e-9)  # rounding of t * periods near the end


@pytest.mark.parametrize(("periods", "share"), [(30_000, 0.3), (5000, 0.02), (400, 2e-3)])
def test_pulses_that_are_too_short_to_see_are_refused(periods: int, share: float) -> None:
    """The last has pulses of a 200,000th of the run, of which a few are seen by luck."""
    with pytest.raises(TooRoughError, match=r"breaks=\[\.\.\.\]"):
        find_breaks(Train(1.000123 * periods, share), 1.0)


@pytest.mark.parametrize(("periods", "share"), [(40, 0.3), (400, 0.02)])
def test_asked_one_by_one_and_together_breaks_are_the_same(periods: int, share: float) -> None:
    pulses = Train(periods, share)
    assert find_breaks(lambda t: np.array(pulses(t)), 1.0) == find_breaks(pulses, 1.0)


def test_two_trains_that_meet_by_chance_are_followed() -> None:
    both = lambda t: [float((t * 90) % 1 < 0.1) - 0.5 * float((t * 131) % 1 < 0.03)]  # noqa: E731
    run = supple.simulate(wheel(), both, 1.0, samples=3)
    assert run["qd"][-1, 0] == pytest.approx((0.1 - 0.5 * 0.03) / 2.0, rel=1e-8)


def short_pulses(t: float) -> list[float]:
    """50 a second of 10 microseconds each, beside a steady torque."""
    return [10.0 + (2000.0 if (t * 50) % 1.0 < 5e-4 and t > 0.3 else 0.0)]


@pytest.mark.parametrize("told", [None, [0.5]])
@pytest.mark.parametrize("way", ["torque", "feedback", "load"])
def test_naming_a_break_does_not_stop_the_search(way: str, told: Any) -> None:
    torque: Any = {"torque": short_pulses, "feedback": lambda t, q, qd: short_pulses(t)}.get(way)
    load = {"a": lambda t: [0, 0, *short_pulses(t), 0, 0, 0]} if way == "load" else None
    run = supple.simulate(wheel(), torque, 1.0, external=load, breaks=told, samples=3)
    assert run["qd"][-1, 0] == pytest.approx((10.0 + 35 * 2000.0 * 1e-5) / 2.0, rel=1e-7)


def test_pulses_too_short_to_see_need_all_their_names() -> None:
    pulses = lambda t: [2e4 * ((t * 400) % 1.0 < 2e-3)]  # noqa: E731
    edges = np.concatenate([np.arange(400) / 400, (np.arange(400) + 2e-3) / 400])
    with pytest.raises(TooRoughError, match="name all the instants"):
        supple.simulate(wheel(), pulses, 1.0, breaks=[0.5])
    run = supple.simulate(wheel(), pulses, 1.0, breaks=edges, samples=3)
    assert run["qd"][-1, 0] == pytest.approx(2e4 * 2e-3 / 2.0, rel=1e-7)


def test_roughness_that_adds_up_is_told() -> None:
    """A torque of 10 bits: each step is within the tolerance, all together are not."""
    steps = lambda t: [np.round(np.sin(3 * t) * 1024) / 1024]  # noqa: E731
    with pytest.warns(SuppleWarning, match="errors of the steps add up"):
        supple.simulate(wheel(), lambda t, q, qd: steps(t + 1e-3 * q[0]), 0.3, samples=3)


def test_a_wave_is_no_train_of_pulses() -> None:
    for cycles in (10, 260, 500, 1000, 5000, 60_000):
        assert find_breaks(lambda t, w=2 * np.pi * cycles: np.array([np.sin(w * t)]), 1.0) == []


def test_two_jumps_between_two_looks_are_both_found() -> None:
    a, b = (5999.2 / LOOKS, 5999.9 / LOOKS)
    both = lambda t: np.array([float(t > a) + 0.4 * float(t > b)])  # noqa: E731
    assert find_breaks(both, 1.0) == pytest.approx([a, b], abs=1e-11)


def test_a_weak_kink_on_a_wave_is_found() -> None:
    """Its second difference is twenty times the wave's."""
    wave = lambda t: np.array([np.sin(40 * np.pi * t) + 30 * abs(t - 0.3125)])  # noqa: E731
    assert find_breaks(wave, 1.0) == pytest.approx([0.3125], abs=1e-9)


def test_breaks_serve_loads_and_laws_and_tables_too() -> None:
    pulse = lambda t: [0, 0, 1e5 * (0.512345 < t < 0.512346), 0, 0, 0]  # noqa: E731
    told = [0.512345, 0.512346]
    for torque in (None, [0.0], ([0.0, 1.0], [[0.0], [0.0]])):
        run = supple.simulate(wheel(), torque, 1.0, external={"a": pulse}, breaks=told, samples=3)
        assert run["qd"][-1, 0] == pytest.approx(0.05, rel=1e-6)


def test_a_small_bump_in_feedback_counts_as_much_as_the_tolerance_says() -> None:
    """It turns the wheel by 300 tolerances."""
    bump = lambda t, q, qd: [2 * 3e-6 * np.exp(-(((t - 5.2) / 0.02) ** 2))]  # noqa: E731
    run = supple.simulate(wheel(), bump, 10.0, qd0=[1.0], samples=3)
    assert run["qd"][-1, 0] - 1.0 == pytest.approx(3e-6 * 0.02 * np.sqrt(np.pi), abs=2e-8)


def test_short_steps_are_looked_at_as_well() -> None:
    """A bump between the instants at which RK45 asks, in a step of half a thousandth."""
    ends: list[float] = []
    spring = lambda t, q, qd: -2e4 * q  # noqa: E731
    start = {"q0": [0.1], "samples": 2, "method": "RK45"}
    supple.simulate(wheel(), spring, 1.0, progress=ends.append, **start)
    a, b = ends[len(ends) // 2 :][:2]
    assert b - a < 0.9e-3
    middle, width = a + 0.66 * (b - a), 0.02 * (b - a)

    def bump(t: float, q: Any, qd: Any) -> Any:
        hidden = float(q[0]) == 0.1  # at the start, where jumps in time are looked for
        return -2e4 * q + (0.0 if hidden else 2e4 * np.exp(-(((t - middle) / width) ** 2)))

    run = supple.simulate(wheel(), bump, 1.0, **start)
    assert run.data.attrs["steps_redone"] > 0


class Integrator:
    """A PI controller that adds up as it is called."""

    def __init__(self) -> None:
        self.sum = self.last = 0.0

    def __call__(self, t: float, q: Any, qd: Any) -> Any:
        self.sum += (1.0 - q[0]) * (t - self.last)
        self.last = t
        return [5.0 * (1.0 - q[0]) - 2.0 * qd[0] + 3.0 * self.sum]


class Latch:
    """Goes off for good when the wheel turns fast enough: seen only in the course of the run."""

    off = False

    def __call__(self, t: float, q: Any, qd: Any) -> Any:
        self.off = self.off or qd[0] > 0.2
        return [0.0 if self.off else 1.0]


class OneShot:
    """On for a moment once triggered, and then as if nothing had been."""

    on = False

    def __call__(self, t: float, q: Any, qd: Any) -> Any:
        self.on = (self.on or 2.3 < t < 2.31) and 2.29 < t < 2.4
        return [1.0 + (50.0 if self.on else 0.0)]


def noise(t: float, q: Any, qd: Any) -> Any:
    return [-5.0 * q[0] + np.random.default_rng().normal()]


@pytest.mark.parametrize("method", ["auto", "RK45"])
@pytest.mark.parametrize(
    "law", [Integrator, Latch, OneShot, noise, lambda t: [np.random.default_rng().normal()]]
)
def test_a_law_with_a_memory_or_at_random_is_refused(law: Any, method: str) -> None:
    law = law() if isinstance(law, type) else law
    with pytest.raises((InputError, SimulationError), match="gives two answers at the same t, q"):
        supple.simulate(wheel(), law, 5.0, samples=3, method=method)


def test_a_load_or_a_law_at_random_is_refused_at_once() -> None:
    rng = np.random.default_rng(0)
    load = {"a": lambda t: [0, 0, 1.0 + 1e-3 * rng.normal(), 0, 0, 0]}
    with pytest.raises(InputError, match="the load at a gives two answers"):
        supple.simulate(wheel(), None, 1.0, external=load, breaks=[0.5])
    law = {"j": lambda t: (1e-9 * rng.normal(), 0.0, 0.0)}
    with pytest.raises(InputError, match="the law of j gives two answers"):
        supple.simulate(wheel(), None, 1.0, prescribed=law)


@pytest.mark.parametrize(("made", "method"), [(wheel, "auto"), (boom, "auto"), (wheel, "RK45")])
@pytest.mark.parametrize(
    "law",
    [
        lambda t, q, qd: [-10.0 * np.sign(qd[0] + 3.0 * (q[0] - 1.0))],
        lambda t, q, qd: [0.5 - np.sign(qd[0] + 1e-3 * np.sin(40 * t))],
    ],
)
def test_forces_that_switch_without_end_are_refused_as_such(
    law: Any, made: Any, method: str
) -> None:
    with pytest.raises(SimulationError, match=r"switch without end .*tanh"):
        supple.simulate(made(), law, 2.0, qd0={"j": 0.3}, samples=3, method=method)


@pytest.mark.parametrize("method", ["explicit", "RK45"])
def test_a_run_that_makes_no_headway_is_stopped(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mass on a spring that goes to and fro 16 million times a second."""
    monkeypatch.setattr("supple.simulation.run_failures.STALL", 100)
    with pytest.raises(SimulationError, match="makes no headway"):
        supple.simulate(slider(stiffness=1e16), None, 1.0, q0=[1.0], samples=2, method=method)


def test_a_switch_is_found_and_a_slope_is_none() -> None:
    step = lambda t, y: np.array([1.0 if t < 0.5 else -1.0])  # noqa: E731
    found = beyond_jump(step, 0.5 - 3e-10, np.zeros(1), 1e-9)
    assert found is not None
    assert 0.5 <= found[0] < 0.5 + 1e-12
    assert beyond_jump(lambda t, y: np.array([1e9 * (t - 0.5)]), 0.5, np.zeros(1), 1e-9) is None
    sign = lambda t, y: np.sign(0.5 - np.array([t]))  # noqa: E731
    assert beyond_jump(sign, 0.5 - 3e-10, np.zeros(1), 1e-9) is not None  # 0 in between


S, C = np.sin, np.cos
WRONG = {
    "acceleration twice": (lambda t: (S(t), C(t), -2 * S(t)), "acceleration that a law gives"),
    "acceleration zero": (lambda t: (S(t), C(t), 0.0), "acceleration that a law gives"),
    "acceleration 1 % off": (lambda t: (S(t), C(t), -1.01 * S(t)), "acceleration that a law gives"),
    "acceleration with a ripple": (
        lambda t: (S(t), C(t), -S(t) + 0.5 * S(500 * t)),
        "acceleration that a law gives",
    ),
    "rate off": (lambda t: (S(t), 0.9 * C(t), -0.9 * S(t)), "rate that a law gives"),
    "rate of a still joint": (lambda t: (0.3, 0.1, 0.0), "rate that a law gives"),
    "rate jumps": (
        lambda t: (S(t) + 5e-3 * max(t - 1, 0), C(t) + 5e-3 * (t > 1), -S(t)),
        "rate jumps by 0.005 at t = 1 s",
    ),
    "position jumps": (lambda t: (S(t) + 1e-4 * (t > 1), C(t), -S(t)), "position jumps by 0.0001"),
    "pole": (lambda t: (np.tan(t), 1 / C(t) ** 2, 2 * np.tan(t) / C(t) ** 2), "a pole"),
}


@pytest.mark.parametrize("case", WRONG)
def test_laws_whose_parts_do_not_belong_together_are_refused(case: str) -> None:
    law, words = WRONG[case]
    with pytest.raises(InputError, match=f"law of j.*{words}"):
        supple.simulate(boom(), None, 2.0, prescribed={"j": law}, samples=3)


def test_fast_laws_and_jumps_of_the_acceleration_are_followed() -> None:
    fast = lambda t: (1e-4 * S(4e2 * t), 0.04 * C(4e2 * t), -16 * S(4e2 * t))  # noqa: E731
    ramp = lambda t: (0.05 * max(t - 1, 0) ** 2, 0.1 * max(t - 1, 0), 0.1 * (t > 1))  # noqa: E731
    check_laws(["j"], [fast], 10.0, 1e-10)
    run = supple.simulate(wheel(), None, 2.0, prescribed={"j": ramp}, samples=5)
    assert run["reaction"][:, 0] == pytest.approx([0.0, 0.0, 0.0, 0.2, 0.2], abs=1e-9)


def cycloid(start: float, size: float, long: float) -> Any:
    def law(t: float) -> tuple[float, float, float]:
        s, w = min(max((t - start) / long, 0.0), 1.0), 2 * np.pi
        place = size * (s - S(w * s) / w)
        return place, size / long * (1 - C(w * s)), size / long**2 * w * S(w * s)

    return law


def trapezoid(t: float) -> tuple[float, float, float]:
    """2 rad/s^2 for 1 ms, as long at 2 mm/s, and back."""
    a, s = 2.0, 1e-3
    if t < s:
        return 0.5 * a * t * t, a * t, a
    if t < 2 * s:
        return 0.5 * a * s * s + a * s * (t - s), a * s, 0.0
    r = max(3 * s - t, 0.0)
    return 2 * a * s * s - 0.5 * a * r * r, a * r, -a if r else 0.0


@pytest.mark.parametrize(
    ("law", "end", "duration"),
    [
        (cycloid(1000.3, 0.5, 0.4), 0.5, 2000.0),
        (cycloid(3.0123, 0.01, 0.01), 0.01, 60.0),
        (trapezoid, 4e-6, 30.0),
    ],
)
def test_a_short_move_in_a_long_run_is_no_pole(law: Any, end: float, duration: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SuppleWarning)
        run = supple.simulate(wheel(), None, duration, prescribed={"j": law}, samples=3)
    assert run["q"][-1, 0] == pytest.approx(end, rel=1e-12)


def test_functions_of_any_arguments_may_be_of_time_alone() -> None:
    run = supple.simulate(wheel(), lambda *a: [np.cos(*a)], 1.0, samples=3)
    assert run["qd"][-1, 0] == pytest.approx(np.sin(1.0) / 2.0, rel=1e-8)


def test_a_torque_that_comes_late_on_a_prescribed_joint_is_refused() -> None:
    robot = supple.load("lin-lewis-rr")
    one = robot.velocity_names[0]
    for torque in (
        lambda t: [float(t > 0.5), 0.0],
        lambda t, q, qd: [-q[0], 0.0],
        ([0, 0.5, 1], [[0.0, 0], [0, 0], [1.0, 0]]),
    ):
        with pytest.raises(InputError, match=f"joint {one} is prescribed, and has a torque"):
            supple.simulate(robot, torque, 1.0, prescribed={one: "0.1*t**2"}, samples=3)


def test_feed_forward_that_does_not_act_is_told() -> None:
    robot = supple.load("canadarm")
    name = next(iter(robot.motions))
    with pytest.warns(SuppleWarning, match="feed-forward torque of joint3 does not act"):
        run = supple.simulate(
            robot, motion=name, duration=0.5, prescribed={"joint3": "0.1*t**2"}, samples=3
        )
    assert any("joint3" in words for words in run.warnings)


@pytest.mark.parametrize("duration", [1e-5, 1e-7])
@pytest.mark.parametrize("name", ["canadarm", "puma"])
def test_the_first_instants_of_a_motion_run(name: str, duration: float) -> None:
    """They move by less than rounding leaves of the formulas: at most a warning."""
    robot = supple.load(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SuppleWarning)
        run = supple.simulate(robot, motion=next(iter(robot.motions)), duration=duration, samples=3)
    assert np.abs(run["q"] - run["q"][0]).max() < 1e-9


def test_a_run_that_hardly_moves_is_told_to_lower_atol() -> None:
    with pytest.warns(SuppleWarning, match="Use a smaller atol: nothing moves by more than"):
        supple.simulate(boom(), lambda t: [1e-11], 2.0, samples=5)


def by_type(t: float, q: Any, qd: Any) -> list[float]:
    return [-4.0 * q[0]] if isinstance(t, float) else [0.0]


def by_trying(t: float, q: Any, qd: Any) -> list[float]:
    try:
        return [-4.0 * float(q[0])]
    except TypeError:
        return [-9.0 * q[0]]


@pytest.mark.parametrize("law", [by_type, by_trying])
def test_a_law_that_looks_at_types_is_called_back_with_numbers(law: Any) -> None:
    """A spring of 4 N/m at 1 kg, whatever the law is when it is traced: cos 2 t."""
    run = supple.simulate(slider(), law, 2.0, q0=[1.0], samples=5)
    assert run["x"] == pytest.approx(np.cos(2.0 * run.time), abs=1e-7)
    assert "torque(t, q, qd) looks at the types of its arguments" in run.inputs
    runs = supple.simulate_many(slider(), {"q0": {"x": [1.0, 0.5]}}, law, 2.0, samples=5)
    assert runs["q"][1, :, 0] == pytest.approx(0.5 * np.cos(2.0 * run.time), abs=1e-7)


@pytest.mark.parametrize("otherwise", [-4.0, 0.0])
def test_a_memory_behind_a_look_at_types_is_told(otherwise: float) -> None:
    """It remembers that it was at -0.5, whether or not it is traced as it is called."""

    class Latch:
        on = 0.0

        def __call__(self, t: float, q: Any, qd: Any) -> list[float]:
            if not isinstance(t, float):
                return [otherwise * q[0]]
            self.on = 1.0 if q[0] < -0.5 else self.on
            return [-4.0 * q[0] + self.on]

    with pytest.raises(supple.SimulationError, match="keeps a memory of its own"):
        supple.simulate(slider(), Latch(), 2.0, q0=[1.0], samples=5)


def corner() -> supple.Motion:
    return supple.trapezoidal(boom(), {"j": 0.3}, 1.0, 2.5)


TABLE = ([0.0, 0.1, 0.3], [[1.0], [0.0], [2.0]])
LAWS: dict[str, Callable[[supple.Robot], Any]] = {
    "feedback along breaks": lambda robot: supple.computed_torque(robot, 40.0, 9.0, corner()),
    "states of its own": lambda robot: supple.pid(robot, 30.0, 5.0, 4.0, corner()),
    "a table beside feedback": lambda robot: supple.pd(robot, 20.0, 1.0) + TABLE,
}


@pytest.mark.filterwarnings("ignore::supple.SuppleWarning")
@pytest.mark.parametrize("name", LAWS)
def test_the_torques_of_a_run_are_what_its_laws_say(name: str) -> None:
    """At every sample, breaks among them (trapezoids turn at 0.4 s), however they were found."""
    robot = boom()
    torque = LAWS[name](robot)
    run = supple.simulate(robot, torque, 0.7, samples=8, rtol=1e-6)
    assert run.inputs == "all inputs run natively"
    law = torque_law(robot, torque, run["q"][0], run["qd"][0], 0.7)
    own = run["law_state"] if len(law.states) else np.zeros((8, 0))
    rows = zip(run.time, run["q"], run["qd"], own, strict=True)
    assert_near(run["tau"], np.array([law(*row) for row in rows]), 1e-12)
    assert np.ptp(run["tau"][:, 0]) > 0.1
