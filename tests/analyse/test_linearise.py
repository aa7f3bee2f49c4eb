"""Linear models against difference quotients, closed forms, other analyses and runs."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from agree import assert_near
from linkages import four_bar
from supple.analyse import compliance
from supple.errors import InputError, SuppleWarning
from supple.recursion import configuration_rate
from trees import BODIES, JOINTS, tree

PENDULUM = {
    "name": "pendulum",
    "gravity": [0, -9.81, 0],
    "links": {"rod": {"rigid": {"mass": 2.0, "com": [0.4, 0, 0], "inertia": 0.05, "length": 0.8}}},
    "joints": [{"name": "pivot", "type": "revolute", "child": "rod", "damping": 0.3}],
}


def arm(gravity=(0, -9.81, 0), damping=None, **joint):
    beam = {"length": 1.0, "mass": 0.8, "EI": 60.0, "modes": {"bending_y": 2}}
    beam["damping"] = {"ratio": 0.05} if damping is None else damping
    link = {"beam": beam, "payload": {"mass": 0.2}}
    link["stations"] = {"gauge": {"x": 0.2, "offset": [0, 0.01, 0]}}
    hub = {"name": "hub", "type": "revolute", "child": "arm", "damping": 4.0, "stiffness": 20.0}
    return {
        "name": "arm",
        "gravity": list(gravity),
        "links": {"arm": link},
        "joints": [hub | joint],
    }


def test_a_pendulum_is_the_textbooks():
    inertia, m, g, a, c = 0.05 + 2.0 * 0.16, 2.0, 9.81, 0.4, 0.3
    outputs = ["pivot", "rod.tip.x", "rod.tip.x.rate", "rod.tip.x.acceleration"]
    model = supple.linearise(supple.build(PENDULUM), {"pivot": -np.pi / 2}, outputs=outputs)
    k = m * g * a / inertia
    assert_near(model.A, [[0, 1], [-k, -c / inertia]])
    assert_near(model.B, [[0], [1 / inertia]])
    assert_near(model.C, [[1, 0], [0.8, 0], [0, 0.8], [-0.8 * k, -0.8 * c / inertia]])
    assert_near(model.D, [[0], [0], [0], [0.8 / inertia]])
    (pole,) = model.modes()
    assert pole.omega == pytest.approx(np.sqrt(k))
    assert pole.damping == pytest.approx(c / inertia / 2 / np.sqrt(k))
    assert model.equilibrium
    assert model.stability == "stable"


def test_two_masses_on_a_spring_are_the_textbooks():
    """x1/F = (m2 s^2 + c s + k) / (s^2 (m1 m2 s^2 + (m1 + m2) (c s + k)))."""
    m1, m2, k, c = 2.0, 0.7, 50.0, 0.4
    slide = {"type": "prismatic", "axis": [1, 0, 0]}
    robot = supple.build(
        {
            "gravity": [0, 0, 0],
            "links": {n: {"rigid": {"mass": m, "inertia": 1}} for n, m in (("a", m1), ("b", m2))},
            "joints": [
                slide | {"name": "first", "child": "a"},
                slide | {"name": "gap", "parent": "a", "child": "b", "stiffness": k, "damping": c},
            ],
        }
    )
    model = supple.linearise(robot, inputs=["first"], outputs=["first", "b.origin.x"])
    found = model.transfer_function("first")
    assert_near(found.numerator, np.array([m2, c, k]) / (m1 * m2))
    assert_near(found.denominator, [1, c * (m1 + m2) / m1 / m2, k * (m1 + m2) / m1 / m2, 0, 0])
    far = model.transfer_function("b.origin.x")
    assert_near(far.numerator, np.array([c, k]) / (m1 * m2))
    free, pair = model.modes()
    assert (free.value, free.count, free.name) == (0.0, 2, "first")
    assert pair.omega == pytest.approx(np.sqrt(k * (1 / m1 + 1 / m2)))


@pytest.mark.parametrize("index", [3, 40, 77, 120, 150, 181])
def test_trees_of_all_kinds_are_difference_quotients(index):
    """d(qdd) by differences; d(deviation)/dt from two motions a moment later."""
    robot, rng, h = tree(index, JOINTS, BODIES), np.random.default_rng(index), 1e-6
    q = robot.neutral() + rng.uniform(-0.1, 0.1, robot.nq)
    q, qd = robot.normalized(q), rng.uniform(-0.3, 0.3, robot.nv)
    tau = robot.input_matrix @ rng.uniform(-1, 1, len(robot.joint_indices))
    with pytest.warns(SuppleWarning, match="not in balance"):
        model = supple.linearise(robot, q, qd, tau)
    n, E = robot.nv, np.array([configuration_rate(robot, q, e) for e in np.eye(robot.nv)]).T
    f = lambda a, b, c: supple.forward_dynamics(robot, a, b, c)  # noqa: E731
    for k in range(n):
        e = np.eye(n)[k]
        there = [robot.normalized(q + s * h * E @ e) for s in (1, -1)]
        slope = (f(there[0], qd, tau) - f(there[1], qd, tau)) / (2 * h)
        assert_near(model.A[n:, k], slope, 1e-5, size=np.abs(model.A[n:]).max())
        rate = [configuration_rate(robot, x, qd) for x in (*there, q)]
        before = np.array([configuration_rate(robot, q + h * rate[2], w) for w in np.eye(n)]).T
        gaps = [x + h * r - q - h * rate[2] for x, r in zip(there, rate, strict=False)]
        later = np.linalg.lstsq(before, gaps[0] - gaps[1], rcond=None)[0] / (2 * h)
        assert_near(model.A[:n, k], (later - e) / h, 1e-4, size=1.0)
        slope = (f(q, qd + h * e, tau) - f(q, qd - h * e, tau)) / (2 * h)
        assert_near(model.A[n:, n + k], slope, 1e-5, size=np.abs(model.A[n:]).max())
    assert_near(model.drift[n:], f(q, qd, tau))


def test_native_derivatives_are_the_same():
    robot = supple.load("lin-lewis-rfr")
    q, qd, tau = [0.1, 0.2, 0.01, 0.3], [0.2, -0.1, 0.05, 0.3], np.array([0.1, 0.2, 0, 0.3])
    with pytest.warns(SuppleWarning):
        model = supple.linearise(robot, q, qd, tau)
    native = supple.compile(robot, "forward_dynamics").jacobian("q", "qd", "tau")
    whole = native(np.array(q), np.array(qd), tau)
    assert_near(model.A[4:], whole[:, :8], 1e-11)
    assert_near(model.B[4:], whole[:, 8:] @ robot.input_matrix, 1e-11)


def test_a_closed_chain_is_a_difference_quotient_on_its_loops():
    """The crank moved, the loops closed again, its rate's share given to all others."""
    robot, h = supple.build(four_bar(gravity=[0, -9.81, 0])), 1e-5
    q = supple.assemble(robot, {"a": 0.9})[0]
    qd, _ = supple.complete_motion(robot, q, [0.7])
    with pytest.warns(SuppleWarning):
        model = supple.linearise(robot, q, qd, [2.0, 0, 0])
    assert model.states == ("a", "a.rate")

    def speeding(a, rate):
        x = supple.assemble(robot, {"a": a}).nearest(q)
        v, _ = supple.complete_motion(robot, x, [rate])
        return supple.forward_dynamics(robot, x, v, [2.0, 0, 0])[0]

    slope = (speeding(0.9 + h, 0.7) - speeding(0.9 - h, 0.7)) / (2 * h)
    fall = (speeding(0.9, 0.7 + h) - speeding(0.9, 0.7 - h)) / (2 * h)
    assert_near(model.A, [[0, 1], [slope, fall]], 1e-6)


@pytest.mark.parametrize("name", ["slider-crank-flexible", "canadarm"])
def test_undamped_poles_are_the_natural_frequencies(name):
    robot = supple.load(name)
    rest = supple.statics(robot)
    model = supple.linearise(robot, at=rest, held=robot.actuated)
    w = supple.frequencies(robot, rest.q, locked=True).omega
    assert_near([p.omega for p in model.modes()], w, 1e-9)


def test_a_joint_that_turns_steadily_has_the_frequencies_of_the_turning_beam():
    robot = supple.build(arm(gravity=[0, 0, 0], damping={}))
    model = supple.linearise(robot, qd={"hub": 9.0}, held=["hub"], outputs=["arm.gauge.strain"])
    want = supple.frequencies(robot, rates={"hub": 9.0}).omega
    assert_near([p.omega for p in model.modes()], want, 1e-8)
    assert model.equilibrium
    assert model.warnings == ()


def test_a_sine_of_torque_moves_the_robot_as_its_frequency_response_says():
    robot, w, size = supple.build(arm()), 20.0, 1e-3
    outputs = ["hub", "arm.tip.y", "arm.gauge.strain", "hub.rate", "arm.tip.y.acceleration"]
    model = supple.linearise(robot, outputs=outputs)
    rest = supple.statics(robot)
    period = 2 * np.pi / w
    law = lambda t: rest.tau[0] + size * np.sin(w * t)  # noqa: E731
    run = supple.simulate(robot, lambda t: [law(t)], 24 * period, q0=rest.q, samples=24 * 40 + 1)
    last = slice(-121, -1)
    q, qd, t = run["q"][last], run["qd"][last], run.time[last]
    tau = [robot.input_matrix @ [law(x)] for x in t]
    qdd = [supple.forward_dynamics(robot, *x) for x in zip(q, qd, tau, strict=True)]
    tip = [supple.pose(robot, x, "arm").p[1] for x in q]
    speed = [supple.acceleration(robot, *x, "arm")[4] for x in zip(q, qd, qdd, strict=True)]
    strain = [supple.gauge(robot, x, "arm.gauge").strain for x in q]
    seen = np.array([q[:, 0], tip, strain, qd[:, 0], speed])
    got = 2 / len(t) * ((seen - seen.mean(axis=1, keepdims=True)) @ np.exp(-1j * w * t)) * 1j
    want = model.frequency_response([w])[0, :, 0]
    assert np.abs(got / size / want - 1).max() < 2e-3


def test_strain_and_curvature_are_those_of_the_gauge():
    """Linear in the shapes: the row times the shapes of rest."""
    robot = supple.build(arm())
    rest = supple.statics(robot, {"hub": 0.3}, {"arm.tip": [0, -3.0, 0]})
    names = ["arm.gauge.strain", "arm.gauge.curvature_z", "arm.gauge.curvature_y"]
    model = supple.linearise(robot, at=rest, outputs=names)
    gauge = rest.gauge("arm.gauge")
    assert_near(model.C[:2, :3] @ rest.q, [gauge.strain, gauge.curvature[2]], 1e-12)
    assert gauge.strain == pytest.approx(-0.01 * gauge.curvature[2])
    assert not np.any(model.C[2])


def test_zeros_are_those_of_the_zero_dynamics():
    for name, outputs in (("lin-lewis-f", ["link1.tip.y"]), ("lin-lewis-rfr", None)):
        robot = supple.load(name)
        want = supple.zeros(robot, outputs)
        model = supple.linearise(robot, outputs=want.outputs)
        assert np.abs(model.zeros() - want.zeros).max() < 1e-7 * np.abs(want.zeros).max()


def test_a_transfer_function_takes_arrays_of_any_shape() -> None:
    """1 / (I s^2 + c s + k) of a sprung link."""
    link = {"rigid": {"mass": 1, "inertia": 0.1}}
    joint = {"name": "j", "type": "revolute", "child": "a", "damping": 0.2, "stiffness": 3.0}
    robot = supple.build({"gravity": [0, 0, 0], "links": {"a": link}, "joints": [joint]})
    g = supple.linearise(robot, inputs=["j"], outputs=["j"]).transfer_function("j")
    for s in (1j * np.linspace(0, 9, 6).reshape(2, 3), [0.5, 2.0 + 1j], np.zeros((0, 2)), 3):
        want = 1.0 / (0.1 * np.square(s) + 0.2 * np.asarray(s) + 3.0)
        assert np.shape(g(s)) == np.shape(s)
        assert g(s) == pytest.approx(want, rel=1e-12)
    assert isinstance(g(2.0j), complex)
    for wrong in ("1", None, [np.nan], [[1.0], [1.0, 2.0]]):
        with pytest.raises(supple.InputError, match="give finite complex numbers"):
            g(wrong)
    with pytest.raises(supple.InputError, match=r"j / j has no bound at s = .*, a pole"):
        g(np.append(g.poles, 1.0))


def test_a_transfer_function_is_the_frequency_response():
    model = supple.linearise(supple.build(arm()), outputs=["arm.tip.y", "hub.acceleration"])
    w = np.geomspace(0.5, 2000.0, 9)
    for i, name in enumerate(model.outputs):
        found, want = model.transfer_function(name), model.frequency_response(w)[:, i, 0]
        assert np.abs(np.array([found(1j * x) for x in w]) / want - 1).max() < 1e-8
        value = np.polyval(found.numerator, 1j * w) / np.polyval(found.denominator, 1j * w)
        assert np.abs(value / want - 1).max() < 1e-6


def test_a_force_at_the_tip_moves_it_by_its_compliance():
    """The response at low frequency is the deflection that statics finds, hub sprung."""
    robot = supple.build(arm(gravity=[0, 0, 0], damping={}))
    model = supple.linearise(robot, inputs=["arm.tip.fy"], outputs=["arm.tip.y"])
    bend, hub = 1.0 / (3 * 60.0), 1.0 / 20.0
    assert model.frequency_response(0.0)[0, 0].real == pytest.approx(bend + hub, rel=1e-9)


def test_a_closed_chain_gives_way_as_its_statics_says():
    """Motor held, a force at the middle of the rocker: the response at w = 0 is its compliance."""
    robot = supple.load("four-bar-flexible")
    words = robot.spec["links"]["rocker"] | {"stations": {"middle": {"x": 0.2}}}
    robot = robot.replace(links=robot.spec["links"] | {"rocker": words})
    rest, where = supple.statics(robot), "rocker.middle"
    ins, outs = ([f"{where}.{letter}{axis}" for axis in "xy"] for letter in ("f", ""))
    model = supple.linearise(robot, at=rest, held=robot.actuated, inputs=ins, outputs=outs)
    assert_near(model.frequency_response(0.0).real, compliance(rest, where)[:2, :2], 1e-8)


def test_python_control_has_the_same_poles_and_responses():
    pytest.importorskip("control")
    model = supple.linearise(supple.build(arm()))
    system = model.to_control()
    assert list(system.input_labels) == ["hub"]
    assert np.abs(system(1j * 7.0)[:, 0] - model.frequency_response(7.0)[:, 0]).max() < 1e-12
    want = np.sort_complex(system.poles())
    assert np.abs(np.sort_complex(model.poles()) - want).max() < 1e-9 * np.abs(want).max()


def test_without_python_control_one_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "control", None)
    with pytest.raises(InputError, match=r"pip install 'supple\[control\]'"):
        supple.linearise(supple.build(PENDULUM)).to_control()


def test_what_is_doubtful_is_told():
    robot = supple.build(arm(friction={"coulomb": 0.1}))
    with pytest.warns(SuppleWarning, match="Coulomb friction of hub"):
        supple.linearise(robot)
    held = supple.linearise(robot, held=["hub"], inputs=["arm.tip.fy"], outputs=["arm.tip.y"])
    assert held.warnings == ()
    robot = supple.build(arm())
    with pytest.warns(SuppleWarning, match="not in balance"):
        model = supple.linearise(robot, [0.0, 0.0, 0.0])
    assert not model.equilibrium
    assert_near(model.drift[3:], supple.forward_dynamics(robot, [0.0] * 3, [0.0] * 3, model.tau))
    with pytest.warns(SuppleWarning, match="neutral axis"):
        supple.linearise(robot, outputs=["arm.tip.strain"])
    with pytest.warns(SuppleWarning, match="Nothing holds its floating base"):
        supple.linearise(supple.load("space-robot").replace(gravity=[0, 0, -9.81]))
    afloat = supple.load("space-robot")
    with pytest.warns(SuppleWarning, match="not in balance.*Give joint positions alone"):
        supple.linearise(afloat, tau=np.ones(len(afloat.joint_indices)))
    assert supple.linearise(supple.build(four_bar())).warnings == ()  # it does not move
    with pytest.warns(SuppleWarning, match="that instant alone"):
        supple.linearise(robot, qd={"hub": 2.0})
    up = supple.linearise(supple.build(arm(stiffness=0.0)), {"hub": np.pi / 2})
    with pytest.warns(SuppleWarning, match="not stable here"):
        up.bode()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"inputs": ["hubb"]}, "Did you mean hub"),
        ({"inputs": ["hub"], "held": ["hub"]}, "does nothing there"),
        ({"outputs": ["arm.tip.w"]}, "no output named"),
        ({"outputs": ["hub", "hub"]}, "twice"),
        ({"outputs": ["arm.nose.x"]}, "no station named"),
        ({"at": 3}, "result of supple.statics"),
        ({"q": [0.0], "at": "x"}, "result of supple.statics"),
        ({"held": ["elbow"]}, "no joint named"),
    ],
)
def test_mistakes_get_one_message(given, words):
    with pytest.raises(InputError, match=words):
        supple.linearise(supple.build(arm()), **given)


def test_inertia_is_that_of_the_independent_motion():
    """Kinetic energy of a closed chain at a rate of its crank."""
    robot = supple.build(four_bar())
    model, rate = supple.linearise(robot), 0.7
    qd = supple.complete_motion(robot, model.q, [rate], [0.0])[0]
    (name,) = (x for x in model.states if not x.endswith(".rate"))
    ud = qd[robot.velocity_names.index(name)]
    energy = supple.kinetic_energy(robot, model.q, qd)
    assert 0.5 * model.inertia[0, 0] * ud**2 == pytest.approx(energy)
