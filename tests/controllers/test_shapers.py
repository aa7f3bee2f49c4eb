"""Input shapers: what is left of a vibration is what the closed forms say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from sliders import beam_on_a_slide, carried
from supple import InputError
from supple.simulation.motion import formula

K, C = 40.0, 1.2
OMEGA = np.sqrt(K)
ZETA = C / (2.0 * OMEGA)
T = 0.8


def left_behind(shaper: supple.Shaper | None, damping: float = 0.0) -> float:
    """Amplitude of the carried mass when the carriage has come to rest, at the last impulse."""
    robot, motion = carried(K, damping), supple.quintic(carried(K), {"x": 1.0}, T)
    if shaper is not None:
        motion = supple.shaped(motion, shaper)
    driven = {"x": motion.laws[0]}
    run = supple.simulate(robot, None, motion.duration, prescribed=driven, samples=3, rtol=1e-10)
    assert run.inputs == "all inputs run natively"
    y, v = run["q"][-1, 1], run["qd"][-1, 1]
    decay = damping / 2.0
    return float(np.hypot(y, (v + decay * y) / np.sqrt(K - decay**2)))


@pytest.mark.parametrize("kind", ["zv", "zvd"])
@pytest.mark.parametrize("damping", [0.0, C])
def test_nothing_is_left_of_the_mode_a_shaper_is_made_for(kind: str, damping: float) -> None:
    shaper = supple.shaper(kind, OMEGA, damping / (2.0 * OMEGA))
    assert left_behind(None, damping) > 0.05
    assert left_behind(shaper, damping) < 1e-8


@pytest.mark.parametrize("kind", ["zv", "zvd", "ei"])
@pytest.mark.parametrize("off", [0.85, 1.0, 1.2])
def test_what_is_left_where_the_frequency_is_wrong_is_the_closed_form(
    kind: str, off: float
) -> None:
    """|cos(x)|, cos(x)^2, |(1 + V) cos(2 x) + 1 - V|/2 with x = pi/2 omega/omega_m."""
    x, V = 0.5 * np.pi / off, 0.05
    forms = {"zv": abs(np.cos(x)), "zvd": np.cos(x) ** 2}
    forms["ei"] = abs((1 + V) * np.cos(2 * x) + 1 - V) / 2
    shaper = supple.shaper(kind, off * OMEGA)
    assert left_behind(shaper) / left_behind(None) == pytest.approx(forms[kind], abs=1e-6)


def test_robust_shapers_are_flat_in_the_error_of_the_frequency() -> None:
    """ZV leaves what grows with the error, ZVD its square; EI stays below V over a wider band."""
    zv, zvd, ei = (supple.shaper(kind, 1.0) for kind in ("zv", "zvd", "ei"))
    assert zv.residual(1.01) == pytest.approx(0.5 * np.pi * 0.01, rel=1e-3)
    assert zvd.residual(1.01) == pytest.approx((0.5 * np.pi * 0.01) ** 2, rel=1e-3)
    band = np.linspace(0.8, 1.2, 4001)
    wide = [np.ptp(band[[s.residual(w) <= 0.0501 for w in band]]) for s in (zv, zvd, ei)]
    assert wide[0] == pytest.approx(0.0637, abs=1e-3)  # 4/pi asin(V)
    assert wide[1] == pytest.approx(0.287, abs=2e-3)  # 4/pi asin(sqrt(V))
    assert wide[2] == pytest.approx(0.399, abs=3e-3)


@pytest.mark.parametrize("shape", [(3,), (3, 1), (0,)])
def test_what_is_left_of_an_array_of_frequencies_has_its_shape(shape: tuple[int, ...]) -> None:
    """ZVD leaves cos(pi/2 omega/omega_m)^2."""
    zvd, omega = supple.shaper("zvd", 3.0), np.resize([2.0, 3.0, 4.0], shape)
    left = zvd.residual(omega)
    assert isinstance(left, np.ndarray)
    assert left.shape == shape
    assert left == pytest.approx(np.cos(0.5 * np.pi * omega / 3.0) ** 2)
    assert zvd.residual([2, 3, 4]) == pytest.approx([0.25, 0.0, 0.25])


@pytest.mark.parametrize(
    ("omega", "damping"), [("2", 0.0), ([2.0, np.nan], 0.0), (-2.0, 0.0), (2.0, 1.0)]
)
def test_what_is_left_of_no_frequency_is_told(omega: Any, damping: float) -> None:
    with pytest.raises(InputError, match=r"omega is .*rad/s|damping is 1; it must be"):
        supple.shaper("zvd", 3.0).residual(omega, damping)


def test_an_ei_shaper_leaves_its_share_at_the_mode_and_nothing_beside_it() -> None:
    shaper = supple.shaper("ei", OMEGA, ZETA, vibration=0.03)
    assert shaper.residual(OMEGA, ZETA) == pytest.approx(0.03)
    half = np.pi / (OMEGA * np.sqrt(1 - ZETA**2))
    roots = np.roots(shaper.amplitudes) ** -1  # in w = exp(-s T)
    s = -np.log(roots) / half
    assert np.sort(np.abs(s.imag)) * half / np.pi == pytest.approx([0.884, 0.884], abs=0.02)
    assert s.real == pytest.approx(-ZETA * OMEGA * np.ones(2))


def test_shapers_of_two_modes_leave_both_at_rest() -> None:
    both = supple.shaper("zv", [3.0, 10.0], [0.0, 0.1])
    assert len(both.times) == 4
    assert sum(both.amplitudes) == pytest.approx(1.0)
    assert both.residual(3.0) < 1e-14
    assert both.residual(10.0, 0.1) < 1e-14


def test_a_bending_arm_is_still_after_a_shaped_move() -> None:
    """The frequency is taken from the robot; the joint is moved as the shaper says."""
    robot = beam_on_a_slide()
    omega = supple.frequencies(robot, locked=True)
    way = supple.quintic(robot, {"y": 0.005}, 0.05)
    ends = []
    for motion in (way, supple.shaped(way, supple.shaper("zvd", omega))):
        run = supple.simulate(robot, None, motion.duration, prescribed=motion, samples=3)
        ends.append(np.hypot(run["q"][-1, 1], run["qd"][-1, 1] / omega.omega[0]))
    assert ends[1] < 1e-6 * ends[0]
    assert ends[0] > 1e-4


def test_a_shaped_torque_leaves_a_mode_of_the_free_robot_at_rest() -> None:
    """Two equal masses on a spring: omega^2 = 2 k/m."""
    robot = carried(K)
    pulse = ([0.0, 0.2, 0.4], [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    torque = supple.simulation.table(robot, *pulse)
    shaper = supple.shaper("zv", supple.frequencies(robot), modes=1)
    assert shaper.times[1] == pytest.approx(np.pi / np.sqrt(2 * K))
    runs = [supple.simulate(robot, x, 1.5) for x in (torque, supple.shaped(torque, shaper))]
    before, after = (np.abs(run["elastic"][-1]) for run in runs)
    assert before > 1e-4
    assert after < 1e-12
    assert runs[1]["qd"][-1, 0] == pytest.approx(0.5 * 0.2)  # the impulse is the same


def test_a_formula_that_does_not_stand_still_at_its_ends_is_held_there() -> None:
    robot = carried(K)
    way = supple.simulation.motion_of(robot, {"x": formula("sin(pi*t/2)**4", "x")}, 1.0)
    shaped = supple.shaped(way, supple.shaper("zv", 5.0))
    assert shaped(0.0)[0][0] == 0.0
    assert shaped(0.9)[0] == pytest.approx(0.5 * (way(0.9)[0] + way(0.9 - np.pi / 5)[0]))
    assert shaped(9.0)[0][0] == pytest.approx(1.0)
    native = shaped.written
    assert native is not None
    none = np.zeros(0)
    for a, b in ((0.1, 0.3), (0.7, 0.9), (1.1, 1.5), (3.0, 4.0)):
        found = native.of(0.5 * (a + b), none, none, native.numbers(a, b))
        assert found == pytest.approx(np.ravel(shaped(0.5 * (a + b))))
    assert shaped.duration == pytest.approx(1.0 + np.pi / 5)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: supple.shaper("zzz", 1.0), "no shaper named 'zzz'"),
        (lambda: supple.shaper("zv", 0.0), "frequencies above zero"),
        (lambda: supple.shaper("zv", [1.0, 2.0], [0.1]), "one ratio between 0 and 1 for each"),
        (lambda: supple.shaper("zv", 1.0, 1.5), "damping is 1.5"),
        (lambda: supple.shaper("zv", 1.0, modes=2), "modes is 2"),
        (lambda: supple.shaper("ei", 1.0, vibration=2), "vibration is 2"),
        (lambda: supple.shaper("ei", 1.0, 0.6), "has no positive impulses"),
        (lambda: supple.shaped(None, supple.shaper("zv", 1.0)), "shapes a Motion"),  # type: ignore[call-overload]
        (lambda: supple.shaped(supple.pd(carried(K), 1, 1), supple.shaper("zv", 1.0)), "feedback"),
        (lambda: supple.shaped(supple.pd(carried(K), 1, 1), "zv"), "make one"),  # type: ignore[call-overload]
    ],
)
def test_a_wrong_shaper_is_told(make: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make()
