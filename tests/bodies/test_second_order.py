"""Second-order bodies against beams bent exactly: R' = R kappa~, r' = (1 + u') R e_1.

The exact beam is integrated in small steps from its curvature and twist alone, in complex
numbers, so that derivatives come by complex steps. It shares only the mode shapes with ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple.bodies import full_inertia, local_kinematics, local_tensors, moments, node
from supple.modes import family, uniform

L, MASS, POLAR, N = 1.3, 2.1, 0.02, 120
START, RPY = np.array([0.1, 0.2, -0.1]), [0.3, -0.4, 0.5]
FIELDS = {"bending_y": 2, "bending_z": 2, "torsion": 1, "axial": 1}
D = np.array([0.3, -0.1, 0.25, 0.15, 0.4, 0.2])


def body(**extra: Any) -> Any:
    beam = {"length": L, "mass": MASS, "EI": 40.0, "GJ": 30.0, "EA": 4e3, "modes": FIELDS}
    beam |= {"polar_inertia": POLAR}
    link = {"beam": beam | {"start": START.tolist(), "rpy": RPY}, **extra}
    link["stations"] = {"middle": {"x": L / 2}}
    words = {"links": {"a": link}, "joints": [{"type": "floating", "child": "a"}]}
    return supple.build({"elastic_kinematics": "second_order", **words}).links[0].body


def tilde(a: Any) -> Any:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def exact(d: Any) -> tuple[Any, Any]:
    """Positions and rotations of N + 1 sections in link axes, by Runge and Kutta."""
    at = np.linspace(0.0, L, 2 * N + 1)
    bend, rod = family("orthogonal"), uniform(L, bending=False)
    phi, psi = bend.shapes(2, uniform(L))(at, 2), bend.shapes(1, rod)(at, 1)[0]
    kappa = np.array([d[4] * psi, -d[2:4] @ phi, d[:2] @ phi]).T
    stretch, h = 1.0 + d[5] * psi, L / N
    from supple.screws import rpy_matrix

    R, r = rpy_matrix(*RPY).astype(complex), START.astype(complex)
    out = [(r, R)]

    def rate(R: Any, i: int) -> tuple[Any, Any]:
        return R @ tilde(kappa[i]), stretch[i] * R[:, 0]

    for i in range(0, 2 * N, 2):
        A1, b1 = rate(R, i)
        A2, b2 = rate(R + h / 2 * A1, i + 1)
        A3, b3 = rate(R + h / 2 * A2, i + 1)
        A4, b4 = rate(R + h * A3, i + 2)
        R, r = R + h / 6 * (A1 + 2 * A2 + 2 * A3 + A4), r + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
        out.append((r, R))
    return np.array([r for r, _ in out]), np.array([R for _, R in out])


def slopes(d: Any) -> tuple[Any, Any]:
    """dr/dd_k (m, N + 1, 3) and the spins (dR/dd_k) R^T (m, N + 1, 3, 3)."""
    J, spins = [], []
    for k in range(len(d)):
        step = d.astype(complex)
        step[k] += 1e-30j
        r, R = exact(step)
        J.append(r.imag / 1e-30)
        spins.append(np.einsum("nij,nkj->nik", R.imag / 1e-30, R.real))
    return np.array(J), np.array(spins)


def points(d: Any) -> Any:
    """Four mass points on each section, on arms that give it its polar inertia: (4 (N + 1), 3)."""
    r, R = exact(d)
    arm = np.sqrt(POLAR * L / MASS)
    return np.concatenate([r + sign * arm * R[:, :, k] for k in (1, 2) for sign in (1, -1)])


def brute(d: Any, tip_mass: float = 0.0) -> Any:
    """The (6+m, 6+m) inertia matrix of the exact beam: Simpson's rule over its sections."""
    w = np.full(N + 1, 2.0)
    w[1::2], w[0], w[-1] = 4.0, 1.0, 1.0
    dm = np.append(np.tile(w / 12.0 * MASS / N, 4), tip_mass)
    every, shapes = [], []
    for k in range(len(d)):
        step = d.astype(complex)
        step[k] += 1e-30j
        shapes.append(np.vstack([points(step), exact(step)[0][-1:]]).imag / 1e-30)
    r = np.vstack([points(d), exact(d)[0][-1:]]).real
    every = [np.cross(np.eye(3)[k], r) for k in range(3)]
    every += [np.tile(np.eye(3)[k], (len(r), 1)) for k in range(3)]
    J = np.array(every + shapes)
    return np.einsum("agi,bgi,g->ab", J, J, dm)


def order(errors: list[float]) -> float:
    return float(np.log2(errors[0] / errors[1]))


@pytest.mark.parametrize("tip_mass", [0.0, 0.8])
def test_inertia_is_right_to_second_order_in_shapes_and_rates(tip_mass: float) -> None:
    """Blocks of M: frame-frame to d^2, frame-shape to d, shape-shape to 1."""
    own = body(payload={"mass": tip_mass}) if tip_mass else body()
    parts = {"rr": (np.s_[:6, :6], 3), "rd": (np.s_[:6, 6:], 2), "dd": (np.s_[6:, 6:], 1)}
    errors: dict[str, list[float]] = {name: [] for name in parts}
    for scale in (0.2, 0.1):
        gap = brute(scale * D, tip_mass) - full_inertia(moments(own, scale * D))
        for name, (block, _) in parts.items():
            errors[name].append(float(np.abs(gap[block]).max()))
    for name, (_, power) in parts.items():
        assert errors[name][0] < 0.06
        assert order(errors[name]) > power - 0.3


def test_inertia_is_exact_in_the_undeformed_shape() -> None:
    M = brute(np.zeros(6))
    assert np.abs(full_inertia(moments(body(), np.zeros(6))) - M).max() < 1e-7


def test_stations_are_right_to_second_order() -> None:
    """r and R to d^2, J_T and J_R to d, at the tip and half way."""
    own = body()
    for name, i in (("tip", N), ("middle", N // 2)):
        errors: dict[str, list[float]] = {"r": [], "R": [], "J_T": [], "J_R": []}
        for scale in (0.2, 0.1):
            d = scale * D
            at, (r, R), (J, spins) = node(own.stations[name], d, 0 * d), exact(d), slopes(d)
            turned = at.bend.R.matrix() @ own.stations[name].R0
            spin = np.array([[s[2, 1], s[0, 2], s[1, 0]] for s in spins[:, i]])
            errors["r"].append(np.abs(at.r - r[i].real).max())
            errors["R"].append(np.abs(turned - R[i].real).max())
            errors["J_T"].append(np.abs(at.S - J[:, i]).max())
            errors["J_R"].append(np.abs((at.bend.J @ at.Theta.T).T - spin).max())
        for what, power in (("r", 3), ("R", 3), ("J_T", 2), ("J_R", 2)):
            assert order(errors[what]) > power - 0.3
            assert errors[what][0] < 0.06


def test_local_jacobians_of_the_paper(reference: Any) -> None:
    """R, r, J_T, J_R and their space integrals, eqs. (16), (18), (60)-(66)."""
    given = reference("piedboeuf_local_jacobians")
    modes = {"family": "polynomial", "bending_y": 2, "bending_z": 2, "torsion": 2}
    beam = {"length": given["inputs"]["l"], "mass": 1, "EI": 1, "GJ": 1, "polar_inertia": 0.1}
    robot = supple.build(
        {
            "links": {"a": {"beam": beam | {"modes": modes}}},
            "joints": [{"type": "fixed", "child": "a"}],
        }
    )
    tip = robot.links[0].body.stations["tip"]
    ours, tensors = local_kinematics(tip, np.array(given["inputs"]["q"])), local_tensors(tip)
    second = given["second_order"]
    pairs = [(ours.R, second["R"]), (ours.r, second["r"])]
    pairs += [(ours.J_T, second["JT"]), (ours.J_R, second["JR"])]
    pairs += [(tensors.J_T0, given["zero_order"]["JT"]), (tensors.J_R0, given["zero_order"]["JR"])]
    pairs += [(tensors.J_T1, given["J_T1"]), (tensors.J_R1, given["J_R1"])]
    for a, b in pairs:
        assert np.abs(a - np.array(b)).max() < 1e-12


def test_the_true_rotation_is_nearer_to_the_exact_one_than_the_truncated(reference: Any) -> None:
    given = reference("piedboeuf_local_jacobians")
    modes = {"family": "polynomial", "bending_y": 2, "bending_z": 2, "torsion": 2}
    beam = {"length": given["inputs"]["l"], "mass": 1, "EI": 1, "GJ": 1, "polar_inertia": 0.1}
    words = {"links": {"a": {"beam": beam | {"modes": modes}}}}
    robot = supple.build({**words, "joints": [{"type": "fixed", "child": "a"}]})
    R = supple.pose(robot, np.array(given["inputs"]["q"]), "a").R
    error = np.abs(R - given["exact"]["R"]).max()
    assert error < 0.1 * given["convergence_table"]["rows"][0][1]
    assert np.abs(R @ R.T - np.eye(3)).max() < 1e-14


@pytest.mark.parametrize("modes", [1, 3, 6])
def test_mass_matrices_stay_positive_definite_however_far_a_link_bends(modes: int) -> None:
    """No hub, many shapes: the truncated energy would be indefinite beyond a few per cent."""
    beam = {"length": 1.0, "mass": 1.0, "EI": 10.0}
    beam["modes"] = {"bending_y": modes, "bending_z": modes}
    words = {"links": {"a": {"beam": beam}}, "joints": [{"type": "revolute", "child": "a"}]}
    own, rng = supple.build(words).links[0].body, np.random.default_rng(4)
    for scale in (0.1, 0.3, 1.0):
        M = full_inertia(moments(own, scale * rng.normal(size=2 * modes)))[1:, 1:]
        assert np.linalg.eigvalsh(M)[0] > 0.0


def test_a_tip_that_turns_by_its_chord_turns_by_deflection_over_distance() -> None:
    """Of first order in the shapes; twist is as it is."""
    shapes = {"bending_y": 2, "bending_z": 1, "torsion": 1}
    beam = {"length": 0.8, "mass": 1.0, "EI": 20.0, "GJ": 5.0, "polar_inertia": 0.01}
    links = {"a": {"beam": beam | {"modes": shapes, "tip_angle": "chord"}}}
    robot = supple.build({"links": links, "joints": [{"type": "revolute", "child": "a"}]})
    tip = robot.links[0].body.stations["tip"]
    assert tip.Theta[:3, 1] == pytest.approx(-tip.S[:3, 2] / 0.8)
    assert tip.Theta[:3, 2] == pytest.approx(tip.S[:3, 1] / 0.8)
    assert np.abs(tip.Theta[3]) == pytest.approx([1.0, 0.0, 0.0])
    assert not np.any(tip.Theta2)
