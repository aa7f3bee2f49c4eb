"""Campbell diagrams against published frequencies of rotating beams."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import supple
from rotors import rotor, rotor_growth
from supple.errors import InputError, SuppleWarning

# [Wright1982], table 1: uniform cantilever, no hub radius, first flap frequency at speeds 0 to 12,
# in units of sqrt(EI / (rho A L^4))
WRIGHT = np.array(
    [
        *(3.5160, 3.6816, 4.1373, 4.7973, 5.5850, 6.4495, 7.3604),
        *(8.2996, 9.2568, 10.2257, 11.2023, 12.1843, 13.1702),
    ]
)


def blade(**changes):
    shapes = {"bending_y": 7, "bending_z": 7}
    beam = {"length": 2.0, "mass": 6.0, "EI": 48.0, "rotary_inertia": False, "modes": shapes}
    joints = [{"name": "hub", "type": "revolute", "child": "blade"}]
    words = {"name": "blade", "gravity": [0, 0, 0], "links": {"blade": {"beam": beam}}}
    return supple.build(words | {"joints": joints} | changes)


def test_a_rotating_cantilever_has_the_published_frequencies():
    """Flap as printed; in the plane of rotation w^2 is less by the speed squared."""
    unit = np.sqrt(48.0 / (3.0 * 2.0**4))
    speeds = np.array([0, 1, 2, 4, 7, 10, 12])
    found, want = supple.campbell(blade(), "hub", unit * speeds, orders=[1]), WRIGHT[speeds]
    up = int(np.argmax(found.omega[-1, :2]))  # at rest the two are one frequency, in any order
    plane, flap = found.omega[:, 1 - up] / unit, found.omega[:, up] / unit
    np.testing.assert_allclose(flap, want, atol=6e-5)
    np.testing.assert_allclose(plane**2, want**2 - speeds**2, atol=2e-3)
    assert found.modes[up] == f"{up + 1} blade.bending_z1"
    assert found.modes[1 - up] == f"{2 - up} blade.bending_y1"
    for c in found.crossings:  # where the curve, looked at again, meets the line
        again = supple.frequencies(blade(), rates={"hub": c.speed}).omega
        assert np.abs(again - c.order * c.speed).min() < 1e-5 * c.omega


def test_southwells_coefficient_of_the_flap_mode_is_1_19():
    """w^2 = w0^2 + 1.193 speed^2 at low speed, [Southwell1921]: Rayleigh's quotient with the mode
    at rest."""
    found = supple.campbell(blade(), "hub", [0.0, 0.05], orders=[])
    rises = (found.omega[1, :2] ** 2 - found.omega[0, :2] ** 2) / 0.05**2
    assert sorted(rises) == pytest.approx([0.1933, 1.1933], abs=2e-4)


def shaft(**beam):
    """A beam along the axis it turns about."""
    words = {"length": 2.0, "mass": 6.0, "EI": 48.0, "rotary_inertia": False, **beam}
    words |= {"rpy": [0, -np.pi / 2, 0], "modes": {"bending_y": 3, "bending_z": 3}}
    return blade(links={"blade": {"beam": words, "hub": {"inertia": 0.1}}}, name="shaft")


def test_a_round_shaft_whirls_at_its_frequency_plus_and_minus_the_speed():
    """Seen from the turning frame, w0 + speed and |w0 - speed|: Coriolis forces alone. Seen from
    the ground w0 both ways, which order 2 meets at w0 / 2."""
    robot = shaft()
    w0 = supple.frequencies(robot, locked=True).omega[::2]
    speeds = np.linspace(0.0, 3.0, 7)
    found = supple.campbell(robot, "hub", speeds, orders=[2])
    want = np.sort(np.concatenate([w0[:2, None] - speeds, w0[:2, None] + speeds]), axis=0)
    np.testing.assert_allclose(np.sort(found.omega, axis=1)[:, :4].T, want, rtol=1e-6)
    assert found.crossings[0].speed == pytest.approx(w0[0] / 2, rel=1e-5)
    seen = np.sort(np.abs(found.data["whirl"].values), axis=1)[:, :4]
    np.testing.assert_allclose(seen, np.tile(np.repeat(w0[:2], 2), (7, 1)), rtol=1e-6)


def test_beyond_its_critical_speed_a_damped_shaft_grows_and_an_undamped_one_does_not():
    """Damping that turns with the shaft: above w0 it feeds the whirl."""
    fast = 1.3 * supple.frequencies(shaft(), locked=True).omega[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        still = supple.campbell(shaft(), "hub", [0.0, fast], orders=[])
    assert np.abs(still.data["growth"].values).max() < 1e-6
    with pytest.warns(SuppleWarning, match="not stable"):
        grows = supple.campbell(shaft(damping={"ratio": 0.02}), "hub", [0.0, fast], orders=[])
    assert grows.data["growth"].values[1].max() > 1e-3


@pytest.mark.parametrize("speeds", [[0.0, 40.0, 80.0], [0.0, 30.0, 60.0, 62.0, 70.0, 90.0]])
def test_an_unequal_rotor_is_told_to_diverge_between_its_two_frequencies(speeds):
    """Also where none of the speeds lies between them."""
    w = supple.frequencies(rotor(), locked=True).omega
    assert 40.0 < w[0] < 60.0 < 70.0 < w[1] < 80.0
    with pytest.warns(SuppleWarning, match="not stable when spin turns") as told:
        found = supple.campbell(rotor(), "spin", speeds, orders=[])
    (window,) = found.unstable
    assert [window.first, window.last] == pytest.approx(w, rel=1e-6)
    top = max(rotor_growth(w, W) for W in np.linspace(*w, 1001))
    assert window.growth == pytest.approx(top, rel=1e-5)
    assert window.coordinate in ("shaft.bending_y1", "shaft.bending_z1")
    assert [str(x.message) for x in told] == list(found.warnings)
    assert "unstable from" in str(found)


def test_a_mode_that_diverges_has_its_growth_and_no_frequency():
    w, speed = supple.frequencies(rotor(), locked=True).omega, 66.0
    with pytest.warns(SuppleWarning, match="not stable"):
        found = supple.campbell(rotor(), "spin", [60.0, speed], orders=[])
    at = found.data.sel(speed=speed)
    (k,) = np.flatnonzero(np.isnan(at["omega"].values))
    assert at["growth"].values[k] == pytest.approx(rotor_growth(w, speed), rel=1e-6)
    assert found.unstable[0].first == 60.0
    assert found.unstable[0].last == speed


def test_damping_and_growth_are_there():
    words = blade().spec["links"]["blade"]["beam"] | {"damping": {"ratio": 0.02}}
    robot = blade(links={"blade": {"beam": words}})
    found = supple.campbell(robot, "hub", [0.0, 1.0])
    np.testing.assert_allclose(found.data["damping"].values[0], 0.02, rtol=1e-9)


def test_what_is_doubtful_is_told():
    with pytest.warns(SuppleWarning, match="no centrifugal stiffening"):
        supple.campbell(blade(elastic_kinematics="first_order"), "hub", [0.0, 0.5])
    with pytest.warns(SuppleWarning, match="no steady motion when hub turns"):
        supple.campbell(blade(gravity=[0, -0.1, 0]), "hub", [0.0, 0.5])
    with warnings.catch_warnings():  # about a vertical axis the weight stays where it is
        warnings.simplefilter("error")
        supple.campbell(blade(gravity=[0, 0, -0.01]), "hub", [0.0, 0.5])


@pytest.mark.parametrize(
    ("joint", "speeds", "words"),
    [
        ("hob", [0, 1], "Did you mean hub"),
        ("hub", [1, 0], "must rise"),
        ("hub", [1], "2 to 2000"),
        ("hub", "fast", "2 to 2000"),
    ],
)
def test_mistakes_get_one_message(joint, speeds, words):
    with pytest.raises(InputError, match=words):
        supple.campbell(blade(), joint, speeds)
