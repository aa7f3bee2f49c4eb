"""Events: instants with closed forms, what they bring about, and how they are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from sliders import pendulum, slider
from supple import Event, InputError, SimulationError, SuppleWarning
from supple.simulation import Occurrence
from supple.simulation.event_search import EventSearch

G = 9.81


def falling() -> supple.Robot:
    return slider(gravity=-G)


@pytest.mark.parametrize("method", ["auto", "rosenbrock", "sweep", "DOP853"])
def test_a_fall_stops_at_the_ground(method: str) -> None:
    """From 2 m: sqrt(2 h/g), at sqrt(2 g h)."""
    ground = Event("x", "stop", -1, "ground")
    run = supple.simulate(falling(), None, 3.0, q0=[2.0], events=[ground], method=method)
    assert run.time[-1] == pytest.approx(np.sqrt(4 / G), abs=1e-9)
    assert run["qd"][-1, 0] == pytest.approx(-np.sqrt(4 * G), abs=1e-7)
    assert run["q"][-1, 0] == pytest.approx(0.0, abs=1e-9)
    assert np.all(np.diff(run.time) > 0.0)
    assert np.diff(run.time).max() == pytest.approx(run.time[1])
    assert run["q"][:, 0] == pytest.approx(2 - G * run.time**2 / 2, abs=1e-7)
    assert run.data.attrs["stopped_by"] == "ground"


def test_a_ball_bounces_when_the_closed_form_says() -> None:
    """Restitution e: the k-th flight takes 2 e^k v/g; the energy that is lost is accounted for."""
    e, first = 0.8, np.sqrt(4 / G)
    bounce = Event("x", "reset", -1, "bounce", lambda at: (at.q, -e * at.qd))
    run = supple.simulate(falling(), None, 4.5, q0=[2.0], events=[bounce])
    flights = 2 * first * e ** np.arange(1, 40)
    times = first + np.concatenate([[0.0], np.cumsum(flights)])
    times = times[times < 4.5]
    assert [at.t for at in run.events] == pytest.approx(times, abs=1e-11)
    assert len(times) > 5
    assert run.energy_error < 1e-10
    total = run["kinetic"] + run["gravity"]
    assert total[-1] / total[0] == pytest.approx(e ** (2 * len(times)), rel=1e-9)


def test_a_ball_that_comes_to_rest_is_told() -> None:
    bounce = Event("x", "reset", -1, "bounce", lambda at: (at.q, -0.1 * at.qd))
    with pytest.raises(SimulationError, match=r"bounce (has come to rest|acts for the 10000th)"):
        supple.simulate(falling(), None, 3.0, q0=[2.0], events=[bounce])


@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_a_pendulum_goes_through_zero_when_the_elliptic_integral_says(direction: int) -> None:
    from scipy.special import ellipk

    quarter = ellipk(np.sin(0.5) ** 2) / np.sqrt(G)
    down = Event("angle", direction=direction, name="down")
    run = supple.simulate(pendulum(), None, 10.0, q0=[1.0], events=down, rtol=1e-11)
    odd = quarter * np.arange(1, 40, 2)
    wanted = {-1: odd[::2], 1: odd[1::2], 0: odd}[direction]
    assert [at.t for at in run.events] == pytest.approx(wanted[wanted < 10.0], abs=1e-8)
    speed = np.sqrt(2 * G * (1 - np.cos(1.0)))
    assert np.abs(run["event_qd"]) == pytest.approx(speed * np.ones((len(run.events), 1)), abs=1e-7)


def test_turning_points_are_zeros_of_a_rate_and_formulas_know_names_and_strokes() -> None:
    by_name = Event("angle'", name="turn")
    by_hand = Event(lambda t, q, qd: qd[0], name="also")
    late = Event("sin(pi*t) + 0*angle*deg", name="clock")
    events = [by_name, by_hand, late]
    run = supple.simulate(pendulum(), None, 4.2, q0=[1.0], qd0=[0.5], events=events)
    times = {n: [at.t for at in run.events if at.name == n] for n in ("turn", "also", "clock")}
    assert times["turn"] == times["also"]
    assert len(times["turn"]) == 4
    assert times["clock"] == pytest.approx([0, 1, 2, 3, 4], abs=1e-12)
    assert sorted(at.t for at in run.events) == [at.t for at in run.events]


def test_a_switch_hands_over_to_another_law() -> None:
    """Full speed ahead to the half, then back: there at rest at the double time."""
    brake = Event("x - 0.5", "switch", 1, "half", lambda at: [-1.0])
    run = supple.simulate(slider(), [1.0], 2.0, events=[brake], samples=41)
    assert run.events[0].t == pytest.approx(1.0, abs=1e-12)
    assert [run["q"][-1, 0], run["qd"][-1, 0]] == pytest.approx([1.0, 0.0], abs=1e-10)
    elsewhere = np.abs(run.time - 1.0) > 1e-9
    assert run["tau"][elsewhere, 0] == pytest.approx(np.sign(1.0 - run.time[elsewhere]))
    assert run.energy_error < 1e-10


def test_a_switch_may_bring_a_controller_with_states_and_one_that_is_sampled() -> None:
    def catch(at: Occurrence) -> object:
        return supple.pid(slider(), 9.0, 1.0, 6.0, at.q) + supple.Sampled([0.0], 0.1)

    event = Event("x - 0.5", "switch", 1, "half", catch)
    run = supple.simulate(slider(), [1.0], 10.0, events=[event])
    before = run.time <= run.events[0].t
    assert np.all(np.isnan(run["x.integral"][before]))
    assert not np.any(np.isnan(run["x.integral"][~before]))
    from scipy.linalg import expm

    A = np.array([[0, 1, 0], [-9, -6, -1], [1, 0, 0]])
    assert run["q"][-1, 0] == pytest.approx(0.5 - (expm(9.0 * A) @ [0, -1, 0])[0], abs=1e-7)


@pytest.mark.parametrize("direction", [0, 1])
@pytest.mark.parametrize("method", ["auto", "DOP853"])
def test_a_position_that_wraps_does_so_every_turn(method: str, direction: int) -> None:
    """From +1 to -1 with 2 m/s kept: at 0.5, 1.5, 2.5 s."""
    wrap = Event("x - 1", "reset", direction, then=lambda at: (at.q - 2.0, at.qd))
    run = supple.simulate(slider(), None, 3.2, qd0=[2.0], events=wrap, method=method)
    assert [at.t for at in run.events] == pytest.approx([0.5, 1.5, 2.5], abs=1e-9)
    assert [run["q"][-1, 0], run["qd"][-1, 0]] == pytest.approx([0.4, 2.0], abs=1e-9)


def test_a_reset_may_slow_what_goes_through() -> None:
    """Through a curtain at 1 m that takes half the speed: once."""
    curtain = Event("x - 1", "reset", then=lambda at: (at.q, 0.5 * at.qd))
    run = supple.simulate(slider(), None, 3.0, qd0=[1.0], events=curtain)
    assert [at.t for at in run.events] == pytest.approx([1.0], abs=1e-12)
    assert run["q"][-1, 0] == pytest.approx(2.0, abs=1e-10)
    assert run["dissipated"][-1] == pytest.approx(0.5 - 0.125, abs=1e-12)


def test_all_that_happens_at_one_instant_acts_in_the_order_given() -> None:
    """Back to 0 and twice as fast, then a torque, with notes before and behind."""
    events = [
        Event("2*x - 2", name="before"),
        Event("x - 1", "reset", name="back", then=lambda at: ([0.0], 2.0 * at.qd)),
        Event("t - 1", "switch", name="push", then=[1.0]),
        Event("sin(pi*t)", name="behind"),
    ]
    run = supple.simulate(slider(), None, 1.25, qd0=[1.0], events=events)
    assert [at.name for at in run.events] == ["behind", "before", "back", "push", "behind"]
    assert [at.t for at in run.events] == pytest.approx([0, 1, 1, 1, 1], abs=1e-11)
    assert run["event_qd"][:, 0] == pytest.approx([1, 1, 1, 2, 2], abs=1e-11)
    assert run["q"][-1, 0] == pytest.approx(0.5 + 0.25**2 / 2, abs=1e-10)


@pytest.mark.parametrize("order", [1, -1])
def test_a_stop_ends_the_run_after_all_else_of_its_instant(order: int) -> None:
    events = [
        Event("x - 1", "stop", name="stop"),
        Event("3*x - 3", name="note"),
        Event("t - 1", "reset", name="back", then=lambda at: (at.q, -at.qd)),
    ][::order]
    run = supple.simulate(slider(), None, 2.0, qd0=[1.0], events=events, samples=8)
    assert [at.name for at in run.events] == ["stop", "note", "back"][::order]
    assert run.time[-1] == pytest.approx(1.0, abs=1e-12)
    assert run["qd"][-1, 0] == pytest.approx(-1.0, abs=1e-12)


@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_what_goes_through_zero_at_the_start_and_at_the_end_happens(direction: int) -> None:
    """x = t, noted at 0 and at 1 where it rises; one that only rests at zero is none."""
    events = [
        Event("x", direction=direction, name="start"),
        Event("x - 1", direction=direction, name="end"),
        Event("x' - 1", name="rests"),
        Event("x**2", name="touches"),
    ]
    run = supple.simulate(slider(), None, 1.0, qd0=[1.0], events=events)
    happened = [] if direction < 0 else [("start", 0.0), ("end", 1.0)]
    assert [at.name for at in run.events] == [name for name, _ in happened]
    assert [at.t for at in run.events] == pytest.approx([t for _, t in happened], abs=1e-12)


def test_what_is_zero_at_the_start_but_for_rounding_happens_once() -> None:
    """0.3 - 0.1 - 0.2 is -3e-17, 0.3 - 0.2 - 0.1 is not."""
    for when in ("x - 0.1 - 0.2", "x - 0.2 - 0.1"):
        run = supple.simulate(slider(), None, 1.0, q0=[0.3], qd0=[1.0], events=Event(when))
        assert [at.t for at in run.events] == pytest.approx([0.0], abs=1e-15)


def test_a_switch_at_the_start_and_a_stop_at_the_end_act() -> None:
    events = [Event("x", "switch", then=[2.0]), Event("t - 1", "stop", name="end")]
    run = supple.simulate(slider(), None, 1.0, qd0=[1.0], events=events)
    assert run["q"][-1, 0] == pytest.approx(2.0, abs=1e-10)
    assert run.data.attrs["stopped_by"] == "end"


def test_a_stop_at_the_start_is_refused_with_the_way_out() -> None:
    """A throw from the ground: down again after 2 v/g."""
    with pytest.raises(InputError, match=r"where it starts: .* rises. .* direction=-1"):
        supple.simulate(falling(), None, 3.0, qd0=[5.0], events=Event("x", "stop"))
    run = supple.simulate(falling(), None, 3.0, qd0=[5.0], events=Event("x", "stop", -1))
    assert run.time[-1] == pytest.approx(10.0 / G, abs=1e-9)


def test_a_torque_function_takes_over_as_it_is() -> None:
    """`then` of (t, q, qd), of t, or of the occurrence: the same spring."""
    laws: list[Any] = [
        lambda t, q, qd: [-(q[0] - 1.0)],
        lambda at: lambda t, q, qd: [-(q[0] - at.q[0])],
        lambda t: [-np.sin(t - 1.0)],
    ]
    for then in laws:
        event = Event("x - 1", "switch", 1, "there", then)
        run = supple.simulate(slider(), None, 2.5, qd0=[1.0], events=event)
        assert run["q"][-1, 0] == pytest.approx(1.0 + np.sin(1.5), abs=1e-7)


def test_a_handover_that_fails_says_what_it_is_given() -> None:
    event = Event("x - 1", "switch", then=lambda at: [-at.force])
    with pytest.raises(InputError, match=r"then\(occurrence\) failed: AttributeError"):
        supple.simulate(slider(), None, 2.0, qd0=[1.0], events=event)


def test_two_crossings_in_one_long_step_are_seen() -> None:
    """A throw is a parabola, which an integrator follows in a single step."""
    run = supple.simulate(falling(), None, 4.0, qd0=[12.0], events=Event("x - 7.335"))
    root = np.sqrt(144 - 2 * G * 7.335)
    assert [at.t for at in run.events] == pytest.approx([(12 - root) / G, (12 + root) / G])


@pytest.mark.parametrize("method", ["explicit", "rosenbrock", "sweep"])
def test_events_are_seen_in_native_code_as_python_sees_them(method: str) -> None:
    """A formula, a function, and two that cannot be traced as they are: the same instants."""
    whens: list[Any] = [
        "angle - 0.2*cos(t)",
        lambda t, q, qd: q[0] - 0.2 * np.cos(t),
        lambda t, q, qd: float(q[0]) - 0.2 * np.cos(t),
        lambda t, q, qd: q[0] - 0.2 * np.cos(t) if isinstance(q[0], float) else 1.0 + q[0] ** 2,
    ]
    found = []
    for when in whens:
        event = Event(when, "reset", 1, "here", lambda at: (at.q, 0.95 * at.qd))
        how: Any = {"method": method, "rtol": 1e-6}  # few steps: each is looked at in Python
        run = supple.simulate(pendulum(), None, 9.0, q0=[1.0], events=event, **how)
        found.append([at.t for at in run.events])
    assert len(found[0]) == 4
    for times in found[1:]:
        assert times == pytest.approx(found[0], abs=1e-12)


@pytest.mark.parametrize("native", [True, False])
def test_steps_without_events_do_not_return_to_python(
    native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []
    look = EventSearch.look

    def counted(self: EventSearch, a: float, *more: Any) -> None:
        looks.append(a)
        look(self, a, *more)

    monkeypatch.setattr(EventSearch, "look", counted)
    when: Any = "angle" if native else lambda t, q, qd: float(q[0])
    run = supple.simulate(pendulum(), None, 20.0, q0=[1.0], events=Event(when, name="down"))
    assert len(run.events) == 19
    assert (len(looks) <= len(run.events) + 2) == native


def test_events_of_a_closed_chain_are_those_of_its_curve() -> None:
    robot = supple.load("five-bar")
    at = float(robot.home()[0])
    name = robot.coordinate_names[0]
    runs = [
        supple.simulate(robot, None, 0.5, events=Event(f"{name} - ({at + s!r})", name="s"))
        for s in (0.01, -0.01)
    ]
    assert sum(len(run.events) for run in runs) >= 1
    for run in runs:
        for x in run.events:
            assert np.interp(x.t, run.time, run["q"][:, 0]) == pytest.approx(x.q[0], abs=1e-4)


def test_events_are_saved_with_the_run(tmp_path: Path) -> None:
    run = supple.simulate(falling(), None, 1.0, q0=[2.0], events=Event("x - 1", name="half way"))
    read = supple.load_result(run.save(tmp_path / "run.nc"))
    assert read.events[0].name == "half way"
    assert "event half way at 0.451524 s" in str(read)
    assert read.events[0].t == pytest.approx(np.sqrt(2 / G))
    assert read["event_q"] == pytest.approx(np.array([[1.0]]))


def test_an_event_that_should_act_and_does_not_happen_is_told() -> None:
    with pytest.warns(SuppleWarning, match="event roof did not happen: its function stayed"):
        run = supple.simulate(
            falling(), None, 0.5, q0=[2.0], events=Event("x - 3", "stop", name="roof")
        )
    assert run.time[-1] == 0.5


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Event("y - 1"), "event 'y - 1' cannot be read: .* coordinates \\(x\\)"),
        (lambda: Event(3), "give a function of"),  # type: ignore[arg-type]
        (lambda: Event("x", "explode"), "no action named 'explode'"),
        (lambda: Event("x", direction=2), "direction is 2"),
        (lambda: Event("x", "switch"), "needs `then`"),
        (lambda: Event("x", "stop", then=[1.0]), "takes no `then`"),
        (lambda: Event("x", "reset", then=[1.0]), "needs a function"),
        (lambda: [Event("x"), Event("x")], "two events are called 'x'"),
        (lambda: "x", "give a list of supple.Event"),
        (lambda: Event(lambda t, q, qd: q.none), "failed at t = 0 s: AttributeError"),
        (lambda: Event(lambda t, q, qd: np.nan), "is nan at t = 0"),
        (lambda: Event("x - 1", "reset", then=lambda at: at.q), r"it must give \(q, qd\)"),
        (lambda: Event("x - 1", "switch", then=lambda at: [1, 2]), r"has shape \(2,\)"),
    ],
)
def test_a_wrong_event_is_told(make: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        supple.simulate(falling(), None, 1.0, q0=[2.0], events=make())
