"""Meshed cantilevers become links: against Supple's own beam, element by element and as a robot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eig, eigh
from scipy.sparse import csr_array, diags_array, triu

import supple
from agree import assert_near
from meshes import DENSITY, HEIGHT, LENGTH, WIDTH, beam_mesh, beam_words, solid_mesh, tension_matrix
from supple.errors import ModelError
from supple.finite_elements.mesh import MeshMatrices, body_totals
from supple.finite_elements.mesh_body import mesh_part
from supple.finite_elements.methods import LOADS
from supple.finite_elements.reduction import interface, reduced
from supple.recursion import damping_matrix, stiffness_matrix

MESHES = {
    "beam": {"file": "beam.npz", "root": 1, "stations": {"tip": 21}},
    "solid": {"file": "solid.npz"},
}
METHODS = {"craig_bampton": 6, "normal": 10}


def arm(link: Any, folder: Path | str = "", kind: str = "first_order") -> supple.Robot:
    words = {
        "elastic_kinematics": kind,
        "gravity": [0, -9.81, 0],
        "links": {"a": {**link, "hub": {"inertia": 0.2}, "payload": {"mass": 0.5}}},
        "joints": [{"name": "j", "child": "a", "type": "revolute", "axis": [0, 0, 1]}],
    }
    return supple.build(words, folder)


@pytest.fixture(scope="module")
def own() -> supple.Robot:
    return arm({"beam": beam_words(modes={"bending_y": 5, "bending_z": 4})})


def bending(link: Any, folder: Path) -> Any:
    """Frequencies of the clamped link alone."""
    words = {"links": {"a": link}, "joints": [{"child": "a", "type": "revolute"}]}
    body = supple.build(words, folder).links[0].body
    return np.sqrt(eigh(body.K, body.Mdd, eigvals_only=True))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MESHES)
def test_frequencies_are_those_of_the_beam(name: str, method: str, folder: Path) -> None:
    own = bending({"beam": beam_words(modes={"bending_y": 8, "bending_z": 8})}, folder)
    words = {**MESHES[name], "method": method, "modes": METHODS[method]}
    assert_near(bending({"body": words}, folder)[:4] / own[:4], np.ones(4), 5e-3)


@pytest.mark.parametrize("name", MESHES)
def test_the_robot_moves_as_that_with_the_beam(name: str, folder: Path, own: supple.Robot) -> None:
    """The deflection of the tip after a step of torque, two periods of the first mode, to 1 %."""
    meshed = arm({"body": {**MESHES[name], "modes": 4, "keep": 10}}, folder)
    places = []
    for robot in (own, meshed):
        run = supple.simulate(robot, [20.0], 0.1, samples=201)
        places.append(run["deflection"][:, 0, 1])
    assert np.abs(places[0]).max() > 2e-3
    assert_near(places[1], places[0], 1e-2)


def test_loaded_frequencies_and_statics_agree(folder: Path, own: supple.Robot) -> None:
    for words in MESHES.values():
        meshed = arm({"body": words}, folder)
        omegas = [supple.frequencies(r, locked=True).omega[:3] for r in (meshed, own)]
        assert_near(omegas[0] / omegas[1], np.ones(3), 5e-3)
        bent = [supple.statics(r, [0.0], {"a": [0, -5, 0]}) for r in (meshed, own)]
        drops = [supple.pose(x.robot, x.q, "a.tip").p[1] for x in bent]
        assert drops[0] == pytest.approx(drops[1], rel=5e-3)
        assert bent[0].tau[0] == pytest.approx(bent[1].tau[0], rel=1e-4)


def test_guyan_bends_under_a_tip_force_as_the_beam_does() -> None:
    part = mesh_part(beam_mesh(), 1, {"tip": 21}, "guyan", 0)
    tip, body = part.body.stations["tip"], part.body
    compliance = tip.S @ np.eye(3)[1] @ np.linalg.solve(body.K, tip.S @ np.eye(3)[1])
    EI = 70e9 * HEIGHT * WIDTH**3 / 12
    assert compliance == pytest.approx(LENGTH**3 / (3 * EI), rel=1e-9)


@pytest.mark.parametrize("mesh", [beam_mesh(), solid_mesh((4, 1, 1))], ids=["beam", "solid"])
def test_mass_centre_and_inertia_are_those_of_the_brick(mesh: MeshMatrices) -> None:
    whole = body_totals(mesh)
    mass = DENSITY * LENGTH * WIDTH * HEIGHT
    assert whole.mass == pytest.approx(mass)
    assert_near(whole.c0, mass * np.array([LENGTH / 2, 0, 0]), 1e-12)
    second = mass * np.array([LENGTH**2 / 3, WIDTH**2 / 12, HEIGHT**2 / 12])
    assert_near(whole.W0, np.diag(second), 1e-12)


def test_moments_of_shapes_are_those_of_the_beam() -> None:
    """c1, N0 and P of normal modes, against the same modes of Supple's own beam."""
    part = mesh_part(beam_mesh(40), 1, {}, "normal", 2).body
    modes = {"bending_y": {"count": 1, "family": "clamped_free"}, "bending_z": 1}
    links = {"a": {"beam": beam_words(modes={**modes, "family": "clamped_free"})}}
    words = {"links": links, "joints": [{"child": "a", "type": "revolute"}]}
    exact = supple.build({**words, "elastic_kinematics": "first_order"}).links[0].body
    scale = np.sqrt(np.diag(exact.Mdd)) * np.sign(np.einsum("ki,ki->k", part.c1, exact.c1))
    for k in (0, 1):  # scaled alike, signs alike
        assert_near(part.c1[k], exact.c1[k] / scale[k], 1e-3)
        assert_near(part.N0[k], exact.N0[k] / scale[k], 2e-3)
        for n in (0, 1):
            assert_near(part.P[k, n], exact.P[k, n] / (scale[k] * scale[n]), 2e-3)
    assert_near(np.einsum("lkii->lk", part.P), part.Mdd, 1e-12)


def test_an_average_of_nodes_follows_rigid_motions() -> None:
    mesh = solid_mesh((3, 1, 1))
    face = interface(mesh, mesh.places("tip", "tip"))
    assert face.turns
    b = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    u = mesh.rigid @ b
    here = b[:3] + np.cross(b[3:], face.x)
    assert_near(face.C @ u, np.concatenate([here, b[3:]]), 1e-10)


def stiffened(count: int = 30) -> MeshMatrices:
    """A beam mesh with the axial forces of unit loads; loads across it have none."""
    mesh, line = beam_mesh(count), DENSITY * WIDTH * HEIGHT
    spin = tension_matrix(mesh, lambda x: line * (LENGTH**2 - x**2) / 2)
    names = [*LOADS, *(f"tip.{kind}_{axis}" for kind in "fn" for axis in "xyz")]
    loads = dict.fromkeys(names, csr_array(mesh.K.shape)) | {
        "a_x": tension_matrix(mesh, lambda x: -line * (LENGTH - x)),
        "w_yy": spin,
        "w_zz": spin,
        "tip.f_x": tension_matrix(mesh, lambda x: 1.0),
    }
    return replace(mesh, stiffening=loads)


def test_unit_load_stiffness_gives_the_products_of_shapes() -> None:
    part = mesh_part(stiffened(), 1, {"tip": 31}, "normal", 2)
    modes = {"bending_y": 1, "bending_z": 1, "family": "clamped_free"}
    links = {"a": {"beam": beam_words(modes=modes)}}
    exact = (
        supple.build({"links": links, "joints": [{"child": "a", "type": "revolute"}]}).links[0].body
    )
    assert part.stiffens
    for k in (0, 1):
        scale = exact.Mdd[k, k]
        assert_near(part.body.c2[k, k][0], exact.c2[k, k][0] / scale, 2e-3)
        assert_near(part.body.Q[k, k][0, 0], exact.Q[k, k][0, 0] / scale, 2e-3)
        S2 = exact.stations["tip"].S2[k, k] / scale
        assert_near(part.body.stations["tip"].S2[k, k], S2, 2e-3)


def test_a_spinning_mesh_stiffens_as_the_beam_does(tmp_path: Path) -> None:
    from meshes import save_mesh

    save_mesh(stiffened(), tmp_path / "spin.npz")
    body = {"body": {"file": "spin.npz", "root": 1, "stations": {"tip": 31}, "modes": 4}}
    own = {"beam": beam_words(modes={"bending_y": 4, "bending_z": 4})}
    at = [arm(x, tmp_path, "second_order").replace(gravity=[0, 0, 0]) for x in (own, body)]
    omegas = [supple.frequencies(r, locked=True, rates={"j": 60.0}).omega[:2] for r in at]
    rest = supple.frequencies(at[0], locked=True).omega[:2]
    assert (omegas[0] > 1.05 * rest).any()
    assert_near(omegas[1], omegas[0], 3e-3)
    assert not at[1].notes


def test_what_is_missing_is_said(folder: Path) -> None:
    robot = arm({"body": MESHES["solid"]}, folder, "second_order")
    assert any("geometric stiffening is missing" in note for note in robot.notes)
    from supple.model import plausibility

    assert any("no geometric stiffening" in doubt.message for doubt in plausibility(robot))
    assert not arm({"body": MESHES["solid"]}, folder).notes


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda m: replace(m, K=m.K + 0.01 * diags_array(m.K.diagonal())),
            "a rigid motion .* strains the body: ",
        ),
        (lambda m: replace(m, X=m.X * [1.0, 1.0, 0.5]), "a rigid motion .* strains the body: "),
        (lambda m: replace(m, M=-m.M), "mass matrix has -.* on its diagonal, at node"),
        (lambda m: replace(m, M=m.M + 0.1 * triu(m.M)), "not symmetric"),
        (
            lambda m: replace(m, M=m.M * (1.0 + np.outer(m.way == 1, m.way == 1))),
            "the mass is .* x",
        ),
    ],
)
def test_matrices_that_are_no_body_are_refused_with_numbers(change: Any, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        body_totals(change(solid_mesh((2, 1, 1))))


def test_a_body_can_be_changed_and_computed_with_as_any_link(folder: Path) -> None:
    robot = arm({"body": {**MESHES["beam"], "modes": 0, "damping": {"ratio": 0.02}}}, folder)
    heavier = robot.replace(gravity=[0, 0, 0]).with_parameters({"a.payload.mass": 2.0})
    assert heavier.mass == pytest.approx(robot.mass + 1.5)
    assert not any("root" in n or "stations" in n for n in robot.parameter_names)
    stiff = robot.replace(elastic_kinematics="rigid")
    assert stiff.modes == 0
    assert stiff.mass == pytest.approx(robot.mass)
    q = 0.01 * np.ones(robot.nv)
    native = supple.compile(robot, "forward_dynamics")
    assert_near(native(q, q, q), supple.forward_dynamics(robot, q, q, q), 1e-9)
    lines = supple.plot(robot, "modes", count=1)
    assert lines is not None


def test_it_is_drawn_bent_from_its_root_to_its_stations(folder: Path) -> None:
    """A cantilever under a tip force is a cubic: so is what is drawn of it."""
    from supple.view.skeleton import skeleton

    part = {**MESHES["beam"], "method": "guyan"}
    bent = supple.statics(arm({"body": part}, folder), [0.0], {"a": [0, -5, 0]})
    own = arm({"beam": beam_words(modes={"bending_y": 3})})
    exact = supple.statics(own, [0.0], {"a": [0, -5, 0]})
    (drawn,), (beam,) = (skeleton(x.robot, x.q, 9) for x in (bent, exact))
    assert drawn.beam
    assert_near(drawn.points[:, 1], beam.points[:, 1], 5e-2)
    tip = supple.pose(bent.robot, bent.q, "a.tip").p
    assert_near(drawn.points[-1], tip, 1e-12)


def test_the_stiffness_of_each_unit_load_is_the_moment_it_names() -> None:
    rng, mesh = np.random.default_rng(7), beam_mesh(3)
    names = [*LOADS, *(f"tip.{kind}_{axis}" for kind in "fn" for axis in "xyz")]
    A = rng.normal(size=(len(names), *mesh.K.shape))
    loads = {n: csr_array(a + a.T) for n, a in zip(names, A, strict=True)}
    mesh = replace(mesh, stiffening=loads)
    body, where = mesh_part(mesh, 1, {"tip": 4}, "normal", 2).body, interface(mesh, np.array([3]))
    Phi = reduced(mesh, np.array([0]), {"tip": where}, "normal", 2, None).Phi
    K, Q, tip = {n: Phi.T @ (a @ Phi) for n, a in loads.items()}, body.Q, body.stations["tip"]
    for i, j, k, axis in ((0, 1, 2, "x"), (1, 2, 0, "y"), (2, 0, 1, "z")):
        assert_near(body.c2[..., i], K[f"a_{axis}"], 1e-12)
        assert_near(Q[..., j, k] - Q[..., k, j], K[f"dw_{axis}"], 1e-12)
        assert_near(-Q[..., j, j] - Q[..., k, k], K[f"w_{axis}{axis}"], 1e-12)
        assert_near(tip.S2[..., i], -K[f"tip.f_{axis}"], 1e-12)
        assert_near(tip.Theta2[..., i], -K[f"tip.n_{axis}"], 1e-12)
    for i, j, name in ((0, 1, "w_xy"), (1, 2, "w_yz"), (0, 2, "w_xz")):
        assert_near(Q[..., i, j] + Q[..., j, i], K[name], 1e-12)


def test_a_number_that_no_body_has_is_told_with_its_node_and_freedom() -> None:
    mesh = beam_mesh(2)
    spoiled = replace(mesh, K=mesh.K - diags_array(1e12 * (np.arange(18) == 7)))
    with pytest.raises(ModelError, match="at node 2, freedom 2: it is not positive definite"):
        body_totals(spoiled)


@pytest.mark.parametrize("kind", ["first_order", "second_order"])
def test_a_ratio_is_that_of_the_part_with_its_payload(kind: str, folder: Path) -> None:
    """Of every mode of M, D, K of the clamped link, by SciPy."""
    payload = {"mass": 1.5, "com": [0.05, 0.02, 0.01], "inertia": [0.01, 0.02, 0.03]}
    body = {**MESHES["solid"], "modes": 2, "damping": {"ratio": 0.012}}
    link = {"body": body, "payload": payload, "hub": {"mass": 1.0}}
    words = {"links": {"a": link}, "joints": [{"child": "a", "type": "fixed"}]}
    robot = supple.build({**words, "elastic_kinematics": kind}, folder)
    M, D, K = (f(robot) for f in (mass_at_home, damping_matrix, stiffness_matrix))
    none, one = np.zeros_like(M), np.eye(len(M))
    A, B = np.block([[none, one], [-K, -D]]), np.block([[one, none], [none, M]])
    roots = eig(A, B, right=False)
    roots = roots[roots.imag > 0]
    assert len(roots) == len(M)
    assert_near(-roots.real / np.abs(roots), np.full(len(M), 0.012), 1e-6)


def mass_at_home(robot: supple.Robot) -> Any:
    return supple.mass_matrix(robot, robot.home())


def kept(mesh: MeshMatrices, *loads: str) -> MeshMatrices:
    return replace(mesh, stiffening={k: mesh.stiffening[k] for k in loads})


ACROSS = ("a_y", "a_z", "dw_x", "dw_y", "dw_z", "tip.f_y", "tip.f_z")
MOMENTS = ("tip.n_x", "tip.n_y", "tip.n_z")


@pytest.mark.parametrize("spin", ["w_yy", "w_zz"])
@pytest.mark.parametrize("axis", [[0, 0, 1], [0, 1, 0]])
def test_the_matrix_of_one_spin_of_a_line_is_that_of_the_other(
    spin: str, axis: list[int], tmp_path: Path
) -> None:
    """Against Supple's own beam, which stiffens both ways, and follows Southwell's formula."""
    from meshes import save_mesh

    save_mesh(kept(stiffened(), "a_x", spin, "tip.f_x", *ACROSS, *MOMENTS), tmp_path / "spin.npz")
    body = {"file": "spin.npz", "root": 1, "stations": {"tip": 31}, "modes": 4}
    own = {"beam": beam_words(modes={"bending_y": 4, "bending_z": 4})}
    omega = []
    for link in (own, {"body": body}):
        joint = {"name": "j", "child": "a", "type": "revolute", "axis": axis}
        words = {"links": {"a": link}, "joints": [joint], "gravity": [0, 0, 0]}
        robot = supple.build({**words, "elastic_kinematics": "second_order"}, tmp_path)
        assert not robot.notes
        omega += [supple.frequencies(robot, locked=True, rates={"j": r}).omega[:2] for r in (0, 60)]
    assert (omega[1] > 1.05 * omega[0]).any()
    assert_near(omega[3], omega[1], 3e-3)


def test_loads_that_others_make_follow_from_them() -> None:
    """Of solids too: a second station at the same nodes, with matrices of one alone."""
    rng, mesh = np.random.default_rng(3), solid_mesh((3, 1, 1))
    at = mesh.sets["tip"].tolist()
    loads = {f"one.{k}_{axis}": rng.normal(size=mesh.K.shape) for k in "fn" for axis in "xyz"}
    mesh = replace(mesh, stiffening={k: csr_array(a + a.T) for k, a in loads.items()})
    tip = mesh_part(mesh, "root", {"one": at, "two": at}, "normal", 3).body.stations
    for name in ("S2", "Theta2"):
        assert np.abs(getattr(tip["one"], name)).max() > 0.0
        assert_near(getattr(tip["two"], name), getattr(tip["one"], name), 1e-7)


def test_loads_without_a_matrix_are_named_with_what_they_drop(tmp_path: Path) -> None:
    mesh = stiffened(6)
    for given, lacks in (
        (("a_x",), "w_yy, w_zz"),
        (("w_yy", "a_x"), "tip.f_x, tip.f_y"),
        ((*ACROSS, *MOMENTS, "w_yy", "tip.f_x"), "matrices of a_x are not given"),
    ):
        (note,) = mesh_part(kept(mesh, *given), 1, {"tip": 7}, "normal", 2).notes
        assert "geometric stiffening is incomplete" in note
        assert lacks in note.replace("w_xy, ", "")
        assert "a: acceleration and weight, dw and w: rotation" in note
    assert not mesh_part(mesh, 1, {"tip": 7}, "normal", 2).notes


@pytest.mark.parametrize("load", ["tpi.f_x", "w_zy", "tip.f_w", "root.f_x"])
def test_a_load_that_the_part_has_not_is_refused(load: str) -> None:
    mesh = stiffened(4)
    mesh = replace(mesh, stiffening={**mesh.stiffening, load: mesh.K})
    with pytest.raises(ModelError, match=rf"stiffening has a load '{load}'"):
        mesh_part(mesh, 1, {"tip": 5}, "normal", 2)


def test_unit_forces_at_all_nodes_tell_how_rotation_stiffens(tmp_path: Path) -> None:
    """A force along the line pulls all that is between it and the root: against the beam."""
    from meshes import save_mesh

    count, mesh = 8, beam_mesh(8)
    loads = {f"n{k}.{kind}_{axis}": csr_array(mesh.K.shape)
             for k in range(2, count + 2) for kind in "fn" for axis in "xyz"}  # fmt: skip
    for k in range(1, count + 1):
        x = LENGTH * k / count
        loads[f"n{k + 1}.f_x"] = tension_matrix(mesh, lambda s, x=x: float(s < x))
    save_mesh(replace(mesh, stiffening=loads), tmp_path / "nodes.npz")
    stations = {f"n{k}": k for k in range(2, count + 2)} | {"tip": count + 1}
    body = {"file": "nodes.npz", "root": 1, "stations": stations, "method": "normal", "modes": 6}
    own = {"beam": beam_words(modes={"bending_y": 4, "bending_z": 4})}
    at = [
        arm(x, tmp_path, "second_order").replace(gravity=[0, 0, 0]) for x in (own, {"body": body})
    ]
    rest = supple.frequencies(at[0], locked=True).omega[:2]
    omegas = [supple.frequencies(r, locked=True, rates={"j": 60.0}).omega[:2] for r in at]
    assert not at[1].notes
    assert (omegas[0] > 1.05 * rest).any()
    assert_near(omegas[1], omegas[0], 1e-2)
