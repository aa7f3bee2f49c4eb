"""What once hung, broke off or said nothing in analyses and prescribed runs."""

import numpy as np
import pytest

import supple
from supple.errors import InputError, ModelError


def arm(**modes):
    beam = {"length": 1.0, "mass": 0.3, "EI": 4.0, "modes": modes or {"bending_y": 3}}
    joints = [{"name": "p", "type": "revolute", "child": "b"}]
    links = {"b": {"hub": {"mass": 1.0, "inertia": 1.0}, "beam": beam}}
    return supple.build({"gravity": [0, -9.81, 0], "links": links, "joints": joints})


@pytest.mark.parametrize(
    "law",
    ["1/(t-0.05)", "abs(t-0.05)", "1/(t-0.0437)", lambda t: (t, 5.0, 0.0)],
)
def test_laws_that_jump_are_refused(law):
    with pytest.raises(InputError, match="of p"):
        supple.simulate(arm(), None, 0.1, prescribed={"p": law})


def test_laws_with_a_kink_in_their_rate_are_taken():
    """A trapezoidal profile of the rate, and a fast oscillation."""

    def trapeze(t):
        if t < 0.03:
            return 50 * t**2, 100 * t, 100.0
        return 0.045 + 3.0 * (t - 0.03), 3.0, 0.0

    for law in (trapeze, "0.01*sin(300*t)", "0", "0.3"):
        run = supple.simulate(arm(), None, 0.1, prescribed={"p": law}, rtol=1e-6)
        assert run.energy_error < 1e-2


@pytest.mark.parametrize("text", ["abs(x-0.5)-0.5", "sin(1e6*x)**2"])
def test_shapes_with_kinks_are_refused(text):
    with pytest.raises(ModelError, match=r"kink|too fast"):
        arm(bending_y={"functions": [text]})


def test_an_indefinite_mass_matrix_is_named_by_all_who_need_it():
    robot = supple.load("cibicik-arm").replace(elastic_kinematics="linearized")
    q = robot.neutral()
    for link in robot.links:
        q[link.d] = 2.0
    for ask in (supple.frequencies, lambda r, q: supple.zeros(r, q=q)):
        with pytest.raises(InputError, match=r"not positive definite|pivot"):
            ask(robot, q)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda r: supple.statics(r, [0.1], {"b.tip": [0, 1, [2, 3]]}), "load at b.tip"),
        (lambda r: supple.statics(r, [0.1], {"b.tip": ["a", "b", "c"]}), "load at b.tip"),
        (lambda r: supple.statics(r, [0.1], [0, 1, 0]), "mapping of stations"),
        (lambda r: supple.statics(r, {"p": "x"}), "q_joints of p is 'x'"),
        (lambda r: supple.statics(r, {"p": None}), "q_joints of p is None"),
        (lambda r: supple.reach(r, [1, 2, 3]), "mapping of stations"),
        (lambda r: supple.reach(r, {"b.tip": (float("nan"), 0.5, 0.0)}), "target of b.tip"),
        (lambda r: supple.reach(r, {"b.tip": "123"}), "target of b.tip"),
        (lambda r: supple.along(r, np.zeros(4), points=2.5), "points"),
        (lambda r: supple.along(r, np.zeros(4), points=0), "points"),
        (lambda r: supple.along(r, [0.1, 0.2]), "q"),
        (lambda r: supple.gauge(r, [0.0, 0.01], "b.tip"), "q"),
        (lambda r: supple.frequencies(r, rates={"p": 1e200}), "too large"),
        (lambda r: supple.frequencies(r, rates=[1]), "rates by joint"),
        (lambda r: supple.frequencies(r, rates={"p": "x"}), "rate of p is 'x'"),
        (lambda r: supple.along(r, np.zeros(4), points="3"), "points is '3'"),
        (lambda r: supple.along(r, np.zeros(4), external=[1]), "external is"),
        (lambda r: supple.along(r, np.zeros(4), [1.0]), "qd of robot"),
        (lambda r: supple.gauge(r, np.zeros(4), 3), "gauge is 3"),
        (lambda r: supple.gauge(r, np.zeros(4), "b.nowhere"), "no station named"),
        (lambda r: supple.reach(r, [1]), "mapping of stations"),
        (lambda r: supple.reach(r, {"b.tip": (1, 0, 0)}, start="x"), "start of robot"),
        (lambda r: supple.statics(r, "abc"), "expected 1 numbers, got 'abc'"),
        (lambda r: supple.statics(r, [1, [2]]), "expected 1 numbers"),
        (lambda r: supple.statics(r, linear="yes"), "linear is 'yes'"),
        (lambda r: supple.statics("arm"), "must be a Robot"),
        (lambda r: supple.reach("arm", {}), "must be a Robot"),
    ],
)
def test_mistakes_are_explained(call, says):
    with pytest.raises(InputError, match=says):
        call(arm())


def test_nothing_to_reach_with():
    beam = {"length": 1.0, "mass": 0.3, "EI": 4.0, "modes": {"bending_y": 2}}
    joints = [{"name": "p", "type": "fixed", "child": "b"}]
    robot = supple.build({"links": {"b": {"beam": beam}}, "joints": joints})
    with pytest.raises(InputError, match="no joint that moves"):
        supple.reach(robot, {"b.tip": (None, 0.5, None)})
