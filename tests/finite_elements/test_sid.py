"""Standard Input Data: written, read, and what is wrong with them told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from meshes import beam_words
from supple.bodies import Body, Station
from supple.errors import ModelError
from supple.finite_elements import Taylor, body_of_sid, parse_sid, sid_of_body, sid_text
from supple.finite_elements.part import anchored, placed
from supple.screws import rpy_matrix, skew

MODES = {"bending_y": 2, "bending_z": 1, "torsion": 1}
KINDS = ("first_order", "second_order", "linearized")


def robot(link: Any, kind: str = "second_order", folder: Any = "") -> supple.Robot:
    words = {
        "elastic_kinematics": kind,
        "links": {"a": link, "b": {"rigid": {"mass": 1, "inertia": 0.1, "com": [0.1, 0, 0]}}},
        "joints": [
            {"child": "a", "type": "revolute", "axis": [0, 1, 1]},
            {"parent": "a", "child": "b", "type": "revolute", "axis": [1, 0, 0]},
        ],
    }
    return supple.build(words, folder)


def beam_robot(kind: str, **more: Any) -> supple.Robot:
    place = {"start": [0.1, 0.2, 0.3], "rpy": [0.1, 0.2, 0.3]}
    beam = beam_words(**place, modes=MODES, damping={"ratio": 0.01})
    return robot({"beam": beam, **more}, kind)


def state(arm: supple.Robot, size: float = 0.01, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    q, qd, qdd = rng.normal(size=(3, arm.nv))
    for link in arm.links:
        q[link.d], qd[link.e] = size * q[link.d], size * qd[link.e]
    return q, qd, qdd


@pytest.mark.parametrize("kind", KINDS)
def test_a_beam_written_and_read_back_is_the_same_robot(kind: str, tmp_path: Path) -> None:
    hub = {"mass": 0.3, "com": [0.01, 0.02, 0.03], "inertia": 0.01}
    own = beam_robot(kind, hub=hub, payload={"mass": 0.5})
    supple.write_sid(own, "a", tmp_path / "part.sid")
    other = robot({"body": {"file": "part.sid"}}, kind, tmp_path)
    q, qd, x = state(own, 0.003)
    for name in ("inverse_dynamics", "forward_dynamics"):
        assert_near(
            getattr(supple, name)(other, q, qd, x), getattr(supple, name)(own, q, qd, x), 1e-10
        )
    assert_near(supple.mass_matrix(other, q), supple.mass_matrix(own, q), 1e-10)
    omegas = [supple.frequencies(r, locked=True).omega for r in (other, own)]
    assert_near(omegas[0], omegas[1], 1e-10)
    assert_near(supple.jacobian(other, q, "b"), supple.jacobian(own, q, "b"), 1e-10)


def test_a_run_of_it_is_the_same(tmp_path: Path) -> None:
    own = beam_robot("first_order").with_modes(1)
    supple.write_sid(own, "a", tmp_path / "part.sid")
    other = robot({"body": {"file": "part.sid"}}, "first_order", tmp_path)
    runs = [supple.simulate(r, None, 0.05, samples=5, rtol=1e-11) for r in (own, other)]
    assert_near(runs[1]["q"], runs[0]["q"], 1e-9)


def test_standard_blocks_alone_agree_to_second_order() -> None:
    """What they leave open is of third order: a tenth of the shapes, a hundredth of the error."""
    own = beam_robot("second_order")
    body = own.links[0].body
    again = body_of_sid(parse_sid(sid_text(sid_of_body(body, dict(body.stations), exact=False))))
    for name in ("mass", "c0", "c1", "c2", "W0", "N0", "Mdd", "K", "D"):
        assert_near(getattr(again.body, name), getattr(body, name), 1e-12)
    assert_near(again.body.P + again.body.Q, body.P + body.Q, 1e-12)
    assert again.stiffens
    assert max(value for _, value in again.checks) < 1e-12


def test_standard_blocks_alone_give_back_products_that_turn_and_swell() -> None:
    """q = a + b x X + s X for each pair of shapes: the smallest field with its moments."""
    rng = np.random.default_rng(8)
    X, S, dm = rng.normal(size=(9, 3)), rng.normal(size=(2, 9, 3)), rng.uniform(1, 2, 9)
    a, b, s = rng.normal(size=(3, 2, 2, 3))
    a, b, s = (x + x.transpose(1, 0, 2) for x in (a, b, s))
    X = X - dm @ X / dm.sum()
    q = a[:, :, None] + np.cross(b[:, :, None], X) + s[:, :, None, :1] * X
    c2, Q = np.einsum("g,klgi->kli", dm, q), np.einsum("g,gi,klgj->klij", dm, X, q)
    body = replace(cloud(X, S, dm), c2=c2, Q=Q)
    again = body_of_sid(sid_of_body(body, {}, exact=False)).body
    assert_near(again.Q, Q, 1e-10)
    assert_near(again.P, body.P, 1e-10)


def test_psi_is_the_rate_of_turning_of_a_bent_node() -> None:
    """To first order in the shapes, of the rotation by the vector Theta d + 1/2 Theta2 d d."""
    from scipy.spatial.transform import Rotation

    rng, h = np.random.default_rng(9), 1e-6
    T, T2, d, rate = rng.normal(size=(2, 3)), rng.normal(size=(2, 2, 3)), [1e-4, 2e-4], [0.3, -0.7]
    T2 = T2 + T2.transpose(1, 0, 2)
    node = Station(np.zeros(3), np.zeros((2, 3)), T, S2=np.zeros((2, 2, 3)), Theta2=T2)
    sid = sid_of_body(beam_robot("second_order").with_modes(1).links[0].body, {"a": node})
    psi = sid.nodes[0].parts["psi"]

    def turned(t: float) -> Any:
        x = np.array(d) + t * np.array(rate)
        return Rotation.from_rotvec(x @ T + 0.5 * np.einsum("k,l,kli->i", x, x, T2))

    exact = (turned(h) * turned(-h).inv()).as_rotvec() / (2 * h)
    made = psi.M0 @ rate + np.einsum("ilk,l,k->i", psi.M1, d, rate)
    assert_near(made, exact, 1e-6)


def test_a_node_may_tell_less() -> None:
    """Without phi its origin says how it moves; axes that are mirrored are none."""
    body = beam_robot("second_order").links[0].body
    sid = sid_of_body(body, {"tip": body.stations["tip"]})
    parts = {k: part for k, part in sid.nodes[0].parts.items() if k != "phi"}
    parts["AP"] = Taylor.of(np.diag([1.0, 1.0, -1.0]))
    tip = body_of_sid(replace(sid, nodes=(replace(sid.nodes[0], parts=parts),))).body.stations[
        "tip"
    ]
    assert_near(tip.S, body.stations["tip"].S, 1e-14)
    assert_near(tip.R0, np.eye(3), 0.0)


def test_products_of_shapes_at_a_node_are_made_symmetric() -> None:
    """d_k d_l has no other part: a file may list its factor once."""
    body = beam_robot("second_order").links[0].body
    sid = sid_of_body(body, {"tip": body.stations["tip"]})
    node, upper = sid.nodes[0], np.triu(np.full((body.m, body.m), 2.0), 1) + np.eye(body.m)
    phi, psi = (node.parts[k] for k in ("phi", "psi"))
    parts = {"phi": Taylor.of(phi.M0, phi.M1 * upper), "psi": Taylor.of(psi.M0, psi.M1 * upper)}
    once = replace(sid, nodes=(replace(node, parts={**node.parts, **parts}),))
    tip, other = (body_of_sid(x).body.stations["tip"] for x in (once, sid))
    assert_near(tip.S2, other.S2, 1e-14)
    assert_near(tip.Theta2, tip.Theta2.transpose(1, 0, 2), 0.0)


def test_oe_written_in_the_other_order_is_found_out() -> None:
    body = beam_robot("second_order").links[0].body
    sid = sid_of_body(body, {}, exact=False)
    text = sid_text(sid)
    lines = text.splitlines()
    first, last = lines.index("Oe"), lines.index("end Oe")
    swap = {",5)": ",6)", ",6)": ",5)"}
    for i in range(first, last):
        for old, new in swap.items():
            if f"{old} =" in lines[i]:
                lines[i] = lines[i].replace(f"{old} =", f"{new} =")
                break
    again = body_of_sid(parse_sid("\n".join(lines)))
    assert any("before wy wz" in note for note in again.notes)
    assert_near(again.body.P + again.body.Q, body.P + body.Q, 1e-12)


def test_a_moved_body_has_the_moments_of_its_moved_points() -> None:
    """Against a cloud of mass points: moments summed point by point."""
    rng = np.random.default_rng(2)
    X, S, dm = rng.normal(size=(9, 3)), rng.normal(size=(2, 9, 3)), rng.uniform(1, 2, 9)
    R, start = rpy_matrix(0.3, -0.2, 0.9), np.array([0.1, 0.5, -0.3])
    moved = placed(cloud(X, S, dm), start, R)
    exact = cloud(start + X @ R.T, S @ R.T, dm)
    for name in ("c0", "W0", "c1", "N0", "P", "Mdd"):
        assert_near(getattr(moved, name), getattr(exact, name), 1e-12)


def test_shapes_that_move_the_root_are_seen_from_it() -> None:
    rng = np.random.default_rng(3)
    X, S, dm = rng.normal(size=(9, 3)), rng.normal(size=(2, 9, 3)), rng.uniform(1, 2, 9)
    Theta = rng.normal(size=(2, 3))
    root = Station(X[4], S[:, 4], Theta)
    seen = anchored(cloud(X, S, dm), root)
    exact = cloud(X, S - S[:, 4:5] - np.cross(Theta[:, None], X - X[4]), dm)
    for name in ("c0", "W0", "c1", "N0", "P", "Mdd"):
        assert_near(getattr(seen, name), getattr(exact, name), 1e-12)


def cloud(X: Any, S: Any, dm: Any) -> Body:
    m = len(S)
    P = np.einsum("lgi,kgj,g->lkij", S, S, dm)
    return Body(
        *(float(dm.sum()), dm @ X, np.einsum("kgi,g->ki", S, dm), np.zeros((m, m, 3))),
        *(np.einsum("gi,gj,g->ij", X, X, dm), np.einsum("gi,kgj,g->kij", X, S, dm), P),
        *(np.zeros((m, m, 3, 3)), np.einsum("lkii->lk", P), np.eye(m), np.zeros((m, m)), {}),
    )


def test_every_block_is_what_its_definition_says() -> None:
    """Sums over mass points, force by force, with X~ the matrix of X x."""
    rng = np.random.default_rng(4)
    X, S, dm = rng.normal(size=(7, 3)), rng.normal(size=(2, 7, 3)), rng.uniform(1, 2, 7)
    parts = sid_of_body(cloud(X, S, dm), {}, exact=False).parts
    w, points = rng.normal(size=3), range(len(X))
    six = np.array([*(w * w), w[0] * w[1], w[1] * w[2], w[0] * w[2]])
    W = skew(w) @ skew(w)
    for k in (0, 1):
        Gr = -2.0 * sum(dm[g] * skew(X[g]) @ skew(S[k, g]) for g in points)
        assert_near(parts["Gr"].M0[:, 3 * k : 3 * k + 3], Gr, 1e-13)
        J1 = -sum(dm[g] * _both(skew(X[g]) @ skew(S[k, g])) for g in points)
        assert_near(parts["J"].M1[:, k], J1, 1e-13)
        assert_near(parts["Cr"].M0[k], dm @ np.cross(X, S[k]), 1e-13)
        Oe = sum(dm[g] * S[k, g] @ W @ X[g] for g in points)
        assert parts["Oe"].M0[k] @ six == pytest.approx(Oe)
        for n in (0, 1):
            Ge = 2.0 * sum(dm[g] * S[k, g] @ np.cross(w, S[n, g]) for g in points)
            assert parts["Ge"].M0[k, 3 * n : 3 * n + 3] @ w == pytest.approx(Ge)
            assert_near(parts["Cr"].M1[k, n], dm @ np.cross(S[n], S[k]), 1e-13)
            Oe = sum(dm[g] * S[k, g] @ W @ S[n, g] for g in points)
            assert parts["Oe"].M1[k, n] @ six == pytest.approx(Oe)


def _both(A: Any) -> Any:
    return A + A.T


def test_fewer_blocks_are_enough() -> None:
    """Gr in place of J of order 1 and Cr; Ge in place of Cr of order 1."""
    rng = np.random.default_rng(5)
    X, S, dm = rng.normal(size=(7, 3)), rng.normal(size=(2, 7, 3)), rng.uniform(1, 2, 7)
    body = cloud(X, S, dm)
    sid = sid_of_body(body, {}, exact=False)
    J = replace(sid.parts["J"], one={})
    less = {k: v for k, v in sid.parts.items() if k not in ("Cr", "mdCM")}
    centre = replace(sid.parts["mdCM"], one={})
    again = body_of_sid(replace(sid, parts={**less, "J": J, "mdCM": centre})).body
    for name in ("c0", "W0", "c1", "N0", "P", "Mdd"):
        assert_near(getattr(again, name), getattr(body, name), 1e-12)


@pytest.mark.parametrize(("without", "words"), [(("Ct",), "mass centre"), (("Gr", "Cr"), "turns")])
def test_what_no_body_can_do_without_is_asked_for(without: tuple[str, ...], words: str) -> None:
    rng = np.random.default_rng(6)
    sid = sid_of_body(
        cloud(*(rng.uniform(size=x) for x in ((7, 3), (2, 7, 3), 7))), {}, exact=False
    )
    centre = replace(sid.parts["mdCM"], one={})
    parts = {k: v for k, v in {**sid.parts, "mdCM": centre}.items() if k not in without}
    with pytest.raises(ModelError, match=words):
        body_of_sid(replace(sid, parts=parts))


WRONG = (
    ("part\n", "prat\n", "no line says 'part'"),
    ("end refmod\n", "", "'frame' is not known inside refmod"),
    ("nelastq = 4", "nelastq = -4", "nelastq should be a whole number"),
    ("nelastq = 4", "nelastq = 400", "nelastq is 400; it must be 0 to 100"),
    ("nelastq = 4", "nelastq = 3", "index 4 of ielastq is not within 1 to 3"),
    ("mass = ", "mass = x", "input should be a finite number"),
    ("mass = ", "mass = -", "it must be above 0"),
    ("m0(1,1) = ", "m0(9,1) = ", "index 9 of m0 of"),
    ("m0(1,1) = ", "m0(1) = ", "takes 2 indices"),
    ("\nKe\n", "\nKee\n", "did you mean Ke?"),
    ("\nend Ke", "\nend Ka", "'end Ka' stands inside Ke"),
    ("new node = 2", "new node = 1", "node 1 is there twice"),
    ("\nJ\norder = 1\nnrow = 3", "\nJ\norder = 1\nnrow = 4", "J is 4 x 3"),
)


@pytest.mark.parametrize(("old", "new", "words"), WRONG, ids=lambda x: str(x)[:20].strip())
def test_a_fault_is_told_with_its_line(old: str, new: str, words: str) -> None:
    body = beam_robot("second_order").links[0].body
    stations = {k: s for k, s in body.stations.items() if k != "origin"}
    text = sid_text(sid_of_body(body, stations))
    assert old in text
    with pytest.raises(ModelError) as caught:
        parse_sid(text.replace(old, new, 1), "part.sid")
    assert words in str(caught.value)
    assert caught.value.faults[0].line


def test_an_inertia_that_no_body_has_is_told_with_its_numbers() -> None:
    body = beam_robot("second_order").links[0].body
    sid = sid_of_body(body, {})
    text = sid_text(sid)
    at = text.index("m0(3,3)", text.index("\nJ\n"))
    wrong = text[:at] + text[at:].replace("D", "E", 1).replace("m0(3,3) = ", "m0(3,3) = -", 1)
    with pytest.raises(ModelError, match=r"not positive definite \(principal moments \[-"):
        body_of_sid(parse_sid(wrong))


@pytest.mark.parametrize(
    ("block", "words"), [("phi", "at tip is missing (phi"), ("Cr", "missing: Cr has no")]
)
def test_blocks_without_order_1_that_stiffening_needs_are_told(
    block: str, words: str, tmp_path: Path
) -> None:
    path = supple.write_sid(beam_robot("second_order"), "a", tmp_path / "part.sid", exact=False)
    assert not supple.load_part(path).notes
    sid = parse_sid(path.read_text(), "part.sid")
    nodes = tuple(
        replace(n, parts={k: replace(x, one={}) if k == block else x for k, x in n.parts.items()})
        for n in sid.nodes
    )
    parts = {k: replace(x, one={}) if k == block else x for k, x in sid.parts.items()}
    path.write_text(sid_text(replace(sid, nodes=nodes, parts=parts), ()))
    (note,) = supple.load_part(path).notes
    assert note.startswith("geometric stiffening by ")
    assert words in note
