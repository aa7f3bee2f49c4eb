"""Forces as a linear function of a robot's numbers, and these numbers from records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from supple import recursion
from supple.errors import InputError

KINDS = ("first_order", "linearized", "second_order")


def motion(robot: supple.Robot, count: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """Random states; shapes are small."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1.0, 1.0, (count, robot.nq))
    for link in robot.links:
        q[:, link.d] *= 0.03
    q = np.array([robot.normalized(x) for x in q])
    return q, *rng.uniform(-1.0, 1.0, (2, count, robot.nv))


def forces(robot: supple.Robot, q: Any, qd: Any, qdd: Any) -> Any:
    return np.array([recursion.inverse_dynamics(robot, *x) for x in zip(q, qd, qdd, strict=True)])


@pytest.mark.parametrize("name", supple.shipped())
def test_the_regressor_reproduces_inverse_dynamics(name: str) -> None:
    robot = supple.load(name)
    pi = np.array([*supple.inertial_parameters(robot).values()])
    for q, qd, qdd in zip(*motion(robot, 2), strict=True):
        tau = recursion.inverse_dynamics(robot, q, qd, qdd)
        Y = supple.regressor(robot, q, qd, qdd)
        assert_near(Y @ pi + recursion.known_force(robot, q, qd), tau, 1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_it_does_in_every_kinematics_with_hub_and_payload(kind: str) -> None:
    beam = {"length": 1.0, "density": 2700, "E": 7e9, "nu": 0.3, "rpy": [0.3, 0.2, 0.1]}
    section = {"shape": "rectangle", "width": 0.05, "height": 0.03}
    modes = {"bending_y": 2, "bending_z": 1, "torsion": 1, "axial": 1}
    hub = {"mass": 2.0, "com": [0.1, 0.2, 0.3], "inertia": [0.3, 0.4, 0.5, 0.01, 0.02, 0.03]}
    link = {"beam": {**beam, "section": section, "modes": modes}, "payload": {"mass": 1.0}}
    joint = {"type": "revolute", "axis": [1, 2, 3], "stiffness": 2.0, "damping": 0.3, "rest": 0.1}
    friction = {"coulomb": 0.2, "viscous": 0.1, "smoothing": 0.1}
    joints = [
        {**joint, "child": "a", "friction": friction, "rotor_inertia": 0.2},
        {**joint, "parent": "a", "child": "b"},
    ]
    links = {"a": {**link, "hub": hub}, "b": link}
    robot = supple.build({"links": links, "joints": joints, "elastic_kinematics": kind})
    pi = np.array([*supple.inertial_parameters(robot).values()])
    q, qd, qdd = (x[0] for x in motion(robot, 1))
    tau = recursion.inverse_dynamics(robot, q, qd, qdd)
    assert_near(supple.regressor(robot, q, qd, qdd) @ pi, tau, 1e-12)
    assert ("a.rigid.mass" in supple.inertial_parameters(robot)) == (kind == "second_order")


def test_it_is_compiled() -> None:
    robot = supple.load("puma")
    q, qd, qdd = motion(robot, 3)
    native = supple.compile(robot, "regressor").batch(q, qd, qdd)
    plain = [supple.regressor(robot, *x) for x in zip(q, qd, qdd, strict=True)]
    assert_near(native, np.array(plain), 1e-13)


def test_puma_has_36_base_parameters() -> None:
    """As the literature finds for six revolute joints of the PUMA 560 (Gautier, Khalil 1990)."""
    base = supple.base_parameters(supple.load("puma"))
    assert base.rank == 36
    assert "link1.mass" in base.unseen


@pytest.mark.parametrize("name", ["lin-lewis-rr", "canadarm"])
def test_base_parameters_alone_give_the_forces(name: str) -> None:
    robot = supple.load(name)
    base = supple.base_parameters(robot)
    pick = [base.parameters.index(n) for n in base.names]
    q, qd, qdd = (x[0] for x in motion(robot, 1, seed=3))
    Y = supple.regressor(robot, q, qd, qdd)[:, pick]
    assert_near(Y @ base.values, recursion.inverse_dynamics(robot, q, qd, qdd), 1e-9)


def test_a_planar_arm_has_the_base_parameters_of_the_textbook() -> None:
    """Of two bars without gravity across the plane: Izz1 + m2 L^2 and so on."""
    base = supple.base_parameters(supple.load("lin-lewis-rr").replace(gravity=(0, 0, -9.81)))
    assert base.rank == 4
    assert base.combination("link1.Izz") == "link1.Izz + link2.mass"  # its length is 1


def test_a_payload_is_found_from_noisy_torques() -> None:
    arm = supple.load("puma")
    words = [dict(row) for row in arm.spec["dh"]["rows"]]  # type: ignore[index]
    words[-1] |= {"payload": {"mass": 2.0, "com": [0.0, 0.05, 0.1]}}
    loaded = arm.replace(dh={**arm.spec["dh"], "rows": words})  # type: ignore[index]
    q, qd, qdd = motion(loaded, 500)
    tau = forces(loaded, q, qd, qdd)
    tau = tau + 0.05 * np.random.default_rng(5).normal(size=tau.shape)
    last = arm.links[-1].name
    found = supple.identify(
        arm, q, qd, qdd, tau, [f"{last}.{x}" for x in ("mass", "mx", "my", "mz")]
    )
    assert abs(found[f"{last}.mass"] - found.model[0] - 2.0) < 0.02
    true = supple.inertial_parameters(loaded)
    wrong = [abs(found[n] - true[n]) for n in found.names]
    assert all(w < 4.0 * s for w, s in zip(wrong, found.deviations, strict=True))


def test_stiffness_is_found_from_joint_torques_alone() -> None:
    arm = supple.load("lin-lewis-f")
    q, qd, qdd = motion(arm, 60)
    name = "link1.K.bending_y1.bending_y1"
    tau = forces(arm, q, qd, qdd)
    softer = tau.copy()
    shape = arm.links[0].e.start
    softer[:, shape] -= 0.2 * arm.links[0].body.K[0, 0] * q[:, arm.links[0].d.start]
    found = supple.identify(arm, q, qd, qdd, softer, [name])
    assert found[name] == pytest.approx(0.8 * arm.links[0].body.K[0, 0], rel=1e-9)


def test_what_records_cannot_tell_is_said() -> None:
    arm = supple.load("lin-lewis-rr")
    q, qd, qdd = motion(arm, 20)
    tau = forces(arm, q, qd, qdd)
    with pytest.raises(InputError, match=r"tell nothing of link1\.mass"):
        supple.identify(arm, q, qd, qdd, tau, ["link1.mass"])
    with pytest.raises(InputError, match="tell 2 combinations of the 3 unknown"):
        supple.identify(arm, q, qd, qdd, tau, ["link1.Izz", "link1.mx", "link2.mass"])
    with pytest.raises(InputError, match=r"no parameter named 'link1\.mas'.*Did you mean"):
        supple.identify(arm, q, qd, qdd, tau, ["link1.mas"])
    with pytest.raises(InputError, match="qd is an array of shape"):
        supple.identify(arm, q, qd[:, :1], qdd, tau, ["link2.mx"])
    with pytest.raises(InputError, match="hold 2 forces that depend on the 2 unknown"):
        some = [x[:1] for x in (q, qd, qdd, tau)]
        supple.identify(arm, *some, ["link2.mx", "link2.Izz"])


def test_deviations_of_few_records_are_those_of_repeated_ones() -> None:
    """Four instants, two unknowns: what is left is smaller than the noise, by sqrt(2 / 4)."""
    part = {"rigid": {"mass": 2.0, "com": [0.4, 0, 0], "inertia": 0.1}}
    joint = {"type": "revolute", "child": "a", "axis": [0, 1, 0]}
    arm = supple.build({"links": {"a": part}, "joints": [joint]})
    base, rng = supple.base_parameters(arm), np.random.default_rng(2)
    q, qd, qdd = rng.normal(size=(3, 4, 1))
    tau, unknown = forces(arm, q, qd, qdd), list(base.names)[:2]
    noise = 0.1 * rng.normal(size=(400, 4, 1))
    found = [supple.identify(arm, q, qd, qdd, tau + x, unknown) for x in noise]
    spread = np.std([x.values for x in found], axis=0)
    told = np.sqrt(np.mean([x.deviations**2 for x in found], axis=0))
    assert_near(told / spread, np.ones(2), 0.1)
